import type { TaskCommand } from '../src/engine/command.js'
import { handOver } from '../src/handOver.js'
import { demand } from './access.js'
import { eachItem, itemResult } from './batch.js'
import { builder } from './builder.js'
import { accepted } from './errors.js'
import { act } from './taskCommand.js'
import { TaskPayload, TaskResult } from './taskPayload.js'

const behalfOf = {
  description: 'Whose task it is, where an operator acts for someone; the history names both.',
}

const TransferTaskInput = builder.inputType('TransferTaskInput', {
  description: 'A task and who shall have it.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task.' }),
    toUserId: t.id({ required: true, description: 'The person.' }),
    comment: t.string({ description: 'Why; it stays in the history.' }),
    onBehalfOf: t.id(behalfOf),
  }),
})

const AssigneesInput = builder.inputType('AssigneesInput', {
  description: 'A task and people for its step.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task.' }),
    userIds: t.idList({ required: true, description: 'The people.' }),
    comment: t.string({ description: 'Why; it stays in the history.' }),
    onBehalfOf: t.id(behalfOf),
  }),
})

const TaskCommentInput = builder.inputType('TaskCommentInput', {
  description: 'A task and what is said to it.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task.' }),
    comment: t.string({ description: 'What is said; it stays in the history.' }),
    onBehalfOf: t.id(behalfOf),
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
    onBehalfOf: t.id(behalfOf),
    resubmit: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether the flow comes straight back here once that node is completed again.',
    }),
  }),
})

interface OnTask {
  taskId: string
  comment?: string | null | undefined
  onBehalfOf?: string | null | undefined
}

function onTask({ taskId, comment, onBehalfOf }: OnTask) {
  return { taskId, comment: comment ?? null, onBehalfOfId: onBehalfOf ?? null }
}

type CommentCommand = 'claimTask' | 'releaseTask' | 'urgeTask' | 'commentTask' | 'takeBackTask'

function commentField(type: CommentCommand, description: string): void {
  builder.mutationField(type, (t) =>
    t.field({
      type: TaskPayload,
      description,
      args: { input: t.arg({ type: TaskCommentInput, required: true, description: 'Which one.' }) },
      resolve: async (_root, { input }, context) => accepted(context, await act(context, { type, ...onTask(input) })),
    }),
  )
}

commentField('claimTask', 'Takes a task that several may answer for oneself.')
commentField('releaseTask', 'Gives a claimed task back to all who may answer it.')
commentField('urgeTask', 'Urges whoever holds the task. For the starter, an assignee and those who operate.')
commentField(
  'commentTask',
  'Says something to a task without answering it. For whoever holds it, the starter and those who operate.',
)
commentField(
  'takeBackTask',
  'Takes an answer back by the id of the task that was answered, as long as nobody has acted after it and nothing has left the instance because of it. The task is made again under a new id.',
)

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
        (input) => act(context, { type: 'urgeTask', ...onTask(input) }),
      ),
  }),
)

function transferCommand(input: OnTask & { toUserId: string }): TaskCommand {
  return { type: 'transferTask', ...onTask(input), toUserId: input.toUserId }
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
    resolve: async (_root, { input }, context) =>
      accepted(context, await act(context, { type: 'addAssignees', ...onTask(input), userIds: input.userIds })),
  }),
  removeAssignees: t.field({
    type: TaskPayload,
    description: 'Takes signers off the step of a task who have not answered. Somebody must be left to answer.',
    args: { input: t.arg({ type: AssigneesInput, required: true, description: 'Which one, and whom.' }) },
    resolve: async (_root, { input }, context) =>
      accepted(context, await act(context, { type: 'removeAssignees', ...onTask(input), userIds: input.userIds })),
  }),
  delegateTask: t.field({
    type: TaskPayload,
    description:
      'Has another person answer a task first. His answer comes back to the one who delegated it, who then answers.',
    args: { input: t.arg({ type: TransferTaskInput, required: true, description: 'Which one, to whom.' }) },
    resolve: async (_root, { input }, context) =>
      accepted(context, await act(context, { type: 'delegateTask', ...onTask(input), toUserId: input.toUserId })),
  }),
  returnTask: t.field({
    type: TaskPayload,
    description: 'Sends the case back to an earlier node.',
    args: { input: t.arg({ type: ReturnTaskInput, required: true, description: 'Which one, and where to.' }) },
    resolve: async (_root, { input }, context) => {
      const { toNodeId = null, resubmit } = input
      return accepted(context, await act(context, { type: 'returnTask', ...onTask(input), toNodeId, resubmit }))
    },
  }),
  handOverTasks: t.field({
    type: [TaskResult],
    description:
      'Gives all open tasks of one person to another, each on its own: for somebody who leaves. Needs the permission `operate`.',
    args: {
      fromUserId: t.arg.id({ required: true, description: 'Whose tasks.' }),
      toUserId: t.arg.id({ required: true, description: 'Who shall have them.' }),
      comment: t.arg.string({ description: 'Why; it stays in the history.' }),
    },
    resolve: async (_root, { fromUserId, toUserId, comment }, context) => {
      const actor = demand(context, 'operate')
      const request = { fromUserId, toUserId, comment: comment ?? null }
      return (await handOver(context.runtime, actor, request)).map(({ id, outcome }) => itemResult(id, outcome))
    },
  }),
}))
