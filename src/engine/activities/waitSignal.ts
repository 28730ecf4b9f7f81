import { fault } from '../model.js'
import { renderProperty } from '../properties.js'
import { type Activity, complete } from './activity.js'

/** Waits for a signal of its name that carries the instance's correlation id. */
export const waitSignal: Activity = {
  type: 'WaitSignal',
  category: 'event',
  outgoing: 'AllMatched',
  properties: [
    { name: 'SignalName', type: 'template', required: true, defaultValue: null },
    { name: 'AcceptAnyCorrelation', type: 'boolean', required: false, defaultValue: false },
  ],
  execute({ execution, node }) {
    const name = renderProperty(execution, node, 'SignalName')
    if (!name.ok) return { kind: 'fail', fault: name.fault }
    const any = node.properties.AcceptAnyCorrelation === true
    // Waiting for anybody's signal must be asked for.
    if (!any && execution.instance.correlationId === null)
      return {
        kind: 'fail',
        fault: fault('WORKFLOW_VALIDATION_002', 'workflow.activity.signal_correlation_missing', { node: node.id }),
      }
    const correlationId = any ? null : execution.instance.correlationId
    return {
      kind: 'suspend',
      state: {},
      bookmarks: [{ kind: 'SIGNAL', key: name.value, correlationId, dueAt: null, payload: {}, task: null }],
    }
  },
  resume: ({ inputs }) => complete({ signal: inputs.signal ?? null }),
}
