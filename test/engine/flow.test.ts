import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../src/engine/definition/read.js'
import type { JsonObject } from '../../src/engine/model.js'
import { define, person, Run } from '../support/run.js'

const operator = person('operator', 'operate')
const ask = (user: string) => ['UserTask', { Assignees: [user] }] as [string, JsonObject]
const three = { s: 'Start', a: ask('a'), b: ask('b'), c: ask('c'), end: 'End' } as const

describe('the ways out of a node', () => {
  const from = (type: string, edges: string[], variables: JsonObject = { n: 5 }) =>
    new Run(define({ nodes: { ...three, x: type }, edges: ['s>x', ...edges, 'a>end', 'b>end', 'c>end'] }), variables)

  it('are all that are open, and the default only where none is', () => {
    const choose = (n: number) => from('SetVariable', ['x>a ? n > 1', 'x>b ? n > 2', 'x>c default'], { n }).people()
    expect([choose(5), choose(2), choose(0)]).toEqual([['a', 'b'], ['a'], ['c']])
    expect(from('SetVariable', ['x>a', 'x>b ? n > 9', 'x>c default']).people()).toEqual(['a'])
  })

  it('are for a decision the first one that is open, by priority and then as written', () => {
    const run = (n: number) => from('Decision', ['x>a ? n > 1', 'x>b ? n > 2', 'x>c default'], { n }).people()
    expect([run(5), run(0)]).toEqual([['a'], ['c']])
    const { content } = define({
      nodes: { ...three, x: 'Decision' },
      edges: ['s>x', 'x>a', 'x>b', 'x>c', 'a>end', 'b>end', 'c>end'],
    })
    const transitions = content.transitions.map((one) => ({ ...one, priority: one.targetNodeId === 'c' ? -1 : 0 }))
    const ordered = define({ nodes: { ...three, x: 'Decision' }, edges: [], content: { transitions } })
    expect(new Run(ordered).people()).toEqual(['c'])
  })

  it('are all of them for a fork, whatever their conditions say', () => {
    expect(from('Parallel', ['x>a ? n > 9', 'x>b', 'x>c default']).people()).toEqual(['a', 'b', 'c'])
  })

  it.each(['SetVariable', 'Decision'])('fault the instance where a %s has none that is open', (type) => {
    const run = from(type, ['x>a ? n > 9'])
    expect(run.instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 'x',
      fault: { code: 'WORKFLOW_UNEXPECTED_001', messageKey: 'workflow.node.no_transition_matched' },
    })
  })

  it('C28 fault the instance where a condition names what is not there, default or not', () => {
    const run = from('Decision', ['x>a ? amuont > 1', 'x>c default'])
    expect(run.instance).toMatchObject({
      status: 'FAULTED',
      fault: { code: 'WORKFLOW_VALIDATION_003', messageKey: 'workflow.expression.unknown_variable' },
    })
  })
})

describe('outcomes', () => {
  it('go into the output and the variable; a node without one leaves it as it was', () => {
    const run = new Run(
      define({
        nodes: { s: 'Start', a: ask('a'), set: ['SetVariable', { Values: { x: 1 } }], b: ask('b'), end: 'End' },
        edges: ['s>a', "a>set ? outcome == 'approved'", 'set>b', 'b>end'],
      }),
    )
    run.complete('a')
    expect(run.ran('a')[0]?.output).toMatchObject({ outcome: 'approved' })
    expect(run.instance.variables).toEqual({ outcome: 'approved', x: 1 })
    run.complete('b', 'rejected')
    expect(run.instance.variables.outcome).toBe('rejected')
  })

  it('of an End are rendered, and what is still open elsewhere is given up', () => {
    const run = new Run(
      define({
        nodes: { s: 'Start', fork: 'Parallel', a: ask('a'), b: ask('b'), end: ['End', { Outcome: '{{ kind }}-done' }] },
        edges: ['s>fork', 'fork>a', 'fork>b', 'a>end', 'b>end'],
      }),
      { kind: 'half' },
    )
    run.complete('a')
    expect(run.instance).toMatchObject({ status: 'COMPLETED', outcome: 'half-done' })
    expect(run.bookmarks.size).toBe(0)
    expect(run.ran('b')[0]?.status).toBe('CANCELED')
  })
})

describe('small nodes', () => {
  const alone = (type: string, properties: JsonObject, variables: JsonObject = {}) =>
    new Run(define({ nodes: { s: 'Start', x: [type, properties], end: 'End' }, edges: ['s>x', 'x>end'] }), variables)

  it('SetVariable sets values, then what expressions give over the variables as they were; nothing becomes null', () => {
    const properties = {
      Values: { greeting: 'Hi {{ name }}', list: ['{{ name }}', 2] },
      Expressions: { n: 'n + 1', twice: 'n * 2', none: 'form.missing' },
    }
    const { instance } = alone('SetVariable', properties, { name: 'Ann', n: 1, form: {} })
    expect(instance.variables).toMatchObject({ greeting: 'Hi Ann', list: ['Ann', 2], n: 2, twice: 2, none: null })
  })

  it('Log keeps its message and level where the trail shows them', () => {
    const run = alone('Log', { Message: 'at {{ n }}', Level: 'Warning' }, { n: 3 })
    expect(run.ran('x')[0]?.state).toMatchObject({ message: 'at 3', level: 'Warning' })
    expect(alone('Log', { Message: 'm' }).ran('x')[0]?.state).toMatchObject({ level: 'Information' })
  })

  it('Fault lets the instance fail with the author’s text as an argument', () => {
    expect(alone('Fault', { Message: 'no {{ what }}' }, { what: 'money' }).instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 'x',
      fault: { messageKey: 'workflow.activity.fault_raised', arguments: { message: 'no money' } },
    })
  })

  it('Terminate stops the instance and gives up what is open', () => {
    const run = new Run(
      define({
        nodes: { s: 'Start', fork: 'Parallel', a: ask('a'), x: ['Terminate', { Reason: 'enough' }] },
        edges: ['s>fork', 'fork>a', 'fork>x'],
      }),
    )
    expect(run.instance.status).toBe('TERMINATED')
    expect(run.bookmarks.size).toBe(0)
    expect(run.events.find(({ type }) => type === 'workflow.instance.terminated')?.data).toMatchObject({
      reason: 'enough',
    })
  })
})

describe('a start', () => {
  const declared = define({
    nodes: { s: 'Start', a: ask('a'), end: 'End' },
    edges: ['s>a', 'a>end'],
    content: {
      displayName: 'Shown',
      variables: [
        { name: 'must', required: true, defaultValue: null, description: null },
        { name: 'may', required: false, defaultValue: [1], description: null },
        { name: 'both', required: true, defaultValue: 'd', description: null },
      ],
    },
  })

  it('fills in defaults, keeps what is given, null too, and refuses where something required is missing', () => {
    expect(new Run(declared, { must: 1 }).instance.variables).toEqual({ must: 1, may: [1], both: 'd' })
    expect(new Run(declared, { must: null, may: null }).instance.variables).toEqual({
      must: null,
      may: null,
      both: 'd',
    })
    expect(() => new Run(declared, { may: 1 })).toThrow('workflow.instance.variable_missing')
  })

  it('takes its title from the start, else from the definition’s display name, else from its name', () => {
    const title = (content: object, displayName: string | null) =>
      new Run(define({ nodes: { s: 'Start', end: 'End' }, edges: ['s>end'], content }), {}, { displayName }).instance
        .title
    expect(title({ displayName: 'Shown' }, 'Mine')).toBe('Mine')
    expect(title({ displayName: 'Shown' }, null)).toBe('Shown')
    expect(title({}, null)).toBe('case')
  })
})

describe('failures', () => {
  const failing = (options: object, edges: string[] = ['x>end']) =>
    new Run(
      define({
        nodes: {
          s: 'Start',
          x: ['SetVariable', { Expressions: { y: 'missing + 1' } }, options],
          fix: ask('fix'),
          end: 'End',
        },
        edges: ['s>x', ...edges, 'fix>end'],
      }),
    )

  it('are tried again first, then go on as errors where the node says so, and else are the instance’s', () => {
    const retryPolicy = { maxAttempts: 2, firstDelay: 10_000, backoffFactor: 2 }
    const edges = ["x>fix ? outcome == 'error' && lastError.code == 'WORKFLOW_VALIDATION_003'", 'x>end default']
    const run = failing({ retryPolicy, continueOnError: true }, edges)
    expect(run.instance.status).toBe('RUNNING')
    expect(run.ran('x')[0]).toMatchObject({ status: 'FAULTED', attempt: 1 })
    run.now += 10_000
    run.poll()
    expect(run.people()).toEqual(['fix'])
    expect(run.instance.variables).toMatchObject({
      outcome: 'error',
      lastError: { messageKey: 'workflow.expression.unknown_variable', arguments: { name: 'missing' } },
    })
    expect(run.ran('x')[0]).toMatchObject({ status: 'FAULTED', attempt: 2 })
    const willRetry = run.events
      .filter(({ type }) => type === 'workflow.node.faulted')
      .map(({ data }) => data.willRetry)
    expect(willRetry).toEqual([true, false])
  })

  it('of the instance name the node, and a retry runs it once more', () => {
    const run = failing({})
    expect(run.instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 'x',
      faultNodeInstanceId: run.ran('x')[0]?.id,
    })
    const { id: instanceId } = run.instance
    expect(run.do({ type: 'setVariables', instanceId, set: { missing: 1 }, remove: [] }, operator)).toBeNull()
    expect(run.do({ type: 'retry', instanceId }, operator)).toBeNull()
    expect(run.instance).toMatchObject({ status: 'COMPLETED', fault: null, faultNodeId: null, variables: { y: 2 } })
    expect(run.ran('x').at(-1)?.attempt).toBe(2)
  })

  it('of a loop without a wait end it at the limit of one burst, and no node is to blame', () => {
    const loop = define({
      nodes: { s: 'Start', x: ['SetVariable', { Expressions: { n: 'n + 1' } }], end: 'End' },
      edges: ['s>x', 'x>end ? n < 0', 'x>x default'],
    })
    const run = new Run(loop, { n: 0 })
    expect(run.instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: null,
      fault: {
        code: 'WORKFLOW_UNEXPECTED_001',
        messageKey: 'workflow.instance.burst_limit',
        arguments: { limit: 1000 },
      },
    })
    expect(run.instance.variables.n).toBe(999)
    expect(run.do({ type: 'retry', instanceId: run.instance.id }, operator)?.code).toBe('WORKFLOW_CONFLICT_001')
  })

  it('of output mappings are the node’s; mappings read variables and outputs', () => {
    const mapped = (expression: string) =>
      new Run(
        define({
          nodes: {
            s: 'Start',
            x: ['SetVariable', { Values: { a: 2 } }, { outputMappings: { sum: expression } }],
            end: 'End',
          },
          edges: ['s>x', 'x>end'],
        }),
        { n: 3 },
      ).instance
    expect(mapped('outputs.a + n').variables).toMatchObject({ a: 2, sum: 5 })
    expect(mapped('outputs.none').variables).toMatchObject({ sum: null })
    expect(mapped('nothing')).toMatchObject({ status: 'FAULTED', faultNodeId: 'x' })
  })
})

describe('the time of an instance', () => {
  const limited = (timeoutAction: 'Fault' | 'Terminate') => {
    const nodes = { s: 'Start', a: ask('a'), end: 'End' }
    const run = new Run(define({ nodes, edges: ['s>a', 'a>end'], content: { timeout: 60_000, timeoutAction } }))
    run.now += 59_999
    run.poll()
    expect(run.instance.status).toBe('RUNNING')
    run.now += 1
    run.poll()
    return run
  }

  it('faults or terminates it when it is up, as the definition says, and tells', () => {
    const faulted = limited('Fault')
    expect(faulted.instance).toMatchObject({ status: 'FAULTED', fault: { messageKey: 'workflow.instance.timed_out' } })
    const terminated = limited('Terminate')
    expect(terminated.instance.status).toBe('TERMINATED')
    expect(terminated.bookmarks.size).toBe(0)
    for (const { events } of [faulted, terminated])
      expect(events.map(({ type }) => type)).toContain('workflow.instance.timedout')
  })
})

describe('a user task', () => {
  const task = (properties: JsonObject, variables: JsonObject = {}, displayName: string | null = null) =>
    new Run(
      define({
        nodes: { s: 'Start', t: ['UserTask', properties, { displayName }], end: 'End' },
        edges: ['s>t', 't>end'],
      }),
      variables,
    )

  it('shows what its properties say: title, form, priority, due time', () => {
    const run = task(
      {
        Assignees: ['u1'],
        Title: 'Pay {{ n }}',
        FormKey: 'pay-{{ n }}',
        FormData: { amount: '{{ n }}' },
        Priority: 3,
        DueAfterSeconds: 60,
        DueAt: '2026-02-01T00:00:00Z',
      },
      { n: 7 },
    )
    const [shown] = run.tasks()
    expect(shown?.task).toMatchObject({ title: 'Pay 7', priority: 3, dueAt: Date.parse('2026-02-01T00:00:00Z') })
    expect(shown?.payload).toMatchObject({ formKey: 'pay-7', formData: { amount: '7' } })
    const late = task({ Assignees: ['u1'], DueAfterSeconds: 60 }, {}, 'Named')
    expect(late.tasks()[0]?.task).toMatchObject({ title: 'Named', dueAt: late.now + 60_000, priority: null })
    late.now += 61_000
    late.poll()
    expect(late.people()).toEqual(['u1'])
  })

  it('takes the outcomes that it allows and no others', () => {
    const run = task({ Assignees: ['u1'], AllowedOutcomes: ['pay', 'hold'] })
    expect(run.complete('u1', 'approved')?.code).toBe('WORKFLOW_VALIDATION_002')
    expect(run.complete('u1', 'hold')).toBeNull()
    expect(run.instance.variables.outcome).toBe('hold')
  })

  it('keeps who was asked and what was said, and merges the variables of each answer', () => {
    const run = task({ Assignees: ['u1', 'u2'], CompletionPolicy: 'All' })
    run.complete('u1', 'approved', run.taskOf('u1'), { a: 1 })
    expect(run.instance.variables).toEqual({ a: 1 })
    run.complete('u2', 'approved', run.taskOf('u2'), { b: 2 })
    expect(run.instance.variables).toMatchObject({ a: 1, b: 2, outcome: 'approved' })
    expect(run.ran('t')[0]?.state).toMatchObject({
      assignees: ['u1', 'u2'],
      approved: ['u1', 'u2'],
      history: [
        { actorId: 'u1', outcome: 'approved' },
        { actorId: 'u2', outcome: 'approved' },
      ],
    })
  })

  it.each([[['c1']], ['c1, c1'], ['{{ copied }}']])(
    'tells those asked, and those copied by %j or a rule',
    (CcUserIds) => {
      const properties = { Assignees: ['u1'], CcUserIds, CcRules: [{ type: 'User', values: ['c2'] }] }
      const { events } = task(properties, { copied: 'c1' })
      const told = (type: string) => events.find((event) => event.type === type)?.recipients
      expect([told('workflow.task.created'), told('workflow.task.copied')]).toEqual([['u1'], ['c1', 'c2']])
    },
  )

  it('goes to somebody else, who is not there yet', () => {
    const run = task({ Assignees: ['u1', 'u2'] })
    const transfer = (toUserId: string) =>
      run.do({ type: 'transferTask', taskId: run.taskOf('u1'), toUserId, comment: null }, person('u1'))
    expect(transfer('u2')?.code).toBe('WORKFLOW_CONFLICT_004')
    expect(transfer('u3')).toBeNull()
    expect(run.people().sort()).toEqual(['u2', 'u3'])
  })

  it('is urged without a change of state', () => {
    const run = task({ Assignees: ['u1'] })
    const before = run.taskOf('u1')
    expect(run.do({ type: 'urgeTask', taskId: before, comment: null }, person('u0'))).toBeNull()
    expect(run.taskOf('u1')).toBe(before)
    expect(run.events.at(-1)).toMatchObject({ type: 'workflow.task.urged', recipients: ['u1'] })
  })
})

describe('what a document leaves out', () => {
  it('takes the same as null: version 1, no nodes, no properties, one attempt, ten seconds, twice as long each time', () => {
    const full = { name: 'a', nodes: [{ id: 's', activityType: 'Start', retryPolicy: {} }] }
    const nulls = {
      ...full,
      version: null,
      displayName: null,
      transitions: null,
      variables: null,
      enableCompensation: null,
      nodes: [{ ...full.nodes[0], properties: null, timeout: null, outputMappings: null, continueOnError: null }],
    }
    const read = readDefinition(full)
    expect(readDefinition(nulls)).toEqual(read)
    expect(read.ok && read.content.nodes[0]).toMatchObject({
      properties: {},
      retryPolicy: { maxAttempts: 1, firstDelay: 10_000, backoffFactor: 2 },
    })
  })
})
