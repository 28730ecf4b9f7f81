import { type Execution, nodeOf } from './execution.js'
import { evaluateCondition } from './expression/evaluate.js'
import { failNode } from './failure.js'
import { type Fault, fault, type NodeInstanceState, type RoutingEntry, type WorkflowTransition } from './model.js'
import { scopeOf } from './properties.js'

type Chosen = { ok: true; entries: RoutingEntry[] } | { ok: false; fault: Fault; entries: RoutingEntry[] }

/**
 * Leaves a completed node: queues the targets of the transitions that its activity's outgoing mode chooses
 * and records which were considered. Nothing to choose is a fault of the instance.
 */
export function leave(execution: Execution, nodeInstance: NodeInstanceState): void {
  const { nodeId } = nodeInstance
  const back = nodeInstance.state.resubmitTo
  const outcome = nodeInstance.output?.outcome
  if (typeof back === 'string' && outcome !== 'rejected' && outcome !== 'timeout' && execution.definition.node(back))
    return queue(execution, nodeInstance, back, null)

  const chosen = choose(execution, nodeInstance)
  nodeInstance.routing = chosen.entries
  // A condition that cannot be decided is a defect of the definition: no retry policy mends it.
  if (!chosen.ok) return failNode(execution, nodeInstance, chosen.fault, { final: true })
  const taken = new Set(chosen.entries.filter((entry) => entry.taken).map((entry) => entry.transitionId))
  for (const transition of execution.definition.outgoing(nodeId))
    if (taken.has(transition.id)) queue(execution, nodeInstance, transition.targetNodeId, transition.id)
}

function queue(execution: Execution, from: NodeInstanceState, nodeId: string, transitionId: string | null): void {
  execution.queue.push({ nodeId, transitionId, cameFrom: [from.id] })
  for (const record of execution.taskRecords)
    if (record.nodeInstanceId === from.id && record.action !== 'CANCELED') record.targetNodeIds.push(nodeId)
}

function choose(execution: Execution, nodeInstance: NodeInstanceState): Chosen {
  const node = nodeOf(execution, nodeInstance.nodeId)
  const mode = execution.world.registry.activities.get(node.activityType)?.outgoing ?? 'AllMatched'
  const transitions = execution.definition.outgoing(node.id)
  if (mode === 'None') return { ok: true, entries: [] }
  if (mode === 'All') return { ok: true, entries: transitions.map((transition) => entryOf(transition, null, true)) }
  const entries: RoutingEntry[] = []
  for (const transition of transitions) {
    if (transition.isDefault) continue
    const value = conditionOf(execution, transition)
    if (!value.ok) return { ok: false, fault: value.fault, entries }
    entries.push(entryOf(transition, value.value, value.value ?? true))
    if (mode === 'Exclusive' && entries.at(-1)?.taken) break
  }
  if (entries.some((entry) => entry.taken)) return { ok: true, entries }
  const fallback = transitions.find((transition) => transition.isDefault)
  if (fallback) return { ok: true, entries: [...entries, entryOf(fallback, null, true)] }
  const none = fault('WORKFLOW_UNEXPECTED_001', 'workflow.node.no_transition_matched', { node: node.id })
  return { ok: false, fault: none, entries }
}

function entryOf(transition: WorkflowTransition, value: boolean | null, taken: boolean): RoutingEntry {
  return { transitionId: transition.id, condition: transition.condition, value, taken }
}

/** The value of the transition's condition; null where there is none. */
function conditionOf(
  execution: Execution,
  transition: WorkflowTransition,
): { ok: true; value: boolean | null } | { ok: false; fault: Fault } {
  if (transition.condition === null || transition.condition.trim() === '') return { ok: true, value: null }
  const parsed = execution.world.registry.expressions.expression(transition.condition)
  return parsed.ok ? evaluateCondition(parsed.expression, scopeOf(execution)) : parsed
}
