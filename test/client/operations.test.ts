import { readFileSync } from 'node:fs'
import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { CountersignClient, CountersignError, type TypedDocumentNode } from '../../clients/node/src/index.js'
import { as, serve } from '../api/network.js'
import { onPostgres } from '../support/databases.js'

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'))

/** What each method of the client sends, caught on its way. */
async function sentByEachMethod(): Promise<Map<string, string>> {
  const sent = new Map<string, string>()
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const name of Object.keys(type?.getFields() ?? {})) {
      const client = new CountersignClient({
        url: 'http://127.0.0.1/graphql',
        fetch: async (_url, init) => {
          sent.set(name, (JSON.parse(String(init?.body)) as { query: string }).query)
          return Response.json({ data: { [name]: null } })
        },
      })
      const methods = client as unknown as { [name: string]: (input: object) => Promise<unknown> }
      expect(await methods[name]?.({})).toBeNull()
    }
  }
  return sent
}

describe('the operations of the Node client', () => {
  it('has a method for each query and mutation, whose document the schema takes', async () => {
    const sent = await sentByEachMethod()
    expect(sent.size).toBeGreaterThan(60)
    for (const [name, query] of sent) expect([name, validate(schema, parse(query))]).toEqual([name, []])
  })
})

onPostgres('the Node client', (_database, url) => {
  it('starts, reads and answers', async () => {
    const server = await serve(url())
    const connect = (user: string) =>
      new CountersignClient({ url: `${server.url}/graphql`, headers: as(user, 'operate'), transport: 'sse' })
    const variables = { applicant: 'Alice', days: 1, approvers: 'bob' }
    const { instance } = await connect('alice').startInstance({ name: 'hr.leave', variables })
    expect(instance).toMatchObject({ status: 'RUNNING', starter: { id: 'alice' }, variables })
    const bob = connect('bob')
    const inbox = await bob.tasks({ filter: { instanceId: instance.id, createdFrom: new Date(0) }, first: 5 })
    expect(inbox.nodes).toMatchObject([{ instance: { id: instance.id }, assignee: { id: 'bob' } }])
    const taskId = inbox.nodes[0]?.id ?? ''
    const approved = await bob.approveTask({ taskId, comment: 'fine' })
    expect(approved.instance.status).toBe('COMPLETED')
    expect(await bob.task({ id: taskId })).toBeNull()
    const records = await bob.taskRecords({ filter: { instanceId: instance.id } })
    expect(records.nodes.at(-1)).toMatchObject({ outcome: 'approved', comment: 'fine', taskId })
    const [definition] = (await bob.definitions({ filter: { name: 'hr.leave' } })).nodes
    expect(await bob.definition({ id: definition?.id ?? '' })).toMatchObject({ document: { name: 'hr.leave' } })
    expect((await bob.events({ first: 1 })).nodes).toHaveLength(1)
    expect(await bob.viewer()).toMatchObject({ user: { id: 'bob' }, counts: { todo: expect.any(Number) } })
  })

  it('sends operations of one’s own, typed by their documents', async () => {
    const server = await serve(url())
    const client = new CountersignClient({ url: `${server.url}/graphql`, headers: as('bob'), transport: 'sse' })
    const document = parse('query ($first: Int) { tasks(first: $first) { totalCount } }') as TypedDocumentNode<
      { tasks: { totalCount: number } },
      { first: number }
    >
    const answer = await client.request(document, { first: 1 })
    expect(answer.tasks.totalCount).toBe(2)
  })

  it('throws what the server refuses, in the language that was asked for', async () => {
    const server = await serve(url())
    const connect = (language: string) =>
      new CountersignClient({ url: `${server.url}/graphql`, headers: as('bob'), language, transport: 'sse' })
    const failure = async (language: string) => {
      const error: unknown = await connect(language)
        .approveTask({ taskId: '00000000-0000-7000-8000-00000000dead' })
        .catch((thrown: unknown) => thrown)
      if (!(error instanceof CountersignError)) throw error
      return error
    }
    const english = await failure('en')
    expect(english).toMatchObject({
      code: 'WORKFLOW_NOTFOUND_003',
      messageKey: 'workflow.task.not_found',
      arguments: { id: '00000000-0000-7000-8000-00000000dead' },
      path: ['approveTask'],
      status: 200,
      transient: false,
    })
    expect((await failure('de')).message).not.toBe(english.message)
    const invalid = await connect('en')
      .request('{ nothing }')
      .catch((thrown: unknown) => thrown)
    expect(invalid).toMatchObject({ name: 'CountersignError', message: expect.stringContaining('nothing') })
  })

  it('tells what was not answered from what was refused', async () => {
    const gone = new CountersignClient({ url: 'http://127.0.0.1:9/graphql', transport: 'sse' })
    await expect(gone.viewer()).rejects.toMatchObject({ code: 'UNREACHABLE', transient: true, status: null })
    const page = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
    const behind = new CountersignClient({ url: 'http://127.0.0.1/', transport: 'sse', fetch: page })
    await expect(behind.viewer()).rejects.toMatchObject({ code: 'UNREACHABLE', transient: true, status: 502 })
    const never: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        if (init?.signal?.aborted) reject(init.signal.reason)
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    const silent = new CountersignClient({ url: 'http://127.0.0.1/', transport: 'sse', fetch: never, timeout: 20 })
    await expect(silent.viewer()).rejects.toMatchObject({ code: 'UNREACHABLE', message: 'no answer within 20 ms' })
    const stop = new AbortController()
    const stopped = silent.viewer({ signal: stop.signal, timeout: 60_000 })
    stop.abort(new Error('enough'))
    await expect(stopped).rejects.toThrow('enough')
  })
})
