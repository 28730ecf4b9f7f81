import type { ActivityResult } from '../activities/activity.js'
import { answerTo, type CallRequest } from '../calls.js'
import type { Execution } from '../execution.js'
import { type Fault, fault, type Json, type NodeInstanceState, type WorkflowNode } from '../model.js'
import { evaluateText, renderJson, renderText } from '../properties.js'
import { groupPrefix, isGroup } from './seat.js'
import type { Assignee, AssignmentSource } from './why.js'

/** Why no people are known: a fault, or something that the shell has to be asked about first. */
export type Unresolved = { ok: false; fault: Fault } | { ok: false; request: CallRequest }
type People = { ok: true; people: string[] } | Unresolved
type Found = { ok: true; found: Assignee[] } | Unresolved
export type Assignees = { ok: true; assignees: Assignee[]; decided: string | null } | Unresolved

/** The rules that the core answers itself. */
const ownRules = ['User', 'Starter', 'Expression'] as const
/** The rules that are answered from the directory of people. */
export const directoryRules = ['Group', 'Manager', 'GroupManager'] as const
export const builtInAssigneeRules: readonly string[] = [...ownRules, ...directoryRules]

/** What a node does that does not know whom to ask yet. */
export function unresolved(why: Unresolved): ActivityResult {
  return 'fault' in why ? { kind: 'fail', fault: why.fault } : { kind: 'call', request: why.request }
}

/**
 * Who is asked at a user task: the three sources merged in order, without repeats, then the rules for nobody, then
 * those who stand in for the absent. A failing rule is a fault, never an empty list. `decided` is the outcome where no
 * one needs to be asked.
 */
export function resolveAssignees(execution: Execution, node: WorkflowNode, nodeInstance: NodeInstanceState): Assignees {
  const { properties } = node
  const listed = texts(execution, properties.Assignees ?? null)
  if (!listed.ok) return listed
  const expressed = expression(execution, properties.AssigneesExpression ?? null)
  if (!expressed.ok) return expressed
  const ruled = findByRules(execution, nodeInstance, properties.AssigneeRules ?? null, 'RULE')
  if (!ruled.ok) return ruled
  const found = merge([
    ...asAssignees(listed.people, 'ASSIGNEES'),
    ...asAssignees(expressed.people, 'EXPRESSION'),
    ...ruled.found,
  ])
  const asked = withoutStarter(execution, node, found)
  return asked.length > 0 ? substitute(execution, node, nodeInstance, asked) : nobody(execution, node, nodeInstance)
}

function nobody(execution: Execution, node: WorkflowNode, nodeInstance: NodeInstanceState): Assignees {
  switch (node.properties.EmptyAssigneeStrategy) {
    case 'AutoApprove':
      return { ok: true, assignees: [], decided: 'approved' }
    case 'AutoReject':
      return { ok: true, assignees: [], decided: 'rejected' }
    case 'Fallback': {
      const rules = node.properties.FallbackAssigneeRules ?? null
      const fallback = findByRules(execution, nodeInstance, rules, 'FALLBACK')
      if (!fallback.ok) return fallback
      if (fallback.found.length > 0) return substitute(execution, node, nodeInstance, merge(fallback.found))
    }
  }
  return { ok: false, fault: fault('WORKFLOW_VALIDATION_002', 'workflow.task.no_assignees', { node: node.id }) }
}

/** Puts those who stand in in the place of the absent; a starter who must not decide stands in for nobody. */
function substitute(
  execution: Execution,
  node: WorkflowNode,
  nodeInstance: NodeInstanceState,
  found: Assignee[],
): Assignees {
  const people = found.map(({ id }) => id).filter((id) => !isGroup(id))
  if (!execution.world.absences || people.length === 0) return { ok: true, assignees: found, decided: null }
  const request: CallRequest = { kind: 'substitutes', people }
  const answer = answerTo(execution, nodeInstance.id, request)
  if (answer === null) return { ok: false, request }
  if (answer.kind === 'fail') return { ok: false, fault: answer.fault }
  const substitutes = new Map(
    answer.kind === 'substitutes' ? answer.substitutes.map(({ userId, substituteId }) => [userId, substituteId]) : [],
  )
  const present = found.map((assignee): Assignee => {
    const { id, why } = assignee
    const other = substitutes.get(id)
    if (other === undefined || excludes(execution, node, other)) return assignee
    return { ...assignee, id: other, why: { ...why, assignee: other, insteadOfId: id } }
  })
  return { ok: true, assignees: merge(present), decided: null }
}

/** The people of a list of rules `[{ type, values }]`. */
export function resolveRules(execution: Execution, nodeInstance: NodeInstanceState, rules: Json): People {
  const found = findByRules(execution, nodeInstance, rules, 'RULE')
  return found.ok ? { ok: true, people: found.found.map(({ id }) => id) } : found
}

function findByRules(
  execution: Execution,
  nodeInstance: NodeInstanceState,
  rules: Json,
  source: AssignmentSource,
): Found {
  if (rules === null) return { ok: true, found: [] }
  if (!Array.isArray(rules)) return invalid(nodeInstance, 'AssigneeRules')
  const all: Assignee[] = []
  for (const rule of rules) {
    if (rule === null || typeof rule !== 'object' || Array.isArray(rule)) return invalid(nodeInstance, 'AssigneeRules')
    const type = String(rule.type)
    const values = rule.values ?? []
    // Group by group, so that it stays known who was found in which.
    const parts: Json[] = type === 'Group' ? list(values).map((value) => [value]) : [values]
    for (const part of parts) {
      const found = resolveRule(execution, nodeInstance, type, part)
      if (!found.ok) return found
      all.push(...asAssignees(found.people, source, type, found.groups))
    }
  }
  return { ok: true, found: all }
}

type Ruled = { ok: true; people: string[]; groups?: string[] } | Unresolved

function resolveRule(execution: Execution, nodeInstance: NodeInstanceState, type: string, values: Json): Ruled {
  switch (type) {
    case 'User':
      return texts(execution, values)
    case 'Starter':
      return { ok: true, people: execution.instance.starterId === null ? [] : [execution.instance.starterId] }
    case 'Expression': {
      const people: string[] = []
      for (const value of list(values)) {
        const found = expression(execution, value)
        if (!found.ok) return found
        people.push(...found.people)
      }
      return { ok: true, people }
    }
    case 'Group': {
      const groups = texts(execution, values)
      if (!groups.ok) return groups
      const found = askShell(execution, nodeInstance, type, groups.people)
      return found.ok ? { ...found, groups: groups.people } : found
    }
    default:
      return shellRule(execution, nodeInstance, type, values)
  }
}

function shellRule(execution: Execution, nodeInstance: NodeInstanceState, type: string, values: Json): People {
  if (!execution.world.registry.assigneeRules.has(type))
    return { ok: false, fault: fault('WORKFLOW_NOTFOUND_004', 'workflow.assignee.unknown_rule', { type }) }
  const rendered = renderJson(execution, values)
  return rendered.ok ? askShell(execution, nodeInstance, type, rendered.value) : rendered
}

function askShell(execution: Execution, nodeInstance: NodeInstanceState, type: string, values: Json): People {
  const request: CallRequest = { kind: 'assignees', type, values }
  const answer = answerTo(execution, nodeInstance.id, request)
  if (answer === null) return { ok: false, request }
  if (answer.kind === 'fail') return { ok: false, fault: answer.fault }
  return { ok: true, people: answer.kind === 'people' ? answer.people : [] }
}

function asAssignees(
  people: readonly string[],
  source: AssignmentSource,
  rule: string | null = null,
  groups: readonly string[] = [],
): Assignee[] {
  return people.map((id) => ({
    id,
    why: { assignee: id, source, rule, byId: null, insteadOfId: null },
    groups: isGroup(id) ? [id.slice(groupPrefix.length)] : [...groups],
  }))
}

/** Everybody once, in order; who was found in several groups speaks for all of them. */
function merge(found: readonly Assignee[]): Assignee[] {
  const merged = new Map<string, Assignee>()
  for (const assignee of found) {
    const before = merged.get(assignee.id)
    if (before) before.groups.push(...assignee.groups)
    else merged.set(assignee.id, { ...assignee, groups: [...assignee.groups] })
  }
  return [...merged.values()]
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
  for (const item of list(value)) {
    if (item === null) continue
    const rendered = renderText(execution, String(item))
    if (!rendered.ok) return rendered
    people.push(...split(rendered.value))
  }
  return { ok: true, people }
}

function list(value: Json): Json[] {
  return Array.isArray(value) ? value : [value]
}

function split(value: Json): string[] {
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => split(item))
  return String(value)
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function excludes(execution: Execution, node: WorkflowNode, person: string): boolean {
  return node.properties.ExcludeStarter === true && person === execution.instance.starterId
}

function withoutStarter(execution: Execution, node: WorkflowNode, found: Assignee[]): Assignee[] {
  return found.filter(({ id }) => !excludes(execution, node, id))
}

export function unique(people: readonly string[]): string[] {
  return [...new Set(people)]
}

function invalid({ nodeId }: NodeInstanceState, property: string): { ok: false; fault: Fault } {
  const expected = 'rules'
  const args = { node: nodeId, property, expected }
  return { ok: false, fault: fault('WORKFLOW_VALIDATION_002', 'workflow.activity.property_type', args) }
}
