import { emit } from '../execution.js'
import { renderJson, renderProperty } from '../properties.js'
import { type Activity, complete } from './activity.js'
import { propertyEmpty } from './propertyFault.js'

/** Publishes an event of the process author's own, under the topic `workflow.custom`. */
export const publishEvent: Activity = {
  type: 'PublishEvent',
  category: 'event',
  outgoing: 'AllMatched',
  properties: [
    { name: 'EventName', type: 'template', required: true, defaultValue: null },
    { name: 'Payload', type: 'json', required: false, defaultValue: null },
  ],
  execute({ execution, node }) {
    const name = renderProperty(execution, node, 'EventName')
    if (!name.ok) return { kind: 'fail', fault: name.fault }
    if (name.value.trim() === '') return { kind: 'fail', fault: propertyEmpty(node, 'EventName') }
    const payload = renderJson(execution, node.properties.Payload ?? null)
    if (!payload.ok) return { kind: 'fail', fault: payload.fault }
    emit(execution, 'workflow.custom', { nodeId: node.id, data: { name: name.value, payload: payload.value } })
    return complete()
  },
}
