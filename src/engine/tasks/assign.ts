import type { TaskCommand } from '../command.js'
import { type Execution, touchBookmark } from '../execution.js'
import { failNode } from '../failure.js'
import { isRefusal, type Refusal, refusal } from '../model.js'
import { announce, closeTask, recordTask } from '../taskClosing.js'
import { unique } from './assignees.js'
import { openTaskFor } from './open.js'
import { openTask, siblings } from './task.js'
import { policyOf, taskState } from './votes.js'

type Of<T extends TaskCommand['type']> = Extract<TaskCommand, { type: T }>

/** Gives the task to another person; it keeps its id. Refused for anyone who is on the step already. */
export function transferTask(execution: Execution, command: Of<'transferTask'>): Refusal | null {
  const open = openTask(execution, command.taskId)
  if (isRefusal(open)) return open
  const to = command.toUserId.trim()
  if (to === '') return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.target_missing')
  const state = taskState(open.nodeInstance)
  if (state.assignees.includes(to))
    return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_assignee', { user: to })
  recordTask(execution, open.task, {
    action: 'TRANSFERRED',
    comment: command.comment,
    actorId: open.actorId,
    targetId: to,
  })
  const from = open.task.key
  state.assignees = state.assignees.map((id) => (id === from ? to : id))
  if (state.claimedBy === from) state.claimedBy = to
  if (open.task.task?.claimedBy) open.task.task.claimedBy = to
  open.task.key = to
  touchBookmark(execution, open.task)
  execution.touched.add(open.nodeInstance.id)
  announce(execution, 'workflow.task.transferred', open.task, { from, to, comment: command.comment })
  // Both sides learn of it: the one who lost the task must see it go.
  if (from !== null) execution.events.at(-1)?.recipients.push(from)
  return null
}

/** Adds signers: at once for Any and All, to the end of the line for Sequential. All or none of them. */
export function addAssignees(execution: Execution, command: Of<'addAssignees'>): Refusal | null {
  const open = openTask(execution, command.taskId)
  if (isRefusal(open)) return open
  const people = unique(command.userIds.map((id) => id.trim()))
  if (people.length === 0 || people.includes(''))
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.target_missing')
  const state = taskState(open.nodeInstance)
  const known = people.find((id) => state.assignees.includes(id))
  if (known !== undefined) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_assignee', { user: known })
  if (state.claimedBy !== null)
    return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_claimed', { user: state.claimedBy })
  state.assignees.push(...people)
  execution.touched.add(open.nodeInstance.id)
  for (const person of people) {
    recordTask(execution, open.task, {
      action: 'ASSIGNEE_ADDED',
      comment: command.comment,
      actorId: open.actorId,
      targetId: person,
    })
    if (policyOf(open.node) === 'Sequential') continue
    const failed = openTaskFor(execution, open.node, open.nodeInstance, person)
    if (failed) {
      failNode(execution, open.nodeInstance, failed)
      return null
    }
  }
  announce(execution, 'workflow.task.assignees_added', open.task, { added: people })
  return null
}

/** Takes a task that several may answer for oneself: the others' tasks are withdrawn. */
export function claimTask(execution: Execution, command: Of<'claimTask'>): Refusal | null {
  const open = openTask(execution, command.taskId)
  if (isRefusal(open)) return open
  if (policyOf(open.node) !== 'Any') return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.claim_needs_any')
  const state = taskState(open.nodeInstance)
  if (state.claimedBy !== null)
    return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.already_claimed', { user: state.claimedBy })
  state.claimedBy = open.actorId
  for (const other of siblings(execution, open)) closeTask(execution, other, { action: 'CANCELED' })
  recordTask(execution, open.task, { action: 'CLAIMED', comment: command.comment, actorId: open.actorId })
  if (open.task.key !== open.actorId) open.task.payload = { ...open.task.payload, claimedFrom: open.task.key }
  open.task.key = open.actorId
  if (open.task.task) open.task.task.claimedBy = open.actorId
  touchBookmark(execution, open.task)
  execution.touched.add(open.nodeInstance.id)
  announce(execution, 'workflow.task.claimed', open.task)
  return null
}

/** Gives a claimed task back: the others are asked again. */
export function releaseTask(execution: Execution, command: Of<'releaseTask'>): Refusal | null {
  const open = openTask(execution, command.taskId)
  if (isRefusal(open)) return open
  if (policyOf(open.node) !== 'Any') return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.claim_needs_any')
  const state = taskState(open.nodeInstance)
  if (state.claimedBy !== open.assigneeId) return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.not_claimed')
  state.claimedBy = null
  recordTask(execution, open.task, { action: 'RELEASED', comment: command.comment, actorId: open.actorId })
  const { claimedFrom, ...payload } = open.task.payload
  open.task.payload = payload
  if (typeof claimedFrom === 'string') open.task.key = claimedFrom
  if (open.task.task) open.task.task.claimedBy = null
  touchBookmark(execution, open.task)
  execution.touched.add(open.nodeInstance.id)
  announce(execution, 'workflow.task.released', open.task)
  for (const person of state.assignees) {
    if (person === open.task.key) continue
    const failed = openTaskFor(execution, open.node, open.nodeInstance, person)
    if (failed) {
      failNode(execution, open.nodeInstance, failed)
      return null
    }
  }
  return null
}
