import { stopWaiting } from './children.js'
import { faultInstance } from './ending.js'
import { type Execution, emit, nodeOf, placeBookmark } from './execution.js'
import type { Fault, Json, NodeInstanceState, RetryPolicy } from './model.js'
import { leave } from './routing.js'
import { timeAfter } from './time.js'

/**
 * A node has failed: it is tried again while its retry policy allows, else it goes on with the label `error`
 * where it continues on error, else the instance faults. `final` skips both.
 */
export function failNode(
  execution: Execution,
  nodeInstance: NodeInstanceState,
  why: Fault,
  how = { final: false },
): void {
  const node = nodeOf(execution, nodeInstance.nodeId)
  stopWaiting(execution, nodeInstance)
  nodeInstance.status = 'FAULTED'
  nodeInstance.fault = why
  nodeInstance.endedAt = execution.world.now
  execution.touched.add(nodeInstance.id)
  const willRetry = !how.final && node.retryPolicy !== null && nodeInstance.attempt < node.retryPolicy.maxAttempts
  emit(execution, 'workflow.node.faulted', {
    nodeId: node.id,
    data: { code: why.code, messageKey: why.messageKey, willRetry },
  })
  if (willRetry && node.retryPolicy) {
    const dueAt = timeAfter(execution.world.now, delayOf(node.retryPolicy, nodeInstance.attempt))
    placeBookmark(execution, nodeInstance, {
      kind: 'RETRY',
      key: null,
      correlationId: null,
      dueAt,
      payload: { attempt: nodeInstance.attempt },
      task: null,
    })
    return
  }
  if (!how.final && node.continueOnError) {
    execution.instance.variables = {
      ...execution.instance.variables,
      lastError: faultJson(why),
      outcome: 'error',
    }
    nodeInstance.output = { outcome: 'error' }
    return leave(execution, nodeInstance)
  }
  faultInstance(execution, why, nodeInstance)
}

/** Milliseconds to wait after the n-th attempt failed: firstDelay × backoffFactor^(n−1). */
function delayOf(policy: RetryPolicy, attempt: number): number {
  // Without a delay there is nothing that grows; 0 × ∞ would be no number.
  return policy.firstDelay === 0 ? 0 : policy.firstDelay * policy.backoffFactor ** (attempt - 1)
}

/** A fault as expressions and clients see it. */
export function faultJson(value: Fault): { [key: string]: Json } {
  return {
    code: value.code,
    messageKey: value.messageKey,
    arguments: value.arguments,
    inner: value.inner === null ? null : faultJson(value.inner),
  }
}
