import { Prisma } from '../generated/prisma/client.js'
import { nothing } from './condition.js'
import { encodeCursor, type Position, positionColumn } from './cursor.js'
import { beyond } from './keyset.js'
import type { Partition } from './partition.js'
import { orderBy, reversed, type SortKey } from './sort.js'

export type Table = 'Definition' | 'Instance' | 'NodeInstance' | 'Bookmark' | 'TaskRecord' | 'Copy'

/** A list: which rows of a table (`t` in the conditions), in which total order. */
export interface List {
  table: Table
  where: Prisma.Sql[] | typeof nothing
  keys: SortKey[]
}

/** Which page of a list. */
export interface PageRequest {
  /** 1 to 1000. */
  size: number
  /** Whether the page is the last one before its end instead of the first one after its start. */
  backward: boolean
  after: Position | null
  before: Position | null
  skip: number
}

export interface Page<Row> {
  rows: Cursored<Row>[]
  hasNextPage: boolean
  hasPreviousPage: boolean
}

export type Cursored<Row> = Row & { cursor: string }
/** A row as it is read, with its sort values. */
export type Positioned<Row> = Row & { position: Position }

const emptyPage = { rows: [], hasNextPage: false, hasPreviousPage: false }

/** Reads one page of whole rows in one statement; in none where nothing can match. */
export async function readPage<Row>(partition: Partition, list: List, request: PageRequest): Promise<Page<Row>> {
  if (list.where === nothing) return emptyPage
  const walked = request.backward ? reversed(list.keys) : list.keys
  const where = [Prisma.sql`t."tenantId" = ${partition.tenantId}`, ...list.where]
  if (request.after) where.push(beyond(list.keys, request.after))
  if (request.before) where.push(beyond(reversed(list.keys), request.before))
  const read = await partition.rows<Positioned<Row>>(Prisma.sql`
    select t.*, ${positionColumn(list.keys)}
    from ${tableOf(list.table)} t
    where ${Prisma.join(where, ' and ')}
    order by ${orderBy(walked)}
    limit ${request.size + 1} offset ${request.skip}`)
  const more = read.length > request.size
  const kept = read.slice(0, request.size)
  if (request.backward) kept.reverse()
  return {
    rows: kept.map((row) => withCursor(list, row)),
    hasNextPage: request.backward ? request.before !== null : more,
    hasPreviousPage: request.backward ? more : request.after !== null || request.skip > 0,
  }
}

/** Counts the rows of a list in one statement; in none where nothing can match. */
export async function countList(partition: Partition, list: List): Promise<number> {
  if (list.where === nothing) return 0
  const where = [Prisma.sql`t."tenantId" = ${partition.tenantId}`, ...list.where]
  const [counted] = await partition.rows<{ count: number }>(Prisma.sql`
    select count(*)::int as "count" from ${tableOf(list.table)} t where ${Prisma.join(where, ' and ')}`)
  return counted?.count ?? 0
}

export function tableOf(table: Table): Prisma.Sql {
  return Prisma.raw(`"${table}"`)
}

export function withCursor<Row>(list: Pick<List, 'table' | 'keys'>, row: Positioned<Row>): Cursored<Row> {
  return { ...row, cursor: encodeCursor(list.table, list.keys, row.position) }
}
