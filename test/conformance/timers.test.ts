import { expect, it } from 'vitest'
import { isRefusal } from '../../src/engine/model.js'
import { handle } from '../../src/handle.js'
import { createDueWorker } from '../../src/workers/dueBookmarks.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { person } from '../support/run.js'

const hour = 3_600_000
const day = 24 * hour
const operator = person('op', 'operate')

const waiting = (name: string, properties: object) =>
  document(
    name,
    {
      s: 'Start',
      d: ['Delay', { ...properties }],
      c: ['SetVariable', { Expressions: { n: 'n + 1' } }],
      t: ['UserTask', { Assignees: ['u1'] }],
      end: 'End',
    },
    ['s>d', 'd>c', 'c>t', 't>end'],
    { variables: [{ name: 'n', defaultValue: 0 }] },
  )

const control = (engine: Engine, type: 'suspend' | 'cancel', instanceId: string) =>
  handle(engine.runtime, operator, { type, instanceId, reason: null }).then(unwrap)
const resume = (engine: Engine, instanceId: string) =>
  handle(engine.runtime, operator, { type: 'resume', instanceId }).then(unwrap)

onBothDatabases('timers', (database) => {
  it('C12 fire once in the first cycle after a downtime, and not before they are due', async () => {
    const engine = new Engine(database())
    await engine.publish(waiting('hour', { Duration: 3600 }))
    await engine.publish(waiting('long', { Duration: 40 * 86_400 }))
    await engine.publish(waiting('longest', { Duration: 400 * 86_400 }))
    await engine.publish(waiting('past', { Until: '2020-01-01T00:00:00Z' }))
    for (const name of ['hour', 'long', 'longest', 'past']) unwrap(await engine.start(name))
    const open = async () => (await engine.tasks()).map(({ definitionName }) => definitionName)
    await engine.poll()
    expect(await open()).toEqual(['past'])
    engine.clock.time += 2 * hour
    await engine.poll()
    expect(await open()).toEqual(['past', 'hour'])
    engine.clock.time += 39 * day
    await engine.poll()
    expect(await open()).toEqual(['past', 'hour'])
    engine.clock.time += day
    await engine.poll()
    expect(await open()).toEqual(['past', 'hour', 'long'])
    engine.clock.time += 5 * 365 * day
    await engine.poll()
    expect(await engine.poll()).toBe(0)
    expect(await open()).toEqual(['past', 'hour', 'long', 'longest'])
    const instances = await database().prisma.instance.findMany()
    expect(instances.map(({ variables }) => (variables as { n: number }).n)).toEqual([1, 1, 1, 1])
  })

  it('C12 of nodes and reminders over long waits fire once, however late they are seen', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document(
        'late',
        {
          s: 'Start',
          t: ['UserTask', { Assignees: ['u1'], ReminderAfterSeconds: 40 * 86_400 }, { timeout: '400.00:00:00' }],
          end: ['End', { Outcome: '{{ outcome }}' }],
        },
        ['s>t', 't>end'],
      ),
    )
    unwrap(await engine.start('late'))
    const reminders = () => database().prisma.event.count({ where: { type: 'workflow.task.reminder' } })
    engine.clock.time += 39 * day
    expect(await engine.poll()).toBe(0)
    engine.clock.time += 300 * day
    expect(await engine.poll()).toBe(1)
    expect(await engine.poll()).toBe(0)
    expect(await reminders()).toBe(1)
    engine.clock.time += 1000 * day
    await engine.poll()
    expect(await engine.poll()).toBe(0)
    expect(await database().prisma.instance.findFirst()).toMatchObject({ status: 'COMPLETED', outcome: 'timeout' })
    // The reminder was due before the timeout, and is sent before it.
    expect(await reminders()).toBe(2)
  })

  it('C11 do not fire in a suspended instance, and fire no later than the back-off after it was resumed', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document(
        'fork',
        {
          s: 'Start',
          f: 'Parallel',
          t: ['UserTask', { Assignees: ['u1', 'u2'] }],
          d: ['Delay', { Duration: 60 }],
          w: ['WaitSignal', { SignalName: 'go' }],
          j: 'Join',
          end: 'End',
        },
        ['s>f', 'f>t', 'f>d', 'f>w', 't>j', 'd>j', 'w>j', 'j>end'],
      ),
    )
    const { instance } = unwrap(await engine.start('fork', {}, { correlationId: 'K' }))
    const tasks = (await engine.tasks()).map(({ id }) => id)
    await control(engine, 'suspend', instance.id)
    expect(await engine.complete(tasks[0] ?? '', 'u1')).toMatchObject({ code: 'WORKFLOW_CONFLICT_003' })
    expect(unwrap(await engine.signal('go', 'K'))).toEqual({ resumed: 0, started: 0 })
    expect(await engine.tasks()).toEqual([])
    engine.clock.time += 120_000
    await engine.poll()
    const timer = () => database().prisma.bookmark.findFirst({ where: { kind: 'TIMER' } })
    expect((await timer())?.dueAt?.getTime()).toBe(engine.clock.time + 300_000)
    await resume(engine, instance.id)
    expect((await engine.tasks()).map(({ id }) => id)).toEqual(tasks)
    await engine.poll()
    expect(await timer()).not.toBeNull()
    engine.clock.time += 300_000
    await engine.poll()
    expect(await timer()).toBeNull()
  })

  it('C11 leave nothing behind in a canceled instance', async () => {
    const engine = new Engine(database())
    await engine.publish(waiting('hour', { Duration: 3600 }))
    const { instance } = unwrap(await engine.start('hour'))
    const { id } = await database().prisma.bookmark.findFirstOrThrow()
    await control(engine, 'cancel', instance.id)
    expect(await database().prisma.bookmark.count()).toBe(0)
    engine.clock.time += 2 * hour
    expect(await engine.poll()).toBe(0)
    const command = { type: 'resumeBookmark', bookmarkId: id, inputs: {}, expectedKey: null } as const
    expect(await handle(engine.runtime, operator, command)).toMatchObject({
      code: 'WORKFLOW_NOTFOUND_003',
      messageKey: 'workflow.bookmark.not_found',
    })
  })

  it('C14 of others fire though a hundred and fifty suspended ones are older; those are put off', async () => {
    const engine = new Engine(database())
    const foreigner = { ...person('u0', 'design', 'operate'), tenantId: 't2' }
    await engine.publish(waiting('stuck', { Duration: 60 }))
    await engine.publish(waiting('healthy', { Duration: 61 }))
    await engine.publish(waiting('healthy', { Duration: 61 }), foreigner)
    const stuck: string[] = []
    for (let count = 0; count < 150; count += 1) {
      const { instance } = unwrap(await engine.start('stuck'))
      stuck.push(instance.id)
      await control(engine, 'suspend', instance.id)
    }
    unwrap(await engine.start('healthy'))
    unwrap(await engine.start('healthy', {}, {}, {}, foreigner))
    engine.clock.time += 62_000
    await engine.poll()
    expect((await engine.tasks()).map(({ definitionName }) => definitionName)).toEqual(['healthy', 'healthy'])
    const off = new Date(engine.clock.time + 300_000)
    expect(await database().prisma.bookmark.count({ where: { kind: 'TIMER', dueAt: off } })).toBe(150)
    await resume(engine, stuck[7] ?? '')
    engine.clock.time += 300_000
    await engine.poll()
    expect((await engine.tasks(stuck[7])).map(({ key }) => key)).toEqual(['u1'])
  })

  it('C14 that throw stop neither the batch nor the other tenants, are told of and put off', async () => {
    const engine = new Engine(database())
    const told: object[] = []
    engine.runtime.log = { ...engine.runtime.log, error: (facts) => void told.push(facts) }
    await engine.publish(waiting('hour', { Duration: 60 }))
    const ids: string[] = []
    for (let count = 0; count < 6; count += 1) ids.push(unwrap(await engine.start('hour')).instance.id)
    const broken = ids.slice(0, 3)
    await database().prisma.nodeInstance.updateMany({
      where: { instanceId: { in: broken }, nodeId: 'd' },
      data: { nodeId: 'nowhere' },
    })
    engine.clock.time += 60_000
    expect(await createDueWorker(engine.runtime, { pollInterval: 1000, batchSize: 2 }).runCycle()).toBe(6)
    expect((await engine.tasks()).map(({ instanceId }) => instanceId).sort()).toEqual(ids.slice(3).sort())
    expect(told).toHaveLength(3)
    expect(await engine.poll()).toBe(0)
    engine.clock.time += 300_000
    expect(await engine.poll()).toBe(3)
  })

  it('C16 a retry delay beyond all dates leaves no entry without a due time and nobody waits for it', async () => {
    const engine = new Engine(database())
    const retryPolicy = { maxAttempts: 5, firstDelay: '00:00:10', backoffFactor: 1_000_000 }
    const failing = (name: string, policy: object) =>
      document(
        name,
        {
          s: 'Start',
          x: [
            'SetVariable',
            { Expressions: { n: 'missing' } },
            { retryPolicy: { ...policy }, timeout: '10000000.00:00:00' },
          ],
          end: 'End',
        },
        ['s>x', 'x>end'],
        { timeout: '10675199.02:48:05' },
      )
    await engine.publish(failing('grows', retryPolicy))
    await engine.publish(failing('huge', { maxAttempts: 2, firstDelay: '10675199.02:48:05' }))
    await engine.publish(waiting('healthy', { Duration: 120 * 86_400 }))
    for (const name of ['grows', 'huge', 'healthy']) unwrap(await engine.start(name))
    const attempts = async () => {
      const runs = await database().prisma.nodeInstance.findMany({ where: { nodeId: 'x' }, orderBy: { seq: 'asc' } })
      return runs.map(({ attempt }) => attempt)
    }
    engine.clock.time += 10_000
    await engine.poll()
    expect(await attempts()).toEqual([2, 1])
    engine.clock.time += 116 * day
    await engine.poll()
    expect(await attempts()).toEqual([3, 1])
    engine.clock.time += 10 * day
    await engine.poll()
    expect((await engine.tasks()).map(({ definitionName }) => definitionName)).toEqual(['healthy'])
    const retries = await database().prisma.bookmark.findMany({ where: { kind: 'RETRY' } })
    expect(retries.map(({ dueAt }) => dueAt?.toISOString())).toEqual(Array(2).fill('9999-12-31T23:59:59.999Z'))
    expect(await engine.poll()).toBe(0)
  })

  it('a start that is put off waits as a running instance and can be canceled before it begins', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document('later', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, ['s>t', 't>end']),
    )
    const startAt = engine.clock.time + day
    const policy = { reusePolicy: 'REJECT_ACTIVE' } as const
    const facts = { startAt, correlationId: 'K' }
    const first = unwrap(await engine.start('later', {}, facts, policy))
    expect(await engine.start('later', {}, facts, policy)).toMatchObject({ code: 'WORKFLOW_CONFLICT_005' })
    const second = unwrap(await engine.start('later', {}, { startAt }))
    expect(first.instance.status).toBe('RUNNING')
    await control(engine, 'cancel', second.instance.id)
    engine.clock.time += day - 1
    expect(await engine.poll()).toBe(0)
    engine.clock.time += 1
    expect(await engine.poll()).toBe(1)
    expect((await engine.tasks()).map(({ instanceId }) => instanceId)).toEqual([first.instance.id])
  })
})

onPostgres('timers by the clock of the database', (database) => {
  it('C12 fire once though several nodes look at the same time, and restart in between', async () => {
    const nodes = [new Engine(database()), new Engine(database()), new Engine(database())]
    for (const node of nodes) node.runtime.clock = null
    const [first] = nodes
    if (!first) throw new Error('no node')
    await first.publish(waiting('soon', { Duration: 0 }))
    for (let count = 0; count < 40; count += 1) unwrap(await first.start('soon'))
    const workers = nodes.map(({ runtime }) => createDueWorker(runtime, { pollInterval: 50, batchSize: 10 }))
    await Promise.all(workers.map((worker) => worker.runCycle()))
    await Promise.all(workers.map((worker) => worker.runCycle()))
    expect(await first.tasks()).toHaveLength(40)
    const runs = await database().prisma.nodeInstance.count({ where: { nodeId: 'c' } })
    expect(runs).toBe(40)
  })

  it('wakes for the earliest due time, long before its next poll', async () => {
    const engine = new Engine(database())
    engine.runtime.clock = null
    await engine.publish(waiting('soon', { Duration: 0.3 }))
    const worker = createDueWorker(engine.runtime, { pollInterval: 3_000_000_000, batchSize: 10 })
    unwrap(await engine.start('soon'))
    const { dueAt } = await database().prisma.bookmark.findFirstOrThrow()
    worker.start()
    try {
      await expect.poll(async () => (await engine.tasks()).length).toBe(1)
    } finally {
      await worker.stop()
    }
    const [task] = await engine.tasks()
    // Never early, and not a poll late.
    expect(task?.createdAt.getTime()).toBeGreaterThanOrEqual(dueAt?.getTime() ?? 0)
    expect(task?.createdAt.getTime()).toBeLessThan((dueAt?.getTime() ?? 0) + 60_000)
  })

  it('a node that is stopped takes nothing new', async () => {
    const engine = new Engine(database())
    await engine.publish(waiting('soon', { Duration: 0 }))
    unwrap(await engine.start('soon'))
    const worker = createDueWorker(engine.runtime, { pollInterval: 1000, batchSize: 10 })
    await worker.stop()
    expect(await worker.runCycle()).toBe(0)
    expect(await engine.tasks()).toEqual([])
  })

  it('C15 a gateway goes one way though its time and both signals come at the same moment', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document(
        'gate',
        {
          s: 'Start',
          g: ['EventGateway', { Signals: ['paid', 'cancelled'], TimeoutSeconds: 1800 }],
          p: ['UserTask', { Assignees: ['p'] }],
          c: ['UserTask', { Assignees: ['c'] }],
          x: ['UserTask', { Assignees: ['x'] }],
          end: 'End',
        },
        [
          's>g',
          "g>p ? outcome == 'paid'",
          "g>c ? outcome == 'cancelled'",
          "g>x ? outcome == 'timeout'",
          'p>end',
          'c>end',
          'x>end',
        ],
      ),
    )
    for (let round = 0; round < 100; round += 1) {
      const { instance } = unwrap(await engine.start('gate', {}, { correlationId: `K${round}` }))
      engine.clock.time += 1_800_000
      const send = (name: string) => engine.signal(name, `K${round}`).then(unwrap)
      const [one, two, three] = await Promise.all([
        send('paid'),
        send('cancelled'),
        send('paid'),
        engine.poll(),
        engine.poll(),
      ])
      const consumed = one.resumed + two.resumed + three.resumed
      const left = await database().prisma.bookmark.findMany({ where: { instanceId: instance.id } })
      expect(left.map(({ kind }) => kind)).toEqual(['USER_TASK'])
      expect(consumed).toBe(left[0]?.key === 'x' ? 0 : 1)
    }
  })

  it('C18 one instance for one business key from two nodes; another case, tenant or end is another key', async () => {
    const nodes = [new Engine(database()), new Engine(database())]
    const [engine] = nodes
    if (!engine) throw new Error('no node')
    const source = document('po', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, ['s>t', 't>end'])
    const foreigner = { ...person('u0', 'design', 'operate'), tenantId: 't2' }
    await engine.publish(source)
    await engine.publish(source, foreigner)
    const start = (node: Engine, correlationId: string, reusePolicy: 'REJECT_ACTIVE' | 'RETURN_ACTIVE') =>
      node.start('po', {}, { correlationId }, { reusePolicy })
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => start(nodes[index % 2] ?? engine, 'PO-1', 'REJECT_ACTIVE')),
    )
    expect(all.filter((outcome) => !isRefusal(outcome))).toHaveLength(1)
    for (const outcome of all.filter(isRefusal)) expect(outcome.code).toBe('WORKFLOW_CONFLICT_005')
    const same = await Promise.all(
      Array.from({ length: 50 }, (_, index) => start(nodes[index % 2] ?? engine, 'PO-2', 'RETURN_ACTIVE')),
    )
    const ids = new Set(same.map((outcome) => unwrap(outcome).instance.id))
    expect(ids.size).toBe(1)
    unwrap(await start(engine, 'po-1', 'REJECT_ACTIVE'))
    unwrap(await engine.start('po', {}, { correlationId: 'PO-1' }, { reusePolicy: 'REJECT_ACTIVE' }, foreigner))
    const [open] = await engine.tasks([...ids][0])
    unwrap(await engine.complete(open?.id ?? '', 'u1'))
    const again = unwrap(await start(engine, 'PO-2', 'RETURN_ACTIVE'))
    expect(ids.has(again.instance.id)).toBe(false)
  })

  it('C18 a child carries the key of its parent, and keeps nobody from starting with it', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document('po', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, ['s>t', 't>end']),
    )
    await engine.publish(
      document('order', { s: 'Start', c: ['SubWorkflow', { DefinitionName: 'po' }], end: 'End' }, ['s>c', 'c>end']),
    )
    const { instance } = unwrap(await engine.start('order', {}, { correlationId: 'PO-1' }))
    const children = await database().prisma.instance.findMany({ where: { parentId: instance.id } })
    expect(children).toMatchObject([{ correlationId: 'PO-1', definitionName: 'po' }])
    const start = (name: string, reusePolicy: 'REJECT_ACTIVE' | 'RETURN_ACTIVE') =>
      engine.start(name, {}, { correlationId: 'PO-1' }, { reusePolicy })
    expect(await start('order', 'REJECT_ACTIVE')).toMatchObject({ code: 'WORKFLOW_CONFLICT_005' })
    const own = unwrap(await start('po', 'REJECT_ACTIVE')).instance.id
    expect(own).not.toBe(children[0]?.id)
    expect(unwrap(await start('po', 'RETURN_ACTIVE')).instance.id).toBe(own)
  })
})
