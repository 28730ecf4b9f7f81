import { completeNode } from './burst.js'
import type { Answer, Call } from './calls.js'
import { cancelInstance } from './ending.js'
import { type Execution, emit } from './execution.js'
import { failNode } from './failure.js'

/** What is being undone, and what follows once it is. */
export interface Compensation {
  nodeIds: ReadonlySet<string>
  then: Afterwards
  /** Node instances still to be undone, the last completed first. */
  remaining: string[]
}

export type Afterwards =
  /** The Compensate node completes and the flow goes on. */
  | { kind: 'node'; nodeInstanceId: string }
  | { kind: 'cancel'; reason: string | null }
  /** The instance has faulted already. */
  | { kind: 'fault' }

/**
 * Undoes completed nodes in the reverse order of their completion, each once: what is compensated is not completed
 * any more. Only nodes whose activity can be undone are touched, and only for them the trail is loaded.
 * @param nodeIds the nodes to undo; null for all
 */
export function compensate(execution: Execution, nodeIds: readonly string[] | null, then: Afterwards): void {
  const { definition, world } = execution
  const wanted = definition.content.nodes
    .filter(({ activityType }) => world.registry.activities.get(activityType)?.compensable === true)
    .filter(({ id }) => nodeIds === null || nodeIds.includes(id))
    .map(({ id }) => id)
  execution.compensation = { nodeIds: new Set(wanted), then, remaining: [] }
  if (wanted.length === 0) return finish(execution)
  execution.calls.push({ kind: 'completed', nodeIds: wanted, nodeInstanceId: '', key: 'completed' })
}

/** Goes on with the shell's answer: what has completed, or that one node is undone. */
export function answerCompensation(execution: Execution, call: Call, answer: Answer): void {
  const { compensation } = execution
  if (!compensation) return
  if (answer.kind === 'completed') {
    // What this decision has changed is newer than what was loaded.
    for (const loaded of answer.nodeInstances)
      if (!execution.nodeInstances.has(loaded.id)) execution.nodeInstances.set(loaded.id, loaded)
    compensation.remaining = [...execution.nodeInstances.values()]
      .filter(({ status, nodeId }) => status === 'COMPLETED' && compensation.nodeIds.has(nodeId))
      .sort((a, b) => (b.endedSeq ?? 0) - (a.endedSeq ?? 0))
      .map(({ id }) => id)
    return next(execution, compensation)
  }
  const nodeInstance = execution.nodeInstances.get(call.nodeInstanceId)
  if (!nodeInstance) return
  execution.touched.add(nodeInstance.id)
  if (answer.kind === 'fail') {
    // It stays completed, with the reason why it could not be undone; an end is not held up by it.
    nodeInstance.fault = answer.fault
    const { then } = compensation
    const asking = then.kind === 'node' ? execution.nodeInstances.get(then.nodeInstanceId) : undefined
    if (asking) {
      execution.compensation = null
      return failNode(execution, asking, answer.fault)
    }
  } else {
    nodeInstance.status = 'COMPENSATED'
    nodeInstance.fault = null
    emit(execution, 'workflow.node.compensated', { nodeId: nodeInstance.nodeId })
  }
  next(execution, compensation)
}

function next(execution: Execution, { remaining }: Compensation): void {
  const nodeInstanceId = remaining.shift()
  if (nodeInstanceId === undefined) return finish(execution)
  execution.calls.push({ kind: 'compensate', nodeInstanceId, key: `${nodeInstanceId} compensate` })
}

function finish(execution: Execution): void {
  const then = execution.compensation?.then
  execution.compensation = null
  switch (then?.kind) {
    case 'node': {
      const nodeInstance = execution.nodeInstances.get(then.nodeInstanceId)
      if (nodeInstance) completeNode(execution, nodeInstance, {}, null)
      return
    }
    case 'cancel':
      return cancelInstance(execution, then.reason)
    case 'fault':
    case undefined:
      return
  }
}
