import { handle } from '../src/handle.js'
import { readStart } from '../src/startRequest.js'
import { actorOf } from './access.js'
import { builder } from './builder.js'
import { ReusePolicy } from './enums.js'
import { accepted } from './errors.js'
import { idempotencyOf } from './idempotency.js'
import { InstancePayload } from './instancePayload.js'

const StartInstanceInput = builder.inputType('StartInstanceInput', {
  description: 'What to start. Give name (and version, else the newest published one) or definitionId.',
  fields: (t) => ({
    name: t.string({ description: 'The name of the definition.' }),
    version: t.int({ description: 'Its version; the newest published one when it is not given.' }),
    definitionId: t.id({ description: 'The version of the definition by its id, instead of the name.' }),
    variables: t.field({ type: 'JSON', description: 'The variables to start with: an object.' }),
    correlationId: t.string({ description: 'The business key: signals and reuse go by it.' }),
    reusePolicy: t.field({
      type: ReusePolicy,
      required: true,
      defaultValue: 'ALLOW_DUPLICATE',
      description: 'What to do when an unfinished instance has the same correlation id.',
    }),
    startAt: t.field({
      type: 'DateTime',
      description: 'When it shall begin: until then it waits at its start. A time that has passed is now.',
    }),
    displayName: t.string({ description: 'The title; else that of the definition.' }),
    instanceId: t.id({ description: 'The id that the instance shall have: a UUID; else a new one.' }),
    idempotencyKey: t.string({
      description:
        'A repeated call with the same key answers with the first call’s instance; with other input it is refused.',
    }),
  }),
})

builder.mutationField('startInstance', (t) =>
  t.field({
    type: InstancePayload,
    description: 'Starts an instance of a published definition and runs it until it waits or ends.',
    args: { input: t.arg({ type: StartInstanceInput, required: true, description: 'What to start.' }) },
    resolve: async (_root, { input }, context) => {
      const actor = actorOf(context)
      const { definition, command } = accepted(context, readStart(input, actor.userId))
      const options = { definition, reusePolicy: input.reusePolicy, idempotency: idempotencyOf('startInstance', input) }
      return accepted(context, await handle(context.runtime, actor, command, options))
    },
  }),
)
