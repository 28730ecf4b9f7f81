import { describe, expect, it } from 'vitest'
import type { ExternalTaskCommand } from '../../src/engine/externalTasks.js'
import type { BookmarkState, JsonObject, WorkflowNode } from '../../src/engine/model.js'
import { define, person, Run } from '../support/run.js'

function shipping(properties: JsonObject = { Topic: 'ship' }, options: Partial<WorkflowNode> = {}) {
  return define({
    nodes: { s: 'Start', x: ['ExternalTask', properties, options], t: ['UserTask', { Assignees: ['u1'] }], end: 'End' },
    edges: ['s>x', 'x>t', 't>end'],
  })
}

function taskOf(run: Run): BookmarkState {
  const task = [...run.bookmarks.values()].find(({ kind }) => kind === 'EXTERNAL')
  if (!task) throw new Error('there is no external task')
  return task
}

/** What a fetch does. */
function lock(run: Run, by: string, milliseconds = 1000): string {
  const task = taskOf(run)
  task.lock = { by, until: run.now + milliseconds }
  return task.id
}

const worker = person('w', 'work')
const complete = (run: Run, bookmarkId: string, workerId: string, variables: JsonObject = {}) =>
  run.do({ type: 'completeExternalTask', bookmarkId, workerId, variables }, worker)
const failing = (bookmarkId: string, retryAfter: number | null): ExternalTaskCommand => ({
  type: 'failExternalTask',
  bookmarkId,
  workerId: 'a',
  error: 'no stock',
  retryAfter,
})
const types = (run: Run) => run.events.map(({ type }) => type).filter((type) => type.startsWith('workflow.external'))

describe('an external task', () => {
  it('waits under its topic with its payload, and goes on with the variables of the worker that holds it', () => {
    const run = new Run(shipping({ Topic: '{{ area }}.ship', Payload: { order: '{{ no }}', n: 1 } }), {
      area: 'eu',
      no: 'A-7',
    })
    expect(taskOf(run)).toMatchObject({
      key: 'eu.ship',
      payload: { payload: { order: 'A-7', n: 1 }, attempt: 1 },
      dueAt: null,
    })
    expect(complete(run, lock(run, 'a'), 'a', { shipped: true })).toBeNull()
    expect(run.instance.variables).toMatchObject({ shipped: true })
    expect(run.people()).toEqual(['u1'])
    expect(types(run)).toEqual(['workflow.external.created', 'workflow.external.completed'])
  })

  it('is not for a worker without its lock, with the lock of another or an expired one', () => {
    const run = new Run(shipping())
    const denied = { code: 'WORKFLOW_DENIED_002', messageKey: 'workflow.external.not_locked' }
    const { id } = taskOf(run)
    expect(complete(run, id, 'a')).toMatchObject(denied)
    lock(run, 'b', 1000)
    expect(complete(run, id, 'a')).toMatchObject(denied)
    expect(run.do(failing(id, null), worker)).toMatchObject(denied)
    run.now += 1000
    expect(complete(run, id, 'b')).toMatchObject(denied)
    expect(run.people()).toEqual([])
  })

  it('waits for another try where the worker asks for it, and counts the attempts', () => {
    const run = new Run(shipping())
    const id = lock(run, 'a')
    expect(run.do(failing(id, 60_000), worker)).toBeNull()
    expect(taskOf(run)).toMatchObject({
      id,
      payload: { attempt: 2 },
      lock: { by: null, until: run.now + 60_000 },
    })
    expect(run.instance.status).toBe('RUNNING')
    expect(types(run)).toEqual(['workflow.external.created', 'workflow.external.failed'])
  })

  it('fails its node with what the worker said, and the retry policy makes a new one', () => {
    const retryPolicy = { maxAttempts: 2, firstDelay: 5000, backoffFactor: 1 }
    const run = new Run(shipping({ Topic: 'ship' }, { retryPolicy }))
    const first = lock(run, 'a')
    expect(run.do(failing(first, null), worker)).toBeNull()
    expect(run.ran('x')[0]).toMatchObject({ status: 'FAULTED', attempt: 1 })
    run.now += 5000
    run.poll()
    expect(taskOf(run).id).not.toBe(first)
    run.do(failing(lock(run, 'a'), null), worker)
    expect(run.instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 'x',
      fault: {
        code: 'WORKFLOW_UNEXPECTED_001',
        messageKey: 'workflow.external.task_failed',
        arguments: { error: 'no stock' },
      },
    })
  })

  it('stands still while its instance does', () => {
    const run = new Run(shipping())
    const id = lock(run, 'a')
    run.do({ type: 'suspend', instanceId: run.instance.id, reason: null }, person('op', 'operate'))
    expect(complete(run, id, 'a')).toMatchObject({ code: 'WORKFLOW_CONFLICT_003' })
    run.do({ type: 'resume', instanceId: run.instance.id }, person('op', 'operate'))
    expect(complete(run, id, 'a')).toBeNull()
  })

  it('faults where its topic is blank: nobody could fetch it', () => {
    const run = new Run(shipping({ Topic: '{{ area }}' }), { area: ' ' })
    expect(run.instance).toMatchObject({
      status: 'FAULTED',
      fault: { messageKey: 'workflow.activity.property_required' },
    })
  })
})
