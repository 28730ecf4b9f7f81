import type { Substitute } from '../generated/prisma/client.js'
import type { Transaction } from './transaction.js'

/** Stores who stands in for a person, and when. */
export async function insertAbsence(
  tx: Transaction,
  tenantId: string,
  absence: Pick<Substitute, 'id' | 'userId' | 'substituteId' | 'startsAt' | 'endsAt'>,
): Promise<Substitute> {
  const { id, userId, substituteId, startsAt, endsAt } = absence
  const [row] = await tx.$queryRaw<Substitute[]>`
    INSERT INTO "Substitute" ("tenantId", id, "userId", "substituteId", "startsAt", "endsAt")
    VALUES (${tenantId}, ${id}::uuid, ${userId}, ${substituteId}, ${startsAt}::timestamptz, ${endsAt}::timestamptz)
    RETURNING *`
  if (!row) throw new Error('the absence was not written')
  return row
}

/** Forgets the absences of a person that are over. */
export function clearAbsences(tx: Transaction, tenantId: string, userId: string, now: Date): Promise<number> {
  return tx.$executeRaw`
    DELETE FROM "Substitute" WHERE "tenantId" = ${tenantId} AND "userId" = ${userId} AND "endsAt" <= ${now}::timestamptz`
}

/** Removes an absence, of this person or of anybody. */
export async function deleteAbsence(
  tx: Transaction,
  tenantId: string,
  id: string,
  userId: string | null,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    DELETE FROM "Substitute" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid
      AND (${userId}::text IS NULL OR "userId" = ${userId})`
  return count === 1
}
