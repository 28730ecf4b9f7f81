import type { Execution } from '../execution.js'
import type { BookmarkState, NodeInstanceState } from '../model.js'
import { taskState } from './votes.js'

/** The prefix of an assignee that is a group: one task serves all who are in it when they act. */
export const groupPrefix = 'group:'

export function isGroup(assignee: string | null): boolean {
  return assignee?.startsWith(groupPrefix) === true
}

/** Who has delegated the task and waits for it to come back; null where nobody has. */
export function delegatedBy({ payload }: BookmarkState): string | null {
  return typeof payload.delegatedBy === 'string' ? payload.delegatedBy : null
}

/** The group that a claimed task was taken from; null where it was not a group's. */
export function claimedFrom({ payload }: BookmarkState): string | null {
  return typeof payload.claimedFrom === 'string' ? payload.claimedFrom : null
}

/** The assignee of the step that the task stands for: who holds it, unless he has it from a group or an owner. */
export function seatOf(task: BookmarkState): string {
  return claimedFrom(task) ?? delegatedBy(task) ?? task.key ?? ''
}

/** The open tasks of one run of a node, in order of creation. */
export function openTasksOf(execution: Execution, { id }: NodeInstanceState): BookmarkState[] {
  return [...execution.bookmarks.values()].filter(
    ({ kind, nodeInstanceId }) => kind === 'USER_TASK' && nodeInstanceId === id,
  )
}

/** Whether the person has a part in the step already: as an assignee, answered or not, or holding a task of it. */
export function isOnStep(execution: Execution, nodeInstance: NodeInstanceState, person: string): boolean {
  if (taskState(nodeInstance).assignees.includes(person)) return true
  return openTasksOf(execution, nodeInstance).some(({ key }) => key === person)
}
