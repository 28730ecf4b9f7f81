import type { RoutingEntry as RoutingFacts } from '../src/engine/model.js'
import type { NodeInstance as NodeInstanceRow } from '../src/generated/prisma/client.js'
import { builder } from './builder.js'
import { connectionType } from './connection.js'
import { DefinitionNode } from './definition.js'
import { NodeStatus } from './enums.js'
import { Fault, storedFault } from './fault.js'
import { shownWhole } from './hiddenFields.js'
import { shownNode } from './shownNode.js'

const RoutingEntry = builder.objectRef<RoutingFacts>('RoutingEntry').implement({
  description: 'A transition that was considered when a node was left.',
  fields: (t) => ({
    transitionId: t.exposeID('transitionId', { description: 'The transition within the definition.' }),
    condition: t.exposeString('condition', { nullable: true, description: 'Its condition; null where it has none.' }),
    value: t.exposeBoolean('value', {
      nullable: true,
      description: 'What the condition gave; null where it was not asked, or could not be decided.',
    }),
    taken: t.exposeBoolean('taken', { description: 'Whether the flow went this way.' }),
  }),
})

/** One run of a node: a row. */
export const NodeInstance = builder.prismaObject('NodeInstance', {
  description: 'One run of a node within an instance.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    nodeId: t.exposeID('nodeId', { description: 'The node within the definition.' }),
    node: t.field({
      type: DefinitionNode,
      description: 'The node as the definition has it.',
      resolve: ({ instanceId, nodeId, activityType }, _args, context) =>
        shownNode(context, instanceId, nodeId, activityType),
    }),
    activityType: t.exposeString('activityType', { description: 'What kind of step it is.' }),
    status: t.expose('status', { type: NodeStatus, description: 'Where the run stands.' }),
    attempt: t.exposeInt('attempt', { description: 'The attempt, from 1.' }),
    input: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What it was given; null where variables of the instance are hidden from the caller.',
      resolve: ({ instanceId, input }, _args, context) => shownWhole(context, instanceId, input),
    }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What it gave; null where variables of the instance are hidden from the caller.',
      resolve: ({ instanceId, output }, _args, context) => shownWhole(context, instanceId, output),
    }),
    state: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'What it remembers while it waits: votes, for a task; null where variables of the instance are hidden from the caller.',
      resolve: ({ instanceId, state }, _args, context) => shownWhole(context, instanceId, state),
    }),
    fault: t.field({
      type: Fault,
      nullable: true,
      description: 'Why it failed; null when it did not.',
      resolve: (row) => storedFault(row.fault),
    }),
    routing: t.field({
      type: [RoutingEntry],
      nullable: true,
      description: 'Why the flow went where it went: what was considered on leaving. Null while it was not left.',
      resolve: (row) => (row.routing ?? null) as RoutingFacts[] | null,
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it ended; null before that.' }),
  }),
})

/** Pages of node instances. */
export const NodeInstanceConnection = connectionType<NodeInstanceRow>('NodeInstance', NodeInstance, 'node instances')
