import type { Bookmark as BookmarkRow } from '../src/generated/prisma/client.js'
import { nothing } from '../src/persistence/condition.js'
import type { List } from '../src/persistence/page.js'
import { type TaskFilter as Filter, taskList } from '../src/persistence/taskList.js'
import { isStorable } from '../src/persistence/text.js'
import { actorOf, demand, keysOf, now, partition, readerOf } from './access.js'
import { builder } from './builder.js'
import { addEventCursor, connect, connectionType } from './connection.js'
import type { Context } from './context.js'
import { SortDirection } from './enums.js'
import { loadersOf } from './loaders.js'
import { checkedSorts, pageArgs, pageComplexity } from './paging.js'
import { Task } from './task.js'

const TaskConnection = connectionType<BookmarkRow>('Task', Task, 'tasks')
addEventCursor(TaskConnection)

const TaskFilter = builder.inputType('TaskFilter', {
  description:
    'Which tasks; all that is given must hold. Without assigneeId and instanceId: the viewer’s own inbox. Another person’s needs the permission `operate`.',
  fields: (t) => ({
    assigneeId: t.id({ description: 'What this person is asked, by name or as one of a group.' }),
    instanceId: t.id({ description: 'What this instance asks anybody.' }),
    definitionName: t.string({ description: 'Asked by runs of this definition.' }),
    nodeId: t.id({ description: 'Asked by this node.' }),
    keyword: t.string({
      description:
        'Contained in the title of the task or of its instance, the definition’s name or the correlation id, without regard to case.',
    }),
    createdFrom: t.field({ type: 'DateTime', description: 'Asked at or after this moment.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Asked before this moment.' }),
    dueBefore: t.field({ type: 'DateTime', description: 'Due before this moment.' }),
    overdue: t.boolean({ description: 'Whether they are overdue or not.' }),
  }),
})

const TaskSortField = builder.enumType('TaskSortField', {
  description: 'What tasks can be ordered by.',
  values: {
    CREATED_AT: { description: 'When it was asked.' },
    DUE_AT: { description: 'By when an answer is wanted; null where it does not matter.' },
    PRIORITY: { description: 'The priority; null where it has none.' },
    TITLE: { description: 'The first 256 characters of the title.' },
  } as const,
})

const TaskSort = builder.inputType('TaskSort', {
  description: 'One sort of a list of tasks.',
  fields: (t) => ({
    field: t.field({ type: TaskSortField, required: true, description: 'What to order by.' }),
    direction: t.field({ type: SortDirection, required: true, defaultValue: 'ASC', description: 'Which end first.' }),
  }),
})

builder.queryFields((t) => ({
  task: t.field({
    type: Task,
    nullable: true,
    description: 'One open task; null when it does not exist (any more) or the caller may not see its instance.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }) },
    resolve: async (_root, { id }, context) => {
      const loaders = loadersOf(context)
      const found = await loaders.task.load(id)
      return found?.instanceId && (await loaders.visibleInstance.load(found.instanceId)) ? found : null
    },
  }),
  tasks: t.field({
    type: TaskConnection,
    description: 'Open tasks of running instances.',
    args: {
      filter: t.arg({ type: TaskFilter, description: 'Which ones; the viewer’s own inbox when it is not given.' }),
      sorts: t.arg({ type: [TaskSort], description: 'Up to 4 sorts, each field once. By default the oldest first.' }),
      ...pageArgs(t.arg),
    },
    complexity: pageComplexity,
    resolve: async (_root, args, context, info) => {
      const sorts = checkedSorts(context, 'task', 4, args.sorts)
      const filter: TaskArguments = args.filter ?? {}
      const list = taskList(filter, sorts, await keysAsked(context, filter), now(context))
      return connect<BookmarkRow>(context, info, 'task', await withinSight(context, filter, list), args)
    },
  }),
}))

interface TaskArguments extends Filter {
  assigneeId?: string | null | undefined
}

/** Whose tasks are asked for; null for everybody's in one instance. */
async function keysAsked(context: Context, { assigneeId, instanceId }: TaskArguments): Promise<string[] | null> {
  const actor = actorOf(context)
  if (assigneeId === null || assigneeId === undefined) return instanceId ? null : keysOf(actor.userId, actor.groups)
  if (assigneeId === actor.userId) return keysOf(actor.userId, actor.groups)
  demand(context, 'operate')
  return await keysOfPerson(context, assigneeId)
}

/** Another person's groups are those of the directory. */
async function keysOfPerson(context: Context, userId: string): Promise<string[]> {
  if (!isStorable(userId)) return []
  const found = await partition(context).orm.user.findMany({ where: { id: userId }, select: { groups: true } })
  return keysOf(userId, found[0]?.groups ?? [])
}

/** The tasks of an instance are for those who see the instance. */
async function withinSight(context: Context, { instanceId }: TaskArguments, list: List): Promise<List> {
  if (!instanceId || readerOf(context).seesAll) return list
  return (await loadersOf(context).visibleInstance.load(instanceId)) ? list : { ...list, where: nothing }
}
