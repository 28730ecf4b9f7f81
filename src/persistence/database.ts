import type { PrismaClient } from '../generated/prisma/client.js'
import { openPglite } from './pglite.js'
import { openPostgres } from './postgres.js'
import type { Transaction, TransactionLimits } from './transaction.js'

/** One database, embedded or a server; the rest of the product does not see which. */
export interface Database {
  kind: 'pglite' | 'postgresql'
  /** The general client. Inside a transaction its use is an error: pass the transaction on. */
  readonly prisma: PrismaClient
  /** Opens the engine's transactions where the application wants to: through a client of its own over the same database. */
  begin?: <T>(run: (tx: Transaction) => Promise<T>, limits: TransactionLimits) => Promise<T>
  /** The database's own transactions, where they are cheaper than Prisma's. */
  transact?: <T>(run: (tx: Transaction) => Promise<T>) => Promise<T>
  /** Calls `onWake` on every notification and after every reconnect. Answers the way to stop. */
  listen(onWake: () => void): Promise<() => Promise<void>>
  /** Wakes the listeners of all nodes; carries nothing and is never part of a transaction. */
  notify(): Promise<void>
  ping(): Promise<void>
  /** Runs a whole text of several statements, outside any transaction of Prisma's. */
  exec(sql: string): Promise<void>
  /** Runs whole texts on one connection of its own, outside any transaction of Prisma's: for migrations. */
  session<T>(run: (session: Session) => Promise<T>): Promise<T>
  /** Tells of every statement sent, BEGIN and COMMIT included. Answers the way to stop. */
  onQuery(listener: (sql: string) => void): () => void
  close(): Promise<void>
}

export interface Session {
  /** Runs a text of one or several statements and answers the rows of the last one. */
  run(sql: string): Promise<{ [column: string]: unknown }[]>
}

export interface DatabaseOptions {
  /** `pglite:./dir`, `pglite:memory` or `postgresql://…`. */
  url: string
  poolSize?: number
  /** How long a statement waits for a lock. */
  lockTimeoutSeconds?: number
}

/** The channel of the wake-ups. */
export const channel = 'countersign'

/**
 * Opens a database.
 * @throws Error with a sentence that says what to do: unknown URL, folder in use, server too old or unreachable
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url.startsWith('pglite:')) return openPglite(options.url.slice('pglite:'.length))
  if (/^postgres(ql)?:\/\//.test(options.url)) return openPostgres(options)
  throw new Error('DATABASE_URL must be pglite:./folder, pglite:memory or postgresql://user@host:port/database')
}
