import { once } from 'node:events'
import { request } from 'node:http'
import { uuidv7 } from 'uuidv7'
import { expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Database } from '../../src/persistence/database.js'
import type { Server } from '../../src/server/server.js'
import { onPostgres } from '../support/databases.js'
import { as, serve } from './network.js'

const query = 'subscription { instanceEvents(definitionName: "noise") { id data } }'

/** A socket that has subscribed, or is just about to. */
function subscribe(server: Server): WebSocket {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  socket.on('error', () => {})
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: as('op', 'operate') })))
  // The first message is the acknowledgement.
  socket.once('message', () => socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } })))
  return socket
}

/** Collects the ids of the events that a socket is sent. */
function collect(socket: WebSocket): string[] {
  const ids: string[] = []
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type === 'next') ids.push(message.payload.data.instanceEvents.id)
  })
  return ids
}

/** Writes events of half a kilobyte each into the log; answers their ids in order. */
async function makeNoise(database: Database, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7())
  const data = { noise: 'x'.repeat(500) }
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
    await vi.waitFor(() => expect(server.feed.listeners()).toBe(0), { timeout: 10_000 })
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
    await vi.waitFor(() => expect(server.feed.listeners()).toBe(0), { timeout: 10_000 })
  })

  it('without ever having got an event are freed at once', async () => {
    const server = await serve(url())
    const socket = subscribe(server)
    await vi.waitFor(() => expect(server.feed.listeners()).toBe(1), { timeout: 10_000 })
    socket.send(JSON.stringify({ id: '1', type: 'complete' }))
    await vi.waitFor(() => expect(server.feed.listeners()).toBe(0), { timeout: 10_000 })
    socket.terminate()
  })

  it('or who stop reading keep nobody waiting, and get all in order when they read on', async () => {
    const server = await serve(url())
    const [paused, healthy] = [subscribe(server), subscribe(server)]
    await vi.waitFor(() => expect(server.feed.listeners()).toBe(2), { timeout: 10_000 })
    const [late, live] = [collect(paused), collect(healthy)]
    paused.pause()
    const ids = await makeNoise(database(), 5000)
    await vi.waitFor(() => expect(live).toHaveLength(ids.length), { timeout: 30_000 })
    expect(live).toEqual(ids)
    expect(late.length).toBeLessThan(ids.length)
    paused.resume()
    await vi.waitFor(() => expect(late).toHaveLength(ids.length), { timeout: 30_000 })
    expect(late).toEqual(ids)
    for (const socket of [paused, healthy]) socket.terminate()
    await vi.waitFor(() => expect(server.feed.listeners()).toBe(0), { timeout: 10_000 })
  })
})
