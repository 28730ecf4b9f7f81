import { expect, it } from 'vitest'
import type { InstanceStatus } from '../../src/engine/model.js'
import { handle } from '../../src/handle.js'
import { purgeInstances } from '../../src/purge.js'
import { createEventFeed } from '../../src/workers/eventFeed.js'
import { createHousekeeper } from '../../src/workers/housekeeping.js'
import { onBothDatabases } from '../support/databases.js'
import { designer, document, Engine, unwrap } from '../support/engine.js'
import { person } from '../support/run.js'

const task = (name: string) =>
  document(name, { s: 'Start', t: ['UserTask', { Assignees: ['u1'], CcUserIds: ['u2'] }], end: 'End' }, [
    's>t',
    't>end',
  ])
const parent = document(
  'parent',
  { s: 'Start', sub: ['SubWorkflow', { DefinitionName: 'child', WaitForCompletion: false }], end: 'End' },
  ['s>sub', 'sub>end'],
)

onBothDatabases('purge', (database) => {
  const count = () => database().prisma.instance.count()

  function purge(engine: Engine, more: { statuses?: InstanceStatus[]; definitionName?: string; limit?: number } = {}) {
    const request = { endedBefore: engine.clock.time, statuses: null, definitionName: null, limit: 1000, ...more }
    return purgeInstances(engine.runtime, 't1', request)
  }

  async function ended(engine: Engine, type: 'complete' | 'cancel' | 'terminate', name = 'a') {
    const { instance } = unwrap(await engine.start(name))
    const [open] = await engine.tasks(instance.id)
    if (type === 'complete') unwrap(await engine.complete(open?.id ?? '', 'u1'))
    else unwrap(await handle(engine.runtime, designer, { type, instanceId: instance.id, reason: null }))
    return instance.id
  }

  it('removes what ended before the moment, with all of its rows, and nothing else', async () => {
    const engine = new Engine(database())
    await engine.publish(task('a'))
    await engine.publish(task('b'))
    await ended(engine, 'complete')
    await ended(engine, 'cancel')
    await ended(engine, 'terminate', 'b')
    engine.clock.time += 1000
    const late = await ended(engine, 'complete')
    const open = unwrap(await engine.start('a')).instance.id
    expect(await purge(engine, { definitionName: 'b', statuses: ['CANCELED'] })).toBe(0)
    expect(await purge(engine, { definitionName: 'b' })).toBe(1)
    expect(await purge(engine, { statuses: ['CANCELED'] })).toBe(1)
    expect(await purge(engine)).toBe(1)
    const left = (await database().prisma.instance.findMany({ orderBy: { seq: 'asc' } })).map(({ id }) => id)
    expect(left).toEqual([late, open])
    const elsewhere = { instanceId: { notIn: left } }
    expect(await database().prisma.nodeInstance.count({ where: elsewhere })).toBe(0)
    expect(await database().prisma.taskRecord.count({ where: elsewhere })).toBe(0)
    expect(await database().prisma.copy.count({ where: elsewhere })).toBe(0)
    expect(await database().prisma.bookmark.count({ where: elsewhere })).toBe(0)
  })

  it('takes the oldest first, at most so many', async () => {
    const engine = new Engine(database())
    await engine.publish(task('a'))
    const ids: string[] = []
    for (let round = 0; round < 5; round += 1) {
      ids.push(await ended(engine, 'complete'))
      engine.clock.time += 1000
    }
    expect(await purge(engine, { limit: 2 })).toBe(2)
    const left = await database().prisma.instance.findMany({ orderBy: { seq: 'asc' } })
    expect(left.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(await purge(engine)).toBe(3)
  })

  it('refuses a limit out of range and a state that is no end', async () => {
    const engine = new Engine(database())
    for (const limit of [0, -1, 1001])
      expect(await purge(engine, { limit })).toMatchObject({
        code: 'WORKFLOW_VALIDATION_002',
        messageKey: 'workflow.instance.purge_limit_invalid',
      })
    expect(await purge(engine, { statuses: ['COMPLETED', 'FAULTED'] })).toMatchObject({
      code: 'WORKFLOW_VALIDATION_002',
      messageKey: 'workflow.instance.purge_status_invalid',
    })
  })

  it('lets children go with their parent, and no parent before its children have ended', async () => {
    const engine = new Engine(database())
    await engine.publish(task('child'))
    await engine.publish(parent)
    const { instance } = unwrap(await engine.start('parent'))
    expect(instance.status).toBe('COMPLETED')
    engine.clock.time += 1000
    expect(await purge(engine)).toBe(0)
    const [open] = await engine.tasks()
    unwrap(await engine.complete(open?.id ?? '', 'u1'))
    expect(await purge(engine, { definitionName: 'child' })).toBe(0)
    expect(await purge(engine, { definitionName: 'parent' })).toBe(2)
    expect(await count()).toBe(0)
    expect(await database().prisma.childNotice.count()).toBe(0)
  })

  it('housekeeping removes what is past its retention in every partition, and nothing without one', async () => {
    const engine = new Engine(database())
    const other = person('u1', 'design', 'operate')
    const second = { ...other, tenantId: 't2' }
    await engine.publish(task('a'))
    await engine.publish(document('b', { s: 'Start', end: 'End' }, ['s>end']), second)
    await ended(engine, 'complete')
    unwrap(await engine.start('b', {}, {}, {}, second))
    unwrap(await engine.start('a'))
    engine.clock.time += 10 * 86_400_000
    const keeper = (retentionDays: number, eventRetentionDays = 3650) =>
      createHousekeeper(engine.runtime, { retentionDays, eventRetentionDays, interval: 3_600_000 })
    const nothing = { instances: 0, events: 0, keys: 0, deliveries: 0 }
    expect(await keeper(0).runCycle()).toEqual(nothing)
    expect(await keeper(11).runCycle()).toEqual(nothing)
    expect(await keeper(9).runCycle()).toEqual({ ...nothing, instances: 2 })
    expect(await count()).toBe(1)
  })

  it('housekeeping clears old events and keys, and cursors from before are told to load again', async () => {
    const engine = new Engine(database())
    await engine.publish(task('a'))
    const feed = createEventFeed({ database: database(), pollInterval: 50, bufferSize: 10, log: engine.runtime.log })
    await feed.start()
    try {
      const old = await feed.position()
      unwrap(await engine.start('a', {}, {}, { idempotency: { key: 'k', operation: 'startInstance', input: 1 } }))
      engine.clock.time += 8 * 86_400_000
      unwrap(await engine.start('a'))
      const kept = await database().prisma.event.count({ where: { at: { gte: new Date(engine.clock.time - 1) } } })
      const all = await database().prisma.event.count()
      const keeper = createHousekeeper(engine.runtime, { retentionDays: 0, eventRetentionDays: 7, interval: 3_600_000 })
      expect(await keeper.runCycle()).toEqual({ instances: 0, events: all - kept, keys: 1, deliveries: 0 })
      expect(await database().prisma.event.count()).toBe(kept)
      const wish = { tenantId: 't1', keys: ['tenant'], signal: new AbortController().signal }
      await expect(feed.subscribe({ ...wish, after: old })).rejects.toMatchObject({
        code: 'WORKFLOW_VALIDATION_002',
        messageKey: 'workflow.events.cursor_expired',
      })
      await (await feed.subscribe({ ...wish, after: await feed.position() })).return(undefined)
    } finally {
      await feed.stop()
    }
  })
})
