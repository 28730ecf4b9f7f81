import { countFetchable } from '../src/externalTasks.js'
import { countInbox } from '../src/persistence/inboxCounts.js'
import { actorOf, demand, now, partition, readerOf } from './access.js'
import { builder } from './builder.js'
import type { Context } from './context.js'
import { InboxCounts } from './viewer.js'

/** A value now, and again whenever it has changed; ending the subscription frees it at once. */
function watch<Value>(context: Context, keys: string[], read: () => Promise<Value>): AsyncIterableIterator<Value> {
  const ending = new AbortController()
  const looks = context.feed.watch({ tenantId: partition(context).tenantId, keys, signal: ending.signal })
  const values = changes(looks, read)
  const iterator: AsyncIterableIterator<Value> = {
    next: () => values.next(),
    return: async () => {
      ending.abort()
      await values.return(undefined)
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

async function* changes<Value>(looks: AsyncGenerator<void>, read: () => Promise<Value>): AsyncGenerator<Value> {
  try {
    let value = await read()
    yield value
    for await (const _ of looks) {
      const before = JSON.stringify(value)
      value = await read()
      if (JSON.stringify(value) !== before) yield value
    }
  } finally {
    await looks.return(undefined)
  }
}

builder.subscriptionFields((t) => ({
  inboxCounts: t.field({
    type: InboxCounts,
    description: 'The viewer’s counts, now and whenever they change.',
    subscribe: (_root, _args, context) => {
      const { userId, groups } = actorOf(context)
      const keys = [`user:${userId}`, ...groups.map((group) => `group:${group}`)]
      return watch(context, keys, () => countInbox(partition(context), readerOf(context), now(context)))
    },
    resolve: (counts) => counts,
  }),
  externalTasks: t.field({
    type: 'Int',
    description:
      'How many tasks of the topic can be fetched, now and whenever some become available: a wake-up for workers.',
    args: { topic: t.arg.string({ required: true, description: 'The topic.' }) },
    subscribe: (_root, { topic }, context) => {
      const actor = demand(context, 'work')
      return watch(context, [`topic:${topic}`], () => countFetchable(context.runtime, actor, topic))
    },
    resolve: (count) => count,
  }),
}))
