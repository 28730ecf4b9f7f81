import { completeNode } from '../burst.js'
import { bookmarksOf, type Execution, nodeOf, removeBookmark } from '../execution.js'
import { failNode } from '../failure.js'
import type { JsonObject, NodeInstanceState } from '../model.js'
import { closeTask } from '../taskClosing.js'
import { openNext } from './open.js'
import { rememberApprovals } from './sameApprover.js'
import { openTasksOf } from './seat.js'
import { policyOf, taskState } from './votes.js'

/** The step is decided: what is still open of it goes, and the flow leaves the node with the outcome. */
export function concludeStep(
  execution: Execution,
  nodeInstance: NodeInstanceState,
  outcome: string,
  variables: JsonObject = {},
): void {
  for (const other of openTasksOf(execution, nodeInstance)) closeTask(execution, other, { action: 'CANCELED', outcome })
  for (const bookmark of bookmarksOf(execution, nodeInstance.id)) removeBookmark(execution, bookmark.id)
  if (outcome === 'approved') rememberApprovals(execution, nodeInstance, taskState(nodeInstance).approved)
  completeNode(execution, nodeInstance, variables, outcome)
}

/** In turn: the next person gets a task once the one before has approved; other policies asked all at once. */
export function passTurn(execution: Execution, nodeInstance: NodeInstanceState): void {
  const node = nodeOf(execution, nodeInstance.nodeId)
  if (policyOf(node) !== 'Sequential') return
  const next = openNext(execution, node, nodeInstance)
  if ('failed' in next) failNode(execution, nodeInstance, next.failed)
  else if (next.decided !== null) concludeStep(execution, nodeInstance, next.decided)
}
