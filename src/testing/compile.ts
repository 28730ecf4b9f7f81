import { RefusedError } from '../embedded/refused.js'
import { type CompiledDefinition, compileDefinition } from '../engine/definition/compile.js'
import { readDefinition } from '../engine/definition/read.js'
import { validateDefinition } from '../engine/definition/validate.js'
import { type Issue, type Refusal, refusal } from '../engine/model.js'
import { type Extensions, registryWith } from '../extensions.js'
import { renderMessage } from '../messages/render.js'

/** Reads and checks a document as publishing it would. @throws RefusedError whose text lists all problems */
export function compileForTest(document: object, extensions: Extensions): CompiledDefinition {
  const read = readDefinition(JSON.parse(JSON.stringify(document)))
  if (!read.ok) throw refused(read.refusal, read.refusal.violations ?? [])
  const registry = registryWith(extensions)
  const issues = validateDefinition(read.content, {
    activity: (type) => registry.activities.get(type),
    assigneeRule: (type) => registry.assigneeRules.has(type),
  })
  const violations = issues.filter(({ severity }) => severity === 'ERROR')
  if (violations.length === 0) return compileDefinition(read.content)
  const facts = { count: violations.length }
  throw refused({ ...refusal('WORKFLOW_VALIDATION_001', 'workflow.definition.invalid', facts), violations }, violations)
}

/** In the output of a test the list of the problems is what one needs to read. */
function refused(reason: Refusal, issues: readonly Issue[]): RefusedError {
  const error = new RefusedError(reason)
  const lines = issues.map((issue) => `${issue.path}: ${renderMessage('en', issue.messageKey, issue.arguments)}`)
  error.message = [error.message, ...lines].join('\n')
  return error
}
