import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../src/engine/definition/read.js'
import { validateDefinition } from '../../src/engine/definition/validate.js'
import type { JsonObject } from '../../src/engine/model.js'
import { noExtensions, registryWith } from '../../src/extensions.js'
import { defineWorkflow } from '../../src/index.js'

const example = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), 'utf8')) as JsonObject

const registry = registryWith(noExtensions)
const known = {
  activity: (type: string) => registry.activities.get(type),
  assigneeRule: (type: string) => registry.assigneeRules.has(type),
}

function read(document: unknown) {
  const result = readDefinition(document)
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.content
}

const problems = (document: unknown) => validateDefinition(read(document), known)
const errors = (document: unknown) => problems(document).filter(({ severity }) => severity === 'ERROR')

const leave = defineWorkflow('hr.leave')
  .displayName('请假审批')
  .category('hr')
  .timeout({ days: 7 }, 'Terminate')
  .variable('applicant', { required: true })
  .variable('days', { required: true })
  .variable('approvers', { required: true, description: '主管，逗号分隔' })
  .start()
  .to('manager')
  .userTask(
    'manager',
    {
      AssigneeRules: [{ type: 'Expression', values: ['approvers'] }],
      Title: '{{ applicant }} 请假 {{ days }} 天',
      DueAfterSeconds: 86400,
    },
    { displayName: '主管审批', timeout: { days: 3 } },
  )
  .to('route')
  .decision('route')
  .to('hr', { when: "outcome == 'approved' && days > 3" })
  .to('approved', { when: "outcome == 'approved'", priority: 1 })
  .otherwise('rejected')
  .userTask(
    'hr',
    {
      AssigneeRules: [{ type: 'User', values: ['hr-1', 'hr-2', 'hr-3'] }],
      CompletionPolicy: 'All',
      ApprovalThreshold: '60%',
    },
    { displayName: '人事会签' },
  )
  .to('approved', { when: "outcome == 'approved'" })
  .otherwise('rejected')
  .end('approved', { Outcome: 'approved' })
  .end('rejected', { Outcome: 'rejected' })

describe('the builder', () => {
  it('gives the leave example as it is written by hand', () => {
    expect(leave.build()).toEqual(example('leave'))
    expect(errors(leave.build())).toEqual([])
  })

  it('gives what the expense example means: a draft’s id and version are placeholders', () => {
    const expense = defineWorkflow('hr.expense')
      .displayName('报销')
      .variable('amount', { required: true })
      .start()
      .to('approve')
      .userTask(
        'approve',
        { AssigneeRules: [{ type: 'User', values: ['finance-1'] }], Title: '报销 {{ amount }} 元' },
        { displayName: '财务审批', timeout: '2.00:00:00' },
      )
      .to('end', { when: "outcome == 'approved'" })
      .otherwise('end')
      .end()
      .build()
    expect(read(expense)).toEqual(read(example('expense')))
    expect(errors(expense)).toEqual([])
  })

  it('has a method for every kind of node, and the general one for those of applications', () => {
    const built = defineWorkflow('all')
      .compensation({ onCancel: true, onFault: true })
      .properties({ owner: 'finance' })
      .start({ SignalName: 'go' })
      .to('set')
      .setVariable('set', { Values: { a: 1 }, Expressions: { b: 'a + 1' } })
      .to('http')
      .http('http', { Url: 'https://example.com' }, { retry: { maxAttempts: 3, firstDelay: { seconds: 10 } } })
      .to('fork')
      .parallel('fork')
      .to('wait')
      .to('work')
      .to('gate')
      .waitSignal('wait', { SignalName: 'paid' }, { timeout: 'PT8H' })
      .to('join')
      .externalTask('work', { Topic: 'ship' }, { continueOnError: true, outputMappings: { ok: 'outputs.ok' } })
      .to('join')
      .eventGateway('gate', { Signals: ['yes', 'no'], TimeoutSeconds: 60 })
      .to('join')
      .join('join', { Mode: 'WaitAll' })
      .to('rest')
      .delay('rest', { Duration: 5 })
      .to('sub')
      .subWorkflow('sub', { DefinitionName: 'child' })
      .to('each')
      .forEach('each', { DefinitionName: 'child', Items: [1, 2], Parallel: true })
      .to('tell')
      .publishEvent('tell', { EventName: 'done' })
      .to('log')
      .log('log', { Message: 'undone' })
      .to('undo')
      .compensate('undo')
      .to('route')
      .decision('route')
      .to('stop', { when: 'b > 1' })
      .to('bad', { when: 'b > 2', id: 'worse' })
      .otherwise('sms')
      .activity('Sms', 'sms', { Phone: '1' })
      .to('end')
      .terminate('stop')
      .fault('bad', { Message: 'no' })
      .end()
      .build()
    const types = new Set((built.nodes as { activityType: string }[]).map(({ activityType }) => activityType))
    expect([...registry.activities.keys()].filter((type) => !types.has(type))).toEqual(['UserTask'])
    expect(errors(built)).toMatchObject([
      { messageKey: 'workflow.activity.unknown_type', path: '$.nodes[15].activityType' },
    ])
    expect(read(built).nodes.find(({ id }) => id === 'http')?.retryPolicy).toEqual({
      maxAttempts: 3,
      firstDelay: 10_000,
      backoffFactor: 2,
    })
  })

  it('goes on from any node, and says where a way begins nowhere', () => {
    const built = defineWorkflow('back').start().to('a').decision('a').end().from('a').to('end').build()
    expect(built.transitions).toEqual([
      { id: 't1', sourceNodeId: 'start', targetNodeId: 'a' },
      { id: 't2', sourceNodeId: 'a', targetNodeId: 'end' },
    ])
    expect(() => defineWorkflow('none').to('end')).toThrow('begins at no node')
  })

  it('gives a document of its own each time', () => {
    const first = leave.build()
    first.nodes = []
    expect(leave.build().nodes).toHaveLength(6)
  })
})
