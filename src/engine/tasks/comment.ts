import { may, type TaskCommand } from '../command.js'
import type { Execution } from '../execution.js'
import { type Refusal, refusal } from '../model.js'
import { announce, recordTask } from '../taskClosing.js'
import { holds, notAssignee, refuseUnlessRunning } from './task.js'

/** Says something to a task without answering it. Whoever holds it, the starter and operators may. */
export function commentTask(
  execution: Execution,
  command: Extract<TaskCommand, { type: 'commentTask' }>,
): Refusal | null {
  const task = execution.bookmarks.get(command.taskId)
  if (task?.kind !== 'USER_TASK')
    return refusal('WORKFLOW_NOTFOUND_003', 'workflow.task.not_found', { id: command.taskId })
  const stopped = refuseUnlessRunning(execution)
  if (stopped) return stopped
  const { actor } = execution
  const { starterId } = execution.instance
  if (!actor) return notAssignee()
  const concerned = actor.userId === starterId || holds(task, actor.userId, actor.groups) || may(actor, 'operate')
  if (!concerned) return notAssignee()
  const comment = (command.comment ?? '').trim()
  if (comment === '') return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.comment_missing')
  recordTask(execution, task, { action: 'COMMENTED', comment, actorId: actor.userId })
  announce(execution, 'workflow.task.commented', task, { comment })
  // Who waits for the case reads along.
  if (starterId !== null && starterId !== task.key) execution.events.at(-1)?.recipients.push(starterId)
  return null
}
