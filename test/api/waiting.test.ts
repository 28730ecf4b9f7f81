import { uuidv7 } from 'uuidv7'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { document } from '../support/engine.js'
import { refusals } from './ask.js'
import { Desk, told } from './desk.js'

const waits = document(
  'waits',
  { s: 'Start', d: ['Delay', { Duration: 60 }], t: ['UserTask', { Assignees: ['u1'] }], end: 'End' },
  ['s>d', 'd>t', 't>end'],
)
const hears = document('hears', { s: 'Start', w: ['WaitSignal', { SignalName: 'go' }], end: 'End' }, ['s>w', 'w>end'])

const bookmarksOf = 'query ($id: ID!) { instance(id: $id) { bookmarks { id kind key dueAt } } }'
const resumeWith = `mutation ($input: ResumeBookmarkInput!) {
  it: resumeBookmark(input: $input) { instance { id status variables } } }`
const signalWith = 'mutation ($input: SignalInput!) { it: signal(input: $input) { resumed started } }'

async function waitingOf(desk: Desk, id: string) {
  return (await desk.ask('op', bookmarksOf, { id }, ['operate'])).data.instance.bookmarks
}

onBothDatabases('waiting through the API', (database) => {
  const resume = (desk: Desk, input: JsonObject, user = 'op') =>
    desk.ask(user, resumeWith, { input }, user === 'op' ? ['operate'] : [])
  const send = (desk: Desk, input: JsonObject) => desk.ask('op', signalWith, { input }, ['work'])

  it('an operator resumes a timer before its time, with inputs, once', async () => {
    const desk = new Desk(database())
    await desk.publish(waits)
    const { id } = told(await desk.start('waits')).instance
    const [timer] = await waitingOf(desk, id)
    expect(timer).toMatchObject({ kind: 'TIMER', key: null, dueAt: '2026-01-05T09:01:00.000Z' })
    expect(refusals(await resume(desk, { id: timer.id }, 'u0'))).toEqual([
      ['WORKFLOW_DENIED_003', 'workflow.access.permission_missing'],
    ])
    expect(refusals(await resume(desk, { id: timer.id, expectedKey: 'go' }))).toEqual([
      ['WORKFLOW_CONFLICT_003', 'workflow.bookmark.key_mismatch'],
    ])
    expect(refusals(await resume(desk, { id: timer.id, inputs: [1] }))).toEqual([
      ['WORKFLOW_VALIDATION_002', 'workflow.input.object_expected'],
    ])
    expect(told(await resume(desk, { id: timer.id, inputs: { early: true } })).instance).toMatchObject({
      status: 'RUNNING',
      variables: { early: true },
    })
    for (const gone of [timer.id, uuidv7(), 'none'])
      expect(refusals(await resume(desk, { id: gone }))).toEqual([
        ['WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found'],
      ])
    expect(await desk.inbox('u1')).toHaveLength(1)
  })

  it('a task that is resumed without an outcome is not approved: it comes again under a new id', async () => {
    const desk = new Desk(database())
    await desk.publish(waits)
    const { id } = told(await desk.start('waits')).instance
    desk.clock.time += 60_000
    await desk.poll()
    const before = await desk.taskOf('u1')
    expect(told(await resume(desk, { id: before, inputs: { amount: 1 } })).instance.status).toBe('RUNNING')
    const after = await desk.taskOf('u1')
    expect(after).not.toBe(before)
    expect(told(await resume(desk, { id: after, inputs: { outcome: 'approved' } })).instance.status).toBe('COMPLETED')
    expect((await desk.instance(id)).history.nodes).toMatchObject([{ actor: { id: 'op' }, outcome: 'approved' }])
  })

  it('a start that is put off begins at its time', async () => {
    const desk = new Desk(database())
    await desk.publish(hears)
    const { id, status } = told(
      await desk.start('hears', {}, { startAt: '2026-01-06T09:00:00+08:00', correlationId: 'K' }),
    ).instance
    expect(status).toBe('RUNNING')
    expect(await waitingOf(desk, id)).toMatchObject([{ kind: 'TIMER', dueAt: '2026-01-06T01:00:00.000Z' }])
    desk.clock.time = Date.parse('2026-01-06T01:00:00Z')
    await desk.poll()
    expect(await waitingOf(desk, id)).toMatchObject([{ kind: 'SIGNAL', key: 'go' }])
  })

  it('C17 a held signal reaches the waiter that comes in time, and a key is answered once', async () => {
    const desk = new Desk(database())
    await desk.publish(hears)
    const input = { name: 'go', correlationId: 'K', payload: { a: 1 }, holdSeconds: 60, idempotencyKey: 'k1' }
    expect(told(await send(desk, input))).toEqual({ resumed: 0, started: 0 })
    expect(told(await send(desk, input))).toEqual({ resumed: 0, started: 0 })
    expect(await database().prisma.heldSignal.count()).toBe(1)
    expect(refusals(await send(desk, { ...input, holdSeconds: 61 }))).toEqual([
      ['WORKFLOW_CONFLICT_006', 'workflow.idempotency.key_reused'],
    ])
    expect(refusals(await send(desk, { name: 'go', holdSeconds: -1 }))).toEqual([
      ['WORKFLOW_VALIDATION_002', 'workflow.signal.hold_invalid'],
    ])
    const { id } = told(await desk.start('hears', {}, { correlationId: 'K' })).instance
    await desk.poll()
    expect(await desk.instance(id)).toMatchObject({ status: 'COMPLETED', variables: { signal: { a: 1 } } })
  })

  it('a definition with a wrong timer is refused at publish, with the place and the words', async () => {
    const desk = new Desk(database())
    const wrong = document('wrong', { s: ['Start', { Cron: '0 0 30 2 *' }], d: ['Delay', { Until: 'soon?' }] }, ['s>d'])
    const source = `query ($document: JSON!) {
      validateDefinition(document: $document) { severity path messageKey message } }`
    const { data } = await desk.ask('designer', source, { document: wrong }, ['design'])
    const errors = data.validateDefinition.filter(({ severity }: { severity: string }) => severity === 'ERROR')
    expect(errors).toMatchObject([
      {
        path: '$.nodes[0].properties.Cron',
        messageKey: 'workflow.activity.property_cron_never',
        message: 'The schedule 0 0 30 2 * of node “s” (Cron) never comes.',
      },
      { path: '$.nodes[1].properties.Until', messageKey: 'workflow.activity.property_time' },
    ])
  })
})
