import type { JsonObject } from '../src/engine/model.js'
import { readOnlyFields, visibleForm } from '../src/engine/tasks/form.js'
import type { Bookmark as BookmarkRow } from '../src/generated/prisma/client.js'
import { now } from './access.js'
import { builder } from './builder.js'
import { DefinitionNode } from './definition.js'
import { shownFields } from './hiddenFields.js'
import { Instance } from './instance.js'
import { loadersOf } from './loaders.js'
import { NodeInstance } from './nodeInstance.js'
import { shownNode } from './shownNode.js'
import { type Answer, DelegateAnswer, type Why, WhyAssigned } from './taskAssignment.js'
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
    owner: t.field({
      type: User,
      nullable: true,
      description: 'Who has delegated it and gets it back once it is answered; null where nobody has.',
      resolve: (row) => payloadOf(row).delegatedBy,
    }),
    delegateAnswer: t.field({
      type: DelegateAnswer,
      nullable: true,
      description: 'What the delegate said, for the owner who has the task back.',
      resolve: (row) => payloadOf(row).delegateAnswer,
    }),
    whyAssigned: t.field({
      type: WhyAssigned,
      nullable: true,
      description: 'Why this person or group is asked; null for tasks from before this was kept.',
      resolve: (row) => payloadOf(row).why,
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
      resolve: (row, _args, context) => shownFields(context, row.instanceId ?? '', payloadOf(row).formData),
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
  form: t.field({
    type: 'JSON',
    nullable: true,
    description: 'The form of the answer as a JSON Schema, without the fields that this step hides.',
    resolve: async (row, _args, context) =>
      visibleForm(await shownNode(context, row.instanceId ?? '', row.nodeId ?? '', 'UserTask')),
  }),
  readOnlyFields: t.field({
    type: ['String'],
    description: 'The fields of the form that this step shows but does not let change.',
    resolve: async (row, _args, context) =>
      readOnlyFields(await shownNode(context, row.instanceId ?? '', row.nodeId ?? '', 'UserTask')),
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

interface TaskPayload {
  allowedOutcomes: string[]
  formKey: string | null
  formData: unknown
  delegatedBy: string | null
  delegateAnswer: Answer | null
  why: Why | null
}

function payloadOf(row: BookmarkRow): TaskPayload {
  const { allowedOutcomes, formKey, formData, delegatedBy, delegateAnswer, delegateWhy, why } =
    row.payload as JsonObject
  return {
    allowedOutcomes: Array.isArray(allowedOutcomes) ? allowedOutcomes.map(String) : [],
    formKey: typeof formKey === 'string' ? formKey : null,
    formData: formData ?? null,
    delegatedBy: typeof delegatedBy === 'string' ? delegatedBy : null,
    // The engine writes them; nobody else can.
    delegateAnswer: (delegateAnswer ?? null) as Answer | null,
    why: (delegateWhy ?? why ?? null) as Why | null,
  }
}
