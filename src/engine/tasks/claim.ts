import type { TaskCommand } from '../command.js'
import { type Execution, touchBookmark } from '../execution.js'
import { failNode } from '../failure.js'
import { isRefusal, type Refusal, refusal } from '../model.js'
import { announce, closeTask, recordTask } from '../taskClosing.js'
import { openTaskFor } from './open.js'
import { claimedFrom, delegatedBy, isGroup, isOnStep, seatOf } from './seat.js'
import { type OpenTask, openTask, siblings } from './task.js'
import { policyOf, taskState } from './votes.js'

type Of<T extends TaskCommand['type']> = Extract<TaskCommand, { type: T }>

/**
 * Takes a task that several may answer for oneself. Where one answer is enough, the others' tasks are withdrawn; where
 * everybody's counts, only the task of a group can be claimed, and the others keep theirs.
 */
export function claimTask(execution: Execution, command: Of<'claimTask'>): Refusal | null {
  const open = openTask(execution, command)
  if (isRefusal(open)) return open
  const { task, nodeInstance, actorId, assigneeId, onBehalfOfId } = open
  const any = policyOf(open.node) === 'Any'
  if (!any && !isGroup(seatOf(task))) return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.claim_needs_any')
  const refused = refuseClaim(execution, open)
  if (refused) return refused
  if (any) taskState(nodeInstance).claimedBy = assigneeId
  if (any) for (const other of siblings(execution, open)) closeTask(execution, other, { action: 'CANCELED' })
  recordTask(execution, task, { action: 'CLAIMED', comment: command.comment, actorId, onBehalfOfId })
  if (task.key !== assigneeId) task.payload = { ...task.payload, claimedFrom: task.key }
  task.key = assigneeId
  if (task.task) task.task.claimedBy = assigneeId
  touchBookmark(execution, task)
  execution.touched.add(nodeInstance.id)
  announce(execution, 'workflow.task.claimed', task)
  // All candidates see it go.
  const group = claimedFrom(task)
  if (group !== null) execution.events.at(-1)?.recipients.push(group)
  return null
}

function refuseClaim(execution: Execution, { node, nodeInstance, task, assigneeId }: OpenTask): Refusal | null {
  const holder = task.task?.claimedBy ?? taskState(nodeInstance).claimedBy
  if (holder !== null) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_claimed', { user: holder })
  if (delegatedBy(task) !== null) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_delegated')
  if (policyOf(node) !== 'Any' && isOnStep(execution, nodeInstance, assigneeId))
    return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_assignee', { user: assigneeId })
  return null
}

/** Gives a claimed task back: the others are asked again. */
export function releaseTask(execution: Execution, command: Of<'releaseTask'>): Refusal | null {
  const open = openTask(execution, command)
  if (isRefusal(open)) return open
  const { task, node, nodeInstance, actorId, assigneeId, onBehalfOfId } = open
  const any = policyOf(node) === 'Any'
  const group = claimedFrom(task)
  if (!any && group === null && !isGroup(task.key))
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.claim_needs_any')
  if (task.task?.claimedBy !== assigneeId) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.not_claimed')
  const state = taskState(nodeInstance)
  state.claimedBy = null
  recordTask(execution, task, { action: 'RELEASED', comment: command.comment, actorId, onBehalfOfId })
  const { claimedFrom: _, ...payload } = task.payload
  task.payload = payload
  if (group !== null) task.key = group
  if (task.task) task.task.claimedBy = null
  touchBookmark(execution, task)
  execution.touched.add(nodeInstance.id)
  announce(execution, 'workflow.task.released', task)
  return any ? askAgain(execution, open) : null
}

/** Opens the tasks again that the claim withdrew. */
function askAgain(execution: Execution, { task, node, nodeInstance }: OpenTask): null {
  for (const person of taskState(nodeInstance).assignees) {
    if (person === task.key) continue
    const failed = openTaskFor(execution, node, nodeInstance, person)
    if (failed) {
      failNode(execution, nodeInstance, failed)
      return null
    }
  }
  return null
}
