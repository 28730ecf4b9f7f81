import type { JsonObject } from '../src/engine/model.js'
import type { Bookmark as BookmarkRow } from '../src/generated/prisma/client.js'
import { now } from './access.js'
import { builder } from './builder.js'
import { DefinitionNode } from './definition.js'
import { Instance } from './instance.js'
import { loadersOf } from './loaders.js'
import { NodeInstance } from './nodeInstance.js'
import { shownNode } from './shownNode.js'
import { User } from './user.js'

const group = 'group:'

/** An open user task: the bookmark that waits for the answer. */
export const Task = builder.prismaObject('Bookmark', {
  variant: 'Task',
  description: 'Something that a person is asked to answer.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    title: t.string({ description: 'What is asked.', resolve: (row) => row.title ?? '' }),
    assignee: t.field({
      type: User,
      nullable: true,
      description: 'Who is asked; null where a group is.',
      resolve: ({ key }) => (key?.startsWith(group) ? null : key),
    }),
    candidateGroup: t.string({
      nullable: true,
      description: 'Set where the task is offered to a group.',
      resolve: ({ key }) => (key?.startsWith(group) ? key.slice(group.length) : null),
    }),
    claimedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who took it for himself.',
      resolve: ({ claimedById }) => claimedById,
    }),
    allowedOutcomes: t.stringList({
      description: 'What may be answered.',
      resolve: (row) => payloadOf(row).allowedOutcomes,
    }),
    formKey: t.string({ nullable: true, description: 'The form to show.', resolve: (row) => payloadOf(row).formKey }),
    formData: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the form is filled with.',
      resolve: (row) => payloadOf(row).formData,
    }),
    priority: t.exposeInt('priority', { nullable: true, description: 'How urgent it is, as its definition counts.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked.' }),
    dueAt: t.expose('taskDueAt', { type: 'DateTime', nullable: true, description: 'By when an answer is wanted.' }),
    overdue: t.boolean({
      description: 'Whether that moment has passed.',
      resolve: ({ taskDueAt }, _args, context) => taskDueAt !== null && taskDueAt < now(context),
    }),
  }),
})

builder.prismaObjectFields(Task, (t) => ({
  node: t.field({
    type: DefinitionNode,
    description: 'The node as the definition has it.',
    resolve: (row, _args, context) => shownNode(context, row.instanceId ?? '', row.nodeId ?? '', 'UserTask'),
  }),
  nodeInstance: t.field({
    type: NodeInstance,
    description: 'The run of the node that asks.',
    resolve: async ({ nodeInstanceId, id }, _args, context) =>
      present(await loadersOf(context).nodeInstance.load(nodeInstanceId ?? ''), id),
  }),
  instance: t.field({
    type: Instance,
    description: 'The instance that asks.',
    resolve: async ({ instanceId, id }, _args, context) =>
      present(await loadersOf(context).instance.load(instanceId ?? ''), id),
  }),
}))

/** Tasks go with their instance; one read a moment before may have lost it since. */
function present<Row>(row: Row | null, taskId: string): Row {
  if (row === null) throw new Error(`the instance of task ${taskId} is gone`)
  return row
}

function payloadOf(row: BookmarkRow): { allowedOutcomes: string[]; formKey: string | null; formData: unknown } {
  const { allowedOutcomes, formKey, formData } = row.payload as JsonObject
  return {
    allowedOutcomes: Array.isArray(allowedOutcomes) ? allowedOutcomes.map(String) : [],
    formKey: typeof formKey === 'string' ? formKey : null,
    formData: formData ?? null,
  }
}
