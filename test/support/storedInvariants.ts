import type { Database } from '../../src/persistence/database.js'

const over = `('COMPLETED', 'CANCELED', 'TERMINATED')`

/** What must be true of everything that is stored while nothing runs: each query finds what breaks it. */
const invariants: { [what: string]: string } = {
  'an ended instance waits for nothing': `SELECT i.id FROM "Instance" i JOIN "Bookmark" b
    ON b."tenantId" = i."tenantId" AND b."instanceId" = i.id WHERE i.status::text IN ${over}`,
  'an ended instance says when, and no other does': `SELECT id FROM "Instance"
    WHERE (status::text IN ${over}) <> ("endedAt" IS NOT NULL)`,
  'a running instance waits for something': `SELECT i.id FROM "Instance" i WHERE i.status = 'RUNNING' AND NOT EXISTS
    (SELECT 1 FROM "Bookmark" b WHERE b."tenantId" = i."tenantId" AND b."instanceId" = i.id AND b.kind <> 'INSTANCE_TIMEOUT')`,
  'a bookmark knows the status of its instance': `SELECT b.id FROM "Bookmark" b JOIN "Instance" i
    ON i."tenantId" = b."tenantId" AND i.id = b."instanceId" WHERE b."instanceStatus" <> i.status`,
  'a bookmark belongs to a node that waits or is tried again': `SELECT b.id FROM "Bookmark" b JOIN "NodeInstance" n
    ON n."tenantId" = b."tenantId" AND n.id = b."nodeInstanceId" WHERE n.status NOT IN ('WAITING', 'FAULTED')`,
  'a waiting node has a bookmark': `SELECT n.id FROM "NodeInstance" n JOIN "Instance" i
    ON i."tenantId" = n."tenantId" AND i.id = n."instanceId"
    WHERE n.status = 'WAITING' AND (i.status::text IN ${over} OR NOT EXISTS
      (SELECT 1 FROM "Bookmark" b WHERE b."tenantId" = n."tenantId" AND b."nodeInstanceId" = n.id))`,
  'no node is left running': `SELECT id FROM "NodeInstance" WHERE status = 'RUNNING'`,
  'a task is completed once': `SELECT "taskId" FROM "TaskRecord" WHERE action = 'COMPLETED'
    GROUP BY "tenantId", "taskId" HAVING count(*) > 1`,
  'a completed task is open no more': `SELECT r."taskId" FROM "TaskRecord" r JOIN "Bookmark" b
    ON b."tenantId" = r."tenantId" AND b.id = r."taskId" WHERE r.action = 'COMPLETED'`,
  'events are numbered 1, 2, 3 … and the instance knows the last': `SELECT i.id FROM "Instance" i,
    LATERAL (SELECT count(*) AS count, coalesce(max(e."instanceSeq"), 0) AS last, count(DISTINCT e."instanceSeq") AS numbers
      FROM "Event" e WHERE e."tenantId" = i."tenantId" AND e."instanceId" = i.id) e
    WHERE e.count <> i."eventSeq" OR e.last <> i."eventSeq" OR e.numbers <> i."eventSeq"`,
  'events of an instance lie in the log in their order': `SELECT id FROM (SELECT id, "instanceSeq",
      lag("instanceSeq") OVER (PARTITION BY "tenantId", "instanceId" ORDER BY txid, seq) AS before FROM "Event") e
    WHERE before >= "instanceSeq"`,
  'nothing stays due': `SELECT id FROM "Bookmark" WHERE "instanceStatus" = 'RUNNING' AND "dueAt" < now() - interval '15 seconds'`,
  'what waits for a webhook has its turn': `SELECT d.id FROM "WebhookDelivery" d WHERE d.status = 'PENDING' AND d."nextAt" IS NULL
    AND NOT EXISTS (SELECT 1 FROM "WebhookDelivery" e WHERE e."tenantId" = d."tenantId" AND e."webhookId" = d."webhookId"
      AND e."instanceId" = d."instanceId" AND e.status = 'PENDING' AND e.seq < d.seq)`,
  'no lease is older than its term': `SELECT id FROM "Bookmark" WHERE "lockedUntil" < now() - interval '15 seconds'`,
}

/** Looks for what breaks the invariants. @returns their names, with how many rows break them and one of those */
export async function brokenInvariants({ prisma }: Database): Promise<string[]> {
  const broken: string[] = []
  for (const [what, sql] of Object.entries(invariants)) {
    const rows = await prisma.$queryRawUnsafe<object[]>(sql)
    if (rows.length > 0) broken.push(`${what}: ${rows.length}, such as ${JSON.stringify(rows[0])}`)
  }
  return broken
}
