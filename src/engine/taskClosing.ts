import { type Execution, emit, nodeOf, nodeTitle, removeBookmark } from './execution.js'
import type { BookmarkState, JsonObject, NodeInstanceState, TaskAction } from './model.js'
import type { Topic } from './topics.js'

export interface RecordFacts {
  action: TaskAction
  outcome?: string | null
  comment?: string | null
  actorId?: string | null
  onBehalfOfId?: string | null
  targetId?: string | null
}

/** What a record is about: a task, or a person whom a rule answered for without one. */
interface Subject {
  taskId: string | null
  title: string
  assigneeId: string | null
  formKey: string | null
  /** When the task was made. */
  since: number | null
}

/** Appends the record of one human transition of a task. */
export function recordTask(execution: Execution, task: BookmarkState, facts: RecordFacts): void {
  const { formKey } = task.payload
  record(execution, task.nodeId ?? '', task.nodeInstanceId ?? '', facts, {
    taskId: task.id,
    title: task.task?.title ?? '',
    assigneeId: task.key,
    formKey: typeof formKey === 'string' ? formKey : null,
    since: task.createdAt,
  })
}

/** Appends the record of somebody who was not asked: a rule answered, or the task is closed already. */
export function recordWithoutTask(
  execution: Execution,
  { id, nodeId }: NodeInstanceState,
  subject: { taskId: string | null; title: string; assigneeId: string | null },
  facts: RecordFacts,
): void {
  record(execution, nodeId, id, facts, { ...subject, formKey: null, since: null })
}

function record(
  execution: Execution,
  nodeId: string,
  nodeInstanceId: string,
  facts: RecordFacts,
  subject: Subject,
): void {
  const { world, instance } = execution
  const node = nodeOf(execution, nodeId)
  execution.taskRecords.push({
    id: world.newId(),
    taskId: subject.taskId,
    nodeInstanceId,
    nodeId: node.id,
    nodeTitle: nodeTitle(node),
    activityType: node.activityType,
    taskTitle: subject.title,
    action: facts.action,
    outcome: facts.outcome ?? null,
    comment: facts.comment ?? null,
    actorId: facts.actorId ?? null,
    onBehalfOfId: facts.onBehalfOfId ?? null,
    assigneeId: subject.assigneeId,
    targetId: facts.targetId ?? null,
    targetNodeIds: [],
    formKey: subject.formKey,
    variables: instance.variables,
    at: world.now,
    durationMs: subject.since === null ? null : Math.max(0, world.now - subject.since),
  })
}

/** Closes an open task: its bookmark goes, its record and its event stay. */
export function closeTask(execution: Execution, task: BookmarkState, facts: RecordFacts): void {
  recordTask(execution, task, facts)
  removeBookmark(execution, task.id)
  // A decided task is told of by the decision's own event.
  if (facts.action === 'CANCELED') announce(execution, 'workflow.task.canceled', task)
  if (facts.action === 'WITHDRAWN')
    announce(execution, 'workflow.task.withdrawn', task, { comment: facts.comment ?? null })
}

export function announce(execution: Execution, type: Topic, task: BookmarkState, data: JsonObject = {}): void {
  emit(execution, type, {
    nodeId: task.nodeId,
    taskId: task.id,
    recipients: task.key === null ? [] : [task.key],
    data: { title: task.task?.title ?? '', assignee: task.key, ...data },
  })
}
