import type { PrismaClient } from '../generated/prisma/client.js'

/** A parent, or a notice, of a partition. */
export interface Item {
  tenantId: string
  id: string
}

/** Word that the children of a parent end. */
export interface Ending extends Item {
  parentId: string
  nodeInstanceId: string | null
  terminate: boolean
  reason: string | null
}

const timeOf = (now: number | null) => (now === null ? null : new Date(now).toISOString())

/**
 * Running parents whose children have left reports. What someone works on right now is skipped: it is found again.
 * @param now epoch milliseconds; null for the database's clock
 */
export function findReportedParents(prisma: PrismaClient, now: number | null, limit: number): Promise<Item[]> {
  return prisma.$queryRaw<Item[]>`
    SELECT i."tenantId", i.id
    FROM (SELECT DISTINCT "tenantId", "parentId" FROM "ChildNotice"
      WHERE kind = 'CHILD_ENDED' AND "dueAt" <= coalesce(${timeOf(now)}::timestamptz, now())) n
    JOIN "Instance" i ON i."tenantId" = n."tenantId" AND i.id = n."parentId"
    WHERE i.status = 'RUNNING' LIMIT ${limit} FOR NO KEY UPDATE OF i SKIP LOCKED`
}

/** Removes the reports that no parent will ever take: theirs has ended. */
export async function dropReports(prisma: PrismaClient): Promise<void> {
  await prisma.$executeRaw`
    DELETE FROM "ChildNotice" n WHERE n.kind = 'CHILD_ENDED' AND NOT EXISTS (SELECT FROM "Instance" i
      WHERE i."tenantId" = n."tenantId" AND i.id = n."parentId" AND i.status IN ('RUNNING', 'SUSPENDED', 'FAULTED'))`
}

/** What parents have left for their children, the oldest first. */
export function findEndings(prisma: PrismaClient, now: number | null, limit: number): Promise<Ending[]> {
  return prisma.$queryRaw<Ending[]>`
    SELECT "tenantId", id, "parentId", "nodeInstanceId", terminate, reason FROM "ChildNotice"
    WHERE kind = 'END_CHILDREN' AND "dueAt" <= coalesce(${timeOf(now)}::timestamptz, now())
    ORDER BY "dueAt", seq LIMIT ${limit}`
}

/** The children that an ending still has to reach. One that has faulted ends only with the whole parent: till then it may be mended. */
export async function findUnended(prisma: PrismaClient, ending: Ending, limit: number): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM "Instance" WHERE "tenantId" = ${ending.tenantId} AND "parentId" = ${ending.parentId}::uuid
      AND CASE WHEN ${ending.nodeInstanceId}::uuid IS NULL THEN status IN ('RUNNING', 'SUSPENDED', 'FAULTED')
        ELSE "parentNodeInstanceId" = ${ending.nodeInstanceId}::uuid AND status IN ('RUNNING', 'SUSPENDED') END
    ORDER BY seq LIMIT ${limit}`
  return rows.map(({ id }) => id)
}

export async function dropNotice(prisma: PrismaClient, { tenantId, id }: Item): Promise<void> {
  await prisma.$executeRaw`DELETE FROM "ChildNotice" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid`
}

/** Puts notices off by so many milliseconds: those with this id, or left for this parent. */
export async function postponeNotices(
  prisma: PrismaClient,
  { tenantId, id }: Item,
  now: number | null,
  milliseconds: number,
): Promise<void> {
  await prisma.$executeRaw`
    UPDATE "ChildNotice"
    SET "dueAt" = coalesce(${timeOf(now)}::timestamptz, now()) + ${milliseconds} * interval '1 millisecond'
    WHERE "tenantId" = ${tenantId} AND (id = ${id}::uuid OR ("parentId" = ${id}::uuid AND kind = 'CHILD_ENDED'))`
}
