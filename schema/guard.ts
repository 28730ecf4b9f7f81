import { defaultFieldResolver, type GraphQLFieldMap, type GraphQLObjectType, type GraphQLSchema } from 'graphql'
import { checkJson, defaultJsonLimits } from '../src/engine/definition/value.js'
import { actorOf } from './access.js'
import type { Context } from './context.js'
import { refusalError } from './errors.js'
import { forgetLoaded } from './loaders.js'

/**
 * Closes every root field to nobody and every mutation to input that cannot be stored, so that no module has to
 * think of it.
 * @returns the schema itself
 */
export function guardRootFields(schema: GraphQLSchema): GraphQLSchema {
  before(schema.getQueryType(), actorOf)
  before(schema.getMutationType(), (context, args) => {
    actorOf(context)
    forgetLoaded(context)
    refuseInput(context, args)
  })
  before(schema.getSubscriptionType(), actorOf)
  return schema
}

/** @throws GraphQLError for what the database cannot hold, for depth and for size (WORKFLOW_VALIDATION_002, _004) */
function refuseInput(context: Context, args: unknown): void {
  const refused = checkJson(args, '$', {
    maxBytes: context.runtime.options.maxDocumentBytes,
    // The arguments themselves are two levels: `input`, and the member that holds the value.
    maxDepth: defaultJsonLimits.maxDepth + 2,
  })
  if (refused) throw refusalError(context, refused)
}

function before(type: GraphQLObjectType | null | undefined, check: (context: Context, args: unknown) => unknown): void {
  const fields: GraphQLFieldMap<unknown, Context> = type?.getFields() ?? {}
  for (const field of Object.values(fields)) {
    const { resolve = defaultFieldResolver, subscribe } = field
    if (subscribe) {
      field.subscribe = (source, args, context, info) => {
        check(context, args)
        return subscribe(source, args, context, info)
      }
      continue
    }
    field.resolve = (source, args, context, info) => {
      check(context, args)
      return resolve(source, args, context, info)
    }
  }
}
