import { Prisma } from '../generated/prisma/client.js'
import type { Partition } from './partition.js'
import { openTask } from './taskList.js'
import type { Reader } from './visibility.js'

/** The numbers on the tabs of an approval centre. */
export interface InboxCounts {
  todo: number
  overdue: number
  unreadCopies: number
  startedRunning: number
}

/** Counts what waits for a person, in one statement. */
export async function countInbox(partition: Partition, reader: Reader, now: Date): Promise<InboxCounts> {
  const { tenantId } = partition
  const [counts] = await partition.rows<InboxCounts>(Prisma.sql`
    select tasks."todo", tasks."overdue",
      (select count(*)::int from "Copy" t
        where t."tenantId" = ${tenantId} and t."userId" = ${reader.userId} and t."readAt" is null) as "unreadCopies",
      (select count(*)::int from "Instance" t
        where t."tenantId" = ${tenantId} and t."starterId" = ${reader.userId} and t."status" = 'RUNNING'
          and t."parentId" is null) as "startedRunning"
    from (
      select count(*)::int as "todo", count(*) filter (where t."taskDueAt" < ${now}::timestamptz)::int as "overdue"
      from "Bookmark" t
      where t."tenantId" = ${tenantId} and ${openTask} and t."key" = any(${[...reader.keys]}::text[])
    ) tasks`)
  return counts ?? { todo: 0, overdue: 0, unreadCopies: 0, startedRunning: 0 }
}
