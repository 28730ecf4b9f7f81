import type { Execution } from './execution.js'
import { type Evaluated, evaluate, renderTemplate, type Scope } from './expression/evaluate.js'
import type { Fault, Json, JsonObject, WorkflowNode } from './model.js'

export type Rendered = { ok: true; value: string } | { ok: false; fault: Fault }

/** What expressions of the instance may read at this moment. */
export function scopeOf(execution: Execution, extra?: JsonObject): Scope {
  const scope: Scope = { variables: execution.instance.variables, now: execution.world.now }
  return extra ? { ...scope, extra } : scope
}

/** Renders the `{{ }}` template of a text property; a missing property renders as the empty string. */
export function renderProperty(execution: Execution, node: WorkflowNode, name: string): Rendered {
  const value = node.properties[name]
  if (value === undefined || value === null) return { ok: true, value: '' }
  if (typeof value !== 'string') return { ok: true, value: JSON.stringify(value) }
  return renderText(execution, value)
}

export function renderText(execution: Execution, text: string, extra?: JsonObject): Rendered {
  const template = execution.world.registry.expressions.template(text)
  return template.ok ? renderTemplate(template.template, scopeOf(execution, extra)) : template
}

/** Evaluates an expression given as text over the instance's variables. */
export function evaluateText(execution: Execution, text: string, extra?: JsonObject): Evaluated {
  const parsed = execution.world.registry.expressions.expression(text)
  return parsed.ok ? evaluate(parsed.expression, scopeOf(execution, extra)) : parsed
}

/** Renders every text inside a JSON value as a template. */
export function renderJson(
  execution: Execution,
  value: Json,
  extra?: JsonObject,
): { ok: true; value: Json } | { ok: false; fault: Fault } {
  if (typeof value === 'string') return renderText(execution, value, extra)
  if (value === null || typeof value !== 'object') return { ok: true, value }
  const entries: [string, Json][] = []
  for (const [key, item] of Object.entries(value)) {
    const rendered = renderJson(execution, item, extra)
    if (!rendered.ok) return rendered
    entries.push([key, rendered.value])
  }
  return { ok: true, value: Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries) }
}
