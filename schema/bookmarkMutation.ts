import { handle } from '../src/handle.js'
import { isUuid } from '../src/persistence/text.js'
import { demand } from './access.js'
import { builder } from './builder.js'
import { accepted, bookmarkNotFound, refusalError } from './errors.js'
import { InstancePayload } from './instancePayload.js'
import { objectOrNull } from './jsonObject.js'

const ResumeBookmarkInput = builder.inputType('ResumeBookmarkInput', {
  description: 'What shall go on, as if what it waits for had come.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The bookmark.' }),
    inputs: t.field({
      type: 'JSON',
      description:
        'What came, an object: the payload of a signal, the outcome, comment and variables of a task, variables else.',
    }),
    expectedKey: t.string({ description: 'Refuse (WORKFLOW_CONFLICT_003) when the bookmark has another key.' }),
  }),
})

builder.mutationField('resumeBookmark', (t) =>
  t.field({
    type: InstancePayload,
    description:
      'Resumes what an instance waits for. A task without an outcome is not approved but issued again under a new id. Needs the permission `operate`.',
    args: { input: t.arg({ type: ResumeBookmarkInput, required: true, description: 'Which one, with what.' }) },
    resolve: async (_root, { input }, context) => {
      const actor = demand(context, 'operate')
      const inputs = accepted(context, objectOrNull('inputs', input.inputs)) ?? {}
      const bookmarkId = input.id
      if (!isUuid(bookmarkId)) throw refusalError(context, bookmarkNotFound(bookmarkId))
      const command = { type: 'resumeBookmark', bookmarkId, inputs, expectedKey: input.expectedKey ?? null } as const
      return accepted(context, await handle(context.runtime, actor, command))
    },
  }),
)
