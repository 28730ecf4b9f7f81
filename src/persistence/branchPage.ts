import { Prisma } from '../generated/prisma/client.js'
import { type Position, positionColumn } from './cursor.js'
import { beyond } from './keyset.js'
import { type Cursored, type Page, type Positioned, type Table, tableOf, withCursor } from './page.js'
import type { Partition } from './partition.js'
import { orderBy, type SortKey, sequence } from './sort.js'

/** The rows below each of several parents, in order of time: the trail, the history, the children of instances. */
export interface Branch {
  table: Table
  /** The column that names the parent. */
  parent: string
  keys: SortKey[]
  where: Prisma.Sql[]
}

export const trailOf: Branch = {
  table: 'NodeInstance',
  parent: 'instanceId',
  keys: inOrderOf('startedAt'),
  where: [],
}

export const historyOf: Branch = { table: 'TaskRecord', parent: 'instanceId', keys: inOrderOf('at'), where: [] }

/** @param visible the condition over the children that the reader may see; null for all */
export function childrenOf(visible: Prisma.Sql | null): Branch {
  return {
    table: 'Instance',
    parent: 'parentId',
    keys: inOrderOf('createdAt'),
    where: visible === null ? [] : [visible],
  }
}

function inOrderOf(time: string): SortKey[] {
  return [
    { column: { name: time, type: 'timestamptz', nullable: false }, direction: 'ASC' },
    { column: sequence, direction: 'ASC' },
  ]
}

/**
 * Reads the first page below each parent after the position, all in one statement.
 * @returns one page for each of the parents, in their order
 */
export async function readBranches<Row>(
  partition: Partition,
  branch: Branch,
  parentIds: readonly string[],
  request: { size: number; after: Position | null },
): Promise<Page<Row>[]> {
  const where = [Prisma.sql`t."tenantId" = ${partition.tenantId}`, ...branch.where]
  if (request.after) where.push(beyond(branch.keys, request.after))
  // Lateral: each parent's rows end at its own limit, so a parent of 5,000 rows costs what one of 50 does.
  const read = await partition.rows<Positioned<Row & { parent: string }>>(Prisma.sql`
    select branch.*, parents.id::text as "parent"
    from unnest(${[...new Set(parentIds)]}::uuid[]) as parents (id)
    cross join lateral (
      select t.*, ${positionColumn(branch.keys)}
      from ${tableOf(branch.table)} t
      where t.${Prisma.raw(`"${branch.parent}"`)} = parents.id and ${Prisma.join(where, ' and ')}
      order by ${orderBy(branch.keys)}
      limit ${request.size + 1}
    ) branch`)
  const found = new Map<string, Positioned<Row>[]>(parentIds.map((id) => [id, []]))
  for (const row of read) found.get(row.parent)?.push(row)
  return parentIds.map((id) => pageOf(branch, found.get(id) ?? [], request))
}

function pageOf<Row>(
  branch: Branch,
  read: Positioned<Row>[],
  request: { size: number; after: Position | null },
): Page<Row> {
  const rows: Cursored<Row>[] = read.slice(0, request.size).map((row) => withCursor(branch, row))
  return { rows, hasNextPage: read.length > request.size, hasPreviousPage: request.after !== null }
}

/** Counts the rows below each parent, all in one statement. @returns one count for each of the parents, in their order */
export async function countBranches(
  partition: Partition,
  branch: Branch,
  parentIds: readonly string[],
): Promise<number[]> {
  const parent = Prisma.raw(`t."${branch.parent}"`)
  const where = [Prisma.sql`t."tenantId" = ${partition.tenantId}`, ...branch.where]
  const counted = await partition.rows<{ parent: string; count: number }>(Prisma.sql`
    select ${parent}::text as "parent", count(*)::int as "count"
    from ${tableOf(branch.table)} t
    where ${parent} = any(${[...new Set(parentIds)]}::uuid[]) and ${Prisma.join(where, ' and ')}
    group by 1`)
  const counts = new Map(counted.map((row) => [row.parent, row.count]))
  return parentIds.map((id) => counts.get(id) ?? 0)
}
