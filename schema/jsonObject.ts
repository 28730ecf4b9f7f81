import type { Json, JsonObject, Refusal } from '../src/engine/model.js'
import { invalid } from './errors.js'

/** A JSON argument that must be an object. @returns null when it is not given, a refusal for any other value */
export function objectOrNull(name: string, value: Json | undefined): JsonObject | null | Refusal {
  if (value === null || value === undefined) return null
  if (typeof value === 'object' && !Array.isArray(value)) return value
  return invalid('workflow.input.object_expected', { argument: name })
}
