import { Prisma } from '../generated/prisma/client.js'
import { allOf, equals } from './condition.js'
import type { List } from './page.js'
import type { Partition } from './partition.js'
import { withTimeAndSequence } from './sort.js'
import { isUuid } from './text.js'

/** What was copied to a person: the unread first, then what was read last. */
export function copyList(userId: string, unreadOnly: boolean): List {
  return {
    table: 'Copy',
    where: allOf([equals(Prisma.sql`t."userId"`, userId), unreadOnly ? Prisma.sql`t."readAt" is null` : undefined]),
    // Descending puts the nulls first: what is unread.
    keys: withTimeAndSequence(
      [{ column: { name: 'readAt', type: 'timestamptz', nullable: true }, direction: 'DESC' }],
      { name: 'createdAt', type: 'timestamptz', nullable: false },
      'DESC',
    ),
  }
}

/**
 * Marks a person's copies as read; what is read already keeps its time.
 * @param ids which copies; null for all
 * @returns how many stay unread
 */
export async function markCopiesRead(
  partition: Partition,
  userId: string,
  ids: readonly string[] | null,
  now: Date,
): Promise<number> {
  await partition.orm.copy.updateMany({
    where: { userId, readAt: null, ...(ids === null ? {} : { id: { in: ids.filter(isUuid) } }) },
    data: { readAt: now },
  })
  return await partition.orm.copy.count({ where: { userId, readAt: null } })
}
