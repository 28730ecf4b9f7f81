import { issuesOf, validateDocument } from '../src/catalog.js'
import type { VariableDefinition as Variable, WorkflowTransition } from '../src/engine/model.js'
import type { Definition as DefinitionRow } from '../src/generated/prisma/client.js'
import { builder } from './builder.js'
import { contentOf, type ShownNode } from './definitionContent.js'
import { DefinitionStatus } from './enums.js'
import { renderIssue } from './errors.js'
import { DefinitionIssue } from './issue.js'

/** A node as it stands in a definition. */
export const DefinitionNode = builder.objectRef<ShownNode>('DefinitionNode').implement({
  description: 'A node of a definition: one step.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id within the definition.' }),
    activityType: t.exposeString('activityType', { description: 'What kind of step it is.' }),
    title: t.string({ description: 'The display name, else the id.', resolve: (node) => node.displayName ?? node.id }),
    displayName: t.exposeString('displayName', { nullable: true, description: 'The name given by its author.' }),
    properties: t.field({ type: 'JSON', description: 'The settings of the step.', resolve: (node) => node.properties }),
  }),
})

const DefinitionTransition = builder.objectRef<WorkflowTransition>('DefinitionTransition').implement({
  description: 'A way from one node to another.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id within the definition.' }),
    sourceNodeId: t.exposeID('sourceNodeId', { description: 'Where it begins.' }),
    targetNodeId: t.exposeID('targetNodeId', { description: 'Where it ends.' }),
    condition: t.exposeString('condition', { nullable: true, description: 'When it may be taken; null for always.' }),
    priority: t.exposeInt('priority', { description: 'The least is considered first.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Whether it is taken when no other is.' }),
  }),
})

const VariableDefinition = builder.objectRef<Variable>('VariableDefinition').implement({
  description: 'A variable that an instance is started with.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name.' }),
    required: t.exposeBoolean('required', { description: 'Whether a start must give it.' }),
    defaultValue: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The value where none is given.',
      resolve: (variable) => variable.defaultValue,
    }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
  }),
})

/** One version of a definition: a row. */
export const Definition = builder.prismaObject('Definition', {
  description: 'One version of a workflow definition.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of this version.' }),
    name: t.exposeString('name', { description: 'The name that all versions share.' }),
    version: t.exposeInt('version', { description: 'The version: 1, 2, 3 …' }),
    title: t.exposeString('title', { description: 'The display name, else the name.' }),
    displayName: t.exposeString('displayName', { nullable: true, description: 'The name given by its author.' }),
    description: t.exposeString('description', { nullable: true, description: 'What the workflow is for.' }),
    category: t.exposeString('category', { nullable: true, description: 'The category it is listed under.' }),
    status: t.expose('status', { type: DefinitionStatus, description: 'Where it stands in its life.' }),
    tenantId: t.id({
      nullable: true,
      description: 'The partition; null for the platform’s.',
      resolve: (row) => row.tenantId || null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the version was made.' }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was published; null before that.',
    }),
    document: t.field({
      type: 'JSON',
      description: 'The whole definition as JSON.',
      resolve: (row) => row.document,
    }),
    nodes: t.field({ type: [DefinitionNode], description: 'The steps.', resolve: (row) => contentOf(row).nodes }),
    transitions: t.field({
      type: [DefinitionTransition],
      description: 'The ways between the steps.',
      resolve: (row) => contentOf(row).transitions,
    }),
    variables: t.field({
      type: [VariableDefinition],
      description: 'What an instance is started with.',
      resolve: (row) => contentOf(row).variables,
    }),
    issues: t.field({
      type: [DefinitionIssue],
      description: 'What keeps it from being published, and what is worth a look.',
      complexity: 20,
      resolve: (row: DefinitionRow, _args, { runtime, locale }) =>
        issuesOf(runtime, row).map((issue) => renderIssue(locale, issue)),
    }),
  }),
})

builder.queryField('validateDefinition', (t) =>
  t.field({
    type: [DefinitionIssue],
    description: 'Checks a definition without storing it.',
    args: { document: t.arg({ type: 'JSON', required: true, description: 'The definition as JSON.' }) },
    complexity: 50,
    resolve: (_root, { document }, { runtime, locale }) =>
      validateDocument(runtime, document).map((issue) => renderIssue(locale, issue)),
  }),
)
