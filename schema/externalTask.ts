import {
  completeExternalTask,
  extendExternalTaskLock,
  failExternalTask,
  fetchExternalTasks,
  storableError,
} from '../src/externalTasks.js'
import type { LockedTask } from '../src/persistence/locks.js'
import { demand } from './access.js'
import { builder } from './builder.js'
import { accepted } from './errors.js'
import { cleansInput } from './guard.js'
import { Instance } from './instance.js'
import { InstancePayload } from './instancePayload.js'
import { objectOrNull } from './jsonObject.js'
import { loadersOf } from './loaders.js'

const ExternalTask = builder.objectRef<LockedTask>('ExternalTask').implement({
  description: 'A piece of work under the lock of the worker that fetched it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    topic: t.exposeString('topic', { description: 'What workers fetch it by.' }),
    payload: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the worker needs to know.',
      resolve: ({ payload }) => payload.payload ?? null,
    }),
    attempt: t.int({
      description: '1, and one more with each failure that asked for another try.',
      resolve: ({ payload }) => Number(payload.attempt),
    }),
    instance: t.field({
      type: Instance,
      description: 'The instance that waits for it.',
      resolve: async ({ instanceId }, _args, context) => {
        const found = await loadersOf(context).instance.load(instanceId)
        if (!found) throw new Error(`instance ${instanceId} is gone`)
        return found
      },
    }),
    lockedUntil: t.expose('lockedUntil', { type: 'DateTime', description: 'When the lock ends.' }),
  }),
})

const ExternalTasksPayload = builder.objectRef<{ tasks: LockedTask[] }>('ExternalTasksPayload').implement({
  description: 'What a fetch came back with.',
  fields: (t) => ({
    tasks: t.field({
      type: [ExternalTask],
      description: 'The tasks, the oldest first. None does not mean that there are none.',
      resolve: ({ tasks }) => tasks,
    }),
  }),
})

const FetchExternalTasksInput = builder.inputType('FetchExternalTasksInput', {
  description: 'What a worker asks for.',
  fields: (t) => ({
    topic: t.string({ required: true, description: 'The topic.' }),
    workerId: t.string({ required: true, description: 'Who locks the tasks: it is named again with each of them.' }),
    lockSeconds: t.int({ required: true, description: 'How long the tasks are locked; from 1.' }),
    maxTasks: t.int({ required: true, defaultValue: 1, description: 'How many at most: 1 to 100.' }),
    waitSeconds: t.int({
      required: true,
      defaultValue: 0,
      description: 'How long to wait for a task where there is none: 0 to 60.',
    }),
  }),
})

const CompleteExternalTaskInput = builder.inputType('CompleteExternalTaskInput', {
  description: 'A task that is done.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The task.' }),
    workerId: t.string({ required: true, description: 'Who holds its lock.' }),
    variables: t.field({ type: 'JSON', description: 'What goes into the variables of the instance: an object.' }),
  }),
})

const FailExternalTaskInput = builder.inputType('FailExternalTaskInput', {
  description: 'A task that could not be done.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The task.' }),
    workerId: t.string({ required: true, description: 'Who holds its lock.' }),
    error: t.string({ required: true, description: 'What went wrong; characters that cannot be stored are replaced.' }),
    retryAfterSeconds: t.int({
      description: 'When it can be fetched again. Without it the node fails, by its retry policy.',
    }),
  }),
})

const ExtendExternalTaskLockInput = builder.inputType('ExtendExternalTaskLockInput', {
  description: 'A lock that shall last longer.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The task.' }),
    workerId: t.string({ required: true, description: 'Who holds its lock.' }),
    lockSeconds: t.int({ required: true, description: 'How long from now; from 1.' }),
  }),
})

const needsWork = 'Needs the permission `work`.'

builder.mutationFields((t) => ({
  fetchExternalTasks: t.field({
    type: ExternalTasksPayload,
    description: `Fetches and locks tasks of a topic. ${needsWork}`,
    args: { input: t.arg({ type: FetchExternalTasksInput, required: true, description: 'What is wanted.' }) },
    resolve: async (_root, { input }, context) => {
      const actor = demand(context, 'work')
      return { tasks: accepted(context, await fetchExternalTasks(context.runtime, actor, input, context.isAwaited)) }
    },
  }),
  completeExternalTask: t.field({
    type: InstancePayload,
    description: `Completes a task that the worker holds. ${needsWork}`,
    args: { input: t.arg({ type: CompleteExternalTaskInput, required: true, description: 'The task.' }) },
    resolve: async (_root, { input }, context) => {
      const actor = demand(context, 'work')
      const variables = accepted(context, objectOrNull('variables', input.variables)) ?? {}
      return accepted(context, await completeExternalTask(context.runtime, actor, { ...input, variables }))
    },
  }),
  failExternalTask: t.field({
    type: InstancePayload,
    description: `Reports that a task could not be done. ${needsWork}`,
    args: { input: t.arg({ type: FailExternalTaskInput, required: true, description: 'The task, and why.' }) },
    extensions: cleansInput('error', storableError),
    resolve: async (_root, { input }, context) => {
      const actor = demand(context, 'work')
      const failed = { ...input, retryAfterSeconds: input.retryAfterSeconds ?? null }
      return accepted(context, await failExternalTask(context.runtime, actor, failed))
    },
  }),
  extendExternalTaskLock: t.field({
    type: ExternalTask,
    description: `Makes the lock of a task last longer. ${needsWork}`,
    args: { input: t.arg({ type: ExtendExternalTaskLockInput, required: true, description: 'The lock.' }) },
    resolve: async (_root, { input }, context) =>
      accepted(context, await extendExternalTaskLock(context.runtime, demand(context, 'work'), input)),
  }),
}))
