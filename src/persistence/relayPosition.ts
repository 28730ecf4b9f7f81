import type { PrismaClient } from '../generated/prisma/client.js'
import { type Position, readLogEnds } from './events.js'

/**
 * Takes or renews the lease on a relay, so that one node at a time carries its events and their order is kept.
 * @returns where it stands, a new one at this moment; null while another node holds it
 */
export async function leaseRelay(
  prisma: PrismaClient,
  relay: { name: string; node: string; milliseconds: number },
): Promise<Position | null> {
  const { name, node, milliseconds } = relay
  const renew = () => prisma.$queryRaw<Position[]>`
    UPDATE "RelayPosition" SET "lockedBy" = ${node}, "lockedUntil" = now() + ${milliseconds} * interval '1 millisecond'
    WHERE name = ${name} AND ("lockedBy" = ${node} OR "lockedUntil" IS NULL OR "lockedUntil" < now())
    RETURNING txid, seq`
  const [held] = await renew()
  if (held) return held
  const { now } = await readLogEnds(prisma)
  const created = await prisma.$executeRaw`
    INSERT INTO "RelayPosition" (name, txid, seq) VALUES (${name}, ${now.txid}, ${now.seq}) ON CONFLICT DO NOTHING`
  return created === 0 ? null : ((await renew())[0] ?? null)
}

/** Notes how far the relay has come. @returns false where the lease has gone to another node */
export async function moveRelay(
  prisma: PrismaClient,
  relay: { name: string; node: string },
  { txid, seq }: Position,
): Promise<boolean> {
  const moved = await prisma.$executeRaw`
    UPDATE "RelayPosition" SET txid = ${txid}, seq = ${seq} WHERE name = ${relay.name} AND "lockedBy" = ${relay.node}`
  return moved === 1
}

/** Gives the lease back, so that another node can go on at once. */
export async function releaseRelay(prisma: PrismaClient, relay: { name: string; node: string }): Promise<void> {
  await prisma.$executeRaw`
    UPDATE "RelayPosition" SET "lockedBy" = NULL, "lockedUntil" = NULL
    WHERE name = ${relay.name} AND "lockedBy" = ${relay.node}`
}
