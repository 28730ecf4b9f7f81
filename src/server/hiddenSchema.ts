import { type ExecutionResult, GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql'
import type { Plugin } from 'graphql-yoga'

const suggestion = / Did you mean [\s\S]*$/

/**
 * Keeps the schema to those who know it: no introspection, no suggestions in errors. A rule of validation, so that
 * it holds on every transport.
 */
export function useHiddenSchema(): Plugin {
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(NoSchemaIntrospectionCustomRule)
      return ({ result, setResult }) => setResult((result as readonly GraphQLError[]).map(withoutSuggestion))
    },
    // Variables are checked here: their errors suggest values of enums and fields of inputs.
    onExecute: () => ({ onExecuteDone: ({ result, setResult }) => clean(result, setResult) }),
    onSubscribe: () => ({ onSubscribeResult: ({ result, setResult }) => clean(result, setResult) }),
  }
}

function clean(result: unknown, setResult: (result: ExecutionResult) => void): void {
  const { errors, ...rest } = result as ExecutionResult
  if (errors) setResult({ ...rest, errors: errors.map(withoutSuggestion) })
}

function withoutSuggestion(error: GraphQLError): GraphQLError {
  if (!suggestion.test(error.message)) return error
  const { nodes, source, positions, path, extensions } = error
  return new GraphQLError(error.message.replace(suggestion, ''), {
    extensions,
    ...(nodes && { nodes }),
    ...(source && { source }),
    ...(positions && { positions }),
    ...(path && { path }),
  })
}
