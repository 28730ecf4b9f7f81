import { expect, it } from 'vitest'
import type { TaskCommand } from '../../src/engine/command.js'
import { isRefusal, type JsonObject } from '../../src/engine/model.js'
import { handle } from '../../src/handle.js'
import { handOver } from '../../src/handOver.js'
import { type PersonEntry, setSubstitute, upsertUsers } from '../../src/people.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { person } from '../support/run.js'

const admin = person('boss', 'admin')
const operator = person('op', 'operate')

/** u0 reports to m1, m1 to m2, m2 to m3. */
const people: [string, string | null, string[]][] = [
  ['u0', 'm1', ['sales']],
  ['u1', 'm1', ['sales']],
  ['u2', 'm2', ['legal']],
  ['u3', 'm2', ['legal', 'sales']],
  ['m1', 'm2', ['sales']],
  ['m2', 'm3', []],
  ['m3', null, []],
]

async function open(engine: Engine): Promise<void> {
  const entries = people.map(([id, managerId, groups]): PersonEntry => {
    return { id, name: id.toUpperCase(), email: null, managerId, groups }
  })
  unwrap(await upsertUsers(engine.runtime, admin, entries))
}

const step = (properties: JsonObject, name = 'step') =>
  document(name, { s: 'Start', t: ['UserTask', properties], next: ['UserTask', { Assignees: ['u9'] }], end: 'End' }, [
    's>t',
    't>next',
    'next>end',
  ])

async function asked(engine: Engine, properties: JsonObject, variables: JsonObject = {}): Promise<(string | null)[]> {
  const { name } = await engine.publish(step(properties))
  const { instance } = unwrap(await engine.start(name, variables))
  expect(instance.fault).toBeNull()
  return (await engine.tasks(instance.id)).map(({ key }) => key)
}

const rule = (type: string, values: JsonObject[string] = []) => ({ AssigneeRules: [{ type, values }] })

onBothDatabases('people', (database) => {
  it('are found by group, by manager so many levels up, and as the head of a group', async () => {
    const engine = new Engine(database())
    await open(engine)
    expect(await asked(engine, rule('Group', ['legal']))).toEqual(['u2', 'u3'])
    expect(await asked(engine, rule('Group', ['{{ team }}', 'legal']), { team: 'sales' })).toEqual([
      'm1',
      'u0',
      'u1',
      'u3',
      'u2',
    ])
    expect(await asked(engine, rule('Manager'))).toEqual(['m1'])
    expect(await asked(engine, rule('Manager', ['2', 3]))).toEqual(['m2', 'm3'])
    expect(await asked(engine, rule('Manager', ['u2', { person: '{{ who }}', levels: 2 }]), { who: 'u1' })).toEqual([
      'm2',
    ])
    // m1 leads those of sales; nobody of legal leads the others, so it is whom they report to.
    expect(await asked(engine, rule('GroupManager', ['sales']))).toEqual(['m1'])
    expect(await asked(engine, rule('GroupManager', ['legal']))).toEqual(['m2'])
    const empty = { EmptyAssigneeStrategy: 'Fallback', FallbackAssigneeRules: [{ type: 'Manager', values: [1] }] }
    expect(await asked(engine, { ...rule('Group', ['nobody']), ...empty })).toEqual(['m1'])
    const [task] = await engine.tasks()
    expect(task?.payload).toMatchObject({ why: { source: 'RULE', rule: 'Group' } })
  })

  it('of a rule that makes no sense are a fault, and those of another partition are not found', async () => {
    const engine = new Engine(database())
    await open(engine)
    await engine.publish(step(rule('Manager', ['99'])))
    const faulted = unwrap(await engine.start('step'))
    expect(faulted.instance.fault).toMatchObject({ messageKey: 'workflow.assignee.manager_invalid' })
    const stranger = { ...admin, tenantId: 't2' }
    unwrap(
      await upsertUsers(engine.runtime, stranger, [
        { id: 'x', name: 'X', email: null, managerId: null, groups: ['legal'] },
      ]),
    )
    expect(await asked(engine, rule('Group', ['legal']))).toEqual(['u2', 'u3'])
  })

  it('who are absent are stood in for, over at most three, and a circle ends', async () => {
    const engine = new Engine(database())
    const day = 86_400_000
    const away = async (userId: string, substituteId: string, from = 0, to = 1) => {
      const at = (days: number) => new Date(engine.clock.time + days * day)
      unwrap(
        await setSubstitute(engine.runtime, person(userId), {
          userId,
          substituteId,
          startsAt: at(from),
          endsAt: at(to),
        }),
      )
    }
    const ask = (userId: string) => asked(engine, { Assignees: [userId] })
    await away('a', 'b')
    expect(await ask('a')).toEqual(['b'])
    await away('b', 'c')
    await away('c', 'd')
    await away('d', 'e')
    expect(await ask('a')).toEqual(['d'])
    await away('x', 'y')
    await away('y', 'x')
    expect(await ask('x')).toEqual(['y'])
    // The newest holds, from its beginning to its end.
    await away('a', 'z', 2, 3)
    expect(await ask('a')).toEqual(['d'])
    engine.clock.time += 2 * day
    expect(await ask('a')).toEqual(['z'])
    engine.clock.time += day
    expect(await ask('a')).toEqual(['a'])
    expect(await engine.database.prisma.substitute.count({ where: { userId: 'a' } })).toBe(2)
  })

  it('who stand in are named with the absent in the history', async () => {
    const engine = new Engine(database())
    const absence = {
      userId: 'u1',
      substituteId: 'u2',
      startsAt: new Date(0),
      endsAt: new Date(engine.clock.time + 1000),
    }
    unwrap(await setSubstitute(engine.runtime, operator, absence))
    expect(await asked(engine, { Assignees: ['u1'] })).toEqual(['u2'])
    unwrap(await engine.complete(await engine.taskOf('u2'), 'u2'))
    const record = await engine.database.prisma.taskRecord.findFirstOrThrow()
    expect(record).toMatchObject({ action: 'COMPLETED', actorId: 'u2', onBehalfOfId: 'u1' })
  })

  it('who leave hand all their tasks over, with a record each', async () => {
    const engine = new Engine(database())
    await engine.publish(step({ Assignees: ['u1'] }))
    await engine.publish(step({ Assignees: ['u1', 'u2'], CompletionPolicy: 'All' }, 'both'))
    for (const name of ['step', 'step', 'both']) unwrap(await engine.start(name))
    const results = await handOver(engine.runtime, operator, { fromUserId: 'u1', toUserId: 'u2', comment: 'left' })
    expect(results.map(({ outcome }) => isRefusal(outcome) && outcome.code)).toEqual([
      false,
      false,
      'WORKFLOW_CONFLICT_004',
    ])
    expect(await database().prisma.taskRecord.findMany({ where: { action: 'HANDED_OVER' } })).toMatchObject([
      { actorId: 'op', onBehalfOfId: 'u1', assigneeId: 'u1', targetId: 'u2', comment: 'left' },
      { actorId: 'op', onBehalfOfId: 'u1', assigneeId: 'u1', targetId: 'u2', comment: 'left' },
    ])
    expect((await engine.tasks()).filter(({ key }) => key === 'u1')).toHaveLength(1)
  })

  it('take an answer back and withdraw what they started, as the history allows', async () => {
    const engine = new Engine(database())
    await engine.publish(step({ Assignees: ['u1'] }))
    const { instance } = unwrap(await engine.start('step'))
    const taskId = await engine.taskOf('u1')
    const takeBack = { type: 'takeBackTask', taskId, comment: null } as const
    expect(await handle(engine.runtime, person('u1'), takeBack)).toMatchObject({
      messageKey: 'workflow.task.not_answered',
    })
    unwrap(await engine.complete(taskId, 'u1'))
    expect((await engine.tasks()).map(({ key }) => key)).toEqual(['u9'])
    unwrap(await handle(engine.runtime, person('u1'), takeBack))
    expect((await engine.tasks()).map(({ key }) => key)).toEqual(['u1'])
    const nodes = await database().prisma.nodeInstance.findMany({ orderBy: { seq: 'asc' } })
    expect(nodes.map(({ nodeId, status }) => [nodeId, status])).toEqual([
      ['s', 'COMPLETED'],
      ['t', 'WAITING'],
      ['next', 'CANCELED'],
    ])
    // What was taken back is an act: the starter can no longer withdraw.
    const withdraw = { type: 'withdraw', instanceId: instance.id, reason: null } as const
    expect(await handle(engine.runtime, person('u0'), withdraw)).toMatchObject({ code: 'WORKFLOW_CONFLICT_004' })
    const other = unwrap(await engine.start('step'))
    const called = unwrap(await handle(engine.runtime, person('u0'), { ...withdraw, instanceId: other.instance.id }))
    expect(called.instance.status).toBe('CANCELED')
    const gone = await database().prisma.taskRecord.findFirstOrThrow({ where: { action: 'WITHDRAWN' } })
    expect(await engine.complete(gone.taskId ?? '', 'u1')).toMatchObject({
      code: 'WORKFLOW_NOTFOUND_003',
      details: { action: 'WITHDRAWN', actorId: 'u0' },
    })
  })

  it('for whom an operator acts are candidates of their own groups, not of his', async () => {
    const engine = new Engine(database())
    await open(engine)
    expect(await asked(engine, { Assignees: ['group:legal'] })).toEqual(['group:legal'])
    const taskId = await engine.taskOf('group:legal')
    const claim = (onBehalfOfId: string, groups: string[] = []) =>
      handle(engine.runtime, { ...operator, groups }, { type: 'claimTask', taskId, comment: null, onBehalfOfId })
    expect(await claim('u1', ['legal'])).toMatchObject({ code: 'WORKFLOW_DENIED_001' })
    unwrap(await claim('u2'))
    expect(await database().prisma.bookmark.findFirstOrThrow()).toMatchObject({ key: 'u2', claimedById: 'u2' })
  })
})

onPostgres('people in a race', (database) => {
  const rounds = 10
  const everybody = Array.from({ length: 20 }, (_, index) => `u${index + 1}`)

  async function race(properties: JsonObject, command: (taskId: string, userId: string) => TaskCommand) {
    const engine = new Engine(database())
    await engine.publish(step(properties))
    const rounded: { codes: (string | null)[]; instanceId: string; engine: Engine }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { instance } = unwrap(await engine.start('step'))
      const tasks = await engine.tasks(instance.id)
      const outcomes = await Promise.all(
        everybody.map((userId) => {
          const task = tasks.find(({ key }) => key === userId) ?? tasks[0]
          return handle(engine.runtime, { ...person(userId), groups: ['g'] }, command(task?.id ?? '', userId))
        }),
      )
      const codes = outcomes.map((outcome) => (isRefusal(outcome) ? outcome.code : null))
      rounded.push({ codes, instanceId: instance.id, engine })
    }
    return rounded
  }
  const winners = (codes: (string | null)[]) => codes.filter((code) => code === null).length

  it('C10 claim a step that one answer decides: one of twenty wins', async () => {
    const claim = (taskId: string) => ({ type: 'claimTask', taskId, comment: null }) as const
    for (const { codes, instanceId, engine } of await race({ Assignees: everybody }, claim)) {
      expect(winners(codes)).toBe(1)
      for (const code of codes) expect([null, 'WORKFLOW_CONFLICT_004', 'WORKFLOW_NOTFOUND_003']).toContain(code)
      expect(await engine.tasks(instanceId)).toHaveLength(1)
    }
  })

  it('C10 claim the one task of a group: one of twenty wins', async () => {
    const claim = (taskId: string) => ({ type: 'claimTask', taskId, comment: null }) as const
    for (const { codes, instanceId, engine } of await race({ Assignees: ['group:g'] }, claim)) {
      expect(winners(codes)).toBe(1)
      expect(await engine.tasks(instanceId)).toMatchObject([{ key: everybody[codes.indexOf(null)] }])
    }
  })

  it('C10 complete, claim, transfer and return at once: the step is decided at most once', async () => {
    const verbs = (taskId: string, userId: string): TaskCommand => {
      const on = { taskId, comment: null }
      switch (Number(userId.slice(1)) % 4) {
        case 0:
          return { ...on, type: 'completeTask', outcome: 'approved', variables: {} }
        case 1:
          return { ...on, type: 'claimTask' }
        case 2:
          return { ...on, type: 'transferTask', toUserId: `x${userId}` }
        default:
          return { ...on, type: 'returnTask', toNodeId: null, resubmit: false }
      }
    }
    const allowed = [null, 'WORKFLOW_CONFLICT_004', 'WORKFLOW_NOTFOUND_003', 'WORKFLOW_DENIED_001']
    for (const { codes, instanceId, engine } of await race({ Assignees: everybody }, verbs)) {
      for (const code of codes) expect(allowed).toContain(code)
      const decided = await engine.database.prisma.taskRecord.count({ where: { instanceId, action: 'COMPLETED' } })
      expect(decided).toBeLessThanOrEqual(1)
      const open = await engine.tasks(instanceId)
      expect(new Set(open.map(({ nodeId }) => nodeId)).size).toBe(1)
      expect(new Set(open.map(({ key }) => key)).size).toBe(open.length)
    }
  })
})
