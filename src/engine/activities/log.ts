import { renderProperty } from '../properties.js'
import { type Activity, complete } from './activity.js'

const levels = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Critical'] as const

/** Writes a message into the node's output, where the trail shows it. */
export const log: Activity = {
  type: 'Log',
  category: 'data',
  outgoing: 'AllMatched',
  properties: [
    { name: 'Message', type: 'template', required: true, defaultValue: null },
    { name: 'Level', type: 'enum', required: false, defaultValue: 'Information', values: levels },
  ],
  execute({ execution, node, nodeInstance }) {
    const message = renderProperty(execution, node, 'Message')
    if (!message.ok) return { kind: 'fail', fault: message.fault }
    nodeInstance.state = { message: message.value, level: node.properties.Level ?? 'Information' }
    return complete()
  },
}
