import { expect, it } from 'vitest'
import { createDefinition } from '../../src/catalog.js'
import type { JsonObject } from '../../src/engine/model.js'
import { handle } from '../../src/handle.js'
import { onBothDatabases } from '../support/databases.js'
import { designer, document, Engine, unwrap } from '../support/engine.js'

const vote = (properties: JsonObject, timeout: string): [string, JsonObject, JsonObject] => [
  'UserTask',
  {
    CompletionPolicy: 'All',
    Assignees: ['u1', 'u2', 'u3'],
    ApprovalThreshold: 2,
    ReminderAfterSeconds: 3600,
    ...properties,
  },
  { timeout },
]
const v1 = document('case.c22', { s: 'Start', t: vote({}, '1.00:00:00'), end: 'End' }, ['s>t', 't>end'])
const v2 = document(
  'case.c22',
  { s: 'Start', t: vote({ Title: 'another' }, '2.00:00:00'), x: ['UserTask', { Assignees: ['u9'] }], end: 'End' },
  ['s>t', 't>x', 'x>end'],
)

function migrate(engine: Engine, instanceId: string, targetVersion: number, more: JsonObject = {}) {
  const command = { type: 'migrate', instanceId, targetVersion, nodeMapping: {}, dryRun: false, ...more } as const
  return handle(engine.runtime, designer, command)
}

onBothDatabases('migration of a live instance', (database) => {
  const read = (id: string) => database().prisma.instance.findFirstOrThrow({ where: { id } })
  const bookmarks = (instanceId: string) =>
    database().prisma.bookmark.findMany({ where: { instanceId }, orderBy: { seq: 'asc' } })

  it('C22 keeps tasks, votes and armed timers, and goes on along the edges of the target', async () => {
    const engine = new Engine(database())
    await engine.publish(v1)
    await engine.publish(v2)
    const { instance } = unwrap(
      await engine.start('case.c22', {}, {}, { definition: { name: 'case.c22', version: 1 } }),
    )
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    engine.clock.time += 1_800_000
    const before = await bookmarks(instance.id)
    const dry = unwrap(await migrate(engine, instance.id, 2, { dryRun: true }))
    expect(dry.instance).toMatchObject({ definitionVersion: 1, revision: 2 })
    expect((await read(instance.id)).revision).toBe(2)
    const moved = unwrap(await migrate(engine, instance.id, 2))
    expect(moved.instance).toMatchObject({ definitionVersion: 2, revision: 3 })
    expect(await bookmarks(instance.id)).toEqual(before)
    const event = await database().prisma.event.findFirst({ where: { type: 'workflow.instance.migrated' } })
    expect(event).toMatchObject({ instanceId: instance.id, actorId: 'designer', data: { from: 1, to: 2 } })
    unwrap(await engine.complete(await engine.taskOf('u2'), 'u2'))
    expect((await engine.tasks(instance.id)).map(({ key }) => key)).toEqual(['u9'])
    const run = await database().prisma.nodeInstance.findFirst({ where: { instanceId: instance.id, nodeId: 't' } })
    expect(run?.state).toMatchObject({ approved: ['u1', 'u2'] })
    unwrap(await engine.complete(await engine.taskOf('u9'), 'u9'))
    expect((await read(instance.id)).status).toBe('COMPLETED')
  })

  it('C22 refuses what does not fit, and leaves the instance on its version', async () => {
    const engine = new Engine(database())
    await engine.publish(v1)
    await engine.publish(v2)
    await engine.publish(
      document('case.c22', { s: 'Start', y: ['UserTask', { Assignees: ['u9'] }], end: 'End' }, ['s>y', 'y>end']),
    )
    await engine.publish(
      document('case.c22', { s: 'Start', t: ['Log', { Message: 'no task' }], end: 'End' }, ['s>t', 't>end']),
    )
    unwrap(await createDefinition(engine.runtime, designer, v2))
    const { instance } = unwrap(
      await engine.start('case.c22', {}, {}, { definition: { name: 'case.c22', version: 1 } }),
    )
    const refusals = [
      [3, {}, 'WORKFLOW_VALIDATION_002', 'workflow.instance.migration_incompatible'],
      [4, {}, 'WORKFLOW_VALIDATION_002', 'workflow.instance.migration_incompatible'],
      [5, {}, 'WORKFLOW_NOTFOUND_001', 'workflow.definition.not_published'],
      [6, {}, 'WORKFLOW_NOTFOUND_001', 'workflow.definition.not_published'],
      [1, {}, 'WORKFLOW_VALIDATION_002', 'workflow.instance.migration_same_version'],
      [2, { nope: 't' }, 'WORKFLOW_VALIDATION_002', 'workflow.instance.migration_incompatible'],
      [3, { t: 'nope' }, 'WORKFLOW_VALIDATION_002', 'workflow.instance.migration_incompatible'],
      [3, { t: 'end' }, 'WORKFLOW_VALIDATION_002', 'workflow.instance.migration_incompatible'],
    ] as const
    for (const [version, nodeMapping, code, messageKey] of refusals)
      for (const dryRun of [true, false])
        expect(await migrate(engine, instance.id, version, { nodeMapping, dryRun })).toMatchObject({ code, messageKey })
    expect(await migrate(engine, instance.id, 3)).toMatchObject({
      violations: [{ path: '$.nodes[1]', messageKey: 'workflow.instance.migration_node_missing' }],
    })
    expect(await migrate(engine, instance.id, 4)).toMatchObject({
      violations: [
        { messageKey: 'workflow.instance.migration_type_differs', arguments: { from: 'UserTask', to: 'Log' } },
      ],
    })
    expect(await read(instance.id)).toMatchObject({ definitionVersion: 1, revision: 1 })
    const foreign = { ...designer, tenantId: 't2' }
    const command = {
      type: 'migrate',
      instanceId: instance.id,
      targetVersion: 2,
      nodeMapping: {},
      dryRun: false,
    } as const
    expect(await handle(engine.runtime, foreign, command)).toMatchObject({ code: 'WORKFLOW_NOTFOUND_002' })
    unwrap(await handle(engine.runtime, designer, { type: 'cancel', instanceId: instance.id, reason: null }))
    expect(await migrate(engine, instance.id, 2)).toMatchObject({ code: 'WORKFLOW_CONFLICT_001' })
  })

  it('C22 follows a node that has another id in the target, suspended or not', async () => {
    const engine = new Engine(database())
    await engine.publish(v1)
    await engine.publish(
      document('case.c22', { s: 'Start', vote: vote({}, '1.00:00:00'), end: 'End' }, ['s>vote', 'vote>end']),
    )
    const definition = { name: 'case.c22', version: 1 }
    const { instance } = unwrap(await engine.start('case.c22', {}, {}, { definition }))
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    unwrap(await handle(engine.runtime, designer, { type: 'suspend', instanceId: instance.id, reason: null }))
    const moved = unwrap(await migrate(engine, instance.id, 2, { nodeMapping: { t: 'vote' } }))
    expect(moved.instance.status).toBe('SUSPENDED')
    expect(new Set((await bookmarks(instance.id)).map(({ nodeId }) => nodeId))).toEqual(new Set(['vote']))
    unwrap(await handle(engine.runtime, designer, { type: 'resume', instanceId: instance.id }))
    unwrap(await engine.complete(await engine.taskOf('u3'), 'u3'))
    expect((await read(instance.id)).status).toBe('COMPLETED')
  })

  const forked = (edges: string[], more: { [id: string]: [string, JsonObject] } = {}) =>
    document(
      'case.c22',
      {
        s: 'Start',
        fork: 'Parallel',
        a: ['UserTask', { Assignees: ['u1'] }],
        b: ['UserTask', { Assignees: ['u2'] }],
        join: 'Join',
        ...more,
        end: 'End',
      },
      ['s>fork', 'fork>a', 'fork>b', ...edges],
    )

  it('C22 keeps the arrival at a join', async () => {
    const engine = new Engine(database())
    await engine.publish(forked(['a>join', 'b>join', 'join>end']))
    await engine.publish(forked(['a>join', 'b>join', 'join>x', 'x>end'], { x: ['UserTask', { Assignees: ['u9'] }] }))
    const definition = { name: 'case.c22', version: 1 }
    const { instance } = unwrap(await engine.start('case.c22', {}, {}, { definition }))
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    unwrap(await migrate(engine, instance.id, 2))
    unwrap(await engine.complete(await engine.taskOf('u2'), 'u2'))
    expect((await engine.tasks(instance.id)).map(({ key }) => key)).toEqual(['u9'])
  })

  it('C22 a join that waits for nothing more in the target goes on', async () => {
    const engine = new Engine(database())
    await engine.publish(forked(['a>join', 'b>join', 'join>end']))
    await engine.publish(forked(['a>join', 'b>y', 'join>y', 'y>end'], { y: ['UserTask', { Assignees: ['u9'] }] }))
    const definition = { name: 'case.c22', version: 1 }
    const { instance } = unwrap(await engine.start('case.c22', {}, {}, { definition }))
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    unwrap(await migrate(engine, instance.id, 2))
    expect((await engine.tasks(instance.id)).map(({ key }) => key)).toEqual(['u2', 'u9'])
  })
})
