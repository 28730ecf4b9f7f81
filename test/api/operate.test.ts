import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { document } from '../support/engine.js'
import { refusals } from './ask.js'
import { codes, Desk, told } from './desk.js'

const step = (name: string, ...ids: string[]) =>
  document(
    name,
    { s: 'Start', ...Object.fromEntries(ids.map((id) => [id, ['UserTask', { Assignees: ['u1'] }]])), end: 'End' },
    [`s>${ids[0]}`, ...ids.map((id, index) => `${id}>${ids[index + 1] ?? 'end'}`)],
  )
const nested = document(
  'parent',
  { s: 'Start', sub: ['SubWorkflow', { DefinitionName: 'child', ResultVariable: 'r' }], end: 'End' },
  ['s>sub', 'sub>end'],
)

const migrateOne = `mutation ($input: MigrateInstanceInput!) {
  it: migrateInstance(input: $input) { instance { definitionVersion definition { version } tasks { id node { id } } } } }`
const migrateMany = `mutation ($ids: [ID!]!, $targetVersion: Int!) {
  it: migrateInstances(ids: $ids, targetVersion: $targetVersion) { id instance { definitionVersion } error { code } } }`
const purge = 'mutation ($input: PurgeInstancesInput!) { it: purgeInstances(input: $input) { purged } }'

onBothDatabases('operators', (database) => {
  const operate = (desk: Desk, source: string, variables: JsonObject) =>
    desk.ask('operator', source, variables, ['operate'])

  it('C22 move instances to another version, one by one or many, after a trial without effect', async () => {
    const desk = new Desk(database())
    await desk.publish(step('move', 't'))
    const first = told(await desk.start('move')).instance.id
    const second = told(await desk.start('move')).instance.id
    await desk.publish(step('move', 'other', 'more'))
    const [task] = await desk.inbox('u1')
    const input = { id: first, targetVersion: 2 }
    const refused = await operate(desk, migrateOne, { input })
    expect(refused.errors[0]?.extensions).toMatchObject({
      code: 'WORKFLOW_VALIDATION_002',
      messageKey: 'workflow.instance.migration_incompatible',
      violations: [{ path: '$.nodes[1]', messageKey: 'workflow.instance.migration_node_missing' }],
    })
    const mapped = { ...input, nodeMapping: { t: 'other' } }
    expect(told(await operate(desk, migrateOne, { input: { ...mapped, dryRun: true } })).instance).toMatchObject({
      definitionVersion: 1,
    })
    expect(told(await operate(desk, migrateOne, { input: mapped })).instance).toMatchObject({
      definitionVersion: 2,
      definition: { version: 2 },
      tasks: [{ id: task?.id, node: { id: 'other' } }],
    })
    await desk.publish(step('move', 't', 'other'))
    expect(told(await operate(desk, migrateMany, { ids: [first, second, first], targetVersion: 3 }))).toEqual([
      { id: first, instance: { definitionVersion: 3 }, error: null },
      { id: second, instance: { definitionVersion: 3 }, error: null },
      { id: first, instance: null, error: { code: 'WORKFLOW_VALIDATION_002' } },
    ])
    for (const nodeMapping of [[], 'x', { t: 7 }])
      expect(codes(await operate(desk, migrateOne, { input: { ...input, nodeMapping } }))).toEqual([
        'WORKFLOW_VALIDATION_002',
      ])
    expect(codes(await desk.ask('u0', migrateOne, { input }, []))).toEqual(['WORKFLOW_DENIED_003'])
    expect(codes(await desk.ask('stranger', migrateOne, { input }, []))).toEqual(['WORKFLOW_NOTFOUND_002'])
  })

  it('read why a case went where it went: each way considered, what its condition gave, and which was taken', async () => {
    const desk = new Desk(database())
    await desk.publish(
      document('why', { s: 'Start', d: 'Decision', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, [
        's>d',
        'd>end ? amount > 100',
        'd>t default',
        't>end',
      ]),
    )
    const { id } = told(await desk.start('why', { amount: 5 })).instance
    const trail = `query ($id: ID!) { instance(id: $id) { trail { nodes {
      nodeId routing { transitionId condition value taken } } } } }`
    const { data } = await operate(desk, trail, { id })
    expect(data.instance.trail.nodes).toEqual([
      { nodeId: 's', routing: [{ transitionId: 't0', condition: null, value: null, taken: true }] },
      {
        nodeId: 'd',
        routing: [
          { transitionId: 't1', condition: 'amount > 100', value: false, taken: false },
          { transitionId: 't2', condition: null, value: null, taken: true },
        ],
      },
      { nodeId: 't', routing: null },
    ])
  })

  it('hold an instance: its tasks leave the inbox and cannot be answered, and come back when it goes on', async () => {
    const desk = new Desk(database())
    await desk.publish(step('held', 't'))
    const { id } = told(await desk.start('held')).instance
    const taskId = await desk.taskOf('u1')
    const control = (name: string, type: string) =>
      operate(desk, `mutation ($input: ${type}!) { it: ${name}(input: $input) { instance { status } } }`, {
        input: { id },
      })
    told(await control('suspendInstance', 'InstanceReasonInput'))
    expect(await desk.inbox('u1')).toEqual([])
    expect(codes(await desk.act('u1', 'approveTask', { taskId }))).toEqual(['WORKFLOW_CONFLICT_003'])
    told(await control('resumeInstance', 'IdInput'))
    expect(await desk.taskOf('u1')).toBe(taskId)
    expect(told(await desk.approve('u1')).instance.status).toBe('COMPLETED')
  })

  it('purge what has ended, within the limits', async () => {
    const desk = new Desk(database())
    await desk.publish(step('gone', 't'))
    const { id } = told(await desk.start('gone')).instance
    told(await desk.approve('u1'))
    told(await desk.start('gone'))
    const input = { endedBefore: '2026-01-06T00:00:00.000Z' }
    expect(codes(await desk.ask('u0', purge, { input }, []))).toEqual(['WORKFLOW_DENIED_003'])
    for (const wrong of [{ limit: 0 }, { limit: 1001 }, { statuses: ['RUNNING'] }])
      expect(refusals(await operate(desk, purge, { input: { ...input, ...wrong } }))).toHaveLength(1)
    expect(told(await operate(desk, purge, { input }))).toEqual({ purged: 1 })
    expect(told(await operate(desk, purge, { input }))).toEqual({ purged: 0 })
    expect(await desk.instance(id)).toBeNull()
    expect(await desk.inbox('u1')).toHaveLength(1)
  })

  it('C21 see parent and child from both sides', async () => {
    const desk = new Desk(database())
    await desk.publish(step('child', 't'))
    await desk.publish(nested)
    const { id } = told(await desk.start('parent', {}, { correlationId: 'K' })).instance
    const source = `query ($id: ID!) { instance(id: $id) { status bookmarks { kind nodeId }
      children { totalCount nodes { status correlationId starter { id } parent { id } } } } }`
    const look = async () => (await operate(desk, source, { id })).data.instance
    const child = { correlationId: 'K', starter: { id: 'u0' }, parent: { id } }
    expect(await look()).toEqual({
      status: 'RUNNING',
      bookmarks: [{ kind: 'SUB_WORKFLOW', nodeId: 'sub' }],
      children: { totalCount: 1, nodes: [{ status: 'RUNNING', ...child }] },
    })
    told(await desk.approve('u1'))
    await desk.poll()
    expect(await look()).toMatchObject({
      status: 'COMPLETED',
      bookmarks: [],
      children: { nodes: [{ status: 'COMPLETED' }] },
    })
  })
})
