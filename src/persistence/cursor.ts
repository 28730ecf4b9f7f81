import { DefinitionStatus, InstanceStatus, Prisma, TaskAction } from '../generated/prisma/client.js'
import { columnOf, type SortColumn, type SortKey } from './sort.js'
import { isStorable } from './text.js'

/** The sort values of one row, as text; a place between two rows of a list. */
export type Position = readonly (string | null)[]

/** The sort values of a row as a text array: what becomes its cursor. */
export function positionColumn(keys: readonly SortKey[]): Prisma.Sql {
  return Prisma.sql`array[${Prisma.join(keys.map((key) => Prisma.sql`${columnOf(key)}::text`))}] as "position"`
}

/** An opaque cursor. It is bound to the order of its list: another order refuses it. */
export function encodeCursor(table: string, keys: readonly SortKey[], position: Position): string {
  return Buffer.from(JSON.stringify([signature(table, keys), ...position])).toString('base64url')
}

/** Reads a cursor of this order. @returns null for anything else */
export function decodeCursor(table: string, keys: readonly SortKey[], cursor: string): Position | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
  if (!Array.isArray(parsed) || parsed.length !== keys.length + 1) return null
  const [signed, ...values] = parsed as unknown[]
  if (signed !== signature(table, keys)) return null
  const fits = keys.every((key, index) => fitsColumn(key.column, values[index]))
  return fits ? (values as (string | null)[]) : null
}

function signature(table: string, keys: readonly SortKey[]): string {
  return [table, ...keys.map((key) => `${key.column.name} ${key.direction}`)].join(',')
}

/** Whether PostgreSQL will read the text as a value of the column: a forged cursor must not become its error. */
function fitsColumn(column: SortColumn, value: unknown): boolean {
  if (value === null) return column.nullable
  if (typeof value !== 'string') return false
  switch (column.type) {
    case 'text':
      return isStorable(value)
    case 'integer':
      return /^-?\d{1,9}$|^-?[12]\d{9}$/.test(value) && Math.abs(Number(value)) < 2 ** 31
    case 'bigint':
      return /^-?\d{1,18}$/.test(value)
    case 'timestamptz':
      return isTimestamp(value)
    case 'DefinitionStatus':
    case 'InstanceStatus':
    case 'TaskAction':
      return Object.hasOwn(enums[column.type], value)
  }
}

const enums = { DefinitionStatus, InstanceStatus, TaskAction }

function isTimestamp(text: string): boolean {
  const form = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)\+00$/.exec(text)
  if (!form || text.startsWith('0000')) return false
  const [, day, time] = form
  const read = new Date(`${day}T${time}Z`)
  // 30 February is read as a day of March.
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(`${day}`)
}
