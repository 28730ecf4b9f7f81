import type {
  Bookmark as BookmarkRow,
  Instance as InstanceRow,
  NodeInstance as NodeInstanceRow,
  TaskRecord as TaskRecordRow,
} from '../src/generated/prisma/client.js'
import { renderMessage } from '../src/messages/render.js'
import { Bookmark } from './bookmark.js'
import { branch } from './branch.js'
import { builder } from './builder.js'
import { connectionType } from './connection.js'
import { Definition } from './definition.js'
import { InstanceStatus } from './enums.js'
import { Fault, storedFault } from './fault.js'
import { shownFields } from './hiddenFields.js'
import { loadersOf } from './loaders.js'
import { NodeInstanceConnection } from './nodeInstance.js'
import { branchArgs, pageComplexity } from './paging.js'
import { Task } from './task.js'
import { TaskRecordConnection } from './taskRecord.js'
import { User } from './user.js'

/** One run of a definition: a row. */
export const Instance = builder.prismaObject('Instance', {
  description: 'One run of a definition.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    definitionName: t.exposeString('definitionName', { description: 'The name of the definition.' }),
    definitionVersion: t.exposeInt('definitionVersion', { description: 'The version that it runs on.' }),
    title: t.exposeString('title', { description: 'What the lists show.' }),
    status: t.expose('status', { type: InstanceStatus, description: 'Where it stands in its life.' }),
    statusName: t.string({
      description: 'The status in the caller’s language.',
      resolve: ({ status }, _args, { locale }) =>
        renderMessage(locale, `workflow.instance_status.${status.toLowerCase()}`, {}),
    }),
    outcome: t.exposeString('outcome', { nullable: true, description: 'What it came to, given by its end.' }),
    correlationId: t.exposeString('correlationId', {
      nullable: true,
      description: 'The business key it was started with.',
    }),
    starter: t.field({
      type: User,
      nullable: true,
      description: 'Who started it; null for a signal or a schedule.',
      resolve: ({ starterId }) => starterId,
    }),
    variables: t.field({
      type: 'JSON',
      description:
        'Its variables as they are now, without those that its steps hide (`FormFields`) and that no step of the caller’s own shows. Operators see all.',
      resolve: ({ id, variables }, _args, context) => shownFields(context, id, variables),
    }),
    revision: t.exposeInt('revision', {
      description: 'Goes up by one with every committed change; see expectedRevision.',
    }),
    fault: t.field({
      type: Fault,
      nullable: true,
      description: 'Why it failed; null when it did not.',
      resolve: (row) => storedFault(row.fault),
    }),
    faultNodeId: t.exposeID('faultNodeId', { nullable: true, description: 'The node that failed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it ended; null before that.' }),
  }),
})

/** Pages of instances. */
export const InstanceConnection = connectionType<InstanceRow>('Instance', Instance, 'instances')

builder.prismaObjectFields(Instance, (t) => ({
  definition: t.field({
    type: Definition,
    description: 'The version of the definition that it runs on.',
    resolve: async ({ definitionId }, _args, context) => {
      const found = await loadersOf(context).definition.load(definitionId)
      if (!found) throw new Error(`definition ${definitionId} is gone`)
      return found
    },
  }),
  parent: t.field({
    type: Instance,
    nullable: true,
    description: 'The instance that started this one as a step; null at the top or where the caller may not see it.',
    resolve: ({ parentId }, _args, context) =>
      parentId === null ? null : loadersOf(context).visibleInstance.load(parentId),
  }),
  bookmarks: t.field({
    type: [Bookmark],
    description: 'What the instance waits for.',
    resolve: (row, _args, context) => loadersOf(context).bookmarks.load(row.id),
  }),
  tasks: t.field({
    type: [Task],
    description: 'Its open tasks, the oldest first.',
    resolve: async (row, _args, context): Promise<BookmarkRow[]> =>
      (await loadersOf(context).bookmarks.load(row.id)).filter((bookmark) => bookmark.kind === 'USER_TASK'),
  }),
  trail: t.field({
    type: NodeInstanceConnection,
    description: 'Node instances by start time: the way the instance went.',
    args: branchArgs(t.arg),
    complexity: pageComplexity,
    resolve: (row, args, context, info) => branch<NodeInstanceRow>(context, info, 'trail', row.id, args),
  }),
  history: t.field({
    type: TaskRecordConnection,
    description: 'What people did to its tasks, in order.',
    args: branchArgs(t.arg),
    complexity: pageComplexity,
    resolve: (row, args, context, info) => branch<TaskRecordRow>(context, info, 'history', row.id, args),
  }),
  children: t.field({
    type: InstanceConnection,
    description: 'The instances that it started as steps, those that the caller may see, in order.',
    args: branchArgs(t.arg),
    complexity: pageComplexity,
    resolve: (row, args, context, info) => branch<InstanceRow>(context, info, 'children', row.id, args),
  }),
}))
