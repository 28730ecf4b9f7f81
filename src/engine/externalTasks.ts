import { resumeNode } from './burst.js'
import { find } from './due.js'
import { type Execution, emit, removeBookmark, touchBookmark } from './execution.js'
import { failNode } from './failure.js'
import { type BookmarkState, fault, type JsonObject, type NodeInstanceState, type Refusal, refusal } from './model.js'

/** What a worker says of a task that it holds the lock of. */
export type ExternalTaskCommand =
  | { type: 'completeExternalTask'; bookmarkId: string; workerId: string; variables: JsonObject }
  | {
      type: 'failExternalTask'
      bookmarkId: string
      workerId: string
      error: string
      /** Milliseconds until the task can be fetched again; null fails the node. */
      retryAfter: number | null
    }

type Of<T extends ExternalTaskCommand['type']> = Extract<ExternalTaskCommand, { type: T }>

/** The worker has done the task: its node completes with the variables. */
export function completeExternalTask(execution: Execution, command: Of<'completeExternalTask'>): Refusal | null {
  const held = heldBy(execution, command)
  if ('refused' in held) return held
  tell(execution, 'workflow.external.completed', held.task, { workerId: command.workerId })
  removeBookmark(execution, held.task.id)
  resumeNode(execution, held.nodeInstance, held.task, command.variables)
  return null
}

/** The worker has failed: the task waits for another try, or its node fails by its retry policy. */
export function failExternalTask(execution: Execution, command: Of<'failExternalTask'>): Refusal | null {
  const held = heldBy(execution, command)
  if ('refused' in held) return held
  const { task, nodeInstance } = held
  const { error, retryAfter, workerId } = command
  tell(execution, 'workflow.external.failed', task, { workerId, error, willRetry: retryAfter !== null })
  if (retryAfter === null) {
    removeBookmark(execution, task.id)
    failNode(execution, nodeInstance, fault('WORKFLOW_UNEXPECTED_001', 'workflow.external.task_failed', { error }))
    return null
  }
  task.payload = { ...task.payload, attempt: Number(task.payload.attempt) + 1 }
  task.lock = { by: null, until: execution.world.now + retryAfter }
  touchBookmark(execution, task)
  return null
}

function heldBy(
  execution: Execution,
  { bookmarkId, workerId }: ExternalTaskCommand,
): { task: BookmarkState; nodeInstance: NodeInstanceState } | Refusal {
  const task = find(execution, bookmarkId)
  if ('refused' in task) return task
  const nodeInstance = execution.nodeInstances.get(task.nodeInstanceId ?? '')
  if (task.kind !== 'EXTERNAL' || !nodeInstance)
    return refusal('WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found', { id: bookmarkId })
  if (task.lock?.by !== workerId || task.lock.until <= execution.world.now)
    return refusal('WORKFLOW_DENIED_002', 'workflow.external.not_locked', { id: task.id, worker: workerId })
  return { task, nodeInstance }
}

function tell(
  execution: Execution,
  type: 'workflow.external.completed' | 'workflow.external.failed',
  task: BookmarkState,
  data: JsonObject,
): void {
  emit(execution, type, { nodeId: task.nodeId, taskId: task.id, data: { topic: task.key, ...data } })
}
