import { cloudEventOf } from '../src/cloudEvent.js'
import { type EventPage as Page, pageOfEvents } from '../src/eventLog.js'
import { isUuid } from '../src/persistence/text.js'
import { demand } from './access.js'
import { builder } from './builder.js'
import { accepted, instanceNotFound, invalid, refusalError } from './errors.js'
import { branchArgs, defaultPageSize, maxPageSize, pageComplexity } from './paging.js'

type LoggedRow = Page['events'][number]

const LoggedEvent = builder.objectRef<LoggedRow>('LoggedEvent').implement({
  description: 'One line of the event log, with the attributes of CloudEvents 1.0.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    cursor: t.exposeString('cursor', {
      description: 'The place in the log: `after` of this list and of subscriptions.',
    }),
    source: t.string({ description: 'Where it comes from.', resolve: (event) => cloudEventOf(event).source }),
    type: t.exposeString('type', { description: 'The topic: workflow.task.created …' }),
    time: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    subject: t.exposeID('instanceId', { nullable: true, description: 'The instance; null where it is about none.' }),
    correlation: t.exposeString('correlationId', {
      nullable: true,
      description: 'The correlation id of the instance.',
    }),
    data: t.field({
      type: 'JSON',
      description:
        'What webhooks and brokers get as data: definition, node, task, actor, recipients and facts by topic.',
      resolve: (event) => cloudEventOf(event).data,
    }),
  }),
})

const EventPage = builder.objectRef<Page>('EventPage').implement({
  description: 'A page of the event log, the oldest event first.',
  fields: (t) => ({
    nodes: t.field({ type: [LoggedEvent], description: 'The events.', resolve: ({ events }) => events }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor of the last event; null for an empty page.',
      resolve: ({ events }) => events.at(-1)?.cursor ?? null,
    }),
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether events follow the page.' }),
  }),
})

builder.queryField('events', (t) =>
  t.field({
    type: EventPage,
    description:
      'The event log of the partition in its order, from the oldest event that is kept. Needs the permission `operate`.',
    args: {
      ...branchArgs(t.arg),
      topics: t.arg.stringList({ description: 'Only these topics; `*` at the end stands for any rest.' }),
      instanceId: t.arg.id({ description: 'Only what is about this instance.' }),
    },
    complexity: pageComplexity,
    resolve: async (_root, { first, after, topics, instanceId }, context) => {
      const { tenantId } = demand(context, 'operate')
      const size = first ?? defaultPageSize
      if (size < 1 || size > maxPageSize)
        throw refusalError(context, invalid('workflow.events.query_page_invalid', { max: maxPageSize }))
      if (instanceId && !isUuid(instanceId)) throw refusalError(context, instanceNotFound(instanceId))
      const request = { tenantId, size, after: after ?? null, topics: topics ?? null, instanceId: instanceId ?? null }
      return accepted(context, await pageOfEvents(context.runtime.database.prisma, request))
    },
  }),
)
