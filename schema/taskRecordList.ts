import type { TaskRecord as TaskRecordRow } from '../src/generated/prisma/client.js'
import { nothing } from '../src/persistence/condition.js'
import type { List } from '../src/persistence/page.js'
import { type RecordFilter, recordList } from '../src/persistence/recordList.js'
import { actorOf, demand } from './access.js'
import { builder } from './builder.js'
import { connect } from './connection.js'
import type { Context } from './context.js'
import { TaskAction } from './enums.js'
import { loadersOf } from './loaders.js'
import { pageArgs, pageComplexity } from './paging.js'
import { TaskRecordConnection } from './taskRecord.js'

const TaskRecordFilter = builder.inputType('TaskRecordFilter', {
  description:
    'Which records; all that is given must hold. Without actorId and instanceId: what the viewer did. What another person did needs the permission `operate`.',
  fields: (t) => ({
    actorId: t.id({ description: 'Done by this person.' }),
    instanceId: t.id({ description: 'Of this instance, done by anybody.' }),
    definitionName: t.string({ description: 'In runs of this definition.' }),
    actions: t.field({ type: [TaskAction], description: 'One of these actions; an empty list is none.' }),
    keyword: t.string({
      description:
        'Contained in the title of the task or of its instance, the definition’s name or the correlation id, without regard to case.',
    }),
    from: t.field({ type: 'DateTime', description: 'Done at or after this moment.' }),
    to: t.field({ type: 'DateTime', description: 'Done before this moment.' }),
  }),
})

builder.queryField('taskRecords', (t) =>
  t.field({
    type: TaskRecordConnection,
    description: 'What happened to tasks, the latest first.',
    args: {
      filter: t.arg({ type: TaskRecordFilter, description: 'Which ones; what the viewer did when it is not given.' }),
      ...pageArgs(t.arg),
    },
    complexity: pageComplexity,
    resolve: async (_root, args, context, info) => {
      const list = await recordsAsked(context, args.filter ?? {})
      return connect<TaskRecordRow>(context, info, 'task', list, args)
    },
  }),
)

async function recordsAsked(context: Context, filter: RecordFilter): Promise<List> {
  const { userId } = actorOf(context)
  if (filter.instanceId) {
    const list = recordList(filter)
    return (await loadersOf(context).visibleInstance.load(filter.instanceId)) ? list : { ...list, where: nothing }
  }
  const actorId = filter.actorId ?? userId
  if (actorId !== userId) demand(context, 'operate')
  return recordList({ ...filter, actorId })
}
