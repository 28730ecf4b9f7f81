import { GraphQLError } from 'graphql'
import type { MessageArguments } from '../engine/model.js'
import { renderMessage } from '../messages/render.js'
import { classifyDatabaseError } from '../persistence/sqlstate.js'
import type { Log } from '../runtime.js'
import { IdentityRefused } from './identity.js'
import { currentScope } from './requestScope.js'

/** What becomes of the HTTP response; `spec`: only for callers that accept application/graphql-response+json. */
interface HttpOutcome {
  status: number
  spec?: boolean
}

/** A coded refusal by the server itself, in the caller's language. */
export function serverRefusal(
  code: string,
  messageKey: string,
  args: MessageArguments,
  outcome: HttpOutcome | null = null,
): GraphQLError {
  const headers = outcome?.status === 401 ? { headers: { 'www-authenticate': 'Bearer' } } : {}
  return new GraphQLError(renderMessage(currentScope().locale, messageKey, args), {
    extensions: { code, messageKey, arguments: args, ...(outcome && { http: { ...outcome, ...headers } }) },
  })
}

/** The GraphQL error for credentials that were not accepted: 401, or 503 when they could not be checked. */
export function identityError(refused: IdentityRefused): GraphQLError {
  switch (refused.reason) {
    case 'expired':
      return serverRefusal('WORKFLOW_DENIED_003', 'workflow.access.token_expired', {}, { status: 401 })
    case 'invalid':
      return serverRefusal('WORKFLOW_DENIED_003', 'workflow.access.token_invalid', {}, { status: 401 })
    case 'unavailable':
      return serverRefusal('WORKFLOW_UNAVAILABLE_001', 'workflow.access.keys_unavailable', {}, { status: 503 })
  }
}

/**
 * Turns whatever was thrown into what a caller may see: GraphQL errors as they are, database trouble as a coded
 * refusal, all else as INTERNAL_SERVER_ERROR with the request id under which the log has the cause.
 */
export function createMaskError(log: Log): (error: unknown) => GraphQLError {
  return (error) => {
    if (error instanceof GraphQLError && isDeliberate(error)) return error
    const cause = rootOf(error)
    if (cause instanceof IdentityRefused) return identityError(cause)
    // An abandoned request has nobody left to read the error.
    if (cause instanceof Error && cause.name === 'AbortError')
      return new GraphQLError('aborted', { extensions: { code: 'REQUEST_ABORTED' } })
    return at(error, databaseRefusal(cause, log) ?? internalError(cause, log))
  }
}

function isDeliberate(error: GraphQLError): boolean {
  const original = error.originalError
  return !original || (original instanceof GraphQLError && isDeliberate(original))
}

function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error
}

function databaseRefusal(cause: unknown, log: Log): GraphQLError | null {
  const kind = classifyDatabaseError(cause)
  switch (kind) {
    case 'lockTimeout':
    case 'statementTimeout':
    case 'serialization':
    case 'deadlock':
      return serverRefusal('WORKFLOW_TIMEOUT_001', 'workflow.database.busy', {})
    case 'unavailable':
      log.warn({ err: cause, requestId: currentScope().requestId }, 'the database is not available')
      return serverRefusal('WORKFLOW_UNAVAILABLE_001', 'workflow.database.unavailable', {})
    case 'uniqueViolation':
    case 'foreignKeyViolation':
    case 'other':
      return null
  }
}

function internalError(cause: unknown, log: Log): GraphQLError {
  const { requestId, locale } = currentScope()
  log.error({ err: cause, requestId }, 'unexpected error')
  const messageKey = 'workflow.server.unexpected'
  return new GraphQLError(renderMessage(locale, messageKey, { requestId }), {
    extensions: { code: 'INTERNAL_SERVER_ERROR', messageKey, requestId },
  })
}

/** The masked error at the place in the document where the original one happened. */
function at(original: unknown, masked: GraphQLError): GraphQLError {
  if (!(original instanceof GraphQLError)) return masked
  const { nodes, path } = original
  return new GraphQLError(masked.message, {
    ...(nodes && { nodes }),
    ...(path && { path }),
    extensions: masked.extensions,
  })
}
