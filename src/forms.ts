import { createContext, Script } from 'node:vm'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Command, StartCommand } from './engine/command.js'
import type { CompiledDefinition } from './engine/definition/compile.js'
import type { BookmarkState, Issue, Json, JsonObject, Refusal, WorkflowNode } from './engine/model.js'
import { refusal } from './engine/model.js'
import { accessOf } from './engine/tasks/form.js'

/** What a form may be at most: enough for any that people fill in, too little to be a burden. */
const maxBytes = 64 * 1024
const maxCached = 1000
/** Milliseconds. */
const patternTimeout = 50
const matching = new Script('pattern.test(text)')

/** A form that is ready to check answers; compiled once, in the order of use. */
const compiled = new Map<string, ValidateFunction>()

/** Compiles a JSON Schema of draft 2020-12. @throws Error where it is none, or refers to anything outside itself */
function validatorOf(schema: JsonObject): ValidateFunction {
  const text = JSON.stringify(schema)
  if (Buffer.byteLength(text) > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
  if (schema.$async !== undefined) throw new Error('$async is not allowed')
  const known = compiled.get(text)
  compiled.delete(text)
  // An instance of its own for each: two forms may use the same $id. No schema is ever fetched.
  const ajv = new Ajv2020({ strict: true, allErrors: true, ownProperties: true, logger: false, code: { regExp } })
  const validate = known ?? formats.default(ajv).compile(schema)
  if (compiled.size >= maxCached) compiled.delete(compiled.keys().next().value ?? '')
  compiled.set(text, validate)
  return validate
}

/** Matches a pattern for a limited time: one that goes astray must not hold up the server, and matches nothing. */
const regExp = Object.assign(
  (pattern: string, flags: string) => {
    const sandbox = createContext({ pattern: new RegExp(pattern, flags), text: '' })
    const test = (text: string): boolean => {
      sandbox.text = text
      try {
        return matching.runInContext(sandbox, { timeout: patternTimeout }) === true
      } catch {
        return false
      }
    }
    // Patterns are told apart by their text.
    return { test, toString: () => `/${pattern}/${flags}` }
  },
  { code: 'limitedPattern' },
)

/** The problems of the forms of a definition. */
export function formIssues(nodes: readonly WorkflowNode[]): Issue[] {
  return nodes.flatMap(({ id, properties }, index) => {
    const { Form = null } = properties
    if (Form === null) return []
    const reason = isObject(Form) ? compileError(Form) : 'not an object'
    if (reason === null) return []
    const args = { node: id, reason }
    const path = `$.nodes[${index}].properties.Form`
    return [{ severity: 'ERROR' as const, path, messageKey: 'workflow.form.schema_invalid', arguments: args }]
  })
}

function compileError(schema: JsonObject): string | null {
  try {
    validatorOf(schema)
    return null
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : 'unknown'
  }
}

/** Refuses the variables of a start that its form does not allow; signals and schedules fill in no forms. */
export function refuseStart(definition: CompiledDefinition, command: StartCommand): Refusal | null {
  const form = definition.startNode.properties.Form ?? null
  if (!isObject(form) || command.starterId === null) return null
  const given = definition.content.variables.filter(({ defaultValue }) => defaultValue !== null)
  const defaults = Object.fromEntries(given.map(({ name, defaultValue }) => [name, defaultValue]))
  return refuse(problems(form, { ...fieldsOf(form, defaults), ...command.variables }))
}

/**
 * Refuses an answer that the form of its step does not allow. What the instance holds already counts as filled in;
 * somebody who rejects need not fill in the rest.
 */
export function refuseAnswer(
  definition: CompiledDefinition,
  state: { instance: { variables: JsonObject }; bookmarks: readonly BookmarkState[] },
  command: Exclude<Command, { type: 'start' }>,
): Refusal | null {
  if (command.type !== 'completeTask') return null
  const task = state.bookmarks.find(({ id }) => id === command.taskId)
  const node = definition.node(task?.nodeId ?? '')
  if (!node) return null
  const locked = Object.keys(command.variables).filter((field) => accessOf(node, field) !== 'Editable')
  const found = locked.map((field) => problem(`$.variables.${field}`, 'workflow.form.field_locked', { field }))
  const form = node.properties.Form ?? null
  if (isObject(form)) {
    const values = { ...fieldsOf(form, state.instance.variables), ...command.variables }
    const rejects = command.outcome === 'rejected'
    found.push(...problems(form, values).filter(({ messageKey }) => !rejects || messageKey !== required))
  }
  return refuse(found)
}

const required = 'workflow.form.field_required'

/** Those of the variables that are fields of the form. */
function fieldsOf({ properties = null }: JsonObject, variables: JsonObject): JsonObject {
  if (!isObject(properties)) return {}
  return Object.fromEntries(Object.entries(variables).filter(([name]) => Object.hasOwn(properties, name)))
}

function problems(form: JsonObject, values: JsonObject): Issue[] {
  const validate = validatorOf(form)
  return validate(values) ? [] : (validate.errors ?? []).map(problemOf)
}

function problemOf({ instancePath, keyword, params }: ErrorObject): Issue {
  const at = `$.variables${instancePath.replaceAll('/', '.')}`
  const named = params as { missingProperty?: string; additionalProperty?: string; unevaluatedProperty?: string }
  const member = named.missingProperty ?? named.additionalProperty ?? named.unevaluatedProperty
  const path = member === undefined ? at : `${at}.${member}`
  const field = path.slice('$.variables.'.length)
  if (keyword === 'required') return problem(path, required, { field })
  return problem(path, 'workflow.form.field_invalid', { field, rule: keyword })
}

function problem(path: string, messageKey: string, args: Issue['arguments']): Issue {
  return { severity: 'ERROR', path, messageKey, arguments: args }
}

function refuse(violations: Issue[]): Refusal | null {
  if (violations.length === 0) return null
  const count = violations.length
  return { ...refusal('WORKFLOW_VALIDATION_002', 'workflow.form.answer_invalid', { count }), violations }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
