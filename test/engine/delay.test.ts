import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../src/engine/activities/registry.js'
import { readDefinition } from '../../src/engine/definition/read.js'
import { validateDefinition } from '../../src/engine/definition/validate.js'
import type { Issue, JsonObject, WorkflowNode } from '../../src/engine/model.js'
import { define, person, Run } from '../support/run.js'

const registry = createRegistry()
const known = {
  activity: (type: string) => registry.activities.get(type),
  assigneeRule: (type: string) => registry.assigneeRules.has(type),
}

const waiting = (properties: JsonObject, options: Partial<WorkflowNode> = {}) =>
  define({
    nodes: { s: 'Start', d: ['Delay', properties, options], t: ['UserTask', { Assignees: ['u1'] }], end: 'End' },
    edges: ['s>d', 'd>t', 't>end'],
  })

function issues(properties: JsonObject, type = 'Delay'): Issue[] {
  const nodes = type === 'Start' ? { s: ['Start', properties] as [string, JsonObject] } : { s: 'Start' }
  const { content } = define({
    nodes: { ...nodes, d: type === 'Start' ? 'Decision' : [type, properties], end: 'End' },
    edges: ['s>d', 'd>end'],
  })
  return validateDefinition(content, known).filter(({ path }) => path.includes('.properties.'))
}

const hour = 3_600_000
const day = 24 * hour
const due = (run: Run) => [...run.bookmarks.values()].map(({ kind, dueAt }) => [kind, (dueAt ?? 0) - run.now])

describe('Delay', () => {
  it.each([
    [60, 60_000],
    ['60', 60_000],
    ['seconds * 2', 240_000],
    ['{{ seconds }}', 120_000],
    ['01:00:00', hour],
    ['2.00:00:00', 2 * day],
    ['PT8H', 8 * hour],
    ["'PT' + 5 + 'M'", 300_000],
    [0, 0],
    ['0 - 5', 0],
    [0.0001, 1],
  ])('waits for the duration %j', (Duration, wait) => {
    expect(due(new Run(waiting({ Duration }), { seconds: 120 }))).toEqual([['TIMER', wait]])
  })

  it.each([
    ['2026-01-05T10:00:00Z', hour],
    ['2026-01-05T10:00:00', hour],
    ['2026-01-05T10:00:00+08:00', -7 * hour],
    ['when', day],
    ['{{ when }}', day],
    ["date('2026-01-06')", 15 * hour],
  ])('waits until %s', (Until, wait) => {
    expect(due(new Run(waiting({ Until }), { when: '2026-01-06T09:00:00Z' }))).toEqual([['TIMER', wait]])
  })

  it('waits for the next time of its schedule, in its zone', () => {
    expect(due(new Run(waiting({ Cron: '0 30 9 * * *' })))).toEqual([['TIMER', hour / 2]])
    expect(due(new Run(waiting({ Cron: '30 9 * * *', TimeZone: 'Asia/Shanghai' })))).toEqual([['TIMER', 16.5 * hour]])
    expect(due(new Run(waiting({ Cron: '{{ cron }}' }), { cron: '0 10 * * *' }))).toEqual([['TIMER', hour]])
  })

  it('C12 fires once when its time has come, however late that is seen, and not before', () => {
    for (const days of [40, 400]) {
      const run = new Run(waiting({ Duration: days * 86_400 }))
      run.poll()
      run.now += days * day - 1
      run.poll()
      expect(run.people()).toEqual([])
      run.now += 365 * day
      run.poll()
      run.poll()
      expect(run.ran('t')).toHaveLength(1)
      expect(run.people()).toEqual(['u1'])
    }
  })

  it('C12 fires in the next cycle when its moment is past', () => {
    const run = new Run(waiting({ Until: '2020-01-01' }))
    expect(run.people()).toEqual([])
    run.poll()
    expect(run.people()).toEqual(['u1'])
  })

  it.each([
    [{ Duration: 'text' }, 'workflow.activity.property_duration', { property: 'Duration', value: 'soon' }],
    [{ Duration: 1e15 }, 'workflow.activity.property_duration', { property: 'Duration' }],
    [{ Until: 'text' }, 'workflow.activity.property_time', { property: 'Until', value: 'soon' }],
    [{ Until: '1 + 1' }, 'workflow.activity.property_time', { property: 'Until', value: '2' }],
    [{ Cron: '{{ text }}' }, 'workflow.activity.property_cron', { property: 'Cron', value: 'soon' }],
    [{ Cron: '0 0 30 2 {{ "*" }}' }, 'workflow.activity.property_cron_never', { property: 'Cron' }],
    [{ Cron: '* * * * *', TimeZone: '{{ text }}' }, 'workflow.activity.property_time_zone', { property: 'TimeZone' }],
    [{ Duration: 'unknown' }, 'workflow.expression.unknown_variable', { name: 'unknown' }],
  ])('faults where %j gives no time', (properties, messageKey, args) => {
    const { instance } = new Run(waiting(properties), { text: 'soon' })
    expect(instance).toMatchObject({ status: 'FAULTED', faultNodeId: 'd', fault: { messageKey, arguments: args } })
  })

  it.each([
    [{}, 'Duration', 'workflow.activity.delay_missing'],
    [{ Duration: '', Until: null }, 'Duration', 'workflow.activity.delay_missing'],
    [{ Duration: 5, Cron: '* * * * *' }, 'Cron', 'workflow.activity.delay_ambiguous'],
    [{ Duration: -5 }, 'Duration', 'workflow.activity.property_duration'],
    [{ Duration: '5 minutes' }, 'Duration', 'workflow.activity.property_duration'],
    [{ Duration: '25:00:00' }, 'Duration', 'workflow.activity.property_duration'],
    [{ Duration: true }, 'Duration', 'workflow.activity.property_duration'],
    [{ Duration: { seconds: 5 } }, 'Duration', 'workflow.activity.property_duration'],
    [{ Duration: '{{ 5 + }}' }, 'Duration', 'workflow.expression.unexpected_end'],
    [{ Until: '2026-02-30' }, 'Until', 'workflow.activity.property_time'],
    [{ Until: 'next week' }, 'Until', 'workflow.activity.property_time'],
    [{ Cron: '61 * * * *' }, 'Cron', 'workflow.activity.property_cron'],
    [{ Cron: '0 0 30 2 *' }, 'Cron', 'workflow.activity.property_cron_never'],
    [{ Cron: '0 9 * * *', TimeZone: 'Mars/Base' }, 'TimeZone', 'workflow.activity.property_time_zone'],
  ])('is refused at publish with %j', (properties, property, messageKey) => {
    expect(issues(properties as JsonObject)).toMatchObject([
      { severity: 'ERROR', path: `$.nodes[1].properties.${property}`, messageKey },
    ])
  })

  it('is accepted at publish where only running tells', () => {
    for (const properties of [{ Duration: 'days * 86400' }, { Until: '{{ when }}' }, { Cron: '{{ cron }}' }])
      expect(issues(properties)).toEqual([])
  })

  it('goes on early when an operator resumes it, once', () => {
    const run = new Run(waiting({ Duration: 60 }))
    const [timer] = run.bookmarks.values()
    const resume = (expectedKey: string | null = null) =>
      run.do(
        { type: 'resumeBookmark', bookmarkId: timer?.id ?? '', inputs: { early: true }, expectedKey },
        person('op', 'operate'),
      )
    expect(resume('other')).toMatchObject({
      code: 'WORKFLOW_CONFLICT_003',
      messageKey: 'workflow.bookmark.key_mismatch',
    })
    expect(resume()).toBeNull()
    expect(run.instance.variables.early).toBe(true)
    expect(run.people()).toEqual(['u1'])
    expect(resume()).toMatchObject({ code: 'WORKFLOW_NOTFOUND_003' })
  })
})

describe('Start', () => {
  it.each([
    [{ Cron: '61 * * * *' }, 'Cron', 'workflow.activity.property_cron'],
    [{ Cron: '{{ cron }}' }, 'Cron', 'workflow.activity.property_cron'],
    [{ Cron: '0 0 31 6 *' }, 'Cron', 'workflow.activity.property_cron_never'],
    [{ Cron: '0 9 * * *', TimeZone: 'Nowhere' }, 'TimeZone', 'workflow.activity.property_time_zone'],
  ])('is refused at publish with %j', (properties, property, messageKey) => {
    expect(issues(properties as JsonObject, 'Start')).toMatchObject([
      { path: `$.nodes[0].properties.${property}`, messageKey },
    ])
  })

  it('waits as a timer when the start is put off, and the time of the instance counts from there', () => {
    const definition = define({
      nodes: { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' },
      edges: ['s>t', 't>end'],
      content: { timeout: hour },
    })
    const startAt = Date.parse('2026-01-06T09:00:00Z')
    const run = new Run(definition, {}, { startAt })
    expect(run.instance.status).toBe('RUNNING')
    expect(due(run)).toEqual([
      ['INSTANCE_TIMEOUT', day + hour],
      ['TIMER', day],
    ])
    run.now = startAt - 1
    run.poll()
    expect(run.people()).toEqual([])
    run.now = startAt
    run.poll()
    expect(run.people()).toEqual(['u1'])
  })

  it('does not wait for a time that has passed', () => {
    const definition = define({ nodes: { s: 'Start', end: 'End' }, edges: ['s>end'] })
    expect(new Run(definition, {}, { startAt: 0 }).instance.status).toBe('COMPLETED')
  })
})

describe('retries', () => {
  const failing = (maxAttempts: number, firstDelay: number, backoffFactor: number) =>
    define({
      nodes: {
        s: 'Start',
        x: [
          'SetVariable',
          { Expressions: { n: 'missing' } },
          { retryPolicy: { maxAttempts, firstDelay, backoffFactor } },
        ],
        end: 'End',
      },
      edges: ['s>x', 'x>end'],
    })
  const wait = (run: Run) => [...run.bookmarks.values()].map(({ dueAt }) => (dueAt ?? 0) - run.now)

  it('C16 wait first delay × factor^(n−1), then the fault is the activity’s own', () => {
    const run = new Run(failing(3, 10_000, 1.5))
    expect(wait(run)).toEqual([10_000])
    run.now += 10_000
    run.poll()
    expect(wait(run)).toEqual([15_000])
    run.now += 15_000
    run.poll()
    expect(run.instance).toMatchObject({
      status: 'FAULTED',
      fault: { messageKey: 'workflow.expression.unknown_variable' },
    })
    expect(run.ran('x').map(({ attempt }) => attempt)).toEqual([3])
  })

  it.each([
    ['"maxAttempts": 0', 'maxAttempts'],
    ['"maxAttempts": 1.5', 'maxAttempts'],
    ['"backoffFactor": 0.5', 'backoffFactor'],
    ['"firstDelay": "-00:00:10"', 'firstDelay'],
    ['"firstDelay": "99999999.00:00:00"', 'firstDelay'],
    ['"backoffFactor": "NaN"', 'backoffFactor'],
    ['"backoffFactor": 1e309', ''],
  ])('C16 with the illegal policy %s are refused when the definition is read', (policy, member) => {
    const text = `{ "name": "x", "nodes": [{ "id": "s", "activityType": "Start", "retryPolicy": { ${policy} } }] }`
    const read = readDefinition(JSON.parse(text))
    if (read.ok) throw new Error('it was accepted')
    if (member === '') expect(read.refusal.messageKey).toBe('workflow.value.not_finite')
    else expect(read.refusal.violations).toMatchObject([{ path: `$.nodes[0].retryPolicy.${member}` }])
  })

  it('C16 stay within the range of dates, whatever the policy', () => {
    const long = new Run(failing(5, 10_000, 1_000_000))
    long.now += 10_000
    long.poll()
    expect(wait(long)).toEqual([10_000_000_000])
    long.now += 116 * day
    long.poll()
    const [last] = [...long.bookmarks.values()]
    expect(last?.dueAt).toBe(Date.UTC(9999, 11, 31, 23, 59, 59, 999))
    expect(wait(new Run(failing(2, 10_675_199 * day, 1)))[0]).toBeGreaterThan(0)
    const atOnce = new Run(failing(1000, 0, Number.MAX_VALUE))
    for (let attempt = 1; attempt < 5; attempt += 1) {
      expect(wait(atOnce)).toEqual([0])
      atOnce.poll()
    }
  })
})
