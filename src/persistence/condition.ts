import { Prisma } from '../generated/prisma/client.js'
import { fold, type GramSize, grams } from './search.js'
import { isStorable, isUuid } from './text.js'

/** What no row can fulfil: the list is empty and nobody asks the database. */
export const nothing = Symbol('nothing')

/** One condition over the row `t`; undefined where the filter does not speak. */
export type Condition = Prisma.Sql | typeof nothing | undefined

/** The conditions of a list, all of which must hold; `nothing` when one of them never does. */
export function allOf(conditions: Condition[]): Prisma.Sql[] | typeof nothing {
  const held: Prisma.Sql[] = []
  for (const condition of conditions) {
    if (condition === nothing) return nothing
    if (condition !== undefined) held.push(condition)
  }
  return held
}

type Given<T> = T | null | undefined

/** Exactly this text. */
export function equals(column: Prisma.Sql, text: Given<string>): Condition {
  if (text === null || text === undefined) return undefined
  return isStorable(text) ? Prisma.sql`${column} = ${text}` : nothing
}

/** Exactly this row id; what is not a UUID is the id of nothing. */
export function equalsId(column: Prisma.Sql, id: Given<string>): Condition {
  if (id === null || id === undefined) return undefined
  return isUuid(id) ? Prisma.sql`${column} = ${id}::uuid` : nothing
}

/** One of these texts; an empty list is fulfilled by none. */
export function oneOf(column: Prisma.Sql, texts: Given<readonly string[]>): Condition {
  if (texts === null || texts === undefined) return undefined
  const storable = [...new Set(texts)].filter(isStorable)
  return storable.length === 0 ? nothing : Prisma.sql`${column} = any(${storable}::text[])`
}

/** One of these values of an enum; an empty list is fulfilled by none. */
export function oneOfEnum(column: Prisma.Sql, type: EnumType, values: Given<readonly string[]>): Condition {
  if (values === null || values === undefined) return undefined
  if (values.length === 0) return nothing
  return Prisma.sql`${column} = any(${[...new Set(values)]}::text[]::${Prisma.raw(`"${type}"`)}[])`
}

export type EnumType = 'DefinitionStatus' | 'InstanceStatus' | 'TaskAction'

/** At or after this moment. */
export function since(column: Prisma.Sql, at: Given<Date>): Condition {
  return at ? Prisma.sql`${column} >= ${at}::timestamptz` : undefined
}

/** Before this moment. */
export function until(column: Prisma.Sql, at: Given<Date>): Condition {
  return at ? Prisma.sql`${column} < ${at}::timestamptz` : undefined
}

/** Literally contained in any of the folded search columns, without regard to case or to blanks around it. */
export function keyword(columns: readonly Prisma.Sql[], text: Given<string>): Condition {
  const wanted = wantedOf(text)
  if (wanted === null) return undefined
  return wanted === nothing ? nothing : contained(columns, wanted)
}

/** A keyword over a table whose search column has an index of grams. */
export interface Search {
  /** The keyword is contained: cheap for a row that is read anyway. */
  contained: Prisma.Sql
  /** The same, said so that the index finds the rows. */
  found: Prisma.Sql
}

/** As `keyword`, over the column `searchText` and its index. */
export function search(text: Given<string>, size: GramSize): Search | typeof nothing | undefined {
  const wanted = wantedOf(text)
  if (wanted === null) return undefined
  if (wanted === nothing) return nothing
  const holds = contained([Prisma.sql`t."searchText"`], wanted)
  // The index knows rows that have all the grams; that they stand in one piece is told by the text alone.
  const indexed = Prisma.sql`${Prisma.raw(size === 3 ? 'search_triples' : 'search_pairs')}(t."searchText" collate "C") @> ${grams(wanted, size)}::text[]`
  return { contained: holds, found: Prisma.sql`${holds} and ${indexed}` }
}

/** The keyword folded; null: none is given; nothing: no row can hold it. */
function wantedOf(text: Given<string>): string | null | typeof nothing {
  const wanted = (text ?? '').trim()
  if (wanted === '') return null
  // U+001F stands between the fields of a search column and in none of them: a match must not span two.
  return wanted.includes('\u001f') || !isStorable(wanted) ? nothing : fold(wanted)
}

function contained(columns: readonly Prisma.Sql[], wanted: string): Prisma.Sql {
  const found = columns.map((column) => Prisma.sql`strpos(${column}, ${wanted}) > 0`)
  return Prisma.sql`(${Prisma.join(found, ' or ')})`
}
