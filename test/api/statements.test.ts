import { uuidv7 } from 'uuidv7'
import { expect, it } from 'vitest'
import type { Database } from '../../src/persistence/database.js'
import { onBothDatabases } from '../support/databases.js'
import { ask, person, statementsOf } from './ask.js'
import { addDefinitions, addInstances, addTasks, noon } from './rows.js'

async function addCrowd(database: Database): Promise<string[]> {
  const definitions = await addDefinitions(
    database,
    Array.from({ length: 5 }, () => ({})),
  )
  const ids: string[] = []
  for (const [index, definition] of definitions.entries())
    ids.push(
      ...(await addInstances(
        database,
        definition,
        Array.from({ length: 10 }, () => ({ starterId: `user-${index}` })),
      )),
    )
  await addTasks(
    database,
    '',
    ids.map((instanceId) => ({ instanceId })),
  )
  return ids
}

async function count(database: Database, source: string, variables: Record<string, unknown> = {}): Promise<number> {
  const sent = await statementsOf(database, async () => {
    expect((await ask(database, person('bob', ['operate']), source, variables)).errors).toEqual([])
  })
  return sent.length
}

onBothDatabases('statements', (database) => {
  it('are at most 4 for an inbox page with instance, definition and starter, whatever its size', async () => {
    await addCrowd(database())
    const source = `query ($first: Int) { tasks(first: $first) { nodes {
      title node { title } instance { title starter { name } definition { title } }
    } pageInfo { endCursor } } }`
    expect(await count(database(), source, { first: 50 })).toBeLessThanOrEqual(4)
    expect(await count(database(), source, { first: 2 })).toBeLessThanOrEqual(4)
  })

  it('are at most 3 for a page of instances with definition and starter, the total included', async () => {
    await addCrowd(database())
    const page = 'nodes { title statusName starter { name } definition { title status } }'
    expect(await count(database(), `{ instances(first: 50) { ${page} } }`)).toBe(3)
    expect(await count(database(), `{ instances(first: 50) { ${page} totalCount } }`)).toBe(3)
    expect(await count(database(), '{ instances { totalCount } }')).toBe(1)
  })

  it('are at most 4 for an instance with its trail, bookmarks and history', async () => {
    const [id = ''] = await addCrowd(database())
    const nodes = Array.from({ length: 50 }, (_, index) => ({
      tenantId: 'acme',
      id: uuidv7(),
      instanceId: id,
      nodeId: 'ask',
      activityType: 'UserTask',
      status: 'COMPLETED' as const,
      startedAt: new Date(noon.getTime() + index),
    }))
    await database().prisma.nodeInstance.createMany({ data: nodes })
    const source = `query ($id: ID!) { instance(id: $id) {
      title variables trail(first: 50) { nodes { nodeId status } } bookmarks { kind dueAt } tasks { title }
      history { nodes { action comment } }
    } }`
    expect(await count(database(), source, { id })).toBeLessThanOrEqual(4)
  })

  it('are one for all the trails of a page, each with its own rows, pages and totals', async () => {
    await addCrowd(database())
    const source = `{ instances(first: 20) { nodes { id trail(first: 1) {
      nodes { id } totalCount pageInfo { hasNextPage }
    } } } }`
    expect(await count(database(), source)).toBe(3)
    const { data } = await ask(database(), person('bob', ['operate']), source)
    for (const { trail } of data.instances.nodes)
      expect(trail).toMatchObject({ totalCount: 1, pageInfo: { hasNextPage: false }, nodes: [{}] })
  })
})

onBothDatabases('a trail', (database) => {
  it('is walked in order of start, each node instance once', async () => {
    const [definition = ''] = await addDefinitions(database(), [{}])
    const [id = ''] = await addInstances(database(), definition, [{ starterId: 'alice' }])
    const data = Array.from({ length: 23 }, (_, index) => ({
      tenantId: 'acme',
      id: uuidv7(),
      instanceId: id,
      nodeId: `n${index}`,
      activityType: 'Log',
      status: 'COMPLETED' as const,
      startedAt: new Date(noon.getTime() + Math.floor(index / 5)),
    }))
    await database().prisma.nodeInstance.createMany({ data })
    const source = `query ($id: ID!, $after: String) { instance(id: $id) { trail(first: 4, after: $after) {
      nodes { nodeId node { title } } pageInfo { hasNextPage endCursor }
    } } }`
    const seen: string[] = []
    for (let after: string | null = null, more = true; more; ) {
      const answer = await ask(database(), person('alice'), source, { id, after })
      const { nodes, pageInfo } = answer.data.instance.trail
      seen.push(...nodes.map((node: { nodeId: string }) => node.nodeId))
      more = pageInfo.hasNextPage
      after = pageInfo.endCursor
    }
    expect(seen).toEqual(data.map((row) => row.nodeId))
  })
})
