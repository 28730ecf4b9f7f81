import type { PrismaClient } from '../generated/prisma/client.js'

interface Item {
  tenantId: string
  id: string
}

/**
 * The bookmarks that are due, the oldest first. Instances that someone works on right now are skipped: the lock taken
 * here ends with the statement, it only keeps nodes from waiting for each other.
 * @param now epoch milliseconds; null for the database's clock
 */
export function findDue(prisma: PrismaClient, now: number | null, limit: number): Promise<Item[]> {
  const at = now === null ? null : new Date(now).toISOString()
  return prisma.$queryRaw<Item[]>`
    SELECT b."tenantId", b.id FROM "Bookmark" b JOIN "Instance" i ON i."tenantId" = b."tenantId" AND i.id = b."instanceId"
    WHERE b."dueAt" <= coalesce(${at}::timestamptz, now())
    ORDER BY b."dueAt" LIMIT ${limit} FOR NO KEY UPDATE OF i SKIP LOCKED`
}

/** Puts an item off by so many milliseconds, if it is still due. */
export async function postpone(
  prisma: PrismaClient,
  item: Item,
  now: number | null,
  milliseconds: number,
): Promise<void> {
  const at = now === null ? null : new Date(now).toISOString()
  await prisma.$executeRaw`
    UPDATE "Bookmark" SET "dueAt" = coalesce(${at}::timestamptz, now()) + ${milliseconds} * interval '1 millisecond'
    WHERE "tenantId" = ${item.tenantId} AND id = ${item.id}::uuid AND "dueAt" <= coalesce(${at}::timestamptz, now())`
}
