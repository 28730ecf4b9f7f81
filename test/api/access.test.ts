import { uuidv7 } from 'uuidv7'
import { expect, it } from 'vitest'
import type { Database } from '../../src/persistence/database.js'
import { onBothDatabases } from '../support/databases.js'
import { ask, person, refusals } from './ask.js'
import { addDefinitions, addInstances, addTasks, noon } from './rows.js'

const denied = [['WORKFLOW_DENIED_003', 'workflow.access.permission_missing']]

/** Five instances: started by alice, with a task of bob, done by carol, copied to dave, and one offered to a group. */
async function addCases(database: Database): Promise<string[]> {
  const [definition = ''] = await addDefinitions(database, [{}])
  const ids = await addInstances(database, definition, [
    { title: 'started', starterId: 'alice' },
    { title: 'asked' },
    { title: 'done' },
    { title: 'copied' },
    { title: 'offered' },
  ])
  await addTasks(database, ids[1] ?? '', [{ key: 'bob' }])
  await addTasks(database, ids[4] ?? '', [{ key: 'group:finance' }])
  const row = { tenantId: 'acme', nodeId: 'ask' }
  await database.prisma.taskRecord.create({
    data: {
      ...row,
      id: uuidv7(),
      instanceId: ids[2] ?? '',
      definitionName: 'definition-0',
      nodeInstanceId: uuidv7(),
      nodeTitle: 'Ask',
      activityType: 'UserTask',
      action: 'COMPLETED',
      actorId: 'carol',
      assigneeId: 'carol',
      searchText: '',
      at: noon,
    },
  })
  const copy = { ...row, id: uuidv7(), instanceId: ids[3] ?? '', userId: 'dave', taskTitle: 'Ask', createdAt: noon }
  await database.prisma.copy.create({ data: copy })
  return ids
}

async function titlesSeen(database: Database, actor: ReturnType<typeof person>): Promise<string[]> {
  const { data } = await ask(database, actor, '{ instances { nodes { title } totalCount } }')
  const titles = data.instances.nodes.map((node: { title: string }) => node.title)
  expect(data.instances.totalCount).toBe(titles.length)
  return titles.sort()
}

onBothDatabases('what one may see', (database) => {
  it('are the instances that one started, has or had a task in, or was copied on', async () => {
    await addCases(database())
    expect(await titlesSeen(database(), person('alice'))).toEqual(['started'])
    expect(await titlesSeen(database(), person('bob'))).toEqual(['asked'])
    expect(await titlesSeen(database(), person('carol'))).toEqual(['done'])
    expect(await titlesSeen(database(), person('dave'))).toEqual(['copied'])
    expect(await titlesSeen(database(), person('erin', [], { groups: ['finance'] }))).toEqual(['offered'])
    expect(await titlesSeen(database(), person('frank'))).toEqual([])
    expect(await titlesSeen(database(), person('frank', ['work', 'design']))).toEqual([])
    expect(await titlesSeen(database(), person('frank', ['operate']))).toHaveLength(5)
    expect(await titlesSeen(database(), person('frank', ['admin']))).toHaveLength(5)
  })

  it('ends at the partition, for operators too', async () => {
    const [id = ''] = await addCases(database())
    const stranger = person('alice', ['admin'], { tenantId: 'globex' })
    expect(await titlesSeen(database(), stranger)).toEqual([])
    const source = `query ($id: ID!) {
      instance(id: $id) { id } tasks(filter: { instanceId: $id }) { totalCount } definitions { totalCount }
      taskRecords(filter: { instanceId: $id }) { totalCount } viewer { counts { todo startedRunning } }
    }`
    const { data, errors } = await ask(database(), stranger, source, { id })
    expect(errors).toEqual([])
    expect(data).toEqual({
      instance: null,
      tasks: { totalCount: 0 },
      definitions: { totalCount: 0 },
      taskRecords: { totalCount: 0 },
      viewer: { counts: { todo: 0, startedRunning: 0 } },
    })
  })

  it('does not exist elsewhere: null for an id, nothing in its lists, not found for a control', async () => {
    const ids = await addCases(database())
    const suspend = 'mutation ($id: ID!) { suspendInstance(input: { id: $id }) { instance { id } } }'
    const read = `query ($id: ID!) {
      instance(id: $id) { id } tasks(filter: { instanceId: $id }) { totalCount }
      taskRecords(filter: { instanceId: $id }) { totalCount }
    }`
    for (const id of [ids[0], uuidv7(), 'no uuid', "'; drop table"]) {
      const { data, errors } = await ask(database(), person('frank'), read, { id })
      expect(errors).toEqual([])
      expect(data).toEqual({ instance: null, tasks: { totalCount: 0 }, taskRecords: { totalCount: 0 } })
      const refused = await ask(database(), person('frank'), suspend, { id })
      expect(refusals(refused)).toEqual([['WORKFLOW_NOTFOUND_002', 'workflow.instance.not_found']])
    }
    expect(refusals(await ask(database(), person('alice'), suspend, { id: ids[0] }))).toEqual(denied)
  })

  it('hides one task with its instance', async () => {
    const ids = await addCases(database())
    const [task = ''] = await addTasks(database(), ids[1] ?? '', [{ key: 'greta' }])
    const source = 'query ($id: ID!) { task(id: $id) { title assignee { id name } instance { title } node { title } } }'
    const seen = await ask(database(), person('bob'), source, { id: task })
    expect(seen.data.task).toEqual({
      title: 'task 0',
      assignee: { id: 'greta', name: 'greta' },
      instance: { title: 'asked' },
      node: { title: 'Ask' },
    })
    expect((await ask(database(), person('frank'), source, { id: task })).data.task).toBeNull()
    expect((await ask(database(), person('bob'), source, { id: 'x' })).data.task).toBeNull()
  })

  it('shows another person’s inbox and work to operators only', async () => {
    await addCases(database())
    await database().prisma.user.create({ data: { tenantId: 'acme', id: 'erin', name: 'Erin', groups: ['finance'] } })
    const inbox = '{ tasks(filter: { assigneeId: "erin" }) { nodes { candidateGroup assignee { id } } } }'
    expect(refusals(await ask(database(), person('bob'), inbox))).toEqual(denied)
    const { data } = await ask(database(), person('olga', ['operate']), inbox)
    expect(data.tasks.nodes).toEqual([{ candidateGroup: 'finance', assignee: null }])
    const work = '{ taskRecords(filter: { actorId: "carol" }) { nodes { actor { name } instance { title } } } }'
    expect(refusals(await ask(database(), person('bob'), work))).toEqual(denied)
    for (const actor of [person('carol'), person('olga', ['operate'])])
      expect((await ask(database(), actor, work)).data.taskRecords.nodes).toEqual([
        { actor: { name: 'carol' }, instance: { title: 'done' } },
      ])
  })

  it('shows drafts to designers and operators only, in the list and by id', async () => {
    const [draft = '', published = ''] = await addDefinitions(database(), [
      { name: 'a', status: 'DRAFT' },
      { name: 'b' },
    ])
    const source = `query ($draft: ID!, $published: ID!) {
      draft: definition(id: $draft) { name } published: definition(id: $published) { name }
      none: publishedDefinition(name: "a") { name } one: publishedDefinition(name: "b") { name }
      definitions { nodes { name } totalCount }
    }`
    const plain = await ask(database(), person('alice'), source, { draft, published })
    expect(plain.data).toEqual({
      draft: null,
      published: { name: 'b' },
      none: null,
      one: { name: 'b' },
      definitions: { nodes: [{ name: 'b' }], totalCount: 1 },
    })
    for (const permission of ['design', 'operate'] as const) {
      const { data } = await ask(database(), person('dora', [permission]), source, { draft, published })
      expect(data.draft).toEqual({ name: 'a' })
      expect(data.definitions.totalCount).toBe(2)
    }
    const archive = 'mutation ($id: ID!) { archiveDefinition(input: { id: $id }) { definition { id } } }'
    expect(refusals(await ask(database(), person('alice', ['operate']), archive, { id: draft }))).toEqual(denied)
  })

  it('is nothing at all for nobody', async () => {
    const source = `{ viewer { tenantId } }`
    const unauthenticated = [['WORKFLOW_DENIED_003', 'workflow.access.unauthenticated']]
    expect(refusals(await ask(database(), null, source))).toEqual(unauthenticated)
    expect(refusals(await ask(database(), null, '{ activityTypes { type } }'))).toEqual(unauthenticated)
    expect(refusals(await ask(database(), null, 'mutation { signal(input: { name: "x" }) { resumed } }'))).toEqual(
      unauthenticated,
    )
    expect((await ask(database(), null, '{ __typename }')).data).toEqual({ __typename: 'Query' })
  })

  it('counts what waits for the viewer, and what stays unread after reading', async () => {
    const [started = '', asked = ''] = await addCases(database())
    await addTasks(database(), asked, [
      { key: 'dave', taskDueAt: new Date(0) },
      { key: 'dave', instanceStatus: 'SUSPENDED' },
    ])
    await database().prisma.instance.updateMany({ where: { id: started }, data: { starterId: 'dave' } })
    const source = '{ viewer { user { id } counts { todo overdue unreadCopies startedRunning } eventCursor } }'
    const { data } = await ask(database(), person('dave'), source)
    expect(data.viewer).toEqual({
      user: { id: 'dave' },
      counts: { todo: 1, overdue: 1, unreadCopies: 1, startedRunning: 1 },
      eventCursor: 'here',
    })
    const copies = '{ copies { nodes { id readAt instance { title } } } }'
    const [copy] = (await ask(database(), person('dave'), copies)).data.copies.nodes
    expect(copy).toMatchObject({ readAt: null, instance: { title: 'copied' } })
    const read = 'mutation ($ids: [ID!]) { markCopiesRead(input: { ids: $ids }) { unread } }'
    const other = await ask(database(), person('alice'), read, { ids: [copy.id] })
    expect(other.data.markCopiesRead).toEqual({ unread: 0 })
    expect((await ask(database(), person('dave'), read, { ids: ['x'] })).data.markCopiesRead).toEqual({ unread: 1 })
    expect((await ask(database(), person('dave'), read)).data.markCopiesRead).toEqual({ unread: 0 })
  })
})
