import { emit, placeBookmark } from '../execution.js'
import { fault } from '../model.js'
import { renderJson, renderProperty } from '../properties.js'
import { type Activity, complete } from './activity.js'

/** Hands a piece of work to an external worker, who fetches it by its topic. */
export const externalTask: Activity = {
  type: 'ExternalTask',
  category: 'integration',
  outgoing: 'AllMatched',
  properties: [
    { name: 'Topic', type: 'template', required: true, defaultValue: null },
    { name: 'Payload', type: 'json', required: false, defaultValue: null },
  ],
  execute({ execution, node, nodeInstance }) {
    const topic = renderProperty(execution, node, 'Topic')
    if (!topic.ok) return { kind: 'fail', fault: topic.fault }
    // Nobody could ever fetch it.
    if (topic.value.trim() === '')
      return {
        kind: 'fail',
        fault: fault('WORKFLOW_VALIDATION_002', 'workflow.activity.property_required', {
          node: node.id,
          property: 'Topic',
        }),
      }
    const payload = renderJson(execution, node.properties.Payload ?? null)
    if (!payload.ok) return { kind: 'fail', fault: payload.fault }
    const taskId = placeBookmark(execution, nodeInstance, {
      kind: 'EXTERNAL',
      key: topic.value,
      correlationId: null,
      dueAt: null,
      payload: { payload: payload.value, attempt: 1 },
      task: null,
    })
    emit(execution, 'workflow.external.created', { nodeId: node.id, taskId, data: { topic: topic.value } })
    return { kind: 'suspend', state: {}, bookmarks: [] }
  },
  resume: ({ inputs }) => complete(inputs),
}
