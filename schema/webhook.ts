import type { WebhookDelivery as DeliveryRow, Webhook as WebhookRow } from '../src/generated/prisma/client.js'
import { isUuid } from '../src/persistence/text.js'
import { deliveryList } from '../src/persistence/webhookDeliveries.js'
import { demand, now, partition } from './access.js'
import { builder } from './builder.js'
import { connect, connectionType } from './connection.js'
import { Fault, storedFault } from './fault.js'
import { branchArgs, pageComplexity } from './paging.js'

const WebhookDeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'Where a message to a webhook stands.',
  values: {
    PENDING: { description: 'On its way: it is tried, or waits for the next attempt.' },
    DELIVERED: { description: 'The endpoint has taken it.' },
    DEAD: { description: 'Given up after a day of attempts; it can be sent again.' },
  } as const,
})

const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  description: 'One event for one webhook, with what came of the last attempt.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    eventId: t.exposeID('eventId', { description: 'The event; the header `webhook-id` of every attempt.' }),
    type: t.exposeString('type', { description: 'The topic of the event.' }),
    instanceId: t.exposeID('instanceId', { nullable: true, description: 'The instance; null where it is about none.' }),
    status: t.expose('status', { type: WebhookDeliveryStatus, description: 'Where it stands.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When it is tried next; null once it has ended, and while an earlier one of its instance comes first.',
      resolve: ({ status, nextAt }) => (status === 'PENDING' ? nextAt : null),
    }),
    statusCode: t.exposeInt('statusCode', { nullable: true, description: 'The HTTP status of the last answer.' }),
    fault: t.field({
      type: Fault,
      nullable: true,
      description: 'Why the last attempt failed; null where it did not.',
      resolve: (row) => storedFault(row.fault),
    }),
    durationMs: t.exposeInt('durationMs', { nullable: true, description: 'How long the last attempt took.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when it is to be sent.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it arrived or was given up.' }),
    body: t.exposeString('body', { description: 'What is sent: the CloudEvent as JSON text.' }),
  }),
})

const WebhookDeliveryConnection = connectionType<DeliveryRow>('WebhookDelivery', WebhookDelivery, 'webhook deliveries')

/** Where a partition wants its events to be sent: a row. */
export const Webhook = builder.prismaObject('Webhook', {
  description: 'An endpoint that events are sent to. Its secret is shown only when it is made.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    url: t.exposeString('url', { description: 'Where events are posted.' }),
    topics: t.exposeStringList('topics', { description: 'Which topics; `*` at the end stands for any rest.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether anything is sent.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was registered.' }),
    previousSecretUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when messages are signed with the secret before as well; null when they are not.',
      resolve: ({ previousSecretUntil: until }, _args, context) => (until && until > now(context) ? until : null),
    }),
    deliveries: t.field({
      type: WebhookDeliveryConnection,
      description: 'What was sent to it, or is to be, the newest first.',
      args: {
        status: t.arg({ type: WebhookDeliveryStatus, description: 'Only those: DEAD are the dead letters.' }),
        ...branchArgs(t.arg),
      },
      complexity: pageComplexity,
      resolve: ({ id }, args, context, info) =>
        connect<DeliveryRow>(context, info, 'webhook', deliveryList(id, args.status ?? null), args),
    }),
  }),
})

const needsAdmin = 'Needs the permission `admin`.'

builder.queryFields((t) => ({
  webhooks: t.field({
    type: [Webhook],
    description: `The webhooks of the partition, the oldest first. ${needsAdmin}`,
    resolve: async (_root, _args, context): Promise<WebhookRow[]> => {
      demand(context, 'admin')
      return await partition(context).orm.webhook.findMany({ orderBy: { seq: 'asc' }, take: 1000 })
    },
  }),
  webhook: t.field({
    type: Webhook,
    nullable: true,
    description: `One webhook; null when there is none. ${needsAdmin}`,
    args: { id: t.arg.id({ required: true, description: 'The id.' }) },
    resolve: async (_root, { id }, context): Promise<WebhookRow | null> => {
      demand(context, 'admin')
      return isUuid(id) ? await partition(context).orm.webhook.findFirst({ where: { id } }) : null
    },
  }),
}))
