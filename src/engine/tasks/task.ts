import { may } from '../command.js'
import { type Execution, nodeOf } from '../execution.js'
import { type BookmarkState, type NodeInstanceState, type Refusal, refusal, type WorkflowNode } from '../model.js'
import { groupPrefix, isGroup, openTasksOf } from './seat.js'
import { whyOf } from './why.js'

/** An open task with the node that it belongs to. */
export interface OpenTask {
  task: BookmarkState
  node: WorkflowNode
  nodeInstance: NodeInstanceState
  /** The person who acts. */
  actorId: string
  /** Whose task it is done for: the actor himself, or the person an operator acts for. */
  assigneeId: string
  /** Whom the history names beside the actor: the person an operator acts for, or the absent one he stands in for. */
  onBehalfOfId: string | null
}

/**
 * Finds the task and checks who acts, in the order of the reference: it exists, the instance runs, the actor may.
 */
export function openTask(
  execution: Execution,
  { taskId, onBehalfOfId = null }: { taskId: string; onBehalfOfId?: string | null },
): OpenTask | Refusal {
  const task = execution.bookmarks.get(taskId)
  const nodeInstance = task?.nodeInstanceId ? execution.nodeInstances.get(task.nodeInstanceId) : undefined
  if (task?.kind !== 'USER_TASK' || !nodeInstance)
    return refusal('WORKFLOW_NOTFOUND_003', 'workflow.task.not_found', { id: taskId })
  const stopped = refuseUnlessRunning(execution)
  if (stopped) return stopped
  const actor = execution.actor
  if (!actor) return notAssignee()
  const forAnother = onBehalfOfId !== null && onBehalfOfId !== actor.userId
  if (forAnother && !may(actor, 'operate')) return notAssignee()
  const assigneeId = forAnother ? onBehalfOfId : actor.userId
  // The groups of another are those of the directory; one's own came with the caller.
  if (!holds(task, assigneeId, forAnother ? execution.onBehalfOfGroups : actor.groups)) return notAssignee()
  return {
    task,
    node: nodeOf(execution, nodeInstance.nodeId),
    nodeInstance,
    actorId: actor.userId,
    assigneeId,
    onBehalfOfId: forAnother ? assigneeId : absentOf(task, assigneeId),
  }
}

/** The absent person whom the holder stands in for; a hand-over to somebody else ends that. */
function absentOf(task: BookmarkState, assigneeId: string): string | null {
  const why = whyOf(task)
  return why?.assignee === assigneeId ? why.insteadOfId : null
}

/** Tasks of an instance that does not run are not worked on. */
export function refuseUnlessRunning({ instance: { status } }: Execution): Refusal | null {
  return status === 'RUNNING'
    ? null
    : refusal('WORKFLOW_CONFLICT_003', 'workflow.task.instance_not_running', { status })
}

/** Whether the task is this person's, by name or as a candidate of its group. */
export function holds(task: BookmarkState, userId: string, groups: readonly string[]): boolean {
  if (task.key === userId) return true
  return task.key !== null && isGroup(task.key) && groups.includes(task.key.slice(groupPrefix.length))
}

export function notAssignee(): Refusal {
  return refusal('WORKFLOW_DENIED_001', 'workflow.task.not_assignee')
}

/** The tasks of the same node that are open beside this one. */
export function siblings(execution: Execution, open: OpenTask): BookmarkState[] {
  return openTasksOf(execution, open.nodeInstance).filter(({ id }) => id !== open.task.id)
}
