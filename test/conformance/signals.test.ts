import { expect, it } from 'vitest'
import { handle } from '../../src/handle.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { person } from '../support/run.js'

const waits = document(
  'waits',
  { s: 'Start', d: ['Delay', { Duration: 60 }], w: ['WaitSignal', { SignalName: 'go' }], end: 'End' },
  ['s>d', 'd>w', 'w>end'],
)
const twice = document(
  'twice',
  { s: 'Start', a: ['WaitSignal', { SignalName: 'go' }], b: ['WaitSignal', { SignalName: 'go' }], end: 'End' },
  ['s>a', 'a>b', 'b>end'],
)
const begins = document(
  'begins',
  { s: ['Start', { SignalName: 'go' }], t: ['UserTask', { Assignees: ['u1'] }], end: 'End' },
  ['s>t', 't>end'],
)

onBothDatabases('signals', (database) => {
  const stored = (id: string) => database().prisma.instance.findFirstOrThrow({ where: { id } })
  const held = () => database().prisma.heldSignal.count()

  it('C17 that come before anybody waits are not kept and shorten nothing; the next one completes', async () => {
    const engine = new Engine(database())
    await engine.publish(waits)
    const { instance } = unwrap(await engine.start('waits', {}, { correlationId: 'K' }))
    expect(unwrap(await engine.signal('go', 'K'))).toEqual({ resumed: 0, started: 0 })
    expect(await held()).toBe(0)
    engine.clock.time += 61_000
    await engine.poll()
    await engine.poll()
    expect(await database().prisma.bookmark.findMany()).toMatchObject([
      { kind: 'SIGNAL', key: 'go', correlationId: 'K' },
    ])
    expect(unwrap(await engine.signal('go', 'other'))).toEqual({ resumed: 0, started: 0 })
    expect(unwrap(await engine.signal('go', null))).toEqual({ resumed: 0, started: 0 })
    expect(unwrap(await engine.signal('go', 'K', { payload: { a: 1 } }))).toEqual({ resumed: 1, started: 0 })
    expect(await stored(instance.id)).toMatchObject({ status: 'COMPLETED', variables: { signal: { a: 1 } } })
  })

  it('C17 wake waiters before they start what begins with them, and count both', async () => {
    const engine = new Engine(database())
    await engine.publish(twice)
    await engine.publish(begins)
    await engine.publish(begins)
    unwrap(await engine.start('twice', {}, { correlationId: 'K' }))
    expect(unwrap(await engine.signal('go', 'K', { payload: { a: 1 } }))).toEqual({ resumed: 1, started: 1 })
    const [task] = await engine.tasks()
    expect(task?.definitionName).toBe('begins')
    expect(await stored(task?.instanceId ?? '')).toMatchObject({
      definitionVersion: 2,
      correlationId: 'K',
      variables: { signal: { a: 1 } },
    })
  })

  it('C17 that are held are offered to the waiters that come in time, once to each instance', async () => {
    const engine = new Engine(database())
    await engine.publish(waits)
    await engine.publish(twice)
    const first = unwrap(await engine.start('waits', {}, { correlationId: 'K' }))
    const sent = unwrap(
      await engine.signal('go', 'K', { payload: { a: 1 }, holdSeconds: 3600 }, person('bank', 'work')),
    )
    expect(sent).toEqual({ resumed: 0, started: 0 })
    engine.clock.time += 61_000
    await engine.poll()
    expect(await stored(first.instance.id)).toMatchObject({ status: 'COMPLETED', variables: { signal: { a: 1 } } })
    const woken = await database().prisma.event.findFirst({ where: { type: 'workflow.instance.completed' } })
    expect(woken?.actorId).toBe('bank')

    const loop = unwrap(await engine.start('twice', {}, { correlationId: 'K' }))
    const other = unwrap(await engine.start('twice', {}, { correlationId: 'L' }))
    await engine.poll()
    await engine.poll()
    const waiting = await database().prisma.bookmark.findMany({ orderBy: { seq: 'asc' } })
    expect(waiting.map(({ instanceId, nodeId }) => [instanceId, nodeId])).toEqual([
      [other.instance.id, 'a'],
      [loop.instance.id, 'b'],
    ])
    engine.clock.time += 3_600_000
    unwrap(await engine.start('twice', {}, { correlationId: 'K' }))
    await engine.poll()
    expect(await held()).toBe(0)
    expect(await database().prisma.bookmark.count({ where: { nodeId: 'a' } })).toBe(2)
  })

  it('that met a waiter are not held, and what they have just started does not take them twice', async () => {
    const engine = new Engine(database())
    await engine.publish(twice)
    unwrap(await engine.start('twice', {}, { correlationId: 'K' }))
    expect(unwrap(await engine.signal('go', 'K', { holdSeconds: 60 }))).toEqual({ resumed: 1, started: 0 })
    expect(await held()).toBe(0)
    const both = document(
      'both',
      { s: ['Start', { SignalName: 'hop' }], w: ['WaitSignal', { SignalName: 'hop' }], end: 'End' },
      ['s>w', 'w>end'],
    )
    await engine.publish(both)
    expect(unwrap(await engine.signal('hop', 'M', { holdSeconds: 60 }))).toEqual({ resumed: 0, started: 1 })
    await engine.poll()
    expect(await held()).toBe(1)
    expect(await database().prisma.bookmark.count({ where: { key: 'hop' } })).toBe(1)
  })

  it('that are held wait for a suspended instance to be resumed, and stay in their partition', async () => {
    const engine = new Engine(database())
    await engine.publish(twice)
    const { instance } = unwrap(await engine.start('twice', {}, { correlationId: 'K' }))
    const operator = person('op', 'operate')
    unwrap(await handle(engine.runtime, operator, { type: 'suspend', instanceId: instance.id, reason: null }))
    unwrap(await engine.signal('go', 'K', { holdSeconds: 60 }))
    unwrap(await engine.signal('go', 'K', { holdSeconds: 60 }, { ...operator, tenantId: 't2' }))
    await engine.poll()
    expect((await stored(instance.id)).revision).toBe(2)
    unwrap(await handle(engine.runtime, operator, { type: 'resume', instanceId: instance.id }))
    await engine.poll()
    expect(await database().prisma.bookmark.findMany()).toMatchObject([{ nodeId: 'b' }])
  })

  it('with a key answer a repeated call as the first one, and refuse it with other input', async () => {
    const engine = new Engine(database())
    await engine.publish(twice)
    await engine.publish(begins)
    unwrap(await engine.start('twice', {}, { correlationId: 'K' }))
    const keyed = (input: unknown) => ({ key: 'k1', operation: 'signal', input })
    const send = (input: unknown) => engine.signal('go', 'K', { holdSeconds: 60 }, undefined, keyed(input))
    expect(unwrap(await send(1))).toEqual({ resumed: 1, started: 1 })
    expect(unwrap(await send(1))).toEqual({ resumed: 1, started: 1 })
    expect(await send(2)).toMatchObject({ code: 'WORKFLOW_CONFLICT_006' })
    expect(
      await engine.start(
        'begins',
        {},
        {},
        { idempotency: { ...keyed(1), operation: 'startInstance' } },
        person('op', 'operate'),
      ),
    ).toMatchObject({
      code: 'WORKFLOW_CONFLICT_006',
    })
    expect(await database().prisma.instance.count()).toBe(2)
    expect(await database().prisma.bookmark.findMany({ where: { kind: 'SIGNAL' } })).toMatchObject([{ nodeId: 'b' }])
  })

  it('with a key that were cut off are carried on, and start nothing twice', async () => {
    const engine = new Engine(database())
    await engine.publish(begins)
    const keyed = { key: 'k1', operation: 'signal', input: 1 }
    unwrap(await engine.signal('go', 'K', {}, undefined, keyed))
    await database().prisma.$executeRaw`UPDATE "IdempotencyKey" SET result = NULL WHERE key = 'k1'`
    expect(unwrap(await engine.signal('go', 'K', {}, undefined, keyed))).toEqual({ resumed: 0, started: 1 })
    expect(await database().prisma.instance.count()).toBe(1)
  })

  it('reach the other waiters though one of them throws', async () => {
    const engine = new Engine(database())
    await engine.publish(twice)
    const broken = unwrap(await engine.start('twice', {}, { correlationId: 'K' }))
    const healthy = unwrap(await engine.start('twice', {}, { correlationId: 'K' }))
    await database().prisma.nodeInstance.updateMany({
      where: { instanceId: broken.instance.id, nodeId: 'a' },
      data: { nodeId: 'nowhere' },
    })
    expect(unwrap(await engine.signal('go', 'K'))).toEqual({ resumed: 1, started: 0 })
    expect((await stored(healthy.instance.id)).revision).toBe(2)
    expect((await stored(broken.instance.id)).revision).toBe(1)
  })

  it('are refused without a name, with a blank correlation id, or to be held for less than nothing', async () => {
    const engine = new Engine(database())
    expect(await engine.signal(' ', null)).toMatchObject({ messageKey: 'workflow.signal.name_blank' })
    expect(await engine.signal('go', ' ')).toMatchObject({ messageKey: 'workflow.instance.correlation_blank' })
    expect(await engine.signal('go', null, { holdSeconds: -1 })).toMatchObject({
      code: 'WORKFLOW_VALIDATION_002',
      messageKey: 'workflow.signal.hold_invalid',
    })
  })
})

onPostgres('signals at the same moment', (database) => {
  it('C17 that are held and waiters that come meanwhile never miss each other, and nobody takes one twice', async () => {
    const engine = new Engine(database())
    await engine.publish(twice)
    const keys = Array.from({ length: 20 }, (_, index) => `K${index}`)
    await Promise.all(
      keys.flatMap((key): Promise<unknown>[] => [
        engine.signal('go', key, { holdSeconds: 60 }).then(unwrap),
        engine.start('twice', {}, { correlationId: key }).then(unwrap),
        engine.poll(),
      ]),
    )
    await Promise.all([engine.poll(), engine.poll(), engine.poll()])
    const waiting = await database().prisma.bookmark.findMany({ where: { kind: 'SIGNAL' } })
    expect(waiting.map(({ nodeId }) => nodeId)).toEqual(Array(20).fill('b'))
  })
})
