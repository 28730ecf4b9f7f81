import type { InstanceState } from '../engine/model.js'
import type { Instance } from '../generated/prisma/client.js'
import { splitInstance } from './engineState.js'
import type { StoredKey } from './load.js'
import { searchText, titleKey } from './search.js'
import { timeParameter } from './time.js'
import type { Transaction } from './transaction.js'

/** The instance as its row reads after the flush, built without a query. */
export function instanceRow(instance: InstanceState): Instance {
  const { columns: all, state } = splitInstance(instance)
  const { createdAt, endedAt, fault, ...columns } = all
  return {
    ...columns,
    seq: 0n,
    titleKey: titleKey(columns.title),
    searchText: searchText(columns.title, columns.correlationId),
    state: JSON.parse(JSON.stringify(state)),
    fault: fault === null ? null : JSON.parse(JSON.stringify(fault)),
    createdAt: new Date(createdAt),
    endedAt: endedAt === null ? null : new Date(endedAt),
  }
}

export async function findInstance(tx: Transaction, tenantId: string, id: string): Promise<Instance | null> {
  const [row] = await tx.$queryRaw<Instance[]>`
    SELECT * FROM "Instance" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid`
  return row ?? null
}

/**
 * The top-level instance of this definition name and correlation id that has not ended, under a lock that makes
 * concurrent starts with the same key wait for each other.
 */
export async function lockActive(
  tx: Transaction,
  tenantId: string,
  definitionName: string,
  correlationId: string,
): Promise<string | null> {
  const scope = JSON.stringify(['start', tenantId, definitionName, correlationId])
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${scope}, 0))::text`
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM "Instance" WHERE "tenantId" = ${tenantId} AND "correlationId" = ${correlationId}
      AND "definitionName" = ${definitionName} AND "parentId" IS NULL AND status IN ('RUNNING', 'SUSPENDED', 'FAULTED')
    ORDER BY seq LIMIT 1`
  return row?.id ?? null
}

/** What was answered to the caller's key before, if anything. */
export async function findKey(
  tx: Transaction,
  tenantId: string,
  userId: string,
  key: string,
): Promise<StoredKey | null> {
  const [row] = await tx.$queryRaw<StoredKey[]>`
    SELECT operation, "inputHash", "instanceId" FROM "IdempotencyKey"
    WHERE "tenantId" = ${tenantId} AND "userId" = ${userId} AND key = ${key}`
  return row ?? null
}

/** Forgets keys from before a time (epoch milliseconds), at most so many. Answers how many. */
export function clearKeys(tx: Transaction, before: number, limit: number): Promise<number> {
  return tx.$executeRaw`
    DELETE FROM "IdempotencyKey" WHERE ("tenantId", "userId", key) IN (
      SELECT "tenantId", "userId", key FROM "IdempotencyKey" WHERE "createdAt" < ${timeParameter(before)}::timestamptz
      ORDER BY "createdAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
}

export interface ClosedTask {
  action: string
  outcome: string | null
  actorId: string | null
  assigneeId: string | null
  at: Date
}

/** How a task that is no longer open was closed, and by whom. */
export async function findClosing(tx: Transaction, tenantId: string, taskId: string): Promise<ClosedTask | null> {
  const [row] = await tx.$queryRaw<ClosedTask[]>`
    SELECT r.action::text AS action, r.outcome, coalesce(r."actorId", d."actorId") AS "actorId", r."assigneeId", r.at
    FROM "TaskRecord" r LEFT JOIN LATERAL (SELECT a."actorId" FROM "TaskRecord" a
      WHERE a."tenantId" = r."tenantId" AND a."instanceId" = r."instanceId" AND a."nodeInstanceId" = r."nodeInstanceId"
        AND a.at = r.at AND a.seq < r.seq AND a."actorId" IS NOT NULL
      ORDER BY a.seq DESC LIMIT 1) d ON true
    WHERE r."tenantId" = ${tenantId} AND r."taskId" = ${taskId}::uuid ORDER BY r.seq DESC LIMIT 1`
  return row ?? null
}
