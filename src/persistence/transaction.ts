import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from './database.js'
import { classifyDatabaseError } from './sqlstate.js'

/**
 * The client inside a transaction: everything of one operation goes through it. It is written-out SQL only, so that
 * the transaction of any Prisma client of the application is one too, whatever models that client knows.
 */
export interface Transaction {
  $queryRaw<T = unknown>(query: TemplateStringsArray, ...values: unknown[]): Promise<T>
  $queryRawUnsafe<T = unknown>(query: string, ...values: unknown[]): Promise<T>
  /** @returns how many rows were touched */
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): Promise<number>
  $executeRawUnsafe(query: string, ...values: unknown[]): Promise<number>
}

/** In milliseconds: how long to wait for a connection, and when Prisma ends the transaction. */
export interface TransactionLimits {
  maxWait: number
  timeout: number
}

const inside = new AsyncLocalStorage<Database>()

/**
 * Refuses the general client inside a transaction of the same database: on one connection it would wait for itself.
 * @throws Error always names what to do
 */
export function assertOutsideTransaction(database: Database): void {
  if (inside.getStore() === database)
    throw new Error('The general database client was used inside a transaction; pass the transaction on instead.')
}

// PostgreSQL's own timeouts fire first; Prisma's must never be the one that ends a transaction.
const limits: TransactionLimits = { maxWait: 15_000, timeout: 60_000 }
const attempts = 6

/**
 * Runs one operation in a transaction: all of its writes commit together or not at all.
 * Serialization failures and deadlocks are tried again with jitter; every other error is the caller's.
 */
export async function inTransaction<T>(database: Database, run: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const inTx = (tx: Transaction) => inside.run(database, () => run(tx))
      if (database.begin) return await database.begin(inTx, limits)
      if (database.transact) return await database.transact(inTx)
      return await database.prisma.$transaction(inTx, limits)
    } catch (error) {
      const kind = classifyDatabaseError(error)
      if ((kind !== 'serialization' && kind !== 'deadlock') || attempt === attempts) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}

/** Runs one operation in the caller's transaction where there is one, else in one of its own. */
export function joinOrBegin<T>(
  database: Database,
  tx: Transaction | undefined,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return tx ? run(tx) : inTransaction(database, run)
}
