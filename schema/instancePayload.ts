import type { Handled } from '../src/handle.js'
import type { ItemResult } from './batch.js'
import { builder } from './builder.js'
import { Instance } from './instance.js'
import { WorkflowError } from './workflowError.js'

/** The instance after a command. */
export const InstancePayload = builder.objectRef<Handled>('InstancePayload').implement({
  description: 'An instance as it stands now.',
  fields: (t) => ({
    instance: t.field({ type: Instance, description: 'The instance.', resolve: ({ instance }) => instance }),
  }),
})

/** What became of one instance of a batch. */
export const InstanceResult = builder.objectRef<ItemResult<Handled>>('InstanceResult').implement({
  description: 'What became of one item of a batch.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id that was given.' }),
    instance: t.field({
      type: Instance,
      nullable: true,
      description: 'The instance as it stands now; null when the item was refused.',
      resolve: ({ value }) => value?.instance,
    }),
    error: t.field({
      type: WorkflowError,
      nullable: true,
      description: 'Why the item was refused; null when it was not.',
      resolve: ({ error }) => error,
    }),
  }),
})
