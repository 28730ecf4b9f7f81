import type { Execution } from '../execution.js'
import type { Json } from '../model.js'
import { type Rendered, renderText } from '../properties.js'
import { timeAfter } from '../time.js'
import { type Activity, complete } from './activity.js'
import { waitForSignals } from './waitForSignals.js'

/** Waits for several signals and a time at once: the first one decides, and the others are no longer waited for. */
export const eventGateway: Activity = {
  type: 'EventGateway',
  category: 'event',
  outgoing: 'AllMatched',
  properties: [
    { name: 'Signals', type: 'stringList', required: true, defaultValue: null },
    { name: 'TimeoutSeconds', type: 'number', required: false, defaultValue: null },
    { name: 'AcceptAnyCorrelation', type: 'boolean', required: false, defaultValue: false },
  ],
  validate(node) {
    const signals = node.properties.Signals
    // One that is missing is reported by the descriptor.
    if (signals === undefined || signals === null || signals === '' || namesOf(signals).length > 0) return []
    const about = { node: node.id, property: 'Signals' }
    return [{ property: 'Signals', messageKey: 'workflow.activity.property_required', arguments: about }]
  },
  execute({ execution, node }) {
    const names: string[] = []
    for (const name of namesOf(node.properties.Signals ?? null)) {
      const rendered = renderName(execution, name)
      if (!rendered.ok) return { kind: 'fail', fault: rendered.fault }
      names.push(rendered.value)
    }
    const waiting = waitForSignals(execution, node, 'Signals', names)
    const seconds = Number(node.properties.TimeoutSeconds ?? 0)
    if (waiting.kind === 'suspend' && seconds > 0)
      waiting.bookmarks.push({
        kind: 'TIMER',
        key: null,
        correlationId: null,
        dueAt: timeAfter(execution.world.now, seconds * 1000),
        payload: {},
        task: null,
      })
    return waiting
  },
  resume({ bookmark, inputs }) {
    if (bookmark.kind === 'TIMER') return complete({ signal: null, payload: null }, 'timeout')
    return complete({ signal: bookmark.key, payload: inputs.signal ?? null }, bookmark.key)
  },
}

function namesOf(value: Json): string[] {
  const names = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : []
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

function renderName(execution: Execution, name: string): Rendered {
  return name.includes('{{') ? renderText(execution, name) : { ok: true, value: name }
}
