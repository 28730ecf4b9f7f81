import { describe, expect, it } from 'vitest'
import type { Answer, Call } from '../../src/engine/calls.js'
import { validateDefinition } from '../../src/engine/definition/validate.js'
import type { JsonObject } from '../../src/engine/model.js'
import { define, person, Run } from '../support/run.js'

const one = (properties: JsonObject) =>
  define({
    nodes: {
      s: 'Start',
      t: ['UserTask', properties],
      ok: ['UserTask', { Assignees: ['u9'] }],
      no: ['End', { Outcome: 'rejected' }],
      end: 'End',
    },
    edges: ['s>t', "t>ok ? outcome == 'approved'", 't>no default', 'ok>end'],
  })

const members: { [group: string]: string[] } = { legal: ['l1', 'l2', 'both'], finance: ['f1', 'both'], empty: [] }

const directory =
  (substitutes: { userId: string; substituteId: string }[] = []) =>
  (call: Call): Answer => {
    if (call.kind === 'substitutes')
      return { kind: 'substitutes', substitutes: substitutes.filter(({ userId }) => call.people.includes(userId)) }
    if (call.kind !== 'assignees') throw new Error('unexpected')
    return { kind: 'people', people: (call.values as string[]).flatMap((group) => members[group] ?? []) }
  }

const inGroup = (userId: string, ...groups: string[]) => ({ ...person(userId), groups })
const why = (run: Run, userId: string) => run.bookmarks.get(run.taskOf(userId))?.payload.why

describe('groups that must each approve', () => {
  const quorum = { legal: 1, finance: '100%' }
  const properties = {
    CompletionPolicy: 'All',
    AssigneeRules: [{ type: 'Group', values: ['legal', 'finance'] }],
    GroupQuorum: quorum,
  }

  it('close the step when the last of them has enough', () => {
    const run = new Run(one(properties), {}, {}, directory())
    expect(run.people()).toEqual(['l1', 'l2', 'both', 'f1'])
    run.complete('l1')
    run.complete('l2')
    run.complete('f1')
    expect(run.people()).toEqual(['both'])
    run.complete('both')
    expect(run.people()).toEqual(['u9'])
  })

  it('reject it as soon as one of them can no longer approve', () => {
    const run = new Run(one(properties), {}, {}, directory())
    run.complete('l1', 'rejected')
    expect(run.instance.status).toBe('RUNNING')
    run.complete('f1', 'rejected')
    expect(run.instance).toMatchObject({ status: 'COMPLETED', outcome: 'rejected' })
  })

  it('count a candidate of a group and whoever got the task from him', () => {
    const candidates = { ...properties, AssigneeRules: [], Assignees: ['group:legal', 'group:finance'] }
    const run = new Run(one({ ...candidates, GroupQuorum: { legal: 1, finance: 1 } }))
    const [legal, finance] = [run.taskOf('group:legal'), run.taskOf('group:finance')]
    const approve = (taskId: string) =>
      ({ type: 'completeTask', taskId, outcome: 'approved', comment: null, variables: {} }) as const
    expect(run.do(approve(legal), inGroup('both', 'legal', 'finance'))).toBeNull()
    // Four eyes: one person is not two voices.
    expect(run.do(approve(finance), inGroup('both', 'legal', 'finance'))?.code).toBe('WORKFLOW_CONFLICT_004')
    expect(run.do({ type: 'claimTask', taskId: finance, comment: null }, inGroup('f1', 'finance'))).toBeNull()
    expect(run.do({ type: 'transferTask', taskId: finance, toUserId: 'u5', comment: null }, person('f1'))).toBeNull()
    expect(run.complete('u5')).toBeNull()
    expect(run.people()).toEqual(['u9'])
  })

  it('are checked when the definition is', () => {
    const wrong = (more: JsonObject) => {
      const definition = one({ ...properties, ...more })
      const { known } = new Run(one({ Assignees: ['u1'] }))
      return validateDefinition(definition.content, known).map(({ messageKey }) => messageKey)
    }
    expect(wrong({})).toEqual([])
    expect(wrong({ GroupQuorum: { legal: 0 } })).toContain('workflow.activity.quorum_invalid')
    expect(wrong({ CompletionPolicy: 'Any' })).toContain('workflow.activity.quorum_needs_all')
    expect(wrong({ RejectThreshold: '0%' })).toContain('workflow.activity.threshold_invalid')
    expect(wrong({ SameApproverScope: ['Starter', 'Moon'] })).toContain('workflow.activity.property_value')
    expect(wrong({ SameApproverStrategy: 'Never' })).toContain('workflow.activity.property_value')
  })
})

describe('a reject threshold', () => {
  it('lets fewer rejections pass', () => {
    const run = new Run(one({ CompletionPolicy: 'All', Assignees: ['u1', 'u2', 'u3'], RejectThreshold: 2 }))
    run.complete('u1', 'rejected')
    run.complete('u2')
    expect(run.people()).toEqual(['u3'])
    run.complete('u3')
    expect(run.people()).toEqual(['u9'])
  })

  it('ends the vote when it is reached, even where the approvals could still be', () => {
    const assignees = ['u1', 'u2', 'u3', 'u4']
    const run = new Run(
      one({ CompletionPolicy: 'All', Assignees: assignees, ApprovalThreshold: 1, RejectThreshold: '50%' }),
    )
    run.complete('u1', 'rejected')
    expect(run.instance.status).toBe('RUNNING')
    run.complete('u2', 'rejected')
    expect(run.instance.outcome).toBe('rejected')
  })
})

describe('the same person', () => {
  const steps = (SameApproverStrategy: string, more: JsonObject = {}) =>
    define({
      nodes: {
        s: 'Start',
        a: ['UserTask', { Assignees: ['u1'] }],
        b: ['UserTask', { Assignees: ['u2'] }],
        c: ['UserTask', { Assignees: ['u0', 'u1', 'u2'], CompletionPolicy: 'All', SameApproverStrategy, ...more }],
        end: ['End', { Outcome: 'done' }],
      },
      edges: ['s>a', 'a>b', 'b>c', 'c>end'],
    })
  const reach = (definition: ReturnType<typeof steps>) => {
    const run = new Run(definition)
    run.complete('u1')
    run.complete('u2')
    return run
  }
  const skipped = (run: Run) =>
    run.records
      .filter(({ action }) => action === 'SKIPPED')
      .map(({ assigneeId, outcome, taskId }) => [assigneeId, outcome, taskId])

  it('is left out, and a step of nobody else is passed', () => {
    const run = reach(steps('Skip'))
    expect(run.instance.outcome).toBe('done')
    expect(skipped(run)).toEqual([
      ['u0', null, null],
      ['u1', null, null],
      ['u2', null, null],
    ])
    const previous = reach(steps('Skip', { SameApproverScope: ['Previous'] }))
    expect(previous.people()).toEqual(['u0', 'u1'])
  })

  it('counts as approving', () => {
    const starter = reach(steps('AutoApprove', { SameApproverScope: ['Starter'] }))
    expect(starter.people()).toEqual(['u1', 'u2'])
    expect(skipped(starter)).toEqual([['u0', 'approved', null]])
    const all = reach(steps('AutoApprove', { SameApproverScope: ['Instance', 'Starter'] }))
    expect(all.instance.outcome).toBe('done')
    const turns = reach(
      steps('AutoApprove', {
        Assignees: ['u1', 'u5', 'u2'],
        CompletionPolicy: 'Sequential',
        SameApproverScope: ['Instance'],
      }),
    )
    expect(turns.people()).toEqual(['u5'])
    turns.complete('u5')
    expect(turns.instance.outcome).toBe('done')
    const any = reach(steps('AutoApprove', { CompletionPolicy: 'Any', SameApproverScope: ['Previous'] }))
    expect(any.instance.outcome).toBe('done')
  })

  it('is asked again after what he said was returned', () => {
    const run = reach(steps('AutoApprove', { Assignees: ['u1', 'u5'], SameApproverScope: ['Instance'] }))
    expect(run.people()).toEqual(['u5'])
    const back = {
      type: 'returnTask',
      taskId: run.taskOf('u5'),
      toNodeId: 'a',
      comment: null,
      resubmit: false,
    } as const
    expect(run.do(back, person('u5'))).toBeNull()
    expect(run.instance.approvals).toEqual([])
    expect(run.people()).toEqual(['u1'])
  })
})

describe('an absent person', () => {
  it('is stood in for, and both names are in the record', () => {
    const absent = [
      { userId: 'u1', substituteId: 'u3' },
      { userId: 'u2', substituteId: 'u3' },
    ]
    const run = new Run(one({ CompletionPolicy: 'All', Assignees: ['u1', 'u2', 'u4'] }), {}, {}, directory(absent))
    // Nobody is on a step twice.
    expect(run.people()).toEqual(['u3', 'u4'])
    expect(why(run, 'u3')).toMatchObject({ source: 'ASSIGNEES', insteadOfId: 'u1' })
    run.complete('u3')
    expect(run.records.at(-1)).toMatchObject({ action: 'COMPLETED', actorId: 'u3', onBehalfOfId: 'u1' })
  })

  it('keeps the task where the starter would stand in and must not decide', () => {
    const absent = [{ userId: 'u1', substituteId: 'u0' }]
    const run = new Run(one({ Assignees: ['u1'], ExcludeStarter: true }), {}, {}, directory(absent))
    expect(run.people()).toEqual(['u1'])
  })
})

describe('candidates of a group', () => {
  it('share one task; a claim takes it from all and a release gives it back', () => {
    const run = new Run(one({ Assignees: ['group:legal', 'u1'] }))
    const taskId = run.taskOf('group:legal')
    expect(run.do({ type: 'claimTask', taskId, comment: null }, inGroup('x', 'sales'))?.code).toBe(
      'WORKFLOW_DENIED_001',
    )
    expect(run.do({ type: 'claimTask', taskId, comment: null }, inGroup('l1', 'legal'))).toBeNull()
    expect(run.events.at(-1)?.recipients).toEqual(['l1', 'group:legal'])
    expect(run.people()).toEqual(['l1'])
    expect(run.do({ type: 'claimTask', taskId, comment: null }, inGroup('l2', 'legal'))?.code).toBe(
      'WORKFLOW_DENIED_001',
    )
    expect(run.do({ type: 'releaseTask', taskId, comment: null }, inGroup('l1', 'legal'))).toBeNull()
    expect(run.people()).toEqual(['group:legal', 'u1'])
  })

  it('tell why each is asked', () => {
    const rules = [{ type: 'Group', values: ['finance'] }, { type: 'Starter' }]
    const properties = { Assignees: ['u1'], AssigneesExpression: "'u2'", AssigneeRules: rules }
    const run = new Run(one({ ...properties, CompletionPolicy: 'All' }), {}, {}, directory())
    expect(why(run, 'u1')).toMatchObject({ source: 'ASSIGNEES', rule: null })
    expect(why(run, 'u2')).toMatchObject({ source: 'EXPRESSION' })
    expect(why(run, 'f1')).toMatchObject({ source: 'RULE', rule: 'Group' })
    expect(why(run, 'u0')).toMatchObject({ source: 'RULE', rule: 'Starter' })
    run.do({ type: 'addAssignees', taskId: run.taskOf('u1'), userIds: ['u7'], comment: null }, person('u1'))
    expect(why(run, 'u7')).toMatchObject({ source: 'ADDED', byId: 'u1' })
  })
})
