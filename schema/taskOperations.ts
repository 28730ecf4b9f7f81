import { may } from '../src/engine/command.js'
import { ancestors } from '../src/engine/lineage.js'
import { groupPrefix, isGroup } from '../src/engine/tasks/seat.js'
import type { Bookmark as BookmarkRow } from '../src/generated/prisma/client.js'
import { actorOf, keysOf, partition } from './access.js'
import { builder } from './builder.js'
import type { Context } from './context.js'
import { DefinitionNode } from './definition.js'
import { loadersOf } from './loaders.js'
import { shownNode } from './shownNode.js'
import { Task } from './task.js'

const TaskOperation = builder.enumType('TaskOperation', {
  description: 'What can be done with an open task.',
  values: {
    COMPLETE: { description: 'Answer it.' },
    TRANSFER: { description: 'Give it to another person for good.' },
    DELEGATE: { description: 'Have another person answer first.' },
    ADD_ASSIGNEES: { description: 'Add people to its step.' },
    REMOVE_ASSIGNEES: { description: 'Take people off its step.' },
    RETURN: { description: 'Send the case back.' },
    CLAIM: { description: 'Take it for oneself.' },
    RELEASE: { description: 'Give it back to all who may answer it.' },
    URGE: { description: 'Urge whoever holds it.' },
    COMMENT: { description: 'Say something to it.' },
  } as const,
})

type Operation = typeof TaskOperation.$inferType

builder.prismaObjectFields(Task, (t) => ({
  operations: t.field({
    type: [TaskOperation],
    description:
      'What the viewer may do with it in his own name now. The answer can be out of date a moment later: each operation checks again.',
    resolve: (row, _args, context) => operationsOf(context, row),
  }),
  returnTargets: t.field({
    type: [DefinitionNode],
    description: 'The user tasks that it can be returned to, the latest first.',
    resolve: async (row, _args, context) => {
      const { instanceId, nodeInstanceId } = row
      const trail = await partition(context).orm.nodeInstance.findMany({
        where: { instanceId: instanceId ?? '' },
        orderBy: { seq: 'asc' },
        select: { id: true, nodeId: true, activityType: true, status: true, cameFrom: true },
      })
      const tasks = ancestors(trail, nodeInstanceId ?? '').filter(({ activityType }) => activityType === 'UserTask')
      const nodeIds = [...new Set(tasks.map(({ nodeId }) => nodeId))]
      return Promise.all(nodeIds.map((nodeId) => shownNode(context, instanceId ?? '', nodeId, 'UserTask')))
    },
  }),
}))

async function operationsOf(context: Context, row: BookmarkRow): Promise<Operation[]> {
  const actor = actorOf(context)
  const instance = await loadersOf(context).instance.load(row.instanceId ?? '')
  if (instance?.status !== 'RUNNING') return []
  const holds = row.key !== null && keysOf(actor.userId, actor.groups).includes(row.key)
  const concerned = instance.starterId === actor.userId || may(actor, 'operate')
  const operations: Operation[] = holds ? await holderOperations(context, row, actor.userId) : []
  if (concerned || row.key === actor.userId) operations.push('URGE')
  if (concerned || holds) operations.push('COMMENT')
  return operations
}

async function holderOperations(context: Context, row: BookmarkRow, userId: string): Promise<Operation[]> {
  const { delegatedBy = null, claimedFrom = null } = row.payload as { delegatedBy?: string; claimedFrom?: string }
  const node = await shownNode(context, row.instanceId ?? '', row.nodeId ?? '', 'UserTask')
  const policy = node.properties.CompletionPolicy
  const any = policy !== 'All' && policy !== 'Sequential'
  const ofGroup = row.key?.startsWith(groupPrefix) ?? false
  const operations: Operation[] = ['COMPLETE', 'TRANSFER', 'ADD_ASSIGNEES', 'REMOVE_ASSIGNEES', 'RETURN']
  if (delegatedBy === null && row.key === userId) operations.push('DELEGATE')
  if (delegatedBy === null && row.claimedById === null && (any || ofGroup)) operations.push('CLAIM')
  if (row.claimedById === userId && (any || (claimedFrom !== null && isGroup(claimedFrom)))) operations.push('RELEASE')
  return operations
}
