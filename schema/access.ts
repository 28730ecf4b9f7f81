import { createContextCache } from '@pothos/core'
import { type Actor, may, type Permission } from '../src/engine/command.js'
import { type Refusal, refusal } from '../src/engine/model.js'
import { openPartition, type Partition } from '../src/persistence/partition.js'
import { isUuid } from '../src/persistence/text.js'
import { findInstances, type Reader } from '../src/persistence/visibility.js'
import { refuseWithout } from '../src/refusals.js'
import type { Context } from './context.js'
import { instanceNotFound, refusalError } from './errors.js'

/** The authenticated caller. @throws GraphQLError WORKFLOW_DENIED_003 for nobody */
export function actorOf(context: Context): Actor {
  if (context.actor) return context.actor
  throw refusalError(context, refusal('WORKFLOW_DENIED_003', 'workflow.access.unauthenticated'))
}

/** The caller's part of the database; there is no other way to it from the schema. */
export const partition: (context: Context) => Partition = createContextCache((context: Context) =>
  openPartition(context.runtime.database.prisma, actorOf(context).tenantId),
)

/** The caller as the lists know him. */
export function readerOf(context: Context): Reader {
  const actor = actorOf(context)
  return {
    tenantId: actor.tenantId,
    userId: actor.userId,
    keys: keysOf(actor.userId, actor.groups),
    seesAll: may(actor, 'operate'),
  }
}

/** What a task's key may be for it to be this person's. */
export function keysOf(userId: string, groups: readonly string[]): string[] {
  return [userId, ...groups.map((group) => `group:${group}`)]
}

/** Whether the caller sees definitions that are not published. */
export function seesDrafts(context: Context): boolean {
  const actor = actorOf(context)
  return may(actor, 'design') || may(actor, 'operate')
}

/** @throws GraphQLError WORKFLOW_DENIED_003 unless the caller holds one of the permissions; the first is named */
export function demand(context: Context, ...permissions: [Permission, ...Permission[]]): Actor {
  const actor = actorOf(context)
  const refused = refuseWithout(actor, ...permissions)
  if (refused) throw refusalError(context, refused)
  return actor
}

/**
 * Whether the caller may control the instance, which takes `operate`.
 * @returns null, or the refusal: WORKFLOW_NOTFOUND_002 for what he may not even see
 */
export async function refuseControl(context: Context, instanceId: string): Promise<Refusal | null> {
  if (!isUuid(instanceId)) return instanceNotFound(instanceId)
  const reader = readerOf(context)
  if (reader.seesAll) return null
  const [visible] = await findInstances(partition(context), reader, [instanceId])
  return visible ? refuseWithout(actorOf(context), 'operate') : instanceNotFound(instanceId)
}

/** The time that "overdue" and "read at" go by. */
export function now(context: Context): Date {
  return new Date(context.runtime.clock?.now() ?? Date.now())
}
