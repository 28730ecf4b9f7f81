import type { Execution } from '../execution.js'
import { type Fault, fault, type Json, type WorkflowNode } from '../model.js'
import { evaluateText, renderText } from '../properties.js'

type People = { ok: true; people: string[] } | { ok: false; fault: Fault }
export type Assignees = { ok: true; assignees: string[]; decided: string | null } | { ok: false; fault: Fault }

/**
 * Who is asked at a user task: the three sources merged in order, without repeats, then the rules for nobody.
 * A failing rule is a fault, never an empty list. `decided` is the outcome where no one needs to be asked.
 */
export function resolveAssignees(execution: Execution, node: WorkflowNode): Assignees {
  const { properties } = node
  const listed = texts(execution, properties.Assignees ?? null)
  if (!listed.ok) return listed
  const expressed = expression(execution, properties.AssigneesExpression ?? null)
  if (!expressed.ok) return expressed
  const ruled = resolveRules(execution, node, properties.AssigneeRules ?? null)
  if (!ruled.ok) return ruled
  const found = withoutStarter(execution, node, unique([...listed.people, ...expressed.people, ...ruled.people]))
  if (found.length > 0) return { ok: true, assignees: found, decided: null }
  return nobody(execution, node)
}

function nobody(execution: Execution, node: WorkflowNode): Assignees {
  switch (node.properties.EmptyAssigneeStrategy) {
    case 'AutoApprove':
      return { ok: true, assignees: [], decided: 'approved' }
    case 'AutoReject':
      return { ok: true, assignees: [], decided: 'rejected' }
    case 'Fallback': {
      const fallback = resolveRules(execution, node, node.properties.FallbackAssigneeRules ?? null)
      if (!fallback.ok) return fallback
      if (fallback.people.length > 0) return { ok: true, assignees: unique(fallback.people), decided: null }
    }
  }
  return { ok: false, fault: fault('WORKFLOW_VALIDATION_002', 'workflow.task.no_assignees', { node: node.id }) }
}

/** The people of a list of rules `[{ type, values }]`. */
export function resolveRules(execution: Execution, node: WorkflowNode, rules: Json): People {
  if (rules === null) return { ok: true, people: [] }
  if (!Array.isArray(rules)) return invalid(node, 'AssigneeRules')
  const people: string[] = []
  for (const rule of rules) {
    if (rule === null || typeof rule !== 'object' || Array.isArray(rule)) return invalid(node, 'AssigneeRules')
    const found = resolveRule(execution, String(rule.type), rule.values ?? [])
    if (!found.ok) return found
    people.push(...found.people)
  }
  return { ok: true, people }
}

function resolveRule(execution: Execution, type: string, values: Json): People {
  switch (type) {
    case 'User':
      return texts(execution, values)
    case 'Starter':
      return { ok: true, people: execution.instance.starterId === null ? [] : [execution.instance.starterId] }
    case 'Expression': {
      const people: string[] = []
      for (const value of Array.isArray(values) ? values : [values]) {
        const found = expression(execution, value)
        if (!found.ok) return found
        people.push(...found.people)
      }
      return { ok: true, people }
    }
    default:
      return { ok: false, fault: fault('WORKFLOW_NOTFOUND_004', 'workflow.assignee.unknown_rule', { type }) }
  }
}

function expression(execution: Execution, text: Json): People {
  if (text === null || text === '') return { ok: true, people: [] }
  const value = evaluateText(execution, String(text))
  if (!value.ok) return value
  return { ok: true, people: split(value.value) }
}

/** People given as a list or as a text with commas; templates are rendered. */
function texts(execution: Execution, value: Json): People {
  const people: string[] = []
  for (const item of Array.isArray(value) ? value : [value]) {
    if (item === null) continue
    const rendered = renderText(execution, String(item))
    if (!rendered.ok) return rendered
    people.push(...split(rendered.value))
  }
  return { ok: true, people }
}

function split(value: Json): string[] {
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => split(item))
  return String(value)
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function withoutStarter(execution: Execution, node: WorkflowNode, people: string[]): string[] {
  const { starterId } = execution.instance
  return node.properties.ExcludeStarter === true ? people.filter((id) => id !== starterId) : people
}

export function unique(people: readonly string[]): string[] {
  return [...new Set(people)]
}

function invalid(node: WorkflowNode, property: string): People {
  return {
    ok: false,
    fault: fault('WORKFLOW_VALIDATION_002', 'workflow.activity.property_type', {
      node: node.id,
      property,
      expected: 'rules',
    }),
  }
}
