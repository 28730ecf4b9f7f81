import { completeNode, resumeNode, runNode } from './burst.js'
import type { BookmarkCommand, ResumeBookmarkCommand } from './command.js'
import { faultInstance, terminateInstance } from './ending.js'
import { bookmarksOf, type Execution, emit, placeBookmark, removeBookmark } from './execution.js'
import { type BookmarkState, fault, type JsonObject, type NodeInstanceState, type Refusal, refusal } from './model.js'
import { announce, closeTask } from './taskClosing.js'
import { reminder } from './tasks/open.js'
import { resumeTask } from './tasks/resume.js'

type Of<T extends BookmarkCommand['type']> = Extract<BookmarkCommand, { type: T }>

/** The bookmark, or the refusal: it is not there, or the instance is not running. */
export function find(execution: Execution, id: string): BookmarkState | Refusal {
  const bookmark = execution.bookmarks.get(id)
  if (!bookmark) return refusal('WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found', { id })
  const { status } = execution.instance
  if (status !== 'RUNNING') return refusal('WORKFLOW_CONFLICT_003', 'workflow.bookmark.not_resumable', { status })
  return bookmark
}

/** A signal has met its waiter: the node completes with the payload in the variable `signal`. */
export function resumeSignal(execution: Execution, command: Of<'signalBookmark'>): Refusal | null {
  const bookmark = find(execution, command.bookmarkId)
  if ('refused' in bookmark) return bookmark
  const nodeInstance = execution.nodeInstances.get(bookmark.nodeInstanceId ?? '')
  if (bookmark.kind !== 'SIGNAL' || bookmark.key !== command.name || !nodeInstance)
    return refusal('WORKFLOW_CONFLICT_003', 'workflow.bookmark.key_mismatch', { key: command.name })
  removeBookmark(execution, bookmark.id)
  resumeNode(execution, nodeInstance, bookmark, { signal: command.payload })
  return null
}

/** A bookmark's time has come. */
export function resumeDue(execution: Execution, command: Of<'dueBookmark'>): Refusal | null {
  const bookmark = find(execution, command.bookmarkId)
  if ('refused' in bookmark) return bookmark
  if (bookmark.dueAt === null || bookmark.dueAt > execution.world.now)
    return refusal('WORKFLOW_CONFLICT_003', 'workflow.bookmark.not_due', { id: bookmark.id })
  return consume(execution, bookmark, {})
}

/**
 * An operator resumes what waits. A signal's inputs are what the signal would have carried; what belongs to the
 * engine alone (reminders, the time of the whole instance) is refused.
 */
export function resumeBookmark(execution: Execution, command: ResumeBookmarkCommand): Refusal | null {
  const { inputs, expectedKey } = command
  const bookmark = find(execution, command.bookmarkId)
  if ('refused' in bookmark) return bookmark
  if (expectedKey !== null && expectedKey !== bookmark.key)
    return refusal('WORKFLOW_CONFLICT_003', 'workflow.bookmark.key_mismatch', { key: expectedKey })
  switch (bookmark.kind) {
    case 'REMINDER':
    case 'INSTANCE_TIMEOUT':
    case 'DEFINITION_TIMER':
      return refusal('WORKFLOW_CONFLICT_003', 'workflow.bookmark.kind_not_resumable', { kind: bookmark.kind })
    case 'USER_TASK':
      return resumeTask(execution, bookmark, inputs)
    case 'SIGNAL':
      return consume(execution, bookmark, { signal: inputs })
    default:
      return consume(execution, bookmark, inputs)
  }
}

/** Carries out what a bookmark stands for; it is closed by that. */
function consume(execution: Execution, bookmark: BookmarkState, inputs: JsonObject): Refusal | null {
  removeBookmark(execution, bookmark.id)
  if (bookmark.kind === 'INSTANCE_TIMEOUT') {
    timeOutInstance(execution)
    return null
  }
  const nodeInstance = execution.nodeInstances.get(bookmark.nodeInstanceId ?? '')
  if (!nodeInstance) return refusal('WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found', { id: bookmark.id })
  switch (bookmark.kind) {
    case 'REMINDER':
      remind(execution, nodeInstance, Number(bookmark.payload.seconds))
      return null
    case 'RETRY':
      runNode(execution, nodeInstance)
      return null
    case 'NODE_TIMEOUT':
      for (const task of bookmarksOf(execution, nodeInstance.id))
        if (task.kind === 'USER_TASK') closeTask(execution, task, { action: 'TIMED_OUT', outcome: 'timeout' })
      completeNode(execution, nodeInstance, {}, 'timeout')
      return null
    default:
      resumeNode(execution, nodeInstance, bookmark, inputs)
      return null
  }
}

/** However late it is, one reminder is sent; the next one is in the future. */
function remind(execution: Execution, nodeInstance: NodeInstanceState, seconds: number): void {
  for (const task of bookmarksOf(execution, nodeInstance.id))
    if (task.kind === 'USER_TASK') announce(execution, 'workflow.task.reminder', task)
  placeBookmark(execution, nodeInstance, reminder(execution.world.now, seconds))
}

function timeOutInstance(execution: Execution): void {
  emit(execution, 'workflow.instance.timedout')
  if (execution.definition.content.timeoutAction === 'Terminate') terminateInstance(execution, null)
  else faultInstance(execution, fault('WORKFLOW_UNEXPECTED_001', 'workflow.instance.timed_out'), null)
}
