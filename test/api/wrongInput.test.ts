import { uuidv7 } from 'uuidv7'
import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/model.js'
import type { Database } from '../../src/persistence/database.js'
import { onBothDatabases } from '../support/databases.js'
import { document } from '../support/engine.js'
import { ask, person, refusals } from './ask.js'
import { codes, Desk, told } from './desk.js'

const claim = document(
  'claim',
  { s: 'Start', t: ['UserTask', { Assignees: ['u1'], Title: '{{ amount }}' }], end: 'End' },
  ['s>t', 't>end'],
  { variables: [{ name: 'amount', required: true }] },
)

/** Everything that is stored, as far as a refused call could have changed it. */
async function stored({ prisma }: Database): Promise<unknown> {
  return {
    definitions: await prisma.definition.count(),
    instances: await prisma.instance.findMany({ select: { id: true, revision: true, variables: true } }),
    bookmarks: await prisma.bookmark.count(),
    records: await prisma.taskRecord.count(),
    events: await prisma.event.count(),
    keys: await prisma.idempotencyKey.count(),
  }
}

const deep = (levels: number): Json => {
  let value: Json = 1
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}
const huge = 'x'.repeat(2 * 1024 * 1024)
const unknown = uuidv7()

const starts: [string, JsonObject, string][] = [
  ['an unknown definition', { name: 'nothing', variables: {} }, 'workflow.definition.not_published'],
  ['an unknown version', { name: 'claim', version: 9, variables: { amount: 1 } }, 'workflow.definition.not_published'],
  ['an unknown definition id', { definitionId: unknown }, 'workflow.definition.not_published'],
  ['a definition id that is none', { definitionId: 'x' }, 'workflow.definition.not_found'],
  ['neither name nor id', { variables: { amount: 1 } }, 'workflow.instance.definition_choice_invalid'],
  ['name and id', { name: 'claim', definitionId: unknown }, 'workflow.instance.definition_choice_invalid'],
  ['no required variable', { name: 'claim' }, 'workflow.instance.variable_missing'],
  ['variables that are a list', { name: 'claim', variables: [1] }, 'workflow.input.object_expected'],
  ['variables that are a text', { name: 'claim', variables: 'amount' }, 'workflow.input.object_expected'],
  ['a NUL', { name: 'claim', variables: { amount: 'x\u0000y' } }, 'workflow.value.character_invalid'],
  ['a NUL in a key', { name: 'claim', variables: { amount: 1, 'k\u0000': 1 } }, 'workflow.value.character_invalid'],
  ['half an emoji', { name: 'claim', variables: { amount: '\ud83d' } }, 'workflow.value.character_invalid'],
  ['a NUL as correlation id', { name: 'claim', correlationId: '\u0000' }, 'workflow.value.character_invalid'],
  ['a blank correlation id', { name: 'claim', correlationId: '  ' }, 'workflow.instance.correlation_blank'],
  ['a NUL in the title', { name: 'claim', displayName: 'a\u0000' }, 'workflow.value.character_invalid'],
  ['too deep variables', { name: 'claim', variables: { amount: deep(65) } }, 'workflow.value.too_deep'],
  ['2 MiB of variables', { name: 'claim', variables: { amount: huge } }, 'workflow.value.too_large'],
  ['an instance id that is none', { name: 'claim', instanceId: 'me' }, 'workflow.instance.id_invalid'],
]

const startWith = `mutation ($input: StartInstanceInput!) { it: startInstance(input: $input) { instance { id } } }`

onBothDatabases('wrong input', (database) => {
  it.each(starts)('to a start, %s, is refused with its code and writes nothing', async (_what, input, key) => {
    const desk = new Desk(database())
    await desk.publish(claim)
    const before = await stored(database())
    const answer = await desk.ask('u0', startWith, { input })
    expect(refusals(answer).map((refusal) => (refusal as string[])[1])).toEqual([key])
    expect(codes(answer)[0]).toMatch(/^WORKFLOW_(VALIDATION_00[24]|NOTFOUND_001)$/)
    expect(await stored(database())).toEqual(before)
  })

  it('C25 a whole emoji comes back as it was', async () => {
    const desk = new Desk(database())
    await desk.publish(claim)
    const amount = '😀 \ud83d\ude00 \u001f \u2028 "'
    const { id } = told(await desk.start('claim', { amount })).instance
    expect((await desk.instance(id)).variables.amount).toBe(amount)
    told(await desk.approve('u1', { comment: '👍🏽' }))
  })

  it('to a task is refused with its code, names the path and writes nothing', async () => {
    const desk = new Desk(database())
    await desk.publish(claim)
    told(await desk.start('claim', { amount: 5 }))
    const taskId = await desk.taskOf('u1')
    const before = await stored(database())
    const tries: [string, JsonObject, string, string][] = [
      ['approveTask', { taskId: unknown }, 'WORKFLOW_NOTFOUND_003', 'workflow.task.not_found'],
      ['approveTask', { taskId: 'x' }, 'WORKFLOW_NOTFOUND_003', 'workflow.task.not_found'],
      ['approveTask', { taskId: '\u0000' }, 'WORKFLOW_VALIDATION_002', 'workflow.value.character_invalid'],
      ['approveTask', { taskId, comment: 'no\u0000' }, 'WORKFLOW_VALIDATION_002', 'workflow.value.character_invalid'],
      ['approveTask', { taskId, comment: '\udc00' }, 'WORKFLOW_VALIDATION_002', 'workflow.value.character_invalid'],
      ['approveTask', { taskId, variables: [] }, 'WORKFLOW_VALIDATION_002', 'workflow.input.object_expected'],
      [
        'approveTask',
        { taskId, variables: { a: '\ud83d' } },
        'WORKFLOW_VALIDATION_002',
        'workflow.value.character_invalid',
      ],
      ['approveTask', { taskId, variables: { a: huge } }, 'WORKFLOW_VALIDATION_004', 'workflow.value.too_large'],
      ['approveTask', { taskId, expectedRevision: 99 }, 'WORKFLOW_CONFLICT_006', 'workflow.instance.revision_changed'],
      ['completeTask', { taskId, outcome: 'maybe' }, 'WORKFLOW_VALIDATION_002', 'workflow.task.outcome_not_allowed'],
      ['completeTask', { taskId, outcome: '' }, 'WORKFLOW_VALIDATION_002', 'workflow.task.outcome_not_allowed'],
      ['transferTask', { taskId, toUserId: ' ' }, 'WORKFLOW_VALIDATION_002', 'workflow.task.target_missing'],
      ['transferTask', { taskId, toUserId: 'u1' }, 'WORKFLOW_CONFLICT_004', 'workflow.task.already_assignee'],
      ['addAssignees', { taskId, userIds: [] }, 'WORKFLOW_VALIDATION_002', 'workflow.task.target_missing'],
      ['returnTask', { taskId, toNodeId: 'end' }, 'WORKFLOW_VALIDATION_002', 'workflow.task.return_target_invalid'],
      ['returnTask', { taskId, toNodeId: 'nowhere' }, 'WORKFLOW_VALIDATION_002', 'workflow.task.return_target_invalid'],
    ]
    for (const [mutation, input, code, key] of tries)
      expect([mutation, input, ...refusals(await desk.act('u1', mutation, input))]).toEqual([
        mutation,
        input,
        [code, key],
      ])
    const path = await desk.act('u1', 'approveTask', { taskId, variables: { a: ['ok', 'x\u0000'] } })
    expect(path.errors[0]?.message).toContain('$.input.variables.a[1]')
    for (const mutation of ['approveTask', 'claimTask', 'urgeTask', 'returnTask'])
      expect(codes(await desk.act('u7', mutation, { taskId }))[0]).toMatch(/^WORKFLOW_DENIED_00[12]$/)
    expect(codes(await desk.act('u7', 'approveTask', { taskId, onBehalfOf: 'u1' }))).toEqual(['WORKFLOW_DENIED_001'])
    expect(await stored(database())).toEqual(before)
  })

  it('of a foreign partition finds nothing, with the words for what never existed', async () => {
    const desk = new Desk(database())
    await desk.publish(claim)
    const { id } = told(await desk.start('claim', { amount: 5 })).instance
    const taskId = await desk.taskOf('u1')
    const before = await stored(database())
    const stranger = person('u1', ['admin'], { tenantId: 'globex' })
    const refused = async (source: string, input: JsonObject) =>
      (await ask(database(), stranger, source, { input })).errors.map(({ message }) => message)
    const approve = 'mutation ($input: ApproveTaskInput!) { approveTask(input: $input) { instance { id } } }'
    expect(await refused(approve, { taskId })).toEqual([`There is no open task “${taskId}”.`])
    const cancel = 'mutation ($input: InstanceReasonInput!) { cancelInstance(input: $input) { instance { id } } }'
    expect(await refused(cancel, { id })).toEqual([`There is no instance “${id}”.`])
    const start = await ask(database(), stranger, startWith, { input: { name: 'claim', variables: { amount: 1 } } })
    expect(codes(start)).toEqual(['WORKFLOW_NOTFOUND_001'])
    expect(await stored(database())).toEqual(before)
  })

  it('to a page is refused before any query', async () => {
    const desk = new Desk(database())
    for (const list of ['tasks', 'instances', 'definitions', 'taskRecords'])
      for (const page of ['first: 0', 'first: 1001', 'first: -1', 'last: 0', 'skip: -1', 'first: 1, last: 1'])
        expect(codes(await desk.ask('u1', `{ ${list}(${page}) { totalCount } }`))).toEqual(['WORKFLOW_VALIDATION_002'])
    for (const list of ['tasks', 'instances', 'definitions'])
      expect(codes(await desk.ask('u1', `{ ${list}(after: "junk") { nodes { id } } }`))).toEqual([
        'WORKFLOW_VALIDATION_002',
      ])
  })

  it('to a definition is told with all its problems and their paths', async () => {
    const desk = new Desk(database())
    const source =
      'mutation ($document: JSON!) { createDefinition(input: { document: $document }) { definition { id } } }'
    const create = (value: Json) => desk.ask('d', source, { document: value }, ['design'])
    for (const [value, key] of [
      [null, 'workflow.definition.json_null'],
      [7, 'workflow.definition.json_malformed'],
      ['{', 'workflow.definition.json_malformed'],
      [[], 'workflow.definition.json_malformed'],
      [{}, 'workflow.definition.invalid'],
      [{ ...claim, displayName: 'x\u0000' }, 'workflow.value.character_invalid'],
      [{ ...claim, description: huge }, 'workflow.value.too_large'],
    ] as const) {
      const answer = await create(value as Json)
      // A document that is null is refused by GraphQL itself: the argument may not be.
      if (value !== null) expect(refusals(answer).map((refusal) => (refusal as string[])[1])).toEqual([key])
      else expect(answer.errors).toHaveLength(1)
    }
    const { nodes } = claim as { nodes: JsonObject[] }
    const broken = {
      ...claim,
      nodes: [...nodes, { id: 'bad id!', activityType: 5 }, { activityType: 'End' }],
      version: 0,
    }
    const [error] = (await create(broken)).errors
    const violations = error?.extensions.violations as { path: string; messageKey: string; message: string }[]
    expect(violations.map(({ path, messageKey }) => [path, messageKey]).sort()).toEqual([
      ['$.nodes[3].activityType', 'workflow.definition.json_malformed'],
      ['$.nodes[3].id', 'workflow.definition.node_id_invalid'],
      ['$.nodes[4]', 'workflow.definition.member_missing'],
      ['$.version', 'workflow.definition.version_invalid'],
    ])
    expect(violations.every(({ message }) => message.length > 10)).toBe(true)
    expect(await database().prisma.definition.count()).toBe(0)
  })
})
