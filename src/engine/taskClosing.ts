import { type Execution, emit, nodeOf, nodeTitle, removeBookmark } from './execution.js'
import type { BookmarkState, TaskAction } from './model.js'
import type { Topic } from './topics.js'

export interface RecordFacts {
  action: TaskAction
  outcome?: string | null
  comment?: string | null
  actorId?: string | null
  onBehalfOfId?: string | null
  targetId?: string | null
}

/** Appends the record of one human transition of a task. */
export function recordTask(execution: Execution, task: BookmarkState, facts: RecordFacts): void {
  const node = nodeOf(execution, task.nodeId ?? '')
  execution.taskRecords.push({
    id: execution.world.newId(),
    taskId: task.id,
    nodeInstanceId: task.nodeInstanceId ?? '',
    nodeId: node.id,
    nodeTitle: nodeTitle(node),
    activityType: node.activityType,
    taskTitle: task.task?.title ?? '',
    action: facts.action,
    outcome: facts.outcome ?? null,
    comment: facts.comment ?? null,
    actorId: facts.actorId ?? null,
    onBehalfOfId: facts.onBehalfOfId ?? null,
    assigneeId: task.key,
    targetId: facts.targetId ?? null,
    targetNodeIds: [],
    formKey: typeof task.payload.formKey === 'string' ? task.payload.formKey : null,
    variables: execution.instance.variables,
    at: execution.world.now,
    durationMs: Math.max(0, execution.world.now - task.createdAt),
  })
}

/** Closes an open task: its bookmark goes, its record and its event stay. */
export function closeTask(execution: Execution, task: BookmarkState, facts: RecordFacts): void {
  recordTask(execution, task, facts)
  removeBookmark(execution, task.id)
  // A decided task is told of by the decision's own event.
  if (facts.action === 'CANCELED') announce(execution, 'workflow.task.canceled', task)
}

export function announce(execution: Execution, type: Topic, task: BookmarkState, data = {}): void {
  emit(execution, type, {
    nodeId: task.nodeId,
    taskId: task.id,
    recipients: task.key === null ? [] : [task.key],
    data: { title: task.task?.title ?? '', assignee: task.key, ...data },
  })
}
