import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../src/engine/activities/registry.js'
import { validateDefinition } from '../../src/engine/definition/validate.js'
import type { JsonObject } from '../../src/engine/model.js'
import { define, person, Run } from '../support/run.js'

const gateway = (properties: JsonObject, content = {}) =>
  define({
    nodes: {
      s: 'Start',
      g: ['EventGateway', properties],
      p: ['UserTask', { Assignees: ['paid'] }],
      c: ['UserTask', { Assignees: ['cancelled'] }],
      x: ['UserTask', { Assignees: ['late'] }],
      end: 'End',
    },
    edges: [
      's>g',
      "g>p ? outcome == 'paid'",
      "g>c ? outcome == 'cancelled'",
      "g>x ? outcome == 'timeout'",
      'p>end',
      'c>end',
      'x>end',
    ],
    content,
  })
const both = { Signals: ['paid', 'cancelled'], TimeoutSeconds: 1800 }

function send(run: Run, name: string, payload: JsonObject | null = null): number {
  const waiting = [...run.bookmarks.values()].filter(({ kind, key }) => kind === 'SIGNAL' && key === name)
  const sent = waiting.map(({ id }) =>
    run.do({ type: 'signalBookmark', bookmarkId: id, name, payload }, person('bank')),
  )
  return sent.filter((refused) => refused === null).length
}

describe('EventGateway', () => {
  it('C15 goes on with the first signal, and nothing else of it is waited for any more', () => {
    const run = new Run(gateway(both), {}, { correlationId: 'k' })
    expect([...run.bookmarks.values()].map(({ kind, key }) => [kind, key])).toEqual([
      ['SIGNAL', 'paid'],
      ['SIGNAL', 'cancelled'],
      ['TIMER', null],
    ])
    expect(send(run, 'paid', { amount: 5 })).toBe(1)
    expect(run.instance.variables).toMatchObject({ outcome: 'paid', signal: 'paid', payload: { amount: 5 } })
    expect(run.people()).toEqual(['paid'])
    expect([...run.bookmarks.values()].map(({ kind }) => kind)).toEqual(['USER_TASK'])
    expect(send(run, 'cancelled')).toBe(0)
    run.now += 3_600_000
    run.poll()
    expect(run.people()).toEqual(['paid'])
  })

  it('C15 goes on with the outcome timeout when no signal came in time', () => {
    const run = new Run(gateway(both), {}, { correlationId: 'k' })
    run.now += 1_799_999
    run.poll()
    expect(run.people()).toEqual([])
    run.now += 1
    run.poll()
    expect(run.people()).toEqual(['late'])
    expect(run.instance.variables).toMatchObject({ outcome: 'timeout', signal: null, payload: null })
    expect(send(run, 'paid')).toBe(0)
  })

  it('waits without a time limit where none is given, and takes names as a list, a text or a template', () => {
    const run = new Run(gateway({ Signals: 'paid, {{ other }},paid' }), { other: 'cancelled' }, { correlationId: 'k' })
    expect([...run.bookmarks.values()].map(({ kind, key }) => [kind, key])).toEqual([
      ['SIGNAL', 'paid'],
      ['SIGNAL', 'cancelled'],
    ])
  })

  it.each([
    [{}, 'workflow.activity.property_required'],
    [{ Signals: [] }, 'workflow.activity.property_required'],
    [{ Signals: [' '] }, 'workflow.activity.property_required'],
    [{ Signals: [1] }, 'workflow.activity.property_type'],
  ])('is refused at publish with %j', (properties, messageKey) => {
    const registry = createRegistry()
    const issues = validateDefinition(gateway(properties as JsonObject).content, {
      activity: (type) => registry.activities.get(type),
      assigneeRule: () => true,
    })
    expect(issues).toMatchObject([{ severity: 'ERROR', path: '$.nodes[1].properties.Signals', messageKey }])
  })

  it('faults without a correlation id unless it accepts any', () => {
    expect(new Run(gateway(both)).instance).toMatchObject({
      status: 'FAULTED',
      fault: { messageKey: 'workflow.activity.signal_correlation_missing' },
    })
    const open = new Run(gateway({ ...both, AcceptAnyCorrelation: true }))
    expect([...open.bookmarks.values()].map(({ correlationId }) => correlationId)).toEqual([null, null, null])
    expect(send(open, 'cancelled')).toBe(1)
  })
})

describe('WaitSignal', () => {
  const one = (SignalName: string) =>
    define({ nodes: { s: 'Start', w: ['WaitSignal', { SignalName }], end: 'End' }, edges: ['s>w', 'w>end'] })

  it('waits for the name that its template gives, with the instance’s correlation id', () => {
    const run = new Run(one('paid-{{ no }}'), { no: 7 }, { correlationId: 'k' })
    expect([...run.bookmarks.values()]).toMatchObject([{ kind: 'SIGNAL', key: 'paid-7', correlationId: 'k' }])
    expect(send(run, 'paid-7', { amount: 1 })).toBe(1)
    expect(run.instance).toMatchObject({ status: 'COMPLETED', variables: { signal: { amount: 1 } } })
  })

  it('faults where its template gives nothing', () => {
    expect(new Run(one('{{ no }}'), { no: '' }, { correlationId: 'k' }).instance).toMatchObject({
      status: 'FAULTED',
      fault: { messageKey: 'workflow.activity.property_required', arguments: { property: 'SignalName' } },
    })
  })

  it('is resumed by an operator as by the signal, while the instance runs', () => {
    const run = new Run(one('go'), {}, { correlationId: 'k' })
    const operator = person('op', 'operate')
    const [waiter] = run.bookmarks.values()
    const resume = {
      type: 'resumeBookmark',
      bookmarkId: waiter?.id ?? '',
      inputs: { a: 1 },
      expectedKey: 'go',
    } as const
    run.do({ type: 'suspend', instanceId: run.instance.id, reason: null }, operator)
    expect(run.do(resume, operator)).toMatchObject({ code: 'WORKFLOW_CONFLICT_003' })
    run.do({ type: 'resume', instanceId: run.instance.id }, operator)
    expect(run.do(resume, operator)).toBeNull()
    expect(run.instance).toMatchObject({ status: 'COMPLETED', variables: { signal: { a: 1 } } })
  })
})

describe('resuming a task’s bookmark', () => {
  const definition = define({
    nodes: {
      s: 'Start',
      t: ['UserTask', { Assignees: ['u1'], Title: 'Pay', ReminderAfterSeconds: 60 }],
      end: ['End', { Outcome: '{{ outcome }}' }],
    },
    edges: ['s>t', 't>end'],
    content: { timeout: 1000 },
  })
  const operator = person('op', 'operate')
  const resume = (run: Run, bookmarkId: string, inputs: JsonObject) =>
    run.do({ type: 'resumeBookmark', bookmarkId, inputs, expectedKey: null }, operator)

  it('without an outcome never approves: the task is issued again under a new id', () => {
    const run = new Run(definition)
    const before = run.taskOf('u1')
    expect(resume(run, before, { amount: 1 })).toBeNull()
    const after = run.taskOf('u1')
    expect(after).not.toBe(before)
    expect(run.tasks()).toMatchObject([{ key: 'u1', task: { title: 'Pay' } }])
    expect(run.complete('u1', 'approved', before)?.code).toBe('WORKFLOW_NOTFOUND_003')
    expect(run.events.slice(-2).map(({ type, taskId }) => [type, taskId])).toEqual([
      ['workflow.task.canceled', before],
      ['workflow.task.created', after],
    ])
    expect(run.complete('u1')).toBeNull()
    expect(run.instance).toMatchObject({ status: 'COMPLETED', outcome: 'approved' })
  })

  it('with an outcome answers for the assignee, in the operator’s name', () => {
    const run = new Run(definition)
    expect(resume(run, run.taskOf('u1'), { outcome: 'maybe' })?.code).toBe('WORKFLOW_VALIDATION_002')
    expect(resume(run, run.taskOf('u1'), { outcome: 'rejected', comment: 'late', amount: 1 })).toBeNull()
    expect(run.instance).toMatchObject({ outcome: 'rejected', variables: { amount: 1 } })
    expect(run.records).toMatchObject([{ actorId: 'op', onBehalfOfId: 'u1', comment: 'late' }])
  })

  it('leaves alone what belongs to the engine: reminders and the time of the instance', () => {
    const run = new Run(definition)
    for (const { id, kind } of [...run.bookmarks.values()])
      if (kind !== 'USER_TASK')
        expect(resume(run, id, {})).toMatchObject({
          code: 'WORKFLOW_CONFLICT_003',
          messageKey: 'workflow.bookmark.kind_not_resumable',
        })
  })
})

describe('PublishEvent', () => {
  const publishing = (properties: JsonObject) =>
    define({ nodes: { s: 'Start', p: ['PublishEvent', properties], end: 'End' }, edges: ['s>p', 'p>end'] })

  it('emits workflow.custom with its name and payload', () => {
    const run = new Run(publishing({ EventName: 'order.{{ what }}', Payload: { no: '{{ no }}', fixed: [1, true] } }), {
      what: 'paid',
      no: 7,
    })
    expect(run.events.filter(({ type }) => type === 'workflow.custom')).toMatchObject([
      { nodeId: 'p', data: { name: 'order.paid', payload: { no: '7', fixed: [1, true] } } },
    ])
    expect(run.instance.status).toBe('COMPLETED')
  })

  it('faults without a name or with a template that fails', () => {
    const faultOf = (properties: JsonObject) => new Run(publishing(properties), { what: '' }).instance.fault?.messageKey
    expect(faultOf({ EventName: '{{ what }}' })).toBe('workflow.activity.property_required')
    expect(faultOf({ EventName: 'e', Payload: ['{{ nothing }}'] })).toBe('workflow.expression.unknown_variable')
  })
})
