import pg from 'pg'
import { asTransaction } from './sqlClient.js'
import type { Transaction } from './transaction.js'

/** What a transaction runs on, and how its statements are named so that the server keeps them prepared. */
export interface TransactionSource {
  pool: pg.Pool
  nameOf: (sql: string) => string
}

/**
 * Runs one operation in a transaction on a connection of the pool, by the driver alone: Prisma's own transactions cost
 * more of the processor than all of the engine, and everything in ours is written-out SQL.
 */
export async function transact<T>(
  { pool, nameOf }: TransactionSource,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  // A connection that has failed is closed by the pool instead of being given out again.
  let failed: Error | undefined
  try {
    await client.query('BEGIN')
    const answer = await run(
      asTransaction({
        query: (text, values) => client.query({ name: nameOf(text), text, values: values ?? [], types }),
      }),
    )
    const { command } = await client.query('COMMIT')
    // PostgreSQL answers so, without an error, where a statement had failed before.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.')
    return answer
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => {
      failed = cause
    })
    throw error
  } finally {
    client.release(failed)
  }
}

// As Prisma reads them: a 64-bit number is a BigInt.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format as 'text')) as never,
}
