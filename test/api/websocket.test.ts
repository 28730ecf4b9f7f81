import { once } from 'node:events'
import { type Client, createClient } from 'graphql-ws'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Server } from '../../src/server/server.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { as, askForLeave, post, serve } from './network.js'
import { createIssuer } from './tokens.js'

const clients = new Set<Client>()

afterEach(async () => {
  await Promise.all([...clients].map((client) => client.dispose()))
  clients.clear()
})

const urlOf = ({ port }: Server) => `ws://127.0.0.1:${port}/graphql`

function connect(server: Server, connectionParams: Record<string, unknown>): Client {
  const client = createClient({ url: urlOf(server), webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 })
  clients.add(client)
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows the shape of what it asked for
type Result = { data?: any; errors?: any }

/** Subscribes and waits until the server listens for it. */
async function subscribe(server: Server, client: Client, query: string, variables: Record<string, unknown> = {}) {
  const before = server.feed.listeners()
  const results = client.iterate<Result['data']>({ query, variables }) as AsyncIterableIterator<Result>
  const first = results.next()
  first.catch(() => {})
  await eventually(() => expect(server.feed.listeners()).toBe(before + 1))
  let pending: Promise<IteratorResult<Result>> | null = first
  return {
    async next(): Promise<Result> {
      const { value } = await (pending ?? results.next())
      pending = null
      return value
    },
    end: () => results.return?.(),
  }
}

/** The code that a socket closes with, after it has sent these messages. */
async function closeCode(server: Server, messages: object[], options: object = {}): Promise<number> {
  const socket = new WebSocket(urlOf(server), 'graphql-transport-ws', options)
  socket.on('open', () => {
    for (const message of messages) socket.send(JSON.stringify(message))
  })
  const [code] = await once(socket, 'close')
  return code
}

const init = (payload: object) => ({ type: 'connection_init', payload })
const watch = `subscription ($after: String) {
  taskEvents(after: $after) { cursor type taskId task { title } instance { status revision } }
}`

onPostgres('GraphQL over WebSocket', (_database, url) => {
  it('delivers each event as it happens, with everything as it stands then', async () => {
    const server = await serve(url())
    const events = await subscribe(server, connect(server, { 'X-User-Id': 'bob' }), watch)
    const taskId = await askForLeave(server)
    const created = (await events.next()).data.taskEvents
    expect(created).toMatchObject({ type: 'workflow.task.created', taskId, task: { title: expect.any(String) } })
    expect(created.instance.status).toBe('RUNNING')
    await post(server, `mutation { approveTask(input: { taskId: "${taskId}" }) { instance { status } } }`, as('bob'))
    const completed = (await events.next()).data.taskEvents
    // Loaders that outlived the first event would still show the task and the running instance.
    expect(completed).toMatchObject({ taskId, task: null, instance: { status: 'COMPLETED' } })
    expect(completed.instance.revision).toBeGreaterThan(created.instance.revision)
  })

  it('goes on behind a cursor, with no gap and no repeat', async () => {
    const server = await serve(url())
    const first = await subscribe(server, connect(server, as('bob')), watch)
    const seen = await askForLeave(server)
    const { cursor, taskId } = (await first.next()).data.taskEvents
    expect(taskId).toBe(seen)
    first.end()
    await eventually(() => expect(server.feed.listeners()).toBe(0))
    const missed = [await askForLeave(server), await askForLeave(server)]
    const second = await subscribe(server, connect(server, as('bob')), watch, { after: cursor })
    const live = await askForLeave(server)
    const received = []
    for (let index = 0; index < 3; index += 1) received.push((await second.next()).data.taskEvents.taskId)
    expect(received).toEqual([...missed, live])
  })

  it('refuses nobody, cursors that are none, and what one may not see', async () => {
    const server = await serve(url())
    const refused = async (client: Client, query: string) => {
      const { value } = await client.iterate({ query }).next()
      const { code, messageKey, http } = value.errors[0].extensions
      expect(http).toBeUndefined()
      return [code, messageKey]
    }
    expect(await refused(connect(server, {}), 'subscription { taskEvents { id } }')).toEqual([
      'WORKFLOW_DENIED_003',
      'workflow.access.unauthenticated',
    ])
    const bob = connect(server, as('bob'))
    expect(await refused(bob, 'subscription { taskEvents(after: "junk") { id } }')).toEqual([
      'WORKFLOW_VALIDATION_002',
      'workflow.events.cursor_invalid',
    ])
    expect(await refused(bob, 'subscription { instanceEvents(definitionName: "hr.leave") { id } }')).toEqual([
      'WORKFLOW_DENIED_003',
      'workflow.access.permission_missing',
    ])
    expect(server.feed.listeners()).toBe(0)
  })

  it('closes with 4403 on credentials that are not valid, and when they expire', async () => {
    const issuer = await createIssuer()
    const server = await serve(url(), issuer.environment)
    const bearer = async (seconds: number, audience?: string) =>
      `Bearer ${await issuer.sign('bob', seconds, {}, audience)}`
    for (const authorization of ['nonsense', await bearer(-10), await bearer(60, 'another')])
      expect(await closeCode(server, [init({ authorization })])).toBe(4403)
    const start = Date.now()
    const message = { id: '1', type: 'subscribe', payload: { query: 'subscription { taskEvents { id } }' } }
    const socket = new WebSocket(urlOf(server), 'graphql-transport-ws')
    socket.on('open', async () => socket.send(JSON.stringify(init({ Authorization: await bearer(3) }))))
    socket.once('message', () => socket.send(JSON.stringify(message)))
    const closed = once(socket, 'close')
    await eventually(() => expect(server.feed.listeners()).toBe(1))
    expect((await closed)[0]).toBe(4403)
    expect(Date.now() - start).toBeGreaterThan(1500)
    await eventually(() => expect(server.feed.listeners()).toBe(0))
    // An expiry further away than a timer can hold.
    const long = connect(server, { authorization: await bearer(60 * 60 * 24 * 365) })
    const { value } = await long.iterate({ query: '{ viewer { user { id } } }' }).next()
    expect(value.data).toEqual({ viewer: { user: { id: 'bob' } } })
  })

  it('applies the limits of HTTP, masks alike, and hides the schema when introspection is off', async () => {
    const server = await serve(url(), { MAX_QUERY_DEPTH: '4', INTROSPECTION: 'false' })
    const client = connect(server, as('bob'))
    const failure = async (query: string) => {
      try {
        const { value } = await client.iterate({ query }).next()
        return value.errors[0]
      } catch (errors) {
        return (errors as Result['errors'])[0]
      }
    }
    const deep = await failure('{ instances { nodes { parent { parent { id } } } } }')
    expect(deep.extensions).toEqual({
      code: 'WORKFLOW_VALIDATION_004',
      messageKey: 'workflow.request.too_many_depth',
      arguments: { max: 4 },
    })
    expect((await failure('{ __schema { types { name } } }')).message).toMatch(/introspection/i)
    expect((await failure('{ viewr { groups } }')).message).toBe('Cannot query field "viewr" on type "Query".')
    expect((await failure('{ viewer')).message).toMatch(/Syntax Error/)
    await server.runtime.database.exec('ALTER TABLE "Bookmark" RENAME TO "Hidden"')
    try {
      const masked = await failure('{ tasks { nodes { id } } }')
      expect(masked.extensions).toEqual({
        code: 'INTERNAL_SERVER_ERROR',
        messageKey: 'workflow.server.unexpected',
        requestId: expect.stringMatching(/^[\w-]{36}$/),
      })
    } finally {
      await server.runtime.database.exec('ALTER TABLE "Hidden" RENAME TO "Bookmark"')
    }
  })

  it('limits the operations of a socket and the size of a message', async () => {
    const server = await serve(url(), { MAX_OPERATIONS_PER_WEBSOCKET: '2', MAX_WEBSOCKET_MESSAGE_BYTES: '2000' })
    const client = connect(server, as('bob'))
    const query = 'subscription { taskEvents { id } }'
    const first = await subscribe(server, client, query)
    await subscribe(server, client, query)
    await expect(client.iterate({ query }).next()).rejects.toMatchObject([
      {
        extensions: {
          code: 'WORKFLOW_VALIDATION_004',
          messageKey: 'workflow.request.too_many_operations',
          arguments: { max: 2 },
        },
      },
    ])
    first.end()
    await eventually(() => expect(server.feed.listeners()).toBe(1))
    await subscribe(server, client, query)
    expect(await closeCode(server, [init({ text: 'x'.repeat(3000) })])).toBe(1009)
  })

  it('takes pages of this server and of the allowed origins, and programs, but no other site', async () => {
    const server = await serve(url(), { ALLOWED_ORIGINS: 'https://app.example.com' })
    const opens = async (headers: Record<string, string>) => {
      const socket = new WebSocket(urlOf(server), 'graphql-transport-ws', { headers })
      const opened = await Promise.race([
        once(socket, 'open').then(() => true),
        once(socket, 'unexpected-response').then(([, response]) => response.statusCode),
      ])
      socket.on('error', () => {})
      socket.terminate()
      return opened
    }
    expect(await opens({})).toBe(true)
    expect(await opens({ origin: `http://127.0.0.1:${server.port}` })).toBe(true)
    expect(await opens({ origin: 'https://app.example.com' })).toBe(true)
    expect(await opens({ origin: 'https://evil.example.com' })).toBe(403)
    expect(await opens({ origin: 'null' })).toBe(403)
    expect(await opens({ host: 'evil.example.com', origin: 'http://evil.example.com' })).toBe(421)
  })

  it('frees everything when sockets end, whichever way', async () => {
    const server = await serve(url())
    expect(server.feed.listeners()).toBe(0)
    const query = 'subscription { taskEvents { id } }'
    const orderly = connect(server, as('bob'))
    await subscribe(server, orderly, query)
    await subscribe(server, orderly, query)
    const torn = new WebSocket(urlOf(server), 'graphql-transport-ws')
    torn.on('open', () => torn.send(JSON.stringify(init(as('carol')))))
    torn.once('message', () => torn.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } })))
    await eventually(() => expect(server.feed.listeners()).toBe(3))
    torn.terminate()
    await eventually(() => expect(server.feed.listeners()).toBe(2))
    await orderly.dispose()
    await eventually(() => expect(server.feed.listeners()).toBe(0))
    // Gone before the answer: subscribe and close in one breath.
    for (let index = 0; index < 20; index += 1) {
      const hasty = new WebSocket(urlOf(server), 'graphql-transport-ws')
      await once(hasty, 'open')
      hasty.send(JSON.stringify(init(as('bob'))))
      await once(hasty, 'message')
      hasty.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
      hasty.terminate()
    }
    await askForLeave(server)
    await eventually(() => expect(server.feed.listeners()).toBe(0))
  })

  it('closes sockets on shutdown with a code that clients come back after', async () => {
    const server = await serve(url())
    const socket = new WebSocket(urlOf(server), 'graphql-transport-ws')
    await once(socket, 'open')
    const closed = once(socket, 'close')
    await server.stop()
    expect((await closed)[0]).toBe(1012)
  })

  it('pushes the counts of an inbox whenever they change, and frees them', async () => {
    const server = await serve(url())
    const counts = await subscribe(
      server,
      connect(server, as('bob')),
      'subscription { inboxCounts { todo startedRunning } }',
    )
    expect((await counts.next()).data.inboxCounts).toEqual({ todo: 2, startedRunning: 1 })
    const taskId = await askForLeave(server)
    expect((await counts.next()).data.inboxCounts).toEqual({ todo: 3, startedRunning: 1 })
    await post(server, `mutation { approveTask(input: { taskId: "${taskId}" }) { task { id } } }`, as('bob'))
    expect((await counts.next()).data.inboxCounts).toEqual({ todo: 2, startedRunning: 1 })
    const mine = await post(server, '{ instances(filter: { starterId: "bob" }) { nodes { id } } }', as('bob'))
    const [{ id }] = mine.body.data.instances.nodes
    await post(
      server,
      `mutation { cancelInstance(input: { id: "${id}" }) { instance { status } } }`,
      as('op', 'operate'),
    )
    expect((await counts.next()).data.inboxCounts).toEqual({ todo: 2, startedRunning: 0 })
    await counts.end()
    await eventually(() => expect(server.feed.listeners()).toBe(0))
  })

  it('wakes workers when tasks of their topic can be fetched', async () => {
    const server = await serve(url())
    const query = 'subscription { externalTasks(topic: "print") }'
    const refused = connect(server, as('bob')).iterate({ query })
    expect((await refused.next()).value.errors[0].extensions.code).toBe('WORKFLOW_DENIED_003')
    const available = await subscribe(server, connect(server, as('printer', 'work')), query)
    expect((await available.next()).data.externalTasks).toBe(0)
    const document = {
      name: 'print',
      nodes: [
        { id: 's', activityType: 'Start' },
        { id: 'p', activityType: 'ExternalTask', properties: { Topic: 'print' } },
        { id: 'e', activityType: 'End' },
      ],
      transitions: [
        { id: '1', sourceNodeId: 's', targetNodeId: 'p' },
        { id: '2', sourceNodeId: 'p', targetNodeId: 'e' },
      ],
    }
    const create =
      'mutation ($document: JSON!) { createDefinition(input: { document: $document }) { definition { id } } }'
    const created = await post(server, create, as('dora', 'design'), { variables: { document } })
    const { id } = created.body.data.createDefinition.definition
    await post(
      server,
      `mutation { publishDefinition(input: { id: "${id}" }) { definition { id } } }`,
      as('dora', 'design'),
    )
    await post(server, 'mutation { startInstance(input: { name: "print" }) { instance { id } } }', as('dora'))
    expect((await available.next()).data.externalTasks).toBe(1)
  })
})
