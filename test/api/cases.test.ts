import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { document } from '../support/engine.js'
import { refusals } from './ask.js'
import { codes, Desk, told } from './desk.js'

const vote = (properties: JsonObject, more: JsonObject = {}) =>
  document(
    'vote',
    {
      s: 'Start',
      t: ['UserTask', properties, more],
      ok: ['UserTask', { Assignees: ['u9'] }],
      no: ['End', { Outcome: 'rejected' }],
      end: 'End',
    },
    ['s>t', "t>ok ? outcome == 'approved'", 't>no default', 'ok>end'],
  )

const ran = (instance: { trail: { nodes: { nodeId: string }[] } }, nodeId: string) =>
  instance.trail.nodes.filter((node) => node.nodeId === nodeId)

onBothDatabases('cases through the API', (database) => {
  it('C01 a join counts edges, not arrivals', async () => {
    const desk = new Desk(database())
    await desk.publish(
      document(
        'c01',
        {
          s: 'Start',
          fork: 'Parallel',
          a: ['WaitSignal', { SignalName: 'tick' }],
          a2: ['SetVariable', { Expressions: { n: 'n + 1' } }],
          b: ['UserTask', { Assignees: ['u2'] }],
          join: 'Join',
          after: ['UserTask', { Assignees: ['u3'] }],
          end: 'End',
        },
        ['s>fork', 'fork>a', 'fork>b', 'a>join', 'a>a2', 'a2>a', 'b>join', 'join>after', 'after>end'],
      ),
    )
    const { id } = told(await desk.start('c01', { n: 0 }, { correlationId: 'k' })).instance
    for (let tick = 0; tick < 3; tick += 1) expect(await desk.signal('tick', 'k')).toBe(1)
    expect(ran(await desk.instance(id), 'join')).toHaveLength(0)
    expect(await desk.inbox('u3')).toEqual([])
    told(await desk.approve('u2'))
    expect(ran(await desk.instance(id), 'join')).toHaveLength(1)
    await desk.signal('tick', 'k')
    expect(ran(await desk.instance(id), 'join')).toHaveLength(1)
    expect(await desk.inbox('u3')).toHaveLength(1)
    told(await desk.approve('u3'))
    expect(await desk.instance(id)).toMatchObject({ status: 'COMPLETED', bookmarks: [] })
    expect(await desk.signal('tick', 'k')).toBe(0)
  })

  it('C02 a join inside a loop begins each round afresh', async () => {
    const desk = new Desk(database())
    await desk.publish(
      document(
        'c02',
        {
          s: 'Start',
          fork: 'Parallel',
          a: ['UserTask', { Assignees: ['u1'] }],
          b: ['UserTask', { Assignees: ['u2'] }],
          join: 'Join',
          d: 'Decision',
          inc: ['SetVariable', { Expressions: { round: 'round + 1' } }],
          end: 'End',
        },
        ['s>fork', 'fork>a', 'fork>b', 'a>join', 'b>join', 'join>d', 'd>end ? round >= 3', 'd>inc default', 'inc>fork'],
        { variables: [{ name: 'round', defaultValue: 1 }] },
      ),
    )
    const { id } = told(await desk.start('c02')).instance
    told(await desk.approve('u1'))
    told(await desk.approve('u2'))
    told(await desk.approve('u2'))
    const halfway = await desk.instance(id)
    expect(halfway.status).toBe('RUNNING')
    expect(await desk.inbox('u1')).toHaveLength(1)
    expect(ran(halfway, 'join')).toHaveLength(1)
    told(await desk.approve('u1'))
    const [u1, u2] = [await desk.taskOf('u1'), await desk.taskOf('u2')]
    const both = await Promise.all([
      desk.act('u1', 'approveTask', { taskId: u1 }),
      desk.act('u2', 'approveTask', { taskId: u2 }),
    ])
    both.map(told)
    const done = await desk.instance(id)
    expect(done.status).toBe('COMPLETED')
    expect(['a', 'b', 'join', 'end'].map((node) => ran(done, node).length)).toEqual([3, 3, 3, 1])
  })

  it('C04 added signers count for a percentage at once', async () => {
    const desk = new Desk(database())
    await desk.publish(vote({ CompletionPolicy: 'All', ApprovalThreshold: '60%', Assignees: ['u1', 'u2', 'u3'] }))
    const { id } = told(await desk.start('vote')).instance
    told(await desk.approve('u1'))
    told(await desk.act('u2', 'addAssignees', { taskId: await desk.taskOf('u2'), userIds: ['u4', 'u5'] }))
    told(await desk.approve('u2'))
    const open = await desk.instance(id)
    expect(open.tasks.map((task: { assignee: { id: string } }) => task.assignee.id)).toEqual(['u3', 'u4', 'u5'])
    told(await desk.approve('u4'))
    const closed = await desk.instance(id)
    expect(closed.tasks).toMatchObject([{ assignee: { id: 'u9' } }])
    const [step] = ran(closed, 't') as unknown as { state: { assignees: string[]; approved: string[]; history: [] } }[]
    expect([step?.state.assignees.length, step?.state.approved.length, step?.state.history.length]).toEqual([5, 3, 3])
  })

  it('C05 nobody is twice on a step, and nothing is half-added', async () => {
    const desk = new Desk(database())
    const properties = {
      CompletionPolicy: 'All',
      Assignees: ['u1'],
      AssigneesExpression: 'extra',
      AssigneeRules: [{ type: 'Starter' }],
    }
    await desk.publish(vote(properties))
    const { id } = told(await desk.start('vote', { extra: 'u2, u1 ,u2' }, {}, 'u2')).instance
    const [u1, u2] = [await desk.taskOf('u1'), await desk.taskOf('u2')]
    expect((await desk.instance(id)).tasks.map((task: { id: string }) => task.id)).toEqual([u1, u2])
    for (const userIds of [['u2'], ['u3', 'u2']])
      expect(codes(await desk.act('u1', 'addAssignees', { taskId: u1, userIds }))).toEqual(['WORKFLOW_CONFLICT_004'])
    expect(await desk.inbox('u3')).toEqual([])
    told(await desk.approve('u1'))
    const transfer = await desk.act('u2', 'transferTask', { taskId: u2, toUserId: 'u1' })
    expect(codes(transfer)).toEqual(['WORKFLOW_CONFLICT_004'])
    expect(codes(await desk.act('u1', 'approveTask', { taskId: u1 }))).toEqual(['WORKFLOW_NOTFOUND_003'])
    expect(codes(await desk.act('u1', 'approveTask', { taskId: u2 }))).toEqual(['WORKFLOW_DENIED_001'])
    told(await desk.approve('u2'))
    expect((await desk.instance(id)).history.nodes).toHaveLength(2)
  })

  it('C06 a decided step leaves nothing behind in any list', async () => {
    const desk = new Desk(database())
    const properties = {
      CompletionPolicy: 'All',
      ApprovalThreshold: 2,
      Assignees: ['u1', 'u2', 'u3', 'u4'],
      ReminderAfterSeconds: 3600,
    }
    await desk.publish(vote(properties, { timeout: '1.00:00:00' }))
    const { id } = told(await desk.start('vote')).instance
    const [u3, u4] = [await desk.taskOf('u3'), await desk.taskOf('u4')]
    told(await desk.approve('u1'))
    told(await desk.approve('u2'))
    expect([...(await desk.inbox('u3')), ...(await desk.inbox('u4'))]).toEqual([])
    const decided = await desk.instance(id)
    expect(decided.bookmarks).toEqual([{ kind: 'USER_TASK', nodeId: 'ok' }])
    for (const hours of [2, 48]) {
      desk.clock.time += hours * 3_600_000
      expect(await desk.poll()).toBe(0)
    }
    const late = await desk.act('u3', 'approveTask', { taskId: u3 })
    expect(refusals(late)).toEqual([['WORKFLOW_NOTFOUND_003', 'workflow.task.closed']])
    expect(late.errors[0]?.extensions.details).toMatchObject({ action: 'CANCELED', outcome: 'approved', actorId: 'u2' })
    expect(codes(await desk.act('u4', 'claimTask', { taskId: u4 }))).toEqual(['WORKFLOW_NOTFOUND_003'])
    expect(codes(await desk.act('u4', 'transferTask', { taskId: u4, toUserId: 'u7' }))).toEqual([
      'WORKFLOW_NOTFOUND_003',
    ])
    expect(await database().prisma.event.count({ where: { type: 'workflow.task.reminder' } })).toBe(0)
  })

  it('C07 a step that resolves to nobody never leaves an instance running without a task', async () => {
    const desk = new Desk(database())
    const nobody: Json[] = ['', ' , ,', [], null]
    const strategies = {
      Fault: { status: 'FAULTED', faultNodeId: 't', people: [] },
      AutoApprove: { status: 'RUNNING', faultNodeId: null, people: ['u9'] },
      AutoReject: { status: 'COMPLETED', faultNodeId: null, people: [] },
      Fallback: { status: 'RUNNING', faultNodeId: null, people: ['u8'] },
    }
    for (const [EmptyAssigneeStrategy, { people, ...state }] of Object.entries(strategies)) {
      const FallbackAssigneeRules = [{ type: 'User', values: ['u8'] }]
      const source = vote({ AssigneesExpression: 'approvers', EmptyAssigneeStrategy, FallbackAssigneeRules })
      await desk.publish({ ...source, name: EmptyAssigneeStrategy.toLowerCase() })
      for (const approvers of nobody) {
        const { id } = told(await desk.start(EmptyAssigneeStrategy.toLowerCase(), { approvers })).instance
        const instance = await desk.instance(id)
        expect(instance).toMatchObject(state)
        expect(instance.tasks.map((task: { assignee: { id: string } }) => task.assignee.id)).toEqual(people)
      }
      const missing = told(await desk.start(EmptyAssigneeStrategy.toLowerCase())).instance
      expect(missing).toMatchObject({
        status: 'FAULTED',
        faultNodeId: 't',
        fault: { code: 'WORKFLOW_VALIDATION_003', messageKey: 'workflow.expression.unknown_variable' },
      })
    }
    const { id } = told(await desk.start('fault', { approvers: '' })).instance
    const operate = (mutation: string, type: string, input: JsonObject) =>
      desk.ask(
        'op',
        `mutation ($input: ${type}!) { it: ${mutation}(input: $input) { instance { status } } }`,
        { input },
        ['operate'],
      )
    told(await operate('setInstanceVariables', 'SetVariablesInput', { id, set: { approvers: 'u5' } }))
    expect(told(await operate('retryInstance', 'IdInput', { id })).instance.status).toBe('RUNNING')
    expect(await desk.inbox('u5')).toHaveLength(1)
    const jumping = told(await desk.start('fault', { approvers: '' })).instance
    const target = { id: jumping.id, targetNodeId: 'ok' }
    expect(told(await operate('jumpInstance', 'JumpInstanceInput', target)).instance.status).toBe('RUNNING')
    for (const [mutation, status] of [
      ['cancelInstance', 'CANCELED'],
      ['terminateInstance', 'TERMINATED'],
    ] as const) {
      const faulted = told(await desk.start('fault', { approvers: '' })).instance
      const ended = told(await operate(mutation, 'InstanceReasonInput', { id: faulted.id }))
      expect(ended.instance.status).toBe(status)
    }
  })

  it('C27 host objects are out of reach, and special names poison nobody', async () => {
    const desk = new Desk(database())
    for (const [index, condition] of [
      'constructor',
      'p.__proto__',
      "p['constructor']",
      'toString',
      'p.admin',
    ].entries()) {
      await desk.publish(
        document(`c27-${index}`, { s: 'Start', d: 'Decision', a: 'End', b: 'End' }, [
          's>d',
          `d>a ? ${condition}`,
          'd>b default',
        ]),
      )
      const { instance } = told(await desk.start(`c27-${index}`, { p: {} }))
      expect(instance).toMatchObject({ status: 'FAULTED', fault: { code: 'WORKFLOW_VALIDATION_003' } })
    }
    for (const name of ['__proto__', 'constructor']) {
      const variables = JSON.parse(`{ "p": {}, "${name}": { "admin": true, "prototype": { "admin": true } } }`)
      const answer = await desk.start('c27-4', variables)
      if (answer.errors.length > 0) expect(codes(answer)).toEqual(['WORKFLOW_VALIDATION_002'])
      else expect(told(answer).instance.status).toBe('FAULTED')
    }
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  it('C28 a typo in a condition is a fault, never the default way', async () => {
    const desk = new Desk(database())
    const conditions: [string, string][] = [
      ['approval == true', 'unknown_variable'],
      ['x != null', 'unknown_variable'],
      ['form.x', 'not_boolean'],
      ['form.x > 3', 'type_mismatch'],
      ['1 / 0 > 0', 'division_by_zero'],
      ['"abc"', 'not_boolean'],
    ]
    for (const [index, [condition, key]] of conditions.entries()) {
      await desk.publish(
        document(`c28-${index}`, { s: 'Start', d: 'Decision', a: 'End', b: 'End' }, [
          's>d',
          `d>a ? ${condition}`,
          'd>b default',
        ]),
      )
      const { instance } = told(await desk.start(`c28-${index}`, { form: {} }))
      expect(instance).toMatchObject({
        status: 'FAULTED',
        faultNodeId: 'd',
        fault: { code: 'WORKFLOW_VALIDATION_003', messageKey: `workflow.expression.${key}` },
      })
      expect(ran(await desk.instance(instance.id), 'b')).toEqual([])
    }
  })
})
