import { once } from 'node:events'
import { request } from 'node:http'
import { uuidv7 } from 'uuidv7'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Database } from '../../src/persistence/database.js'
import type { Server } from '../../src/server/server.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { as, serve } from './network.js'

const query =
  'subscription ($after: String) { instanceEvents(definitionName: "noise", after: $after) { id cursor data } }'

/** A socket that has subscribed, or is just about to. */
function subscribe(server: Server, after: string | null = null): WebSocket {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  socket.on('error', () => {})
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: as('op', 'operate') })))
  // The first message is the acknowledgement.
  socket.once('message', () =>
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query, variables: { after } } })),
  )
  return socket
}

/** Collects the ids of the events that a socket is sent. */
function collect(socket: WebSocket): string[] & { cursor: string } {
  const ids = Object.assign<string[], { cursor: string }>([], { cursor: '' })
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type !== 'next') return
    const { id, cursor } = message.payload.data.instanceEvents
    ids.push(id)
    ids.cursor = cursor
  })
  return ids
}

/** Writes events of so many bytes each into the log; answers their ids in order. */
async function makeNoise(database: Database, count: number, bytes = 500): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7())
  const data = { noise: 'x'.repeat(bytes) }
  const row = { tenantId: '', type: 'workflow.custom', at: new Date(), definitionName: 'noise', recipients: [], data }
  const instanceId = uuidv7()
  for (let from = 0; from < count; from += 500)
    await database.prisma.event.createMany({
      data: ids.slice(from, from + 500).map((id) => ({ ...row, id, instanceId })),
    })
  return ids
}

onPostgres('C30 subscribers that leave', (database, url) => {
  it('over WebSocket in the tick in which they subscribe leave nothing behind', async () => {
    const server = await serve(url())
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const socket = subscribe(server)
        await once(socket, 'message')
        if (index % 2 === 0) socket.terminate()
        else setImmediate(() => socket.close())
        await once(socket, 'close')
      }),
    )
    await eventually(() => expect(server.feed.listeners()).toBe(0))
  })

  it('as server-sent events before the first byte leave nothing behind', async () => {
    const server = await serve(url())
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const headers = { ...as('op', 'operate'), 'content-type': 'application/json', accept: 'text/event-stream' }
        const asking = request(`${server.url}/graphql`, { method: 'POST', headers })
        asking.on('error', () => {})
        asking.end(JSON.stringify({ query }))
        if (index % 2 === 0) asking.once('finish', () => asking.destroy())
        else asking.once('response', (response) => response.destroy())
        await new Promise((resolve) => asking.once('close', resolve))
      }),
    )
    await eventually(() => expect(server.feed.listeners()).toBe(0))
  })

  it('without ever having got an event are freed at once', async () => {
    const server = await serve(url())
    const socket = subscribe(server)
    await eventually(() => expect(server.feed.listeners()).toBe(1))
    socket.send(JSON.stringify({ id: '1', type: 'complete' }))
    await eventually(() => expect(server.feed.listeners()).toBe(0))
    socket.terminate()
  })

  it('or who stop reading keep nobody waiting, and get all in order when they read on', async () => {
    const server = await serve(url())
    const [paused, healthy] = [subscribe(server), subscribe(server)]
    await eventually(() => expect(server.feed.listeners()).toBe(2))
    const [late, live] = [collect(paused), collect(healthy)]
    paused.pause()
    const ids = await makeNoise(database(), 5000)
    await eventually(() => expect(live).toHaveLength(ids.length))
    expect([...live]).toEqual(ids)
    expect(late.length).toBeLessThan(ids.length)
    paused.resume()
    await eventually(() => expect(late).toHaveLength(ids.length))
    expect([...late]).toEqual(ids)
    for (const socket of [paused, healthy]) socket.terminate()
    await eventually(() => expect(server.feed.listeners()).toBe(0))
  })

  it('or who stop reading for too long over WebSocket are cut off, and get the rest behind their last cursor', async () => {
    const server = await serve(url(), { SLOW_CLIENT_SECONDS: '0.3' })
    const paused = subscribe(server)
    await eventually(() => expect(server.feed.listeners()).toBe(1))
    const seen = collect(paused)
    paused.pause()
    const ids = await makeNoise(database(), 1500, 10_000)
    // Nobody reads: the socket's buffers fill, and the next event waits.
    await eventually(() => expect(server.feed.listeners()).toBe(0))
    paused.resume()
    await once(paused, 'close')
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.length).toBeLessThan(ids.length)
    expect([...seen]).toEqual(ids.slice(0, seen.length))
    const again = subscribe(server, seen.cursor)
    const rest = collect(again)
    await eventually(() => expect(seen.length + rest.length).toBe(ids.length))
    expect([...seen, ...rest]).toEqual(ids)
    again.terminate()
  })

  it('or who stop reading for too long over server-sent events are cut off', async () => {
    const server = await serve(url(), { SLOW_CLIENT_SECONDS: '0.3' })
    const headers = { ...as('op', 'operate'), 'content-type': 'application/json', accept: 'text/event-stream' }
    const asking = request(`${server.url}/graphql`, { method: 'POST', headers })
    asking.on('error', () => {})
    asking.end(JSON.stringify({ query }))
    const [response] = await once(asking, 'response')
    await eventually(() => expect(server.feed.listeners()).toBe(1))
    response.pause()
    await makeNoise(database(), 1500, 10_000)
    await eventually(() => expect(server.feed.listeners()).toBe(0))
    // It ends in the middle, which is an error of its own.
    response.on('error', () => {})
    const closed = new Promise((resolve) => response.once('close', resolve))
    response.resume()
    await closed
  })
})
