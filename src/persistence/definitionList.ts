import { Prisma } from '../generated/prisma/client.js'
import { allOf, equals, oneOfEnum, search, since, until } from './condition.js'
import type { List } from './page.js'
import { type Sort, type SortColumn, type SortKey, withTieBreakers } from './sort.js'

export type DefinitionSortField = 'NAME' | 'TITLE' | 'VERSION' | 'STATUS' | 'CREATED_AT' | 'PUBLISHED_AT'

export interface DefinitionFilter {
  keyword?: string | null | undefined
  name?: string | null | undefined
  category?: string | null | undefined
  status?: 'DRAFT' | 'PUBLISHED' | 'DISABLED' | 'ARCHIVED' | null | undefined
  createdFrom?: Date | null | undefined
  createdTo?: Date | null | undefined
}

const columns: Record<DefinitionSortField, SortColumn> = {
  NAME: { name: 'name', type: 'text', nullable: false },
  TITLE: { name: 'titleKey', type: 'text', nullable: false },
  VERSION: { name: 'version', type: 'integer', nullable: false },
  STATUS: { name: 'status', type: 'DefinitionStatus', nullable: false },
  CREATED_AT: { name: 'createdAt', type: 'timestamptz', nullable: false },
  PUBLISHED_AT: { name: 'publishedAt', type: 'timestamptz', nullable: true },
}

// Name and version are unique in a partition: with them every order is total.
const tieBreakers: SortKey[] = [
  { column: columns.NAME, direction: 'ASC' },
  { column: columns.VERSION, direction: 'DESC' },
]

/** The definitions of a partition; by default by name, the newest version first. */
export function definitionList(
  filter: DefinitionFilter,
  sorts: readonly Sort<DefinitionSortField>[],
  publishedOnly: boolean,
): List {
  return {
    table: 'Definition',
    where: allOf([
      publishedOnly ? Prisma.sql`t."status" = 'PUBLISHED'` : undefined,
      equals(Prisma.sql`t."name"`, filter.name),
      equals(Prisma.sql`t."category"`, filter.category),
      oneOfEnum(Prisma.sql`t."status"`, 'DefinitionStatus', filter.status ? [filter.status] : undefined),
      since(Prisma.sql`t."createdAt"`, filter.createdFrom),
      until(Prisma.sql`t."createdAt"`, filter.createdTo),
    ]),
    search: search(filter.keyword, 3),
    keys: withTieBreakers(
      sorts.map(({ field, direction }) => ({ column: columns[field], direction })),
      tieBreakers,
    ),
  }
}
