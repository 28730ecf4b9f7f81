import type { Event as EventRow } from '../src/generated/prisma/client.js'
import { builder } from './builder.js'
import { Instance } from './instance.js'
import { loadersOf } from './loaders.js'
import { Task } from './task.js'
import { User } from './user.js'

/** An event of an instance, with the cursor to resume after it. */
export type WatchedEvent = Pick<EventRow, 'id' | 'type' | 'at' | 'actorId' | 'nodeId' | 'taskId' | 'data'> & {
  instanceId: string
  cursor: string
}

const WorkflowEvent = builder.interfaceRef<WatchedEvent>('WorkflowEvent').implement({
  description: 'Something that happened to an instance.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    cursor: t.exposeString('cursor', { description: 'Give it to `after` to go on behind this event.' }),
    type: t.exposeString('type', { description: 'The topic: workflow.task.created …' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    actor: t.field({
      type: User,
      nullable: true,
      description: 'Who did it; null for the engine.',
      resolve: ({ actorId }) => actorId,
    }),
    instanceId: t.exposeID('instanceId', { description: 'The instance.' }),
    data: t.field({
      type: 'JSON',
      nullable: true,
      description: 'More facts, by topic.',
      resolve: (event) => event.data,
    }),
  }),
})

/** An event that concerns a task. */
export const TaskEvent = builder.objectRef<WatchedEvent & { taskId: string }>('TaskEvent')

builder.objectType(TaskEvent, {
  description: 'Something that happened to a task of the viewer.',
  interfaces: [WorkflowEvent],
  fields: (t) => ({
    taskId: t.exposeID('taskId', { description: 'The task.' }),
    task: t.field({
      type: Task,
      nullable: true,
      description: 'Null once the task is closed.',
      resolve: ({ taskId }, _args, context) => loadersOf(context).task.load(taskId),
    }),
    instance: t.field({
      type: Instance,
      nullable: true,
      description: 'The instance as it stands now; null where it is gone.',
      resolve: ({ instanceId }, _args, context) => loadersOf(context).visibleInstance.load(instanceId),
    }),
  }),
})

/** An event that concerns an instance. */
export const InstanceEvent = builder.objectRef<WatchedEvent>('InstanceEvent')

builder.objectType(InstanceEvent, {
  description: 'Something that happened to an instance.',
  interfaces: [WorkflowEvent],
  fields: (t) => ({
    nodeId: t.exposeID('nodeId', { nullable: true, description: 'The node that it is about.' }),
    taskId: t.exposeID('taskId', { nullable: true, description: 'The task that it is about.' }),
    instance: t.field({
      type: Instance,
      nullable: true,
      description: 'The instance as it stands now; null where it is gone.',
      resolve: ({ instanceId }, _args, context) => loadersOf(context).visibleInstance.load(instanceId),
    }),
  }),
})
