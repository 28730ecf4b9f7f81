import type { TaskCommand } from '../src/engine/command.js'
import { eachItem } from './batch.js'
import { builder } from './builder.js'
import { accepted } from './errors.js'
import { act } from './taskCommand.js'
import { TaskPayload, TaskResult } from './taskPayload.js'

const TransferTaskInput = builder.inputType('TransferTaskInput', {
  description: 'A task and who shall have it.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task.' }),
    toUserId: t.id({ required: true, description: 'The person.' }),
    comment: t.string({ description: 'Why; it stays in the history.' }),
  }),
})

const AssigneesInput = builder.inputType('AssigneesInput', {
  description: 'A task and people for its step.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task.' }),
    userIds: t.idList({ required: true, description: 'The people.' }),
    comment: t.string({ description: 'Why; it stays in the history.' }),
  }),
})

const TaskCommentInput = builder.inputType('TaskCommentInput', {
  description: 'A task and what is said to it.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task.' }),
    comment: t.string({ description: 'What is said; it stays in the history.' }),
  }),
})

const ReturnTaskInput = builder.inputType('ReturnTaskInput', {
  description: 'A task that is sent back.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task.' }),
    toNodeId: t.id({
      description: 'The node to go back to; by default the last completed user task before this one.',
    }),
    comment: t.string({ description: 'Why; it stays in the history.' }),
    resubmit: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether the flow comes straight back here once that node is completed again.',
    }),
  }),
})

function commentField(name: string, description: string, type: 'claimTask' | 'releaseTask' | 'urgeTask'): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: TaskPayload,
      description,
      args: { input: t.arg({ type: TaskCommentInput, required: true, description: 'Which one.' }) },
      resolve: async (_root, { input: { taskId, comment } }, context) =>
        accepted(context, await act(context, { type, taskId, comment: comment ?? null })),
    }),
  )
}

commentField('claimTask', 'Takes a task that several may answer for oneself.', 'claimTask')
commentField('releaseTask', 'Gives a claimed task back to all who may answer it.', 'releaseTask')
commentField('urgeTask', 'Urges whoever holds the task. For the starter and those who operate.', 'urgeTask')

builder.mutationField('urgeTasks', (t) =>
  t.field({
    type: [TaskResult],
    description: 'The same for up to 100 tasks, each on its own, in order.',
    args: { inputs: t.arg({ type: [TaskCommentInput], required: true, description: 'Which ones.' }) },
    resolve: (_root, { inputs }, context) =>
      eachItem(
        context,
        inputs,
        (input) => input.taskId,
        ({ taskId, comment }) => act(context, { type: 'urgeTask', taskId, comment: comment ?? null }),
      ),
  }),
)

interface Transfer {
  taskId: string
  toUserId: string
  comment?: string | null | undefined
}

function transferCommand({ taskId, toUserId, comment }: Transfer): TaskCommand {
  return { type: 'transferTask', taskId, toUserId, comment: comment ?? null }
}

builder.mutationFields((t) => ({
  transferTask: t.field({
    type: TaskPayload,
    description: 'Gives a task to another person for good.',
    args: { input: t.arg({ type: TransferTaskInput, required: true, description: 'Which one, to whom.' }) },
    resolve: async (_root, { input }, context) => accepted(context, await act(context, transferCommand(input))),
  }),
  transferTasks: t.field({
    type: [TaskResult],
    description: 'The same for up to 100 tasks, each on its own, in order.',
    args: { inputs: t.arg({ type: [TransferTaskInput], required: true, description: 'Which ones, to whom.' }) },
    resolve: (_root, { inputs }, context) =>
      eachItem(
        context,
        inputs,
        (input) => input.taskId,
        (input) => act(context, transferCommand(input)),
      ),
  }),
  addAssignees: t.field({
    type: TaskPayload,
    description: 'Adds signers to the step of a task.',
    args: { input: t.arg({ type: AssigneesInput, required: true, description: 'Which one, and whom.' }) },
    resolve: async (_root, { input: { taskId, userIds, comment } }, context) =>
      accepted(context, await act(context, { type: 'addAssignees', taskId, userIds, comment: comment ?? null })),
  }),
  returnTask: t.field({
    type: TaskPayload,
    description: 'Sends the case back to an earlier node.',
    args: { input: t.arg({ type: ReturnTaskInput, required: true, description: 'Which one, and where to.' }) },
    resolve: async (_root, { input: { taskId, toNodeId, comment, resubmit } }, context) => {
      const command = {
        type: 'returnTask',
        taskId,
        comment: comment ?? null,
        toNodeId: toNodeId ?? null,
        resubmit,
      } as const
      return accepted(context, await act(context, command))
    },
  }),
}))
