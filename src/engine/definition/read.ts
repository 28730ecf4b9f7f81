import {
  type DefinitionContent,
  type Issue,
  type Refusal,
  type RetryPolicy,
  refusal,
  type VariableDefinition,
  type WorkflowNode,
  type WorkflowTransition,
} from '../model.js'
import { isObject, Reader } from './reader.js'
import { checkJson } from './value.js'

const nameRule = /^[a-z0-9][a-z0-9._-]{0,127}$/
const idRule = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const typeRule = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/
const longestCategory = 128

export type ReadDefinition = { ok: true; content: DefinitionContent; issues: Issue[] } | { ok: false; refusal: Refusal }

/**
 * Reads a definition in the reference's JSON form. What is missing or null takes the reference's default; identity
 * members (id, version, status …) are placeholders that the catalog assigns anew.
 * @returns the content with warnings, or WORKFLOW_VALIDATION_001 with every violation and its path
 */
export function readDefinition(document: unknown): ReadDefinition {
  if (document === null || document === undefined) return malformed('workflow.definition.json_null')
  const wrong = checkJson(document, '$')
  if (wrong) return { ok: false, refusal: wrong }
  if (!isObject(document)) return malformed('workflow.definition.json_malformed')
  const issues: Issue[] = []
  const reader = new Reader(document, '$', issues)
  const content = readContent(reader)
  reader.finish()
  const violations = issues.filter((issue) => issue.severity === 'ERROR')
  if (violations.length === 0) return { ok: true, content, issues }
  const refused = refusal('WORKFLOW_VALIDATION_001', 'workflow.definition.invalid', { count: violations.length })
  return { ok: false, refusal: { ...refused, violations } }
}

function malformed(messageKey: string): ReadDefinition {
  const args = { path: '$', expected: 'object' }
  const violations: Issue[] = [{ severity: 'ERROR', path: '$', messageKey, arguments: args }]
  return { ok: false, refusal: { ...refusal('WORKFLOW_VALIDATION_001', messageKey, args), violations } }
}

function readContent(reader: Reader): DefinitionContent {
  for (const member of ['id', 'status', 'tenantId', 'createdAt', 'publishedAt']) reader.raw(member)
  const version = reader.number('version', 1)
  if (!Number.isInteger(version) || version < 1) reader.error('version', 'version_invalid', { value: version })
  const name = reader.required('name')
  if (name !== '' && !nameRule.test(name)) reader.error('name', 'name_invalid', { value: name.slice(0, 200) })
  const category = reader.text('category')
  if (category !== null && category.length > longestCategory)
    reader.error('category', 'category_too_long', { max: longestCategory, length: category.length })
  const action = reader.text('timeoutAction') ?? 'Fault'
  if (action !== 'Fault' && action !== 'Terminate')
    reader.error('timeoutAction', 'timeout_action_invalid', { value: action.slice(0, 100) })
  return {
    name,
    displayName: reader.text('displayName'),
    description: reader.text('description'),
    category,
    variables: reader.list('variables', readVariable),
    nodes: reader.list('nodes', readNode),
    transitions: reader.list('transitions', readTransition),
    enableCompensation: reader.flag('enableCompensation'),
    compensateOnFault: reader.flag('compensateOnFault'),
    timeout: reader.duration('timeout', 'timeout_invalid'),
    timeoutAction: action === 'Terminate' ? 'Terminate' : 'Fault',
    properties: reader.object('properties'),
  }
}

function readVariable(reader: Reader): VariableDefinition {
  const name = reader.required('name')
  if (name !== '' && !/^[\p{L}_][\p{L}\p{N}_]{0,127}$/u.test(name))
    reader.error('name', 'variable_name_invalid', { value: name.slice(0, 200) })
  return {
    name,
    required: reader.flag('required'),
    defaultValue: reader.raw('defaultValue') as VariableDefinition['defaultValue'],
    description: reader.text('description'),
  }
}

function readNode(reader: Reader): WorkflowNode {
  const id = reader.required('id')
  if (id !== '' && !idRule.test(id)) reader.error('id', 'node_id_invalid', { value: id.slice(0, 200) })
  const activityType = reader.required('activityType')
  if (activityType !== '' && !typeRule.test(activityType))
    reader.error('activityType', 'activity_type_invalid', { value: activityType.slice(0, 200) })
  return {
    id,
    activityType,
    displayName: reader.text('displayName'),
    properties: reader.object('properties'),
    retryPolicy: readRetryPolicy(reader),
    timeout: reader.duration('timeout', 'timeout_invalid'),
    continueOnError: reader.flag('continueOnError'),
    outputMappings: readMappings(reader),
  }
}

function readMappings(reader: Reader): { [variable: string]: string } {
  const mappings: { [variable: string]: string } = {}
  for (const [variable, expression] of Object.entries(reader.object('outputMappings'))) {
    if (typeof expression === 'string') mappings[variable] = expression
    else
      reader.error(`outputMappings.${variable}`, 'json_malformed', {
        path: `${reader.path}.outputMappings.${variable}`,
        expected: 'string',
      })
  }
  return mappings
}

function readRetryPolicy(node: Reader): RetryPolicy | null {
  const source = node.optionalObject('retryPolicy')
  if (source === null) return null
  const reader = new Reader(source, `${node.path}.retryPolicy`, node.issues)
  const maxAttempts = reader.number('maxAttempts', 1)
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1)
    reader.error('maxAttempts', 'retry_max_attempts_invalid', { value: maxAttempts })
  const backoffFactor = reader.number('backoffFactor', 2)
  if (!(backoffFactor >= 1)) reader.error('backoffFactor', 'retry_backoff_invalid', { value: backoffFactor })
  const firstDelay = reader.duration('firstDelay', 'retry_first_delay_invalid', 0) ?? 10_000
  reader.finish()
  return { maxAttempts, firstDelay, backoffFactor }
}

function readTransition(reader: Reader): WorkflowTransition {
  const id = reader.required('id')
  if (id !== '' && !idRule.test(id)) reader.error('id', 'transition_id_invalid', { value: id.slice(0, 200) })
  const priority = reader.number('priority', 0)
  if (!Number.isInteger(priority))
    reader.error('priority', 'json_malformed', { path: `${reader.path}.priority`, expected: 'integer' })
  return {
    id,
    sourceNodeId: reader.required('sourceNodeId'),
    targetNodeId: reader.required('targetNodeId'),
    condition: reader.text('condition'),
    priority,
    isDefault: reader.flag('isDefault'),
  }
}
