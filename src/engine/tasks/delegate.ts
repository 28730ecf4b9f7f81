import type { TaskCommand } from '../command.js'
import { type Execution, touchBookmark } from '../execution.js'
import { isRefusal, type JsonObject, type Refusal, refusal } from '../model.js'
import { announce, recordTask } from '../taskClosing.js'
import { delegatedBy, isOnStep } from './seat.js'
import { type OpenTask, openTask } from './task.js'
import { given } from './why.js'

type Of<T extends TaskCommand['type']> = Extract<TaskCommand, { type: T }>

/** What a delegate said, for the owner to read before he answers himself. */
export interface DelegateAnswer {
  byId: string
  outcome: string
  comment: string | null
  at: string
}

/** Has another person look at the task first; his answer comes back to the owner, who then answers. */
export function delegateTask(execution: Execution, command: Of<'delegateTask'>): Refusal | null {
  const open = openTask(execution, command)
  if (isRefusal(open)) return open
  const { task, nodeInstance, assigneeId, actorId, onBehalfOfId } = open
  const to = command.toUserId.trim()
  if (to === '') return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.target_missing')
  if (delegatedBy(task) !== null) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_delegated')
  // A group has no one to whom the answer could come back.
  if (task.key !== assigneeId) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.claim_first')
  if (isOnStep(execution, nodeInstance, to))
    return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_assignee', { user: to })
  recordTask(execution, task, { action: 'DELEGATED', comment: command.comment, actorId, onBehalfOfId, targetId: to })
  const { delegateAnswer: _, ...payload } = task.payload
  task.payload = { ...payload, delegatedBy: assigneeId, delegateWhy: { ...given(to, 'DELEGATED', assigneeId) } }
  task.key = to
  touchBookmark(execution, task)
  tell(execution, open, { from: assigneeId, to, comment: command.comment }, assigneeId)
  return null
}

/** The delegate has answered: nothing is decided yet, the owner has the task again. */
export function answerDelegation(execution: Execution, open: OpenTask, command: Of<'completeTask'>): null {
  const { task, actorId, assigneeId, onBehalfOfId } = open
  const { outcome, comment, variables } = command
  const { delegatedBy: owner, delegateWhy: _, ...payload } = task.payload
  const facts = { outcome, comment, actorId, targetId: String(owner) }
  recordTask(execution, task, { ...facts, action: 'DELEGATED', onBehalfOfId: onBehalfOfId ?? String(owner) })
  const answer: DelegateAnswer = { byId: assigneeId, outcome, comment, at: new Date(execution.world.now).toISOString() }
  task.payload = { ...payload, delegateAnswer: { ...answer } }
  task.key = String(owner)
  execution.instance.variables = { ...execution.instance.variables, ...variables }
  touchBookmark(execution, task)
  tell(execution, open, { from: assigneeId, to: String(owner), outcome, comment, answered: true }, assigneeId)
  return null
}

/** Both sides learn of it: the one who lost the task must see it go. */
function tell(execution: Execution, { task }: OpenTask, data: JsonObject, loser: string): void {
  announce(execution, 'workflow.task.delegated', task, data)
  execution.events.at(-1)?.recipients.push(loser)
}
