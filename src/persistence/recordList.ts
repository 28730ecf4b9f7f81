import { Prisma, type TaskAction } from '../generated/prisma/client.js'
import { allOf, equals, equalsId, oneOfEnum, search, since, until } from './condition.js'
import type { List } from './page.js'
import { withTimeAndSequence } from './sort.js'

export interface RecordFilter {
  actorId?: string | null | undefined
  instanceId?: string | null | undefined
  definitionName?: string | null | undefined
  actions?: readonly TaskAction[] | null | undefined
  keyword?: string | null | undefined
  from?: Date | null | undefined
  to?: Date | null | undefined
}

/** The history of tasks, the latest first. */
export function recordList(filter: RecordFilter): List {
  return {
    table: 'TaskRecord',
    where: allOf([
      equals(Prisma.sql`t."actorId"`, filter.actorId),
      equalsId(Prisma.sql`t."instanceId"`, filter.instanceId),
      equals(Prisma.sql`t."definitionName"`, filter.definitionName),
      oneOfEnum(Prisma.sql`t."action"`, 'TaskAction', filter.actions),
      since(Prisma.sql`t."at"`, filter.from),
      until(Prisma.sql`t."at"`, filter.to),
    ]),
    search: search(filter.keyword, 2),
    keys: withTimeAndSequence([], { name: 'at', type: 'timestamptz', nullable: false }, 'DESC'),
  }
}
