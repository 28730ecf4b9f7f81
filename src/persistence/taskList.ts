import { Prisma } from '../generated/prisma/client.js'
import { allOf, equals, equalsId, keyword, since, until } from './condition.js'
import type { Crowd, List } from './page.js'
import { type Sort, type SortColumn, withTimeAndSequence } from './sort.js'
import { isStorable } from './text.js'

export type TaskSortField = 'CREATED_AT' | 'DUE_AT' | 'PRIORITY' | 'TITLE'

export interface TaskFilter {
  instanceId?: string | null | undefined
  definitionName?: string | null | undefined
  nodeId?: string | null | undefined
  keyword?: string | null | undefined
  createdFrom?: Date | null | undefined
  createdTo?: Date | null | undefined
  dueBefore?: Date | null | undefined
  overdue?: boolean | null | undefined
}

const columns: Record<TaskSortField, SortColumn> = {
  CREATED_AT: { name: 'createdAt', type: 'timestamptz', nullable: false },
  DUE_AT: { name: 'taskDueAt', type: 'timestamptz', nullable: true },
  PRIORITY: { name: 'priority', type: 'integer', nullable: true },
  TITLE: { name: 'titleKey', type: 'text', nullable: true },
}

/**
 * The open tasks of running instances, from the columns of the bookmark alone; by default the oldest first.
 * @param keys whose tasks: user ids and `group:<id>`; null for everybody's
 */
export function taskList(
  filter: TaskFilter,
  sorts: readonly Sort<TaskSortField>[],
  keys: readonly string[] | null,
  now: Date,
): List {
  return {
    table: 'Bookmark',
    where: allOf([
      openTask,
      equalsId(Prisma.sql`t."instanceId"`, filter.instanceId),
      equals(Prisma.sql`t."definitionName"`, filter.definitionName),
      equals(Prisma.sql`t."nodeId"`, filter.nodeId),
      since(Prisma.sql`t."createdAt"`, filter.createdFrom),
      until(Prisma.sql`t."createdAt"`, filter.createdTo),
      until(Prisma.sql`t."taskDueAt"`, filter.dueBefore),
      isOverdue(filter.overdue, now),
      keyword([Prisma.sql`t."searchTitle"`, Prisma.sql`t."searchInstanceText"`], filter.keyword),
    ]),
    anyOf: keys && { column: 'key', values: keys.filter(isStorable), crowd: groups },
    isHot: sorts.length === 0 && Object.values(filter).every((given) => given === null || given === undefined),
    keys: withTimeAndSequence(
      sorts.map(({ field, direction }) => ({ column: columns[field], direction })),
      columns.CREATED_AT,
      'ASC',
    ),
  }
}

/** An open task (`t`) of a running instance: what an inbox shows. */
export const openTask = Prisma.sql`t."kind" = 'USER_TASK' and t."instanceStatus" = 'RUNNING'`

const groups: Crowd = {
  has: (key) => key.startsWith('group:'),
  condition: Prisma.sql`starts_with(t."key", 'group:')`,
}

function isOverdue(wanted: boolean | null | undefined, now: Date): Prisma.Sql | undefined {
  if (wanted === null || wanted === undefined) return undefined
  // Without a due date a task is never overdue.
  return wanted
    ? Prisma.sql`t."taskDueAt" < ${now}::timestamptz`
    : Prisma.sql`(t."taskDueAt" < ${now}::timestamptz) is not true`
}
