import { describe, expect, it } from 'vitest'
import type { Command, StartCommand } from '../../src/engine/command.js'
import type { JsonObject } from '../../src/engine/model.js'
import { define, person, Run } from '../support/run.js'

const two = (first: JsonObject, more: JsonObject = {}) =>
  define({
    nodes: {
      s: 'Start',
      a: ['UserTask', first],
      b: ['UserTask', { Assignees: ['u9'], ...more }],
      end: ['End', { Outcome: 'done' }],
    },
    edges: ['s>a', 'a>b', 'b>end'],
  })

type Other = Exclude<Command, StartCommand>
const comment = null
const act = (run: Run, userId: string, command: Other, ...permissions: 'operate'[]) =>
  run.do(command, person(userId, ...permissions))
const last = (run: Run) => run.records.at(-1)

describe('delegating', () => {
  it('brings the answer of the delegate back to the owner, who then answers', () => {
    const run = new Run(two({ Assignees: ['u1', 'u2'], CompletionPolicy: 'All' }))
    const taskId = run.taskOf('u1')
    expect(act(run, 'u1', { type: 'delegateTask', taskId, toUserId: 'u3', comment: 'look' })).toBeNull()
    expect(last(run)).toMatchObject({ action: 'DELEGATED', actorId: 'u1', assigneeId: 'u1', targetId: 'u3' })
    expect(run.people('a')).toEqual(['u3', 'u2'])
    expect(run.complete('u1', 'approved', taskId)?.code).toBe('WORKFLOW_DENIED_001')
    expect(run.complete('u3', 'rejected')).toBeNull()
    expect(last(run)).toMatchObject({
      action: 'DELEGATED',
      actorId: 'u3',
      onBehalfOfId: 'u1',
      outcome: 'rejected',
      targetId: 'u1',
    })
    // The delegate's word decides nothing.
    expect(run.people('a')).toEqual(['u1', 'u2'])
    expect(run.taskOf('u1')).toBe(taskId)
    expect(run.bookmarks.get(taskId)?.payload.delegateAnswer).toMatchObject({ byId: 'u3', outcome: 'rejected' })
    run.complete('u1')
    run.complete('u2')
    expect(run.people()).toEqual(['u9'])
    expect(run.ran('a')[0]?.state.approved).toEqual(['u1', 'u2'])
  })

  it('is refused twice, to somebody on the step, and to nobody', () => {
    const run = new Run(two({ Assignees: ['u1', 'u2'], CompletionPolicy: 'All' }))
    const taskId = run.taskOf('u1')
    const delegate = (userId: string, toUserId: string) =>
      act(run, userId, { type: 'delegateTask', taskId, toUserId, comment })?.code
    expect(delegate('u2', 'u5')).toBe('WORKFLOW_DENIED_001')
    expect(delegate('u1', ' ')).toBe('WORKFLOW_VALIDATION_002')
    expect(delegate('u1', 'u2')).toBe('WORKFLOW_CONFLICT_004')
    expect(delegate('u1', 'u3')).toBeUndefined()
    expect(delegate('u3', 'u4')).toBe('WORKFLOW_CONFLICT_004')
    // Nobody gets a second task of the step by way of a delegation.
    const other = { type: 'transferTask', taskId: run.taskOf('u2'), toUserId: 'u3', comment } as const
    expect(act(run, 'u2', other)?.code).toBe('WORKFLOW_CONFLICT_004')
  })
})

describe('removing signers', () => {
  const remove = (run: Run, userId: string, userIds: string[]) =>
    act(run, userId, { type: 'removeAssignees', taskId: run.taskOf(userId), userIds, comment })

  it('takes them off at once, and those who have approved may be enough then', () => {
    const people = ['u1', 'u2', 'u3', 'u4', 'u5']
    const run = new Run(two({ Assignees: people, CompletionPolicy: 'All', ApprovalThreshold: '60%' }))
    run.complete('u1')
    run.complete('u2')
    expect(remove(run, 'u3', ['u4', 'u5'])).toBeNull()
    expect(run.records.filter(({ action }) => action === 'ASSIGNEE_REMOVED').map(({ targetId }) => targetId)).toEqual([
      'u4',
      'u5',
    ])
    expect(run.people()).toEqual(['u9'])
  })

  it('leaves somebody, and takes off nobody who has answered or is not there', () => {
    const run = new Run(two({ Assignees: ['u1', 'u2', 'u3'], CompletionPolicy: 'All' }))
    run.complete('u1')
    expect(remove(run, 'u2', [])?.code).toBe('WORKFLOW_VALIDATION_002')
    for (const userIds of [['u1'], ['u7'], ['u2', 'u3'], ['u3', 'u7']])
      expect(remove(run, 'u2', userIds)?.code).toBe('WORKFLOW_CONFLICT_004')
    expect(run.people()).toEqual(['u2', 'u3'])
  })

  it('passes the turn on where it was the turn of the one removed', () => {
    const run = new Run(two({ Assignees: ['u1', 'u2', 'u3'], CompletionPolicy: 'Sequential' }))
    expect(remove(run, 'u1', ['u1'])).toBeNull()
    expect(run.people()).toEqual(['u2'])
    expect(remove(run, 'u2', ['u3'])).toBeNull()
    run.complete('u2')
    expect(run.people()).toEqual(['u9'])
  })
})

describe('taking an answer back', () => {
  const takeBack = (run: Run, userId: string, taskId: string) =>
    act(run, userId, { type: 'takeBackTask', taskId, comment: 'wait' })

  it('asks the step again while nobody has acted after it, with the other votes as they were', () => {
    const run = new Run(two({ Assignees: ['u1', 'u2'], CompletionPolicy: 'All', ReminderAfterSeconds: 60 }))
    const [u1, u2] = [run.taskOf('u1'), run.taskOf('u2')]
    run.complete('u1')
    run.complete('u2')
    expect(run.people()).toEqual(['u9'])
    expect(takeBack(run, 'u7', u2)?.code).toBe('WORKFLOW_DENIED_001')
    // Somebody has voted after him.
    expect(takeBack(run, 'u1', u1)?.code).toBe('WORKFLOW_CONFLICT_004')
    expect(takeBack(run, 'u2', u2)).toBeNull()
    expect(last(run)).toMatchObject({ action: 'TAKEN_BACK', actorId: 'u2', taskId: u2 })
    expect(run.people()).toEqual(['u2'])
    expect(run.taskOf('u2')).not.toBe(u2)
    expect(run.ran('a')[0]).toMatchObject({ status: 'WAITING', state: { approved: ['u1'], assignees: ['u1', 'u2'] } })
    expect([...run.bookmarks.values()].map(({ kind }) => kind).sort()).toEqual(['REMINDER', 'USER_TASK'])
    run.complete('u2')
    expect(run.people()).toEqual(['u9'])
    expect(run.ran('b')).toHaveLength(2)
  })

  it('asks himself, though a rule would answer for him, and those in turn after him again', () => {
    const steps = { CompletionPolicy: 'Sequential', SameApproverStrategy: 'AutoApprove', SameApproverScope: 'Starter' }
    const run = new Run(two({ Assignees: ['u1', 'group:g', 'u2'], ...steps }))
    run.complete('u1')
    const seat = run.taskOf('group:g')
    const starter = { ...person('u0'), groups: ['g'] }
    const answer = { outcome: 'approved', comment, variables: {} }
    expect(run.do({ type: 'completeTask', taskId: seat, ...answer }, starter)).toBeNull()
    expect(run.people()).toEqual(['u2'])
    expect(takeBack(run, 'u0', seat)).toBeNull()
    expect(run.people()).toEqual(['u0'])
    expect(run.ran('a')[0]?.state).toMatchObject({ approved: ['u1'], assignees: ['u1', 'u0', 'u2'] })
    run.complete('u0')
    run.complete('u2')
    expect(run.people()).toEqual(['u9'])
  })

  it('is too late once the next has acted, and says so of a task that is still open', () => {
    const run = new Run(two({ Assignees: ['u1'] }, { Assignees: ['u9', 'u8'] }))
    const u1 = run.taskOf('u1')
    expect(takeBack(run, 'u1', u1)?.messageKey).toBe('workflow.task.not_answered')
    run.complete('u1')
    act(run, 'u9', { type: 'claimTask', taskId: run.taskOf('u9'), comment })
    expect(takeBack(run, 'u1', u1)).toMatchObject({
      code: 'WORKFLOW_CONFLICT_004',
      messageKey: 'workflow.task.take_back_too_late',
    })
    run.complete('u9')
    expect(takeBack(run, 'u1', u1)?.code).toBe('WORKFLOW_CONFLICT_003')
  })

  it('is refused once something has left the process because of it', () => {
    const definition = define({
      nodes: {
        s: 'Start',
        a: ['UserTask', { Assignees: ['u1'] }],
        tell: ['PublishEvent', { EventName: 'paid' }],
        b: ['UserTask', { Assignees: ['u9'] }],
        end: 'End',
      },
      edges: ['s>a', 'a>tell', 'tell>b', 'b>end'],
    })
    const run = new Run(definition)
    const u1 = run.taskOf('u1')
    run.complete('u1')
    expect(takeBack(run, 'u1', u1)?.code).toBe('WORKFLOW_CONFLICT_004')
  })

  it('leaves a sister branch alone, and its arrival at the join', () => {
    const definition = define({
      nodes: {
        s: 'Start',
        fork: 'Parallel',
        a: ['UserTask', { Assignees: ['u1'] }],
        b: ['UserTask', { Assignees: ['u2'] }],
        c: ['UserTask', { Assignees: ['u3'] }],
        join: 'Join',
        end: 'End',
      },
      edges: ['s>fork', 'fork>a', 'fork>b', 'fork>c', 'a>join', 'b>join', 'c>join', 'join>end'],
    })
    const run = new Run(definition)
    const [u1, u2, u3] = [run.taskOf('u1'), run.taskOf('u2'), run.taskOf('u3')]
    run.complete('u1')
    run.complete('u2')
    expect(takeBack(run, 'u1', u1)).toBeNull()
    expect(run.people()).toEqual(['u3', 'u1'])
    run.complete('u3', 'approved', u3)
    run.complete('u1')
    expect(run.instance.status).toBe('COMPLETED')
    expect(takeBack(run, 'u2', u2)?.code).toBe('WORKFLOW_CONFLICT_003')
  })
})

describe('withdrawing', () => {
  const withdraw = (run: Run, userId: string) =>
    act(run, userId, { type: 'withdraw', instanceId: run.instance.id, reason: 'a mistake' })

  it('is the starter’s, as long as nobody else has acted', () => {
    const apply = { AssigneeRules: [{ type: 'Starter' }] }
    const run = new Run(two(apply))
    expect(withdraw(run, 'u1')?.code).toBe('WORKFLOW_DENIED_001')
    run.complete('u0')
    expect(withdraw(run, 'u0')).toBeNull()
    expect(run.instance.status).toBe('CANCELED')
    expect(last(run)).toMatchObject({ action: 'WITHDRAWN', actorId: 'u0', assigneeId: 'u9', comment: 'a mistake' })
    expect(withdraw(run, 'u0')?.code).toBe('WORKFLOW_CONFLICT_003')
  })

  it('is too late once somebody has', () => {
    const run = new Run(two({ Assignees: ['u1'] }))
    act(run, 'u0', { type: 'urgeTask', taskId: run.taskOf('u1'), comment })
    run.complete('u1')
    expect(withdraw(run, 'u0')?.code).toBe('WORKFLOW_CONFLICT_004')
  })
})

describe('a comment', () => {
  it('is kept and told without any change to the task', () => {
    const run = new Run(two({ Assignees: ['u1'] }))
    const taskId = run.taskOf('u1')
    const say = (userId: string, text: string) => act(run, userId, { type: 'commentTask', taskId, comment: text })
    expect(say('u7', 'hm')?.code).toBe('WORKFLOW_DENIED_001')
    expect(say('u1', ' ')?.code).toBe('WORKFLOW_VALIDATION_002')
    expect(say('u0', ' please ')).toBeNull()
    expect(last(run)).toMatchObject({ action: 'COMMENTED', actorId: 'u0', comment: 'please' })
    expect(run.events.at(-1)).toMatchObject({ type: 'workflow.task.commented', recipients: ['u1', 'u0'] })
    expect(run.people()).toEqual(['u1'])
  })
})

describe('an operator who acts for somebody', () => {
  it('can do all that the person can, and the history names both', () => {
    const run = new Run(two({ Assignees: ['u1', 'u2'] }))
    const onBehalfOfId = 'u1'
    const taskId = run.taskOf('u1')
    const claim = { type: 'claimTask', taskId, comment, onBehalfOfId } as const
    expect(act(run, 'u7', claim)?.code).toBe('WORKFLOW_DENIED_001')
    expect(act(run, 'op', claim, 'operate')).toBeNull()
    expect(last(run)).toMatchObject({ action: 'CLAIMED', actorId: 'op', onBehalfOfId: 'u1' })
    expect(run.ran('a')[0]?.state.claimedBy).toBe('u1')
    const transfer = { type: 'transferTask', taskId, toUserId: 'u5', comment, onBehalfOfId } as const
    expect(act(run, 'op', transfer, 'operate')).toBeNull()
    expect(last(run)).toMatchObject({ action: 'TRANSFERRED', actorId: 'op', onBehalfOfId: 'u1', targetId: 'u5' })
    const handOver = { type: 'handOverTask', taskId, fromUserId: 'u5', toUserId: 'u6', comment } as const
    expect(act(run, 'u5', handOver)?.code).toBe('WORKFLOW_DENIED_001')
    expect(act(run, 'op', handOver, 'operate')).toBeNull()
    expect(last(run)).toMatchObject({ action: 'HANDED_OVER', actorId: 'op', onBehalfOfId: 'u5', targetId: 'u6' })
    expect(run.bookmarks.get(taskId)?.payload.why).toMatchObject({ source: 'HANDED_OVER', byId: 'op' })
  })
})
