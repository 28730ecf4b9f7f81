import type { Transaction } from './transaction.js'

/** A time as a statement's parameter. */
export function timeParameter(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** The database's clock, in epoch milliseconds. */
export async function databaseTime(tx: Transaction): Promise<number> {
  const [row] = await tx.$queryRaw<{ now: number }[]>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
  return row?.now ?? Number.NaN
}
