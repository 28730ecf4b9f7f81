import type { Fault } from '../engine/model.js'
import type { PrismaClient, WebhookDelivery } from '../generated/prisma/client.js'
import { Prisma } from '../generated/prisma/client.js'
import type { Database } from './database.js'
import type { Position } from './events.js'
import type { List } from './page.js'
import { sequence } from './sort.js'
import { timeParameter } from './time.js'
import { inTransaction, type Transaction } from './transaction.js'
import { webhookRelay } from './webhooks.js'

export type { WebhookDelivery }

/** What is to be sent where. */
export type NewDelivery = Pick<
  WebhookDelivery,
  'tenantId' | 'id' | 'webhookId' | 'eventId' | 'type' | 'instanceId' | 'body'
>

// Of an instance only the first that waits has a time. The first is locked for a moment: an attempt that ends it meanwhile
// looks for the next one either before these are planned, and then they see that it has ended, or after.
const insert = `
INSERT INTO "WebhookDelivery" ("tenantId", id, "webhookId", "eventId", type, "instanceId", body, "nextAt", "createdAt")
SELECT d.tenant, d.id, d.webhook, d.event, d.type, d.instance, d.body,
  CASE WHEN d.instance IS NULL OR d.turn = 1 AND first.id IS NULL THEN t.now END, t.now
FROM given d
  LEFT JOIN first ON first.tenant = d.tenant AND first.webhook = d.webhook AND first.instance = d.instance
  CROSS JOIN (SELECT coalesce($8::timestamptz, now()) AS now) t
WHERE EXISTS (SELECT FROM "Webhook" w WHERE w."tenantId" = d.tenant AND w.id = d.webhook)`

const given = `
given AS (
  SELECT *, row_number() OVER (PARTITION BY tenant, webhook, instance ORDER BY place) AS turn
  FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::text[])
    WITH ORDINALITY AS d (tenant, id, webhook, event, type, instance, body, place)
), first AS (
  SELECT d.tenant, d.webhook, d.instance, e.id FROM given d CROSS JOIN LATERAL (
    SELECT e.id FROM "WebhookDelivery" e WHERE e."tenantId" = d.tenant AND e."webhookId" = d.webhook
      AND e."instanceId" = d.instance AND e.status = 'PENDING' ORDER BY e.seq LIMIT 1 FOR UPDATE) e
  WHERE d.turn = 1 AND d.instance IS NOT NULL
)`

function valuesOf(deliveries: readonly NewDelivery[], now: number | null): unknown[] {
  return [
    deliveries.map(({ tenantId }) => tenantId),
    deliveries.map(({ id }) => id),
    deliveries.map(({ webhookId }) => webhookId),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ type }) => type),
    deliveries.map(({ instanceId }) => instanceId),
    deliveries.map(({ body }) => body),
    timeParameter(now),
  ]
}

/** Stores what is to be sent, in this order. */
export async function insertDeliveries(
  tx: Pick<Transaction, '$executeRawUnsafe'>,
  deliveries: readonly NewDelivery[],
  now: number | null,
): Promise<void> {
  await tx.$executeRawUnsafe(`WITH ${given} ${insert} ORDER BY d.place`, ...valuesOf(deliveries, now))
}

/**
 * Stores what a part of the log is to be sent as, and how far the log has been read, in one statement: nothing is planned
 * twice, and nothing is left out.
 * @returns false where another node has taken the lease since
 */
export async function planDeliveries(
  prisma: PrismaClient,
  deliveries: readonly NewDelivery[],
  now: number | null,
  { node, end }: { node: string; end: Position },
): Promise<boolean> {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(
    `WITH moved AS (
       UPDATE "RelayPosition" SET txid = $9::bigint, seq = $10::bigint
       WHERE name = '${webhookRelay}' AND "lockedBy" = $11 RETURNING 1
     ), ${given}, planned AS (${insert} AND EXISTS (SELECT FROM moved) ORDER BY d.place)
     SELECT 1 FROM moved`,
    ...valuesOf(deliveries, now),
    String(end.txid),
    String(end.seq),
    node,
  )
  return rows.length === 1
}

/** A delivery that this lease tries now, where it goes, and what it is signed with. */
export type TakenDelivery = WebhookDelivery & {
  url: string
  secret: string
  previousSecret: string | null
  takenAt: Date
}

// Endpoint by endpoint, so that what waits for one that fails is not read over and over. The first that waits for an
// instance keeps the later ones back; those of other instances go on. What another node takes at this moment is skipped.
export const takeStatement = `
WITH candidate AS (
  SELECT c.*, w.url, w.secret, CASE WHEN w."previousSecretUntil" > t.now THEN w."previousSecret" END AS "previousSecret", t.now
  FROM (SELECT coalesce($1::timestamptz, now()) AS now) t CROSS JOIN "Webhook" w CROSS JOIN LATERAL (
    SELECT d."tenantId", d.id, d."nextAt", d.seq FROM "WebhookDelivery" d
    WHERE d."tenantId" = w."tenantId" AND d."webhookId" = w.id AND d.status = 'PENDING' AND d."nextAt" <= t.now
      AND NOT EXISTS (SELECT FROM "WebhookDelivery" e WHERE e."tenantId" = d."tenantId" AND e."webhookId" = d."webhookId"
        AND e."instanceId" = d."instanceId" AND e.status = 'PENDING' AND e.seq < d.seq)
    ORDER BY d."nextAt", d.seq LIMIT 10) c
  WHERE w.enabled AND w.id <> ALL($4::uuid[])
  ORDER BY c."nextAt", c.seq LIMIT 20
), due AS (
  SELECT d."tenantId", d.id, c.url, c.secret, c."previousSecret", c.now
  FROM candidate c JOIN "WebhookDelivery" d ON d."tenantId" = c."tenantId" AND d.id = c.id
  WHERE d.status = 'PENDING' AND d."nextAt" <= c.now
  ORDER BY c."nextAt", c.seq LIMIT 1 FOR UPDATE OF d SKIP LOCKED
)
UPDATE "WebhookDelivery" d SET "lockedBy" = $2, "nextAt" = due.now + $3 * interval '1 millisecond',
  attempts = attempts + 1, "firstAttemptAt" = coalesce("firstAttemptAt", due.now)
FROM due WHERE d."tenantId" = due."tenantId" AND d.id = due.id
RETURNING d.*, due.url, due.secret, due."previousSecret", due.now AS "takenAt"`

/**
 * Takes the delivery that is due for longest; until the lease ends nobody else tries it.
 * @param busy endpoints that get nothing more just now
 */
export async function takeDelivery(
  prisma: PrismaClient,
  now: number | null,
  lease: { id: string; milliseconds: number },
  busy: readonly string[],
): Promise<TakenDelivery | null> {
  const values = [timeParameter(now), lease.id, lease.milliseconds, [...busy]]
  const [taken] = await prisma.$queryRawUnsafe<TakenDelivery[]>(takeStatement, ...values)
  return taken ?? null
}

/** What came of an attempt. */
export interface Attempt {
  statusCode: number | null
  /** Null: it has arrived. */
  fault: Fault | null
  durationMs: number
  /** When to try again, in milliseconds from now. */
  delay: number
  /** How long after the first attempt it is given up, in milliseconds. */
  limit: number
}

const finish = `
UPDATE "WebhookDelivery" d SET "statusCode" = $4, fault = $5::json, "durationMs" = $6, "lockedBy" = NULL,
  status = CASE WHEN $5::json IS NULL THEN 'DELIVERED' WHEN late.over THEN 'DEAD' ELSE 'PENDING' END::"WebhookDeliveryStatus",
  "nextAt" = late.next, "endedAt" = CASE WHEN $5::json IS NULL OR late.over THEN late.now END
FROM (SELECT t.now, t.now + $7 * interval '1 millisecond' AS next,
    t.now + $7 * interval '1 millisecond' > f."firstAttemptAt" + $8 * interval '1 millisecond' AS over
  FROM (SELECT coalesce($9::timestamptz, now()) AS now) t, "WebhookDelivery" f
  WHERE f."tenantId" = $1 AND f.id = $2::uuid) late
WHERE d."tenantId" = $1 AND d.id = $2::uuid AND d."lockedBy" = $3`

const passOn = `
UPDATE "WebhookDelivery" d SET "nextAt" = coalesce($4::timestamptz, now())
WHERE d."tenantId" = $1 AND d.id = (SELECT e.id FROM "WebhookDelivery" e WHERE e."tenantId" = $1 AND e."webhookId" = $2::uuid
  AND e."instanceId" = $3::uuid AND e.status = 'PENDING' ORDER BY e.seq LIMIT 1) AND d."nextAt" IS NULL`

/**
 * Notes what came of an attempt. Once a delivery has ended, it is the turn of the next one of its instance: a statement of
 * its own, which sees what was planned while the first waited for it.
 * @returns false where the lease has ended and somebody else tries it
 */
export async function finishAttempt(
  database: Database,
  { tenantId, id, webhookId, instanceId }: Pick<WebhookDelivery, 'tenantId' | 'id' | 'webhookId' | 'instanceId'>,
  lease: string,
  attempt: Attempt,
  now: number | null,
): Promise<boolean> {
  const { statusCode, fault, durationMs, delay, limit } = attempt
  const told = fault === null ? null : JSON.stringify(fault)
  const values = [tenantId, id, lease, statusCode, told, durationMs, delay, limit, timeParameter(now)]
  return await inTransaction(database, async (tx) => {
    if ((await tx.$executeRawUnsafe(finish, ...values)) !== 1) return false
    if (instanceId !== null) await tx.$executeRawUnsafe(passOn, tenantId, webhookId, instanceId, timeParameter(now))
    return true
  })
}

/**
 * Has a delivery that has ended sent once more, at its old place in the order of its instance: before what still waits.
 * @returns false where there is none, or it has not ended
 */
export async function repeatDelivery(
  tx: Transaction,
  tenantId: string,
  id: string,
  now: number | null,
): Promise<boolean> {
  const repeated = await tx.$executeRaw`
    UPDATE "WebhookDelivery" SET status = 'PENDING', "nextAt" = coalesce(${timeParameter(now)}::timestamptz, now()), attempts = 0,
      "firstAttemptAt" = NULL, "endedAt" = NULL
    WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid AND status <> 'PENDING'`
  return repeated === 1
}

/** Clears what ended before a time, and what nobody wants any more; at most so many. @returns how many are gone */
export async function clearDeliveries(prisma: PrismaClient, before: number, limit: number): Promise<number> {
  return await prisma.$executeRaw`
    DELETE FROM "WebhookDelivery" WHERE ("tenantId", id) IN (
      SELECT "tenantId", id FROM "WebhookDelivery" WHERE "endedAt" < ${timeParameter(before)}::timestamptz
      ORDER BY "endedAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
}

/** The deliveries of an endpoint, the newest first. */
export function deliveryList(webhookId: string, status: WebhookDelivery['status'] | null): List {
  const where = [Prisma.sql`t."webhookId" = ${webhookId}::uuid`]
  if (status !== null) where.push(Prisma.sql`t."status"::text = ${status}`)
  return { table: 'WebhookDelivery', where, keys: [{ column: sequence, direction: 'DESC' }] }
}
