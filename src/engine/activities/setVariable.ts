import type { JsonObject } from '../model.js'
import { evaluateText, renderJson } from '../properties.js'
import { type Activity, complete } from './activity.js'

/** Sets variables: literal values first, then expressions over the variables as they were. */
export const setVariable: Activity = {
  type: 'SetVariable',
  category: 'data',
  outgoing: 'AllMatched',
  properties: [
    { name: 'Values', type: 'object', required: false, defaultValue: null },
    { name: 'Expressions', type: 'expressions', required: false, defaultValue: null },
  ],
  execute({ execution, node }) {
    const output: JsonObject = {}
    const values = renderJson(execution, node.properties.Values ?? {})
    if (!values.ok) return { kind: 'fail', fault: values.fault }
    Object.assign(output, values.value)
    for (const [name, expression] of Object.entries((node.properties.Expressions ?? {}) as JsonObject)) {
      const value = evaluateText(execution, String(expression))
      if (!value.ok) return { kind: 'fail', fault: value.fault }
      output[name] = value.value
    }
    return complete(output)
  },
}
