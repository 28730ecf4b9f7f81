import { isRefusal, type Json, type Refusal } from '../src/engine/model.js'
import type { Handled } from '../src/handle.js'
import { eachItem } from './batch.js'
import { builder } from './builder.js'
import type { Context } from './context.js'
import { accepted } from './errors.js'
import { idempotencyOf } from './idempotency.js'
import { objectOrNull } from './jsonObject.js'
import { act } from './taskCommand.js'
import { TaskPayload, TaskResult } from './taskPayload.js'

const revisionText = 'Refuse (WORKFLOW_CONFLICT_006) if the instance has changed since it was read at this revision.'
const keyText =
  'A repeated call with the same key answers with the first call’s instance; with other input it is refused.'
const behalfText = 'Whose task it is, where an operator answers it for someone; the history names both.'

const CompleteTaskInput = builder.inputType('CompleteTaskInput', {
  description: 'An answer to a task.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task.' }),
    outcome: t.string({ required: true, description: 'One of its allowed outcomes.' }),
    comment: t.string({ description: 'What is said to it; it stays in the history.' }),
    variables: t.field({ type: 'JSON', description: 'Variables to set: an object.' }),
    onBehalfOf: t.id({ description: behalfText }),
    expectedRevision: t.int({ description: revisionText }),
    idempotencyKey: t.string({ description: keyText }),
  }),
})

const ApproveTaskInput = builder.inputType('ApproveTaskInput', {
  description: 'A yes or no to a task.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task.' }),
    comment: t.string({ description: 'What is said to it; it stays in the history.' }),
    variables: t.field({ type: 'JSON', description: 'Variables to set: an object.' }),
    onBehalfOf: t.id({ description: behalfText }),
    expectedRevision: t.int({ description: revisionText }),
    idempotencyKey: t.string({ description: keyText }),
  }),
})

interface Answer {
  taskId: string
  comment?: string | null | undefined
  variables?: Json | undefined
  onBehalfOf?: string | null | undefined
  expectedRevision?: number | null | undefined
  idempotencyKey?: string | null | undefined
}

async function answer(context: Context, operation: string, input: Answer, outcome: string): Promise<Handled | Refusal> {
  const variables = objectOrNull('variables', input.variables)
  if (isRefusal(variables)) return variables
  return await act(
    context,
    {
      type: 'completeTask',
      taskId: input.taskId,
      outcome,
      comment: input.comment ?? null,
      variables: variables ?? {},
      onBehalfOfId: input.onBehalfOf ?? null,
    },
    { expectedRevision: input.expectedRevision ?? null, idempotency: idempotencyOf(operation, input) },
  )
}

function answerField(name: 'approveTask' | 'rejectTask', description: string, outcome: string): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: TaskPayload,
      description,
      args: { input: t.arg({ type: ApproveTaskInput, required: true, description: 'The task.' }) },
      resolve: async (_root, { input }, context) => accepted(context, await answer(context, name, input, outcome)),
    }),
  )
}

answerField('approveTask', 'Answers a task with `approved`.', 'approved')
answerField('rejectTask', 'Answers a task with `rejected`.', 'rejected')

builder.mutationFields((t) => ({
  completeTask: t.field({
    type: TaskPayload,
    description: 'Answers a task with any of its allowed outcomes.',
    args: { input: t.arg({ type: CompleteTaskInput, required: true, description: 'The answer.' }) },
    resolve: async (_root, { input }, context) =>
      accepted(context, await answer(context, 'completeTask', input, input.outcome)),
  }),
  completeTasks: t.field({
    type: [TaskResult],
    description: 'The same for up to 100 tasks, each on its own, in order.',
    args: { inputs: t.arg({ type: [CompleteTaskInput], required: true, description: 'The answers.' }) },
    resolve: (_root, { inputs }, context) =>
      eachItem(
        context,
        inputs,
        (input) => input.taskId,
        (input) => answer(context, 'completeTask', input, input.outcome),
      ),
  }),
}))
