import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { document } from '../support/engine.js'
import { refusals } from './ask.js'
import { codes, Desk } from './desk.js'

const leave = JSON.parse(readFileSync(new URL('../../examples/leave.json', import.meta.url), 'utf8'))
const source = `query ($input: PreviewInstanceInput!) { previewInstance(input: $input) {
  status outcome fault { messageKey }
  steps { nodeId title people { id } groups taskTitle outcome assumed } } }`

onBothDatabases('a preview', (database) => {
  it('tells the way and the people, by the outcomes assumed, and writes nothing', async () => {
    const desk = new Desk(database())
    await desk.publish(leave)
    const events = await database().prisma.event.count()
    const look = async (days: number, outcomes: JsonObject = {}) => {
      const variables = { applicant: 'Alice', days, approvers: 'bob' }
      const { data, errors } = await desk.ask('alice', source, { input: { name: 'hr.leave', variables, outcomes } })
      expect(errors).toEqual([])
      return data.previewInstance
    }
    const long = await look(5)
    expect(long).toMatchObject({ status: 'COMPLETED', outcome: 'approved', fault: null })
    expect(long.steps).toMatchObject([
      { nodeId: 'start', assumed: false },
      { nodeId: 'manager', people: [{ id: 'bob' }], taskTitle: 'Alice 请假 5 天', outcome: 'approved', assumed: true },
      { nodeId: 'route' },
      { nodeId: 'hr', people: [{ id: 'hr-1' }, { id: 'hr-2' }, { id: 'hr-3' }], outcome: 'approved' },
      { nodeId: 'approved' },
    ])
    expect((await look(2)).steps.map((step: { nodeId: string }) => step.nodeId)).toEqual([
      'start',
      'manager',
      'route',
      'approved',
    ])
    expect(await look(5, { manager: 'rejected' })).toMatchObject({ status: 'COMPLETED', outcome: 'rejected' })
    expect(await database().prisma.instance.count()).toBe(0)
    expect(await database().prisma.event.count()).toBe(events)
  })

  it('goes on over waits, and stops at faults and circles', async () => {
    const desk = new Desk(database())
    const look = async (input: JsonObject) =>
      (await desk.ask('dora', source, { input }, ['design'])).data.previewInstance
    const waiting = document(
      'waiting',
      {
        s: 'Start',
        d: ['Delay', { Duration: '3.00:00:00' }],
        w: ['WaitSignal', { SignalName: 'go' }],
        g: ['UserTask', { Assignees: ['group:finance'] }],
        e: 'End',
      },
      ['s>d', 'd>w', 'w>g', 'g>e'],
    )
    const over = await look({ document: waiting })
    expect(over.status).toBe('COMPLETED')
    expect(over.steps).toMatchObject([
      { nodeId: 's' },
      { nodeId: 'd', assumed: true },
      { nodeId: 'w', assumed: true },
      { nodeId: 'g', groups: ['finance'], people: [] },
      { nodeId: 'e' },
    ])
    const faulty = document('faulty', { s: 'Start', d: 'Decision', e: 'End' }, ['s>d', 'd>e ? nothing > 1'])
    expect(await look({ document: faulty })).toMatchObject({
      status: 'FAULTED',
      fault: { messageKey: 'workflow.expression.unknown_variable' },
    })
    const circle = document('circle', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], e: 'End' }, [
      's>t',
      "t>t ? outcome == 'approved'",
      't>e default',
    ])
    expect((await look({ document: circle })).status).toBe('RUNNING')
  })

  it('refuses what cannot be looked at', async () => {
    const desk = new Desk(database())
    const look = (input: JsonObject, permissions: 'design'[] = ['design']) =>
      desk.ask('dora', source, { input }, permissions)
    expect(codes(await look({ name: 'nothing' }))).toEqual(['WORKFLOW_NOTFOUND_001'])
    expect(codes(await look({ name: 'a', document: {} }))).toEqual(['WORKFLOW_VALIDATION_002'])
    expect(codes(await look({ document: {} }))).toEqual(['WORKFLOW_VALIDATION_001'])
    expect(codes(await look({ document: leave, variables: { a: '\u0000' } }))).toEqual(['WORKFLOW_VALIDATION_002'])
    expect(codes(await look({ document: leave }, []))).toEqual(['WORKFLOW_DENIED_003'])
    expect(refusals(await look({ document: leave }))).toEqual([
      ['WORKFLOW_VALIDATION_002', 'workflow.instance.variable_missing'],
    ])
    const variables = { applicant: 'A', days: 1, approvers: 'bob' }
    expect(refusals(await look({ document: leave, variables, outcomes: { manager: 'maybe' } }))).toEqual([
      ['WORKFLOW_VALIDATION_002', 'workflow.task.outcome_not_allowed'],
    ])
    expect(codes(await look({ document: leave, variables, outcomes: { manager: 1 } }))).toEqual([
      'WORKFLOW_VALIDATION_002',
    ])
  })
})
