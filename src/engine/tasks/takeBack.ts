import { apply } from '../burst.js'
import { may, type TaskCommand } from '../command.js'
import { cancelOpen } from '../ending.js'
import { type Execution, emit, nodeOf, type TakenAnswer } from '../execution.js'
import { failNode } from '../failure.js'
import { withdrawArrivals } from '../joins.js'
import { descendants } from '../lineage.js'
import { type NodeInstanceState, type Refusal, refusal, type TrailEntry } from '../model.js'
import { closeTask, recordWithoutTask } from '../taskClosing.js'
import { openTaskFor, remindersOf } from './open.js'
import { forgetApprovals } from './sameApprover.js'
import { openTasksOf } from './seat.js'
import { holds, notAssignee, refuseUnlessRunning } from './task.js'
import { type Policy, policyOf, taskState } from './votes.js'

type TakeBack = Extract<TaskCommand, { type: 'takeBackTask' }>

/** What may have run since and leaves nothing outside the instance; what only waits is simply given up. */
const harmless = new Set(['Decision', 'Parallel', 'SetVariable', 'Log'])
const waitsQuietly = new Set(['UserTask', 'Delay', 'WaitSignal', 'EventGateway'])

/**
 * Takes an answer back, as long as nobody has acted after it and nothing has left the instance because of it. The step
 * is asked again, with the other votes as they were. Needs the trail.
 */
export function takeBackTask(execution: Execution, command: TakeBack): Refusal | null {
  const { taken, actor } = execution
  const task = execution.bookmarks.get(command.taskId)
  if (!taken && task?.kind !== 'USER_TASK')
    return refusal('WORKFLOW_NOTFOUND_003', 'workflow.task.not_found', { id: command.taskId })
  const stopped = refuseUnlessRunning(execution)
  if (stopped) return stopped
  if (!actor) return notAssignee()
  const forAnother = command.onBehalfOfId != null && command.onBehalfOfId !== actor.userId
  if (forAnother && !may(actor, 'operate')) return notAssignee()
  const personId = forAnother ? command.onBehalfOfId : actor.userId
  if (!taken) {
    const open = task && holds(task, personId ?? '', actor.groups)
    return open ? refusal('WORKFLOW_CONFLICT_004', 'workflow.task.not_answered') : notAssignee()
  }
  if (personId !== taken.actorId && !(forAnother && personId === taken.onBehalfOfId)) return notAssignee()
  const nodeInstance = execution.nodeInstances.get(taken.nodeInstance.id) ?? taken.nodeInstance
  const undone = descendants(execution.trail ?? [], nodeInstance.id)
  if (!isUntouched(execution, taken, nodeInstance, undone))
    return refusal('WORKFLOW_CONFLICT_004', 'workflow.task.take_back_too_late')
  takeBack(execution, taken, nodeInstance, undone)
  const title = openTasksOf(execution, nodeInstance)[0]?.task?.title ?? ''
  const subject = { taskId: taken.taskId, title, assigneeId: taken.assigneeId }
  const { comment } = command
  const onBehalfOfId = forAnother ? (personId ?? null) : null
  recordWithoutTask(execution, nodeInstance, subject, {
    action: 'TAKEN_BACK',
    comment,
    actorId: actor.userId,
    onBehalfOfId,
  })
  emit(execution, 'workflow.task.taken_back', {
    nodeId: nodeInstance.nodeId,
    taskId: taken.taskId,
    recipients: [personId ?? actor.userId],
    data: { title, assignee: personId ?? null, comment },
  })
  return null
}

/** Whether nobody has acted on what came of the answer, and all of it can be undone within the instance. */
function isUntouched(
  execution: Execution,
  { actedSince }: TakenAnswer,
  nodeInstance: NodeInstanceState,
  undone: ReadonlySet<string>,
): boolean {
  if (nodeInstance.status !== 'WAITING' && nodeInstance.status !== 'COMPLETED') return false
  if (actedSince.some((id) => undone.has(id))) return false
  const after = (execution.trail ?? []).filter(({ id }) => undone.has(id) && id !== nodeInstance.id)
  return after.every((entry) => leavesNoTrace(entry, undone))
}

function leavesNoTrace({ activityType, status, cameFrom }: TrailEntry, undone: ReadonlySet<string>): boolean {
  if (status === 'CANCELED') return true
  if (status === 'WAITING') return waitsQuietly.has(activityType)
  if (status !== 'COMPLETED') return false
  // A join that also took what others brought cannot give it back to them.
  if (activityType === 'Join') return cameFrom.every((id) => undone.has(id))
  return harmless.has(activityType)
}

function takeBack(
  execution: Execution,
  taken: TakenAnswer,
  nodeInstance: NodeInstanceState,
  undone: ReadonlySet<string>,
): void {
  const wasDecided = nodeInstance.status === 'COMPLETED'
  const node = nodeOf(execution, nodeInstance.nodeId)
  const voter = withdrawVote(nodeInstance, taken, policyOf(node))
  execution.nodeInstances.set(nodeInstance.id, nodeInstance)
  execution.touched.add(nodeInstance.id)
  forgetApprovals(execution, undone)
  withdrawArrivals(execution, undone)
  cancelOpen(execution, new Set([...undone].filter((id) => id !== nodeInstance.id)))
  if (wasDecided) reopen(execution, nodeInstance)
  if (policyOf(node) === 'Sequential') {
    for (const next of openTasksOf(execution, nodeInstance)) closeTask(execution, next, { action: 'CANCELED' })
    // He is asked himself, though a rule might have answered for him: he has just shown that he has second thoughts.
    const failed = openTaskFor(execution, node, nodeInstance, voter)
    if (failed) failNode(execution, nodeInstance, failed)
    return
  }
  const { assignees, approved, rejected } = taskState(nodeInstance)
  // While the step was open, everybody else has kept his task.
  const asked = wasDecided ? assignees.filter((id) => !approved.includes(id) && !rejected.includes(id)) : [voter]
  for (const person of asked) {
    const failed = openTaskFor(execution, node, nodeInstance, person)
    if (failed) return failNode(execution, nodeInstance, failed)
  }
}

/** Strikes the vote out. @returns the assignee whose vote it was */
function withdrawVote(
  nodeInstance: NodeInstanceState,
  { actorId, onBehalfOfId, assigneeId }: TakenAnswer,
  policy: Policy,
): string {
  const state = taskState(nodeInstance)
  const people = [actorId, onBehalfOfId, assigneeId].filter((id) => id !== null)
  const voted = people.find((id) => state.approved.includes(id) || state.rejected.includes(id))
  const voter = voted ?? people.find((id) => state.assignees.includes(id)) ?? actorId
  const turn = state.approved.indexOf(voter)
  // In turn, those whom a rule has passed after him have their turn again.
  if (policy === 'Sequential' && turn >= 0) state.approved = state.approved.slice(0, turn)
  state.approved = state.approved.filter((id) => id !== voter)
  state.rejected = state.rejected.filter((id) => id !== voter)
  const last = state.history.findLastIndex((vote) => vote.actorId === actorId)
  if (last >= 0) state.history.splice(last, 1)
  state.claimedBy = null
  return voter
}

/** A decided step waits again; its timers are armed anew. */
function reopen(execution: Execution, nodeInstance: NodeInstanceState): void {
  Object.assign(nodeInstance, { output: null, routing: null, endedAt: null, endedSeq: null })
  const bookmarks = remindersOf(execution, nodeOf(execution, nodeInstance.nodeId))
  apply(execution, nodeInstance, { kind: 'suspend', bookmarks, state: {} })
}
