import type { Fault } from '../engine/model.js'
import type { PrismaClient, WebhookDelivery } from '../generated/prisma/client.js'
import { Prisma } from '../generated/prisma/client.js'
import type { Position } from './events.js'
import type { List } from './page.js'
import { sequence } from './sort.js'
import { timeParameter } from './time.js'
import type { Transaction } from './transaction.js'
import { webhookRelay } from './webhooks.js'

export type { WebhookDelivery }

/** What is to be sent where. */
export type NewDelivery = Pick<
  WebhookDelivery,
  'tenantId' | 'id' | 'webhookId' | 'eventId' | 'type' | 'instanceId' | 'body'
>

const insert = `
INSERT INTO "WebhookDelivery" ("tenantId", id, "webhookId", "eventId", type, "instanceId", body, "nextAt", "createdAt")
SELECT d.tenant, d.id, d.webhook, d.event, d.type, d.instance, d.body, t.now, t.now
FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::text[])
    WITH ORDINALITY AS d (tenant, id, webhook, event, type, instance, body, place)
  CROSS JOIN (SELECT coalesce($8::timestamptz, now()) AS now) t
WHERE EXISTS (SELECT FROM "Webhook" w WHERE w."tenantId" = d.tenant AND w.id = d.webhook)`

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
  await tx.$executeRawUnsafe(`${insert} ORDER BY d.place`, ...valuesOf(deliveries, now))
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
     ), planned AS (${insert} AND EXISTS (SELECT FROM moved) ORDER BY d.place)
     SELECT 1 FROM moved`,
    ...valuesOf(deliveries, now),
    String(end.txid),
    String(end.seq),
    node,
  )
  return rows.length === 1
}

/** A delivery that this lease tries now, and where it goes. */
export type TakenDelivery = WebhookDelivery & { url: string; secret: string; takenAt: Date }

// The first that waits for an instance keeps the later ones back; those of other instances go on.
const take = `
WITH due AS (
  SELECT d."tenantId", d.id, w.url, w.secret, t.now
  FROM (SELECT coalesce($1::timestamptz, now()) AS now) t, "WebhookDelivery" d
    JOIN "Webhook" w ON w."tenantId" = d."tenantId" AND w.id = d."webhookId" AND w.enabled
  WHERE d.status = 'PENDING' AND d."nextAt" <= t.now AND d."webhookId" <> ALL($4::uuid[])
    AND NOT EXISTS (SELECT FROM "WebhookDelivery" e WHERE e."tenantId" = d."tenantId" AND e."webhookId" = d."webhookId"
      AND e."instanceId" = d."instanceId" AND e.status = 'PENDING' AND e.seq < d.seq)
  ORDER BY d."nextAt", d.seq LIMIT 1 FOR UPDATE OF d SKIP LOCKED
)
UPDATE "WebhookDelivery" d SET "lockedBy" = $2, "nextAt" = due.now + $3 * interval '1 millisecond',
  attempts = attempts + 1, "firstAttemptAt" = coalesce("firstAttemptAt", due.now)
FROM due WHERE d."tenantId" = due."tenantId" AND d.id = due.id
RETURNING d.*, due.url, due.secret, due.now AS "takenAt"`

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
  const [taken] = await prisma.$queryRawUnsafe<TakenDelivery[]>(take, ...values)
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

/** Notes what came of an attempt. @returns false where the lease has ended and somebody else tries it */
export async function finishAttempt(
  prisma: PrismaClient,
  { tenantId, id }: Pick<WebhookDelivery, 'tenantId' | 'id'>,
  lease: string,
  attempt: Attempt,
  now: number | null,
): Promise<boolean> {
  const { statusCode, fault, durationMs, delay, limit } = attempt
  const told = fault === null ? null : JSON.stringify(fault)
  const values = [tenantId, id, lease, statusCode, told, durationMs, delay, limit, timeParameter(now)]
  return (await prisma.$executeRawUnsafe(finish, ...values)) === 1
}

/** Has a delivery that has ended sent once more. @returns false where there is none, or it has not ended */
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
