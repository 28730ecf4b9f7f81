import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { context, propagation, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '../../src/server/logging.js'
import { StartError } from '../../src/server/startError.js'
import { startTelemetry } from '../../src/server/telemetry.js'
import { inSpan } from '../../src/tracing.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { as, askForLeave, post, serve } from './network.js'

const exporter = new InMemorySpanExporter()

beforeEach(() => {
  exporter.reset()
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
})

afterEach(() => {
  trace.disable()
  context.disable()
  propagation.disable()
})

const caller = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }
const header = `00-${caller.trace}-${caller.span}-01`

const named = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name)
const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId

/** Publishes a definition from nodes in a row, and starts it in the trace of the caller. */
async function start(server: { url: string }, name: string, nodes: string): Promise<string> {
  const headers = as('dora', 'design,operate')
  const made = await post(
    server,
    `mutation { createDefinition(input: { document: { name: "${name}", nodes: [{ id: "s", activityType: "Start" }, ${nodes},
      { id: "e", activityType: "End" }], transitions: [{ id: "1", sourceNodeId: "s", targetNodeId: "n" },
      { id: "2", sourceNodeId: "n", targetNodeId: "e" }] } }) { definition { id } } }`,
    headers,
  )
  const { id } = made.body.data.createDefinition.definition
  await post(server, `mutation { publishDefinition(input: { id: "${id}" }) { definition { id } } }`, headers)
  const started = await post(server, `mutation { startInstance(input: { name: "${name}" }) { instance { id } } }`, {
    ...headers,
    traceparent: header,
  })
  return started.body.data.startInstance.instance.id
}

onPostgres('traces', (_database, url) => {
  it('go on from the caller through request, operation and command to decision and flush', async () => {
    const server = await serve(url())
    const taskId = await askForLeave(server)
    exporter.reset()
    const approve = `mutation { approveTask(input: { taskId: "${taskId}" }) { instance { id } } }`
    const { body } = await post(server, approve, { ...as('bob'), traceparent: header })
    await eventually(() => expect(named('POST /graphql')).toHaveLength(1))
    const [request] = named('POST /graphql')
    const [operation] = named('mutation approveTask')
    const [command] = named('command completeTask')
    expect(parentOf(request)).toBe(caller.span)
    expect(request?.attributes['http.response.status_code']).toBe(200)
    expect(parentOf(operation)).toBe(idOf(request))
    expect(parentOf(command)).toBe(idOf(operation))
    expect(command?.attributes).toMatchObject({
      'countersign.tenant': '',
      'countersign.instance': body.data.approveTask.instance.id,
    })
    for (const step of ['load', 'decide', 'flush']) expect(named(step).map(parentOf)).toEqual([idOf(command)])
    for (const span of [request, operation, command]) expect(span?.spanContext().traceId).toBe(caller.trace)
  })

  it('name refusals by their code', async () => {
    const server = await serve(url())
    await post(server, 'mutation { suspendInstance(input: { id: "x" }) { instance { id } } }', as('op', 'operate'))
    await eventually(() =>
      expect(named('mutation suspendInstance')[0]?.attributes['countersign.code']).toBe('WORKFLOW_NOTFOUND_002'),
    )
  })

  it('of a timer are linked to the command that left it', async () => {
    const server = await serve(url(), { POLL_INTERVAL_SECONDS: '0.05' })
    await start(server, 'wait', '{ id: "n", activityType: "Delay", properties: { Duration: "00:00:01" } }')
    await eventually(() => expect(named('due TIMER')).toHaveLength(1))
    const [due] = named('due TIMER')
    const [command] = named('command start').slice(-1)
    expect(due?.spanContext().traceId).not.toBe(caller.trace)
    expect(due?.links.map((link) => link.context.spanId)).toEqual([idOf(command)])
    expect(named('command dueBookmark').map(parentOf)).toEqual([idOf(due)])
  })

  it('of a call are linked to the command that left it, and go on at the other side', async () => {
    const asked: (string | undefined)[] = []
    const target = createServer((request, response) => {
      asked.push(request.headers.traceparent as string | undefined)
      response.end('hello')
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const { port } = target.address() as AddressInfo
    try {
      const server = await serve(url(), { ALLOWED_HOSTS: `127.0.0.1:${port}` })
      await start(server, 'call', `{ id: "n", activityType: "Http", properties: { Url: "http://127.0.0.1:${port}/" } }`)
      await eventually(() => expect(named('job http')).toHaveLength(1))
      const [job] = named('job http')
      const [command] = named('command start').slice(-1)
      const [call] = named('GET')
      expect(job?.links.map((link) => link.context.spanId)).toEqual([idOf(command)])
      expect(parentOf(call)).toBe(idOf(job))
      expect(asked).toEqual([`00-${call?.spanContext().traceId}-${idOf(call)}-01`])
    } finally {
      target.close()
    }
  })
})

it('the log tells the trace in which a line was written', async () => {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = await createLogger({ logLevel: 'info' }, sink)
  await inSpan('work', {}, async (span) => {
    log.info({ instance: 'i1' }, 'inside')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ instance: 'i1', traceId: span.spanContext().traceId })
  })
  log.info({}, 'outside')
  expect(JSON.parse(lines[1] ?? '').traceId).toBeUndefined()
})

it('a collector is sent the spans, under the name of the service, at the latest when the server stops', async () => {
  trace.disable()
  context.disable()
  propagation.disable()
  const received: { path: string | undefined; body: string }[] = []
  const collector = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ path: request.url, body })
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  const end = await startTelemetry(`http://127.0.0.1:${port}/`)
  await inSpan('one span', {}, async () => {})
  await end()
  collector.close()
  expect(received.map(({ path }) => path)).toEqual(['/v1/traces'])
  expect(received[0]?.body).toContain('one span')
  expect(received[0]?.body).toContain('countersign')
})

it('a missing package is told with what to install', async () => {
  const missing = async () => {
    throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' })
  }
  const starting = startTelemetry('http://127.0.0.1:4318', missing)
  await expect(starting).rejects.toThrow(StartError)
  await expect(starting).rejects.toThrow(/@opentelemetry\/sdk-trace-node is not installed.*npm install/)
  await expect(startTelemetry(null, missing)).resolves.toBeTypeOf('function')
})
