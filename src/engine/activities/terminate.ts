import { renderProperty } from '../properties.js'
import type { Activity } from './activity.js'

/** Terminates the instance without compensation. */
export const terminate: Activity = {
  type: 'Terminate',
  category: 'flow',
  outgoing: 'None',
  properties: [{ name: 'Reason', type: 'template', required: false, defaultValue: null }],
  execute({ execution, node }) {
    const reason = renderProperty(execution, node, 'Reason')
    if (!reason.ok) return { kind: 'fail', fault: reason.fault }
    return { kind: 'terminateInstance', reason: reason.value === '' ? null : reason.value }
  },
}
