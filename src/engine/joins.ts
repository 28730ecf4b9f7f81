import type { Execution } from './execution.js'
import type { JoinState, Step, WorkflowNode } from './model.js'

/**
 * Counts an arrival at a join by its transition: two tokens over one edge count once per activation.
 * @returns where the join's run came from when it fires now, else null
 */
export function arrive(execution: Execution, node: WorkflowNode, step: Step): string[] | null {
  // A jump or a return runs the join itself: nothing arrived over a transition.
  if (step.transitionId === null) return step.cameFrom
  const { joins } = execution.instance
  const state: JoinState = joins[node.id] ?? { arrivals: {}, firedBy: null }
  joins[node.id] = state
  state.arrivals[step.transitionId] = step.cameFrom[0] ?? ''
  const full = execution.definition.incoming(node.id).every((edge) => edge.id in state.arrivals)
  const any = node.properties.Mode === 'WaitAny'
  const fires = any ? state.firedBy === null : full
  const cameFrom = any ? step.cameFrom : Object.values(state.arrivals)
  // All have arrived: the activation is over and the next one begins, so that a join in a loop works round by round.
  if (full) delete joins[node.id]
  return fires ? cameFrom : null
}

/** Takes back what canceled node instances brought to joins, so that their next run arrives afresh. */
export function withdrawArrivals(execution: Execution, canceled: ReadonlySet<string>): void {
  const { joins } = execution.instance
  for (const [nodeId, state] of Object.entries(joins)) {
    for (const [transitionId, from] of Object.entries(state.arrivals))
      if (canceled.has(from)) delete state.arrivals[transitionId]
    if (state.firedBy !== null && canceled.has(state.firedBy)) state.firedBy = null
    if (Object.keys(state.arrivals).length === 0) delete joins[nodeId]
  }
}

/** The first join that waits for arrivals which nothing active can bring any more, or null. */
export function deadJoin(execution: Execution): string | null {
  const active = new Set<string>()
  for (const nodeInstance of execution.nodeInstances.values())
    if (nodeInstance.status === 'WAITING' || retries(execution, nodeInstance.id)) active.add(nodeInstance.nodeId)
  for (const [nodeId, state] of Object.entries(execution.instance.joins)) {
    if (state.firedBy !== null || Object.keys(state.arrivals).length === 0) continue
    const reachable = [...active].some((from) => execution.definition.reach(from).has(nodeId))
    if (!reachable) return nodeId
  }
  return null
}

function retries(execution: Execution, nodeInstanceId: string): boolean {
  for (const bookmark of execution.bookmarks.values())
    if (bookmark.kind === 'RETRY' && bookmark.nodeInstanceId === nodeInstanceId) return true
  return false
}
