import { fault as makeFault } from '../model.js'
import { renderProperty } from '../properties.js'
import type { Activity } from './activity.js'

/** Faults the instance with the author's message. */
export const fault: Activity = {
  type: 'Fault',
  category: 'flow',
  outgoing: 'None',
  properties: [{ name: 'Message', type: 'template', required: false, defaultValue: null }],
  execute({ execution, node }) {
    const message = renderProperty(execution, node, 'Message')
    if (!message.ok) return { kind: 'fail', fault: message.fault }
    return {
      kind: 'faultInstance',
      fault: makeFault('WORKFLOW_UNEXPECTED_001', 'workflow.activity.fault_raised', { message: message.value }),
    }
  },
}
