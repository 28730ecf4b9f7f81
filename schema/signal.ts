import { type SignalMet, signal } from '../src/signal.js'
import { demand } from './access.js'
import { builder } from './builder.js'
import { accepted } from './errors.js'
import { idempotencyOf } from './idempotency.js'
import { objectOrNull } from './jsonObject.js'

const SignalInput = builder.inputType('SignalInput', {
  description: 'A signal for all who wait for it.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name that is waited for.' }),
    payload: t.field({ type: 'JSON', description: 'What it carries: an object.' }),
    correlationId: t.string({ description: 'Whom it is for: waiters with this correlation id and those without one.' }),
    holdSeconds: t.int({
      required: true,
      defaultValue: 0,
      description: 'How long it is kept when it meets no waiter: those that come in this time take it, each once.',
    }),
    idempotencyKey: t.string({
      description: 'A repeated call with the same key answers as the first one did; with other input it is refused.',
    }),
  }),
})

const SignalPayload = builder.objectRef<SignalMet>('SignalPayload').implement({
  description: 'What a signal met.',
  fields: (t) => ({
    resumed: t.exposeInt('resumed', { description: 'How many waiters went on.' }),
    started: t.exposeInt('started', { description: 'How many instances it started.' }),
  }),
})

builder.mutationField('signal', (t) =>
  t.field({
    type: SignalPayload,
    description:
      'Wakes all who wait for the signal, then starts what starts on it. Needs the permission `operate` or `work`.',
    args: { input: t.arg({ type: SignalInput, required: true, description: 'The signal.' }) },
    resolve: async (_root, { input }, context) => {
      const actor = demand(context, 'operate', 'work')
      const payload = accepted(context, objectOrNull('payload', input.payload))
      const { name, correlationId, holdSeconds } = input
      const sent = { name, payload, correlationId: correlationId ?? null, holdSeconds }
      return accepted(context, await signal(context.runtime, actor, sent, idempotencyOf('signal', input)))
    },
  }),
)
