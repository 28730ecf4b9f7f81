import type { Prisma } from '../generated/prisma/client.js'
import type { NewKey } from './flush.js'
import type { StoredKey } from './load.js'
import { timeParameter } from './time.js'
import type { Transaction } from './transaction.js'

export interface KeyedResult extends StoredKey {
  /** Null while the first call has not come to its end. */
  result: Prisma.JsonValue
}

/** Stores the key of a call that is about no single instance. @returns what stands under it already, or null */
export async function claimKey(
  tx: Transaction,
  tenantId: string,
  now: number | null,
  key: NewKey,
): Promise<KeyedResult | null> {
  const claimed = await tx.$executeRaw`
    INSERT INTO "IdempotencyKey" ("tenantId", key, "userId", operation, "inputHash", "createdAt")
    VALUES (${tenantId}, ${key.key}, ${key.userId}, ${key.operation}, ${key.inputHash},
      coalesce(${timeParameter(now)}::timestamptz, now()))
    ON CONFLICT DO NOTHING`
  if (claimed === 1) return null
  const [row] = await tx.$queryRaw<KeyedResult[]>`
    SELECT operation, "inputHash", "instanceId", result FROM "IdempotencyKey"
    WHERE "tenantId" = ${tenantId} AND "userId" = ${key.userId} AND key = ${key.key}`
  return row ?? null
}

/** Stores the answer under the key. @returns false where another call with the key has stored its own before */
export async function storeResult(tx: Transaction, tenantId: string, key: NewKey, result: object): Promise<boolean> {
  const stored = await tx.$executeRaw`
    UPDATE "IdempotencyKey" SET result = ${JSON.stringify(result)}::json
    WHERE "tenantId" = ${tenantId} AND "userId" = ${key.userId} AND key = ${key.key} AND result IS NULL`
  return stored === 1
}
