import { type Instance, Prisma } from '../generated/prisma/client.js'
import type { Partition } from './partition.js'

/** Who reads: what lists and single rows show depends on it. */
export interface Reader {
  userId: string
  /** What a task's key may be for it to be the reader's: the user id and `group:<id>` of each group. */
  keys: readonly string[]
  /** Whether the reader sees every instance of the partition. */
  seesAll: boolean
}

/**
 * The instances (`t`) that the reader may see: those that he started, has or had a task in, or was copied on.
 * What was visible once stays so: a task that goes leaves a record.
 * @returns null where the reader sees them all
 */
export function visibleTo(reader: Reader): Prisma.Sql | null {
  if (reader.seesAll) return null
  const { userId } = reader
  const keys = [...reader.keys]
  return Prisma.sql`(
    t."starterId" = ${userId}
    or exists (
      select from "Bookmark" b
      where b."tenantId" = t."tenantId" and b."instanceId" = t."id" and b."kind" = 'USER_TASK'
        and b."key" = any(${keys}::text[]))
    or exists (
      select from "TaskRecord" r
      where r."tenantId" = t."tenantId" and r."instanceId" = t."id"
        and (r."actorId" = ${userId} or r."onBehalfOfId" = ${userId}
          or r."assigneeId" = any(${keys}::text[]) or r."targetId" = any(${keys}::text[])))
    or exists (
      select from "Copy" c
      where c."tenantId" = t."tenantId" and c."instanceId" = t."id" and c."userId" = ${userId}))`
}

/** Reads instances by id, in one statement: those that exist in the partition and that the reader may see. */
export async function findInstances(partition: Partition, reader: Reader, ids: readonly string[]): Promise<Instance[]> {
  const visible = visibleTo(reader)
  return await partition.rows<Instance>(Prisma.sql`
    select t.* from "Instance" t
    where t."tenantId" = ${partition.tenantId} and t."id" = any(${[...new Set(ids)]}::uuid[])
      and ${visible ?? Prisma.sql`true`}`)
}
