import { execute, type GraphQLError, parse, validate } from 'graphql'
import type { Context } from '../../schema/context.js'
import { schema } from '../../schema/index.js'
import { createDefinitionCache } from '../../src/definitionCache.js'
import { createRegistry } from '../../src/engine/activities/registry.js'
import type { Actor, Permission } from '../../src/engine/command.js'
import { defaultEngineOptions } from '../../src/engine/options.js'
import { noExtensions } from '../../src/extensions.js'
import type { Database } from '../../src/persistence/database.js'

/** A caller of the partition 'acme' unless another one is named. */
export function person(userId: string, permissions: Permission[] = [], more: Partial<Actor> = {}): Actor {
  return { userId, tenantId: 'acme', groups: [], permissions, ...more }
}

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: a test knows the shape of what it selected
  data: Record<string, any>
  errors: readonly GraphQLError[]
}

/** A context on the database, with no server around it. */
export function contextOf(database: Database, actor: Actor | null, more: Partial<Context> = {}): Context {
  return {
    runtime: {
      database,
      registry: createRegistry(),
      extensions: noExtensions,
      options: defaultEngineOptions,
      definitions: createDefinitionCache(),
      clock: null,
      wake: () => {},
      log: { info: () => {}, warn: () => {}, error: () => {} },
    },
    feed: { position: async () => 'here' } as Context['feed'],
    actor,
    locale: 'en',
    requestId: 'test',
    ...more,
  }
}

/** Executes an operation as this caller; a document that does not fit the schema fails the test. */
export async function ask(
  database: Database,
  actor: Actor | null,
  source: string,
  variables: Record<string, unknown> = {},
  more: Partial<Context> = {},
): Promise<Answer> {
  const document = parse(source)
  const invalid = validate(schema, document)
  if (invalid.length > 0) throw new AggregateError(invalid, invalid.map((error) => error.message).join('\n'))
  const contextValue = contextOf(database, actor, more)
  const { data, errors } = await execute({ schema, document, contextValue, variableValues: variables })
  return { data: (data ?? {}) as Answer['data'], errors: errors ?? [] }
}

/** The codes and message keys of the errors, for an expectation. */
export function refusals({ errors }: Answer): unknown[] {
  return errors.map(({ extensions }) => [extensions.code, extensions.messageKey])
}

/** Counts the statements that reach the database while something runs. */
export async function statementsOf(database: Database, run: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const end = database.onQuery((sql) => sent.push(sql))
  try {
    await run()
  } finally {
    end()
  }
  return sent
}
