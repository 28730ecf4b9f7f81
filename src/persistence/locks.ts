import type { JsonObject } from '../engine/model.js'
import type { PrismaClient } from '../generated/prisma/client.js'
import type { Transaction } from './transaction.js'

// What is taken here is taken by one statement each, in no longer transaction. The lock on the instance's row makes it
// take turns with commands on the instance; an instance that is busy is skipped, so that nobody waits for anybody.

/** A job under a lease. */
export interface LeasedJob {
  tenantId: string
  id: string
  instanceId: string
  nodeId: string
  /** What is to be done: the key of its bookmark. */
  kind: string
  payload: JsonObject
  /** The token of the lease. */
  lease: string
  /** The trace context of the command that left the job. */
  traceparent: string | null
}

/**
 * Leases jobs of running instances that nobody works on, those that wait longest first.
 * @param now epoch milliseconds; null for the database's clock
 */
export function leaseJobs(
  prisma: PrismaClient,
  now: number | null,
  { lease, milliseconds, limit }: { lease: string; milliseconds: number; limit: number },
): Promise<LeasedJob[]> {
  const at = timeText(now)
  return prisma.$queryRaw<LeasedJob[]>`
    WITH found AS (
      SELECT b."tenantId", b.id FROM "Bookmark" b
      JOIN "Instance" i ON i."tenantId" = b."tenantId" AND i.id = b."instanceId"
      WHERE b.kind = 'JOB' AND b."lockedUntil" <= coalesce(${at}::timestamptz, now())
        AND b."instanceStatus" = 'RUNNING' AND i.status = 'RUNNING'
      ORDER BY b."lockedUntil", b.seq LIMIT ${limit} FOR UPDATE OF b, i SKIP LOCKED)
    UPDATE "Bookmark" o SET "lockedBy" = ${lease},
      "lockedUntil" = coalesce(${at}::timestamptz, now()) + ${milliseconds} * interval '1 millisecond'
    FROM found f WHERE o."tenantId" = f."tenantId" AND o.id = f.id
    RETURNING o."tenantId", o.id, o."instanceId", o."nodeId", o.key AS kind, o.payload, o."lockedBy" AS lease,
      o.traceparent`
}

/** Renews one lease: a statement for each, which holds no row while it waits for another. @returns whether it still held */
export async function renewLease(
  prisma: PrismaClient,
  now: number | null,
  { tenantId, id, lease }: LeasedJob,
  milliseconds: number,
): Promise<boolean> {
  const renewed = await prisma.$executeRaw`
    UPDATE "Bookmark"
    SET "lockedUntil" = coalesce(${timeText(now)}::timestamptz, now()) + ${milliseconds} * interval '1 millisecond'
    WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid AND "lockedBy" = ${lease}`
  return renewed === 1
}

/** An external task under a worker's lock. */
export interface LockedTask {
  id: string
  topic: string
  payload: JsonObject
  instanceId: string
  lockedUntil: Date
}

/** Locks the oldest tasks of a topic that can be fetched for a worker; what another one takes at this moment is skipped. */
export function lockExternalTasks(
  prisma: PrismaClient,
  tenantId: string,
  now: number | null,
  wanted: { topic: string; workerId: string; milliseconds: number; limit: number },
): Promise<LockedTask[]> {
  const at = timeText(now)
  return prisma.$queryRaw<LockedTask[]>`
    WITH found AS (
      SELECT b.id, b."createdAt", b.seq FROM "Bookmark" b
      JOIN "Instance" i ON i."tenantId" = b."tenantId" AND i.id = b."instanceId"
      WHERE b."tenantId" = ${tenantId} AND b.kind = 'EXTERNAL' AND b.key = ${wanted.topic}
        AND b."instanceStatus" = 'RUNNING' AND i.status = 'RUNNING'
        AND (b."lockedUntil" IS NULL OR b."lockedUntil" <= coalesce(${at}::timestamptz, now()))
      ORDER BY b."createdAt", b.seq LIMIT ${wanted.limit} FOR UPDATE OF b, i SKIP LOCKED),
    locked AS (
      UPDATE "Bookmark" o SET "lockedBy" = ${wanted.workerId},
        "lockedUntil" = coalesce(${at}::timestamptz, now()) + ${wanted.milliseconds} * interval '1 millisecond'
      FROM found f WHERE o."tenantId" = ${tenantId} AND o.id = f.id
      RETURNING o.id, o.key AS topic, o.payload, o."instanceId", o."lockedUntil", f."createdAt", f.seq)
    SELECT id, topic, payload, "instanceId", "lockedUntil" FROM locked ORDER BY "createdAt", seq`
}

/** How many tasks of a topic can be fetched now. */
export async function countExternalTasks(
  prisma: PrismaClient,
  tenantId: string,
  now: number | null,
  topic: string,
): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM "Bookmark" b
    WHERE b."tenantId" = ${tenantId} AND b.kind = 'EXTERNAL' AND b.key = ${topic} AND b."instanceStatus" = 'RUNNING'
      AND (b."lockedUntil" IS NULL OR b."lockedUntil" <= coalesce(${timeText(now)}::timestamptz, now()))`
  return row?.count ?? 0
}

/** Moves the end of a lock that the worker holds. @returns null where he holds none that has not expired */
export async function extendLock(
  prisma: PrismaClient,
  tenantId: string,
  now: number | null,
  wanted: { id: string; workerId: string; milliseconds: number },
): Promise<LockedTask | null> {
  const at = timeText(now)
  const [task] = await prisma.$queryRaw<LockedTask[]>`
    UPDATE "Bookmark" SET
      "lockedUntil" = coalesce(${at}::timestamptz, now()) + ${wanted.milliseconds} * interval '1 millisecond'
    WHERE "tenantId" = ${tenantId} AND id = ${wanted.id}::uuid AND kind = 'EXTERNAL' AND "instanceStatus" = 'RUNNING'
      AND "lockedBy" = ${wanted.workerId} AND "lockedUntil" > coalesce(${at}::timestamptz, now())
    RETURNING id, key AS topic, payload, "instanceId", "lockedUntil"`
  return task ?? null
}

/** The status of the instance whose external task this is; null where there is no such task in the partition. */
export async function statusOfExternalTask(prisma: PrismaClient, tenantId: string, id: string): Promise<string | null> {
  const task = await prisma.bookmark.findUnique({
    where: { tenantId_id: { tenantId, id }, kind: 'EXTERNAL' },
    select: { instanceStatus: true },
  })
  return task?.instanceStatus ?? null
}

/**
 * Locks the instance of a bookmark ahead of loading it. Locks change without a new revision, so that whoever decides by
 * them must see what was committed while he waited: a statement of its own has a snapshot of its own.
 */
export async function lockInstanceOf(tx: Transaction, tenantId: string, bookmarkId: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 AS locked FROM "Instance" i WHERE i."tenantId" = ${tenantId} AND i.id =
      (SELECT b."instanceId" FROM "Bookmark" b WHERE b."tenantId" = ${tenantId} AND b.id = ${bookmarkId}::uuid)
    FOR UPDATE OF i`
}

function timeText(now: number | null): string | null {
  return now === null ? null : new Date(now).toISOString()
}
