import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Exchanged, Outbound } from '../../src/outbound/client.js'
import { Outside } from '../support/outside.js'

const outside = new Outside()
let outbound: Outbound

beforeAll(async () => {
  await outside.open()
  outbound = outside.outbound()
})
afterAll(() => outside.close())
beforeEach(() => {
  outside.asked.length = 0
  outside.intrusions = 0
  outside.answer = (_asked, response) => response.end('hello')
})

const never = new AbortController().signal

function call(url: string, more: { method?: string; headers?: { [name: string]: string }; body?: string } = {}) {
  const { method = 'GET', headers = {}, body = null } = more
  return outbound.exchange({ url, method, headers, body }, 5000, never)
}

const faultOf = (exchanged: Exchanged) =>
  exchanged.ok ? null : [exchanged.fault.code, exchanged.fault.messageKey, exchanged.fault.arguments]
const denied = (host: string) => ['WORKFLOW_UNEXPECTED_001', 'workflow.http.address_denied', { host }]

function redirectTo(location: string, status = 302): void {
  outside.answer = ({ path }, response) => {
    if (path === '/start') response.writeHead(status, { location }).end()
    else response.end(`at ${path}`)
  }
}

/** Every spelling of a place inside, with the host that the fault names. */
function insides(port: number): [string, string][] {
  return [
    [`http://127.0.0.1:${port}/`, '127.0.0.1'],
    [`http://localhost:${port}/`, 'localhost'],
    [`http://localhost.:${port}/`, 'localhost.'],
    [`//127.0.0.1:${port}/`, '127.0.0.1'],
    [`http://[::ffff:127.0.0.1]:${port}/`, '[::ffff:7f00:1]'],
    [`http://[64:ff9b::a9fe:a9fe]:${port}/`, '[64:ff9b::a9fe:a9fe]'],
    [`http://2130706433:${port}/`, '127.0.0.1'],
    [`http://0177.0.0.1:${port}/`, '127.0.0.1'],
    [`http://0x7f.1:${port}/`, '127.0.0.1'],
    [`http://[::1]:${port}/`, '[::1]'],
    [`http://0.0.0.0:${port}/`, '0.0.0.0'],
    ['http://169.254.169.254/', '169.254.169.254'],
    ['http://100.100.100.200/', '100.100.100.200'],
    ['http://10.0.0.1/', '10.0.0.1'],
    [`http://intern.test:${port}/`, 'intern.test'],
    [`http://mixed.test:${port}/`, 'mixed.test'],
    ['file:///etc/hosts', 'file:'],
    ['gopher://public.test/', 'public.test'],
    ['data:text/plain,hello', 'data:'],
  ]
}

describe('C32 the private net', () => {
  it('is not reached by any spelling of its addresses', async () => {
    for (const [url, host] of insides(outside.port).filter(([spelling]) => !spelling.startsWith('//')))
      expect([url, faultOf(await call(url))]).toEqual([url, denied(host)])
    expect(outside.intrusions).toBe(0)
    expect(outside.asked).toEqual([])
  })

  it('is not reached by a redirect, whatever its status', async () => {
    for (const status of [301, 302, 303, 307, 308])
      for (const [location, host] of insides(outside.port)) {
        redirectTo(location, status)
        const exchanged = await call(`${outside.url}/start`, { method: 'POST', body: 'x' })
        expect([status, location, faultOf(exchanged)]).toEqual([status, location, denied(host)])
      }
    expect(outside.intrusions).toBe(0)
  })

  it('is not reached over two hops', async () => {
    outside.answer = ({ path }, response) =>
      response.writeHead(302, { location: path === '/start' ? '/hop' : `http://localhost:${outside.port}/` }).end()
    expect(faultOf(await call(`${outside.url}/start`))).toEqual(denied('localhost'))
    expect(outside.asked.map(({ path }) => path)).toEqual(['/start', '/hop'])
    expect(outside.intrusions).toBe(0)
  })

  it('is not reached by a name that changes after it was checked: what was checked is what is connected to', async () => {
    let asked = 0
    const rebinding = outside.outbound({
      resolve: async () => {
        asked += 1
        return [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
      },
    })
    const url = `http://rebind.test:${outside.port}/`
    const close = { connection: 'close' }
    outside.answer = (_asked, response) => response.writeHead(200, close).end('public')
    const first = await rebinding.exchange({ url, method: 'GET', headers: {}, body: null }, 5000, never)
    expect(first).toMatchObject({ ok: true, reply: { body: Buffer.from('public') } })
    expect(asked).toBe(1)
    const second = await rebinding.exchange({ url, method: 'GET', headers: {}, body: null }, 5000, never)
    expect(faultOf(second)).toEqual(denied('rebind.test'))
    expect(outside.intrusions).toBe(0)
  })

  it('opens for allowed hosts, others stay closed', async () => {
    const opened = outside.outbound({ allowedHosts: ['LOCALHOST', `127.0.0.1:${outside.port}`] })
    const get = (url: string) => opened.exchange({ url, method: 'GET', headers: {}, body: null }, 5000, never)
    expect(await get(`http://localhost:${outside.port}/`)).toMatchObject({ ok: true })
    expect(await get(`http://127.0.0.1:${outside.port}/`)).toMatchObject({ ok: true })
    expect(outside.intrusions).toBeGreaterThan(0)
    expect(faultOf(await get(`http://127.0.0.1:${outside.port + 1}/`))).toEqual(denied('127.0.0.1'))
    expect(faultOf(await get(`http://[::1]:${outside.port}/`))).toEqual(denied('[::1]'))
    expect(faultOf(await get('http://intern.test/'))).toEqual(denied('intern.test'))
    redirectTo(`http://localhost:${outside.port}/`)
    expect(await get(`${outside.url}/start`)).toMatchObject({ ok: true, reply: { body: Buffer.from('secret') } })
  })
})

describe('redirects', () => {
  it('end in a fault when they go in circles or too far', async () => {
    const tooMany = ['WORKFLOW_UNEXPECTED_001', 'workflow.http.too_many_redirects', { max: 5 }]
    outside.answer = (_asked, response) => response.writeHead(302, { location: '/again' }).end()
    expect(faultOf(await call(`${outside.url}/start`))).toEqual(tooMany)
    expect(outside.asked).toHaveLength(6)
    let hop = 0
    outside.answer = (_asked, response) => {
      hop += 1
      response.writeHead(302, { location: `/${hop}` }).end()
    }
    expect(faultOf(await call(`${outside.url}/start`))).toEqual(tooMany)
  })

  it('ask with GET after 303, and after 301 and 302 to a POST; 307 and 308 ask the same again', async () => {
    const cases: [number, string, string, string][] = [
      [301, 'POST', 'GET', ''],
      [302, 'POST', 'GET', ''],
      [303, 'POST', 'GET', ''],
      [303, 'PUT', 'GET', ''],
      [302, 'PUT', 'PUT', 'body'],
      [307, 'POST', 'POST', 'body'],
      [308, 'DELETE', 'DELETE', 'body'],
    ]
    for (const [status, method, then, body] of cases) {
      outside.asked.length = 0
      redirectTo('/end', status)
      const headers = { 'content-type': 'text/x', authorization: 'Bearer a' }
      await call(`${outside.url}/start`, { method, headers, body: 'body' })
      const [, second] = outside.asked
      expect([status, method, second?.method, second?.body]).toEqual([status, method, then, body])
      expect(second?.headers['content-type']).toBe(body === '' ? undefined : 'text/x')
      expect(second?.headers.authorization).toBe('Bearer a')
    }
    redirectTo('/end', 303)
    await call(`${outside.url}/start`, { method: 'HEAD' })
    expect(outside.asked.at(-1)?.method).toBe('HEAD')
  })

  it('tell another origin no header that could hold a secret', async () => {
    redirectTo(`http://other.test:${outside.port}/end`, 307)
    const headers = {
      authorization: 'Bearer a',
      cookie: 'b=c',
      'x-api-key': 'd',
      'idempotency-key': 'e',
      'content-type': 'text/x',
    }
    await call(`${outside.url}/start`, { method: 'POST', headers, body: 'body' })
    const [first, second] = outside.asked
    expect(first?.headers).toMatchObject(headers)
    expect(second?.headers).toMatchObject({ 'idempotency-key': 'e', 'content-type': 'text/x' })
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(second?.headers).not.toHaveProperty(name)
  })

  it('without a target are replies', async () => {
    outside.answer = (_asked, response) => response.writeHead(304).end()
    expect(await call(outside.url)).toMatchObject({ ok: true, reply: { status: 304 } })
    outside.answer = (_asked, response) => response.writeHead(302).end('here')
    expect(await call(outside.url)).toMatchObject({ ok: true, reply: { status: 302, body: Buffer.from('here') } })
  })
})

describe('C33 slow and large answers', () => {
  const timedOut = ['WORKFLOW_UNEXPECTED_001', 'workflow.http.timed_out', {}]
  const limited = (timeout: number, signal = never) =>
    outbound.exchange({ url: outside.url, method: 'GET', headers: {}, body: null }, timeout, signal)

  it('a dripping body is over when the time is', async () => {
    let drip: NodeJS.Timeout | undefined
    outside.answer = (_asked, response) => {
      response.writeHead(200).write('x')
      drip = setInterval(() => response.write('x'), 50)
    }
    const begun = performance.now()
    expect(faultOf(await limited(300))).toEqual(timedOut)
    expect(performance.now() - begun).toBeLessThan(30_000)
    clearInterval(drip)
  })

  it('no answer at all is over when the time is', async () => {
    outside.answer = () => {}
    expect(faultOf(await limited(200))).toEqual(timedOut)
  })

  it('an endless body is left once it is too large, a bomb in disguise too', async () => {
    let sent = 0
    outside.answer = async (_asked, response) => {
      response.writeHead(200)
      response.setMaxListeners(0)
      while (!response.destroyed) {
        sent += 65_536
        if (!response.write(Buffer.alloc(65_536)))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
      }
    }
    const tooLarge = ['WORKFLOW_UNEXPECTED_001', 'workflow.http.too_large', { max: 1_048_576 }]
    expect(faultOf(await limited(10_000))).toEqual(tooLarge)
    expect(sent).toBeLessThan(32 * 1_048_576)
    const { gzipSync } = await import('node:zlib')
    outside.answer = (_asked, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(8 * 1_048_576)))
    expect(faultOf(await limited(10_000))).toEqual(tooLarge)
  })

  it('a connection that closes in the middle, or cannot be made, tells its kind alone', async () => {
    outside.answer = (_asked, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => response.destroy())
    }
    const closed = faultOf(await limited(5000))
    expect(closed).toMatchObject(['WORKFLOW_UNEXPECTED_001', 'workflow.http.failed', {}])
    outside.names['gone.test'] = ['127.0.0.2']
    const refused = faultOf(await call('http://gone.test:1/'))
    const unknown = faultOf(await call('http://nowhere.test/'))
    expect(unknown).toEqual(['WORKFLOW_UNEXPECTED_001', 'workflow.http.failed', { reason: 'ENOTFOUND' }])
    for (const fault of [closed, refused, unknown]) expect(JSON.stringify(fault)).not.toMatch(/127\.0|test|:\d/)
  })

  it('giving an exchange up is not a fault, unless the time was over too', async () => {
    outside.answer = () => {}
    const giving = new AbortController()
    const waiting = limited(5000, giving.signal)
    giving.abort(new Error('the server stops'))
    await expect(waiting).rejects.toThrow('the server stops')
  })
})

describe('an exchange', () => {
  it('refuses what is no URL and one that holds a password', async () => {
    const invalid = ['WORKFLOW_VALIDATION_002', 'workflow.http.url_invalid', {}]
    for (const url of ['', 'nonsense', '/path', `http://user:secret@public.test:${outside.port}/`])
      expect(faultOf(await call(url))).toEqual(invalid)
    expect(outside.asked).toEqual([])
  })

  it('cannot be led to smuggle a header', async () => {
    const exchanged = await call(outside.url, { headers: { 'x-a': 'a\r\nHost: b' } })
    expect(exchanged.ok).toBe(false)
    expect(outside.asked).toEqual([])
  })

  it('brings status, phrase, headers and body', async () => {
    outside.answer = (_asked, response) => response.writeHead(418, 'Teapot', { 'X-Kind': 'green' }).end('short')
    const reply = await call(outside.url)
    expect(reply).toMatchObject({
      ok: true,
      reply: { status: 418, reason: 'Teapot', headers: { 'x-kind': 'green' }, body: Buffer.from('short') },
    })
  })
})
