import { apply } from './burst.js'
import { bookmarksOf, type Execution, removeBookmark } from './execution.js'
import {
  type BookmarkState,
  type ChildReport,
  type ChildState,
  type InstanceStatus,
  type NodeInstanceState,
  type Refusal,
  refusal,
} from './model.js'

/** Whether a child in this state lets its parent go on; a faulted one does, although it may still be retried. */
export function isSettled(status: InstanceStatus): boolean {
  return status !== 'RUNNING' && status !== 'SUSPENDED'
}

/** Leaves a report for the parent: it is taken in a transaction of its own, never under two locks. */
export function reportToParent(execution: Execution): void {
  const { instance, notices, world } = execution
  if (instance.parentId === null || notices.some(({ kind }) => kind === 'CHILD_ENDED')) return
  const { parentId, parentNodeInstanceId } = instance
  notices.push({
    id: world.newId(),
    kind: 'CHILD_ENDED',
    parentId,
    nodeInstanceId: parentNodeInstanceId,
    childId: instance.id,
  })
}

/** Leaves word that the children of a node instance end, or with null all children of the instance. */
export function endChildren(
  execution: Execution,
  nodeInstanceId: string | null,
  how: { terminate: boolean; reason: string | null },
): void {
  const { instance, notices, world } = execution
  if (!instance.startedChildren) return
  const all = notices.some((notice) => notice.kind === 'END_CHILDREN' && notice.nodeInstanceId === null)
  if (!all) notices.push({ id: world.newId(), kind: 'END_CHILDREN', parentId: instance.id, nodeInstanceId, ...how })
}

/** A node no longer waits: its bookmarks go, and children that it still waits for end. */
export function stopWaiting(execution: Execution, nodeInstance: NodeInstanceState): void {
  const activity = execution.world.registry.activities.get(nodeInstance.activityType)
  if (activity?.childrenEnded && Number(nodeInstance.state.open) > 0) {
    endChildren(execution, nodeInstance.id, { terminate: false, reason: null })
    nodeInstance.state = { ...nodeInstance.state, open: 0 }
  }
  for (const bookmark of bookmarksOf(execution, nodeInstance.id)) removeBookmark(execution, bookmark.id)
}

/**
 * Takes the reports of children for one waiting node; what is left is taken by the next command. Reports that nobody
 * waits for any more are dropped: their child ended after the parent gave it up, or was retried since.
 */
export function takeReports(execution: Execution): Refusal | null {
  const { instance, reports } = execution
  if (instance.status !== 'RUNNING')
    return refusal('WORKFLOW_CONFLICT_003', 'workflow.bookmark.not_resumable', { status: instance.status })
  let waiting: { nodeInstance: NodeInstanceState; bookmark: BookmarkState } | null = null
  const heard = new Map<string, ChildState>()
  for (const report of reports) {
    const found = waiterOf(execution, report)
    const other = found && waiting && found.nodeInstance.id !== waiting.nodeInstance.id
    if (other) continue
    execution.noticesTaken.push(report.noticeId)
    if (!found || !isSettled(report.status)) continue
    waiting = found
    heard.set(report.childId, report)
  }
  if (waiting) resumeWith(execution, waiting.nodeInstance, waiting.bookmark, [...heard.values()])
  return null
}

function waiterOf(execution: Execution, report: ChildReport) {
  const nodeInstance = execution.nodeInstances.get(report.nodeInstanceId ?? '')
  const bookmark = bookmarksOf(execution, report.nodeInstanceId ?? '').find(({ kind }) => kind === 'SUB_WORKFLOW')
  return nodeInstance?.status === 'WAITING' && bookmark ? { nodeInstance, bookmark } : null
}

/** The bookmark stays open: the activity may have to wait for more children. */
function resumeWith(
  execution: Execution,
  nodeInstance: NodeInstanceState,
  bookmark: BookmarkState,
  children: ChildState[],
): void {
  const activity = execution.world.registry.activities.get(nodeInstance.activityType)
  const node = execution.definition.node(nodeInstance.nodeId)
  if (!activity?.childrenEnded || !node) return
  execution.touched.add(nodeInstance.id)
  nodeInstance.status = 'RUNNING'
  apply(execution, nodeInstance, activity.childrenEnded({ execution, node, nodeInstance, bookmark, children }))
}
