import type { ActivityResult } from '../activities/activity.js'
import { answerTo, type CallRequest } from '../calls.js'
import type { Execution } from '../execution.js'
import { type Fault, fault, type Json, type NodeInstanceState, type WorkflowNode } from '../model.js'
import { evaluateText, renderJson, renderText } from '../properties.js'

/** Why no people are known: a fault, or a rule that the shell has to be asked about first. */
export type Unresolved = { ok: false; fault: Fault } | { ok: false; request: CallRequest }
type People = { ok: true; people: string[] } | Unresolved
export type Assignees = { ok: true; assignees: string[]; decided: string | null } | Unresolved

export const builtInAssigneeRules = ['User', 'Starter', 'Expression'] as const

/** What a node does that does not know whom to ask yet. */
export function unresolved(why: Unresolved): ActivityResult {
  return 'fault' in why ? { kind: 'fail', fault: why.fault } : { kind: 'call', request: why.request }
}

/**
 * Who is asked at a user task: the three sources merged in order, without repeats, then the rules for nobody.
 * A failing rule is a fault, never an empty list. `decided` is the outcome where no one needs to be asked.
 */
export function resolveAssignees(execution: Execution, node: WorkflowNode, nodeInstance: NodeInstanceState): Assignees {
  const { properties } = node
  const listed = texts(execution, properties.Assignees ?? null)
  if (!listed.ok) return listed
  const expressed = expression(execution, properties.AssigneesExpression ?? null)
  if (!expressed.ok) return expressed
  const ruled = resolveRules(execution, nodeInstance, properties.AssigneeRules ?? null)
  if (!ruled.ok) return ruled
  const found = withoutStarter(execution, node, unique([...listed.people, ...expressed.people, ...ruled.people]))
  if (found.length > 0) return { ok: true, assignees: found, decided: null }
  return nobody(execution, node, nodeInstance)
}

function nobody(execution: Execution, node: WorkflowNode, nodeInstance: NodeInstanceState): Assignees {
  switch (node.properties.EmptyAssigneeStrategy) {
    case 'AutoApprove':
      return { ok: true, assignees: [], decided: 'approved' }
    case 'AutoReject':
      return { ok: true, assignees: [], decided: 'rejected' }
    case 'Fallback': {
      const fallback = resolveRules(execution, nodeInstance, node.properties.FallbackAssigneeRules ?? null)
      if (!fallback.ok) return fallback
      if (fallback.people.length > 0) return { ok: true, assignees: unique(fallback.people), decided: null }
    }
  }
  return { ok: false, fault: fault('WORKFLOW_VALIDATION_002', 'workflow.task.no_assignees', { node: node.id }) }
}

/** The people of a list of rules `[{ type, values }]`. */
export function resolveRules(execution: Execution, nodeInstance: NodeInstanceState, rules: Json): People {
  if (rules === null) return { ok: true, people: [] }
  if (!Array.isArray(rules)) return invalid(nodeInstance, 'AssigneeRules')
  const people: string[] = []
  for (const rule of rules) {
    if (rule === null || typeof rule !== 'object' || Array.isArray(rule)) return invalid(nodeInstance, 'AssigneeRules')
    const found = resolveRule(execution, nodeInstance, String(rule.type), rule.values ?? [])
    if (!found.ok) return found
    people.push(...found.people)
  }
  return { ok: true, people }
}

function resolveRule(execution: Execution, nodeInstance: NodeInstanceState, type: string, values: Json): People {
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
      return applicationRule(execution, nodeInstance, type, values)
  }
}

function applicationRule(execution: Execution, nodeInstance: NodeInstanceState, type: string, values: Json): People {
  if (!execution.world.registry.assigneeRules.has(type))
    return { ok: false, fault: fault('WORKFLOW_NOTFOUND_004', 'workflow.assignee.unknown_rule', { type }) }
  const rendered = renderJson(execution, values)
  if (!rendered.ok) return rendered
  const request: CallRequest = { kind: 'assignees', type, values: rendered.value }
  const answer = answerTo(execution, nodeInstance.id, request)
  if (answer === null) return { ok: false, request }
  if (answer.kind === 'fail') return { ok: false, fault: answer.fault }
  return { ok: true, people: answer.kind === 'people' ? answer.people : [] }
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

function invalid({ nodeId }: NodeInstanceState, property: string): People {
  return {
    ok: false,
    fault: fault('WORKFLOW_VALIDATION_002', 'workflow.activity.property_type', {
      node: nodeId,
      property,
      expected: 'rules',
    }),
  }
}
