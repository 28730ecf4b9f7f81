import { timeParameter } from './time.js'
import type { Transaction } from './transaction.js'

// The schedule of a definition is a bookmark without an instance: its key is the id of the version that it starts.

/** The schedule of a definition name; there is at most one. */
export async function findDefinitionTimer(
  tx: Transaction,
  tenantId: string,
  name: string,
): Promise<{ id: string; definitionId: string } | null> {
  const [row] = await tx.$queryRaw<{ id: string; definitionId: string }[]>`
    SELECT id, key AS "definitionId" FROM "Bookmark"
    WHERE "tenantId" = ${tenantId} AND kind = 'DEFINITION_TIMER' AND "definitionName" = ${name} AND "instanceId" IS NULL`
  return row ?? null
}

export async function insertDefinitionTimer(
  tx: Transaction,
  tenantId: string,
  timer: { id: string; definitionId: string; name: string; nodeId: string; dueAt: number; now: number },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO "Bookmark" ("tenantId", id, kind, key, "nodeId", "definitionName", "dueAt", payload, "createdAt")
    VALUES (${tenantId}, ${timer.id}::uuid, 'DEFINITION_TIMER', ${timer.definitionId}, ${timer.nodeId}, ${timer.name},
      ${timeParameter(timer.dueAt)}::timestamptz, '{}', ${timeParameter(timer.now)}::timestamptz)`
}

/** Moves a schedule on; null: it never fires again. */
export async function moveDefinitionTimer(
  tx: Transaction,
  tenantId: string,
  id: string,
  dueAt: number | null,
): Promise<void> {
  if (dueAt === null) await tx.$executeRaw`DELETE FROM "Bookmark" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid`
  else
    await tx.$executeRaw`
      UPDATE "Bookmark" SET "dueAt" = ${timeParameter(dueAt)}::timestamptz
      WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid`
}

/**
 * Locks a schedule that is due, for this node alone.
 * @param now epoch milliseconds; null for the database's clock
 * @returns the version to start and the time; null where it is not due any more or another node starts it
 */
export async function lockDueTimer(
  tx: Transaction,
  tenantId: string,
  id: string,
  now: number | null,
): Promise<{ definitionId: string; now: number } | null> {
  // The definition first, as its own changes of state do: the other way round the two would wait for each other.
  await tx.$queryRaw`
    SELECT 1 AS locked FROM "Definition" WHERE "tenantId" = ${tenantId}
      AND id = (SELECT key::uuid FROM "Bookmark" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid
        AND kind = 'DEFINITION_TIMER')
    FOR SHARE`
  const [row] = await tx.$queryRaw<{ definitionId: string; now: number }[]>`
    SELECT key AS "definitionId",
      floor(extract(epoch FROM coalesce(${timeParameter(now)}::timestamptz, now())) * 1000)::float8 AS now
    FROM "Bookmark" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid AND kind = 'DEFINITION_TIMER'
      AND "dueAt" <= coalesce(${timeParameter(now)}::timestamptz, now())
    FOR UPDATE SKIP LOCKED`
  return row ?? null
}
