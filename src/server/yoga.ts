import type { IncomingMessage, ServerResponse } from 'node:http'
import { useExtendContextValuePerExecuteSubscriptionEvent } from '@envelop/execute-subscription-event'
import { initContextCache } from '@pothos/core'
import { createYoga, type YogaServerInstance } from 'graphql-yoga'
import type { Context } from '../../schema/context.js'
import { schema } from '../../schema/index.js'
import type { Log, Runtime } from '../runtime.js'
import type { EventFeed } from '../workers/eventFeed.js'
import { createMaskError } from './errors.js'
import { useHiddenSchema } from './hiddenSchema.js'
import type { Identify, Identity } from './identity.js'
import { useLimits } from './limits.js'
import type { Metrics } from './metrics.js'
import { useRequestBody } from './requestBody.js'
import { currentScope, noteTenant } from './requestScope.js'
import type { Config } from './resolveConfig.js'
import type { Streams } from './streams.js'
import { useOperationSpans } from './traceOperations.js'

/** What the transport knows of an operation: the HTTP exchange, or who a WebSocket belongs to. */
export interface ServerContext {
  req: IncomingMessage
  res: ServerResponse
  identity: Identity
  /** Until when the caller is who they are, in epoch milliseconds. */
  expiresAt: number | null
}

type Transport = Partial<ServerContext> & { request?: Request }
export type GraphQLServer = YogaServerInstance<Partial<ServerContext>, Context>

/** What the GraphQL server is made of. */
export interface GraphQLParts {
  runtime: Runtime
  feed: EventFeed
  identify: Identify
  streams: Streams
  log: Log
  isDraining: () => boolean
  metrics: Metrics
}

/** Creates the GraphQL server at /graphql: queries, mutations, and subscriptions as server-sent events. */
export function createGraphQLServer(config: Config, parts: GraphQLParts): GraphQLServer {
  return createYoga<Partial<ServerContext>, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    context: (transport: Transport) => createContext(transport, parts),
    maskedErrors: { maskError: createMaskError(parts.log) },
    // The masking logs what is worth it, with the request id.
    logging: false,
    multipart: false,
    batching: false,
    graphiql: false,
    landingPage: false,
    maxRequestBodySize: config.maxBodyBytes,
    // A document that does not parse is not worth keeping, least of all with a message in one caller's language.
    parserAndValidationCache: { errorCache: { get: () => undefined, set: () => {} } },
    // A list of origins would answer "null" to others, and that is what a sandboxed page calls itself.
    cors: (request) => {
      const origin = request.headers.get('origin')
      if (origin === null || !config.allowedOrigins.includes(origin)) return false
      return { origin: [origin], credentials: false, exposedHeaders: ['x-request-id'], maxAge: 600 }
    },
    plugins: [
      useRequestBody(config.maxBodyBytes),
      // Before the limits, whose errors about variables it goes over too.
      ...(config.introspection ? [] : [useHiddenSchema()]),
      useLimits(config),
      // Without it the loaders of the first event would answer for all later ones.
      useExtendContextValuePerExecuteSubscriptionEvent(() => ({ contextPartial: initContextCache() })),
      parts.streams.plugin,
      parts.metrics.plugin,
      useOperationSpans(),
    ],
  })
}

async function createContext(
  transport: Transport,
  { runtime, feed, identify, isDraining }: GraphQLParts,
): Promise<Context & Pick<ServerContext, 'expiresAt'>> {
  const { requestId, locale } = currentScope()
  const headers = transport.request?.headers
  const { actor, expiresAt } = transport.identity ?? (await identify((name) => headers?.get(name) ?? null))
  noteTenant(actor?.tenantId)
  const isAwaited = () => !isDraining() && !transport.res?.closed
  return { runtime, feed, actor, locale, requestId, expiresAt, isAwaited }
}
