import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { document } from '../support/engine.js'
import { person, refusals } from './ask.js'
import { Desk, told } from './desk.js'

const orders = document(
  'orders',
  { s: 'Start', x: ['ExternalTask', { Topic: 'ship', Payload: { order: '{{ no }}' } }], end: 'End' },
  ['s>x', 'x>end'],
)

const fetchTasks = `mutation ($input: FetchExternalTasksInput!) { it: fetchExternalTasks(input: $input) {
  tasks { id topic payload attempt lockedUntil instance { id status definitionName } } } }`
const complete = `mutation ($input: CompleteExternalTaskInput!) {
  it: completeExternalTask(input: $input) { instance { id status variables } } }`
const fail = `mutation ($input: FailExternalTaskInput!) {
  it: failExternalTask(input: $input) { instance { id status fault { messageKey arguments message } } } }`
const extend = `mutation ($input: ExtendExternalTaskLockInput!) {
  it: extendExternalTaskLock(input: $input) { id lockedUntil instance { id } } }`

const asked: JsonObject = { topic: 'ship', workerId: 'a', lockSeconds: 60 }
const work = person('w', ['work']).permissions

onBothDatabases('external tasks through the API', (database) => {
  it('are fetched, extended and completed by whoever may work', async () => {
    const desk = new Desk(database())
    await desk.publish(orders)
    const instanceId = told(await desk.start('orders', { no: 'A-1' })).instance.id
    const { tasks } = told(await desk.ask('w', fetchTasks, { input: asked }, work))
    expect(tasks).toEqual([
      {
        id: expect.any(String),
        topic: 'ship',
        payload: { order: 'A-1' },
        attempt: 1,
        lockedUntil: new Date(desk.clock.time + 60_000).toISOString(),
        instance: { id: instanceId, status: 'RUNNING', definitionName: 'orders' },
      },
    ])
    const { id } = tasks[0]
    desk.clock.time += 1000
    const extended = told(await desk.ask('w', extend, { input: { id, workerId: 'a', lockSeconds: 90 } }, work))
    expect(extended).toEqual({
      id,
      lockedUntil: new Date(desk.clock.time + 90_000).toISOString(),
      instance: { id: instanceId },
    })
    const denied = await desk.ask('w', complete, { input: { id, workerId: 'b' } }, work)
    expect(refusals(denied)).toEqual([['WORKFLOW_DENIED_002', 'workflow.external.not_locked']])
    const done = told(await desk.ask('w', complete, { input: { id, workerId: 'a', variables: { ok: 1 } } }, work))
    expect(done.instance).toEqual({ id: instanceId, status: 'COMPLETED', variables: { no: 'A-1', ok: 1 } })
    const wrong = await desk.ask('w', complete, { input: { id, workerId: 'a', variables: [1] } }, work)
    expect(refusals(wrong)).toEqual([['WORKFLOW_VALIDATION_002', 'workflow.input.object_expected']])
  })

  it('need the permission to work', async () => {
    const desk = new Desk(database())
    const task = { id: '00000000-0000-7000-8000-00000000dead', workerId: 'a' }
    const attempts: [string, JsonObject][] = [
      [fetchTasks, asked],
      [complete, task],
      [fail, { ...task, error: 'e' }],
      [extend, { ...task, lockSeconds: 1 }],
    ]
    for (const [source, input] of attempts) {
      const refused = [['WORKFLOW_DENIED_003', 'workflow.access.permission_missing']]
      expect(refusals(await desk.ask('w', source, { input }, ['operate', 'design']))).toEqual(refused)
      const found = refusals(await desk.ask('w', source, { input }, ['admin']))
      expect(found).toEqual(source === fetchTasks ? [] : [['WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found']])
    }
  })

  it('refuse what is out of range', async () => {
    const desk = new Desk(database())
    for (const more of [{ maxTasks: 101 }, { maxTasks: 0 }, { lockSeconds: 0 }, { waitSeconds: 61 }]) {
      const answer = await desk.ask('w', fetchTasks, { input: { ...asked, ...more } }, work)
      expect(refusals(answer)).toEqual([['WORKFLOW_VALIDATION_002', 'workflow.input.out_of_range']])
    }
    const nobody = await desk.ask('w', fetchTasks, { input: { ...asked, workerId: ' ' } }, work)
    expect(refusals(nobody)).toEqual([['WORKFLOW_VALIDATION_002', 'workflow.input.name_invalid']])
  })

  it('C25 a failure is recorded whatever its text holds; any other text is refused', async () => {
    const desk = new Desk(database())
    await desk.publish(orders)
    await desk.start('orders', { no: 'A-1' })
    const { tasks } = told(await desk.ask('w', fetchTasks, { input: asked }, work))
    const input = { id: tasks[0].id, workerId: 'a', error: 'bad \0 and \ud83d' }
    const refused = [['WORKFLOW_VALIDATION_002', 'workflow.value.character_invalid']]
    expect(refusals(await desk.ask('w', fail, { input: { ...input, workerId: 'a\0' } }, work))).toEqual(refused)
    const variables = { a: '\0' }
    expect(
      refusals(await desk.ask('w', complete, { input: { id: input.id, workerId: 'a', variables } }, work)),
    ).toEqual(refused)
    const failed = told(await desk.ask('w', fail, { input }, work))
    expect(failed.instance).toMatchObject({
      status: 'FAULTED',
      fault: {
        messageKey: 'workflow.external.task_failed',
        arguments: { error: 'bad \uFFFD and \uFFFD' },
        message: 'The worker reports: bad \uFFFD and \uFFFD',
      },
    })
  })

  it('a call that waits for its worker shows nobody what it will send', async () => {
    const desk = new Desk(database())
    const Headers = { Authorization: 'Bearer {{ token }}' }
    await desk.publish(
      document('calls', { s: 'Start', h: ['Http', { Url: 'https://a.example', Headers }], end: 'End' }, [
        's>h',
        'h>end',
      ]),
    )
    const { instance } = told(await desk.start('calls', { token: 'abc' }))
    const source = 'query ($id: ID!) { instance(id: $id) { bookmarks { kind key payload } } }'
    const { data } = await desk.ask('u0', source, { id: instance.id })
    expect(data.instance.bookmarks).toEqual([{ kind: 'JOB', key: 'http', payload: null }])
  })
})
