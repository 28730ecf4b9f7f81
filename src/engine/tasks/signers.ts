import type { TaskCommand } from '../command.js'
import { type Execution, removeBookmark } from '../execution.js'
import { failNode } from '../failure.js'
import { isRefusal, type Refusal, refusal } from '../model.js'
import { announce, recordTask } from '../taskClosing.js'
import { unique } from './assignees.js'
import { concludeStep, passTurn } from './decided.js'
import { openTaskFor } from './open.js'
import { isOnStep, openTasksOf, seatOf } from './seat.js'
import { type OpenTask, openTask } from './task.js'
import { dropAssignees, policyOf, type TaskState, tally, taskState } from './votes.js'
import { given } from './why.js'

type Of<T extends TaskCommand['type']> = Extract<TaskCommand, { type: T }>

/** Adds signers: at once for Any and All, to the end of the line for Sequential. All or none of them. */
export function addAssignees(execution: Execution, command: Of<'addAssignees'>): Refusal | null {
  const open = openTask(execution, command)
  if (isRefusal(open)) return open
  const { task, node, nodeInstance, actorId, onBehalfOfId } = open
  const people = named(command.userIds)
  if (people === null) return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.target_missing')
  const state = taskState(nodeInstance)
  const known = people.find((id) => isOnStep(execution, nodeInstance, id))
  if (known !== undefined) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_assignee', { user: known })
  const claimed = refuseClaimed(state)
  if (claimed) return claimed
  state.assignees.push(...people)
  state.why.push(...people.map((person) => given(person, 'ADDED', actorId)))
  execution.touched.add(nodeInstance.id)
  for (const person of people) {
    const facts = { comment: command.comment, actorId, onBehalfOfId, targetId: person }
    recordTask(execution, task, { action: 'ASSIGNEE_ADDED', ...facts })
    if (policyOf(node) === 'Sequential') continue
    const failed = openTaskFor(execution, node, nodeInstance, person)
    if (failed) {
      failNode(execution, nodeInstance, failed)
      return null
    }
  }
  announce(execution, 'workflow.task.assignees_added', task, { added: people })
  return null
}

/** Takes signers off who have not answered; somebody must be left to answer. All or none of them. */
export function removeAssignees(execution: Execution, command: Of<'removeAssignees'>): Refusal | null {
  const open = openTask(execution, command)
  if (isRefusal(open)) return open
  const people = named(command.userIds)
  if (people === null) return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.target_missing')
  const state = taskState(open.nodeInstance)
  const waiting = state.assignees.filter((id) => !state.approved.includes(id) && !state.rejected.includes(id))
  const stranger = people.find((id) => !waiting.includes(id))
  if (stranger !== undefined) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.not_on_step', { user: stranger })
  const claimed = refuseClaimed(state)
  if (claimed) return claimed
  if (people.length === waiting.length) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.last_assignee')
  takeOff(execution, open, people, command.comment)
  const decided = policyOf(open.node) === 'All' ? tally(open.node, state) : null
  // Fewer people may need fewer approvals: those that are there can be enough now.
  if (decided !== null) concludeStep(execution, open.nodeInstance, decided)
  else if (openTasksOf(execution, open.nodeInstance).length === 0) passTurn(execution, open.nodeInstance)
  return null
}

function takeOff(execution: Execution, open: OpenTask, people: readonly string[], comment: string | null): void {
  const { task, nodeInstance, actorId, onBehalfOfId } = open
  const held = openTasksOf(execution, nodeInstance)
  dropAssignees(taskState(nodeInstance), people)
  execution.touched.add(nodeInstance.id)
  announce(execution, 'workflow.task.assignees_removed', task, { removed: [...people] })
  for (const person of people) {
    // In turn, those further down the line have no task yet.
    const own = held.find((other) => seatOf(other) === person)
    const facts = { comment, actorId, onBehalfOfId, targetId: person }
    recordTask(execution, own ?? task, { action: 'ASSIGNEE_REMOVED', ...facts })
    if (!own) continue
    execution.events.at(-1)?.recipients.push(own.key ?? person)
    removeBookmark(execution, own.id)
  }
}

/** The people named, each once; null where nobody is, or one of them is blank. */
function named(userIds: readonly string[]): string[] | null {
  const people = unique(userIds.map((id) => id.trim()))
  return people.length === 0 || people.includes('') ? null : people
}

function refuseClaimed({ claimedBy }: TaskState): Refusal | null {
  return claimedBy === null
    ? null
    : refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_claimed', { user: claimedBy })
}
