import type { PropertyDescriptor } from '../activities/activity.js'
import { parseExpression, parseTemplate } from '../expression/parse.js'
import type { Json, WorkflowNode } from '../model.js'
import { isObject } from './reader.js'
import type { KnownTypes, Report } from './validate.js'

/** Checks one node: its type, its properties by their descriptors, and every expression in it. */
export function validateNode(node: WorkflowNode, path: string, known: KnownTypes, report: Report): void {
  for (const [variable, expression] of Object.entries(node.outputMappings))
    checkExpression(expression, `${path}.outputMappings.${variable}`, report)
  const activity = known.activity(node.activityType)
  if (!activity) {
    report('ERROR', `${path}.activityType`, 'workflow.activity.unknown_type', { type: node.activityType })
    return
  }
  const described = new Map(activity.properties.map((property) => [property.name, property]))
  for (const property of activity.properties)
    checkProperty(node, property, `${path}.properties.${property.name}`, known, report)
  for (const name of Object.keys(node.properties))
    if (!described.has(name))
      report('WARNING', `${path}.properties.${name}`, 'workflow.activity.property_unknown', {
        node: node.id,
        property: name,
      })
  for (const issue of activity.validate?.(node) ?? [])
    report(issue.severity ?? 'ERROR', `${path}.properties.${issue.property}`, issue.messageKey, issue.arguments)
}

function checkProperty(
  node: WorkflowNode,
  property: PropertyDescriptor,
  path: string,
  known: KnownTypes,
  report: Report,
): void {
  const value = node.properties[property.name] ?? null
  const facts = { node: node.id, property: property.name }
  if (value === null) {
    if (property.required) report('ERROR', path, 'workflow.activity.property_required', facts)
    return
  }
  if (property.required && value === '') {
    report('ERROR', path, 'workflow.activity.property_required', facts)
    return
  }
  if (!hasType(property, value)) {
    report('ERROR', path, 'workflow.activity.property_type', { ...facts, expected: property.type })
    return
  }
  switch (property.type) {
    case 'enum':
      if (!property.values?.includes(String(value)))
        report('ERROR', path, 'workflow.activity.property_value', {
          ...facts,
          allowed: property.values?.join(', ') ?? '',
        })
      return
    case 'expression':
      return checkExpression(String(value), path, report)
    case 'expressions':
      for (const [name, expression] of Object.entries(value as { [name: string]: Json }))
        checkExpression(String(expression), `${path}.${name}`, report)
      return
    case 'schema':
      // The shell knows JSON Schema; the core does not look into it.
      return
    case 'rules':
      return checkRules(value as Json[], path, known, report)
    default:
      checkTemplates(value, path, report)
  }
}

function hasType(property: PropertyDescriptor, value: Json): boolean {
  switch (property.type) {
    case 'string':
    case 'template':
    case 'expression':
    case 'enum':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number' && value >= 0
    case 'stringList':
      return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    case 'rules':
      return Array.isArray(value) && value.every(isObject)
    case 'object':
    case 'schema':
      return isObject(value)
    case 'expressions':
      return isObject(value) && Object.values(value).every((item) => typeof item === 'string')
    case 'json':
      return true
  }
}

function checkRules(rules: Json[], path: string, known: KnownTypes, report: Report): void {
  for (const [index, rule] of rules.entries()) {
    if (!isObject(rule)) continue
    const at = `${path}[${index}]`
    const type = typeof rule.type === 'string' ? rule.type : ''
    if (!known.assigneeRule(type)) report('ERROR', `${at}.type`, 'workflow.assignee.unknown_rule', { type })
    const values = rule.values ?? []
    for (const [position, value] of (Array.isArray(values) ? values : [values]).entries()) {
      if (type === 'Expression') checkExpression(String(value), `${at}.values[${position}]`, report)
      else checkTemplates(value, `${at}.values[${position}]`, report)
    }
  }
}

/** An expression at its place; problems keep the keys and positions of the expression language. */
export function checkExpression(text: string, path: string, report: Report): void {
  const parsed = parseExpression(text)
  if (!parsed.ok) report('ERROR', path, parsed.fault.messageKey, parsed.fault.arguments)
}

function checkTemplates(value: Json, path: string, report: Report): void {
  if (typeof value === 'string') {
    const parsed = parseTemplate(value)
    if (!parsed.ok) report('ERROR', path, parsed.fault.messageKey, parsed.fault.arguments)
  } else if (value !== null && typeof value === 'object')
    for (const [key, item] of Object.entries(value))
      checkTemplates(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, report)
}
