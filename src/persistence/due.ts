import type { BookmarkKind } from '../engine/model.js'
import type { PrismaClient } from '../generated/prisma/client.js'
import { timeParameter } from './time.js'

export interface DueItem {
  tenantId: string
  id: string
  kind: BookmarkKind
  /** Null for the schedule of a definition. */
  instanceId: string | null
  /** The trace context of the command that left it. */
  traceparent: string | null
}

/**
 * The bookmarks that are due, the oldest first: those of running instances, and the schedules of definitions. What
 * someone works on right now is skipped: the locks taken here end with the statement, they only keep nodes from waiting
 * for each other.
 * @param now epoch milliseconds; null for the database's clock
 */
export function findDue(prisma: PrismaClient, now: number | null, limit: number): Promise<DueItem[]> {
  const at = timeParameter(now)
  return prisma.$queryRaw<DueItem[]>`
    WITH running AS (
      SELECT b."tenantId", b.id, b.kind, b."instanceId", b."dueAt", b.traceparent FROM "Bookmark" b
      JOIN "Instance" i ON i."tenantId" = b."tenantId" AND i.id = b."instanceId"
      WHERE b."dueAt" <= coalesce(${at}::timestamptz, now()) AND b."instanceStatus" = 'RUNNING'
      ORDER BY b."dueAt" LIMIT ${limit} FOR NO KEY UPDATE OF i SKIP LOCKED
    ), scheduled AS (
      SELECT b."tenantId", b.id, b.kind, b."instanceId", b."dueAt", b.traceparent FROM "Bookmark" b
      WHERE b."dueAt" <= coalesce(${at}::timestamptz, now()) AND b."instanceId" IS NULL
      ORDER BY b."dueAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    SELECT "tenantId", id, kind::text AS kind, "instanceId", traceparent
    FROM (SELECT * FROM running UNION ALL SELECT * FROM scheduled) d
    ORDER BY "dueAt" LIMIT ${limit}`
}

/**
 * Puts off what is due in instances that do not run, so that it leaves the front of the queue: it never starves what
 * can be done, and is looked at again after the back-off.
 * @returns how many were put off; fewer than the limit when none is left
 */
export function postponeNotRunning(
  prisma: PrismaClient,
  now: number | null,
  backoff: number,
  limit: number,
): Promise<number> {
  const at = timeParameter(now)
  return prisma.$executeRaw`
    UPDATE "Bookmark" SET "dueAt" = coalesce(${at}::timestamptz, now()) + ${backoff} * interval '1 millisecond'
    WHERE ("tenantId", id) IN (SELECT b."tenantId", b.id FROM "Bookmark" b
      WHERE b."dueAt" <= coalesce(${at}::timestamptz, now()) AND b."instanceStatus" <> 'RUNNING'
      ORDER BY b."dueAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
}

/** Puts an item off by so many milliseconds, if it is still due. */
export async function postpone(
  prisma: PrismaClient,
  item: DueItem,
  now: number | null,
  milliseconds: number,
): Promise<void> {
  const at = timeParameter(now)
  await prisma.$executeRaw`
    UPDATE "Bookmark" SET "dueAt" = coalesce(${at}::timestamptz, now()) + ${milliseconds} * interval '1 millisecond'
    WHERE "tenantId" = ${item.tenantId} AND id = ${item.id}::uuid AND "dueAt" <= coalesce(${at}::timestamptz, now())`
}

/** Milliseconds from now to the earliest time that is still to come; null where there is none. */
export async function timeToNext(prisma: PrismaClient, now: number | null): Promise<number | null> {
  const [row] = await prisma.$queryRaw<{ wait: number | null }[]>`
    SELECT (extract(epoch FROM min("dueAt") - t.at) * 1000)::float8 AS wait
    FROM (SELECT coalesce(${timeParameter(now)}::timestamptz, now()) AS at) t
    LEFT JOIN LATERAL (SELECT "dueAt" FROM "Bookmark" WHERE "dueAt" > t.at ORDER BY "dueAt" LIMIT 1) b ON true
    GROUP BY t.at`
  return row?.wait ?? null
}
