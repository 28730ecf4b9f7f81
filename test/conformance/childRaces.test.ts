import { expect, it } from 'vitest'
import { handle } from '../../src/handle.js'
import { onPostgres } from '../support/databases.js'
import { designer, document, Engine, unwrap } from '../support/engine.js'

const child = document('case.child', { s: 'Start', t: ['UserTask', { AssigneesExpression: 'item' }], end: 'End' }, [
  's>t',
  't>end',
])
const parent = document(
  'case.parent',
  {
    s: 'Start',
    fe: [
      'ForEach',
      {
        Items: 'items',
        ItemVariable: 'item',
        Parallel: true,
        DefinitionName: 'case.child',
        ResultVariable: 'r',
      },
    ],
    end: 'End',
  },
  ['s>fe', 'fe>end'],
)

/** Two nodes that share a database, and a loop that is started over so many items. */
async function begin(engine: Engine, count: number) {
  const items = Array.from({ length: count }, (_value, index) => `p${index}`)
  const { instance } = unwrap(await engine.start('case.parent', { items }))
  return { id: instance.id, items, tasks: await engine.tasks() }
}

async function completeAll(engines: Engine[], tasks: { id: string; key: string | null }[], workers = 20) {
  const open = [...tasks.entries()]
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let next = open.pop(); next; next = open.pop()) {
        const [index, task] = next
        const engine = engines[index % engines.length] as Engine
        unwrap(await engine.complete(task.id, task.key ?? '', 'approved', { score: index }))
      }
    }),
  )
}

onPostgres('children that end at the same moment', (database) => {
  async function prepare(): Promise<[Engine, Engine]> {
    const engine = new Engine(database())
    await engine.publish(child)
    await engine.publish(parent)
    return [engine, new Engine(database())]
  }

  async function expectDone(id: string, items: string[]) {
    const stored = await database().prisma.instance.findFirstOrThrow({
      where: { id },
      include: { nodeInstances: true },
    })
    expect(stored.status).toBe('COMPLETED')
    const { r } = stored.variables as { r: { item: string; score: number }[] }
    expect(r.map(({ item }) => item)).toEqual(items)
    expect(r.map(({ score }) => score)).toEqual(items.map((_item, index) => index))
    const loop = stored.nodeInstances.filter(({ nodeId }) => nodeId === 'fe')
    expect(loop.map(({ status, attempt }) => [status, attempt])).toEqual([['COMPLETED', 1]])
    const executed = { instanceId: id, type: 'workflow.node.executed', nodeId: 'fe' }
    expect(await database().prisma.event.count({ where: executed })).toBe(1)
    expect(await database().prisma.childNotice.count()).toBe(0)
  }

  for (const [count, repetitions] of [
    [4, 6],
    [50, 2],
  ] as const)
    it(`C19 ${count} of them resume their parent once, with every result`, async () => {
      const engines = await prepare()
      for (let round = 0; round < repetitions; round += 1) {
        const { id, items, tasks } = await begin(engines[0], count)
        // Both nodes look for work all the time while the children end.
        let working = true
        const polls = engines.map(async (engine) => {
          while (working) await engine.poll()
        })
        await completeAll(engines, tasks)
        working = false
        await Promise.all(polls)
        await engines[0].poll()
        await expectDone(id, items)
      }
    })

  it('C19 1000 of them', async () => {
    const engines = await prepare()
    const { id, items, tasks } = await begin(engines[0], 1000)
    expect(tasks).toHaveLength(1000)
    await completeAll(engines, tasks)
    await engines[0].poll()
    await expectDone(id, items)
  })

  it('500 sub-workflows finishing at once over 20 connections resume their parent once', async () => {
    const engines = await prepare()
    const { id, items, tasks } = await begin(engines[0], 500)
    await completeAll(engines, tasks)
    const revision = (await database().prisma.instance.findFirstOrThrow({ where: { id } })).revision
    await Promise.all([engines[0].poll(), engines[1].poll()])
    await engines[0].poll()
    await expectDone(id, items)
    expect((await database().prisma.instance.findFirstOrThrow({ where: { id } })).revision).toBe(revision + 1)
  })

  it('a parent canceled while its children finish never deadlocks, and nothing of it is left', async () => {
    const engines = await prepare()
    const failures: string[] = []
    const log = { info: () => {}, warn: () => {}, error: (_facts: object, text: string) => void failures.push(text) }
    for (const engine of engines) engine.runtime.log = log
    for (let round = 0; round < 100; round += 1) {
      const { id, tasks } = await begin(engines[0], 3)
      const cancel = { type: 'cancel', instanceId: id, reason: null } as const
      await Promise.all([
        handle(engines[1].runtime, designer, cancel),
        ...tasks.map((task, index) => engines[index % 2]?.complete(task.id, task.key ?? '')),
        engines[0].poll(),
      ])
      await Promise.all(engines.map((engine) => engine.poll()))
      await engines[0].poll()
    }
    const open = { status: { in: ['RUNNING', 'SUSPENDED', 'FAULTED'] as ('RUNNING' | 'SUSPENDED' | 'FAULTED')[] } }
    expect(await database().prisma.instance.count({ where: open })).toBe(0)
    expect(await database().prisma.bookmark.count()).toBe(0)
    expect(await database().prisma.childNotice.count()).toBe(0)
    expect(failures).toEqual([])
    const [statistics] = await database().prisma.$queryRaw<{ deadlocks: number }[]>`
      SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`
    expect(statistics?.deadlocks).toBe(0)
  })
})
