import { may } from '../command.js'
import { type Execution, nodeOf } from '../execution.js'
import { type BookmarkState, type NodeInstanceState, type Refusal, refusal, type WorkflowNode } from '../model.js'

/** An open task with the node that it belongs to. */
export interface OpenTask {
  task: BookmarkState
  node: WorkflowNode
  nodeInstance: NodeInstanceState
  /** The person who acts. */
  actorId: string
  /** Whose task it is done for: the actor himself, or the person an operator acts for. */
  assigneeId: string
}

/**
 * Finds the task and checks who acts, in the order of the reference: it exists, the instance runs, the actor may.
 */
export function openTask(execution: Execution, taskId: string, onBehalfOfId: string | null = null): OpenTask | Refusal {
  const task = execution.bookmarks.get(taskId)
  const nodeInstance = task?.nodeInstanceId ? execution.nodeInstances.get(task.nodeInstanceId) : undefined
  if (task?.kind !== 'USER_TASK' || !nodeInstance)
    return refusal('WORKFLOW_NOTFOUND_003', 'workflow.task.not_found', { id: taskId })
  const { status } = execution.instance
  if (status !== 'RUNNING') return refusal('WORKFLOW_CONFLICT_003', 'workflow.task.instance_not_running', { status })
  const actor = execution.actor
  if (!actor) return denied()
  if (onBehalfOfId !== null && onBehalfOfId !== actor.userId && !may(actor, 'operate')) return denied()
  const assigneeId = onBehalfOfId ?? actor.userId
  if (!holds(task, assigneeId, actor.groups)) return denied()
  return { task, node: nodeOf(execution, nodeInstance.nodeId), nodeInstance, actorId: actor.userId, assigneeId }
}

/** Whether the task is this person's, by name or as a candidate of its group. */
function holds(task: BookmarkState, userId: string, groups: readonly string[]): boolean {
  if (task.key === userId) return true
  return task.key?.startsWith('group:') === true && groups.includes(task.key.slice('group:'.length))
}

function denied(): Refusal {
  return refusal('WORKFLOW_DENIED_001', 'workflow.task.not_assignee')
}

/** The tasks of the same node that are open beside this one. */
export function siblings(execution: Execution, open: OpenTask): BookmarkState[] {
  return [...execution.bookmarks.values()].filter(
    (other) => other.kind === 'USER_TASK' && other.nodeInstanceId === open.nodeInstance.id && other.id !== open.task.id,
  )
}
