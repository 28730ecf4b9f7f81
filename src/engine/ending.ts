import { endChildren, reportToParent, stopWaiting } from './children.js'
import { compensate } from './compensation.js'
import { bookmarksOf, type Execution, emit, removeBookmark } from './execution.js'
import type { Fault, InstanceStatus, NodeInstanceState } from './model.js'
import { closeTask } from './taskClosing.js'

/** Completes the instance: what is still open ends with it. */
export function endInstance(execution: Execution, outcome: string | null): void {
  execution.instance.outcome = outcome
  close(execution, 'COMPLETED', null)
  emit(execution, 'workflow.instance.completed', { data: { outcome } })
}

export function terminateInstance(execution: Execution, reason: string | null): void {
  close(execution, 'TERMINATED', reason)
  emit(execution, 'workflow.instance.terminated', { data: { reason } })
}

export function cancelInstance(execution: Execution, reason: string | null): void {
  close(execution, 'CANCELED', reason)
  emit(execution, 'workflow.instance.canceled', { data: { reason } })
}

/** Faults the instance; its open bookmarks stay, so that a retry or a jump can go on. */
export function faultInstance(execution: Execution, why: Fault, nodeInstance: NodeInstanceState | null): void {
  const { instance } = execution
  instance.status = 'FAULTED'
  instance.fault = why
  instance.faultNodeId = nodeInstance?.nodeId ?? null
  instance.faultNodeInstanceId = nodeInstance?.id ?? null
  execution.calls.length = 0
  emit(execution, 'workflow.instance.faulted', {
    nodeId: instance.faultNodeId,
    data: { code: why.code, messageKey: why.messageKey },
  })
  reportToParent(execution)
  if (execution.definition.content.compensateOnFault) compensate(execution, null, { kind: 'fault' })
}

function close(execution: Execution, status: InstanceStatus, reason: string | null): void {
  const { instance, world } = execution
  if (status !== 'COMPLETED') endChildren(execution, null, { terminate: status === 'TERMINATED', reason })
  cancelOpen(execution)
  for (const bookmark of [...execution.bookmarks.values()]) removeBookmark(execution, bookmark.id)
  execution.queue.length = 0
  execution.calls.length = 0
  instance.pending = []
  instance.joins = {}
  instance.status = status
  instance.endedAt = world.now
  reportToParent(execution)
}

/** Cancels node instances that have not ended, all or those given, with their bookmarks. */
export function cancelOpen(execution: Execution, only?: ReadonlySet<string>): string[] {
  const canceled: string[] = []
  for (const nodeInstance of execution.nodeInstances.values()) {
    const open =
      nodeInstance.status === 'RUNNING' || nodeInstance.status === 'WAITING' || nodeInstance.status === 'FAULTED'
    if (!open || (only && !only.has(nodeInstance.id))) continue
    for (const bookmark of bookmarksOf(execution, nodeInstance.id))
      if (bookmark.kind === 'USER_TASK') closeTask(execution, bookmark, { action: 'CANCELED' })
    stopWaiting(execution, nodeInstance)
    // A faulted run keeps its fault in the trail; it is only no longer open.
    if (nodeInstance.status !== 'FAULTED') nodeInstance.status = 'CANCELED'
    nodeInstance.endedAt ??= execution.world.now
    execution.touched.add(nodeInstance.id)
    canceled.push(nodeInstance.id)
  }
  return canceled
}
