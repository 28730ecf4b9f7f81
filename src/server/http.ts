import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SpanKind } from '@opentelemetry/api'
import { continueTrace, inSpan } from '../tracing.js'
import { serverRefusal } from './errors.js'
import type { GraphiQL } from './graphiql.js'
import type { Unready } from './health.js'
import type { Metrics } from './metrics.js'
import { createScope, requestScope } from './requestScope.js'
import { isForLoopback, pathOf } from './requestTarget.js'
import type { Config } from './resolveConfig.js'
import type { RunningOperations } from './running.js'
import type { WebClient } from './webClient.js'
import type { GraphQLServer } from './yoga.js'

/** What the HTTP server answers with. */
export interface HttpParts {
  yoga: GraphQLServer
  /** Null: not served. */
  graphiql: GraphiQL | null
  /** Everything that is no other part's: the approval centre. */
  webClient: WebClient
  readiness: () => Promise<Unready | null>
  isDraining: () => boolean
  running: RunningOperations
  metrics: Metrics
}

/** Creates the HTTP server: /graphql, the approval centre at /, /healthz, /readyz and /metrics; it does not listen yet. */
export function createHttpServer(config: Config, parts: HttpParts): Server {
  const http = createServer((request, response) => {
    const scope = createScope(headerOf(request, 'x-request-id'), headerOf(request, 'accept-language'))
    response.setHeader('x-request-id', scope.requestId)
    response.setHeader('x-content-type-options', 'nosniff')
    if (config.authMode === 'dev' && !isForLoopback(request))
      return sendJson(response, 421, { error: 'In dev mode this server answers to localhost only.' })
    if (pathOf(request) !== '/graphql') return answerPage(request, response, parts)
    if (parts.graphiql?.wants(request)) return parts.graphiql.send(request, response)
    if (parts.isDraining()) return requestScope.run(scope, sendDraining, response)
    response.once('close', parts.running.begin())
    requestScope.run(scope, () => traceRequest(request, response, () => void parts.yoga(request, response)))
  })
  http.requestTimeout = 60_000
  return http
}

/** The span of a request, in the trace that its headers name; it ends with the response. */
function traceRequest(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
  const method = request.method ?? ''
  const attributes = { 'http.request.method': method, 'url.path': '/graphql' }
  void continueTrace(request.headers, () =>
    inSpan(`${method} /graphql`, { kind: SpanKind.SERVER, attributes }, async (span) => {
      const closed = once(response, 'close')
      answer()
      await closed
      span.setAttribute('http.response.status_code', response.statusCode)
    }),
  )
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

function answerPage(request: IncomingMessage, response: ServerResponse, parts: HttpParts): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendJson(response, 404, { error: 'Not found.' })
  switch (pathOf(request)) {
    case '/healthz':
      return sendJson(response, 200, { status: 'alive' })
    case '/readyz':
      parts
        .readiness()
        .then((reason) =>
          reason === null
            ? sendJson(response, 200, { status: 'ready' })
            : sendJson(response, 503, { status: 'unready', reason }),
        )
      return
    case '/metrics':
      parts.metrics.text().then(
        (text) => response.writeHead(200, { 'content-type': parts.metrics.contentType }).end(text),
        () => sendJson(response, 500, { error: 'The metrics cannot be told now.' }),
      )
      return
    case '/session':
      return sendJson(response, 200, parts.webClient.session)
    default:
      if (!parts.webClient.send(request, response)) sendJson(response, 404, { error: 'Not found.' })
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** A request on a connection that was open already; the next one goes elsewhere. */
function sendDraining(response: ServerResponse): void {
  response.setHeader('connection', 'close')
  response.setHeader('retry-after', '1')
  sendJson(response, 503, { errors: [serverRefusal('WORKFLOW_UNAVAILABLE_001', 'workflow.server.draining', {})] })
}
