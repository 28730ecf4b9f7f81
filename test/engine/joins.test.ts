import { describe, expect, it } from 'vitest'
import { define, person, Run } from '../support/run.js'

describe('joins', () => {
  it('C01 counts arrivals by incoming edge, not by token', () => {
    const run = new Run(
      define({
        nodes: {
          s: 'Start',
          fork: 'Parallel',
          a: ['WaitSignal', { SignalName: 'tick' }],
          a2: ['SetVariable', { Expressions: { n: 'n + 1' } }],
          b: ['UserTask', { Assignees: ['u2'] }],
          join: 'Join',
          after: ['UserTask', { Assignees: ['u3'] }],
          end: 'End',
        },
        edges: ['s>fork', 'fork>a', 'fork>b', 'a>join', 'a>a2', 'a2>a', 'b>join', 'join>after', 'after>end'],
      }),
      { n: 0 },
      { correlationId: 'k' },
    )
    for (let tick = 0; tick < 3; tick += 1) expect(run.signal('tick')).toBe(1)
    expect(run.ran('join')).toHaveLength(0)
    expect(run.people()).toEqual(['u2'])
    expect(run.complete('u2')).toBeNull()
    expect(run.ran('join')).toHaveLength(1)
    expect(run.people()).toEqual(['u3'])
    expect(run.signal('tick')).toBe(1)
    expect(run.ran('join')).toHaveLength(1)
    expect(run.people()).toEqual(['u3'])
    expect(run.complete('u3')).toBeNull()
    expect(run.instance.status).toBe('COMPLETED')
    expect(run.instance.variables.n).toBe(4)
    expect(run.bookmarks.size).toBe(0)
    expect(run.signal('tick')).toBe(0)
  })

  it('C02 starts a new activation in each round of a loop', () => {
    const run = new Run(
      define({
        nodes: {
          s: 'Start',
          fork: 'Parallel',
          a: ['UserTask', { Assignees: ['u1'] }],
          b: ['UserTask', { Assignees: ['u2'] }],
          join: 'Join',
          d: 'Decision',
          inc: ['SetVariable', { Expressions: { round: 'round + 1' } }],
          end: 'End',
        },
        edges: [
          's>fork',
          'fork>a',
          'fork>b',
          'a>join',
          'b>join',
          'join>d',
          'd>end ? round >= 3',
          'd>inc default',
          'inc>fork',
        ],
        content: { variables: [{ name: 'round', required: false, defaultValue: 1, description: null }] },
      }),
    )
    run.complete('u1')
    run.complete('u2')
    run.complete('u2')
    expect(run.instance.status).toBe('RUNNING')
    expect(run.people()).toEqual(['u1'])
    expect(run.ran('join')).toHaveLength(1)
    run.complete('u1')
    run.complete('u1')
    run.complete('u2')
    expect(run.instance.status).toBe('COMPLETED')
    expect(['a', 'b', 'join', 'end'].map((id) => run.ran(id).length)).toEqual([3, 3, 3, 1])
  })

  const parallel = define({
    nodes: {
      s: 'Start',
      apply: ['UserTask', { AssigneeRules: [{ type: 'Starter', values: [] }] }],
      fork: 'Parallel',
      a: ['UserTask', { Assignees: ['u1'] }],
      a2: ['UserTask', { Assignees: ['u3'] }],
      b: ['UserTask', { Assignees: ['u2'] }],
      join: 'Join',
      end: 'End',
    },
    edges: ['s>apply', 'apply>fork', 'fork>a', 'fork>b', 'a>a2', 'a2>join', 'b>join', 'join>end'],
  })
  const back = (run: Run, toNodeId: string | null) =>
    run.do({ type: 'returnTask', taskId: run.taskOf('u3'), toNodeId, comment: null, resubmit: false }, person('u3'))

  it('C03 returns to before the fork: everything that came out of it is canceled', () => {
    const run = new Run(parallel)
    run.complete('u0')
    run.complete('u1')
    const sister = run.taskOf('u2')
    expect(back(run, 'apply')).toBeNull()
    expect(run.people()).toEqual(['u0'])
    expect(run.complete('u2', 'approved', sister)?.code).toBe('WORKFLOW_NOTFOUND_003')
    run.complete('u0')
    expect(run.people()).toEqual(['u1', 'u2'])
    for (const user of ['u1', 'u2', 'u3']) run.complete(user)
    expect(run.ran('join')).toHaveLength(1)
    expect(run.instance.status).toBe('COMPLETED')
  })

  it('C03 returns inside a branch: the sister keeps its task under the same id', () => {
    const run = new Run(parallel)
    run.complete('u0')
    run.complete('u1')
    const sister = run.taskOf('u2')
    expect(back(run, 'a')).toBeNull()
    expect(run.taskOf('u2')).toBe(sister)
    expect(run.people().sort()).toEqual(['u1', 'u2'])
    for (const user of ['u1', 'u3', 'u2']) run.complete(user)
    expect(run.ran('join')).toHaveLength(1)
    expect(run.instance.status).toBe('COMPLETED')
  })

  it('C03 returns by default to the latest user task among the ancestors, and keeps the sister’s arrival', () => {
    const run = new Run(parallel)
    run.complete('u0')
    run.complete('u1')
    run.complete('u2')
    expect(back(run, null)).toBeNull()
    expect(run.people()).toEqual(['u1'])
    run.complete('u1')
    run.complete('u3')
    expect(run.ran('join')).toHaveLength(1)
    expect(run.instance.status).toBe('COMPLETED')
  })

  it('C03 a jump leaves a join that can never fill: the instance faults, cannot be retried, and a jump rescues it', () => {
    const run = new Run(parallel)
    const operator = person('op', 'operate')
    const jump = (targetNodeId: string) =>
      run.do({ type: 'jump', instanceId: run.instance.id, targetNodeId, reason: null }, operator)
    run.complete('u0')
    run.complete('u1')
    expect(jump('a')).toBeNull()
    expect(run.people()).toEqual(['u1'])
    run.complete('u1')
    run.complete('u3')
    expect(run.instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: null,
      fault: { messageKey: 'workflow.instance.dead_join' },
    })
    expect(run.do({ type: 'retry', instanceId: run.instance.id }, operator)?.code).toBe('WORKFLOW_CONFLICT_001')
    expect(jump('fork')).toBeNull()
    for (const user of ['u1', 'u2', 'u3']) run.complete(user)
    expect(run.instance.status).toBe('COMPLETED')
  })

  it('runs a wait-for-any join once and absorbs the rest of the activation', () => {
    const run = new Run(
      define({
        nodes: {
          s: 'Start',
          fork: 'Parallel',
          a: ['UserTask', { Assignees: ['u1'] }],
          b: ['UserTask', { Assignees: ['u2'] }],
          join: ['Join', { Mode: 'WaitAny' }],
          after: ['UserTask', { Assignees: ['u3'] }],
          end: 'End',
        },
        edges: ['s>fork', 'fork>a', 'fork>b', 'a>join', 'b>join', 'join>after', 'after>end'],
      }),
    )
    run.complete('u2')
    expect(run.people().sort()).toEqual(['u1', 'u3'])
    run.complete('u1')
    expect(run.people()).toEqual(['u3'])
    expect(run.ran('join')).toHaveLength(1)
  })
})
