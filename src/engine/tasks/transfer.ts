import { may, type TaskCommand } from '../command.js'
import { type Execution, touchBookmark } from '../execution.js'
import {
  type BookmarkState,
  isRefusal,
  type JsonObject,
  type NodeInstanceState,
  type Refusal,
  refusal,
} from '../model.js'
import { announce, recordTask } from '../taskClosing.js'
import { delegatedBy, isOnStep, seatOf } from './seat.js'
import { notAssignee, openTask, refuseUnlessRunning } from './task.js'
import { replaceAssignee, taskState } from './votes.js'
import { type AssignmentSource, given } from './why.js'

type Of<T extends TaskCommand['type']> = Extract<TaskCommand, { type: T }>

/** Gives the task to another person; it keeps its id. Refused for anyone who is on the step already. */
export function transferTask(execution: Execution, command: Of<'transferTask'>): Refusal | null {
  const open = openTask(execution, command)
  if (isRefusal(open)) return open
  const { task, nodeInstance, actorId, onBehalfOfId } = open
  const to = command.toUserId.trim()
  const refused = refuseTarget(execution, nodeInstance, to)
  if (refused) return refused
  const { comment } = command
  recordTask(execution, task, { action: 'TRANSFERRED', comment, actorId, onBehalfOfId, targetId: to })
  move(execution, task, nodeInstance, { to, source: 'TRANSFERRED', byId: actorId, comment })
  return null
}

/** An operator gives a task of somebody who leaves to another. */
export function handOverTask(execution: Execution, command: Of<'handOverTask'>): Refusal | null {
  const task = execution.bookmarks.get(command.taskId)
  const nodeInstance = execution.nodeInstances.get(task?.nodeInstanceId ?? '')
  if (task?.kind !== 'USER_TASK' || !nodeInstance)
    return refusal('WORKFLOW_NOTFOUND_003', 'workflow.task.not_found', { id: command.taskId })
  const stopped = refuseUnlessRunning(execution)
  if (stopped) return stopped
  const { actor } = execution
  const { fromUserId, comment } = command
  if (!actor || !may(actor, 'operate')) return notAssignee()
  const to = command.toUserId.trim()
  // Since the list of his tasks was read, somebody else may have got this one.
  if (task.key !== fromUserId)
    return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.not_on_step', { user: fromUserId })
  const refused = refuseTarget(execution, nodeInstance, to)
  if (refused) return refused
  const facts = { comment, actorId: actor.userId, onBehalfOfId: fromUserId, targetId: to }
  recordTask(execution, task, { action: 'HANDED_OVER', ...facts })
  move(execution, task, nodeInstance, { to, source: 'HANDED_OVER', byId: actor.userId, comment })
  return null
}

function refuseTarget(execution: Execution, nodeInstance: NodeInstanceState, to: string): Refusal | null {
  if (to === '') return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.target_missing')
  return isOnStep(execution, nodeInstance, to)
    ? refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_assignee', { user: to })
    : null
}

/** Moves the task, and with it the part on the step; a delegate moves the delegation alone. */
function move(
  execution: Execution,
  task: BookmarkState,
  nodeInstance: NodeInstanceState,
  { to, source, byId, comment }: { to: string; source: AssignmentSource; byId: string; comment: string | null },
): void {
  const from = task.key
  const why: JsonObject = { ...given(to, source, byId) }
  if (delegatedBy(task) !== null) task.payload = { ...task.payload, delegateWhy: why }
  else {
    const state = taskState(nodeInstance)
    replaceAssignee(state, seatOf(task), to, given(to, source, byId))
    if (state.claimedBy === from) state.claimedBy = to
    if (task.task) task.task.claimedBy = state.claimedBy === to ? to : null
    const { claimedFrom: _, ...payload } = task.payload
    task.payload = { ...payload, why }
    execution.touched.add(nodeInstance.id)
  }
  task.key = to
  touchBookmark(execution, task)
  announce(execution, 'workflow.task.transferred', task, { from, to, comment })
  // Both sides learn of it: the one who lost the task must see it go.
  if (from !== null) execution.events.at(-1)?.recipients.push(from)
}
