import { request } from 'node:http'
import { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { serverAudits } from 'graphql-http'
import { expect, it } from 'vitest'
import type { Server } from '../../src/server/server.js'
import { onPostgres } from '../support/databases.js'
import { answerOf, as, post, serve } from './network.js'

const viewer = '{ viewer { user { id } permissions } }'

/** The parts of the first error that clients rely on. */
function refusal({ status, body }: Awaited<ReturnType<typeof post>>) {
  const { code, messageKey } = body.errors[0].extensions
  return { status, code, messageKey }
}

/** Posts without a content-length; answers the status as soon as it comes. */
function postChunks(server: Server, chunks: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked', ...as('alice') },
    })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.write('{"query":"')
    for (let index = 0; index < chunks; index += 1) sent.write(' '.repeat(1000))
    sent.end('{ viewer { tenantId } }"}')
  })
}

onPostgres('GraphQL over HTTP', (_database, url) => {
  it('passes every audit of graphql-http', async () => {
    const server = await serve(url())
    const audits = serverAudits({
      url: `${server.url}/graphql`,
      fetchFn: (input: string, init: RequestInit = {}) =>
        fetch(input, { ...init, headers: { ...init.headers, 'x-graphql-yoga-csrf': '1' } }),
    })
    const results = await Promise.all(audits.map((audit) => audit.fn()))
    expect(results).toHaveLength(61)
    expect(results.filter(({ status }) => status !== 'ok').map(({ name, status }) => [name, status])).toEqual([])
  })

  it('says who calls, and marks every answer with a request id', async () => {
    const server = await serve(url())
    const answer = await post(server, viewer, { ...as('alice', 'design,nonsense'), 'x-request-id': 'my-id' })
    expect(answer.body).toEqual({ data: { viewer: { user: { id: 'alice' }, permissions: ['design'] } } })
    expect(answer.headers.get('x-request-id')).toBe('my-id')
    const forged = await post(server, viewer, { ...as('alice'), 'x-request-id': 'a b' })
    expect(forged.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    const nobody = await post(server, viewer, { 'accept-language': 'de' })
    expect(refusal(nobody)).toEqual({
      status: 200,
      code: 'WORKFLOW_DENIED_003',
      messageKey: 'workflow.access.unauthenticated',
    })
    expect(nobody.body.errors[0].message).toMatch(/angemeldet/)
    expect((await post(server, '{ __typename __schema { queryType { name } } }')).body.data).toEqual({
      __typename: 'Query',
      __schema: { queryType: { name: 'Query' } },
    })
  })

  it('answers 401 to credentials that are not valid', async () => {
    const server = await serve(url())
    const answer = await post(server, viewer, as('x'.repeat(300)))
    expect(refusal(answer)).toEqual({
      status: 401,
      code: 'WORKFLOW_DENIED_003',
      messageKey: 'workflow.access.token_invalid',
    })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.body.errors[0].extensions.http).toBeUndefined()
  })

  it('masks what is unexpected and logs the cause under the request id', async () => {
    const lines: string[] = []
    const log = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const server = await serve(url(), {}, log)
    await server.runtime.database.exec('ALTER TABLE "Bookmark" RENAME TO "Hidden"')
    try {
      const answer = await post(server, '{ tasks { nodes { id } } }', { ...as('alice'), 'x-request-id': 'broken-1' })
      expect(answer.body.errors[0].extensions).toEqual({
        code: 'INTERNAL_SERVER_ERROR',
        messageKey: 'workflow.server.unexpected',
        requestId: 'broken-1',
      })
      expect(answer.body.errors[0].message).toContain('broken-1')
      expect(JSON.stringify(answer.body)).not.toMatch(/Bookmark|SELECT|stack|127\.0\.0\.1/)
      const logged = lines.map((line) => JSON.parse(line)).find(({ requestId }) => requestId === 'broken-1')
      expect(logged.err.message).toContain('Bookmark')
    } finally {
      await server.runtime.database.exec('ALTER TABLE "Hidden" RENAME TO "Bookmark"')
    }
  })

  it('limits the size of a body: as announced, as sent in pieces, and unpacked', async () => {
    const server = await serve(url(), { MAX_BODY_BYTES: '20000' })
    const large = await post(server, viewer, as('alice'), { variables: { text: 'x'.repeat(20_000) } })
    expect(large.status).toBe(413)
    expect(large.body.errors[0].extensions.code).toBe('REQUEST_ENTITY_TOO_LARGE')
    expect(await postChunks(server, 10)).toBe(200)
    expect(await postChunks(server, 40)).toBe(413)
    const packed = (text: string) =>
      fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', ...as('alice') },
        body: gzipSync(JSON.stringify({ query: viewer, variables: { text } })),
      })
    expect((await packed('x')).status).toBe(200)
    expect((await packed('x'.repeat(1_000_000))).status).toBe(413)
    expect((await packed('x')).status).toBe(200)
  })

  it('takes JSON only, and from no other site', async () => {
    const server = await serve(url(), { ALLOWED_ORIGINS: 'https://app.example.com,https://b.example.com' })
    const endpoint = `${server.url}/graphql`
    const query = encodeURIComponent('{ __typename }')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/graphql']) {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': type },
        body: `query=${query}`,
      })
      expect(response.status).toBe(415)
    }
    const form = new FormData()
    form.set('operations', JSON.stringify({ query: '{ __typename }' }))
    expect((await fetch(endpoint, { method: 'POST', body: form })).status).toBe(415)
    const simple = await answerOf(await fetch(`${endpoint}?query=${query}`))
    expect(simple).toMatchObject({ status: 403, body: { errors: [{ extensions: { code: 'CSRF_PREVENTED' } }] } })
    const preflighted = await fetch(`${endpoint}?query=${query}`, { headers: { 'x-graphql-yoga-csrf': '1' } })
    expect(preflighted.status).toBe(200)
    const batch = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: '{ __typename }' }]),
    })
    expect(batch.status).toBe(400)
    const allowedTo = async (origin: string) =>
      (
        await fetch(endpoint, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-user-id' },
        })
      ).headers.get('access-control-allow-origin')
    expect(await allowedTo('https://app.example.com')).toBe('https://app.example.com')
    expect(await allowedTo('https://evil.example.com')).toBeNull()
    expect(await allowedTo('null')).toBeNull()
  })

  it('answers to names of this machine only, while callers say who they are', async () => {
    const server = await serve(url())
    const status = await new Promise((resolve, reject) => {
      request(`${server.url}/graphql`, { method: 'POST', headers: { host: `evil.example.com:${server.port}` } })
        .on('response', (response) => resolve(response.statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(421)
  })

  it('runs no mutation by GET', async () => {
    const server = await serve(url())
    const query = encodeURIComponent('mutation { markCopiesRead(input: {}) { unread } }')
    const response = await fetch(`${server.url}/graphql?query=${query}`, { headers: as('alice') })
    expect(response.status).toBe(405)
  })

  it('refuses numbers that would be rounded, and names where', async () => {
    const server = await serve(url())
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...as('alice') },
      body: '{"query":"{ __typename }","variables":{"amounts":[1, 12345678901234567.89]}}',
    })
    expect((await answerOf(response)).body.errors[0].extensions).toMatchObject({
      code: 'WORKFLOW_VALIDATION_002',
      arguments: { path: '$.variables.amounts[1]', number: '12345678901234567.89' },
    })
  })

  it('limits depth, aliases, directives, tokens, fields and cost, each in the language of the caller', async () => {
    const server = await serve(url(), {
      MAX_QUERY_DEPTH: '5',
      MAX_QUERY_ALIASES: '3',
      MAX_QUERY_DIRECTIVES: '2',
      MAX_QUERY_TOKENS: '100',
      MAX_QUERY_COST: '500',
    })
    const many = (count: number, part: string) => Array.from({ length: count }, () => part).join(' ')
    const cases = {
      too_many_depth: '{ instances { nodes { parent { parent { parent { id } } } } } }',
      too_many_aliases: '{ a: __typename b: __typename c: __typename d: __typename }',
      too_many_directives: '{ viewer { tenantId @include(if: true) @skip(if: false) groups @include(if: true) } }',
      too_many_tokens: `{ ${many(200, '__typename')} }`,
      too_many_fields: `{ ${many(10, '...F')} } fragment F on Query { ${many(12, '__typename')} }`,
      too_costly: '{ instances(first: 100) { nodes { history(first: 100) { nodes { id } } } } }',
    }
    for (const [name, query] of Object.entries(cases)) {
      const answer = await post(server, query, { ...as('alice'), accept: 'application/graphql-response+json' })
      const messageKey = `workflow.request.${name}`
      expect(refusal(answer)).toEqual({ status: 400, code: 'WORKFLOW_VALIDATION_004', messageKey })
      // The same document again: what is kept with it must not keep the first caller's language.
      const german = await post(server, query, { ...as('alice'), 'accept-language': 'de' })
      expect(refusal(german)).toMatchObject({ messageKey })
      expect(german.body.errors[0].message).not.toBe(answer.body.errors[0].message)
      expect(german.body.errors[0].extensions.arguments.max).toBe(answer.body.errors[0].extensions.arguments.max)
    }
    expect((await post(server, viewer, as('alice'))).body.errors).toBeUndefined()
  })

  it('hides the schema when introspection is off', async () => {
    const server = await serve(url(), { INTROSPECTION: 'false' })
    const introspected = await post(server, '{ __schema { queryType { name } } }', as('alice'))
    expect(introspected.body.errors[0].message).toMatch(/introspection/i)
    const misspelt = await post(server, '{ viewr { groups } }', as('alice'))
    expect(misspelt.body.errors[0].message).toBe('Cannot query field "viewr" on type "Query".')
    const value = await post(
      server,
      'query ($s: InstanceStatus!) { instances(filter: { statuses: [$s] }) { totalCount } }',
      as('alice'),
      {
        variables: { s: 'RUNING' },
      },
    )
    expect(value.body.errors[0].message).not.toMatch(/RUNNING|Did you mean/)
    expect((await post(server, viewer, as('alice'))).body.errors).toBeUndefined()
    const open = await serve(url())
    expect((await post(open, '{ viewr { groups } }', as('alice'))).body.errors[0].message).toMatch(/Did you mean/)
  })

  it('serves the pages and the health of the node, and nothing else', async () => {
    const server = await serve(url(), { DEMO: 'true' })
    const get = async (path: string, headers = {}) => answerOf(await fetch(`${server.url}${path}`, { headers }))
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
    const landing = await get('/')
    expect(landing.headers.get('content-type')).toMatch(/text\/html/)
    expect(landing.body).toContain(`curl -s http://127.0.0.1:${server.port}/graphql`)
    expect(landing.body).not.toMatch(/src=|url\(|@import/)
    expect(await get('/nothing/here')).toMatchObject({ status: 404, body: { error: 'Not found.' } })
    expect((await get('/graphql/more')).status).toBe(404)
    const page = await get('/graphql', { accept: 'text/html' })
    expect(page.headers.get('content-encoding')).toMatch(/br|gzip/)
    const etag = page.headers.get('etag') ?? ''
    expect((await get('/graphql', { accept: 'text/html', 'if-none-match': etag })).status).toBe(304)
    const closed = await serve(url(), { GRAPHIQL: 'false' })
    expect((await fetch(`${closed.url}/graphql`, { headers: { accept: 'text/html' } })).status).not.toBe(200)
  })

  it('is not ready when the migrations of the database are not those of this release', async () => {
    const server = await serve(url())
    const database = server.runtime.database
    await database.exec(
      `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at") VALUES ('next', 'x', '9999_next', now())`,
    )
    try {
      const ready = await answerOf(await fetch(`${server.url}/readyz`))
      expect(ready).toMatchObject({ status: 503, body: { status: 'unready', reason: 'migrations_ahead' } })
      await expect(serve(url())).rejects.toThrow(/newer release/)
    } finally {
      await database.exec(`DELETE FROM "_prisma_migrations" WHERE "id" = 'next'`)
    }
  })
})
