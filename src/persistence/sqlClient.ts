import type { Transaction } from './transaction.js'

/** A connection as `pg` and PGlite have it; whoever hands it over has begun the transaction on it and ends it. */
export interface SqlClient {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: unknown[]; rowCount?: number | null; affectedRows?: number | undefined }>
}

/** Lets a connection with an open transaction be joined like the transaction of a Prisma client, which stays as it is. */
export function asTransaction(client: Transaction | SqlClient): Transaction {
  if (isTransaction(client)) return client
  const rows = async <T>(text: string, values: unknown[]) => (await client.query(text, values)).rows as T
  const count = async (text: string, values: unknown[]) => {
    const { rowCount, affectedRows } = await client.query(text, values)
    return rowCount ?? affectedRows ?? 0
  }
  return {
    $queryRaw: (query, ...values) => rows(numbered(query), values),
    $queryRawUnsafe: (query, ...values) => rows(query, values),
    $executeRaw: (query, ...values) => count(numbered(query), values),
    $executeRawUnsafe: (query, ...values) => count(query, values),
  }
}

function numbered(query: TemplateStringsArray): string {
  return query.reduce((text, part, index) => `${text}$${index}${part}`)
}

// Prisma's transactions are proxies: only what they answer tells what they are.
function isTransaction(client: Transaction | SqlClient): client is Transaction {
  return typeof (client as Partial<Transaction>).$queryRaw === 'function'
}
