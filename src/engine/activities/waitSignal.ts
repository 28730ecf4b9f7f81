import { renderProperty } from '../properties.js'
import { type Activity, complete } from './activity.js'
import { waitForSignals } from './waitForSignals.js'

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
    return waitForSignals(execution, node, 'SignalName', [name.value])
  },
  resume: ({ inputs }) => complete({ signal: inputs.signal ?? null }),
}
