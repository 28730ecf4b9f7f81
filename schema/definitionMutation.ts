import {
  archiveDefinition,
  createDefinition,
  deleteDefinition,
  disableDefinition,
  newDefinitionVersion,
  publishDefinition,
  updateDefinition,
} from '../src/catalog.js'
import type { Refusal } from '../src/engine/model.js'
import type { Definition as DefinitionRow } from '../src/generated/prisma/client.js'
import { isUuid } from '../src/persistence/text.js'
import { demand } from './access.js'
import { eachItem, type ItemResult } from './batch.js'
import { builder } from './builder.js'
import type { Context } from './context.js'
import { Definition } from './definition.js'
import { DeletePayload } from './deletePayload.js'
import { accepted, definitionNotFound } from './errors.js'
import { IdInput } from './idInput.js'
import { WorkflowError } from './workflowError.js'

const DefinitionPayload = builder.objectRef<DefinitionRow>('DefinitionPayload').implement({
  description: 'A definition as it stands now.',
  fields: (t) => ({ definition: t.field({ type: Definition, description: 'The definition.', resolve: (row) => row }) }),
})

const DefinitionResult = builder.objectRef<ItemResult<DefinitionRow>>('DefinitionResult').implement({
  description: 'What became of one item of a batch.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id that was given.' }),
    definition: t.field({
      type: Definition,
      nullable: true,
      description: 'The definition as it stands now; null when the item was refused.',
      resolve: ({ value }) => value,
    }),
    error: t.field({
      type: WorkflowError,
      nullable: true,
      description: 'Why the item was refused; null when it was not.',
      resolve: ({ error }) => error,
    }),
  }),
})

const CreateDefinitionInput = builder.inputType('CreateDefinitionInput', {
  description: 'A new draft.',
  fields: (t) => ({
    document: t.field({
      type: 'JSON',
      required: true,
      description: 'The definition; its id, version and status are assigned.',
    }),
  }),
})

const UpdateDefinitionInput = builder.inputType('UpdateDefinitionInput', {
  description: 'The new content of a draft.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The draft.' }),
    document: t.field({ type: 'JSON', required: true, description: 'The whole definition; its name stays.' }),
  }),
})

const NewDefinitionVersionInput = builder.inputType('NewDefinitionVersionInput', {
  description: 'A draft made from the newest version.',
  fields: (t) => ({ name: t.string({ required: true, description: 'The name of the definition.' }) }),
})

type Change = (
  runtime: Context['runtime'],
  actor: ReturnType<typeof demand>,
  id: string,
) => Promise<DefinitionRow | Refusal>

async function change(context: Context, id: string, apply: Change): Promise<DefinitionRow | Refusal> {
  const actor = demand(context, 'design')
  return isUuid(id) ? await apply(context.runtime, actor, id) : definitionNotFound(id)
}

async function changeEach(
  context: Context,
  ids: readonly string[],
  apply: Change,
): Promise<ItemResult<DefinitionRow>[]> {
  demand(context, 'design')
  return await eachItem(
    context,
    ids,
    (id) => id,
    (id) => change(context, id, apply),
  )
}

builder.mutationFields((t) => ({
  createDefinition: t.field({
    type: DefinitionPayload,
    description: 'Stores a new draft. Needs the permission `design`.',
    args: { input: t.arg({ type: CreateDefinitionInput, required: true, description: 'The draft.' }) },
    resolve: async (_root, { input }, context) =>
      accepted(context, await createDefinition(context.runtime, demand(context, 'design'), input.document)),
  }),
  updateDefinition: t.field({
    type: DefinitionPayload,
    description: 'Replaces the content of a draft. Needs the permission `design`.',
    args: { input: t.arg({ type: UpdateDefinitionInput, required: true, description: 'The draft and its content.' }) },
    resolve: async (_root, { input }, context) => {
      const replace: Change = (runtime, actor, id) => updateDefinition(runtime, actor, id, input.document)
      return accepted(context, await change(context, input.id, replace))
    },
  }),
  newDefinitionVersion: t.field({
    type: DefinitionPayload,
    description: 'Makes a draft of the next version from the newest one. Needs the permission `design`.',
    args: { input: t.arg({ type: NewDefinitionVersionInput, required: true, description: 'The definition.' }) },
    resolve: async (_root, { input }, context) =>
      accepted(context, await newDefinitionVersion(context.runtime, demand(context, 'design'), input.name)),
  }),
}))

function changeField(name: string, description: string, apply: Change): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: DefinitionPayload,
      description: `${description} Needs the permission \`design\`.`,
      args: { input: t.arg({ type: IdInput, required: true, description: 'The definition.' }) },
      resolve: async (_root, { input }, context) => accepted(context, await change(context, input.id, apply)),
    }),
  )
}

changeField('publishDefinition', 'Checks a draft and publishes it.', publishDefinition)
changeField('disableDefinition', 'Keeps a published definition from being started.', disableDefinition)
changeField('archiveDefinition', 'Puts a definition away.', archiveDefinition)

builder.mutationField('deleteDefinition', (t) =>
  t.field({
    type: DeletePayload,
    description: 'Deletes a draft. Needs the permission `design`.',
    args: { input: t.arg({ type: IdInput, required: true, description: 'The draft.' }) },
    resolve: async (_root, { input }, context) => {
      accepted(context, await change(context, input.id, deleteDefinition))
      return { deletedId: input.id }
    },
  }),
)

function changeEachField(name: string, description: string, apply: Change): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: [DefinitionResult],
      description: `${description} At most 100, each on its own, in order. Needs the permission \`design\`.`,
      args: { ids: t.arg.idList({ required: true, description: 'The definitions.' }) },
      resolve: (_root, { ids }, context) => changeEach(context, ids, apply),
    }),
  )
}

changeEachField('publishDefinitions', 'Publishes drafts.', publishDefinition)
changeEachField('archiveDefinitions', 'Puts definitions away.', archiveDefinition)
