import { expect, it } from 'vitest'
import { archiveDefinition, createDefinition, disableDefinition, publishDefinition } from '../../src/catalog.js'
import type { JsonObject } from '../../src/engine/model.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { designer, document, Engine, unwrap } from '../support/engine.js'

const hour = 3_600_000
const nightly = (Cron: string | null, more: JsonObject = {}, TimeZone: string | null = 'UTC') =>
  document('nightly', { s: ['Start', { Cron, TimeZone }], l: 'Decision', end: 'End' }, ['s>l', 'l>end'], more)

onBothDatabases('schedules of definitions', (database) => {
  const timers = async () => {
    const rows = await database().prisma.bookmark.findMany({ where: { kind: 'DEFINITION_TIMER' } })
    return rows.map(({ key, dueAt }) => [key, dueAt?.toISOString()])
  }
  const started = () => database().prisma.instance.count()

  it('C13 start one instance every real hour and move on, and nobody is the starter', async () => {
    const engine = new Engine(database())
    engine.clock.time = Date.parse('2025-10-05T02:00:00Z')
    const { id } = await engine.publish(nightly('0 0 * * * *'))
    expect(await timers()).toEqual([[id, '2025-10-05T03:00:00.000Z']])
    for (let step = 1; step <= 24; step += 1) {
      engine.clock.time += hour
      expect(await engine.poll()).toBe(1)
      expect(await started()).toBe(step)
    }
    expect(await database().prisma.instance.findFirst()).toMatchObject({
      status: 'COMPLETED',
      starterId: null,
      correlationId: null,
      tenantId: 't1',
      createdAt: new Date('2025-10-05T03:00:00Z'),
    })
  })

  it('C12 start one overdue instance after a downtime, then the next future one', async () => {
    const engine = new Engine(database())
    const { id } = await engine.publish(nightly('0 2 * * *', {}, 'Asia/Shanghai'))
    expect(await timers()).toEqual([[id, '2026-01-05T18:00:00.000Z']])
    engine.clock.time = Date.parse('2026-01-20T12:00:00Z')
    expect(await engine.poll()).toBe(1)
    expect(await engine.poll()).toBe(0)
    expect(await started()).toBe(1)
    expect(await timers()).toEqual([[id, '2026-01-20T18:00:00.000Z']])
  })

  it('C13 belong to the newest published version only, and go with it', async () => {
    const engine = new Engine(database())
    const v1 = await engine.publish(nightly('0 * * * *'))
    const v2 = await engine.publish(nightly('30 * * * *'))
    expect(await timers()).toEqual([[v2.id, '2026-01-05T09:30:00.000Z']])
    engine.clock.time += 2 * hour
    unwrap(await disableDefinition(engine.runtime, designer, v1.id))
    expect(await timers()).toEqual([[v2.id, '2026-01-05T09:30:00.000Z']])
    await engine.poll()
    await engine.poll()
    expect(await started()).toBe(1)
    expect(await database().prisma.instance.findFirst()).toMatchObject({ definitionId: v2.id })
    unwrap(await disableDefinition(engine.runtime, designer, v2.id))
    expect(await timers()).toEqual([])
    engine.clock.time += 24 * hour
    expect(await new Engine(database()).poll()).toBe(0)
    expect(await started()).toBe(1)
  })

  it('C13 are gone with a version that is disabled while its timer is due, also after a restart', async () => {
    const engine = new Engine(database())
    const v1 = await engine.publish(nightly('0 * * * *'))
    engine.clock.time += hour
    unwrap(await disableDefinition(engine.runtime, designer, v1.id))
    expect(await engine.poll()).toBe(0)
    const restarted = new Engine(database())
    restarted.clock.time = engine.clock.time + hour
    expect(await restarted.poll()).toBe(0)
    expect(await started()).toBe(0)
  })

  it('fall back to the version before where the newest is archived, and end where it has none', async () => {
    const engine = new Engine(database())
    const v1 = await engine.publish(nightly('0 * * * *'))
    const v2 = await engine.publish(nightly(null))
    expect(await timers()).toEqual([])
    unwrap(await archiveDefinition(engine.runtime, designer, v2.id))
    expect(await timers()).toEqual([[v1.id, '2026-01-05T10:00:00.000Z']])
  })

  it('move on though their instance cannot start, and say so', async () => {
    const engine = new Engine(database())
    const told: object[] = []
    engine.runtime.log = { ...engine.runtime.log, warn: (facts) => void told.push(facts) }
    const { id } = await engine.publish(nightly('0 * * * *', { variables: [{ name: 'amount', required: true }] }))
    engine.clock.time += hour
    await engine.poll()
    expect(await timers()).toEqual([[id, '2026-01-05T11:00:00.000Z']])
    expect(told).toMatchObject([{ definition: id, key: 'workflow.instance.variable_missing' }])
  })

  it('are refused at publish with the place of what is wrong', async () => {
    const engine = new Engine(database())
    const refused = async (source: JsonObject) => {
      const draft = unwrap(await createDefinition(engine.runtime, designer, source))
      return publishDefinition(engine.runtime, designer, draft.id)
    }
    const cron = { path: '$.nodes[0].properties.Cron', messageKey: 'workflow.activity.property_cron' }
    expect(await refused(nightly('every night'))).toMatchObject({
      code: 'WORKFLOW_VALIDATION_001',
      violations: [cron],
    })
    expect(await refused(nightly('0 0 30 2 *'))).toMatchObject({
      violations: [{ ...cron, messageKey: 'workflow.activity.property_cron_never' }],
    })
    expect(await timers()).toEqual([])
  })
})

onPostgres('schedules on several nodes', (database) => {
  it('C13 start once, and changes of state at the same moment leave one timer', async () => {
    const engine = new Engine(database())
    const v1 = await engine.publish(nightly('0 * * * *'))
    const draft = unwrap(await createDefinition(engine.runtime, designer, nightly('0 * * * *')))
    engine.clock.time += hour
    await Promise.all(Array.from({ length: 6 }, () => engine.poll()))
    expect(await database().prisma.instance.count()).toBe(1)
    engine.clock.time += hour
    await Promise.all([
      engine.poll(),
      publishDefinition(engine.runtime, designer, draft.id),
      engine.poll(),
      disableDefinition(engine.runtime, designer, v1.id),
      engine.poll(),
    ])
    const left = await database().prisma.bookmark.findMany({ where: { kind: 'DEFINITION_TIMER' } })
    expect(left.map(({ key }) => key)).toEqual([draft.id])
    expect(await database().prisma.instance.count()).toBeLessThanOrEqual(2)
  })
})
