import { isRefusal } from '../src/engine/model.js'
import type { EventFeed } from '../src/workers/eventFeed.js'
import { actorOf, demand, partition } from './access.js'
import { builder } from './builder.js'
import type { Context } from './context.js'
import { accepted, instanceNotFound, invalid, refusalError } from './errors.js'
import { InstanceEvent, TaskEvent, type WatchedEvent } from './event.js'
import { loadersOf } from './loaders.js'

type Options = Parameters<EventFeed['subscribe']>[0]
type Watched = Pick<Options, 'keys'> & Required<Pick<Options, 'accept'>>
type FeedEvent = Parameters<Watched['accept']>[0]

interface SubscriptionArguments {
  after?: string | null | undefined
  types?: string[] | null | undefined
}

/**
 * Follows the feed. Ending the subscription frees it at once, without waiting for another event.
 * @throws GraphQLError WORKFLOW_VALIDATION_002 for a cursor that is junk or too old
 */
async function follow<Event>(
  context: Context,
  { keys, accept }: Watched,
  { after, types }: SubscriptionArguments,
): Promise<AsyncIterableIterator<Event>> {
  const { tenantId } = partition(context)
  const ending = new AbortController()
  const filter = types ? { types } : {}
  const events = await raised(context, () =>
    context.feed.subscribe({ tenantId, keys, accept, ...filter, after: after ?? null, signal: ending.signal }),
  )
  const iterator: AsyncIterableIterator<Event> = {
    next: () => raised(context, () => events.next()) as Promise<IteratorResult<Event>>,
    return: async () => {
      ending.abort()
      await events.return(undefined)
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

/** The result; a refusal, returned or thrown, becomes the error that the caller reads. */
async function raised<T>(context: Context, run: () => Promise<T>): Promise<T> {
  try {
    return accepted(context, await run())
  } catch (error) {
    throw isRefusal(error) ? refusalError(context, error) : error
  }
}

const subscriptionTexts = {
  after: 'The last cursor seen; events since then come first. Without it: from now on.',
  types: 'Only these topics.',
}

/** What happens to the viewer's tasks: the feed's keys are the viewer's own, so each event is his by right. */
function ownTasks(context: Context): Watched {
  const { userId, groups } = actorOf(context)
  return {
    keys: [`user:${userId}`, ...groups.map((group) => `group:${group}`)],
    accept: (event) => event.taskId !== null && event.instanceId !== null,
  }
}

interface Scope {
  instanceId?: string | null | undefined
  definitionName?: string | null | undefined
}

/**
 * One instance for those who see it (what is visible stays so), else what takes `operate`.
 * @throws GraphQLError WORKFLOW_NOTFOUND_002, WORKFLOW_DENIED_003 or WORKFLOW_VALIDATION_002
 */
async function scopeOf(context: Context, { instanceId, definitionName }: Scope): Promise<Watched> {
  const accept = (event: FeedEvent) => event.instanceId !== null
  if (instanceId && definitionName) throw refusalError(context, invalid('workflow.events.scope_ambiguous'))
  if (instanceId) {
    const visible = await loadersOf(context).visibleInstance.load(instanceId)
    if (!visible) throw refusalError(context, instanceNotFound(instanceId))
    return { keys: [`instance:${visible.id}`], accept }
  }
  demand(context, 'operate')
  return { keys: [definitionName ? `definition:${definitionName}` : 'tenant'], accept }
}

builder.subscriptionFields((t) => ({
  taskEvents: t.field({
    type: TaskEvent,
    description: 'What happens to the viewer’s tasks. `after`: the last cursor seen; events since then come first.',
    args: {
      after: t.arg.string({ description: subscriptionTexts.after }),
      types: t.arg.stringList({ description: subscriptionTexts.types }),
    },
    subscribe: (_root, args, context) => follow<WatchedEvent & { taskId: string }>(context, ownTasks(context), args),
    resolve: (event) => event,
  }),
  instanceEvents: t.field({
    type: InstanceEvent,
    description: 'One instance (for those who may see it), one definition or the partition (permission `operate`).',
    args: {
      instanceId: t.arg.id({ description: 'This instance.' }),
      definitionName: t.arg.string({ description: 'All runs of this definition.' }),
      after: t.arg.string({ description: subscriptionTexts.after }),
      types: t.arg.stringList({ description: subscriptionTexts.types }),
    },
    subscribe: async (_root, args, context) => follow<WatchedEvent>(context, await scopeOf(context, args), args),
    resolve: (event) => event,
  }),
}))
