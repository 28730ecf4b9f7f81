import { type ActivityResult, complete, type NewBookmark } from '../activities/activity.js'
import { type Execution, emit, placeBookmark } from '../execution.js'
import type { Fault, Json, NodeInstanceState, WorkflowNode } from '../model.js'
import { recordWithoutTask } from '../taskClosing.js'
import { timeAfter } from '../time.js'
import { resolveRules, type Unresolved, unique, unresolved } from './assignees.js'
import { isSameApprover, rememberApprovals, strategyOf } from './sameApprover.js'
import { type TaskFacts, taskFacts } from './taskFacts.js'
import { newState, policyOf, quorumsOf, tally, taskState } from './votes.js'
import type { Assignee } from './why.js'

/**
 * Opens the tasks of a user task node: for all assignees at once, or for the first where they go in turn. Those who
 * have made up their mind elsewhere are passed over or counted as approving, as the node says.
 */
export function openTasks(
  execution: Execution,
  node: WorkflowNode,
  nodeInstance: NodeInstanceState,
  assignees: Assignee[],
): ActivityResult {
  const facts = taskFacts(execution, node)
  if (!facts.ok) return { kind: 'fail', fault: facts.fault }
  const copied = copyTo(execution, node, nodeInstance, facts.title)
  if (!copied.ok) return unresolved(copied)
  const { resubmitTo } = nodeInstance.state
  const asked = passOver(execution, node, nodeInstance, assignees, facts.title)
  nodeInstance.state = { ...newState(asked, quorumsOf(node)), ...(resubmitTo ? { resubmitTo } : {}) }
  const decided = asked.length === 0 ? 'approved' : openAll(execution, node, nodeInstance, facts)
  if (decided !== null) {
    rememberApprovals(execution, nodeInstance, taskState(nodeInstance).approved)
    return complete({}, decided)
  }
  return { kind: 'suspend', bookmarks: remindersOf(execution, node), state: {} }
}

/** Opens the tasks that a step begins with. @returns the outcome where rules have decided it already */
function openAll(
  execution: Execution,
  node: WorkflowNode,
  nodeInstance: NodeInstanceState,
  facts: TaskFacts,
): string | null {
  const state = taskState(nodeInstance)
  if (policyOf(node) === 'Sequential') return takeTurns(execution, node, nodeInstance, facts)
  const same = state.assignees.filter((person) => isSameApprover(execution, node, person))
  for (const person of same) approveByRule(execution, nodeInstance, person, facts.title)
  const decided = same.length === 0 ? null : policyOf(node) === 'Any' ? 'approved' : tally(node, state)
  if (decided !== null) return decided
  for (const person of state.assignees) if (!same.includes(person)) openTask(execution, nodeInstance, person, facts)
  return null
}

/** In turn: passes those for whom a rule answers and opens the task of the next. @returns `approved` when all have */
function takeTurns(
  execution: Execution,
  node: WorkflowNode,
  nodeInstance: NodeInstanceState,
  facts: TaskFacts,
): 'approved' | null {
  const state = taskState(nodeInstance)
  for (;;) {
    const person = state.assignees[state.approved.length]
    if (person === undefined) return 'approved'
    if (strategyOf(node) !== 'AutoApprove' || !isSameApprover(execution, node, person)) {
      openTask(execution, nodeInstance, person, facts)
      return null
    }
    approveByRule(execution, nodeInstance, person, facts.title)
  }
}

/** Leaves those out whom the node skips; each leaves a record. */
function passOver(
  execution: Execution,
  node: WorkflowNode,
  nodeInstance: NodeInstanceState,
  assignees: Assignee[],
  title: string,
): Assignee[] {
  if (strategyOf(node) !== 'Skip') return assignees
  const skipped = assignees.filter(({ id }) => isSameApprover(execution, node, id))
  for (const { id } of skipped)
    recordWithoutTask(execution, nodeInstance, { taskId: null, title, assigneeId: id }, { action: 'SKIPPED' })
  return assignees.filter((assignee) => !skipped.includes(assignee))
}

function approveByRule(execution: Execution, nodeInstance: NodeInstanceState, person: string, title: string): void {
  const state = taskState(nodeInstance)
  const at = new Date(execution.world.now).toISOString()
  state.approved.push(person)
  state.history.push({ actorId: person, outcome: 'approved', comment: null, at, skipped: true })
  const facts = { action: 'SKIPPED', outcome: 'approved' } as const
  recordWithoutTask(execution, nodeInstance, { taskId: null, title, assigneeId: person }, facts)
}

/** Goes on with the next in turn. @returns the outcome when all have approved, or why no task could be made */
export function openNext(
  execution: Execution,
  node: WorkflowNode,
  nodeInstance: NodeInstanceState,
): { decided: 'approved' | null } | { failed: Fault } {
  const facts = taskFacts(execution, node)
  return facts.ok ? { decided: takeTurns(execution, node, nodeInstance, facts) } : { failed: facts.fault }
}

/** The first reminder of a step, where it has any. */
export function remindersOf(execution: Execution, node: WorkflowNode): NewBookmark[] {
  const seconds = Number(node.properties.ReminderAfterSeconds ?? 0)
  return seconds > 0 ? [reminder(execution.world.now, seconds)] : []
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

function openTask(execution: Execution, nodeInstance: NodeInstanceState, assignee: string, facts: TaskFacts): void {
  const why = taskState(nodeInstance).why.find((one) => one.assignee === assignee)
  const id = placeBookmark(execution, nodeInstance, {
    kind: 'USER_TASK',
    key: assignee,
    correlationId: null,
    dueAt: null,
    payload: { ...facts.payload, ...(why ? { why: { ...why } } : {}) },
    task: { title: facts.title, priority: facts.priority, dueAt: facts.dueAt, claimedBy: null },
  })
  emit(execution, 'workflow.task.created', {
    nodeId: nodeInstance.nodeId,
    taskId: id,
    recipients: [assignee],
    data: { title: facts.title, assignee, cc: copiedOn(execution, nodeInstance) },
  })
}

/** Who gets a copy of the step that begins in this command. */
function copiedOn(execution: Execution, { nodeId }: NodeInstanceState): string[] {
  return unique(execution.copies.filter((copy) => copy.nodeId === nodeId).map(({ userId }) => userId))
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
