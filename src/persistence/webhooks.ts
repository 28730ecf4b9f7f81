import type { PrismaClient, Webhook } from '../generated/prisma/client.js'
import { type Position, readLogEnds } from './events.js'
import type { Transaction } from './transaction.js'

export type { Webhook }

/** The name under which the event log's place for webhooks is kept. */
export const webhookRelay = 'webhooks'

/** Whether anybody wants events: without, nobody has to read the log. */
export async function anyWebhook(prisma: Pick<Transaction, '$queryRawUnsafe'>): Promise<boolean> {
  const [row] = await prisma.$queryRawUnsafe<{ any: boolean }[]>(
    'SELECT EXISTS (SELECT FROM "Webhook" WHERE enabled) AS any',
  )
  return row?.any === true
}

/** The endpoints of all partitions that events are sent to. */
export function enabledWebhooks(prisma: PrismaClient): Promise<Webhook[]> {
  return prisma.$queryRawUnsafe<Webhook[]>('SELECT * FROM "Webhook" WHERE enabled')
}

/** The place in the log from which on an endpoint that begins now is told of everything. */
export async function placeToBegin(prisma: PrismaClient): Promise<Position> {
  return (await readLogEnds(prisma)).now
}

/**
 * Before the first endpoint nobody has followed the log: its place is moved to where the endpoint begins. Holds a lock, so
 * that of two first endpoints the later does not move the place past what the other one waits for.
 */
export async function followLog(tx: Transaction, { txid, seq }: Position): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${webhookRelay}, 0))::text`
  if (await anyWebhook(tx)) return
  await tx.$executeRaw`
    INSERT INTO "RelayPosition" (name, txid, seq) VALUES (${webhookRelay}, ${String(txid)}::bigint, ${String(seq)}::bigint)
    ON CONFLICT (name) DO UPDATE SET txid = excluded.txid, seq = excluded.seq`
}

/** How many endpoints a partition has. */
export async function countWebhooks(tx: Transaction, tenantId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM "Webhook" WHERE "tenantId" = ${tenantId}`
  return row?.count ?? 0
}

export async function insertWebhook(
  tx: Transaction,
  row: Omit<Webhook, 'seq' | 'previousSecret' | 'previousSecretUntil'>,
): Promise<Webhook> {
  const { tenantId, id, url, topics, description, enabled, secret, since, createdAt } = row
  const [inserted] = await tx.$queryRaw<Webhook[]>`
    INSERT INTO "Webhook" ("tenantId", id, url, topics, description, enabled, secret, since, "createdAt")
    VALUES (${tenantId}, ${id}::uuid, ${url}, ${topics}::text[], ${description}, ${enabled}, ${secret}, ${since},
      ${createdAt}::timestamptz) RETURNING *`
  if (!inserted) throw new Error('the webhook was not written')
  return inserted
}

/** Locks an endpoint for a change. */
export async function lockWebhook(tx: Transaction, tenantId: string, id: string): Promise<Webhook | null> {
  const [row] = await tx.$queryRaw<Webhook[]>`
    SELECT * FROM "Webhook" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid FOR UPDATE`
  return row ?? null
}

export async function updateWebhook(tx: Transaction, row: Webhook): Promise<void> {
  const { tenantId, id, url, topics, description, enabled, secret, previousSecret, previousSecretUntil, since } = row
  await tx.$executeRaw`
    UPDATE "Webhook" SET url = ${url}, topics = ${topics}::text[], description = ${description}, enabled = ${enabled},
      secret = ${secret}, "previousSecret" = ${previousSecret},
      "previousSecretUntil" = ${previousSecretUntil}::timestamptz, since = ${since} WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid`
}

/** Removes an endpoint with all that was to be sent to it. */
export async function deleteWebhook(tx: Transaction, tenantId: string, id: string): Promise<boolean> {
  await tx.$executeRaw`DELETE FROM "WebhookDelivery" WHERE "tenantId" = ${tenantId} AND "webhookId" = ${id}::uuid`
  const gone = await tx.$executeRaw`DELETE FROM "Webhook" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid`
  return gone === 1
}
