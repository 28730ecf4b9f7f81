import { type Refusal, refusal } from '../model.js'

export interface JsonLimits {
  /** Of the text of the whole value. */
  maxBytes: number
  maxDepth: number
}

export const defaultJsonLimits: JsonLimits = { maxBytes: 1_048_576, maxDepth: 64 }

/**
 * Checks a JSON value that comes in from outside, before anything is written: characters that the database cannot
 * hold, numbers that are none, the key `__proto__`, depth and size.
 * @param path where the value stands, such as `$.variables`
 * @returns the refusal (WORKFLOW_VALIDATION_002; _004 for limits), or null
 */
export function checkJson(value: unknown, path: string, limits: JsonLimits = defaultJsonLimits): Refusal | null {
  const open: { value: unknown; path: string; depth: number }[] = [{ value, path, depth: 0 }]
  let bytes = 0
  for (let item = open.pop(); item; item = open.pop()) {
    const { value: part, path: at, depth } = item
    if (depth > limits.maxDepth)
      return refusal('WORKFLOW_VALIDATION_004', 'workflow.value.too_deep', {
        path: at.slice(0, 200),
        max: limits.maxDepth,
      })
    if (typeof part === 'string') {
      const wrong = checkText(part, at)
      if (wrong) return wrong
      bytes += byteLength(part) + 2
    } else if (typeof part === 'number') {
      if (!Number.isFinite(part)) return wrongValue('workflow.value.not_finite', at)
      bytes += String(part).length
    } else if (Array.isArray(part)) {
      bytes += part.length + 1
      for (let index = part.length - 1; index >= 0; index -= 1)
        open.push({ value: part[index], path: `${at}[${index}]`, depth: depth + 1 })
    } else if (part !== null && typeof part === 'object') {
      for (const [key, member] of Object.entries(part)) {
        const wrong = key === '__proto__' ? wrongValue('workflow.value.key_reserved', at) : checkText(key, at)
        if (wrong) return wrong
        bytes += byteLength(key) + 4
        open.push({ value: member, path: `${at}.${key}`, depth: depth + 1 })
      }
    } else if (part === null || typeof part === 'boolean') bytes += 4
    else return wrongValue('workflow.value.not_json', at)
    if (bytes > limits.maxBytes)
      return refusal('WORKFLOW_VALIDATION_004', 'workflow.value.too_large', { path, max: limits.maxBytes })
  }
  return null
}

/** Checks one text: no U+0000, no half of a surrogate pair. */
export function checkText(text: string, path: string): Refusal | null {
  return /[\0\p{Cs}]/u.test(text) ? wrongValue('workflow.value.character_invalid', path) : null
}

function wrongValue(messageKey: string, path: string): Refusal {
  return refusal('WORKFLOW_VALIDATION_002', messageKey, { path: path.slice(0, 200) })
}

function byteLength(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) bytes += 2
  return bytes
}
