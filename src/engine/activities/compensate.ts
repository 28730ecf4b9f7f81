import type { Activity } from './activity.js'

/** Undoes completed nodes, all or those named, the last completed first, and goes on. */
export const compensate: Activity = {
  type: 'Compensate',
  category: 'flow',
  outgoing: 'AllMatched',
  properties: [{ name: 'NodeIds', type: 'stringList', required: false, defaultValue: null }],
  execute({ node }) {
    const { NodeIds } = node.properties
    const given = typeof NodeIds === 'string' ? NodeIds.split(',') : Array.isArray(NodeIds) ? NodeIds : []
    const nodeIds = given.map((id) => String(id).trim()).filter((id) => id !== '')
    return { kind: 'compensate', nodeIds: nodeIds.length > 0 ? nodeIds : null }
  },
}
