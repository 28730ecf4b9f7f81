import { purgeInstances } from '../src/purge.js'
import { demand } from './access.js'
import { builder } from './builder.js'
import { InstanceStatus } from './enums.js'
import { accepted } from './errors.js'

const PurgeInstancesInput = builder.inputType('PurgeInstancesInput', {
  description: 'Which ended instances are removed.',
  fields: (t) => ({
    endedBefore: t.field({ type: 'DateTime', required: true, description: 'Only what ended before this moment.' }),
    statuses: t.field({ type: [InstanceStatus], description: 'Only these ways to have ended; else all.' }),
    definitionName: t.string({ description: 'Only instances of this definition.' }),
    limit: t.int({ required: true, defaultValue: 1000, description: 'The most instances to remove: 1 to 1000.' }),
  }),
})

const PurgePayload = builder.objectRef<{ purged: number }>('PurgePayload').implement({
  description: 'What was removed.',
  fields: (t) => ({
    purged: t.exposeInt('purged', { description: 'How many instances are gone, the children of others included.' }),
  }),
})

builder.mutationField('purgeInstances', (t) =>
  t.field({
    type: PurgePayload,
    description:
      'Removes ended instances, the oldest first, with everything that belongs to them. Children go with the instance that started them, once all have ended. Needs the permission `operate`.',
    args: { input: t.arg({ type: PurgeInstancesInput, required: true, description: 'Which ones.' }) },
    resolve: async (_root, { input }, context) => {
      const { tenantId } = demand(context, 'operate')
      const { statuses = null, definitionName = null, limit } = input
      const request = { endedBefore: input.endedBefore.getTime(), statuses, definitionName, limit }
      return { purged: accepted(context, await purgeInstances(context.runtime, tenantId, request)) }
    },
  }),
)
