import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { document } from '../support/engine.js'
import { ask, person, refusals } from './ask.js'
import { codes, Desk, told } from './desk.js'

const step = (properties: JsonObject) =>
  document('step', { s: 'Start', t: ['UserTask', properties], next: ['UserTask', { Assignees: ['u9'] }], end: 'End' }, [
    's>t',
    't>next',
    'next>end',
  ])

const verbs: [string, JsonObject][] = [
  ['approveTask', {}],
  ['claimTask', {}],
  ['transferTask', { toUserId: 'u7' }],
  ['delegateTask', { toUserId: 'u7' }],
  ['returnTask', {}],
  ['addAssignees', { userIds: ['u7'] }],
  ['removeAssignees', { userIds: ['u1'] }],
  ['releaseTask', {}],
  ['commentTask', { comment: 'hm' }],
]

onBothDatabases('people through the API', (database) => {
  it('C10 a claimed task is the claimer’s alone, whatever the others try', async () => {
    const desk = new Desk(database())
    await desk.publish(step({ Assignees: ['u1', 'u2', 'u3'] }))
    const { id } = told(await desk.start('step')).instance
    const [u1, u2] = [await desk.taskOf('u1'), await desk.taskOf('u2')]
    told(await desk.act('u1', 'claimTask', { taskId: u1 }))
    expect([...(await desk.inbox('u2')), ...(await desk.inbox('u3'))]).toEqual([])
    expect(codes(await desk.act('u2', 'approveTask', { taskId: u2 }))).toEqual(['WORKFLOW_NOTFOUND_003'])
    for (const userId of ['u2', 'stranger'])
      for (const [verb, more] of verbs)
        expect([verb, ...codes(await desk.act(userId, verb, { taskId: u1, ...more }))]).toEqual([
          verb,
          'WORKFLOW_DENIED_001',
        ])
    expect((await desk.instance(id)).tasks).toMatchObject([{ id: u1, assignee: { id: 'u1' } }])
  })

  it('C10 who acts is the authenticated caller: nobody can say that he is another', async () => {
    const desk = new Desk(database())
    await desk.publish(step({ Assignees: ['u1'] }))
    const { id } = told(await desk.start('step')).instance
    const taskId = await desk.taskOf('u1')
    const behalf = await desk.act('u2', 'approveTask', { taskId, onBehalfOf: 'u1' })
    expect(codes(behalf)).toEqual(['WORKFLOW_DENIED_001'])
    const forged = await desk.act('u2', 'approveTask', { taskId, actor: 'u1' })
    expect(forged.errors).toHaveLength(1)
    expect((await desk.instance(id)).history.nodes).toEqual([])
    told(await desk.act('u1', 'approveTask', { taskId, onBehalfOf: 'u1' }))
    expect((await desk.instance(id)).history.nodes).toMatchObject([{ actor: { id: 'u1' } }])
  })

  it('the delegate’s answer comes back to the owner with what he said', async () => {
    const desk = new Desk(database())
    await desk.publish(step({ AssigneeRules: [{ type: 'Starter' }] }))
    told(await desk.start('step', {}, {}, 'u1'))
    const taskId = await desk.taskOf('u1')
    told(await desk.act('u1', 'delegateTask', { taskId, toUserId: 'u2' }))
    const read = `query ($id: ID!) { it: task(id: $id) { assignee { id } owner { id }
      delegateAnswer { by { id } outcome comment } whyAssigned { source rule by { id } insteadOf { id } } } }`
    expect(told(await desk.ask('u2', read, { id: taskId }))).toEqual({
      assignee: { id: 'u2' },
      owner: { id: 'u1' },
      delegateAnswer: null,
      whyAssigned: { source: 'DELEGATED', rule: null, by: { id: 'u1' }, insteadOf: null },
    })
    told(await desk.act('u2', 'rejectTask', { taskId, comment: 'better not' }))
    expect(told(await desk.ask('u1', read, { id: taskId }))).toEqual({
      assignee: { id: 'u1' },
      owner: null,
      delegateAnswer: { by: { id: 'u2' }, outcome: 'rejected', comment: 'better not' },
      whyAssigned: { source: 'RULE', rule: 'Starter', by: null, insteadOf: null },
    })
  })

  it('the starter withdraws, the last approver takes back, an operator hands over', async () => {
    const desk = new Desk(database())
    await desk.publish(step({ Assignees: ['u1'] }))
    const { id } = told(await desk.start('step')).instance
    const withdraw = (userId: string, instanceId = id) =>
      desk.ask(
        userId,
        'mutation ($input: InstanceReasonInput!) { it: withdrawInstance(input: $input) { instance { status } } }',
        { input: { id: instanceId } },
        [],
      )
    expect(codes(await withdraw('stranger'))).toEqual(['WORKFLOW_NOTFOUND_002'])
    expect(codes(await withdraw('u0', 'nonsense'))).toEqual(['WORKFLOW_NOTFOUND_002'])
    expect(codes(await withdraw('u1'))).toEqual(['WORKFLOW_DENIED_001'])
    const taskId = await desk.taskOf('u1')
    told(await desk.approve('u1'))
    expect(refusals(await withdraw('u0'))).toEqual([['WORKFLOW_CONFLICT_004', 'workflow.instance.withdraw_too_late']])
    const back = told(await desk.act('u1', 'takeBackTask', { taskId }))
    expect(back.task).toBeNull()
    expect(back.nextTasks).toHaveLength(1)
    const handOver = (permissions: 'operate'[]) =>
      desk.ask(
        'op',
        'mutation { it: handOverTasks(fromUserId: "u1", toUserId: "u2", comment: "left") { id task { assignee { id } } error { code } } }',
        {},
        permissions,
      )
    expect(codes(await handOver([]))).toEqual(['WORKFLOW_DENIED_003'])
    expect(told(await handOver(['operate']))).toMatchObject([{ task: { assignee: { id: 'u2' } }, error: null }])
    const { history } = await desk.instance(id)
    expect(history.nodes.map(({ action }: { action: string }) => action)).toEqual([
      'COMPLETED',
      'CANCELED',
      'TAKEN_BACK',
      'HANDED_OVER',
    ])
    const other = told(await desk.start('step')).instance
    expect(told(await withdraw('u0', other.id)).instance.status).toBe('CANCELED')
  })

  it('administrators keep the directory, and everybody finds people in it', async () => {
    const admin = person('boss', ['admin'])
    const write = (source: string, input: JsonObject, actor = admin) =>
      ask(
        database(),
        actor,
        `mutation ($input: ${source.split(':')[1]}!) { it: ${source.split(':')[0]}(input: $input) ${source.split(':')[2]} }`,
        { input },
      )
    const upsert = (users: JsonObject[], actor = admin) =>
      write('upsertUsers:UpsertUsersInput:{ users { id name email groups manager { name } } }', { users }, actor)
    const written = await upsert([
      { id: 'ann', name: 'Ann Ösel', email: 'ann@example.com', managerId: 'bea', groups: ['hr', 'hr'] },
      { id: 'bea', name: 'Bea' },
    ])
    expect(told(written).users[0]).toEqual({
      id: 'ann',
      name: 'Ann Ösel',
      email: 'ann@example.com',
      groups: ['hr'],
      manager: { name: 'Bea' },
    })
    expect(codes(await upsert([{ id: 'x', name: 'X' }], person('u1')))).toEqual(['WORKFLOW_DENIED_003'])
    for (const wrong of [
      { id: 'a,b', name: 'X' },
      { id: 'group:x', name: 'X' },
      { id: 'x', name: ' ' },
      { id: 'x', name: 'X', managerId: 'x' },
    ])
      expect(codes(await upsert([{ id: 'fine', name: 'Fine' }, wrong]))).toEqual(['WORKFLOW_VALIDATION_002'])
    expect(
      codes(
        await upsert([
          { id: 'x', name: 'X' },
          { id: 'x', name: 'Y' },
        ]),
      ),
    ).toEqual(['WORKFLOW_VALIDATION_002'])
    const find = async (args: string) =>
      (await ask(database(), person('u1'), `{ it: users${args} { nodes { id } totalCount } }`)).data.it
    expect(await find('(keyword: "ÖSEL")')).toEqual({ nodes: [{ id: 'ann' }], totalCount: 1 })
    expect(await find('(group: "hr")')).toEqual({ nodes: [{ id: 'ann' }], totalCount: 1 })
    const { data } = await ask(
      database(),
      person('u1'),
      '{ users(first: 1) { nodes { id } pageInfo { endCursor hasNextPage } } }',
    )
    expect(data.users).toMatchObject({ nodes: [{ id: 'ann' }], pageInfo: { hasNextPage: true } })
    expect((await find(`(first: 1, after: "${data.users.pageInfo.endCursor}")`)).nodes).toEqual([{ id: 'bea' }])
    const change = (input: JsonObject) => write('changeMembership:ChangeMembershipInput:{ users { id groups } }', input)
    expect(told(await change({ group: 'it', add: ['ann', 'bea'], remove: [] })).users).toEqual([
      { id: 'ann', groups: ['hr', 'it'] },
      { id: 'bea', groups: ['it'] },
    ])
    expect(codes(await change({ group: 'it', remove: ['nobody'] }))).toEqual(['WORKFLOW_VALIDATION_002'])
    told(await change({ group: 'it', remove: ['ann'] }))
    expect((await find('(group: "it")')).nodes).toEqual([{ id: 'bea' }])
    expect(told(await write('removeUsers:RemoveUsersInput:{ removed }', { ids: ['bea', 'nobody'] })).removed).toBe(1)
    expect((await ask(database(), person('u1'), '{ users { nodes { id manager { id } } } }')).data.users.nodes).toEqual(
      [{ id: 'ann', manager: null }],
    )
  })

  it('a person names a substitute for himself, an operator for others', async () => {
    const desk = new Desk(database())
    const at = (hours: number) => new Date(desk.clock.time + hours * 3_600_000).toISOString()
    const name = (userId: string, input: JsonObject, permissions: 'operate'[] = []) =>
      desk.ask(
        userId,
        'mutation ($input: SetSubstituteInput!) { it: setSubstitute(input: $input) { substitute { id user { id } substitute { id } startsAt } } }',
        { input: { endsAt: at(2), ...input } },
        permissions,
      )
    const named = told(await name('u1', { substituteId: 'u2' })).substitute
    expect(named).toMatchObject({ user: { id: 'u1' }, substitute: { id: 'u2' }, startsAt: at(0) })
    expect(codes(await name('u1', { substituteId: 'u2', userId: 'u3' }))).toEqual(['WORKFLOW_DENIED_003'])
    told(await name('op', { substituteId: 'u2', userId: 'u3' }, ['operate']))
    for (const wrong of [{ substituteId: 'u1' }, { substituteId: 'u2', endsAt: at(-1) }, { substituteId: 'group:x' }])
      expect(codes(await name('u1', wrong))).toEqual(['WORKFLOW_VALIDATION_002'])
    const own = '{ it: substitutes { id } }'
    expect(told(await desk.ask('u1', own))).toEqual([{ id: named.id }])
    expect(codes(await desk.ask('u1', '{ it: substitutes(userId: "u3") { id } }', {}, []))).toEqual([
      'WORKFLOW_DENIED_003',
    ])
    const remove = (userId: string) =>
      desk.ask(
        userId,
        'mutation ($input: IdInput!) { it: removeSubstitute(input: $input) { deletedId } }',
        { input: { id: named.id } },
        [],
      )
    expect(codes(await remove('u3'))).toEqual(['WORKFLOW_VALIDATION_002'])
    expect(told(await remove('u1')).deletedId).toBe(named.id)
    expect(told(await desk.ask('u1', own))).toEqual([])
  })
})
