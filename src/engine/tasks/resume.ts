import { type Execution, placeBookmark, removeBookmark } from '../execution.js'
import { type BookmarkState, type JsonObject, type Refusal, refusal } from '../model.js'
import { announce } from '../taskClosing.js'
import { completeTask } from './complete.js'

/**
 * A task's bookmark is resumed by an operator: with an outcome he answers for the assignee; without one nothing is
 * approved, and the task is issued again under a new id.
 */
export function resumeTask(execution: Execution, task: BookmarkState, inputs: JsonObject): Refusal | null {
  const { outcome, comment, ...variables } = inputs
  if (typeof outcome === 'string')
    return completeTask(execution, {
      type: 'completeTask',
      taskId: task.id,
      outcome,
      comment: typeof comment === 'string' ? comment : null,
      variables,
      onBehalfOfId: task.key,
    })
  const nodeInstance = execution.nodeInstances.get(task.nodeInstanceId ?? '')
  if (!nodeInstance) return refusal('WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found', { id: task.id })
  removeBookmark(execution, task.id)
  const { kind, key, correlationId, dueAt, payload, task: fields } = task
  const id = placeBookmark(execution, nodeInstance, { kind, key, correlationId, dueAt, payload, task: fields })
  const issued = execution.bookmarks.get(id)
  announce(execution, 'workflow.task.canceled', task)
  if (issued) announce(execution, 'workflow.task.created', issued)
  return null
}
