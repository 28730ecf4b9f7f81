import type { Webhook as WebhookRow } from '../src/generated/prisma/client.js'
import { createWebhook, deleteWebhook, redeliver, rotateSecret, testWebhook, updateWebhook } from '../src/webhooks.js'
import { demand } from './access.js'
import { builder } from './builder.js'
import { DeletePayload } from './deletePayload.js'
import { accepted } from './errors.js'
import { IdInput } from './idInput.js'
import { Webhook } from './webhook.js'

const WebhookPayload = builder.objectRef<WebhookRow>('WebhookPayload').implement({
  description: 'A webhook that was changed.',
  fields: (t) => ({ webhook: t.field({ type: Webhook, description: 'It.', resolve: (row) => row }) }),
})

const WebhookSecretPayload = builder.objectRef<WebhookRow>('WebhookSecretPayload').implement({
  description: 'A webhook with its secret, which is shown only here.',
  fields: (t) => ({
    webhook: t.field({ type: Webhook, description: 'It.', resolve: (row) => row }),
    secret: t.exposeString('secret', { description: 'What the signatures are checked with: `whsec_…`.' }),
  }),
})

const WebhookDeliveryPayload = builder.objectRef<{ deliveryId: string }>('WebhookDeliveryPayload').implement({
  description: 'A message that is on its way.',
  fields: (t) => ({ deliveryId: t.exposeID('deliveryId', { description: 'The id of the delivery.' }) }),
})

const CreateWebhookInput = builder.inputType('CreateWebhookInput', {
  description: 'Where which events are to be sent.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'http:// or https://, without name and password.' }),
    topics: t.stringList({ description: 'Topics; `*` at the end stands for any rest. All when null.' }),
    description: t.string({ description: 'What it is for.' }),
  }),
})

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'What of a webhook is changed; what is null stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Which one.' }),
    url: t.string({ description: 'Where to.' }),
    topics: t.stringList({ description: 'Which topics.' }),
    description: t.string({ description: 'What it is for.' }),
    enabled: t.boolean({ description: 'False: nothing is sent, and what waits stays.' }),
  }),
})

const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  description: 'Which webhook is given a new secret.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Which one.' }),
    overlapSeconds: t.int({
      description: 'How long messages are signed with the secret before as well: 0 to 604800, by default 86400.',
    }),
  }),
})

const needsAdmin = 'Needs the permission `admin`.'

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: WebhookSecretPayload,
    description: `Registers an endpoint; it is sent what happens from now on. ${needsAdmin}`,
    args: { input: t.arg({ type: CreateWebhookInput, required: true, description: 'Where, and what.' }) },
    resolve: async (_root, { input }, context) => {
      const { url, topics = null, description = null } = input
      const facts = { url, topics, description, enabled: true }
      return accepted(context, await createWebhook(context.runtime, demand(context, 'admin'), facts))
    },
  }),
  updateWebhook: t.field({
    type: WebhookPayload,
    description: `Changes an endpoint, switches it off or on. ${needsAdmin}`,
    args: { input: t.arg({ type: UpdateWebhookInput, required: true, description: 'What.' }) },
    resolve: async (_root, { input }, context) => {
      const { id, url = null, topics = null, description = null, enabled = null } = input
      const facts = { url, topics, description, enabled }
      return accepted(context, await updateWebhook(context.runtime, demand(context, 'admin'), id, facts))
    },
  }),
  deleteWebhook: t.field({
    type: DeletePayload,
    description: `Forgets an endpoint with all that was to be sent to it. ${needsAdmin}`,
    args: { input: t.arg({ type: IdInput, required: true, description: 'Which one.' }) },
    resolve: async (_root, { input }, context) => ({
      deletedId: accepted(context, await deleteWebhook(context.runtime, demand(context, 'admin'), input.id)),
    }),
  }),
  rotateWebhookSecret: t.field({
    type: WebhookSecretPayload,
    description: `Gives an endpoint a new secret; attempts from now on are signed with it, for a time with both. ${needsAdmin}`,
    args: { input: t.arg({ type: RotateWebhookSecretInput, required: true, description: 'Which one.' }) },
    resolve: async (_root, { input }, context) =>
      accepted(
        context,
        await rotateSecret(context.runtime, demand(context, 'admin'), input.id, input.overlapSeconds ?? null),
      ),
  }),
  testWebhook: t.field({
    type: WebhookDeliveryPayload,
    description: `Sends a message of the type webhook.ping. ${needsAdmin}`,
    args: { input: t.arg({ type: IdInput, required: true, description: 'Which webhook.' }) },
    resolve: async (_root, { input }, context) => ({
      deliveryId: accepted(context, await testWebhook(context.runtime, demand(context, 'admin'), input.id)),
    }),
  }),
  redeliverWebhook: t.field({
    type: WebhookDeliveryPayload,
    description: `Sends once more what has arrived or was given up. ${needsAdmin}`,
    args: { input: t.arg({ type: IdInput, required: true, description: 'Which delivery.' }) },
    resolve: async (_root, { input }, context) => ({
      deliveryId: accepted(context, await redeliver(context.runtime, demand(context, 'admin'), input.id)),
    }),
  }),
}))
