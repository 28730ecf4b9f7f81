import { expect, it } from 'vitest'
import type { Database } from '../../src/persistence/database.js'
import { onBothDatabases } from '../support/databases.js'
import { ask, person, refusals, statementsOf } from './ask.js'
import { addDefinitions, addInstances, addTasks, noon } from './rows.js'

const operator = person('olga', ['operate'])

const instancesQuery = `query ($sorts: [InstanceSort!], $first: Int, $after: String, $last: Int, $before: String, $skip: Int) {
  list: instances(sorts: $sorts, first: $first, after: $after, last: $last, before: $before, skip: $skip) {
    nodes { id } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`
const definitionsQuery = instancesQuery.replace('InstanceSort', 'DefinitionSort').replace('instances(', 'definitions(')
const tasksQuery = instancesQuery.replace('InstanceSort', 'TaskSort').replace('instances(', 'tasks(')

/** Walks a whole list forward or backward, checking the total on every page. */
async function walk(
  database: Database,
  query: string,
  sorts: unknown,
  size: number,
  backward = false,
  actor = operator,
) {
  const pages: string[][] = []
  let total: number | null = null
  for (let cursor: string | null = null, more = true; more; ) {
    const variables = backward ? { sorts, last: size, before: cursor } : { sorts, first: size, after: cursor }
    const answer = await ask(database, actor, query, variables)
    expect(answer.errors).toEqual([])
    const { nodes, totalCount, pageInfo } = answer.data.list
    total ??= totalCount
    expect(totalCount).toBe(total)
    pages.push(nodes.map((node: { id: string }) => node.id))
    more = backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage
    cursor = backward ? pageInfo.startCursor : pageInfo.endCursor
    // An update that has nothing to do with the order moves the rows within the table.
    await database.exec(`UPDATE "Instance" SET revision = revision + 1 WHERE id = '${pages.at(-1)?.[0]}'`)
  }
  if (backward) pages.reverse()
  return { ids: pages.flat(), total }
}

const instanceSorts = [
  null,
  [{ field: 'TITLE' }],
  [{ field: 'STATUS' }],
  [{ field: 'STATUS', direction: 'DESC' }],
  [{ field: 'ENDED_AT' }],
  [{ field: 'ENDED_AT', direction: 'DESC' }],
  [{ field: 'STATUS' }, { field: 'TITLE', direction: 'DESC' }],
  [{ field: 'DEFINITION_NAME' }],
  [{ field: 'CREATED_AT' }],
  [
    { field: 'ENDED_AT' },
    { field: 'CREATED_AT' },
    { field: 'TITLE' },
    { field: 'STATUS' },
    { field: 'DEFINITION_NAME' },
  ],
]

async function addTwins(database: Database): Promise<string[]> {
  const [definition = ''] = await addDefinitions(database, [{}])
  const statuses = ['COMPLETED', 'RUNNING', 'FAULTED', 'SUSPENDED'] as const
  const rows = Array.from({ length: 200 }, (_, index) => ({
    title: `title ${index % 40}`,
    status: statuses[index % 4] ?? 'RUNNING',
    endedAt: index % 2 === 0 ? new Date(noon.getTime() + (index % 3)) : null,
    definitionName: `definition-${index % 5}`,
  }))
  return addInstances(database, definition, rows)
}

onBothDatabases('paging over equal sort values', (database) => {
  for (const sorts of instanceSorts)
    it(`C24 shows every instance exactly once, sorted by ${JSON.stringify(sorts)}`, async () => {
      const ids = (await addTwins(database())).sort()
      const forward = await walk(database(), instancesQuery, sorts, 7)
      expect(forward.total).toBe(200)
      expect([...forward.ids].sort()).toEqual(ids)
      const backward = await walk(database(), instancesQuery, sorts, 33, true)
      expect(backward.ids).toEqual(forward.ids)
      const whole = await walk(database(), instancesQuery, sorts, 1000)
      expect(whole.ids).toEqual(forward.ids)
      const skipped = await ask(database(), operator, instancesQuery, { sorts, skip: 190, first: 50 })
      expect(skipped.data.list.nodes.map((node: { id: string }) => node.id)).toEqual(forward.ids.slice(190))
    })

  it('shows every instance exactly once on pages of one', async () => {
    const ids = (await addTwins(database())).sort()
    const { ids: seen } = await walk(database(), instancesQuery, [{ field: 'ENDED_AT', direction: 'DESC' }], 1)
    expect([...seen].sort()).toEqual(ids)
  })

  it('orders instances by life cycle, and null ends last ascending and first descending', async () => {
    const ids = await addTwins(database())
    const rows = await database().prisma.instance.findMany()
    const row = new Map(rows.map((each) => [each.id, each]))
    const life = ['RUNNING', 'SUSPENDED', 'COMPLETED', 'CANCELED', 'FAULTED', 'TERMINATED']
    const byStatus = await walk(database(), instancesQuery, [{ field: 'STATUS' }], 50)
    const order = byStatus.ids.map((id) => life.indexOf(row.get(id)?.status ?? ''))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    const ascending = await walk(database(), instancesQuery, [{ field: 'ENDED_AT' }], 50)
    expect(ascending.ids.map((id) => row.get(id)?.endedAt === null).indexOf(true)).toBe(100)
    const descending = await walk(database(), instancesQuery, [{ field: 'ENDED_AT', direction: 'DESC' }], 50)
    expect(descending.ids.map((id) => row.get(id)?.endedAt === null).lastIndexOf(true)).toBe(99)
    // Without a sort the last written comes first.
    const unsorted = await walk(database(), instancesQuery, null, 50)
    expect(unsorted.ids).toEqual([...ids].reverse())
  })

  it('C24 shows every definition exactly once when all are called the same', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => ({
      name: `name-${index % 20}`,
      version: Math.floor(index / 20) + 1,
      displayName: 'The same',
      publishedAt: index % 2 === 0 ? noon : null,
    }))
    const ids = (await addDefinitions(database(), rows)).sort()
    for (const sorts of [
      null,
      [{ field: 'TITLE' }],
      [{ field: 'VERSION', direction: 'DESC' }],
      [{ field: 'PUBLISHED_AT' }],
    ]) {
      const { ids: seen, total } = await walk(database(), definitionsQuery, sorts, 7)
      expect(total).toBe(60)
      expect([...seen].sort()).toEqual(ids)
    }
  })

  it('C24 shows every task of a person exactly once', async () => {
    const [definition = ''] = await addDefinitions(database(), [{}])
    const [instance = ''] = await addInstances(database(), definition, [{}])
    const rows = Array.from({ length: 200 }, (_, index) => ({
      title: `task ${index % 40}`,
      priority: index % 3 === 0 ? null : index % 3,
      taskDueAt: index % 2 === 0 ? noon : null,
    }))
    const ids = (await addTasks(database(), instance, rows)).sort()
    for (const sorts of [null, [{ field: 'DUE_AT' }], [{ field: 'PRIORITY', direction: 'DESC' }, { field: 'TITLE' }]]) {
      const { ids: seen, total } = await walk(database(), tasksQuery, sorts, 7, false, person('bob'))
      expect(total).toBe(200)
      expect([...seen].sort()).toEqual(ids)
    }
  })

  it('refuses what is no page or no order before any query, in the stated order', async () => {
    const twice = [{ field: 'TITLE' }, { field: 'TITLE', direction: 'DESC' }]
    const junk = Buffer.from('["Instance,createdAt DESC,seq DESC","soon","1"]').toString('base64url')
    const many = (field: string, count: number) => Array.from({ length: count }, () => ({ field }))
    const invalid = (key: string) => [['WORKFLOW_VALIDATION_002', key]]
    const cases: [string, object, string][] = [
      [instancesQuery, { skip: -1 }, 'workflow.instance.query_page_invalid'],
      [instancesQuery, { first: 0 }, 'workflow.instance.query_page_invalid'],
      [instancesQuery, { first: 1001 }, 'workflow.instance.query_page_invalid'],
      [instancesQuery, { last: 1001 }, 'workflow.instance.query_page_invalid'],
      [definitionsQuery, { first: 1001 }, 'workflow.definition.query_page_invalid'],
      [tasksQuery, { first: 0 }, 'workflow.task.query_page_invalid'],
      [instancesQuery, { sorts: twice }, 'workflow.instance.query_sort_duplicate'],
      [instancesQuery, { sorts: many('TITLE', 6) }, 'workflow.instance.query_sorts_too_many'],
      [definitionsQuery, { sorts: many('TITLE', 6) }, 'workflow.definition.query_sort_duplicate'],
      [definitionsQuery, { sorts: many('TITLE', 7) }, 'workflow.definition.query_sorts_too_many'],
      [instancesQuery, { first: 1, last: 1 }, 'workflow.page.first_and_last'],
      [instancesQuery, { after: 'junk' }, 'workflow.page.cursor_invalid'],
      [instancesQuery, { after: junk }, 'workflow.page.cursor_invalid'],
    ]
    for (const [query, variables, key] of cases) {
      const sent = await statementsOf(database(), async () => {
        expect(refusals(await ask(database(), operator, query, { ...variables }))).toEqual(invalid(key))
      })
      expect(sent).toEqual([])
    }
  })

  it('refuses the cursor of another order, and skipping from a cursor', async () => {
    await addTwins(database())
    const { data } = await ask(database(), operator, instancesQuery, { first: 3 })
    const after = data.list.pageInfo.endCursor
    const other = await ask(database(), operator, instancesQuery, { after, sorts: [{ field: 'TITLE' }] })
    expect(refusals(other)).toEqual([['WORKFLOW_VALIDATION_002', 'workflow.page.cursor_invalid']])
    const skipping = await ask(database(), operator, instancesQuery, { after, skip: 1 })
    expect(refusals(skipping)).toEqual([['WORKFLOW_VALIDATION_002', 'workflow.page.skip_with_cursor']])
  })
})
