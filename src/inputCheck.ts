import { checkJson, defaultJsonLimits } from './engine/definition/value.js'
import type { Refusal } from './engine/model.js'
import type { Runtime } from './runtime.js'

/**
 * Checks what a caller gives, before anything is done with it: what the database cannot hold, depth, size.
 * @param levels how many levels the arguments themselves are, above the values that are stored
 * @returns the refusal (WORKFLOW_VALIDATION_002, _004), or null
 */
export function checkInput({ options }: Pick<Runtime, 'options'>, input: unknown, levels: number): Refusal | null {
  return checkJson(input, '$', { maxBytes: options.maxDocumentBytes, maxDepth: defaultJsonLimits.maxDepth + levels })
}
