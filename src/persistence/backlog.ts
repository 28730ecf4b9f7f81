import type { PrismaClient } from '../generated/prisma/client.js'

/** What waits in the database for the nodes to do it. */
export interface Backlog {
  /** Bookmarks of running instances whose time has come. */
  due: number
  /** How long the oldest of them has been due, in seconds. */
  dueSeconds: number
  /** Jobs that no node holds. */
  jobs: number
  /** Notices that children and parents have left for each other. */
  notices: number
  /** Messages to webhooks that have not arrived yet. */
  webhooks: number
}

/** Counts, in one statement, what waits to be done. */
export async function countBacklog(prisma: PrismaClient): Promise<Backlog> {
  const [row] = await prisma.$queryRaw<Backlog[]>`
    SELECT due.count AS due, due.seconds AS "dueSeconds",
      (SELECT count(*)::int FROM "Bookmark" WHERE kind = 'JOB' AND "instanceStatus" = 'RUNNING'
        AND ("lockedUntil" IS NULL OR "lockedUntil" <= now())) AS jobs,
      (SELECT count(*)::int FROM "ChildNotice") AS notices,
      (SELECT count(*)::int FROM "WebhookDelivery" WHERE status = 'PENDING') AS webhooks
    FROM (SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min("dueAt")), 0)::float8 AS seconds
      FROM "Bookmark" WHERE "dueAt" <= now() AND "instanceStatus" = 'RUNNING') due`
  return row ?? { due: 0, dueSeconds: 0, jobs: 0, notices: 0, webhooks: 0 }
}
