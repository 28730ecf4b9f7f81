import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/model.js'
import {
  completeExternalTask,
  extendExternalTaskLock,
  type FetchRequest,
  failExternalTask,
  fetchExternalTasks,
} from '../../src/externalTasks.js'
import { handle } from '../../src/handle.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { person } from '../support/run.js'

const shipping = (options: JsonObject = {}) =>
  document(
    'orders',
    {
      s: 'Start',
      x: ['ExternalTask', { Topic: 'ship', Payload: { order: '{{ no }}' } }, options],
      t: ['UserTask', { Assignees: ['u1'] }],
      end: 'End',
    },
    ['s>x', 'x>t', 't>end'],
  )

const worker = person('w', 'work')
const operator = person('op', 'operate')
const stranger = { ...person('w', 'work'), tenantId: 't2' }
const platform = { ...person('w', 'work', 'admin'), tenantId: '' }

const fetchAs = (engine: Engine, more: Partial<FetchRequest> = {}, actor = worker, isAwaited = () => true) =>
  fetchExternalTasks(
    engine.runtime,
    actor,
    { topic: 'ship', workerId: 'a', lockSeconds: 60, maxTasks: 10, waitSeconds: 0, ...more },
    isAwaited,
  )

const completeAs = (engine: Engine, id: string, workerId = 'a', variables: JsonObject = {}, actor = worker) =>
  completeExternalTask(engine.runtime, actor, { id, workerId, variables })

const failAs = (engine: Engine, id: string, retryAfterSeconds: number | null, error = 'no stock', actor = worker) =>
  failExternalTask(engine.runtime, actor, { id, workerId: 'a', error, retryAfterSeconds })

const extendAs = (engine: Engine, id: string, lockSeconds = 60, workerId = 'a', actor = worker) =>
  extendExternalTaskLock(engine.runtime, actor, { id, workerId, lockSeconds })

async function prepare(engine: Engine, count: number, options: JsonObject = {}): Promise<string[]> {
  await engine.publish(shipping(options))
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    ids.push(unwrap(await engine.start('orders', { no: `A-${index}` })).instance.id)
    engine.clock.time += 1
  }
  return ids
}

onBothDatabases('external tasks', (database) => {
  it('C11 of a held instance are neither handed out nor answered, and go on with it; of a canceled one are gone', async () => {
    const engine = new Engine(database())
    const [held = '', canceled = ''] = await prepare(engine, 2)
    const control = async (type: 'suspend' | 'cancel', instanceId: string) =>
      unwrap(await handle(engine.runtime, operator, { type, instanceId, reason: 'audit' }))
    const taken = unwrap(await fetchAs(engine))
    const [first = '', second = ''] = taken.map(({ id }) => id)
    unwrap(await failAs(engine, second, 10))
    await control('suspend', held)
    await control('cancel', canceled)
    for (const refused of [
      await completeAs(engine, first),
      await failAs(engine, first, 5),
      await extendAs(engine, first),
    ])
      expect(refused).toMatchObject({ code: 'WORKFLOW_CONFLICT_003' })
    engine.clock.time += 3_600_000
    await engine.poll()
    expect(unwrap(await fetchAs(engine, { workerId: 'b' }))).toEqual([])
    expect(await completeAs(engine, second)).toMatchObject({ code: 'WORKFLOW_NOTFOUND_003' })
    unwrap(await handle(engine.runtime, operator, { type: 'resume', instanceId: held }))
    const again = unwrap(await fetchAs(engine, { workerId: 'b' }))
    expect(again.map(({ id }) => id)).toEqual([first])
    expect(await completeAs(engine, first)).toMatchObject({ code: 'WORKFLOW_DENIED_002' })
    unwrap(await completeAs(engine, first, 'b'))
    expect((await engine.tasks()).map(({ instanceId }) => instanceId)).toEqual([held])
  })

  it('are fetched by topic, the oldest first, as many as asked for, and locked for the worker', async () => {
    const engine = new Engine(database())
    const instances = await prepare(engine, 3)
    expect(unwrap(await fetchAs(engine, { topic: 'other' }))).toEqual([])
    const first = unwrap(await fetchAs(engine, { maxTasks: 2 }))
    expect(first).toMatchObject([
      { topic: 'ship', payload: { payload: { order: 'A-0' }, attempt: 1 }, instanceId: instances[0] },
      { topic: 'ship', payload: { payload: { order: 'A-1' }, attempt: 1 }, instanceId: instances[1] },
    ])
    expect(first[0]?.lockedUntil.getTime()).toBe(engine.clock.time + 60_000)
    expect(unwrap(await fetchAs(engine, { workerId: 'b' }))).toMatchObject([{ instanceId: instances[2] }])
    expect(unwrap(await fetchAs(engine))).toEqual([])
  })

  it('are completed by the worker that holds the lock, whose variables go on', async () => {
    const engine = new Engine(database())
    await prepare(engine, 1)
    const [task] = unwrap(await fetchAs(engine))
    const id = task?.id ?? ''
    const denied = { code: 'WORKFLOW_DENIED_002', messageKey: 'workflow.external.not_locked' }
    expect(await completeAs(engine, id, 'b')).toMatchObject(denied)
    const { instance } = unwrap(await completeAs(engine, id.toUpperCase(), 'a', { shipped: true, n: 0.1 }))
    expect(instance.variables).toMatchObject({ no: 'A-0', shipped: true, n: 0.1 })
    expect(await engine.tasks()).toHaveLength(1)
    expect(await completeAs(engine, id)).toMatchObject({ code: 'WORKFLOW_NOTFOUND_003' })
    const events = await database().prisma.event.findMany({ orderBy: { seq: 'asc' } })
    const told = events.filter(({ type }) => type.startsWith('workflow.external.'))
    expect(told.map(({ type, taskId, actorId }) => [type, taskId, actorId])).toEqual([
      ['workflow.external.created', id, 'u0'],
      ['workflow.external.completed', id, 'w'],
    ])
  })

  it('can be fetched again once the lock has expired; the late worker is refused', async () => {
    const engine = new Engine(database())
    await prepare(engine, 1)
    const [task] = unwrap(await fetchAs(engine))
    const id = task?.id ?? ''
    engine.clock.time += 59_999
    expect(unwrap(await fetchAs(engine, { workerId: 'b' }))).toEqual([])
    engine.clock.time += 1
    const denied = { code: 'WORKFLOW_DENIED_002' }
    expect(await completeAs(engine, id)).toMatchObject(denied)
    expect(await failAs(engine, id, null)).toMatchObject(denied)
    expect(await extendAs(engine, id)).toMatchObject(denied)
    expect(unwrap(await fetchAs(engine, { workerId: 'b' }))).toMatchObject([{ id }])
    expect(await completeAs(engine, id)).toMatchObject(denied)
    unwrap(await completeAs(engine, id, 'b'))
  })

  it('keep a lock that is extended', async () => {
    const engine = new Engine(database())
    await prepare(engine, 1)
    const [task] = unwrap(await fetchAs(engine))
    const id = task?.id ?? ''
    engine.clock.time += 50_000
    const extended = unwrap(await extendAs(engine, id))
    expect(extended).toMatchObject({ id, topic: 'ship', payload: { attempt: 1 } })
    expect(extended.lockedUntil.getTime()).toBe(engine.clock.time + 60_000)
    engine.clock.time += 59_000
    expect(unwrap(await fetchAs(engine, { workerId: 'b' }))).toEqual([])
    expect(await extendAs(engine, id, 60, 'b')).toMatchObject({ code: 'WORKFLOW_DENIED_002' })
    unwrap(await completeAs(engine, id))
    expect(await extendAs(engine, id)).toMatchObject({ code: 'WORKFLOW_NOTFOUND_003' })
  })

  it('that failed with a delay are fetched again after it, as another attempt', async () => {
    const engine = new Engine(database())
    await prepare(engine, 1)
    const [task] = unwrap(await fetchAs(engine))
    const id = task?.id ?? ''
    const { instance } = unwrap(await failAs(engine, id, 30))
    expect(instance.status).toBe('RUNNING')
    expect(await completeAs(engine, id)).toMatchObject({ code: 'WORKFLOW_DENIED_002' })
    engine.clock.time += 29_999
    expect(unwrap(await fetchAs(engine))).toEqual([])
    expect(await engine.poll()).toBe(0)
    engine.clock.time += 1
    expect(unwrap(await fetchAs(engine))).toMatchObject([{ id, payload: { attempt: 2 } }])
    unwrap(await failAs(engine, id, 0))
    expect(unwrap(await fetchAs(engine))).toMatchObject([{ id, payload: { attempt: 3 } }])
  })

  it('that failed without a delay fail their node, by its retry policy', async () => {
    const engine = new Engine(database())
    await prepare(engine, 1, { retryPolicy: { maxAttempts: 2, firstDelay: '00:00:10' } })
    const [first] = unwrap(await fetchAs(engine))
    unwrap(await failAs(engine, first?.id ?? '', null))
    expect(unwrap(await fetchAs(engine))).toEqual([])
    engine.clock.time += 10_000
    await engine.poll()
    const [second] = unwrap(await fetchAs(engine))
    expect(second?.id).not.toBe(first?.id)
    const { instance } = unwrap(await failAs(engine, second?.id ?? '', null))
    expect(instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 'x',
      fault: { messageKey: 'workflow.external.task_failed', arguments: { error: 'no stock' } },
    })
  })

  it('C25 a failure is recorded whatever its text holds', async () => {
    const engine = new Engine(database())
    await prepare(engine, 1)
    const [task] = unwrap(await fetchAs(engine))
    const { instance } = unwrap(await failAs(engine, task?.id ?? '', null, 'x\0y \ud83d z 😀'))
    const stored = await database().prisma.instance.findFirstOrThrow({ where: { id: instance.id } })
    expect(stored.fault).toMatchObject({ arguments: { error: 'x\uFFFDy \uFFFD z 😀' } })
    await prepare(engine, 1)
    const [another] = unwrap(await fetchAs(engine))
    const long = unwrap(await failAs(engine, another?.id ?? '', null, '😀'.repeat(5000)))
    const { error } = (long.instance.fault as unknown as { arguments: { error: string } }).arguments
    expect(error.length).toBeLessThanOrEqual(4001)
    expect(error).toMatch(/^😀+…$/u)
  })

  it('are not given out while their instance is not running', async () => {
    const engine = new Engine(database())
    const [held = '', free = ''] = await prepare(engine, 2)
    const operator = person('op', 'operate')
    const [task] = unwrap(await fetchAs(engine, { maxTasks: 1 }))
    const id = task?.id ?? ''
    unwrap(await handle(engine.runtime, operator, { type: 'suspend', instanceId: held, reason: null }))
    const conflict = { code: 'WORKFLOW_CONFLICT_003' }
    expect(await completeAs(engine, id)).toMatchObject(conflict)
    expect(await extendAs(engine, id)).toMatchObject(conflict)
    engine.clock.time += 60_000
    expect(unwrap(await fetchAs(engine))).toMatchObject([{ instanceId: free }])
    unwrap(await handle(engine.runtime, operator, { type: 'resume', instanceId: held }))
    expect(unwrap(await fetchAs(engine))).toMatchObject([{ id }])
    unwrap(await handle(engine.runtime, operator, { type: 'cancel', instanceId: held, reason: null }))
    expect(await completeAs(engine, id)).toMatchObject({ code: 'WORKFLOW_NOTFOUND_003' })
  })

  it('C29 of another partition do not exist', async () => {
    const engine = new Engine(database())
    await prepare(engine, 1)
    for (const foreign of [stranger, platform]) expect(unwrap(await fetchAs(engine, {}, foreign))).toEqual([])
    const [task] = unwrap(await fetchAs(engine))
    const id = task?.id ?? ''
    const never = '00000000-0000-7000-8000-00000000dead'
    for (const foreign of [stranger, platform])
      for (const [real, none] of [
        [await completeAs(engine, id, 'a', {}, foreign), await completeAs(engine, never, 'a', {}, foreign)],
        [await failAs(engine, id, 1, 'e', foreign), await failAs(engine, never, 1, 'e', foreign)],
        [await extendAs(engine, id, 60, 'a', foreign), await extendAs(engine, never, 60, 'a', foreign)],
      ]) {
        expect(real).toMatchObject({ code: 'WORKFLOW_NOTFOUND_003' })
        expect({ ...real, arguments: {} }).toEqual({ ...none, arguments: {} })
      }
    unwrap(await completeAs(engine, id))
  })

  it('are asked for within limits', async () => {
    const engine = new Engine(database())
    const wrong: Partial<FetchRequest>[] = [
      { maxTasks: 0 },
      { maxTasks: 101 },
      { maxTasks: -1 },
      { lockSeconds: 0 },
      { lockSeconds: 2_592_001 },
      { waitSeconds: -1 },
      { waitSeconds: 61 },
      { topic: ' ' },
      { topic: 'x'.repeat(201) },
      { workerId: '' },
    ]
    for (const more of wrong) expect(await fetchAs(engine, more)).toMatchObject({ code: 'WORKFLOW_VALIDATION_002' })
    expect(unwrap(await fetchAs(engine, { maxTasks: 100 }))).toEqual([])
    const id = '00000000-0000-7000-8000-00000000dead'
    expect(await failAs(engine, id, -1)).toMatchObject({ code: 'WORKFLOW_VALIDATION_002' })
    expect(await failAs(engine, id, 31_536_001)).toMatchObject({ code: 'WORKFLOW_VALIDATION_002' })
    expect(await extendAs(engine, id, 0)).toMatchObject({ code: 'WORKFLOW_VALIDATION_002' })
    for (const nothing of [completeAs(engine, 'x'), failAs(engine, 'x', null), extendAs(engine, 'x')])
      expect(await nothing).toMatchObject({ code: 'WORKFLOW_NOTFOUND_003' })
  })

  it('are waited for, and the waiting ends with the caller', async () => {
    const engine = new Engine(database())
    await engine.publish(shipping())
    const asked = new Promise<void>((resolve) => {
      const stop = database().onQuery((sql) => {
        if (!sql.includes("'EXTERNAL'")) return
        stop()
        resolve()
      })
    })
    const waiting = fetchAs(engine, { waitSeconds: 60 })
    await asked
    unwrap(await engine.start('orders', { no: 'late' }))
    expect(unwrap(await waiting)).toMatchObject([{ payload: { payload: { order: 'late' } } }])
    let there = true
    const forNobody = fetchAs(engine, { waitSeconds: 60 }, worker, () => there)
    there = false
    expect(await forNobody).toEqual([])
    unwrap(await engine.start('orders', { no: 'later' }))
    expect(await fetchAs(engine, {}, worker, () => there)).toEqual([])
    expect(unwrap(await fetchAs(engine))).toHaveLength(1)
  })
})

onPostgres('twenty workers', (database) => {
  it('never get the same task', async () => {
    const engine = new Engine(database())
    await engine.publish(shipping())
    await Promise.all(Array.from({ length: 100 }, (_, no) => engine.start('orders', { no: String(no) }).then(unwrap)))
    const seen: string[] = []
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        for (;;) {
          const tasks = unwrap(await fetchAs(engine, { workerId: `w${index}`, maxTasks: 3 }))
          if (tasks.length === 0) return
          for (const { id } of tasks) {
            seen.push(id)
            unwrap(await completeAs(engine, id, `w${index}`))
          }
        }
      }),
    )
    // A worker may come back with nothing while others hold what is left; the rest is there for the next one.
    for (const { id } of unwrap(await fetchAs(engine, { maxTasks: 100 }))) seen.push(id)
    expect(seen).toHaveLength(100)
    expect(new Set(seen).size).toBe(100)
  })

  it('that complete one task at once complete it once', async () => {
    const engine = new Engine(database())
    await prepare(engine, 1)
    const [task] = unwrap(await fetchAs(engine))
    const all = await Promise.all(Array.from({ length: 20 }, () => completeAs(engine, task?.id ?? '')))
    expect(all.filter((outcome) => !('refused' in outcome))).toHaveLength(1)
    expect(await engine.tasks()).toHaveLength(1)
  })

  it('go by the clock of the database where no other is given', async () => {
    const engine = new Engine(database())
    engine.runtime.clock = null
    await prepare(engine, 1)
    const [task] = unwrap(await fetchAs(engine, { lockSeconds: 5 }))
    const id = task?.id ?? ''
    expect(unwrap(await fetchAs(engine))).toEqual([])
    await database().prisma.bookmark.updateMany({ data: { lockedUntil: new Date(Date.now() - 1) } })
    expect(await completeAs(engine, id)).toMatchObject({ code: 'WORKFLOW_DENIED_002' })
    expect(unwrap(await fetchAs(engine, { workerId: 'b' }))).toMatchObject([{ id }])
  })

  it('a worker that waited for the instance decides by what was committed meanwhile', async () => {
    const engine = new Engine(database())
    const [instanceId = ''] = await prepare(engine, 1)
    const [task] = unwrap(await fetchAs(engine))
    const id = task?.id ?? ''
    let waiting: Promise<unknown> = Promise.resolve()
    await database().prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS locked FROM "Instance" WHERE id = ${instanceId}::uuid FOR UPDATE`
      const asked = new Promise<void>((resolve) => {
        const stop = database().onQuery((sql) => {
          if (!sql.includes('FOR UPDATE OF i')) return
          stop()
          resolve()
        })
      })
      waiting = completeAs(engine, id)
      await asked
      await tx.$executeRaw`UPDATE "Bookmark" SET "lockedBy" = 'b' WHERE id = ${id}::uuid`
    })
    expect(await waiting).toMatchObject({ code: 'WORKFLOW_DENIED_002' })
  })
})
