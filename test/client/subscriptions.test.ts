import { expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type ClientOptions, CountersignClient } from '../../clients/node/src/index.js'
import type { Server } from '../../src/server/server.js'
import { as, askForLeave, post, serve } from '../api/network.js'
import { createIssuer } from '../api/tokens.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { startProxy } from '../support/proxy.js'

type Options = Partial<ClientOptions>
const transports: [string, Options][] = [
  ['WebSockets', { transport: 'websocket', webSocket: WebSocket }],
  ['server-sent events', { transport: 'sse' }],
]

const connect = ({ url }: { url: string }, options: Options) =>
  new CountersignClient({ url: `${url}/graphql`, headers: as('bob'), ...options })

const created = { types: ['workflow.task.created'] }

/** The ids of the tasks of the next so many events. */
async function next(events: AsyncGenerator<{ taskId: string }, void>, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { value } = await events.next()
    ids.push(value?.taskId ?? 'ended')
  }
  return ids
}

/** Waits until the server has so many subscriptions. */
const listeners = (server: Server, count: number) => eventually(() => expect(server.feed.listeners()).toBe(count))

onPostgres('subscriptions of the Node client', (_database, url) => {
  for (const [name, transport] of transports) {
    it(`over ${name}: goes on with no gap and no repeat when the connection is cut, and frees it all`, async () => {
      const server = await serve(url())
      const proxy = await startProxy([server.port])
      const events = connect(proxy, transport).taskEvents(created)
      const first = next(events, 2)
      await listeners(server, 1)
      const seen = [await askForLeave(server), await askForLeave(server)]
      expect(await first).toEqual(seen)
      proxy.cut()
      await listeners(server, 0)
      const later = [await askForLeave(server), await askForLeave(server)]
      expect(await next(events, 2)).toEqual(later)
      const live = next(events, 1)
      const last = await askForLeave(server)
      expect(await live).toEqual([last])
      await events.return()
      await listeners(server, 0)
    })

    it(`over ${name}: misses nothing where it is cut before the first event`, async () => {
      const server = await serve(url())
      const proxy = await startProxy([server.port])
      const events = connect(proxy, transport).taskEvents(created)
      const first = next(events, 1)
      await listeners(server, 1)
      proxy.ports = []
      proxy.cut()
      await listeners(server, 0)
      const taskId = await askForLeave(server)
      proxy.ports = [server.port]
      expect(await first).toEqual([taskId])
      await events.return()
    })

    it(`over ${name}: goes on with a server that has started again`, async () => {
      const old = await serve(url())
      const proxy = await startProxy([old.port])
      const events = connect(proxy, transport).taskEvents(created)
      const first = next(events, 1)
      await listeners(old, 1)
      const seen = await askForLeave(old)
      expect(await first).toEqual([seen])
      const rest = next(events, 2)
      await listeners(old, 1)
      await old.stop()
      const fresh = await serve(url())
      const missed = await askForLeave(fresh)
      proxy.ports = [fresh.port]
      await listeners(fresh, 1)
      const live = await askForLeave(fresh)
      expect(await rest).toEqual([missed, live])
      await events.return()
    })

    it(`over ${name}: asks for a new token when one has expired, and gives up where none is taken`, async () => {
      const issuer = await createIssuer()
      const server = await serve(url(), issuer.environment)
      const token = vi.fn(() => issuer.sign('bob', 2))
      const events = connect(server, { ...transport, headers: {}, token }).taskEvents(created)
      const first = next(events, 1)
      await listeners(server, 1)
      const asked = token.mock.calls.length
      await eventually(() => expect(token.mock.calls.length).toBeGreaterThan(asked))
      const authorization = `Bearer ${await issuer.sign('alice', 60)}`
      const variables = '{ applicant: "Alice", days: 1, approvers: "bob" }'
      const { body } = await post(
        server,
        `mutation { startInstance(input: { name: "hr.leave", variables: ${variables} }) { instance { tasks { id } } } }`,
        { authorization },
      )
      expect(await first).toEqual([body.data.startInstance.instance.tasks[0].id])
      await events.return()
      const refused = vi.fn(async () => 'nonsense')
      const hopeless = connect(server, { ...transport, headers: {}, token: refused }).taskEvents({ after: 'x' })
      await expect(hopeless.next()).rejects.toMatchObject({ credentialsRefused: true })
      expect(refused).toHaveBeenCalledTimes(3)
      const constant = connect(server, { ...transport, headers: {}, token: 'nonsense' }).taskEvents({ after: 'x' })
      await expect(constant.next()).rejects.toMatchObject({ credentialsRefused: true })
    })

    it(`over ${name}: throws what the server refuses, and ends with its signal`, async () => {
      const server = await serve(url())
      const client = connect(server, transport)
      await expect(client.taskEvents({ after: 'junk' }).next()).rejects.toMatchObject({
        code: 'WORKFLOW_VALIDATION_002',
        messageKey: 'workflow.events.cursor_invalid',
      })
      await expect(client.instanceEvents({ definitionName: 'hr.leave' }).next()).rejects.toMatchObject({
        code: 'WORKFLOW_DENIED_003',
      })
      const stop = new AbortController()
      const pending = client.taskEvents({}, { signal: stop.signal }).next()
      await listeners(server, 1)
      stop.abort()
      expect(await pending).toEqual({ done: true, value: undefined })
      await listeners(server, 0)
    })

    it(`over ${name}: shows counts and instances as they change`, async () => {
      const server = await serve(url())
      const client = connect(server, { ...transport, headers: as('bob', 'operate') })
      const counts = client.inboxCounts()
      expect((await counts.next()).value).toMatchObject({ todo: 2 })
      const instances = client.instanceEvents({ definitionName: 'hr.leave', types: ['workflow.instance.completed'] })
      const ended = instances.next()
      await listeners(server, 2)
      const taskId = await askForLeave(server)
      expect((await counts.next()).value).toMatchObject({ todo: 3 })
      const { instance } = await client.approveTask({ taskId })
      expect((await ended).value).toMatchObject({ instanceId: instance.id, actor: { id: 'bob' } })
      await Promise.all([counts.return(), instances.return()])
      await listeners(server, 0)
    })
  }

  it('needs a WebSocket where it shall use one', () => {
    const url = 'http://127.0.0.1/graphql'
    vi.stubGlobal('WebSocket', undefined)
    expect(() => new CountersignClient({ url, transport: 'websocket' })).toThrow(TypeError)
    vi.unstubAllGlobals()
  })
})
