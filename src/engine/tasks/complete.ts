import type { TaskCommand } from '../command.js'
import type { Execution } from '../execution.js'
import { isRefusal, type Refusal, refusal } from '../model.js'
import { announce, closeTask } from '../taskClosing.js'
import { concludeStep, passTurn } from './decided.js'
import { answerDelegation } from './delegate.js'
import { delegatedBy, isGroup, seatOf } from './seat.js'
import { type OpenTask, openTask } from './task.js'
import { decideVote, policyOf, replaceAssignee, taskState } from './votes.js'

type Complete = Extract<TaskCommand, { type: 'completeTask' }>

/** Answers a task: records the vote, merges its variables, and completes the node once it is decided. */
export function completeTask(execution: Execution, command: Complete): Refusal | null {
  const open = openTask(execution, command)
  if (isRefusal(open)) return open
  const allowed = open.task.payload.allowedOutcomes as string[]
  if (!allowed.includes(command.outcome))
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.outcome_not_allowed', {
      outcome: command.outcome,
      allowed: allowed.join(', '),
    })
  if (delegatedBy(open.task) !== null) return answerDelegation(execution, open, command)
  const state = taskState(open.nodeInstance)
  if (votesAgain(open))
    return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_assignee', { user: open.assigneeId })
  vote(execution, open, command)
  const decided = decideVote(open.node, state, command.outcome)
  if (decided === null) passTurn(execution, open.nodeInstance)
  else concludeStep(execution, open.nodeInstance, decided, command.variables)
  return null
}

/** Where every voice counts, nobody has one by name and another as a candidate of a group. */
function votesAgain({ node, nodeInstance, task, assigneeId }: OpenTask): boolean {
  const seat = seatOf(task)
  if (policyOf(node) === 'Any' || !isGroup(seat) || seat === assigneeId) return false
  return taskState(nodeInstance).assignees.includes(assigneeId)
}

function vote(execution: Execution, open: OpenTask, command: Complete): void {
  const { task, nodeInstance, actorId, assigneeId, onBehalfOfId } = open
  const { outcome, comment, variables } = command
  const state = taskState(nodeInstance)
  const at = new Date(execution.world.now).toISOString()
  // A candidate of a group answers in his own name from here on.
  if (seatOf(task) !== assigneeId) replaceAssignee(state, seatOf(task), assigneeId)
  state.history.push({ actorId, outcome, comment, at })
  if (outcome === 'approved') state.approved.push(assigneeId)
  if (outcome === 'rejected') state.rejected.push(assigneeId)
  execution.touched.add(nodeInstance.id)
  execution.instance.variables = { ...execution.instance.variables, ...variables }
  closeTask(execution, task, { action: 'COMPLETED', outcome, comment, actorId, onBehalfOfId })
  announce(execution, 'workflow.task.completed', task, { outcome, comment })
}
