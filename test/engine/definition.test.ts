import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../src/engine/activities/registry.js'
import { compileDefinition } from '../../src/engine/definition/compile.js'
import { parseDuration, printDuration } from '../../src/engine/definition/duration.js'
import { readDefinition } from '../../src/engine/definition/read.js'
import { serializeDefinition } from '../../src/engine/definition/serialize.js'
import { validateDefinition } from '../../src/engine/definition/validate.js'
import { checkJson } from '../../src/engine/definition/value.js'
import type { Issue, JsonObject } from '../../src/engine/model.js'
import { Run } from '../support/run.js'

const registry = createRegistry()
const known = {
  activity: (type: string) => registry.activities.get(type),
  assigneeRule: (type: string) => registry.assigneeRules.has(type),
}

function example(name: string) {
  const read = readDefinition(JSON.parse(readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), 'utf8')))
  if (!read.ok) throw new Error(JSON.stringify(read.refusal))
  return read.content
}

function issuesOf(document: unknown): Issue[] {
  const read = readDefinition(document)
  return read.ok ? [...read.issues, ...validateDefinition(read.content, known)] : (read.refusal.violations ?? [])
}

const start = { id: 's', activityType: 'Start' }
const end = { id: 'e', activityType: 'End' }
const edge = { id: 't', sourceNodeId: 's', targetNodeId: 'e' }
const minimal = (more: JsonObject = {}): JsonObject => ({
  name: 'a',
  nodes: [start, end],
  transitions: [edge],
  ...more,
})

describe('definitions', () => {
  it.each(['leave', 'expense'])('loads the reference’s %s definition unchanged', (name) => {
    expect(validateDefinition(example(name), known)).toEqual([])
  })

  it('runs the leave definition to each of its ends', () => {
    const leave = compileDefinition(example('leave'))
    const begin = (days: number) => new Run(leave, { applicant: 'Ann', days, approvers: 'm1, m2' })
    const short = begin(2)
    expect(short.tasks()[0]?.task?.title).toBe('Ann 请假 2 天')
    short.complete('m1')
    expect(short.instance).toMatchObject({ status: 'COMPLETED', outcome: 'approved' })
    const long = begin(5)
    long.complete('m2')
    long.complete('hr-1')
    expect(long.instance.status).toBe('RUNNING')
    long.complete('hr-3')
    expect(long.instance).toMatchObject({ status: 'COMPLETED', outcome: 'approved' })
    const refused = begin(5)
    refused.complete('m1')
    refused.complete('hr-1', 'rejected')
    expect(refused.instance.status).toBe('RUNNING')
    refused.complete('hr-2', 'rejected')
    expect(refused.instance).toMatchObject({ status: 'COMPLETED', outcome: 'rejected' })
    const late = begin(5)
    late.now += 3 * 86_400_000
    late.poll()
    expect(late.instance).toMatchObject({ status: 'COMPLETED', outcome: 'rejected' })
    const slow = begin(5)
    slow.complete('m1')
    slow.now += 7 * 86_400_000
    slow.poll()
    expect(slow.instance.status).toBe('TERMINATED')
  })

  it.each<[string, JsonObject, string, string]>([
    ['a name against the grammar', minimal({ name: 'Bad Name' }), '$.name', 'workflow.definition.name_invalid'],
    ['a missing member', minimal({ nodes: [{ id: 's' }] }), '$.nodes[0]', 'workflow.definition.member_missing'],
    ['a long category', minimal({ category: 'c'.repeat(129) }), '$.category', 'workflow.definition.category_too_long'],
    [
      'no attempts',
      minimal({ nodes: [{ ...start, retryPolicy: { maxAttempts: 0 } }] }),
      '$.nodes[0].retryPolicy.maxAttempts',
      'workflow.definition.retry_max_attempts_invalid',
    ],
    [
      'a shrinking back-off',
      minimal({ nodes: [{ ...start, retryPolicy: { backoffFactor: 0.5 } }] }),
      '$.nodes[0].retryPolicy.backoffFactor',
      'workflow.definition.retry_backoff_invalid',
    ],
    ['an odd duration', minimal({ timeout: 'soon' }), '$.timeout', 'workflow.definition.timeout_invalid'],
    ['no nodes', minimal({ nodes: [], transitions: [] }), '$.nodes', 'workflow.definition.no_nodes'],
    ['no start', minimal({ nodes: [end], transitions: [] }), '$.nodes', 'workflow.definition.no_start'],
    ['a repeated node', minimal({ nodes: [start, end, end] }), '$.nodes[2].id', 'workflow.definition.node_duplicate'],
    [
      'a repeated transition',
      minimal({ transitions: [edge, edge] }),
      '$.transitions[1].id',
      'workflow.definition.transition_duplicate',
    ],
    [
      'an edge to nowhere',
      minimal({ transitions: [edge, { ...edge, id: 'u', targetNodeId: 'x' }] }),
      '$.transitions[1].targetNodeId',
      'workflow.definition.transition_end_missing',
    ],
    [
      'an edge out of an end',
      minimal({ transitions: [edge, { id: 'u', sourceNodeId: 'e', targetNodeId: 'e' }] }),
      '$.transitions[1].sourceNodeId',
      'workflow.definition.transition_out_of_end',
    ],
    [
      'an edge into the start',
      minimal({ transitions: [edge, { id: 'u', sourceNodeId: 's', targetNodeId: 's' }] }),
      '$.transitions[1].targetNodeId',
      'workflow.definition.start_has_incoming',
    ],
    [
      'a bad condition',
      minimal({ transitions: [{ ...edge, condition: 'a >' }] }),
      '$.transitions[0].condition',
      'workflow.expression.unexpected_end',
    ],
    [
      'an unknown type',
      minimal({ nodes: [start, { id: 'e', activityType: 'Nope' }] }),
      '$.nodes[1].activityType',
      'workflow.activity.unknown_type',
    ],
    [
      'an unreachable node',
      minimal({ nodes: [start, end, { id: 'x', activityType: 'End' }] }),
      '$.nodes[2]',
      'workflow.definition.node_unreachable',
    ],
    [
      'a bad policy',
      minimal({
        nodes: [
          start,
          { id: 'e', activityType: 'UserTask', properties: { Assignees: ['u'], CompletionPolicy: 'Most' } },
        ],
      }),
      '$.nodes[1].properties.CompletionPolicy',
      'workflow.activity.property_value',
    ],
    [
      'nobody to ask',
      minimal({ nodes: [start, { id: 'e', activityType: 'UserTask' }] }),
      '$.nodes[1].properties.Assignees',
      'workflow.definition.assignees_missing',
    ],
    [
      'a bad threshold',
      minimal({
        nodes: [
          start,
          { id: 'e', activityType: 'UserTask', properties: { Assignees: ['u'], ApprovalThreshold: '0%' } },
        ],
      }),
      '$.nodes[1].properties.ApprovalThreshold',
      'workflow.activity.threshold_invalid',
    ],
    [
      'an unknown rule',
      minimal({
        nodes: [start, { id: 'e', activityType: 'UserTask', properties: { AssigneeRules: [{ type: 'Moon' }] } }],
      }),
      '$.nodes[1].properties.AssigneeRules[0].type',
      'workflow.assignee.unknown_rule',
    ],
    [
      'an empty outcome',
      minimal({ nodes: [start, { ...end, properties: { Outcome: '' } }] }),
      '$.nodes[1].properties.Outcome',
      'workflow.activity.property_empty',
    ],
  ])('names the place of %s', (_, document, path, messageKey) => {
    expect(issuesOf(document)).toContainEqual(expect.objectContaining({ severity: 'ERROR', path, messageKey }))
  })

  it('warns of a choice that feeds a wait-for-all join, with the way that hangs', () => {
    const join = minimal({
      nodes: [start, { id: 'd', activityType: 'Decision' }, { id: 'j', activityType: 'Join' }, end],
      transitions: [
        { id: 'a', sourceNodeId: 's', targetNodeId: 'd' },
        { id: 'b', sourceNodeId: 'd', targetNodeId: 'j', condition: 'true' },
        { id: 'c', sourceNodeId: 'd', targetNodeId: 'j', isDefault: true },
        { id: 'f', sourceNodeId: 'j', targetNodeId: 'e' },
      ],
    })
    expect(issuesOf(join)).toEqual([
      {
        severity: 'WARNING',
        path: '$.nodes[2]',
        messageKey: 'workflow.definition.choice_feeds_join',
        arguments: { node: 'j', choice: 'd', taken: 'b', missing: 'c' },
      },
    ])
  })

  it('is read back as it was written', () => {
    const identity = { id: 'x', version: 3, status: 'PUBLISHED', tenantId: 't', createdAt: 0, publishedAt: 1 } as const
    for (const name of ['leave', 'expense']) {
      const read = readDefinition(serializeDefinition(example(name), identity))
      expect(read.ok && read.content).toEqual(example(name))
      expect(read.ok && read.issues).toEqual([])
    }
  })

  it('never throws on any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void readDefinition(value)),
      { numRuns: 500 },
    )
    const odd = fc.oneof(fc.jsonValue(), fc.constant([start, end]), fc.constant([edge]))
    const document = fc.record(
      { name: odd, nodes: odd, transitions: odd, variables: odd, timeout: odd },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(document, (value) => void issuesOf(value)),
      { numRuns: 1000 },
    )
  })
})

describe('durations', () => {
  it.each([
    ['00:00:10', 10_000],
    ['2.00:00:00', 172_800_000],
    ['1.02:03:04.5', 93_784_500],
    ['PT10S', 10_000],
    ['P1DT2H', 93_600_000],
    ['P2W', 1_209_600_000],
  ])('%s', (text, milliseconds) => expect(parseDuration(text)).toBe(milliseconds))

  it.each(['', 'P', 'PT', '-00:00:01', '24:00:00', '1:2:3', 'P1Y', '99999999.00:00:00'])('refuses %j', (text) =>
    expect(parseDuration(text)).toBeNull(),
  )

  it('prints what it reads', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000_000 }), (value) => {
        expect(parseDuration(printDuration(value))).toBe(value)
      }),
    )
  })
})

describe('C25 values that cannot be stored', () => {
  it.each<[unknown, string]>([
    [{ a: 'x\u0000y' }, 'workflow.value.character_invalid'],
    [{ 'k\u0000': 1 }, 'workflow.value.character_invalid'],
    [{ b: '\ud83d' }, 'workflow.value.character_invalid'],
    [{ n: Number.NaN }, 'workflow.value.not_finite'],
    [JSON.parse('{"__proto__":{"admin":true}}'), 'workflow.value.key_reserved'],
    ['x'.repeat(1_048_577), 'workflow.value.too_large'],
  ])('%#', (value, messageKey) => expect(checkJson(value, '$')).toMatchObject({ messageKey }))

  it('takes whole characters and refuses endless depth without overflowing', () => {
    expect(checkJson({ ok: '\ud83d\ude00', constructor: { prototype: 1 } }, '$')).toBeNull()
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    expect(checkJson(deep, '$')).toMatchObject({
      code: 'WORKFLOW_VALIDATION_004',
      messageKey: 'workflow.value.too_deep',
    })
  })
})
