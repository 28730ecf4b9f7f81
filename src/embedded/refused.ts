import { type Issue, isRefusal, type JsonObject, type MessageArguments, type Refusal } from '../engine/model.js'
import { renderMessage } from '../messages/render.js'

/** What `unwrap` throws: a refusal with its text. Thrown inside a transaction it rolls back the application's rows too. */
export class RefusedError extends Error {
  readonly code: string
  readonly messageKey: string
  readonly arguments: MessageArguments
  /** The problems of a definition, each with its path. */
  readonly violations: readonly Issue[]
  readonly details: JsonObject | null

  constructor(refused: Refusal, locale = 'en') {
    super(renderMessage(locale, refused.messageKey, refused.arguments))
    this.name = 'RefusedError'
    this.code = refused.code
    this.messageKey = refused.messageKey
    this.arguments = refused.arguments
    this.violations = refused.violations ?? []
    this.details = refused.details ?? null
  }
}

/**
 * The value of an operation.
 * @param locale the language of the error's text
 * @throws RefusedError where the operation was refused
 */
export function unwrap<T>(value: T | Refusal, locale = 'en'): T {
  if (isRefusal(value)) throw new RefusedError(value, locale)
  return value
}
