import { createClient } from 'graphql-sse'
import { expect, it } from 'vitest'
import type { Database } from '../../src/persistence/database.js'
import { as, askForLeave, post } from '../api/network.js'
import { leave, type Node, startNodes } from '../support/cluster.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'

/** Works through the numbers with so many clients at a time; tells how many are done. */
async function work(nodes: readonly Node[], count: number, clients: number, done: (total: number) => void) {
  const ids: string[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let number = next++; number < count; number = next++) {
        ids.push(await leave(nodes, number))
        done(ids.length)
      }
    }),
  )
  return ids
}

/** What must be true of everything that is stored. */
async function expectWhole({ prisma }: Database, ids: readonly string[]): Promise<void> {
  expect(new Set(ids).size).toBe(ids.length)
  const where = { id: { in: [...ids] } }
  expect(await prisma.instance.count({ where: { ...where, status: 'COMPLETED', revision: 2 } })).toBe(ids.length)
  const records = await prisma.taskRecord.groupBy({ by: ['instanceId'], _count: true, where: { instanceId: where.id } })
  expect(records.map(({ _count }) => _count)).toEqual(ids.map(() => 1))
  expect(await prisma.bookmark.count({ where: { instanceId: where.id } })).toBe(0)
  const wrong = await prisma.$queryRaw`
    SELECT i.id FROM "Instance" i WHERE i."eventSeq" <> (SELECT count(*) FROM "Event" e WHERE e."instanceId" = i.id)
      OR i."eventSeq" <> (SELECT max(e."instanceSeq") FROM "Event" e WHERE e."instanceId" = i.id)`
  expect(wrong).toEqual([])
}

onPostgres('three nodes on one database', (database, url) => {
  it('show on each what happens on another, and lose nothing when one is killed or leaves at work', async () => {
    const nodes = await startNodes(url(), 3)
    const [a, b, c] = nodes as [Node, Node, Node]
    const client = createClient({ url: `${b.url}/graphql`, headers: as('bob'), retryAttempts: 0 })
    const events = client.iterate<{ taskEvents: { taskId: string } }>({
      query: 'subscription { taskEvents(types: ["workflow.task.created"]) { taskId } }',
    })
    const first = events.next()
    await eventually(async () => {
      const metrics = await (await fetch(`${b.url}/metrics`)).text()
      expect(metrics).toContain('countersign_subscribers 1')
    })
    const taskId = await askForLeave(a)
    expect((await first).value?.data?.taskEvents.taskId).toBe(taskId)
    client.dispose()

    const total = 90
    const kill = (count: number) => {
      if (count === 20) b.child.kill('SIGKILL')
      if (count === 50) c.child.kill('SIGTERM')
    }
    const ids = await work(nodes, total, 6, kill)
    expect((await b.ended).signal).toBe('SIGKILL')
    expect((await c.ended).code).toBe(0)
    expect(ids).toHaveLength(total)
    await expectWhole(database(), ids)
    expect(await database().prisma.instance.count({ where: { definitionName: 'hr.leave' } })).toBe(total + 3)
  }, 240_000)

  it('take over the timers of one that is gone', async () => {
    const [a, b] = (await startNodes(url(), 2)) as [Node, Node]
    const document = `{ name: "wait", nodes: [
      { id: "s", activityType: "Start" },
      { id: "d", activityType: "Delay", properties: { Duration: "00:00:02" } },
      { id: "e", activityType: "End" } ], transitions: [
      { id: "1", sourceNodeId: "s", targetNodeId: "d" }, { id: "2", sourceNodeId: "d", targetNodeId: "e" } ] }`
    const design = (query: string) => post(a, query, as('dora', 'design,operate'))
    const created = await design(
      `mutation { createDefinition(input: { document: ${document} }) { definition { id } } }`,
    )
    const { id } = created.body.data.createDefinition.definition
    await design(`mutation { publishDefinition(input: { id: "${id}" }) { definition { id } } }`)
    const started = await design('mutation { startInstance(input: { name: "wait" }) { instance { id status } } }')
    const { instance } = started.body.data.startInstance
    expect(instance.status).toBe('RUNNING')
    a.child.kill('SIGKILL')
    await a.ended
    await eventually(async () => {
      const { body } = await post(b, `{ instance(id: "${instance.id}") { status } }`, as('dora'))
      expect(body.data.instance.status).toBe('COMPLETED')
    })
  })
})
