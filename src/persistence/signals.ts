import type { Prisma } from '../generated/prisma/client.js'
import { timeParameter } from './time.js'
import type { Transaction } from './transaction.js'

/** The running waiters of a signal, of one instance or of all; a waiter without a correlation id accepts any. */
export function findWaiters(
  tx: Transaction,
  tenantId: string,
  signal: { name: string; correlationId: string | null },
  instanceId: string | null = null,
): Promise<{ id: string }[]> {
  return tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM "Bookmark" WHERE "tenantId" = ${tenantId} AND kind = 'SIGNAL' AND key = ${signal.name}
      AND "instanceStatus" = 'RUNNING' AND ("correlationId" IS NULL OR "correlationId" = ${signal.correlationId})
      AND (${instanceId}::uuid IS NULL OR "instanceId" = ${instanceId}::uuid)
    ORDER BY "createdAt", seq`
}

export interface NewHeldSignal {
  id: string
  name: string
  correlationId: string | null
  payload: object | null
  senderId: string
  /** The instances that it shall not reach. */
  takenBy: string[]
  seconds: number
}

/** Keeps a signal for so many seconds. @param now epoch milliseconds; null for the database's clock */
export async function insertHeldSignal(
  tx: Transaction,
  tenantId: string,
  now: number | null,
  held: NewHeldSignal,
): Promise<void> {
  const payload = held.payload === null ? null : JSON.stringify(held.payload)
  await tx.$executeRaw`
    INSERT INTO "HeldSignal" ("tenantId", id, name, "correlationId", payload, "senderId", "takenBy", "createdAt", "expiresAt")
    SELECT ${tenantId}, ${held.id}::uuid, ${held.name}, ${held.correlationId}, ${payload}::json, ${held.senderId},
      ${held.takenBy}::uuid[], at, at + ${held.seconds} * interval '1 second'
    FROM (SELECT coalesce(${timeParameter(now)}::timestamptz, now()) AS at) t`
}

export interface Offer {
  tenantId: string
  id: string
  instanceId: string
}

/** Held signals and the running instances that wait for them now, the oldest signals first. Those whose time is over go. */
export function findOffers(tx: Transaction, now: number | null, limit: number): Promise<Offer[]> {
  const at = timeParameter(now)
  return tx.$queryRaw<Offer[]>`
    WITH expired AS (DELETE FROM "HeldSignal" WHERE "expiresAt" <= coalesce(${at}::timestamptz, now()))
    SELECT h."tenantId", h.id, b."instanceId" FROM "HeldSignal" h
    JOIN "Bookmark" b ON b."tenantId" = h."tenantId" AND b.kind = 'SIGNAL' AND b.key = h.name
      AND b."instanceStatus" = 'RUNNING' AND (b."correlationId" IS NULL OR b."correlationId" = h."correlationId")
    WHERE h."expiresAt" > coalesce(${at}::timestamptz, now()) AND b."instanceId" <> ALL (h."takenBy")
    GROUP BY h."tenantId", h.id, b."instanceId", h.seq ORDER BY h.seq, min(b.seq) LIMIT ${limit}`
}

export interface HeldSignal {
  name: string
  correlationId: string | null
  payload: Prisma.JsonValue
  senderId: string
}

/** Locks a held signal for one instance; null where another node does, or it has reached the instance. */
export async function lockHeldSignal(tx: Transaction, offer: Offer): Promise<HeldSignal | null> {
  const [held] = await tx.$queryRaw<HeldSignal[]>`
    SELECT name, "correlationId", payload, "senderId" FROM "HeldSignal"
    WHERE "tenantId" = ${offer.tenantId} AND id = ${offer.id}::uuid AND ${offer.instanceId}::uuid <> ALL ("takenBy")
    FOR UPDATE SKIP LOCKED`
  return held ?? null
}

/** Notes that a held signal has reached an instance. */
export async function markTaken(tx: Transaction, offer: Offer): Promise<void> {
  await tx.$executeRaw`
    UPDATE "HeldSignal" SET "takenBy" = "takenBy" || ${offer.instanceId}::uuid
    WHERE "tenantId" = ${offer.tenantId} AND id = ${offer.id}::uuid`
}
