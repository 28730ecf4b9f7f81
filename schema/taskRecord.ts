import type { TaskRecord as TaskRecordRow } from '../src/generated/prisma/client.js'
import { builder } from './builder.js'
import { connectionType } from './connection.js'
import { TaskAction } from './enums.js'
import { shownFields } from './hiddenFields.js'
import { Instance } from './instance.js'
import { loadersOf } from './loaders.js'
import { User } from './user.js'

/** One thing that happened to a task: a row that is never changed. */
export const TaskRecord = builder.prismaObject('TaskRecord', {
  description: 'One thing that happened to a task, kept for good.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    taskId: t.exposeID('taskId', { nullable: true, description: 'The task; null where a rule answered without one.' }),
    action: t.expose('action', { type: TaskAction, description: 'What happened.' }),
    outcome: t.exposeString('outcome', { nullable: true, description: 'What was answered.' }),
    comment: t.exposeString('comment', { nullable: true, description: 'What was said to it.' }),
    actor: t.field({
      type: User,
      nullable: true,
      description: 'Who did it; null for the engine.',
      resolve: ({ actorId }) => actorId,
    }),
    onBehalfOf: t.field({
      type: User,
      nullable: true,
      description: 'For whom it was done, where that is another.',
      resolve: ({ onBehalfOfId }) => onBehalfOfId,
    }),
    assignee: t.field({
      type: User,
      nullable: true,
      description: 'Whose task it was; null where it was a group’s.',
      resolve: ({ assigneeId }) => (assigneeId?.startsWith('group:') ? null : assigneeId),
    }),
    target: t.field({
      type: User,
      nullable: true,
      description: 'To whom it went, or who was added.',
      resolve: ({ targetId }) => targetId,
    }),
    nodeId: t.exposeID('nodeId', { description: 'The node that asked.' }),
    nodeTitle: t.exposeString('nodeTitle', { description: 'The title of that node at the time.' }),
    targetNodeIds: t.idList({ description: 'Where the flow went from here.', resolve: (row) => row.targetNodeIds }),
    variables: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The variables at that moment, without those that are hidden from the caller.',
      resolve: ({ instanceId, variables }, _args, context) => shownFields(context, instanceId, variables),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    durationMs: t.float({
      nullable: true,
      description: 'How long the task had been open, in milliseconds.',
      resolve: ({ durationMs }) => (durationMs === null ? null : Number(durationMs)),
    }),
  }),
})

/** Pages of the history of tasks. */
export const TaskRecordConnection = connectionType<TaskRecordRow>('TaskRecord', TaskRecord, 'task records')

builder.prismaObjectField(TaskRecord, 'instance', (t) =>
  t.field({
    type: Instance,
    description: 'The instance that it happened in.',
    resolve: async ({ instanceId }, _args, context) => {
      const found = await loadersOf(context).instance.load(instanceId)
      if (!found) throw new Error(`instance ${instanceId} is gone`)
      return found
    },
  }),
)
