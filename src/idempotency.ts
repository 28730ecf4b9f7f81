import { createHash } from 'node:crypto'
import type { Actor } from './engine/command.js'
import type { NewKey } from './persistence/flush.js'

/** What makes a repeated call known: its key, the operation and its input. */
export interface Idempotency {
  key: string
  operation: string
  input: unknown
}

/** The key as it is stored: the caller's own, with a hash of the input. */
export function newKey(actor: Actor, { key, operation, input }: Idempotency): NewKey {
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('base64')
  return { key, userId: actor.userId, operation, inputHash }
}
