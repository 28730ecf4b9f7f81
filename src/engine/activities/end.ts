import { renderProperty } from '../properties.js'
import type { Activity } from './activity.js'

/** Ends the instance, with the outcome it names. */
export const end: Activity = {
  type: 'End',
  category: 'flow',
  outgoing: 'None',
  properties: [{ name: 'Outcome', type: 'template', required: false, defaultValue: null }],
  validate: (node) =>
    node.properties.Outcome === ''
      ? [
          {
            property: 'Outcome',
            messageKey: 'workflow.activity.property_empty',
            arguments: { node: node.id, property: 'Outcome' },
          },
        ]
      : [],
  execute({ execution, node }) {
    const outcome = renderProperty(execution, node, 'Outcome')
    if (!outcome.ok) return { kind: 'fail', fault: outcome.fault }
    return { kind: 'endInstance', outcome: outcome.value === '' ? null : outcome.value }
  },
}
