import {
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
} from 'graphql'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, it } from 'vitest'
import { schema } from '../../schema/index.js'
import type { JsonObject } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { ask, person } from './ask.js'

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
  return {
    source: `${kind} (${declared}) { it: ${field.name}(${passed}) ${selectionOf(field.type)} }`,
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

  async function everything(): Promise<unknown> {
    const tables = ['Definition', 'Instance', 'NodeInstance', 'Bookmark', 'TaskRecord', 'Copy', 'Event', 'HeldSignal']
    const rows = tables.map((table) =>
      database().prisma.$queryRawUnsafe(
        `SELECT json_agg(t ORDER BY id)::text AS rows FROM "${table}" t WHERE "tenantId" = 't1'`,
      ),
    )
    return Promise.all(rows)
  }

  async function outcomeOf(actor: ReturnType<typeof person>, source: string, variables: object, id: string) {
    const { data, errors } = await ask(database(), actor, source, variables as Record<string, unknown>)
    const told = errors.map(({ message, extensions }) => ({ message, extensions }))
    return JSON.parse(JSON.stringify({ data, told }).replaceAll(id, '<id>')) as { data: object; told: unknown[] }
  }

  it.each(mutations.map((field) => [field.name, field] as const))('is not reached by %s', async (_name, field) => {
    const before = await everything()
    const { source, variables } = operationOf('mutation', field)
    for (const actor of callers) {
      const none = await outcomeOf(actor, source, variables(never), never)
      for (const [what, id] of Object.entries(ids))
        expect([what, await outcomeOf(actor, source, variables(id), id)]).toEqual([what, none])
    }
    expect(await everything()).toEqual(before)
  })

  it.each(queries.map((field) => [field.name, field] as const))('is not shown by %s', async (_name, field) => {
    const { source, variables } = operationOf('query', field)
    for (const actor of callers) {
      const none = await outcomeOf(actor, source, variables(never), never)
      for (const [what, id] of Object.entries(ids))
        expect([what, await outcomeOf(actor, source, variables(id), id)]).toEqual([what, none])
    }
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
