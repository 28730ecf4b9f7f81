import { may, type TaskCommand } from '../command.js'
import type { Execution } from '../execution.js'
import { type Refusal, refusal } from '../model.js'
import { announce, recordTask } from '../taskClosing.js'

/** Urges whoever holds the task: an event and a record, no other change. The starter and operators may. */
export function urgeTask(execution: Execution, command: Extract<TaskCommand, { type: 'urgeTask' }>): Refusal | null {
  const task = execution.bookmarks.get(command.taskId)
  if (task?.kind !== 'USER_TASK')
    return refusal('WORKFLOW_NOTFOUND_003', 'workflow.task.not_found', { id: command.taskId })
  const { status, starterId } = execution.instance
  if (status !== 'RUNNING') return refusal('WORKFLOW_CONFLICT_003', 'workflow.task.instance_not_running', { status })
  const { actor } = execution
  if (!actor || (actor.userId !== starterId && actor.userId !== task.key && !may(actor, 'operate')))
    return refusal('WORKFLOW_DENIED_001', 'workflow.task.urge_denied')
  recordTask(execution, task, { action: 'URGED', comment: command.comment, actorId: actor.userId })
  announce(execution, 'workflow.task.urged', task, { comment: command.comment })
  return null
}
