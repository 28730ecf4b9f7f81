import { expect, it } from 'vitest'
import { isRefusal } from '../../src/engine/model.js'
import { handle } from '../../src/handle.js'
import { inTransaction } from '../../src/persistence/transaction.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { person } from '../support/run.js'

const loop = document(
  'loop',
  {
    s: 'Start',
    t: ['UserTask', { Assignees: ['u1'], Title: 'Step {{ n }}' }],
    inc: ['SetVariable', { Expressions: { n: 'n + 1' } }],
    d: 'Decision',
    end: ['End', { Outcome: 'done' }],
  },
  ['s>t', 't>inc', 'inc>d', 'd>end ? n >= limit', 'd>t default'],
)

const vote = (assignees: string[], properties = {}) =>
  document(
    'vote',
    {
      s: 'Start',
      t: ['UserTask', { CompletionPolicy: 'All', Assignees: assignees, ...properties }],
      next: ['UserTask', { Assignees: ['u99'] }],
      end: 'End',
    },
    ['s>t', 't>next', 'next>end'],
  )

onBothDatabases('commands', (database) => {
  it('runs a process from start to end, and stores what it decided', async () => {
    const engine = new Engine(database())
    await engine.publish(loop)
    const { instance } = unwrap(await engine.start('loop', { n: 0, limit: 2 }))
    expect(instance).toMatchObject({ status: 'RUNNING', revision: 1, starterId: 'u0', title: 'loop' })
    const [first] = await engine.tasks()
    expect(first).toMatchObject({ key: 'u1', title: 'Step 0', definitionName: 'loop' })
    unwrap(await engine.complete(first?.id ?? '', 'u1'))
    const [second] = await engine.tasks()
    expect(second?.title).toBe('Step 1')
    const done = unwrap(await engine.complete(second?.id ?? '', 'u1'))
    const stored = await database().prisma.instance.findFirstOrThrow({
      include: { taskRecords: true, nodeInstances: true, bookmarks: true },
    })
    expect(stored).toMatchObject({
      status: 'COMPLETED',
      outcome: 'done',
      revision: 3,
      variables: { n: 2, limit: 2, outcome: 'approved' },
    })
    const { taskRecords, nodeInstances, bookmarks, seq: _, ...row } = stored
    expect({ ...done.instance, seq: 0n }).toEqual({ ...row, seq: 0n })
    expect(bookmarks).toEqual([])
    expect(taskRecords.map((record) => [record.action, record.actorId, record.targetNodeIds])).toEqual([
      ['COMPLETED', 'u1', ['inc']],
      ['COMPLETED', 'u1', ['inc']],
    ])
    expect(nodeInstances.map((node) => node.nodeId).sort()).toEqual(['d', 'd', 'end', 'inc', 'inc', 's', 't', 't'])
    const events = await database().prisma.event.findMany({
      where: { instanceId: instance.id },
      orderBy: { seq: 'asc' },
    })
    expect(events.map((event) => event.instanceSeq)).toEqual(events.map((_event, index) => index + 1))
    expect(events.at(-1)?.type).toBe('workflow.instance.completed')
  })

  it('refuses without leaving a trace', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document('need', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, ['s>t', 't>end'], {
        variables: [{ name: 'amount', required: true }],
      }),
    )
    expect(await engine.start('need')).toMatchObject({
      code: 'WORKFLOW_VALIDATION_002',
      arguments: { variable: 'amount' },
    })
    expect(await engine.start('nothing')).toMatchObject({ code: 'WORKFLOW_NOTFOUND_001' })
    expect(await database().prisma.instance.count()).toBe(0)
    const { instance } = unwrap(await engine.start('need', { amount: 1 }))
    const [task] = await engine.tasks()
    const before = JSON.stringify(await database().prisma.event.count())
    expect(await engine.complete(task?.id ?? '', 'u2')).toMatchObject({ code: 'WORKFLOW_DENIED_001' })
    expect(await engine.complete(task?.id ?? '', 'u1', 'maybe')).toMatchObject({ code: 'WORKFLOW_VALIDATION_002' })
    expect(await engine.complete(task?.id ?? '', 'u1', 'approved', {}, { expectedRevision: 7 })).toMatchObject({
      code: 'WORKFLOW_CONFLICT_006',
    })
    expect(JSON.stringify(await database().prisma.event.count())).toBe(before)
    expect((await database().prisma.instance.findFirstOrThrow()).revision).toBe(instance.revision)
  })

  it('tells who closed a task that is gone, to those whom it concerned', async () => {
    const engine = new Engine(database())
    await engine.publish(vote(['u1', 'u2'], { ApprovalThreshold: 1 }))
    await engine.start('vote')
    const gone = await engine.taskOf('u2')
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    expect(await engine.complete(gone, 'u2')).toMatchObject({
      code: 'WORKFLOW_NOTFOUND_003',
      messageKey: 'workflow.task.closed',
      details: { action: 'CANCELED', outcome: 'approved', actorId: 'u1' },
    })
    const stranger = await engine.complete(gone, 'u7')
    expect(stranger).toMatchObject({ code: 'WORKFLOW_NOTFOUND_003', messageKey: 'workflow.task.not_found' })
    expect(stranger).not.toHaveProperty('details')
  })

  it('answers a repeated key with the first answer, and refuses it with other input', async () => {
    const engine = new Engine(database())
    await engine.publish(vote(['u1', 'u2']))
    const idempotency = (input: unknown) => ({ idempotency: { key: 'k1', operation: 'startInstance', input } })
    const first = unwrap(await engine.start('vote', {}, {}, idempotency({ a: 1 })))
    const again = unwrap(await engine.start('vote', {}, {}, idempotency({ a: 1 })))
    expect(again.instance.id).toBe(first.instance.id)
    expect(await engine.start('vote', {}, {}, idempotency({ a: 2 }))).toMatchObject({ code: 'WORKFLOW_CONFLICT_006' })
    const key = { idempotency: { key: 'k2', operation: 'approveTask', input: 1 } }
    const task = await engine.taskOf('u1')
    unwrap(await engine.complete(task, 'u1', 'approved', {}, key))
    expect(unwrap(await engine.complete(task, 'u1', 'approved', {}, key)).instance.id).toBe(first.instance.id)
    expect(await database().prisma.taskRecord.count()).toBe(1)
    expect(await database().prisma.instance.count()).toBe(1)
  })

  it('keeps partitions apart', async () => {
    const engine = new Engine(database())
    await engine.publish(vote(['u1']))
    unwrap(await engine.start('vote'))
    const task = await engine.taskOf('u1')
    const foreign = { ...person('u1'), tenantId: 't2' }
    const approve = {
      type: 'completeTask',
      taskId: task,
      outcome: 'approved',
      comment: null,
      variables: {},
      onBehalfOfId: null,
    } as const
    expect(await handle(engine.runtime, foreign, approve)).toMatchObject({
      code: 'WORKFLOW_NOTFOUND_003',
      messageKey: 'workflow.task.not_found',
    })
    expect(await engine.start('vote', {}, {}, {}, foreign)).toMatchObject({ code: 'WORKFLOW_NOTFOUND_001' })
  })

  it('fires timeouts and reminders when they are due, once', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document(
        'late',
        {
          s: 'Start',
          t: ['UserTask', { Assignees: ['u1'], ReminderAfterSeconds: 3600 }, { timeout: '1.00:00:00' }],
          end: 'End',
        },
        ['s>t', 't>end'],
      ),
    )
    unwrap(await engine.start('late'))
    expect(await engine.poll()).toBe(0)
    engine.clock.time += 3_600_000
    expect(await engine.poll()).toBe(1)
    expect(await engine.poll()).toBe(0)
    engine.clock.time += 86_400_000
    await engine.poll()
    expect(await database().prisma.instance.findFirstOrThrow()).toMatchObject({
      status: 'COMPLETED',
      variables: { outcome: 'timeout' },
    })
    expect(await database().prisma.event.count({ where: { type: 'workflow.task.reminder' } })).toBe(2)
    expect(await engine.poll()).toBe(0)
  })

  it('joins the transaction of a caller: what he rolls back was never started', async () => {
    const engine = new Engine(database())
    await engine.publish(vote(['u1']))
    const rolledBack = inTransaction(database(), async (tx) => {
      unwrap(await engine.start('vote', {}, {}, { tx }))
      throw new Error('the business said no')
    })
    await expect(rolledBack).rejects.toThrow('the business said no')
    expect(await database().prisma.instance.count()).toBe(0)
    await expect(inTransaction(database(), () => database().prisma.instance.count())).rejects.toThrow(
      /inside a transaction/,
    )
  })

  it('returns by lineage', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document(
        'back',
        { s: 'Start', a: ['UserTask', { Assignees: ['u1'] }], b: ['UserTask', { Assignees: ['u2'] }], end: 'End' },
        ['s>a', 'a>b', 'b>end'],
      ),
    )
    unwrap(await engine.start('back'))
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    const taskId = await engine.taskOf('u2')
    unwrap(
      await handle(engine.runtime, person('u2'), {
        type: 'returnTask',
        taskId,
        toNodeId: null,
        comment: 'no receipt',
        resubmit: false,
      }),
    )
    expect((await engine.tasks()).map((task) => task.key)).toEqual(['u1'])
  })
})

onPostgres('many at once', (database) => {
  it('C09 twenty people finish their own task in the same second, and a double click counts once', async () => {
    const engine = new Engine(database())
    const people = Array.from({ length: 20 }, (_, index) => `p${index}`)
    await engine.publish(vote(people))
    unwrap(await engine.start('vote'))
    const tasks = new Map((await engine.tasks()).map((task) => [task.key ?? '', task.id]))
    const all = await Promise.all(
      people.map((user, index) =>
        engine.complete(tasks.get(user) ?? '', user, 'approved', { [`score_${index}`]: index }),
      ),
    )
    expect(all.filter(isRefusal)).toEqual([])
    const instance = await database().prisma.instance.findFirstOrThrow()
    expect(Object.keys(instance.variables as object).filter((name) => name.startsWith('score_'))).toHaveLength(20)
    expect(instance.revision).toBe(21)
    expect((await engine.tasks()).map((task) => task.key)).toEqual(['u99'])
    expect(await database().prisma.taskRecord.count()).toBe(20)

    const last = await engine.taskOf('u99')
    const five = await Promise.all(Array.from({ length: 5 }, () => engine.complete(last, 'u99')))
    expect(five.filter((outcome) => !isRefusal(outcome))).toHaveLength(1)
    for (const outcome of five.filter(isRefusal)) expect(outcome.code).toBe('WORKFLOW_NOTFOUND_003')
  })

  it('starts one instance for one business key, however many ask at once', async () => {
    const engine = new Engine(database())
    await engine.publish(vote(['u1']))
    const starts = await Promise.all(
      Array.from({ length: 30 }, () =>
        engine.start('vote', {}, { correlationId: 'PO-1' }, { reusePolicy: 'REJECT_ACTIVE' }),
      ),
    )
    expect(starts.filter((outcome) => !isRefusal(outcome))).toHaveLength(1)
    for (const outcome of starts.filter(isRefusal)) expect(outcome.code).toBe('WORKFLOW_CONFLICT_005')
    const same = await Promise.all(
      Array.from({ length: 10 }, () =>
        engine.start('vote', {}, { correlationId: 'PO-1' }, { reusePolicy: 'RETURN_ACTIVE' }),
      ),
    )
    expect(new Set(same.map((outcome) => unwrap(outcome).instance.id)).size).toBe(1)
  })

  it('an approval costs four round trips, the two-hundredth in a loop as the first', async () => {
    const engine = new Engine(database())
    await engine.publish(loop)
    unwrap(await engine.start('loop', { n: 0, limit: 300 }))
    const cost: number[] = []
    for (let step = 0; step < 200; step += 1) {
      const task = await engine.taskOf('u1')
      const statements: string[] = []
      const stop = database().onQuery((sql) => statements.push(sql.trim().slice(0, 20)))
      unwrap(await engine.complete(task, 'u1'))
      stop()
      cost.push(statements.length)
    }
    expect(new Set(cost)).toEqual(new Set([4]))
  })

  it('the same key at the same moment makes one instance', async () => {
    const engine = new Engine(database())
    await engine.publish(vote(['u1']))
    const key = { idempotency: { key: 'k', operation: 'startInstance', input: 1 } }
    const all = await Promise.all(Array.from({ length: 8 }, () => engine.start('vote', {}, {}, key)))
    expect(new Set(all.map((outcome) => unwrap(outcome).instance.id)).size).toBe(1)
  })
})
