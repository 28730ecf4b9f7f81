import { expect, it } from 'vitest'
import type { InstanceCommand } from '../../src/engine/command.js'
import type { Fault, JsonObject } from '../../src/engine/model.js'
import type { Instance } from '../../src/generated/prisma/client.js'
import { handle } from '../../src/handle.js'
import { createDueWorker } from '../../src/workers/dueBookmarks.js'
import { onBothDatabases } from '../support/databases.js'
import { designer, document, Engine, unwrap } from '../support/engine.js'
import { eventually } from '../support/eventually.js'

const childProperties = { DefinitionName: 'case.child' }
const parentOf = (node: [string, JsonObject, JsonObject?], more: JsonObject = {}) =>
  document(
    'case.parent',
    { s: 'Start', sub: node, t: ['UserTask', { Assignees: ['u1'] }], end: 'End' },
    ['s>sub', 'sub>t', 't>end'],
    more,
  )
const approval = (name = 'case.child') =>
  document(name, { s: 'Start', t: ['UserTask', { AssigneesExpression: 'item' }], end: ['End', { Outcome: 'done' }] }, [
    's>t',
    't>end',
  ])
const failing = document(
  'case.child',
  {
    s: 'Start',
    d: 'Decision',
    w: ['WaitSignal', { SignalName: 'go' }],
    f: ['Fault', { Message: 'no stock' }],
    end: 'End',
  },
  ['s>w', 'w>d', 'd>end ? ok', 'd>f default'],
  { variables: [{ name: 'ok', defaultValue: false }] },
)
const empty = document('case.child', { s: 'Start', end: ['End', { Outcome: 'done' }] }, ['s>end'])

function control(engine: Engine, command: InstanceCommand) {
  return handle(engine.runtime, designer, command)
}

async function childrenOf(engine: Engine, parentId: string): Promise<Instance[]> {
  return engine.database.prisma.instance.findMany({ where: { parentId }, orderBy: { seq: 'asc' } })
}

function read(engine: Engine, id: string): Promise<Instance> {
  return engine.database.prisma.instance.findFirstOrThrow({ where: { id } })
}

async function goOn(engine: Engine, instanceId: string): Promise<void> {
  const waiting = await engine.database.prisma.bookmark.findFirstOrThrow({ where: { instanceId, kind: 'SIGNAL' } })
  const command = { type: 'signalBookmark', bookmarkId: waiting.id, name: 'go', payload: null } as const
  unwrap(await handle(engine.runtime, designer, command))
}

const notices = (engine: Engine) => engine.database.prisma.childNotice.count()

onBothDatabases('children of an instance', (database) => {
  it('a sub-workflow carries correlation, starter, partition and depth, and gives its parent what it came to', async () => {
    const engine = new Engine(database())
    await engine.publish(approval())
    const properties = {
      ...childProperties,
      Variables: { note: 'for {{ who }}' },
      VariableExpressions: { item: 'who' },
      ResultVariable: 'result',
    }
    await engine.publish(parentOf(['SubWorkflow', properties]))
    const { instance } = unwrap(await engine.start('case.parent', { who: 'u5' }, { correlationId: 'K' }))
    expect(instance.status).toBe('RUNNING')
    const [child] = await childrenOf(engine, instance.id)
    expect(child).toMatchObject({
      tenantId: 't1',
      correlationId: 'K',
      starterId: 'u0',
      depth: 1,
      variables: { note: 'for u5', item: 'u5' },
    })
    const [bookmark] = await database().prisma.bookmark.findMany({ where: { instanceId: instance.id } })
    expect(bookmark).toMatchObject({ kind: 'SUB_WORKFLOW', key: child?.id, nodeId: 'sub' })
    unwrap(await engine.complete(await engine.taskOf('u5'), 'u5', 'approved', { price: 7 }))
    // The parent hears of it in a transaction of its own.
    expect((await read(engine, instance.id)).revision).toBe(1)
    await engine.poll()
    const after = await read(engine, instance.id)
    expect(after.variables).toMatchObject({
      childInstanceId: child?.id,
      childStatus: 'COMPLETED',
      childOutcome: 'done',
      childFault: null,
      result: { note: 'for u5', item: 'u5', price: 7 },
    })
    expect((await engine.tasks(instance.id)).map(({ key }) => key)).toEqual(['u1'])
    expect(await notices(engine)).toBe(0)
    expect(await engine.poll()).toBe(0)
  })

  it('C21 a child that ends without any wait completes its parent in the same wave', async () => {
    const engine = new Engine(database())
    await engine.publish(empty)
    await engine.publish(parentOf(['SubWorkflow', childProperties]))
    const { instance } = unwrap(await engine.start('case.parent'))
    expect(instance.variables).toMatchObject({ childStatus: 'COMPLETED', childOutcome: 'done' })
    expect(await engine.tasks(instance.id)).toHaveLength(1)
    expect(await notices(engine)).toBe(0)
  })

  it('a sub-workflow that is not waited for lets its parent go on at once', async () => {
    const engine = new Engine(database())
    await engine.publish(approval())
    await engine.publish(
      parentOf(['SubWorkflow', { ...childProperties, Variables: { item: 'u5' }, WaitForCompletion: false }]),
    )
    const { instance } = unwrap(await engine.start('case.parent'))
    expect(instance.variables).toMatchObject({ childStatus: 'RUNNING' })
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    expect((await read(engine, instance.id)).status).toBe('COMPLETED')
    await engine.poll()
    const [child] = await childrenOf(engine, instance.id)
    expect(child?.status).toBe('RUNNING')
    unwrap(await engine.complete(await engine.taskOf('u5'), 'u5'))
    await engine.poll()
    expect(await notices(engine)).toBe(0)
  })

  it('a sub-workflow without a published definition faults the node and starts nothing', async () => {
    const engine = new Engine(database())
    await engine.publish(parentOf(['SubWorkflow', { DefinitionName: 'nowhere' }]))
    const { instance } = unwrap(await engine.start('case.parent'))
    expect(instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 'sub',
      fault: { code: 'WORKFLOW_NOTFOUND_001', messageKey: 'workflow.child.definition_missing' },
    })
    expect(await database().prisma.instance.count()).toBe(1)
  })

  it('a definition that starts itself faults at the deepest level that is allowed', async () => {
    const engine = new Engine(database())
    engine.runtime.options = { ...engine.runtime.options, maxSubWorkflowDepth: 3 }
    await engine.publish(
      document('case.loop', { s: 'Start', sub: ['SubWorkflow', { DefinitionName: 'case.loop' }], end: 'End' }, [
        's>sub',
        'sub>end',
      ]),
    )
    const { instance } = unwrap(await engine.start('case.loop'))
    expect(instance.status).toBe('FAULTED')
    let why = instance.fault as unknown as Fault
    for (let depth = 0; depth < 3; depth += 1) {
      expect(why.messageKey).toBe('workflow.child.faulted')
      why = why.inner as Fault
    }
    expect(why).toMatchObject({ code: 'WORKFLOW_VALIDATION_002', messageKey: 'workflow.child.too_deep' })
    expect(await database().prisma.instance.count()).toBe(4)
  })

  it('C21 a child that faults after a wait faults its parent, with its own fault as the cause', async () => {
    const engine = new Engine(database())
    await engine.publish(failing)
    await engine.publish(parentOf(['SubWorkflow', childProperties]))
    const { instance } = unwrap(await engine.start('case.parent', {}, { correlationId: 'K' }))
    const [child] = await childrenOf(engine, instance.id)
    await goOn(engine, child?.id ?? '')
    await engine.poll()
    const parent = await read(engine, instance.id)
    expect(parent).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 'sub',
      fault: {
        messageKey: 'workflow.child.faulted',
        arguments: { id: child?.id, status: 'FAULTED' },
        inner: { messageKey: 'workflow.activity.fault_raised', arguments: { message: 'no stock' } },
      },
    })
    // The child mended after its parent gave up: no error and no second run.
    unwrap(await control(engine, { type: 'setVariables', instanceId: child?.id ?? '', set: { ok: true }, remove: [] }))
    unwrap(await control(engine, { type: 'jump', instanceId: child?.id ?? '', targetNodeId: 'd', reason: null }))
    await engine.poll()
    expect((await read(engine, child?.id ?? '')).status).toBe('COMPLETED')
    expect((await read(engine, instance.id)).status).toBe('FAULTED')
    // A retry of the parent starts a new child, and the old report does nothing to it.
    unwrap(await control(engine, { type: 'retry', instanceId: instance.id }))
    await engine.poll()
    const children = await childrenOf(engine, instance.id)
    expect(children.map(({ status }) => status)).toEqual(['COMPLETED', 'RUNNING'])
    expect((await read(engine, instance.id)).status).toBe('RUNNING')
    expect(await notices(engine)).toBe(0)
  })

  it('C21 a child retried before its parent has looked is waited for again', async () => {
    const engine = new Engine(database())
    await engine.publish(failing)
    await engine.publish(parentOf(['SubWorkflow', childProperties]))
    const { instance } = unwrap(await engine.start('case.parent', {}, { correlationId: 'K' }))
    const [child] = await childrenOf(engine, instance.id)
    await goOn(engine, child?.id ?? '')
    unwrap(await control(engine, { type: 'jump', instanceId: child?.id ?? '', targetNodeId: 'w', reason: null }))
    await engine.poll()
    expect((await read(engine, instance.id)).status).toBe('RUNNING')
    unwrap(await control(engine, { type: 'setVariables', instanceId: child?.id ?? '', set: { ok: true }, remove: [] }))
    await goOn(engine, child?.id ?? '')
    await engine.poll()
    expect((await engine.tasks(instance.id)).map(({ key }) => key)).toEqual(['u1'])
  })

  it('C21 with FailOnChildFault false the parent goes on, and reads the state of its child', async () => {
    const engine = new Engine(database())
    await engine.publish(failing)
    await engine.publish(parentOf(['SubWorkflow', { ...childProperties, FailOnChildFault: false }]))
    const { instance } = unwrap(await engine.start('case.parent', {}, { correlationId: 'K' }))
    const [child] = await childrenOf(engine, instance.id)
    await goOn(engine, child?.id ?? '')
    await engine.poll()
    expect(await engine.tasks(instance.id)).toHaveLength(1)
    expect((await read(engine, instance.id)).variables).toMatchObject({
      childStatus: 'FAULTED',
      childFault: { messageKey: 'workflow.activity.fault_raised' },
    })
  })

  for (const [type, status] of [
    ['cancel', 'CANCELED'],
    ['terminate', 'TERMINATED'],
  ] as const)
    it(`C21 a child ended by hand (${type}) faults its parent with a key of its own`, async () => {
      const engine = new Engine(database())
      await engine.publish(failing)
      await engine.publish(parentOf(['SubWorkflow', childProperties]))
      const { instance } = unwrap(await engine.start('case.parent', {}, { correlationId: 'K' }))
      const [child] = await childrenOf(engine, instance.id)
      unwrap(await control(engine, { type, instanceId: child?.id ?? '', reason: 'enough' }))
      await engine.poll()
      expect(await read(engine, instance.id)).toMatchObject({
        status: 'FAULTED',
        fault: { messageKey: `workflow.child.${status.toLowerCase()}`, arguments: { status }, inner: null },
      })
    })

  it('C21 a retry policy of the parent starts a new child for each attempt', async () => {
    const engine = new Engine(database())
    await engine.publish(failing)
    const retryPolicy = { maxAttempts: 2, firstDelay: '00:00:10' }
    await engine.publish(parentOf(['SubWorkflow', childProperties, { retryPolicy }]))
    const { instance } = unwrap(await engine.start('case.parent', {}, { correlationId: 'K' }))
    for (const attempt of [1, 2]) {
      const children = await childrenOf(engine, instance.id)
      expect(children).toHaveLength(attempt)
      await goOn(engine, children.at(-1)?.id ?? '')
      await engine.poll()
      expect((await read(engine, instance.id)).status).toBe(attempt === 1 ? 'RUNNING' : 'FAULTED')
      engine.clock.time += 10_000
      await engine.poll()
    }
    expect(await childrenOf(engine, instance.id)).toHaveLength(2)
  })

  it('a report to a suspended parent is kept, and taken once it runs again', async () => {
    const engine = new Engine(database())
    await engine.publish(approval())
    await engine.publish(parentOf(['SubWorkflow', { ...childProperties, Variables: { item: 'u5' } }]))
    const { instance } = unwrap(await engine.start('case.parent'))
    unwrap(await control(engine, { type: 'suspend', instanceId: instance.id, reason: null }))
    unwrap(await engine.complete(await engine.taskOf('u5'), 'u5'))
    for (let cycle = 0; cycle < 3; cycle += 1) await engine.poll()
    expect(await read(engine, instance.id)).toMatchObject({ status: 'SUSPENDED', revision: 2 })
    expect(await notices(engine)).toBe(1)
    unwrap(await control(engine, { type: 'resume', instanceId: instance.id }))
    await engine.poll()
    await engine.poll()
    expect(await engine.tasks(instance.id)).toHaveLength(1)
    expect(await notices(engine)).toBe(0)
  })

  it('a parent need not wait for the next poll', async () => {
    const engine = new Engine(database())
    await engine.publish(approval())
    await engine.publish(parentOf(['SubWorkflow', { ...childProperties, Variables: { item: 'u5' } }]))
    const worker = createDueWorker(engine.runtime, { pollInterval: 3_600_000, batchSize: 100 })
    engine.runtime.wakeWork = () => worker.wake()
    worker.start()
    try {
      const { instance } = unwrap(await engine.start('case.parent'))
      unwrap(await engine.complete(await engine.taskOf('u5'), 'u5'))
      await eventually(async () => expect(await engine.tasks(instance.id)).toHaveLength(1))
    } finally {
      await worker.stop()
    }
  })

  it('cancel and terminate reach the children of children, each in a transaction of its own', async () => {
    const engine = new Engine(database())
    await engine.publish(approval('case.grandchild'))
    await engine.publish(
      document(
        'case.child',
        {
          s: 'Start',
          sub: ['SubWorkflow', { DefinitionName: 'case.grandchild', Variables: { item: 'u7' } }],
          end: 'End',
        },
        ['s>sub', 'sub>end'],
      ),
    )
    await engine.publish(parentOf(['SubWorkflow', childProperties]))
    for (const [type, status] of [
      ['cancel', 'CANCELED'],
      ['terminate', 'TERMINATED'],
    ] as const) {
      const { instance } = unwrap(await engine.start('case.parent'))
      unwrap(await control(engine, { type, instanceId: instance.id, reason: 'enough' }))
      const [child] = await childrenOf(engine, instance.id)
      const [grandchild] = await childrenOf(engine, child?.id ?? '')
      expect([child?.status, grandchild?.status]).toEqual(['RUNNING', 'RUNNING'])
      // A node that died here left this word behind: any other takes it.
      expect(await notices(engine)).toBe(1)
      await new Engine(database()).poll()
      expect((await read(engine, child?.id ?? '')).status).toBe(status)
      expect((await read(engine, grandchild?.id ?? '')).status).toBe(status)
      expect(await notices(engine)).toBe(0)
      expect(await engine.tasks()).toEqual([])
      const again = unwrap(await control(engine, { type, instanceId: instance.id, reason: 'again' }))
      expect(again.instance.revision).toBe(2)
    }
  })

  it('children end when their node is given up: by a jump, by its time limit', async () => {
    const engine = new Engine(database())
    await engine.publish(approval())
    await engine.publish(
      parentOf(['SubWorkflow', { ...childProperties, Variables: { item: 'u5' } }, { timeout: '01:00:00' }]),
    )
    const jumped = unwrap(await engine.start('case.parent')).instance
    unwrap(await control(engine, { type: 'jump', instanceId: jumped.id, targetNodeId: 't', reason: null }))
    await engine.poll()
    expect((await childrenOf(engine, jumped.id)).map(({ status }) => status)).toEqual(['CANCELED'])
    expect((await read(engine, jumped.id)).status).toBe('RUNNING')
    const late = unwrap(await engine.start('case.parent')).instance
    engine.clock.time += 3_600_000
    await engine.poll()
    expect((await childrenOf(engine, late.id)).map(({ status }) => status)).toEqual(['CANCELED'])
    expect((await read(engine, late.id)).variables).toMatchObject({ outcome: 'timeout' })
    expect(await notices(engine)).toBe(0)
  })
})

const loop = (properties: JsonObject) =>
  parentOf([
    'ForEach',
    { ...childProperties, Items: 'items', ItemVariable: 'item', ResultVariable: 'r', ...properties },
  ])

onBothDatabases('a loop over children', (database) => {
  for (const Parallel of [true, false]) {
    const name = Parallel ? 'parallel' : 'sequential'

    it(`C20 over nothing completes at once (${name})`, async () => {
      const engine = new Engine(database())
      await engine.publish(approval())
      await engine.publish(loop({ Parallel }))
      const { instance } = unwrap(await engine.start('case.parent', { items: [] }))
      expect(instance.variables).toMatchObject({ r: [], childStatuses: [] })
      expect((await database().prisma.bookmark.findMany()).map(({ kind }) => kind)).toEqual(['USER_TASK'])
      expect(await database().prisma.instance.count()).toBe(1)
    })

    it(`C20 over anything but a list faults the node (${name})`, async () => {
      const engine = new Engine(database())
      await engine.publish(approval())
      await engine.publish(loop({ Parallel }))
      for (const items of [null, {}, 'abc', 7]) {
        const { instance } = unwrap(await engine.start('case.parent', { items }))
        expect(instance).toMatchObject({
          status: 'FAULTED',
          faultNodeId: 'sub',
          fault: { messageKey: 'workflow.activity.property_not_array' },
        })
      }
      const { instance } = unwrap(await engine.start('case.parent'))
      expect(instance).toMatchObject({
        status: 'FAULTED',
        fault: { messageKey: 'workflow.expression.unknown_variable' },
      })
      expect(await database().prisma.instance.count({ where: { parentId: { not: null } } })).toBe(0)
    })

    it(`C20 over [null] starts one child (${name})`, async () => {
      const engine = new Engine(database())
      await engine.publish(empty)
      await engine.publish(loop({ Parallel }))
      const { instance } = unwrap(await engine.start('case.parent', { items: [null] }))
      expect(instance.variables).toMatchObject({ r: [{ item: null }] })
    })

    it(`over children that end at once gives every result in the same wave, also of equal items (${name})`, async () => {
      const engine = new Engine(database())
      await engine.publish(empty)
      await engine.publish(loop({ Parallel }))
      const { instance } = unwrap(await engine.start('case.parent', { items: [5, 5, 6] }))
      expect(instance.variables).toMatchObject({ r: [{ item: 5 }, { item: 5 }, { item: 6 }] })
      expect((await childrenOf(engine, instance.id)).map(({ status }) => status)).toEqual(Array(3).fill('COMPLETED'))
      expect(await notices(engine)).toBe(0)
    })
  }

  it('C20 an inner loop over nothing completes inside a sub-workflow and inside another loop', async () => {
    const engine = new Engine(database())
    await engine.publish(empty)
    await engine.publish(
      document(
        'case.inner',
        { s: 'Start', fe: ['ForEach', { ...childProperties, Items: 'none', ItemVariable: 'x' }], end: 'End' },
        ['s>fe', 'fe>end'],
        { variables: [{ name: 'none', defaultValue: [] }] },
      ),
    )
    await engine.publish(loop({ DefinitionName: 'case.inner', Parallel: true }))
    const { instance } = unwrap(await engine.start('case.parent', { items: [1, 2] }))
    expect(instance.variables).toMatchObject({ childStatuses: ['COMPLETED', 'COMPLETED'] })
  })

  it('runs one child after the other, and goes on with the items that there were at the beginning', async () => {
    const engine = new Engine(database())
    await engine.publish(approval())
    await engine.publish(loop({ Items: ['u5', '{{ second }}', 'u7'] }))
    const { instance } = unwrap(await engine.start('case.parent', { second: 'u6' }))
    const set = { second: 'u8' }
    unwrap(await control(engine, { type: 'setVariables', instanceId: instance.id, set, remove: [] }))
    for (const user of ['u5', 'u6', 'u7']) {
      expect((await engine.tasks()).map(({ key }) => key)).toEqual([user])
      unwrap(await engine.complete(await engine.taskOf(user), user))
      await engine.poll()
    }
    expect((await read(engine, instance.id)).variables).toMatchObject({
      r: [{ item: 'u5' }, { item: 'u6' }, { item: 'u7' }],
      childStatuses: ['COMPLETED', 'COMPLETED', 'COMPLETED'],
    })
    const fe = await database().prisma.nodeInstance.findMany({ where: { instanceId: instance.id, nodeId: 'sub' } })
    expect(fe.map(({ status, attempt }) => [status, attempt])).toEqual([['COMPLETED', 1]])
  })

  it('fails with the first child that fails, and ends the others', async () => {
    const engine = new Engine(database())
    await engine.publish(failing)
    await engine.publish(loop({ Parallel: true }))
    const { instance } = unwrap(await engine.start('case.parent', { items: [1, 2, 3] }, { correlationId: 'K' }))
    const children = await childrenOf(engine, instance.id)
    await goOn(engine, children[1]?.id ?? '')
    await engine.poll()
    expect((await read(engine, instance.id)).fault).toMatchObject({ arguments: { id: children[1]?.id } })
    expect((await childrenOf(engine, instance.id)).map(({ status }) => status)).toEqual([
      'CANCELED',
      'FAULTED',
      'CANCELED',
    ])
  })

  it('without FailFast fails when all have ended, with the fault of the first item that failed', async () => {
    const engine = new Engine(database())
    await engine.publish(failing)
    await engine.publish(loop({ Parallel: true, FailFast: false }))
    const { instance } = unwrap(await engine.start('case.parent', { items: [1, 2] }, { correlationId: 'K' }))
    const [first, second] = await childrenOf(engine, instance.id)
    await goOn(engine, second?.id ?? '')
    await engine.poll()
    expect((await read(engine, instance.id)).status).toBe('RUNNING')
    await goOn(engine, first?.id ?? '')
    await engine.poll()
    expect((await read(engine, instance.id)).fault).toMatchObject({ arguments: { id: first?.id } })
  })

  it('starts none of its children when one of them cannot start', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document('case.child', { s: 'Start', t: ['UserTask', { Assignees: ['u5'] }], end: 'End' }, ['s>t', 't>end'], {
        variables: [{ name: 'amount', required: true }],
      }),
    )
    await engine.publish(loop({ Parallel: true }))
    const { instance } = unwrap(await engine.start('case.parent', { items: [1, 2] }))
    expect(instance).toMatchObject({ status: 'FAULTED', fault: { messageKey: 'workflow.instance.variable_missing' } })
    expect(await database().prisma.instance.count()).toBe(1)
  })
})
