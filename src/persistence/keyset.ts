import { Prisma } from '../generated/prisma/client.js'
import type { Position } from './cursor.js'
import { columnOf, type SortKey } from './sort.js'

/** The rows that come after a position in the order of the keys. Null stands where PostgreSQL puts it: as the greatest value. */
export function beyond(keys: readonly SortKey[], position: Position): Prisma.Sql {
  if (isOneRange(keys)) return rowBeyond(keys, position)
  const branches: Prisma.Sql[] = []
  for (const [index, key] of keys.entries()) {
    const further = columnBeyond(key, position[index] ?? null)
    if (further === null) continue
    const tied = keys.slice(0, index).map((earlier, at) => tiedWith(earlier, position[at] ?? null))
    branches.push(Prisma.sql`(${Prisma.join([...tied, further], ' and ')})`)
  }
  if (branches.length === 0) return Prisma.sql`false`
  const either = Prisma.sql`(${Prisma.join(branches, ' or ')})`
  const [leading] = keys
  if (!leading || leading.column.nullable) return either
  // Said once more of the first key alone, so that an index begins there instead of at the beginning of the list.
  const reaches = Prisma.raw(leading.direction === 'DESC' ? '<=' : '>=')
  return Prisma.sql`${columnOf(leading)} ${reaches} ${valueIn(leading, position[0] ?? null)} and ${either}`
}

/** One direction and no nulls: a row comparison, which an index answers as one range however deep the page lies. */
function isOneRange(keys: readonly SortKey[]): boolean {
  return keys.every((key) => !key.column.nullable && key.direction === keys[0]?.direction)
}

function rowBeyond(keys: readonly SortKey[], position: Position): Prisma.Sql {
  const columns = Prisma.join(keys.map(columnOf))
  const values = Prisma.join(keys.map((key, index) => valueIn(key, position[index] ?? null)))
  return keys[0]?.direction === 'DESC' ? Prisma.sql`(${columns}) < (${values})` : Prisma.sql`(${columns}) > (${values})`
}

function columnBeyond(key: SortKey, value: string | null): Prisma.Sql | null {
  const column = columnOf(key)
  if (value === null) return key.direction === 'ASC' ? null : Prisma.sql`${column} is not null`
  if (key.direction === 'DESC') return Prisma.sql`${column} < ${valueIn(key, value)}`
  const greater = Prisma.sql`${column} > ${valueIn(key, value)}`
  return key.column.nullable ? Prisma.sql`(${greater} or ${column} is null)` : greater
}

function tiedWith(key: SortKey, value: string | null): Prisma.Sql {
  return value === null ? Prisma.sql`${columnOf(key)} is null` : Prisma.sql`${columnOf(key)} = ${valueIn(key, value)}`
}

function valueIn(key: SortKey, value: string | null): Prisma.Sql {
  // Through text, so that the driver need not know the type of the parameter.
  return Prisma.sql`${value}::text::${typeOf(key)}`
}

function typeOf(key: SortKey): Prisma.Sql {
  switch (key.column.type) {
    case 'text':
    case 'integer':
    case 'bigint':
    case 'timestamptz':
      return Prisma.raw(key.column.type)
    case 'DefinitionStatus':
    case 'InstanceStatus':
    case 'TaskAction':
      return Prisma.raw(`"${key.column.type}"`)
  }
}
