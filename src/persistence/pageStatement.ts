import { Prisma } from '../generated/prisma/client.js'
import { nothing, type Search } from './condition.js'
import { positionColumn } from './cursor.js'
import { beyond } from './keyset.js'
import { type AnyOf, type Crowd, type List, type PageRequest, tableOf } from './page.js'
import { orderBy, reversed, type SortKey } from './sort.js'

/**
 * How many rows in the order of the list are looked through for a keyword before its index is asked. A keyword that many
 * rows contain fills its page here, where the index would answer with all of them; so does each page after it.
 */
const nearRows = 2000

/** Up to so many values of a column are merged without a look at where their rows begin. */
const fewValues = 8

/** Whose groups are asked one of so many tasks of all groups finds his page among the first of those. */
const crowdShare = 4

/** The statement that reads a page, and one row more; each row with the total of the list where it is asked for. */
export function pageStatement(tenantId: string, list: List, request: PageRequest, withTotal = false): Prisma.Sql {
  const conditions = conditionsOf(tenantId, list)
  if (request.after) conditions.push(beyond(list.keys, request.after))
  if (request.before) conditions.push(beyond(reversed(list.keys), request.before))
  const keys = request.backward ? reversed(list.keys) : list.keys
  const walk: Walk = { table: tableOf(list.table), conditions, keys, limit: request.skip + request.size + 1 }
  const source = sourceOf(walk, list)
  const total = withTotal ? Prisma.sql`, (${countStatement(tenantId, list)}) as "total"` : Prisma.empty
  return Prisma.sql`select t.*, ${positionColumn(list.keys)}${total} from (${source}) t
    order by ${orderBy(keys)} limit ${request.size + 1} offset ${request.skip}`
}

/** The statement that counts a list. */
export function countStatement(tenantId: string, list: List): Prisma.Sql {
  const conditions = conditionsOf(tenantId, list)
  if (list.anyOf) conditions.push(Prisma.sql`${column(list.anyOf.column)} = any(${[...list.anyOf.values]}::text[])`)
  if (list.search && list.search !== nothing) conditions.push(list.search.found)
  return Prisma.sql`select count(*)::int as "count" from ${tableOf(list.table)} t where ${Prisma.join(conditions, ' and ')}`
}

/** The first rows of a table in an order. */
interface Walk {
  table: Prisma.Sql
  conditions: Prisma.Sql[]
  keys: readonly SortKey[]
  limit: number
}

function conditionsOf(tenantId: string, { where }: List): Prisma.Sql[] {
  return [Prisma.sql`t."tenantId" = ${tenantId}`, ...(where === nothing ? [Prisma.sql`false`] : where)]
}

function sourceOf(walk: Walk, { search, anyOf, isHot = false }: List): Prisma.Sql {
  if (search && search !== nothing) return searched(walk, search)
  return anyOf ? merged(walk, anyOf, isHot) : walkStatement(walk)
}

function walkStatement({ table, conditions, keys, limit }: Walk, ...more: Prisma.Sql[]): Prisma.Sql {
  const where = Prisma.join([...conditions, ...more], ' and ')
  return Prisma.sql`select t.* from ${table} t where ${where} order by ${orderBy(keys)} limit ${limit}`
}

/** Each value's rows end at the limit, in the order of their index: a few groups do not read all of their rows. */
function merged(walk: Walk, { column: name, values, crowd }: AnyOf, isHot: boolean): Prisma.Sql {
  const wanted = [...new Set(values)]
  if (wanted.length === 1) return walkStatement(walk, Prisma.sql`${column(name)} = ${wanted[0]}`)
  if (wanted.length > fewValues) return isHot ? fromCrowd(walk, name, wanted, crowd) : fromHeads(walk, name, wanted)
  return eachOf(walk, name, Prisma.sql`unnest(${wanted}::text[]) as wanted (value)`)
}

function eachOf(walk: Walk, name: string, wanted: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select t.* from ${wanted}
    cross join lateral (${walkStatement(walk, Prisma.sql`${column(name)} = wanted.value`)}) t`
}

/** A page comes from the values whose own first rows are the first: from as many as it has rows, however many are wanted. */
function fromHeads(walk: Walk, name: string, wanted: readonly string[]): Prisma.Sql {
  const heads = eachOf({ ...walk, limit: 1 }, name, Prisma.sql`unnest(${wanted}::text[]) as wanted (value)`)
  return eachOf(
    walk,
    name,
    Prisma.sql`(select ${column(name)} as value from (${heads}) t
    order by ${orderBy(walk.keys)} limit ${walk.limit}) wanted`,
  )
}

/**
 * Whoever is in very many groups is in most of those that are asked: the first tasks of all groups, in one order, fill the
 * page. Only where they do not, each group is looked up.
 */
function fromCrowd(walk: Walk, name: string, wanted: readonly string[], crowd: Crowd): Prisma.Sql {
  const [own, shared] = [wanted.filter((value) => !crowd.has(value)), wanted.filter(crowd.has)]
  const near = walkStatement({ ...walk, limit: walk.limit * crowdShare }, crowd.condition)
  return Prisma.sql`with own as materialized (${eachOf(walk, name, Prisma.sql`unnest(${own}::text[]) as wanted (value)`)}),
    near as materialized (
      select t.* from (${near}) t where ${column(name)} = any(${shared}::text[]) order by ${orderBy(walk.keys)} limit ${walk.limit})
    select t.* from own t
    union all
    select t.* from near t where (select count(*) from near) >= ${walk.limit}
    union all
    select t.* from (${fromHeads(walk, name, shared)}) t where (select count(*) from near) < ${walk.limit}`
}

/**
 * The second part is not begun where the first has filled the page. Its rows are found before they are put in order
 * (`offset 0` keeps the two apart): for a keyword that is rare the order of the list would lead through all of its rows.
 */
function searched(walk: Walk, { contained, found }: Search): Prisma.Sql {
  const { table, conditions, keys, limit } = walk
  return Prisma.sql`with near as materialized (
      select t.* from (${walkStatement({ ...walk, limit: nearRows })}) t
      where ${contained} order by ${orderBy(keys)} limit ${limit})
    select t.* from near t where (select count(*) from near) >= ${limit}
    union all
    select t.* from (
      select t.* from (select t.* from ${table} t where ${Prisma.join([...conditions, found], ' and ')} offset 0) t
      order by ${orderBy(keys)} limit ${limit}
    ) t where (select count(*) from near) < ${limit}`
}

function column(name: string): Prisma.Sql {
  return Prisma.raw(`t."${name}"`)
}
