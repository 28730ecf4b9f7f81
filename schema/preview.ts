import type { Json, JsonObject, Refusal } from '../src/engine/model.js'
import { checkInput } from '../src/inputCheck.js'
import { isUuid } from '../src/persistence/text.js'
import { type PreviewRequest, preview, type PreviewStep as Step } from '../src/preview.js'
import { actorOf, demand } from './access.js'
import { builder } from './builder.js'
import type { Context } from './context.js'
import { InstanceStatus, NodeStatus } from './enums.js'
import { accepted, definitionNotFound, invalid } from './errors.js'
import { Fault } from './fault.js'
import { objectOrNull } from './jsonObject.js'
import { User } from './user.js'

const PreviewStep = builder.objectRef<Step>('PreviewStep').implement({
  description: 'One step that an instance would take.',
  fields: (t) => ({
    nodeId: t.exposeID('nodeId', { description: 'The node.' }),
    title: t.exposeString('title', { description: 'Its title.' }),
    activityType: t.exposeString('activityType', { description: 'What kind of step it is.' }),
    status: t.expose('status', { type: NodeStatus, description: 'How the step would end.' }),
    people: t.field({
      type: [User],
      description: 'Whom it would ask, in order.',
      resolve: ({ people }) => people.filter((key) => !key.startsWith('group:')),
    }),
    groups: t.stringList({
      description: 'The groups that it would be offered to.',
      resolve: ({ people }) =>
        people.filter((key) => key.startsWith('group:')).map((key) => key.slice('group:'.length)),
    }),
    taskTitle: t.exposeString('taskTitle', { nullable: true, description: 'What their inbox would show.' }),
    outcome: t.exposeString('outcome', { nullable: true, description: 'What it would come to.' }),
    assumed: t.exposeBoolean('assumed', {
      description: 'Whether the way on was assumed: an answer, a time that passes, a signal, a reply.',
    }),
  }),
})

const Preview = builder
  .objectRef<Extract<Awaited<ReturnType<typeof preview>>, { steps: unknown }>>('Preview')
  .implement({
    description: 'The way that an instance would go.',
    fields: (t) => ({
      status: t.expose('status', {
        type: InstanceStatus,
        description: 'How it would end; RUNNING where it would go in circles with the outcomes assumed.',
      }),
      outcome: t.exposeString('outcome', { nullable: true, description: 'What it would come to.' }),
      fault: t.field({ type: Fault, nullable: true, description: 'What would fail.', resolve: ({ fault }) => fault }),
      steps: t.field({ type: [PreviewStep], description: 'The steps in their order.', resolve: ({ steps }) => steps }),
    }),
  })

const PreviewInstanceInput = builder.inputType('PreviewInstanceInput', {
  description: 'What to look ahead at. Give name (and version), definitionId or document.',
  fields: (t) => ({
    name: t.string({ description: 'The name of a published definition.' }),
    version: t.int({ description: 'Its version; the newest published one when it is not given.' }),
    definitionId: t.id({ description: 'The published version of a definition by its id.' }),
    document: t.field({ type: 'JSON', description: 'A definition that is not stored; needs the permission `design`.' }),
    variables: t.field({ type: 'JSON', description: 'The variables to start with: an object.' }),
    outcomes: t.field({
      type: 'JSON',
      description: 'The outcome to assume at a node, by node id; `approved` where nothing is given.',
    }),
  }),
})

interface Asked {
  name?: string | null | undefined
  version?: number | null | undefined
  definitionId?: string | null | undefined
  document?: Json | undefined
}

function definitionAsked(
  context: Context,
  { name, version, definitionId, document }: Asked,
): PreviewRequest['definition'] | Refusal {
  const given = [name, definitionId, document].filter((one) => one !== null && one !== undefined)
  if (given.length !== 1) return invalid('workflow.instance.definition_choice_invalid')
  if (name !== null && name !== undefined) return { name, version: version ?? null }
  if (definitionId !== null && definitionId !== undefined)
    return isUuid(definitionId) ? { definitionId } : definitionNotFound(definitionId)
  demand(context, 'design')
  return { document: document ?? null }
}

function outcomesAsked(outcomes: JsonObject | null): { [nodeId: string]: string } | Refusal {
  const entries = Object.entries(outcomes ?? {})
  const wrong = entries.find(([, outcome]) => typeof outcome !== 'string')
  if (wrong) return invalid('workflow.input.text_expected', { argument: `outcomes.${wrong[0]}` })
  return Object.fromEntries(entries) as { [nodeId: string]: string }
}

builder.queryField('previewInstance', (t) =>
  t.field({
    type: Preview,
    description:
      'Looks ahead: the way an instance would go and the people it would ask. Nothing is started or written.',
    args: { input: t.arg({ type: PreviewInstanceInput, required: true, description: 'What to look ahead at.' }) },
    complexity: { field: 20, multiplier: 5 },
    resolve: async (_root, { input }, context) => {
      const actor = actorOf(context)
      accepted(context, checkInput(context.runtime, { input }, 2))
      const definition = accepted(context, definitionAsked(context, input))
      const variables = accepted(context, objectOrNull('variables', input.variables)) ?? {}
      const outcomes = accepted(context, outcomesAsked(accepted(context, objectOrNull('outcomes', input.outcomes))))
      const request = { definition, variables, outcomes, starterId: actor.userId }
      return accepted(context, await preview(context.runtime, actor, request))
    },
  }),
)
