import type { Actor } from '../src/engine/command.js'
import { type InboxCounts as Counts, countInbox } from '../src/persistence/inboxCounts.js'
import { actorOf, now, partition, readerOf } from './access.js'
import { builder } from './builder.js'
import { eventCursorOf } from './connection.js'
import { User } from './user.js'

/** The numbers on the tabs of an approval centre. */
export const InboxCounts = builder.objectRef<Counts>('InboxCounts').implement({
  description: 'The numbers on the tabs of an approval centre.',
  fields: (t) => ({
    todo: t.exposeInt('todo', { description: 'Open tasks of the viewer and his groups.' }),
    overdue: t.exposeInt('overdue', { description: 'Those of them whose due date has passed.' }),
    unreadCopies: t.exposeInt('unreadCopies', { description: 'Copies that were not read.' }),
    startedRunning: t.exposeInt('startedRunning', { description: 'Running instances that the viewer started.' }),
  }),
})

const Viewer = builder.objectRef<{ actor: Actor; eventCursor: string }>('Viewer').implement({
  description: 'The caller.',
  fields: (t) => ({
    user: t.field({ type: User, description: 'The person.', resolve: ({ actor }) => actor.userId }),
    tenantId: t.id({
      nullable: true,
      description: 'The partition; null for the platform’s.',
      resolve: ({ actor }) => actor.tenantId || null,
    }),
    groups: t.stringList({ description: 'The groups.', resolve: ({ actor }) => [...actor.groups] }),
    permissions: t.stringList({ description: 'The permissions.', resolve: ({ actor }) => [...actor.permissions] }),
    counts: t.field({
      type: InboxCounts,
      description: 'What waits for the viewer.',
      resolve: (_viewer, _args, context) => countInbox(partition(context), readerOf(context), now(context)),
    }),
    eventCursor: t.string({
      description: 'As on the connections, for `counts`.',
      resolve: ({ eventCursor }) => eventCursor,
    }),
  }),
})

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'The caller.',
    resolve: async (_root, _args, context, info) => ({
      actor: actorOf(context),
      eventCursor: await eventCursorOf(context, info),
    }),
  }),
)
