import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldMap,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'
import { checkInput } from '../src/inputCheck.js'
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
  before(schema.getMutationType(), (context, args, { extensions }) => {
    actorOf(context)
    forgetLoaded(context)
    clean(args, extensions[cleaning])
    refuseInput(context, args)
  })
  before(schema.getSubscriptionType(), actorOf)
  return schema
}

const cleaning = 'cleansInput'

/** For a mutation that must not be refused for a text of its input: says how that text is made fit to be stored. */
export function cleansInput(member: string, cleaned: (text: string) => string): { [name: string]: unknown } {
  return { [cleaning]: { member, cleaned } }
}

function clean(args: unknown, extension: unknown): void {
  if (extension === undefined) return
  const { member, cleaned } = extension as { member: string; cleaned: (text: string) => string }
  const { input } = args as { input: { [member: string]: unknown } }
  const text = input[member]
  if (typeof text === 'string') input[member] = cleaned(text)
}

/** @throws GraphQLError for what the database cannot hold, for depth and for size (WORKFLOW_VALIDATION_002, _004) */
function refuseInput(context: Context, args: unknown): void {
  // The arguments themselves are two levels: `input`, and the member that holds the value.
  const refused = checkInput(context.runtime, args, 2)
  if (refused) throw refusalError(context, refused)
}

type Field = GraphQLField<unknown, Context>

function before(
  type: GraphQLObjectType | null | undefined,
  check: (context: Context, args: unknown, field: Field) => unknown,
): void {
  const fields: GraphQLFieldMap<unknown, Context> = type?.getFields() ?? {}
  for (const field of Object.values(fields)) {
    const { resolve = defaultFieldResolver, subscribe } = field
    if (subscribe) {
      field.subscribe = (source, args, context, info) => {
        check(context, args, field)
        return subscribe(source, args, context, info)
      }
      continue
    }
    field.resolve = (source, args, context, info) => {
      check(context, args, field)
      return resolve(source, args, context, info)
    }
  }
}
