import { createClient } from 'graphql-sse'
import { expect, it } from 'vitest'
import type { Server } from '../../src/server/server.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { as, askForLeave, post, serve } from './network.js'
import { createIssuer } from './tokens.js'

// biome-ignore lint/suspicious/noExplicitAny: a test knows the shape of what it asked for
type Result = { data?: any; errors?: any }

const watch = `subscription ($after: String) { taskEvents(after: $after) { cursor taskId task { title } } }`

function connect(server: Server, headers: Record<string, string>) {
  return createClient({ url: `${server.url}/graphql`, headers, retryAttempts: 0 })
}

onPostgres('GraphQL subscriptions as server-sent events', (_database, url) => {
  it('deliver live events, resume behind a cursor and free what they hold', async () => {
    const server = await serve(url())
    const client = connect(server, as('bob'))
    const live = client.iterate({ query: watch }) as AsyncIterableIterator<Result>
    const first = live.next()
    await eventually(() => expect(server.feed.listeners()).toBe(1))
    const taskId = await askForLeave(server)
    const event = (await first).value.data.taskEvents
    expect(event).toMatchObject({ taskId, task: { title: expect.any(String) } })
    await post(server, `mutation { approveTask(input: { taskId: "${taskId}" }) { task { id } } }`, as('bob'))
    expect((await live.next()).value.data.taskEvents).toMatchObject({ taskId, task: null })
    await live.return?.()
    await eventually(() => expect(server.feed.listeners()).toBe(0))
    const resumed = client.iterate({
      query: watch,
      variables: { after: event.cursor },
    }) as AsyncIterableIterator<Result>
    expect((await resumed.next()).value.data.taskEvents.taskId).toBe(taskId)
    client.dispose()
    await eventually(() => expect(server.feed.listeners()).toBe(0))
  })

  it('are refused to nobody', async () => {
    const server = await serve(url())
    const { value } = await connect(server, {}).iterate({ query: watch }).next()
    expect(value.errors[0].extensions).toMatchObject({
      code: 'WORKFLOW_DENIED_003',
      messageKey: 'workflow.access.unauthenticated',
    })
  })

  it('end with an error when the token expires', async () => {
    const issuer = await createIssuer()
    const server = await serve(url(), issuer.environment)
    const expired = await post(server, '{ viewer { user { id } } }', {
      authorization: `Bearer ${await issuer.sign('bob', -5)}`,
    })
    expect(expired).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { messageKey: 'workflow.access.token_expired' } }] },
    })
    const client = connect(server, { authorization: `Bearer ${await issuer.sign('bob', 2)}` })
    const events = client.iterate({ query: watch }) as AsyncIterableIterator<Result>
    const first = events.next()
    await eventually(() => expect(server.feed.listeners()).toBe(1))
    expect((await first).value.errors[0].extensions).toMatchObject({
      code: 'WORKFLOW_DENIED_003',
      messageKey: 'workflow.access.token_expired',
    })
    expect((await events.next()).done).toBe(true)
    expect(server.feed.listeners()).toBe(0)
  })

  it('are cut off by a shutdown, which clients take for a reason to come back', async () => {
    const server = await serve(url())
    const events = connect(server, as('bob')).iterate({ query: watch })
    const first = events.next()
    first.catch(() => {})
    await eventually(() => expect(server.feed.listeners()).toBe(1))
    const start = Date.now()
    await server.stop()
    expect(Date.now() - start).toBeLessThan(5000)
    await expect(first).rejects.toThrow()
  })
})
