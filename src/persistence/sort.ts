import { Prisma } from '../generated/prisma/client.js'
import type { EnumType } from './condition.js'

export type Direction = 'ASC' | 'DESC'

/** What a list can be ordered by: a column of the row `t`, and how its values travel in a cursor. */
export interface SortColumn {
  /** The column's name. */
  name: string
  type: 'text' | 'integer' | 'bigint' | 'timestamptz' | EnumType
  nullable: boolean
}

export interface SortKey {
  column: SortColumn
  direction: Direction
}

/** A sort asked for by a caller. */
export interface Sort<Field extends string> {
  field: Field
  direction: Direction
}

export function columnOf(key: SortKey): Prisma.Sql {
  return Prisma.raw(`t."${key.column.name}"`)
}

/** The columns asked for, then the tie-breakers that are not among them, so that the order is total. */
export function withTieBreakers(asked: SortKey[], tieBreakers: SortKey[]): SortKey[] {
  const named = new Set(asked.map((key) => key.column.name))
  return [...asked, ...tieBreakers.filter((key) => !named.has(key.column.name))]
}

/**
 * The order of a list whose rows have a time and a write sequence: the sequence follows the direction of the time.
 * @param direction of the time, where it is not among the sorts asked for
 */
export function withTimeAndSequence(asked: SortKey[], time: SortColumn, direction: Direction): SortKey[] {
  const follows = asked.find((key) => key.column.name === time.name)?.direction ?? direction
  return withTieBreakers(asked, [
    { column: time, direction },
    { column: sequence, direction: follows },
  ])
}

export const sequence: SortColumn = { name: 'seq', type: 'bigint', nullable: false }

export function reversed(keys: readonly SortKey[]): SortKey[] {
  return keys.map((key) => ({ ...key, direction: key.direction === 'ASC' ? 'DESC' : 'ASC' }))
}

/** ORDER BY with PostgreSQL's own place for null: the greatest value, last ascending and first descending. */
export function orderBy(keys: readonly SortKey[]): Prisma.Sql {
  return Prisma.join(keys.map((key) => Prisma.sql`${columnOf(key)} ${Prisma.raw(key.direction)}`))
}
