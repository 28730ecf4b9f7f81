import type { Json } from './json.js'

/** A problem of a definition, as errors carry it. */
export interface Violation {
  path: string
  message: string
  messageKey: string
  severity: string
  arguments: { [name: string]: Json }
}

interface ErrorFacts {
  code: string
  message: string
  messageKey?: string | null
  arguments?: { [name: string]: Json }
  path?: readonly (string | number)[]
  violations?: readonly Violation[]
  details?: Json
  status?: number | null
  cause?: unknown
}

const passing = ['UNREACHABLE', 'WORKFLOW_UNAVAILABLE_001', 'WORKFLOW_TIMEOUT_001']
const refusedTokens = ['workflow.access.token_expired', 'workflow.access.token_invalid']

/** The one error of this client: a refusal by the server, or `UNREACHABLE` where there was no answer. */
export class CountersignError extends Error {
  override readonly name = 'CountersignError'
  /** The documented code, such as `WORKFLOW_NOTFOUND_003`. */
  readonly code: string
  /** What the message is made of; null where the server does not say. */
  readonly messageKey: string | null
  readonly arguments: { [name: string]: Json }
  /** Where in the answer; empty for an error of the whole operation. */
  readonly path: readonly (string | number)[]
  /** What is wrong with a definition. */
  readonly violations: readonly Violation[]
  readonly details: Json
  /** The HTTP status; null over a WebSocket and where there was no answer. */
  readonly status: number | null
  /** Whether it may pass by itself; the operation may have been carried out all the same. */
  readonly transient: boolean
  /** Whether new credentials would help. */
  readonly credentialsRefused: boolean

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = facts.code
    this.messageKey = facts.messageKey ?? null
    this.arguments = facts.arguments ?? {}
    this.path = facts.path ?? []
    this.violations = facts.violations ?? []
    this.details = facts.details ?? null
    this.status = facts.status ?? null
    const { status, code, messageKey } = this
    this.transient = passing.includes(code) || status === 429 || (status ?? 0) >= 502
    this.credentialsRefused =
      status === 401 || refusedTokens.includes(messageKey ?? '') || code === 'CREDENTIALS_REFUSED'
  }
}

/** An error as GraphQL answers hold it. */
export interface AnsweredError {
  message: string
  path?: readonly (string | number)[] | undefined
  extensions?: { [name: string]: unknown } | undefined
}

/** The error of an answer. */
export function errorOf({ message, path, extensions = {} }: AnsweredError, status: number | null): CountersignError {
  const { code, ...facts } = extensions as Partial<ErrorFacts>
  return new CountersignError({ ...facts, message, code: code ?? 'GRAPHQL_ERROR', path: path ?? [], status })
}

/** The error of a server that did not answer, or not as one does. */
export function unreachable(message: string, cause?: unknown, status: number | null = null): CountersignError {
  return new CountersignError({ code: 'UNREACHABLE', message, cause, status })
}
