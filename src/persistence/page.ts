import { Prisma } from '../generated/prisma/client.js'
import { nothing, type Search } from './condition.js'
import { encodeCursor, type Position } from './cursor.js'
import { countStatement, pageStatement } from './pageStatement.js'
import type { Partition } from './partition.js'
import type { SortKey } from './sort.js'

export type Table =
  | 'Definition'
  | 'Instance'
  | 'NodeInstance'
  | 'Bookmark'
  | 'TaskRecord'
  | 'Copy'
  | 'User'
  | 'WebhookDelivery'

/** A list: which rows of a table (`t` in the conditions), in which total order. */
export interface List {
  table: Table
  where: Prisma.Sql[] | typeof nothing
  /** A keyword that the rows must contain as well. */
  search?: Search | typeof nothing | undefined
  /** The values that a text column may have, as well. */
  anyOf?: AnyOf | null
  /** Whether it is read so often, and in so few forms, that the database shall keep it prepared. */
  isHot?: boolean
  keys: SortKey[]
}

/** The values of which a text column may have any. */
export interface AnyOf {
  column: string
  values: readonly string[]
  crowd: Crowd
}

/** The values that many readers share. */
export interface Crowd {
  has(value: string): boolean
  /** That a row has one of them, said as the index says that holds such rows alone in the order of the hot list. */
  condition: Prisma.Sql
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
  /** The rows of the whole list, where it was asked for and the page has any row. */
  total?: number | undefined
}

export type Cursored<Row> = Row & { cursor: string }
/** A row as it is read, with its sort values. */
export type Positioned<Row> = Row & { position: Position }

const emptyPage = { rows: [], hasNextPage: false, hasPreviousPage: false }

/** Reads one page of whole rows, and the total with it, in one statement; in none where nothing can match. */
export async function readPage<Row>(
  partition: Partition,
  list: List,
  request: PageRequest,
  withTotal = false,
): Promise<Page<Row>> {
  if (isEmpty(list)) return emptyPage
  const statement = pageStatement(partition.tenantId, list, request, withTotal)
  const read = await partition.rows<Positioned<Row> & { total?: number }>(prepared(list, statement))
  const more = read.length > request.size
  const kept = read.slice(0, request.size)
  if (request.backward) kept.reverse()
  return {
    rows: kept.map((row) => withCursor(list, row)),
    hasNextPage: request.backward ? request.before !== null : more,
    hasPreviousPage: request.backward ? more : request.after !== null || request.skip > 0,
    total: read[0]?.total,
  }
}

/** Counts the rows of a list in one statement; in none where nothing can match. */
export async function countList(partition: Partition, list: List): Promise<number> {
  if (isEmpty(list)) return 0
  const [counted] = await partition.rows<{ count: number }>(prepared(list, countStatement(partition.tenantId, list)))
  return counted?.count ?? 0
}

function isEmpty({ where, search, anyOf }: List): boolean {
  return where === nothing || search === nothing || anyOf?.values.length === 0
}

/** A statement that begins with a line break is kept prepared; the others are planned for their values. */
function prepared(list: List, statement: Prisma.Sql): Prisma.Sql {
  return list.isHot ? Prisma.sql`\n${statement}` : statement
}

export function tableOf(table: Table): Prisma.Sql {
  return Prisma.raw(`"${table}"`)
}

export function withCursor<Row>(list: Pick<List, 'table' | 'keys'>, row: Positioned<Row>): Cursored<Row> {
  return { ...row, cursor: encodeCursor(list.table, list.keys, row.position) }
}
