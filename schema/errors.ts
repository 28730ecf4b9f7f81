import { GraphQLError } from 'graphql'
import { type Issue, isRefusal, type Refusal, refusal } from '../src/engine/model.js'
import { renderMessage } from '../src/messages/render.js'
import { invalid } from '../src/refusals.js'
import type { Context } from './context.js'

export { bookmarkNotFound, definitionNotFound, instanceNotFound, invalid, taskNotFound } from '../src/refusals.js'

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
