import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JobResult } from '../../src/engine/jobs.js'
import { httpJobs } from '../../src/outbound/httpJobs.js'
import { Outside, sendJson } from '../support/outside.js'

const outside = new Outside()
beforeAll(() => outside.open())
afterAll(() => outside.close())

function get(): Promise<JobResult> {
  const payload = { url: outside.url, method: 'GET', headers: {}, body: null, timeout: 5000 }
  return httpJobs(outside.outbound())(payload, new AbortController().signal)
}

async function replying(text: string, contentType = 'application/json'): Promise<JobResult> {
  outside.answer = (_asked, response) => response.writeHead(200, { 'content-type': contentType }).end(text)
  return get()
}

const bodyOf = (result: JobResult) => (result.ok ? result.output.body : result.fault)

describe('the reply of a call', () => {
  it('is what its JSON says, null where it is empty, else text', async () => {
    expect(bodyOf(await replying('{"a":[1,"x",null]}'))).toEqual({ a: [1, 'x', null] })
    expect(bodyOf(await replying('[1]', 'application/problem+json; charset=utf-8'))).toEqual([1])
    expect(bodyOf(await replying('{"a":1}', 'text/plain'))).toBe('{"a":1}')
    expect(bodyOf(await replying('', 'application/json'))).toBeNull()
    outside.answer = (_asked, response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0xe4]))
    expect(bodyOf(await get())).toBe('ä')
  })

  it('C33 invalid JSON is kept as text', async () => {
    expect(bodyOf(await replying('{"a":'))).toBe('{"a":')
  })

  it('C25 characters that cannot be stored fail the call, in JSON; in text they are replaced', async () => {
    const invalid = (path: string) => ({
      code: 'WORKFLOW_VALIDATION_002',
      messageKey: 'workflow.value.character_invalid',
      arguments: { path },
    })
    expect(bodyOf(await replying('{"a":"x\\u0000y"}'))).toMatchObject(invalid('$.body.a'))
    expect(bodyOf(await replying('{"b":["\\ud83d"]}'))).toMatchObject(invalid('$.body.b[0]'))
    expect(bodyOf(await replying('{"k\\u0000":1}'))).toMatchObject({ code: 'WORKFLOW_VALIDATION_002' })
    expect(bodyOf(await replying('{"ok":"\\ud83d\\ude00"}'))).toEqual({ ok: '😀' })
    expect(bodyOf(await replying('a\0b', 'text/plain'))).toBe('a\uFFFDb')
  })

  it('C26 numbers keep their value or fail the call', async () => {
    expect(bodyOf(await replying('{"a":0.1,"b":1.10,"c":-0,"d":9007199254740992}'))).toEqual({
      a: 0.1,
      b: 1.1,
      c: -0,
      d: 9007199254740992,
    })
    for (const number of ['9007199254740993', '1610521604143693812', '12345678901234567890.123456789', '1e400'])
      expect(bodyOf(await replying(`{"list":[1,{"id":${number}}]}`))).toMatchObject({
        code: 'WORKFLOW_VALIDATION_002',
        messageKey: 'workflow.http.number_inexact',
        arguments: { path: '$.body.list[1].id', number },
      })
    expect(bodyOf(await replying('{"id":"9007199254740993"}'))).toEqual({ id: '9007199254740993' })
  })

  it('C27 special names and depths without end fail the call', async () => {
    expect(bodyOf(await replying('{"__proto__":{"admin":true}}'))).toMatchObject({
      messageKey: 'workflow.value.key_reserved',
    })
    expect(bodyOf(await replying(`${'['.repeat(100)}${']'.repeat(100)}`))).toMatchObject({
      messageKey: 'workflow.value.too_deep',
    })
    expect(bodyOf(await replying('{"constructor":{"prototype":{"admin":true}}}'))).toEqual({
      constructor: { prototype: { admin: true } },
    })
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  it('carries status, phrase and headers', async () => {
    outside.answer = (_asked, response) => sendJson(response, '{}', 404)
    expect(await get()).toMatchObject({
      ok: true,
      output: { status: 404, reason: 'Not Found', headers: { 'content-type': 'application/json; charset=utf-8' } },
    })
  })
})
