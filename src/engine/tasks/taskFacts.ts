import { type Execution, nodeTitle } from '../execution.js'
import { type Fault, fault, type Json, type JsonObject, type WorkflowNode } from '../model.js'
import { renderJson, renderProperty } from '../properties.js'
import { parseTime, timeAfter } from '../time.js'
import { withoutHidden } from './form.js'

const defaultOutcomes = ['approved', 'rejected']

/** What all tasks of one step have in common. */
export interface TaskFacts {
  ok: true
  title: string
  priority: number | null
  dueAt: number | null
  payload: JsonObject
}
type Facts = TaskFacts | { ok: false; fault: Fault }

/** Renders what the node says about its tasks. */
export function taskFacts(execution: Execution, node: WorkflowNode): Facts {
  const title = renderProperty(execution, node, 'Title')
  if (!title.ok) return title
  const formKey = renderProperty(execution, node, 'FormKey')
  if (!formKey.ok) return formKey
  const formData = renderJson(execution, node.properties.FormData ?? null)
  if (!formData.ok) return formData
  const dueAt = dueOf(execution, node)
  if (!dueAt.ok) return dueAt
  const priority = node.properties.Priority
  return {
    ok: true,
    title: title.value === '' ? nodeTitle(node) : title.value,
    priority: typeof priority === 'number' ? priority : null,
    dueAt: dueAt.value,
    payload: {
      allowedOutcomes: outcomesOf(node.properties.AllowedOutcomes ?? null),
      formKey: formKey.value === '' ? null : formKey.value,
      formData: withoutHidden(node, formData.value),
    },
  }
}

function outcomesOf(value: Json): string[] {
  const outcomes = Array.isArray(value)
    ? value.map(String)
    : typeof value === 'string'
      ? value.split(',').map((text) => text.trim())
      : []
  return outcomes.length > 0 ? outcomes : defaultOutcomes
}

function dueOf(
  execution: Execution,
  node: WorkflowNode,
): { ok: true; value: number | null } | { ok: false; fault: Fault } {
  const at = renderProperty(execution, node, 'DueAt')
  if (!at.ok) return at
  if (at.value !== '') {
    const time = parseTime(at.value)
    if (time !== null) return { ok: true, value: time }
    return {
      ok: false,
      fault: fault('WORKFLOW_VALIDATION_002', 'workflow.activity.property_type', {
        node: node.id,
        property: 'DueAt',
        expected: 'date-time',
      }),
    }
  }
  const seconds = Number(node.properties.DueAfterSeconds ?? 0)
  return { ok: true, value: seconds > 0 ? timeAfter(execution.world.now, seconds * 1000) : null }
}
