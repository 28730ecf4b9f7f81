import { type Instance, Prisma } from '../generated/prisma/client.js'
import type { Partition } from './partition.js'

/** Who reads: what lists and single rows show depends on it. */
export interface Reader {
  tenantId: string
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
  // `offset 0` has each row looked up by itself, where the planner would read all of a person's steps for a few rows.
  const below = stepsOf(reader).map(
    (steps) =>
      Prisma.sql`exists (select ${steps} and s."tenantId" = t."tenantId" and s."instanceId" = t."id" offset 0)`,
  )
  return Prisma.sql`(t."starterId" = ${reader.userId} or ${Prisma.join(below, ' or ')})`
}

/** The rows (`s`) that tie a person to a step: what asks him, what he did or had done to it, what was copied to him. */
function stepsOf({ userId, keys }: Reader): Prisma.Sql[] {
  const any = Prisma.sql`any(${[...keys]}::text[])`
  return [
    Prisma.sql`from "Bookmark" s where s."kind" = 'USER_TASK' and s."key" = ${any}`,
    Prisma.sql`from "TaskRecord" s where (s."actorId" = ${userId} or s."onBehalfOfId" = ${userId}
      or s."assigneeId" = ${any} or s."targetId" = ${any})`,
    Prisma.sql`from "Copy" s where s."userId" = ${userId}`,
  ]
}

/** The same instances, said so that indexes find them: for whoever may see a few of a million. */
export function foundFor(reader: Reader): Prisma.Sql {
  const { tenantId, userId } = reader
  const any = Prisma.sql`any(${[...reader.keys]}::text[])`
  // Each by an index of its own; the records of people other than the actor are few, and indexed apart.
  const sources = [
    Prisma.sql`select s."id" from "Instance" s where s."starterId" = ${userId}`,
    Prisma.sql`select s."instanceId" from "Bookmark" s where s."kind" = 'USER_TASK' and s."key" = ${any}`,
    Prisma.sql`select s."instanceId" from "TaskRecord" s where s."actorId" = ${userId}`,
    Prisma.sql`select s."instanceId" from "TaskRecord" s where s."onBehalfOfId" = ${userId}`,
    Prisma.sql`select s."instanceId" from "TaskRecord" s where s."assigneeId" = ${any} and s."assigneeId" is distinct from s."actorId"`,
    Prisma.sql`select s."instanceId" from "TaskRecord" s where s."targetId" = ${any}`,
    Prisma.sql`select s."instanceId" from "Copy" s where s."userId" = ${userId}`,
  ].map((source) => Prisma.sql`${source} and s."tenantId" = ${tenantId}`)
  return Prisma.sql`t."id" in (${Prisma.join(sources, ' union ')})`
}

/** Reads the nodes of instances that ask or asked the reader, or copied him, all in one statement. */
export async function findOwnSteps(
  { tenantId, rows }: Partition,
  reader: Reader,
  instanceIds: readonly string[],
): Promise<string[][]> {
  const below = stepsOf(reader).map(
    (steps) => Prisma.sql`select s."instanceId", s."nodeId" ${steps} and s."tenantId" = ${tenantId}
      and s."instanceId" = any(${[...new Set(instanceIds)]}::uuid[])`,
  )
  const found = await rows<{ instanceId: string; nodeId: string }>(Prisma.join(below, ' union '))
  return instanceIds.map((id) => found.filter(({ instanceId }) => instanceId === id).map(({ nodeId }) => nodeId))
}

/** Reads instances by id, in one statement: those that exist in the partition and that the reader may see. */
export async function findInstances(partition: Partition, reader: Reader, ids: readonly string[]): Promise<Instance[]> {
  const visible = visibleTo(reader)
  return await partition.rows<Instance>(Prisma.sql`
    select t.* from "Instance" t
    where t."tenantId" = ${partition.tenantId} and t."id" = any(${[...new Set(ids)]}::uuid[])
      and ${visible ?? Prisma.sql`true`}`)
}
