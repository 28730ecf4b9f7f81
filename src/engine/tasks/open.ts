import type { ActivityResult, NewBookmark } from '../activities/activity.js'
import { type Execution, emit, nodeTitle, placeBookmark } from '../execution.js'
import { type Fault, fault, type Json, type JsonObject, type NodeInstanceState, type WorkflowNode } from '../model.js'
import { renderJson, renderProperty } from '../properties.js'
import { parseTime, timeAfter } from '../time.js'
import { resolveRules, type Unresolved, unique, unresolved } from './assignees.js'
import { emptyState, policyOf } from './votes.js'

export const defaultOutcomes = ['approved', 'rejected']

type Facts =
  | { ok: true; title: string; priority: number | null; dueAt: number | null; payload: JsonObject }
  | { ok: false; fault: Fault }

/** Opens the tasks of a user task node: for all assignees at once, or for the first where they go in turn. */
export function openTasks(
  execution: Execution,
  node: WorkflowNode,
  nodeInstance: NodeInstanceState,
  assignees: string[],
): ActivityResult {
  const facts = taskFacts(execution, node)
  if (!facts.ok) return { kind: 'fail', fault: facts.fault }
  const copied = copyTo(execution, node, nodeInstance, facts.title)
  if (!copied.ok) return unresolved(copied)
  nodeInstance.state = {
    ...emptyState(assignees),
    ...(nodeInstance.state.resubmitTo ? { resubmitTo: nodeInstance.state.resubmitTo } : {}),
  }
  const first = policyOf(node) === 'Sequential' ? assignees.slice(0, 1) : assignees
  for (const assignee of first) openTask(execution, nodeInstance, assignee, facts)
  const bookmarks: NewBookmark[] = []
  const seconds = Number(node.properties.ReminderAfterSeconds ?? 0)
  if (seconds > 0) bookmarks.push(reminder(execution.world.now, seconds))
  return { kind: 'suspend', bookmarks, state: {} }
}

export function reminder(now: number, seconds: number): NewBookmark {
  return {
    kind: 'REMINDER',
    key: null,
    correlationId: null,
    dueAt: timeAfter(now, seconds * 1000),
    payload: { seconds },
    task: null,
  }
}

/** Opens one more task of the node for this person or group. */
export function openTaskFor(
  execution: Execution,
  node: WorkflowNode,
  nodeInstance: NodeInstanceState,
  assignee: string,
): Fault | null {
  const facts = taskFacts(execution, node)
  if (!facts.ok) return facts.fault
  openTask(execution, nodeInstance, assignee, facts)
  return null
}

function openTask(
  execution: Execution,
  nodeInstance: NodeInstanceState,
  assignee: string,
  facts: Facts & { ok: true },
): void {
  const id = placeBookmark(execution, nodeInstance, {
    kind: 'USER_TASK',
    key: assignee,
    correlationId: null,
    dueAt: null,
    payload: facts.payload,
    task: { title: facts.title, priority: facts.priority, dueAt: facts.dueAt, claimedBy: null },
  })
  emit(execution, 'workflow.task.created', {
    nodeId: nodeInstance.nodeId,
    taskId: id,
    recipients: [assignee],
    data: { title: facts.title, assignee },
  })
}

function taskFacts(execution: Execution, node: WorkflowNode): Facts {
  const title = renderProperty(execution, node, 'Title')
  if (!title.ok) return title
  const formKey = renderProperty(execution, node, 'FormKey')
  if (!formKey.ok) return formKey
  const formData = renderJson(execution, node.properties.FormData ?? null)
  if (!formData.ok) return formData
  const dueAt = dueOf(execution, node)
  if (!dueAt.ok) return dueAt
  const priority = node.properties.Priority
  return {
    ok: true,
    title: title.value === '' ? nodeTitle(node) : title.value,
    priority: typeof priority === 'number' ? priority : null,
    dueAt: dueAt.value,
    payload: {
      allowedOutcomes: outcomesOf(node.properties.AllowedOutcomes ?? null),
      formKey: formKey.value === '' ? null : formKey.value,
      formData: formData.value,
    },
  }
}

function outcomesOf(value: Json): string[] {
  const outcomes = Array.isArray(value)
    ? value.map(String)
    : typeof value === 'string'
      ? value.split(',').map((text) => text.trim())
      : []
  return outcomes.length > 0 ? outcomes : defaultOutcomes
}

function dueOf(
  execution: Execution,
  node: WorkflowNode,
): { ok: true; value: number | null } | { ok: false; fault: Fault } {
  const at = renderProperty(execution, node, 'DueAt')
  if (!at.ok) return at
  if (at.value !== '') {
    const time = parseTime(at.value)
    if (time !== null) return { ok: true, value: time }
    return {
      ok: false,
      fault: fault('WORKFLOW_VALIDATION_002', 'workflow.activity.property_type', {
        node: node.id,
        property: 'DueAt',
        expected: 'date-time',
      }),
    }
  }
  const seconds = Number(node.properties.DueAfterSeconds ?? 0)
  return { ok: true, value: seconds > 0 ? timeAfter(execution.world.now, seconds * 1000) : null }
}

function copyTo(
  execution: Execution,
  node: WorkflowNode,
  nodeInstance: NodeInstanceState,
  taskTitle: string,
): { ok: true } | Unresolved {
  const rules: Json = [
    { type: 'User', values: node.properties.CcUserIds ?? [] },
    ...(Array.isArray(node.properties.CcRules) ? node.properties.CcRules : []),
  ]
  const found = resolveRules(execution, nodeInstance, rules)
  if (!found.ok) return found
  const people = unique(found.people)
  for (const userId of people)
    execution.copies.push({
      id: execution.world.newId(),
      nodeId: node.id,
      userId,
      taskTitle,
      createdAt: execution.world.now,
    })
  if (people.length > 0)
    emit(execution, 'workflow.task.copied', { nodeId: node.id, recipients: people, data: { title: taskTitle } })
  return { ok: true }
}
