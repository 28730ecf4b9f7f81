import type { Handled } from '../src/handle.js'
import { readerOf } from './access.js'
import type { ItemResult } from './batch.js'
import { builder } from './builder.js'
import type { Context } from './context.js'
import { Instance } from './instance.js'
import { loadersOf } from './loaders.js'
import { Task } from './task.js'
import { WorkflowError } from './workflowError.js'

/** An instance after a command on one of its tasks. */
export const TaskPayload = builder.objectRef<Handled>('TaskPayload').implement({
  description: 'What came of acting on a task.',
  fields: (t) => ({
    instance: t.field({
      type: Instance,
      description: 'The instance as it stands now.',
      resolve: ({ instance }) => instance,
    }),
    task: t.field({
      type: Task,
      nullable: true,
      description: 'The task as it stands now; null when it is closed.',
      resolve: (handled, _args, context) => taskNow(context, handled),
    }),
    nextTasks: t.field({
      type: [Task],
      description: 'What the caller can act on next in the same instance.',
      resolve: async ({ instance }, _args, context) => {
        if (instance.status !== 'RUNNING') return []
        const { keys } = readerOf(context)
        const bookmarks = await loadersOf(context).bookmarks.load(instance.id)
        return bookmarks.filter(({ kind, key }) => kind === 'USER_TASK' && key !== null && keys.includes(key))
      },
    }),
  }),
})

/** What became of one task of a batch. */
export const TaskResult = builder.objectRef<ItemResult<Handled>>('TaskResult').implement({
  description: 'What became of one item of a batch.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the task that was given.' }),
    instance: t.field({
      type: Instance,
      nullable: true,
      description: 'The instance as it stands now; null when the item was refused.',
      resolve: ({ value }) => value?.instance,
    }),
    task: t.field({
      type: Task,
      nullable: true,
      description: 'The task as it stands now; null when it is closed or the item was refused.',
      resolve: ({ value }, _args, context) => value && taskNow(context, value),
    }),
    error: t.field({
      type: WorkflowError,
      nullable: true,
      description: 'Why the item was refused; null when it was not.',
      resolve: ({ error }) => error,
    }),
  }),
})

function taskNow(context: Context, { taskId }: Handled) {
  return taskId === null ? null : loadersOf(context).task.load(taskId)
}
