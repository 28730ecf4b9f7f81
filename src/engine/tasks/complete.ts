import { completeNode } from '../burst.js'
import type { TaskCommand } from '../command.js'
import { bookmarksOf, type Execution, removeBookmark } from '../execution.js'
import { failNode } from '../failure.js'
import { isRefusal, type Refusal, refusal } from '../model.js'
import { announce, closeTask } from '../taskClosing.js'
import { openTaskFor } from './open.js'
import { type OpenTask, openTask, siblings } from './task.js'
import { decideVote, policyOf, taskState } from './votes.js'

type Complete = Extract<TaskCommand, { type: 'completeTask' }>

/** Answers a task: records the vote, merges its variables, and completes the node once it is decided. */
export function completeTask(execution: Execution, command: Complete): Refusal | null {
  const open = openTask(execution, command.taskId, command.onBehalfOfId)
  if (isRefusal(open)) return open
  const allowed = open.task.payload.allowedOutcomes as string[]
  if (!allowed.includes(command.outcome))
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.outcome_not_allowed', {
      outcome: command.outcome,
      allowed: allowed.join(', '),
    })
  vote(execution, open, command)
  const decided = decideVote(open.node, taskState(open.nodeInstance), command.outcome)
  if (decided === null) {
    next(execution, open)
    return null
  }
  for (const other of siblings(execution, open)) closeTask(execution, other, { action: 'CANCELED', outcome: decided })
  for (const bookmark of bookmarksOf(execution, open.nodeInstance.id)) removeBookmark(execution, bookmark.id)
  completeNode(execution, open.nodeInstance, command.variables, decided)
  return null
}

function vote(execution: Execution, open: OpenTask, command: Complete): void {
  const state = taskState(open.nodeInstance)
  const at = new Date(execution.world.now).toISOString()
  // A candidate of a group answers in his own name from here on.
  state.assignees = state.assignees.map((id) => (id === open.task.key ? open.assigneeId : id))
  state.history.push({ actorId: open.actorId, outcome: command.outcome, comment: command.comment, at })
  if (command.outcome === 'approved') state.approved.push(open.assigneeId)
  if (command.outcome === 'rejected') state.rejected.push(open.assigneeId)
  execution.touched.add(open.nodeInstance.id)
  execution.instance.variables = { ...execution.instance.variables, ...command.variables }
  const onBehalfOfId = open.assigneeId === open.actorId ? null : open.assigneeId
  closeTask(execution, open.task, {
    action: 'COMPLETED',
    outcome: command.outcome,
    comment: command.comment,
    actorId: open.actorId,
    onBehalfOfId,
  })
  announce(execution, 'workflow.task.completed', open.task, { outcome: command.outcome, comment: command.comment })
}

/** In turn: the next person gets a task once the one before has approved. */
function next(execution: Execution, open: OpenTask): void {
  if (policyOf(open.node) !== 'Sequential') return
  const { assignees, approved } = taskState(open.nodeInstance)
  const following = assignees[approved.length]
  if (following === undefined) return
  const failed = openTaskFor(execution, open.node, open.nodeInstance, following)
  if (failed) failNode(execution, open.nodeInstance, failed)
}
