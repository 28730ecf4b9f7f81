import { describe, expect, it } from 'vitest'
import type { InstanceCommand } from '../../src/engine/command.js'
import type { InstanceStatus } from '../../src/engine/model.js'
import { define, person, Run } from '../support/run.js'

const operator = person('operator', 'operate')

/** An instance in this state. */
function inState(status: InstanceStatus): Run {
  const run = new Run(
    define({
      nodes: { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], f: 'Fault', end: 'End' },
      edges: ['s>t', "t>end ? outcome == 'approved'", 't>f default'],
    }),
  )
  const reason = null
  const { id: instanceId } = run.instance
  const refused = {
    RUNNING: () => null,
    SUSPENDED: () => run.do({ type: 'suspend', instanceId, reason }, operator),
    COMPLETED: () => run.complete('u1'),
    CANCELED: () => run.do({ type: 'cancel', instanceId, reason }, operator),
    FAULTED: () => run.complete('u1', 'rejected'),
    TERMINATED: () => run.do({ type: 'terminate', instanceId, reason }, operator),
  }[status]()
  expect([refused, run.instance.status]).toEqual([null, status])
  return run
}

const states: InstanceStatus[] = ['RUNNING', 'SUSPENDED', 'COMPLETED', 'CANCELED', 'FAULTED', 'TERMINATED']
const id = 'i'
const cases: [InstanceCommand, InstanceStatus[], InstanceStatus[]][] = [
  [{ type: 'suspend', instanceId: id, reason: null }, ['RUNNING'], []],
  [{ type: 'resume', instanceId: id }, ['SUSPENDED'], []],
  [{ type: 'retry', instanceId: id }, ['FAULTED'], []],
  [{ type: 'setVariables', instanceId: id, set: { a: 1 }, remove: [] }, ['RUNNING', 'SUSPENDED', 'FAULTED'], []],
  [{ type: 'jump', instanceId: id, targetNodeId: 't', reason: null }, ['RUNNING', 'SUSPENDED', 'FAULTED'], []],
  [
    { type: 'cancel', instanceId: id, reason: null },
    ['RUNNING', 'SUSPENDED', 'FAULTED'],
    ['COMPLETED', 'CANCELED', 'TERMINATED'],
  ],
  [
    { type: 'terminate', instanceId: id, reason: null },
    ['RUNNING', 'SUSPENDED', 'FAULTED'],
    ['COMPLETED', 'CANCELED', 'TERMINATED'],
  ],
]

describe('controls', () => {
  for (const [command, allowed, unchanged] of cases)
    for (const state of states)
      it(`${command.type} of an instance that is ${state}`, () => {
        const run = inState(state)
        const { revision } = run.instance
        const refused = run.do({ ...command, instanceId: run.instance.id }, operator)
        if (allowed.includes(state)) {
          expect(refused).toBeNull()
          expect(run.instance.revision).toBe(revision + 1)
          return
        }
        expect(run.instance).toMatchObject({ status: state, revision })
        if (unchanged.includes(state)) expect(refused).toBeNull()
        else
          expect(refused).toMatchObject({
            code: 'WORKFLOW_CONFLICT_001',
            messageKey: `workflow.instance.is_${state.toLowerCase()}`,
            arguments: { status: state },
          })
      })

  it('migrate is refused unless the instance runs or is suspended', () => {
    for (const state of states) {
      const run = inState(state)
      const command = { type: 'migrate', targetVersion: 2, nodeMapping: {}, dryRun: false } as const
      const open = state === 'RUNNING' || state === 'SUSPENDED'
      expect(run.do({ ...command, instanceId: run.instance.id }, operator)).toMatchObject({
        code: open ? 'WORKFLOW_NOTFOUND_001' : 'WORKFLOW_CONFLICT_001',
      })
    }
  })
})
