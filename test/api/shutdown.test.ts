import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { killAfterTest, run } from '../support/process.js'
import { as, askForLeave, post } from './network.js'

let folder = ''

afterAll(() => rm(folder, { recursive: true, force: true }))

const approve = (taskId: string) =>
  `mutation { approveTask(input: { taskId: "${taskId}" }) { instance { id status } } }`

describe('the server process', () => {
  it('loses no answered work to kill -9, and ends in order on SIGTERM', async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-'))
    const environment = { DATABASE_URL: `pglite:${folder}/data`, DEMO: 'true' }
    const first = run(environment)
    const killed = await first.ready
    expect(first.lines).toEqual([
      'opening the database …',
      'applying migrations …',
      'the demo is in place …',
      `ready: ${killed.url} (GraphiQL at /graphql)`,
    ])
    const open = await askForLeave(killed)
    const { body } = await post(killed, approve(await askForLeave(killed)), as('bob'))
    const { id } = body.data.approveTask.instance
    first.child.kill('SIGKILL')
    expect((await first.ended).signal).toBe('SIGKILL')

    const second = run(environment)
    const server = await second.ready
    expect(second.lines).not.toContain('the demo is in place …')
    const found = await post(server, `{ instance(id: "${id}") { status } }`, as('alice'))
    expect(found.body.data.instance.status).toBe('COMPLETED')
    expect((await post(server, approve(open), as('bob'))).body.data.approveTask.instance.status).toBe('COMPLETED')

    const busy = run({ ...environment, PORT: new URL(server.url).port })
    const refused = await busy.ended
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/^The database could not be opened: The data in .* is in use by process \d+\..*\n$/)

    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    await once(socket, 'open')
    const closed = once(socket, 'close')
    const start = Date.now()
    second.child.kill('SIGTERM')
    expect((await closed)[0]).toBe(1012)
    const end = await second.ended
    expect(end).toMatchObject({ code: 0, err: '' })
    expect(Date.now() - start).toBeLessThan(10_000)
  })

  it('says in one line each what is wrong, and ends with 1', async () => {
    const mistaken = await run({ PORT: 'x', DEMO: '1', AUTH_MODE: 'jwt' }).ended
    expect(mistaken.code).toBe(1)
    expect(mistaken.err.split('\n')).toEqual([
      'PORT: "x" is not allowed; give a whole number from 0 to 65535.',
      'DEMO: "1" is not allowed; give true or false.',
      '',
    ])
    const unreachable = await run({ DATABASE_URL: 'postgresql://user:secret@127.0.0.1:1/x' }).ended
    expect(unreachable.code).toBe(1)
    expect(unreachable.err).toMatch(/^The database could not be opened: .*ECONNREFUSED.*\n$/)
    expect(unreachable.err).not.toContain('secret')
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const taken = await run({ PORT: String(port), DATABASE_URL: 'pglite:memory', DEMO: 'false' }).ended
    other.close()
    expect(taken).toMatchObject({
      code: 1,
      err: `127.0.0.1:${port} cannot be listened on: something else listens there. Give another PORT or HOST.\n`,
    })
  })

  it('ends at once on a second signal, whatever hangs', async () => {
    const { child, ready, ended } = run({ DATABASE_URL: 'pglite:memory', DEMO: 'false' })
    const { port } = new URL((await ready).url)
    const hanging = connect(Number(port), '127.0.0.1')
    hanging.on('error', () => {})
    const head = ['POST /graphql HTTP/1.1', `host: 127.0.0.1:${port}`, 'content-type: application/json']
    // The server answers "continue" when it has begun to wait for the body.
    hanging.write([...head, 'content-length: 100', 'expect: 100-continue', '', ''].join('\r\n'))
    await once(hanging, 'data')
    child.kill('SIGTERM')
    const [line] = await once(createInterface(child.stdout), 'line')
    expect(line).toMatch(/^stopping/)
    child.kill('SIGTERM')
    // Waiting for what hangs would end with 0.
    expect((await ended).code).toBe(1)
  })

  it('does not outlive npm, whose shell keeps a signal to itself', async () => {
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, PORT: '0', DATABASE_URL: 'pglite:memory', DEMO: 'false', NODE_ENV: '' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    killAfterTest(npm)
    // The pipe ends with the last process that writes to it.
    const gone = once(npm.stdout, 'end')
    for await (const line of createInterface(npm.stdout)) {
      if (line.startsWith('ready: ')) npm.kill('SIGTERM')
    }
    await gone
  })

  it('shows its variables with --help, and takes no other argument', async () => {
    const help = await run({}, '--help').ended
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toContain('DATABASE_URL')
    expect(await run({}, '--port').ended).toMatchObject({ code: 1, out: '' })
  })
})
