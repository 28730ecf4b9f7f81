import {
  execute,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, it } from 'vitest'
import { schema } from '../../schema/index.js'
import type { JsonObject } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { ask, contextOf, person } from './ask.js'

const all = ['design', 'operate', 'work', 'admin'] as const
/** The same user id elsewhere, with all permissions, and the platform's. */
const callers = ['t2', ''].map((tenantId) => person('u1', [...all], { tenantId }))
const never = '00000000-0000-7000-8000-00000000dead'

/** A value for an input; whatever is an id gets this one. */
function inputOf(type: GraphQLInputType, id: string): unknown {
  if (isNonNullType(type)) return inputOf(type.ofType, id)
  if (isListType(type)) return [inputOf(type.ofType, id)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isWanted(field.type))
    return Object.fromEntries(fields.map((field) => [field.name, inputOf(field.type, id)]))
  }
  const simple: { [name: string]: unknown } = {
    ID: id,
    String: 'w',
    Int: 1,
    Boolean: false,
    DateTime: '2030-01-01T00:00:00Z',
  }
  return simple[type.name] ?? {}
}

/** Required, or an id. */
function isWanted(type: GraphQLInputType): boolean {
  return isNonNullType(type) || getNamedType(type).name === 'ID' || isInputObjectType(getNamedType(type))
}

function holdsId(type: GraphQLInputType): boolean {
  const named = getNamedType(type)
  return (
    named.name === 'ID' ||
    (isInputObjectType(named) && Object.values(named.getFields()).some(({ type }) => holdsId(type)))
  )
}

/** Codes of errors, and what leads to them: enough to tell a batch's answers apart. */
function selectionOf(type: GraphQLOutputType, depth = 3): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (!isObjectType(named)) return '{ __typename }'
  const parts = Object.values(named.getFields())
    .filter(
      ({ name, args }) => args.length === 0 && (depth > 0 ? ['error', 'nodes', 'instance'].includes(name) : false),
    )
    .map(({ name, type }) => `${name} ${selectionOf(type, depth - 1)}`)
  const leaves = ['code', 'messageKey', 'totalCount'].filter((name) => name in named.getFields())
  return `{ ${['__typename', ...leaves, ...parts].join(' ')} }`
}

function operationOf(kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>) {
  const args = field.args.filter(({ type }) => isWanted(type))
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ')
  const document = parse(`${kind} (${declared}) { it: ${field.name}(${passed}) ${selectionOf(field.type)} }`)
  expect(validate(schema, document)).toEqual([])
  return {
    document,
    variables: (id: string) => Object.fromEntries(args.map(({ name, type }) => [name, inputOf(type, id)])),
  }
}

const fieldsWithId = (root: { getFields(): { [name: string]: GraphQLField<unknown, unknown> } } | null | undefined) =>
  Object.values(root?.getFields() ?? {}).filter(({ args }) => args.some(({ type }) => holdsId(type)))

const mutations = fieldsWithId(schema.getMutationType())
const queries = fieldsWithId(schema.getQueryType())

onBothDatabases('C29 what belongs to another partition', (database) => {
  let ids: { [what: string]: string }

  /** A definition, a running instance with a task of u1, an external task and a signal that is waited for. */
  beforeEach(async () => {
    const engine = new Engine(database())
    const nodes: { [id: string]: string | [string, JsonObject] } = {
      s: 'Start',
      t: ['UserTask', { Assignees: ['u1'] }],
      x: ['ExternalTask', { Topic: 'w' }],
      g: ['WaitSignal', { SignalName: 'w' }],
      e: 'End',
    }
    const edges = ['s>t', 's>x', 's>g', 't>e', 'x>e', 'g>e']
    await engine.publish(document('w', nodes, edges))
    const { instance } = unwrap(await engine.start('w', {}, { correlationId: 'w' }))
    const bookmarks = await database().prisma.bookmark.findMany({ where: { instanceId: instance.id } })
    ids = { definition: instance.definitionId, instance: instance.id, nodeInstance: bookmarks[0]?.nodeInstanceId ?? '' }
    for (const { kind, id } of bookmarks) ids[kind] = id
    expect(Object.keys(ids)).toEqual(expect.arrayContaining(['USER_TASK', 'EXTERNAL', 'SIGNAL']))
  })

  /** All rows of the partition, in one statement. */
  async function everything(): Promise<unknown> {
    const tables = ['Definition', 'Instance', 'NodeInstance', 'Bookmark', 'TaskRecord', 'Copy', 'Event', 'HeldSignal']
    const columns = tables.map(
      (table) => `(SELECT json_agg(t ORDER BY id)::text FROM "${table}" t WHERE "tenantId" = 't1') AS "${table}"`,
    )
    return database().prisma.$queryRawUnsafe(`SELECT ${columns.join(', ')}`)
  }

  /** What strangers are told of ids that exist where it is not what they are told of one that does not. */
  async function leaksOf({ document, variables }: ReturnType<typeof operationOf>): Promise<unknown[]> {
    const leaks: unknown[] = []
    for (const actor of callers) {
      const outcomeOf = async (id: string) => {
        const contextValue = contextOf(database(), actor)
        const { data, errors = [] } = await execute({ schema, document, contextValue, variableValues: variables(id) })
        const told = errors.map(({ message, extensions }) => ({ message, extensions }))
        return JSON.stringify({ data, told }).replaceAll(id, '<id>')
      }
      const none = await outcomeOf(never)
      const asked = Object.entries(ids).map(async ([what, id]) => {
        const outcome = await outcomeOf(id)
        if (outcome !== none) leaks.push({ tenantId: actor.tenantId, what, outcome, none })
      })
      await Promise.all(asked)
    }
    return leaks
  }

  it('is not reached by any mutation that takes an id', async () => {
    const before = await everything()
    for (const field of mutations) {
      expect([field.name, await leaksOf(operationOf('mutation', field))]).toEqual([field.name, []])
      expect([field.name, await everything()]).toEqual([field.name, before])
    }
    expect(mutations.length).toBeGreaterThan(40)
  })

  it('is not shown by any query that takes an id', async () => {
    for (const field of queries)
      expect([field.name, await leaksOf(operationOf('query', field))]).toEqual([field.name, []])
    expect(queries.length).toBeGreaterThan(8)
  })

  it('is not reached by names, topics and signals either', async () => {
    const before = await everything()
    const inputs = {
      start: 'mutation { it: startInstance(input: { name: "w" }) { instance { id } } }',
      version: 'mutation { it: newDefinitionVersion(input: { name: "w" }) { definition { id } } }',
      fetch:
        'mutation { it: fetchExternalTasks(input: { topic: "w", workerId: "w", lockSeconds: 60 }) { tasks { id } } }',
      signal: 'mutation { it: signal(input: { name: "w", correlationId: "w" }) { resumed started } }',
    }
    for (const actor of callers) {
      for (const source of [inputs.start, inputs.version])
        expect((await ask(database(), actor, source)).errors.map(({ extensions }) => extensions.code)).toEqual([
          'WORKFLOW_NOTFOUND_001',
        ])
      expect((await ask(database(), actor, inputs.fetch)).data.it).toEqual({ tasks: [] })
      expect((await ask(database(), actor, inputs.signal)).data.it).toEqual({ resumed: 0, started: 0 })
    }
    expect(await everything()).toEqual(before)
  })

  it('does not keep the own half of a batch from being done', async () => {
    const engine = new Engine(database())
    const stranger = person('u1', [...all], { tenantId: 't2' })
    await engine.publish(
      document('own', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], e: 'End' }, ['s>t', 't>e']),
      stranger,
    )
    const own = unwrap(await engine.start('own', {}, { instanceId: uuidv7() }, {}, stranger)).instance.id
    const source = `mutation ($ids: [ID!]!) {
      it: cancelInstances(ids: $ids) { instance { id } error { code } } }`
    const given = [ids.instance, own]
    expect((await ask(database(), stranger, source, { ids: given })).data.it).toEqual([
      { instance: null, error: { code: 'WORKFLOW_NOTFOUND_002' } },
      { instance: { id: own }, error: null },
    ])
  })
})
