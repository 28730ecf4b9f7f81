import { expect, it } from 'vitest'
import { complete } from '../../src/engine/activities/activity.js'
import type { InstanceCommand } from '../../src/engine/command.js'
import { fault, type JsonObject } from '../../src/engine/model.js'
import { type ApplicationActivity, FaultError } from '../../src/extensions.js'
import { handle } from '../../src/handle.js'
import type { Database } from '../../src/persistence/database.js'
import { onBothDatabases } from '../support/databases.js'
import { designer, document, Engine, unwrap } from '../support/engine.js'

/** An engine with a `Probe` that tells what was done and undone, and a `Wait` that tells how it was resumed. */
function probed(database: Database, fails: () => string | null = () => null) {
  const done: string[] = []
  const undone: string[] = []
  const probe: ApplicationActivity = {
    type: 'Probe',
    async execute({ node, attempt, variables }) {
      done.push(node.id)
      return complete({ round: Number(variables.round ?? 0), [`ran_${node.id}`]: attempt })
    },
    async compensate({ node, output, variables }) {
      if (fails() === node.id) throw new FaultError(fault('ACME_001', 'acme.not_undone', { node: node.id }))
      if (fails() === `${node.id}!`) throw new RangeError('secret')
      undone.push(variables.rounds === undefined ? node.id : `${node.id}${output?.round}`)
      return undefined
    },
  }
  const broken: ApplicationActivity = {
    type: 'Broken',
    execute: async () => ({ kind: 'fail', fault: fault('ACME_002', 'acme.broken') }),
  }
  return { engine: new Engine(database, { activities: [probe, broken] }), done, undone }
}

const line = (last: string | [string, JsonObject], more: JsonObject) =>
  document(
    'case.c08',
    { s: 'Start', a: 'Probe', b: 'Probe', c: 'Probe', t: last, end: 'End' },
    ['s>a', 'a>b', 'b>c', 'c>t', 't>end'],
    more,
  )
const ask: [string, JsonObject] = ['UserTask', { Assignees: ['u1'] }]

function control(engine: Engine, command: InstanceCommand) {
  return handle(engine.runtime, designer, command)
}

async function statuses(engine: Engine): Promise<{ [nodeId: string]: string[] }> {
  const found: { [nodeId: string]: string[] } = {}
  for (const { nodeId, status } of await engine.database.prisma.nodeInstance.findMany({ orderBy: { seq: 'asc' } }))
    found[nodeId] = [...(found[nodeId] ?? []), status]
  return found
}

onBothDatabases('compensation', (database) => {
  it('C08 cancel undoes what has completed, the last first', async () => {
    const { engine, undone } = probed(database())
    await engine.publish(line(ask, { enableCompensation: true }))
    const { instance } = unwrap(await engine.start('case.c08'))
    const canceled = unwrap(await control(engine, { type: 'cancel', instanceId: instance.id, reason: null }))
    expect(canceled.instance.status).toBe('CANCELED')
    expect(undone).toEqual(['c', 'b', 'a'])
    expect(await statuses(engine)).toMatchObject({ a: ['COMPENSATED'], c: ['COMPENSATED'], t: ['CANCELED'] })
    const events = await database().prisma.event.findMany({
      where: { instanceId: instance.id },
      orderBy: { instanceSeq: 'asc' },
    })
    expect(events.map(({ instanceSeq }) => instanceSeq)).toEqual(events.map((_event, index) => index + 1))
    expect(events.filter(({ type }) => type === 'workflow.node.compensated')).toHaveLength(3)
    unwrap(await control(engine, { type: 'cancel', instanceId: instance.id, reason: null }))
    expect(undone).toHaveLength(3)
  })

  it('C08 a suspended and a faulted instance are undone by cancel too', async () => {
    const { engine, undone } = probed(database())
    await engine.publish(line(ask, { enableCompensation: true }))
    const { instance } = unwrap(await engine.start('case.c08'))
    unwrap(await control(engine, { type: 'suspend', instanceId: instance.id, reason: null }))
    unwrap(await control(engine, { type: 'cancel', instanceId: instance.id, reason: null }))
    expect(undone).toEqual(['c', 'b', 'a'])
  })

  it('C08 a fault undoes at once and once in total, also when it is retried and fails again', async () => {
    const { engine, undone } = probed(database())
    await engine.publish(line('Broken', { compensateOnFault: true, enableCompensation: true }))
    const { instance } = unwrap(await engine.start('case.c08'))
    expect(instance).toMatchObject({ status: 'FAULTED', faultNodeId: 't' })
    expect(undone).toEqual(['c', 'b', 'a'])
    const again = unwrap(await control(engine, { type: 'retry', instanceId: instance.id }))
    expect(again.instance.status).toBe('FAULTED')
    unwrap(await control(engine, { type: 'cancel', instanceId: instance.id, reason: null }))
    expect(undone).toEqual(['c', 'b', 'a'])
  })

  it('C08 a Compensate node undoes what it names, and a later cancel the rest', async () => {
    const { engine, undone } = probed(database())
    await engine.publish(
      document(
        'case.c08',
        { s: 'Start', a: 'Probe', b: 'Probe', c: 'Probe', x: ['Compensate', { NodeIds: ['a'] }], t: ask, end: 'End' },
        ['s>a', 'a>b', 'b>c', 'c>x', 'x>t', 't>end'],
        { enableCompensation: true },
      ),
    )
    const { instance } = unwrap(await engine.start('case.c08'))
    expect(instance.status).toBe('RUNNING')
    expect(undone).toEqual(['a'])
    unwrap(await control(engine, { type: 'cancel', instanceId: instance.id, reason: null }))
    expect(undone).toEqual(['a', 'c', 'b'])
  })

  it('C08 a loop is undone round by round, backwards', async () => {
    const { engine, undone } = probed(database())
    await engine.publish(
      document(
        'case.c08',
        {
          s: 'Start',
          inc: ['SetVariable', { Expressions: { rounds: 'rounds + 1', round: 'rounds + 1' } }],
          a: 'Probe',
          b: 'Probe',
          d: 'Decision',
          t: ask,
          end: 'End',
        },
        ['s>inc', 'inc>a', 'a>b', 'b>d', 'd>inc ? rounds < 2', 'd>t default', 't>end'],
        { enableCompensation: true, variables: [{ name: 'rounds', defaultValue: 0 }] },
      ),
    )
    const { instance } = unwrap(await engine.start('case.c08'))
    unwrap(await control(engine, { type: 'cancel', instanceId: instance.id, reason: null }))
    expect(undone).toEqual(['b2', 'a2', 'b1', 'a1'])
  })

  it('C08 terminate undoes nothing', async () => {
    const { engine, undone } = probed(database())
    await engine.publish(line(ask, { enableCompensation: true, compensateOnFault: true }))
    const { instance } = unwrap(await engine.start('case.c08'))
    unwrap(await control(engine, { type: 'terminate', instanceId: instance.id, reason: null }))
    expect(undone).toEqual([])
  })

  it('C08 parallel branches are undone in the reverse order of completion, in one millisecond too', async () => {
    const { engine, done, undone } = probed(database())
    await engine.publish(
      document(
        'case.c08',
        {
          s: 'Start',
          fork: 'Parallel',
          a: 'Probe',
          wa: ask,
          b: 'Probe',
          wc: ['UserTask', { Assignees: ['u2'] }],
          c: 'Probe',
          join: 'Join',
          t: ['UserTask', { Assignees: ['u3'] }],
          end: 'End',
        },
        ['s>fork', 'fork>a', 'a>wa', 'wa>b', 'fork>wc', 'wc>c', 'b>join', 'c>join', 'join>t', 't>end'],
        { enableCompensation: true },
      ),
    )
    const { instance } = unwrap(await engine.start('case.c08'))
    unwrap(await engine.complete(await engine.taskOf('u2'), 'u2'))
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    expect(done).toEqual(['a', 'c', 'b'])
    unwrap(await control(engine, { type: 'cancel', instanceId: instance.id, reason: null }))
    expect(undone).toEqual(['b', 'c', 'a'])
  })

  it('what cannot be undone does not hold up an end, and says why', async () => {
    for (const [failing, why] of [
      ['b', { code: 'ACME_001' }],
      ['b!', { messageKey: 'workflow.activity.threw', arguments: { reason: 'RangeError' } }],
    ] as const) {
      const { engine, undone } = probed(database(), () => failing)
      await engine.publish(line(ask, { enableCompensation: true }))
      const { instance } = unwrap(await engine.start('case.c08'))
      const canceled = unwrap(await control(engine, { type: 'cancel', instanceId: instance.id, reason: null }))
      expect(canceled.instance.status).toBe('CANCELED')
      expect(undone).toEqual(['c', 'a'])
      const where = { instanceId: instance.id, nodeId: 'b' }
      expect(await database().prisma.nodeInstance.findFirst({ where })).toMatchObject({
        status: 'COMPLETED',
        fault: why,
      })
    }
  })

  it('a Compensate node that cannot undo faults, and its retry goes on with what is left', async () => {
    let failing: string | null = 'b'
    const { engine, undone } = probed(database(), () => failing)
    await engine.publish(line('Compensate', {}))
    const { instance } = unwrap(await engine.start('case.c08'))
    expect(instance).toMatchObject({ status: 'FAULTED', faultNodeId: 't', fault: { code: 'ACME_001' } })
    failing = null
    const again = unwrap(await control(engine, { type: 'retry', instanceId: instance.id }))
    expect(again.instance.status).toBe('COMPLETED')
    expect(undone).toEqual(['c', 'b', 'a'])
  })
})

onBothDatabases('an activity of the application that waits', (database) => {
  it('says what it makes of the bookmark that was consumed, and may wait again', async () => {
    const outcomes: string[] = []
    const wait: ApplicationActivity = {
      type: 'Wait',
      async execute({ now }) {
        const bookmark = {
          kind: 'TIMER',
          key: 'first',
          correlationId: null,
          dueAt: now + 1000,
          payload: { n: 1 },
          task: null,
        } as const
        return { kind: 'suspend', bookmarks: [bookmark], state: { seen: 0 } }
      },
      async resume({ now, state }, bookmark) {
        const seen = Number(state.seen) + Number(bookmark.payload.n)
        if (seen >= 2) return { kind: 'endInstance', outcome: `seen ${seen}` }
        const next = {
          kind: 'TIMER',
          key: 'next',
          correlationId: null,
          dueAt: now + 1000,
          payload: { n: 1 },
          task: null,
        } as const
        return { kind: 'suspend', bookmarks: [next], state: { seen } }
      },
    }
    const engine = new Engine(database(), {
      activities: [wait],
      outcomeHandlers: [
        async ({ outcome }) => {
          outcomes.push(outcome)
          return undefined
        },
      ],
    })
    await engine.publish(document('wait', { s: 'Start', w: 'Wait', end: 'End' }, ['s>w', 'w>end']))
    unwrap(await engine.start('wait'))
    for (let round = 0; round < 2; round += 1) {
      engine.clock.time += 1000
      await engine.poll()
    }
    expect(await database().prisma.instance.findFirstOrThrow()).toMatchObject({
      status: 'COMPLETED',
      outcome: 'seen 2',
    })
    expect(outcomes).toEqual(['seen 2'])
  })
})
