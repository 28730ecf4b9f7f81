import { builder } from './builder.js'

export const DeletePayload = builder.objectRef<{ deletedId: string }>('DeletePayload').implement({
  description: 'What was deleted.',
  fields: (t) => ({ deletedId: t.exposeID('deletedId', { description: 'The id that is gone.' }) }),
})
