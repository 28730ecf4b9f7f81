import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../src/engine/activities/registry.js'
import { validateDefinition } from '../../src/engine/definition/validate.js'
import type { JobResult } from '../../src/engine/jobs.js'
import { type BookmarkState, fault, type JsonObject, type WorkflowNode } from '../../src/engine/model.js'
import { define, Run } from '../support/run.js'

function calling(properties: JsonObject, options: Partial<WorkflowNode> = {}) {
  return define({
    nodes: { s: 'Start', h: ['Http', properties, options], t: ['UserTask', { Assignees: ['u1'] }], end: 'End' },
    edges: ['s>h', 'h>t', 't>end'],
  })
}

function jobOf(run: Run): BookmarkState {
  const job = [...run.bookmarks.values()].find(({ kind }) => kind === 'JOB')
  if (!job) throw new Error('there is no job')
  return job
}

/** What a worker does: takes the lease and hands the result in. */
function finish(run: Run, result: JobResult, lease = 'mine') {
  const job = jobOf(run)
  job.lock = { by: 'mine', until: run.now + 10_000 }
  return run.do({ type: 'finishJob', bookmarkId: job.id, lease, result }, null)
}

const reply = (status: number, body: JsonObject | string = {}): JobResult => ({
  ok: true,
  output: { status, reason: 'Reason', headers: { 'content-type': 'application/json' }, body },
})

describe('an Http node', () => {
  it('waits with the rendered request and one key for this attempt', () => {
    const run = new Run(
      calling({
        Url: ' https://erp.example/orders/{{ id }} ',
        Method: 'post',
        Headers: { 'X-Order': '{{ id }}', Authorization: 'Bearer {{ token }}', 'Idempotency-Key': 'mine' },
        Body: { amount: '{{ amount }}', fixed: 1 },
        TimeoutSeconds: 2.5,
      }),
      { id: 7, token: 'abc', amount: 12.5 },
    )
    const [node] = run.ran('h')
    expect(node?.status).toBe('WAITING')
    expect(jobOf(run)).toMatchObject({ key: 'http', dueAt: null, lock: { by: null, until: run.now } })
    expect(jobOf(run).payload).toEqual({
      url: 'https://erp.example/orders/7',
      method: 'POST',
      headers: {
        'x-order': '7',
        authorization: 'Bearer abc',
        'content-type': 'application/json',
        'idempotency-key': `${node?.id}-1`,
      },
      body: '{"amount":"12.5","fixed":1}',
      timeout: 2500,
    })
  })

  it('sends a text body as it reads, and none with GET; the time limit is 30 seconds unless it says so', () => {
    const post = new Run(
      calling({ Url: 'https://a.example', Method: 'PUT', Body: '{"n": {{ n }}}', ContentType: 'text/x' }),
      {
        n: 12345678901234.5,
      },
    )
    expect(jobOf(post).payload).toMatchObject({
      body: '{"n": 12345678901234.5}',
      timeout: 30_000,
      headers: { 'content-type': 'text/x' },
    })
    const get = new Run(calling({ Url: 'https://a.example', Body: 'x' }))
    expect(jobOf(get).payload).toMatchObject({ method: 'GET', body: null })
    expect(jobOf(get).payload.headers).not.toHaveProperty('content-type')
  })

  it('puts status, headers and body of the reply into its variable', () => {
    const named = new Run(calling({ Url: 'https://a.example', ResultVariable: 'erp' }))
    expect(finish(named, reply(201, { id: 5 }))).toBeNull()
    const headers = { 'content-type': 'application/json' }
    expect(named.instance.variables).toEqual({ erp: { status: 201, headers, body: { id: 5 } } })
    expect(named.people()).toEqual(['u1'])
    const standard = new Run(calling({ Url: 'https://a.example' }))
    finish(standard, reply(200, 'text'))
    expect(standard.instance.variables.http).toMatchObject({ status: 200, body: 'text' })
  })

  it('fails with an error status, unless it is told not to', () => {
    const strict = new Run(calling({ Url: 'https://a.example' }))
    finish(strict, reply(503))
    expect(strict.instance).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 'h',
      variables: {},
      fault: {
        code: 'WORKFLOW_UNEXPECTED_001',
        messageKey: 'workflow.http.error_status',
        arguments: { status: 503, reason: 'Reason' },
      },
    })
    const lenient = new Run(calling({ Url: 'https://a.example', FailOnErrorStatus: false }))
    finish(lenient, reply(404))
    expect(lenient.instance.variables.http).toMatchObject({ status: 404 })
  })

  it('is tried again by its retry policy with a new key, then goes on as it says for errors', () => {
    const retryPolicy = { maxAttempts: 3, firstDelay: 10_000, backoffFactor: 2 }
    const run = new Run(calling({ Url: 'https://a.example' }, { retryPolicy, continueOnError: true }))
    const keys: unknown[] = []
    for (const delay of [10_000, 20_000]) {
      keys.push((jobOf(run).payload.headers as JsonObject)['idempotency-key'])
      finish(run, { ok: false, fault: fault('WORKFLOW_UNEXPECTED_001', 'workflow.http.timed_out') })
      run.now += delay - 1
      run.poll()
      expect(run.ran('h')[0]?.status).toBe('FAULTED')
      run.now += 1
      run.poll()
    }
    keys.push((jobOf(run).payload.headers as JsonObject)['idempotency-key'])
    finish(run, reply(500))
    const id = run.ran('h')[0]?.id
    expect(keys).toEqual([`${id}-1`, `${id}-2`, `${id}-3`])
    expect(run.instance.variables).toMatchObject({
      outcome: 'error',
      lastError: { messageKey: 'workflow.http.error_status' },
    })
    expect(run.people()).toEqual(['u1'])
  })

  it('takes the result of the lease alone, and none once it has gone on', () => {
    const run = new Run(calling({ Url: 'https://a.example' }, { timeout: 60_000 }))
    expect(finish(run, reply(200), 'another')).toMatchObject({ code: 'WORKFLOW_DENIED_002' })
    const { id } = jobOf(run)
    run.now += 60_000
    run.poll()
    expect(run.instance.variables).toEqual({ outcome: 'timeout' })
    const late = { type: 'finishJob', bookmarkId: id, lease: 'mine', result: reply(200) } as const
    expect(run.do(late, null)).toMatchObject({ code: 'WORKFLOW_NOTFOUND_003' })
  })

  it('faults for headers that would change the connection or hold a line break', () => {
    const cases: JsonObject[] = [
      { Headers: { Host: 'intern' } },
      { Headers: { 'Transfer-Encoding': 'chunked' } },
      { Headers: { 'X-A': '{{ value }}' } },
      { Headers: { 'a b': 'x' } },
      { ContentType: '{{ value }}' },
    ]
    for (const properties of cases) {
      const run = new Run(calling({ Url: 'https://a.example', ...properties }), { value: 'a\r\nHost: b' })
      expect(run.instance.fault).toMatchObject({ messageKey: 'workflow.http.header_invalid' })
    }
  })

  it('is checked when its definition is published', () => {
    const registry = createRegistry()
    const known = { activity: (type: string) => registry.activities.get(type), assigneeRule: () => true }
    const issuesOf = (properties: JsonObject) =>
      validateDefinition(calling(properties).content, known)
        .filter(({ path }) => path.startsWith('$.nodes[1]'))
        .map(({ severity, path, messageKey }) => [severity, path.slice('$.nodes[1].properties.'.length), messageKey])
    expect(issuesOf({ Url: 'https://a.example', Method: 'delete', Headers: { 'X-A': 'b' } })).toEqual([])
    expect(issuesOf({ Url: '' })).toEqual([['ERROR', 'Url', 'workflow.activity.property_required']])
    expect(
      issuesOf({ Url: '{{ a }}', Method: 'FETCH', TimeoutSeconds: 0, Headers: { Host: 'x' }, Body: '{{ }' }),
    ).toEqual([
      ['ERROR', 'Body', 'workflow.expression.unexpected_end'],
      ['ERROR', 'Method', 'workflow.activity.property_value'],
      ['ERROR', 'TimeoutSeconds', 'workflow.activity.property_not_positive'],
      ['ERROR', 'Headers.Host', 'workflow.http.header_invalid'],
    ])
    expect(issuesOf({ Url: 'https://a.example', Body: 'x' })).toEqual([
      ['WARNING', 'Body', 'workflow.http.body_without_effect'],
    ])
  })
})
