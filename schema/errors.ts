import { GraphQLError } from 'graphql'
import { type Issue, isRefusal, type Refusal, refusal } from '../src/engine/model.js'
import { renderMessage } from '../src/messages/render.js'
import type { Context } from './context.js'

/** Turns a refusal into the error that the caller reads, in the caller's language. */
export function refusalError({ locale }: Pick<Context, 'locale'>, refused: Refusal): GraphQLError {
  const { code, messageKey, violations, details } = refused
  return new GraphQLError(renderMessage(locale, messageKey, refused.arguments), {
    extensions: {
      code,
      messageKey,
      arguments: refused.arguments,
      ...(violations ? { violations: violations.map((issue) => renderIssue(locale, issue)) } : {}),
      ...(details ? { details } : {}),
    },
  })
}

/** The value, unless it is a refusal. @throws GraphQLError for a refusal */
export function accepted<T>(context: Pick<Context, 'locale'>, value: T | Refusal): T {
  if (isRefusal(value)) throw refusalError(context, value)
  return value
}

/** The refusal of input that is wrong in itself (WORKFLOW_VALIDATION_002). */
export function invalid(messageKey: string, args: Refusal['arguments'] = {}): Refusal {
  return refusal('WORKFLOW_VALIDATION_002', messageKey, args)
}

export function definitionNotFound(id: string): Refusal {
  return refusal('WORKFLOW_NOTFOUND_001', 'workflow.definition.not_found', { id })
}

export function instanceNotFound(id: string): Refusal {
  return refusal('WORKFLOW_NOTFOUND_002', 'workflow.instance.not_found', { id })
}

export function taskNotFound(id: string): Refusal {
  return refusal('WORKFLOW_NOTFOUND_003', 'workflow.task.not_found', { id })
}

export function bookmarkNotFound(id: string): Refusal {
  return refusal('WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found', { id })
}

/** A scalar is read before anyone knows who asks: its errors are in English. */
export function scalarError(messageKey: string, args: Refusal['arguments']): GraphQLError {
  return refusalError({ locale: 'en' }, invalid(messageKey, args))
}

/** The error of an operation that would cost more than is allowed (WORKFLOW_VALIDATION_004). */
export function tooComplex(result: { complexity: number; maxComplexity?: number }): GraphQLError {
  const args = { complexity: result.complexity, max: result.maxComplexity ?? 0 }
  return refusalError({ locale: 'en' }, refusal('WORKFLOW_VALIDATION_004', 'workflow.query.too_complex', args))
}

/** One problem of a definition with its text in the language. */
export function renderIssue(locale: string, issue: Issue): Issue & { message: string } {
  return { ...issue, message: renderMessage(locale, issue.messageKey, issue.arguments) }
}
