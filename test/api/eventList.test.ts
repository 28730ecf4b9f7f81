import { expect, it } from 'vitest'
import { areEventsWaiting, clearEvents } from '../../src/persistence/events.js'
import { onBothDatabases } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { ask, person, refusals } from './ask.js'

const operator = person('op', ['operate'], { tenantId: 't1' })
const source = `query ($first: Int, $after: String, $topics: [String!], $instanceId: ID) {
  events(first: $first, after: $after, topics: $topics, instanceId: $instanceId) {
    nodes { id cursor source type time subject correlation data } endCursor hasNextPage } }`

onBothDatabases('the event log', (database) => {
  async function page(variables = {}) {
    // Transactions of other databases of the server hold the log back too.
    await expect.poll(() => areEventsWaiting(database().prisma)).toBe(false)
    return (await ask(database(), operator, source, variables)).data.events
  }

  async function started(correlationId: string): Promise<string> {
    const engine = new Engine(database())
    const { instance } = unwrap(await engine.start('approval', {}, { correlationId }))
    return instance.id
  }

  async function published(): Promise<void> {
    const nodes = { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }] as [string, object], end: 'End' }
    await new Engine(database()).publish(document('approval', nodes as never, ['s>t', 't>end']))
  }

  it('is read page by page, every event once and in order', async () => {
    await published()
    await started('a')
    await started('b')
    const stored = await database().prisma.event.findMany({ orderBy: [{ txid: 'asc' }, { seq: 'asc' }] })
    const read: { id: string }[] = []
    for (let after: string | null = null, more = true; more; ) {
      const { nodes, endCursor, hasNextPage } = await page({ first: 2, after })
      read.push(...nodes)
      more = hasNextPage
      after = endCursor
    }
    expect(read.map(({ id }) => id)).toEqual(stored.map(({ id }) => id))
    expect(stored.length).toBeGreaterThan(4)
    const after = (await page()).endCursor
    expect(await page({ after })).toEqual({ nodes: [], endCursor: null, hasNextPage: false })
  })

  it('is narrowed to topics, named or by their beginning, and to an instance', async () => {
    await published()
    const [first, second] = [await started('a'), await started('b')]
    const { nodes } = await page({ topics: ['workflow.task.*', 'workflow.instance.started'], instanceId: second })
    expect(nodes.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'workflow.instance.started',
      'workflow.task.created',
    ])
    expect(nodes[0]).toMatchObject({ source: '/workflow', subject: second, correlation: 'b' })
    expect(nodes[0].data).toMatchObject({ definitionName: 'approval', instanceId: second })
    expect(first).not.toBe(second)
  })

  it('is the operators’ of its own partition', async () => {
    await published()
    const other = await ask(database(), person('op', ['operate'], { tenantId: 't2' }), source)
    expect(other.data.events.nodes).toEqual([])
    const refused = await ask(database(), person('u1', [], { tenantId: 't1' }), source)
    expect(refusals(refused)).toEqual([['WORKFLOW_DENIED_003', 'workflow.access.permission_missing']])
  })

  it('refuses a cursor that is junk or from before what was cleared, unknown topics and pages out of bounds', async () => {
    await published()
    await started('a')
    const { nodes } = await page()
    await clearEvents(database().prisma, Date.parse('2100-01-01T00:00:00Z'), 1000)
    for (const [variables, key] of [
      [{ after: 'junk' }, 'cursor_invalid'],
      [{ after: nodes[0].cursor }, 'cursor_expired'],
      [{ topics: ['workflow.tasks.*'] }, 'topic_unknown'],
      [{ first: 0 }, 'query_page_invalid'],
      [{ first: 1001 }, 'query_page_invalid'],
    ] as const)
      expect(refusals(await ask(database(), operator, source, variables))).toEqual([
        ['WORKFLOW_VALIDATION_002', `workflow.events.${key}`],
      ])
  })
})
