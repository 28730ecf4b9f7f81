import type { Execution } from '../execution.js'
import { fault, type WorkflowNode } from '../model.js'
import type { ActivityResult, NewBookmark } from './activity.js'
import { propertyEmpty } from './propertyFault.js'

/** Waits for the first of these signals, with the instance's correlation id or, where the node accepts it, with any. */
export function waitForSignals(
  execution: Execution,
  node: WorkflowNode,
  property: string,
  names: readonly string[],
): ActivityResult {
  if (names.length === 0 || names.some((name) => name.trim() === ''))
    return { kind: 'fail', fault: propertyEmpty(node, property) }
  const any = node.properties.AcceptAnyCorrelation === true
  // Waiting for anybody's signal must be asked for.
  if (!any && execution.instance.correlationId === null)
    return {
      kind: 'fail',
      fault: fault('WORKFLOW_VALIDATION_002', 'workflow.activity.signal_correlation_missing', { node: node.id }),
    }
  const correlationId = any ? null : execution.instance.correlationId
  const bookmarks = [...new Set(names)].map(
    (key): NewBookmark => ({ kind: 'SIGNAL', key, correlationId, dueAt: null, payload: {}, task: null }),
  )
  return { kind: 'suspend', state: {}, bookmarks }
}
