import { type InstanceStatus, Prisma } from '../generated/prisma/client.js'
import { allOf, equals, equalsId, nothing, oneOf, oneOfEnum, search, since, until } from './condition.js'
import type { List } from './page.js'
import { type Sort, type SortColumn, withTimeAndSequence } from './sort.js'
import { foundFor, type Reader, visibleTo } from './visibility.js'

export type InstanceSortField = 'CREATED_AT' | 'ENDED_AT' | 'STATUS' | 'DEFINITION_NAME' | 'TITLE'

export interface InstanceFilter {
  keyword?: string | null | undefined
  statuses?: readonly InstanceStatus[] | null | undefined
  definitionName?: string | null | undefined
  correlationIds?: readonly string[] | null | undefined
  parentId?: string | null | undefined
  topLevelOnly?: boolean | null | undefined
  starterId?: string | null | undefined
  createdFrom?: Date | null | undefined
  createdTo?: Date | null | undefined
  endedBefore?: Date | null | undefined
}

const columns: Record<InstanceSortField, SortColumn> = {
  CREATED_AT: { name: 'createdAt', type: 'timestamptz', nullable: false },
  ENDED_AT: { name: 'endedAt', type: 'timestamptz', nullable: true },
  STATUS: { name: 'status', type: 'InstanceStatus', nullable: false },
  DEFINITION_NAME: { name: 'definitionName', type: 'text', nullable: false },
  TITLE: { name: 'titleKey', type: 'text', nullable: false },
}

/** The instances of a partition that the reader may see; by default the newest first. */
export function instanceList(filter: InstanceFilter, sorts: readonly Sort<InstanceSortField>[], reader: Reader): List {
  return {
    table: 'Instance',
    where: allOf([
      equals(Prisma.sql`t."starterId"`, filter.starterId),
      equals(Prisma.sql`t."definitionName"`, filter.definitionName),
      oneOfEnum(Prisma.sql`t."status"`, 'InstanceStatus', filter.statuses),
      oneOf(Prisma.sql`t."correlationId"`, filter.correlationIds),
      equalsId(Prisma.sql`t."parentId"`, filter.parentId),
      filter.topLevelOnly ? Prisma.sql`t."parentId" is null` : undefined,
      since(Prisma.sql`t."createdAt"`, filter.createdFrom),
      until(Prisma.sql`t."createdAt"`, filter.createdTo),
      until(Prisma.sql`t."endedAt"`, filter.endedBefore),
    ]),
    search: withinSight(reader, search(filter.keyword, 3)),
    keys: withTimeAndSequence(
      sorts.map(({ field, direction }) => ({ column: columns[field], direction })),
      columns.CREATED_AT,
      'DESC',
    ),
  }
}

/** What one may see is, like a keyword that is rare, looked for among the first rows and then where it is kept. */
function withinSight(reader: Reader, wanted: List['search']): List['search'] {
  const visible = visibleTo(reader)
  if (visible === null || wanted === nothing) return wanted
  if (!wanted) return { contained: visible, found: foundFor(reader) }
  return { contained: both(wanted.contained, visible), found: both(wanted.found, visible) }
}

function both(first: Prisma.Sql, second: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${first}) and ${second}`
}
