import { createComplexityRule } from '@pothos/plugin-complexity'
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type ParseOptions,
  parse,
  type Source,
  validate,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { MessageArguments } from '../engine/model.js'
import { createDocumentLimitsRule } from './documentLimits.js'
import { serverRefusal } from './errors.js'
import type { Config } from './resolveConfig.js'

type Limits = Pick<
  Config,
  'maxQueryDepth' | 'maxQueryCost' | 'maxQueryAliases' | 'maxQueryDirectives' | 'maxQueryTokens'
>

/** As GraphQL over HTTP has it for operations that are not executed. */
const badRequest = { status: 400, spec: true }

/**
 * Bounds what one operation may ask for. Tokens are counted while parsing and the shape while validating, both kept
 * with the cached document; the cost depends on the variables and is counted before each execution.
 */
export function useLimits(config: Limits): Plugin {
  const shape = createDocumentLimitsRule({
    depth: config.maxQueryDepth,
    aliases: config.maxQueryAliases,
    directives: config.maxQueryDirectives,
    fields: config.maxQueryTokens,
  })
  const tooCostly = (args: ExecutionArgs) => costErrors(args, config.maxQueryCost)
  return {
    onParse({ setParseFn }) {
      setParseFn((source, options) => parseWithin(config.maxQueryTokens, source, options))
    },
    onValidate({ addValidationRule }) {
      addValidationRule(shape)
      // What is kept with the document was said in the language of whoever sent it first.
      return ({ result, setResult }) => setResult((result as readonly GraphQLError[]).map(inCallersLanguage))
    },
    onExecute({ args, setResultAndStopExecution }) {
      const errors = tooCostly(args)
      if (errors.length > 0) setResultAndStopExecution({ errors })
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const errors = tooCostly(args)
      if (errors.length > 0) setResultAndStopExecution({ errors })
    },
  }
}

/** @throws GraphQLError WORKFLOW_VALIDATION_004 for too many tokens */
function parseWithin(maxTokens: number, source: string | Source, options: ParseOptions): DocumentNode {
  try {
    return parse(source, { ...options, maxTokens })
  } catch (error) {
    // The parser has no other mark for it.
    if (!(error instanceof GraphQLError) || !/more tha[nt] \d+ tokens/.test(error.message)) throw error
    throw serverRefusal('WORKFLOW_VALIDATION_004', 'workflow.request.too_many_tokens', { max: maxTokens }, badRequest)
  }
}

function inCallersLanguage(error: GraphQLError): GraphQLError {
  const { code, messageKey, arguments: args } = error.extensions
  if (typeof code !== 'string' || typeof messageKey !== 'string') return error
  const { message } = serverRefusal(code, messageKey, args as MessageArguments)
  return new GraphQLError(message, {
    extensions: error.extensions,
    ...(error.nodes && { nodes: error.nodes }),
  })
}

/** What each document was found to cost, by the variables that the cost depends on. */
const known = new WeakMap<DocumentNode, Map<string, number>>()
const maxKnown = 100

function costErrors(args: ExecutionArgs, maxCost: number): readonly GraphQLError[] {
  const costs = known.get(args.document) ?? new Map<string, number>()
  known.set(args.document, costs)
  const key = costKey(args)
  const before = costs.get(key)
  const { cost, errors } = before === undefined ? countCost(args) : { cost: before, errors: [] }
  if (errors.length === 0 && before === undefined && costs.size < maxKnown) costs.set(key, cost)
  if (cost <= maxCost) return errors
  return [serverRefusal('WORKFLOW_VALIDATION_004', 'workflow.request.too_costly', { cost, max: maxCost }, badRequest)]
}

/** Sizes of pages are numbers, and what is skipped is told by booleans: nothing else of the variables counts. */
function costKey({ operationName, variableValues }: ExecutionArgs): string {
  const counted = Object.entries(variableValues ?? {}).filter(([, value]) => typeof value !== 'string')
  const telling = counted.map(([name, value]) => [name, typeof value === 'object' && value !== null ? null : value])
  return JSON.stringify([operationName ?? null, telling])
}

function countCost(args: ExecutionArgs): { cost: number; errors: readonly GraphQLError[] } {
  let cost = 0
  const rule = createComplexityRule({
    context: args.contextValue as object,
    variableValues: { ...args.variableValues },
    operationName: args.operationName ?? null,
    onResult: (result) => {
      cost = Math.max(cost, result.complexity)
    },
  })
  return { errors: validate(args.schema, args.document, [rule]), cost }
}
