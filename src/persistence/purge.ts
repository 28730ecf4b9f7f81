import type { InstanceStatus } from '../engine/model.js'
import type { PrismaClient } from '../generated/prisma/client.js'
import type { Transaction } from './transaction.js'

/** Which ended instances are removed. */
export interface PurgeFilter {
  /** Epoch milliseconds. */
  endedBefore: number
  statuses: readonly InstanceStatus[]
  definitionName: string | null
  limit: number
}

// Children go with the instance that started them, and nothing goes before all of it has ended: a parent never loses
// a child that it may still ask for. What someone holds right now is left to the next time.
const text = `
WITH RECURSIVE roots AS (
  SELECT i.id, i."endedAt", i.seq FROM "Instance" i
  WHERE i."tenantId" = $1 AND i."endedAt" < $2::timestamptz AND i."parentId" IS NULL
    AND i.status::text = ANY($3::text[]) AND ($4::text IS NULL OR i."definitionName" = $4)
    AND NOT EXISTS (SELECT FROM "Instance" c
      WHERE c."tenantId" = i."tenantId" AND c."parentId" = i.id AND c."endedAt" IS NULL)
  ORDER BY i."endedAt", i.seq LIMIT $5
  FOR UPDATE SKIP LOCKED
), tree AS (
  SELECT r.id AS root, r.id, r."endedAt" FROM roots r
  UNION ALL
  SELECT t.root, c.id, c."endedAt" FROM tree t JOIN "Instance" c ON c."tenantId" = $1 AND c."parentId" = t.id
), whole AS (
  SELECT r.id, sum(count(*)) OVER oldest AS total, row_number() OVER oldest AS position
  FROM roots r JOIN tree t ON t.root = r.id
  GROUP BY r.id, r."endedAt", r.seq HAVING bool_and(t."endedAt" IS NOT NULL)
  WINDOW oldest AS (ORDER BY r."endedAt", r.seq)
), chosen AS (
  -- One tree goes whole, however large it is.
  SELECT t.id FROM tree t JOIN whole w ON w.id = t.root WHERE w.total <= $5 OR w.position = 1
), purged AS (
  DELETE FROM "Instance" i USING chosen c WHERE i."tenantId" = $1 AND i.id = c.id RETURNING i.id
), notices AS (
  DELETE FROM "ChildNotice" n USING purged p WHERE n."tenantId" = $1 AND n."parentId" = p.id
)
SELECT count(*)::int AS purged FROM purged`

/**
 * Removes ended instances, the oldest first, with their children and all of their rows.
 * @returns how many instances are gone, children included
 */
export async function deleteEnded(tx: Transaction, tenantId: string, filter: PurgeFilter): Promise<number> {
  const { endedBefore, statuses, definitionName, limit } = filter
  const before = new Date(endedBefore).toISOString()
  const [row] = await tx.$queryRawUnsafe<{ purged: number }[]>(text, tenantId, before, statuses, definitionName, limit)
  return row?.purged ?? 0
}

/** The partitions that have something to remove. */
export async function partitionsWithEnded(prisma: PrismaClient, endedBefore: number): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ tenantId: string }[]>`
    SELECT DISTINCT "tenantId" FROM "Instance" WHERE "endedAt" < ${new Date(endedBefore).toISOString()}::timestamptz`
  return rows.map(({ tenantId }) => tenantId)
}
