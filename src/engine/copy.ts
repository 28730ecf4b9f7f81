import type { Json, JsonObject } from './model.js'

/** A deep copy of a JSON value; several times faster than what the platform offers, which knows more than JSON. */
export function copyJson<T extends Json | object>(value: T): T {
  return copy(value as Json) as T
}

function copy(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(copy)
  const result: JsonObject = {}
  for (const key of Object.keys(value)) result[key] = copy(value[key] ?? null)
  return result
}
