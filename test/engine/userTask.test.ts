import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/model.js'
import { define, person, Run } from '../support/run.js'

const vote = (properties: JsonObject, timeout: number | null = null) =>
  define({
    nodes: {
      s: 'Start',
      t: ['UserTask', properties, { timeout }],
      ok: ['UserTask', { Assignees: ['u9'] }],
      no: ['End', { Outcome: 'rejected' }],
      end: 'End',
    },
    edges: ['s>t', "t>ok ? outcome == 'approved'", 't>no default', 'ok>end'],
  })

const add = (run: Run, userId: string, userIds: string[]) =>
  run.do({ type: 'addAssignees', taskId: run.taskOf(userId), userIds, comment: null }, person(userId))

describe('user tasks', () => {
  it('C04 a percentage is of the current number of assignees', () => {
    const run = new Run(vote({ CompletionPolicy: 'All', ApprovalThreshold: '60%', Assignees: ['u1', 'u2', 'u3'] }))
    run.complete('u1')
    expect(add(run, 'u2', ['u4', 'u5'])).toBeNull()
    run.complete('u2')
    expect(run.people('t')).toEqual(['u3', 'u4', 'u5'])
    run.complete('u4')
    expect(run.people()).toEqual(['u9'])
    const [node] = run.ran('t')
    expect(node?.state.assignees).toHaveLength(5)
    expect(node?.state.approved).toEqual(['u1', 'u2', 'u4'])
    expect(node?.state.history).toHaveLength(3)
  })

  it('C04 a count closes at the count, and the default waits for the added signer too', () => {
    const counted = new Run(vote({ CompletionPolicy: 'All', ApprovalThreshold: 2, Assignees: ['u1', 'u2', 'u3'] }))
    counted.complete('u1')
    add(counted, 'u2', ['u4', 'u5'])
    counted.complete('u2')
    expect(counted.people()).toEqual(['u9'])
    const all = new Run(vote({ CompletionPolicy: 'All', Assignees: ['u1', 'u2', 'u3'] }))
    all.complete('u1')
    all.complete('u2')
    add(all, 'u3', ['u4'])
    all.complete('u3')
    expect(all.people()).toEqual(['u4'])
    all.complete('u4')
    expect(all.people()).toEqual(['u9'])
  })

  it('C05 keeps a person once on a step, whatever the source', () => {
    const run = new Run(
      vote({
        CompletionPolicy: 'All',
        Assignees: ['u1'],
        AssigneesExpression: 'extra',
        AssigneeRules: [{ type: 'Starter', values: [] }],
      }),
      { extra: 'u2, u1 ,u2' },
      { starterId: 'u2' },
    )
    expect(run.people()).toEqual(['u1', 'u2'])
    const [first, second] = [run.taskOf('u1'), run.taskOf('u2')]
    expect(add(run, 'u1', ['u2'])?.code).toBe('WORKFLOW_CONFLICT_004')
    expect(add(run, 'u1', ['u3', 'u2'])?.code).toBe('WORKFLOW_CONFLICT_004')
    expect(run.people()).toEqual(['u1', 'u2'])
    run.complete('u1')
    const transfer = run.do({ type: 'transferTask', taskId: second, toUserId: 'u1', comment: null }, person('u2'))
    expect(transfer?.code).toBe('WORKFLOW_CONFLICT_004')
    expect(run.complete('u1', 'approved', first)?.code).toBe('WORKFLOW_NOTFOUND_003')
    expect(run.complete('u1', 'approved', second)?.code).toBe('WORKFLOW_DENIED_001')
    run.complete('u2')
    expect(run.ran('t')[0]?.state.history).toHaveLength(2)
    expect(run.people()).toEqual(['u9'])
  })

  it('C06 leaves nothing of a decided step behind', () => {
    const day = 86_400_000
    const run = new Run(
      vote(
        {
          CompletionPolicy: 'All',
          ApprovalThreshold: 2,
          Assignees: ['u1', 'u2', 'u3', 'u4'],
          ReminderAfterSeconds: 3600,
        },
        day,
      ),
    )
    const [late, later] = [run.taskOf('u3'), run.taskOf('u4')]
    expect([...run.bookmarks.values()].map((bookmark) => bookmark.kind)).toEqual(
      expect.arrayContaining(['REMINDER', 'NODE_TIMEOUT']),
    )
    run.complete('u1')
    run.complete('u2')
    expect([...run.bookmarks.values()].map((bookmark) => bookmark.nodeId)).toEqual(['ok'])
    for (const hours of [2, 48]) {
      run.now += hours * 3_600_000
      run.poll()
    }
    expect(run.events.filter((event) => event.type === 'workflow.task.reminder')).toEqual([])
    expect(run.instance.variables.outcome).toBe('approved')
    expect(run.complete('u3', 'approved', late)?.code).toBe('WORKFLOW_NOTFOUND_003')
    expect(run.do({ type: 'claimTask', taskId: later, comment: null }, person('u4'))?.code).toBe(
      'WORKFLOW_NOTFOUND_003',
    )
    expect(run.people()).toEqual(['u9'])
  })

  it('reminds again and again, and times out', () => {
    const run = new Run(vote({ Assignees: ['u1'], ReminderAfterSeconds: 3600 }, 86_400_000))
    for (let hour = 0; hour < 3; hour += 1) {
      run.now += 3_600_000
      run.poll()
    }
    expect(run.events.filter((event) => event.type === 'workflow.task.reminder')).toHaveLength(3)
    run.now += 86_400_000
    run.poll()
    expect(run.instance).toMatchObject({ status: 'COMPLETED', outcome: 'rejected' })
    expect(run.records.map((record) => record.action)).toEqual(['TIMED_OUT'])
  })

  const nobody: Json[] = ['', ' , ,', [], null]
  it.each(nobody)('C07 a step that resolves to nobody (%j) follows its strategy', (approvers) => {
    const start = (strategy: string, more: JsonObject = {}) =>
      new Run(vote({ AssigneesExpression: 'approvers', EmptyAssigneeStrategy: strategy, ...more }), { approvers })
    expect(start('Fault').instance).toMatchObject({ status: 'FAULTED', faultNodeId: 't' })
    expect(start('AutoApprove').people()).toEqual(['u9'])
    expect(start('AutoReject').instance).toMatchObject({ status: 'COMPLETED', outcome: 'rejected' })
    expect(start('Fallback', { FallbackAssigneeRules: [{ type: 'User', values: ['u8'] }] }).people()).toEqual(['u8'])
    expect(start('Fallback', { FallbackAssigneeRules: [] }).instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 't',
    })
  })

  it('C07 only the starter, with ExcludeStarter, is nobody; a missing variable is a fault under every strategy', () => {
    const only = new Run(vote({ Assignees: ['u0'], ExcludeStarter: true, EmptyAssigneeStrategy: 'AutoApprove' }))
    expect(only.people()).toEqual(['u9'])
    const missing = new Run(vote({ AssigneesExpression: 'approvers', EmptyAssigneeStrategy: 'AutoApprove' }))
    expect(missing.instance).toMatchObject({
      status: 'FAULTED',
      fault: { messageKey: 'workflow.expression.unknown_variable' },
    })
  })

  it('C07 a faulted instance can be mended and retried, jumped, canceled or terminated', () => {
    const operator = person('op', 'operate')
    const faulted = () => new Run(vote({ AssigneesExpression: 'approvers' }), { approvers: '' })
    const retried = faulted()
    const { id } = retried.instance
    retried.do({ type: 'setVariables', instanceId: id, set: { approvers: 'u1' }, remove: [] }, operator)
    expect(retried.do({ type: 'retry', instanceId: id }, operator)).toBeNull()
    expect(retried.people()).toEqual(['u1'])
    expect(retried.ran('t')[0]?.attempt).toBe(2)
    const jumped = faulted()
    jumped.do({ type: 'jump', instanceId: id, targetNodeId: 'ok', reason: null }, operator)
    expect(jumped.people()).toEqual(['u9'])
    for (const type of ['cancel', 'terminate'] as const) {
      const run = faulted()
      expect(run.do({ type, instanceId: id, reason: null }, operator)).toBeNull()
      expect(run.instance.status).toBe(type === 'cancel' ? 'CANCELED' : 'TERMINATED')
      expect(run.do({ type, instanceId: id, reason: null }, operator)).toBeNull()
    }
  })

  it('asks one after the other under Sequential and ends with the first that does not approve', () => {
    const run = new Run(vote({ CompletionPolicy: 'Sequential', Assignees: ['u1', 'u2', 'u3'] }))
    expect(run.people()).toEqual(['u1'])
    run.complete('u1')
    expect(run.people()).toEqual(['u2'])
    run.complete('u2', 'rejected')
    expect(run.instance).toMatchObject({ status: 'COMPLETED', outcome: 'rejected' })
  })

  it('goes straight back to the one who returned it when a resubmit was asked for', () => {
    const run = new Run(
      define({
        nodes: {
          s: 'Start',
          a: ['UserTask', { Assignees: ['u1'] }],
          b: ['UserTask', { Assignees: ['u2'] }],
          c: ['UserTask', { Assignees: ['u3'] }],
          end: 'End',
        },
        edges: ['s>a', 'a>b', 'b>c', 'c>end'],
      }),
    )
    run.complete('u1')
    run.complete('u2')
    run.do(
      { type: 'returnTask', taskId: run.taskOf('u3'), toNodeId: 'a', comment: 'see page 2', resubmit: true },
      person('u3'),
    )
    expect(run.people()).toEqual(['u1'])
    run.complete('u1')
    expect(run.people()).toEqual(['u3'])
  })

  it('a claim withdraws the others’ tasks and a release asks them again', () => {
    const run = new Run(vote({ Assignees: ['u1', 'u2', 'u3'] }))
    const other = run.taskOf('u2')
    run.do({ type: 'claimTask', taskId: run.taskOf('u1'), comment: null }, person('u1'))
    expect(run.people()).toEqual(['u1'])
    expect(run.complete('u2', 'approved', other)?.code).toBe('WORKFLOW_NOTFOUND_003')
    run.do({ type: 'releaseTask', taskId: run.taskOf('u1'), comment: null }, person('u1'))
    expect(run.people().sort()).toEqual(['u1', 'u2', 'u3'])
  })
})
