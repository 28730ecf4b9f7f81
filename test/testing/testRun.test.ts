import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/model.js'
import { complete, defineWorkflow, FaultError, fail, fault, type RefusedError, suspend } from '../../src/index.js'
import { testRun } from '../../src/testing/index.js'

const leave = JSON.parse(readFileSync(new URL('../../examples/leave.json', import.meta.url), 'utf8')) as JsonObject
const request = (days: number) => ({ starter: 'sam', variables: { applicant: 'sam', days, approvers: 'mia,tom' } })

describe('a run of a definition in memory', () => {
  it('goes the way that people’s answers take', async () => {
    const run = await testRun(leave, request(5))
    expect(run.path).toEqual(['start', 'manager'])
    expect(run.tasksOf('mia')).toMatchObject([{ nodeId: 'manager', title: 'sam 请假 5 天' }])
    await run.approve('tom', { comment: 'fine' })
    expect(run.tasks.map(({ assigneeId }) => assigneeId)).toEqual(['hr-1', 'hr-2', 'hr-3'])
    await run.approve('hr-1')
    await run.approve('hr-3')
    expect(run).toMatchObject({ status: 'COMPLETED', outcome: 'approved', fault: null })
    expect(run.path).toEqual(['start', 'manager', 'route', 'hr', 'approved'])
    expect(run.trail.find(({ nodeId }) => nodeId === 'route')?.routing).toMatchObject([
      { transitionId: 't3', value: true, taken: true },
    ])
    expect(run.history.map(({ action, actorId }) => [action, actorId])).toContainEqual(['COMPLETED', 'tom'])
    expect(run.events.at(-1)?.type).toBe('workflow.instance.completed')
  })

  it('lets time pass, each thing at its time', async () => {
    const run = await testRun(leave, request(5))
    await run.advance({ days: 2, hours: 23 })
    expect(run.path).toEqual(['start', 'manager'])
    await run.advance({ hours: 2 })
    expect(run).toMatchObject({ status: 'COMPLETED', outcome: 'rejected', variables: { outcome: 'timeout' } })
    expect(run.now).toEqual(new Date('2026-01-08T10:00:00Z'))
    expect(run.instance.endedAt).toBe(Date.parse('2026-01-08T09:00:00Z'))
  })

  it('says who has tasks where one is answered that is not there, and refuses as the engine does', async () => {
    const run = await testRun(leave, request(5))
    await expect(run.approve('eve')).rejects.toThrow('eve has no open task; open are: mia at manager, tom at manager')
    await expect(run.complete('mia', 'maybe')).rejects.toMatchObject({ code: 'WORKFLOW_VALIDATION_002' })
    await run.do({ type: 'suspend', instanceId: run.instance.id, reason: null })
    await run.advance({ days: 4 })
    expect(run.status).toBe('SUSPENDED')
    await run.do({ type: 'resume', instanceId: run.instance.id })
    await run.advance({ seconds: 1 })
    expect(run.outcome).toBe('rejected')
    await expect(testRun(leave, { variables: {} })).rejects.toMatchObject({ code: 'WORKFLOW_VALIDATION_002' })
  })

  it('lists what is wrong with a definition', async () => {
    const wrong = defineWorkflow('wrong').start().to('pay').externalTask('pay', { Topic: '' }).to('nowhere').build()
    const failed = testRun(wrong).catch((error: RefusedError) => error)
    expect(await failed).toMatchObject({ code: 'WORKFLOW_VALIDATION_001' })
    expect(String(await failed)).toMatch(
      /\$\.nodes\[1\]\.properties\.Topic: .+\n.*\$\.transitions\[1\]\.targetNodeId: /,
    )
    await expect(testRun({ name: 'NO' })).rejects.toThrow('$.name: ')
  })

  it('runs children with their parent, and groups answer', async () => {
    const parent = defineWorkflow('parent')
      .start()
      .to('each')
      .forEach('each', { DefinitionName: 'child', Items: 'names', Parallel: true, ResultVariable: 'results' })
      .to('end')
      .end()
      .build()
    const child = defineWorkflow('child')
      .start()
      .to('ask')
      .userTask('ask', { Assignees: ['group:desk'] }, { displayName: 'Ask' })
      .to('end')
      .end()
      .build()
    const options = { definitions: [child], groups: { ann: ['desk'] }, variables: { names: ['a', 'b'] } }
    const run = await testRun(parent, options)
    expect(run.children.map(({ status, variables }) => [status, variables.item])).toEqual([
      ['RUNNING', 'a'],
      ['RUNNING', 'b'],
    ])
    await expect(run.approve('ann')).rejects.toThrow('several')
    for (const { id: taskId } of run.tasksOf('ann'))
      await run.do(
        { type: 'completeTask', taskId, outcome: 'approved', comment: null, variables: {}, onBehalfOfId: null },
        'ann',
      )
    expect(run.status).toBe('COMPLETED')
    expect(run.variables.results).toMatchObject([{ item: 'a' }, { item: 'b' }])
    const canceled = await testRun(parent, options)
    await canceled.do({ type: 'cancel', instanceId: canceled.instance.id, reason: 'no' })
    expect(canceled.children.map(({ status }) => status)).toEqual(['CANCELED', 'CANCELED'])
    expect(canceled.tasks).toEqual([])
    const missing = await testRun(parent, { variables: { names: ['a'] } })
    expect(missing.fault?.code).toBe('WORKFLOW_NOTFOUND_001')
  })

  it('waits for signals, workers and services', async () => {
    const order = defineWorkflow('order')
      .start()
      .to('paid')
      .waitSignal('paid', { SignalName: 'payment.received' })
      .to('ship')
      .externalTask('ship', { Topic: 'ship' }, { retry: { maxAttempts: 2, firstDelay: { minutes: 1 } } })
      .to('tell')
      .http(
        'tell',
        { Url: 'https://shop.example/{{ id }}', Method: 'POST' },
        { retry: { maxAttempts: 2, firstDelay: '00:00:10' } },
      )
      .to('end')
      .end()
      .build()
    const called: string[] = []
    const run = await testRun(order, {
      correlationId: 'o1',
      variables: { id: 7 },
      http: ({ url, method }) => {
        called.push(`${method} ${url}`)
        if (called.length === 1) throw new FaultError(fault('SHOP_001', 'shop.closed', {}))
        return { status: 200, body: { ok: true } }
      },
    })
    expect(await run.signal('payment.received', null, 'o2')).toBe(0)
    expect(await run.signal('payment.received', { amount: 3 })).toBe(1)
    await run.fail('ship', 'no truck', 30)
    await expect(run.finish('ship')).rejects.toThrow('no external task')
    await run.advance({ seconds: 30 })
    await run.fail('ship', 'no driver')
    await run.advance({ minutes: 1 })
    await run.finish('ship', { truck: 't1' })
    expect(called).toEqual(['POST https://shop.example/7'])
    await run.advance({ seconds: 10 })
    expect(run).toMatchObject({
      status: 'COMPLETED',
      variables: { truck: 't1', http: { status: 200, body: { ok: true } } },
    })
    expect(run.path).toEqual(['start', 'paid', 'ship', 'tell', 'end'])
    const silent = await testRun(order, { correlationId: 'o3', variables: { id: 1 } })
    await silent.signal('payment.received')
    await expect(silent.finish('ship')).rejects.toThrow('give testRun a function `http`')
  })

  it('lets an activity of the application wait for a time, and fails with what it throws', async () => {
    const naps = defineWorkflow('naps').start().to('nap').activity('Nap', 'nap').to('end').end().build()
    const nap = {
      type: 'Nap',
      execute: async ({ now }: { now: number }) => suspend([{ kind: 'TIMER', dueAt: now + 60_000 }]),
    }
    const run = await testRun(naps, { extensions: { activities: [nap] } })
    await run.advance({ seconds: 59 })
    expect(run.status).toBe('RUNNING')
    await run.advance({ seconds: 1 })
    expect(run.status).toBe('COMPLETED')
    const broken = { type: 'Nap', execute: () => Promise.reject(new TypeError('of mine')) }
    await expect(testRun(naps, { extensions: { activities: [broken] } })).rejects.toThrow('of mine')
  })

  it('runs the application’s code, which says so where it needs a database', async () => {
    const done: string[] = []
    const sms = {
      type: 'Sms',
      execute: async ({ render }: { render(name: string): string }) => {
        done.push(render('Text'))
        return suspend([{ kind: 'SIGNAL', key: 'delivered' }])
      },
      resume: async (_call: unknown, _bookmark: unknown, inputs: JsonObject) =>
        (inputs.signal as JsonObject).lost ? fail(fault('SMS_001', 'sms.lost', {})) : complete({ delivered: true }),
      compensate: async () => {
        done.push('undone')
        return undefined
      },
    }
    const notify = defineWorkflow('notify')
      .compensation()
      .start()
      .to('sms')
      .activity('Sms', 'sms', { Text: 'Hello {{ name }}' })
      .to('ask')
      .userTask('ask', { AssigneeRules: [{ type: 'Boss' }] })
      .to('end')
      .end('end', { Outcome: 'told' })
      .build()
    const extensions = {
      activities: [sms],
      assigneeProviders: [{ type: 'Boss', resolve: async () => ['boss'] }],
      outcomeHandlers: [async ({ outcome }: { outcome: string }) => void done.push(outcome) as undefined],
    }
    const run = await testRun(notify, { variables: { name: 'Ann' }, extensions })
    await run.signal('delivered', {})
    expect(run.variables.delivered).toBe(true)
    await run.approve('boss')
    expect(done).toEqual(['Hello Ann', 'told'])
    const lost = await testRun(notify, { variables: { name: 'Ann' }, extensions })
    await lost.signal('delivered', { lost: true })
    expect(lost.fault?.code ?? lost.status).toBe('SMS_001')
    const undone = await testRun(notify, { variables: { name: 'Ann' }, extensions })
    await undone.signal('delivered', {})
    await undone.do({ type: 'cancel', instanceId: undone.instance.id, reason: null })
    expect(done.at(-1)).toBe('undone')
    expect(undone.trail.map(({ status }) => status)).toContain('COMPENSATED')
    const stored = {
      type: 'Sms',
      execute: async ({ tx }: { tx: { $executeRaw(q: TemplateStringsArray): Promise<number> } }) => {
        await tx.$executeRaw`SELECT 1`
        return complete()
      },
    }
    const withCode = (tx?: object) =>
      testRun(notify, { variables: { name: 'Ann' }, extensions: { ...extensions, activities: [stored] }, ...tx })
    await expect(withCode()).rejects.toThrow('has no database')
    const tx = { $executeRaw: async () => 1, $executeRawUnsafe: async () => 1 }
    const pretending = { tx: { ...tx, $queryRaw: async () => [], $queryRawUnsafe: async () => [] } }
    expect((await withCode(pretending)).tasksOf('boss')).toHaveLength(1)
  })
})
