import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onPostgres } from '../support/databases.js'
import { document } from '../support/engine.js'
import { eventually } from '../support/eventually.js'
import { as, post, serve } from './network.js'

const calls: string[] = []
const target = createServer((request, response) => {
  calls.push(String(request.headers['idempotency-key']))
  response.setHeader('content-type', 'application/json').end('{"rate":1.25}')
})

beforeAll(() => new Promise<void>((resolve) => void target.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => target.close(resolve)))

type Server = Awaited<ReturnType<typeof serve>>

async function publish(server: Server, source: object): Promise<void> {
  const designer = as('dora', 'design')
  const create =
    'mutation ($document: JSON!) { createDefinition(input: { document: $document }) { definition { id } } }'
  const created = await post(server, create, designer, { variables: { document: source } })
  const { id } = created.body.data.createDefinition.definition
  const published = await post(
    server,
    `mutation { publishDefinition(input: { id: "${id}" }) { definition { id } } }`,
    designer,
  )
  expect(published.body.errors).toBeUndefined()
}

async function start(server: Server, name: string): Promise<() => Promise<unknown>> {
  const mutation = `mutation { startInstance(input: { name: "${name}" }) { instance { id } } }`
  const { id } = (await post(server, mutation, as('alice'))).body.data.startInstance.instance
  const query = `{ instance(id: "${id}") { status variables fault { messageKey message } } }`
  return async () => (await post(server, query, as('alice'))).body.data.instance
}

onPostgres('a server', (_database, url) => {
  it('makes the calls of Http nodes, inside only to allowed hosts', async () => {
    const { port } = target.address() as AddressInfo
    const rates = (name: string) =>
      document(name, { s: 'Start', h: ['Http', { Url: `http://127.0.0.1:${port}/` }], end: 'End' }, ['s>h', 'h>end'])
    const closed = await serve(url())
    await publish(closed, rates('rates'))
    const denied = await start(closed, 'rates')
    await eventually(async () => expect(await denied()).toMatchObject({ status: 'FAULTED' }))
    expect(await denied()).toMatchObject({
      fault: {
        messageKey: 'workflow.http.address_denied',
        message: '127.0.0.1 may not be called: its address is not public.',
      },
    })
    expect(calls).toEqual([])
    await closed.stop()
    const opened = await serve(url(), { ALLOWED_HOSTS: `erp.internal, 127.0.0.1:${port}`, HTTP_TIMEOUT_SECONDS: '5' })
    const allowed = await start(opened, 'rates')
    await eventually(async () => expect(await allowed()).toMatchObject({ status: 'COMPLETED' }))
    expect(await allowed()).toMatchObject({ variables: { http: { status: 200, body: { rate: 1.25 } } } })
    expect(calls).toHaveLength(1)
  })

  it('ends a waiting fetch when it stops', async () => {
    const server = await serve(url())
    const looked = new Promise<void>((resolve) => {
      server.runtime.database.onQuery((sql) => sql.includes("'EXTERNAL'") && resolve())
    })
    const input = '{ topic: "ship", workerId: "a", lockSeconds: 10, waitSeconds: 60 }'
    const waiting = post(server, `mutation { fetchExternalTasks(input: ${input}) { tasks { id } } }`, as('w', 'work'))
    await looked
    const begun = performance.now()
    await server.stop()
    expect(performance.now() - begun).toBeLessThan(30_000)
    expect((await waiting).body).toEqual({ data: { fetchExternalTasks: { tasks: [] } } })
  })
})
