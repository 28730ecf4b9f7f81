import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { seedDemo } from '../demo.js'
import { type Extensions, noExtensions } from '../extensions.js'
import type { Runtime } from '../runtime.js'
import type { EventFeed } from '../workers/eventFeed.js'
import { createGraphiQL } from './graphiql.js'
import { createReadiness } from './health.js'
import { createHttpServer } from './http.js'
import { createIdentify } from './identify.js'
import { createLogger } from './logging.js'
import { createMetrics } from './metrics.js'
import { createNode } from './node.js'
import type { Config } from './resolveConfig.js'
import { createRunningOperations } from './running.js'
import { createSocketOperations } from './socketOperations.js'
import { startDatabase } from './startDatabase.js'
import { StartError } from './startError.js'
import { createStreams } from './streams.js'
import { startTelemetry } from './telemetry.js'
import { createWebClient } from './webClient.js'
import { serveWebSockets } from './websocket.js'
import { createGraphQLServer } from './yoga.js'

/** A running server. */
export interface Server {
  url: string
  port: number
  feed: EventFeed
  runtime: Runtime
  /** Takes no new work, lets running work finish, closes everything. At most some 9 seconds. */
  stop(): Promise<void>
}

export interface ServerOptions {
  /** Told of each step of the start. */
  progress?: (line: string) => void
  log?: Logger
  /** The application's own activities and rules. */
  extensions?: Extensions
}

const drainPatience = 6000

/**
 * Starts a server: database, workers, GraphQL over HTTP and WebSocket, health.
 * @throws StartError or ConfigError with sentences for the operator
 */
export async function createServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  const { progress = () => {}, extensions = noExtensions } = options
  const log = options.log ?? (await createLogger(config))
  // Before anything is opened: a key that is none is a mistake of the configuration.
  const identify = createIdentify(config)
  const endTelemetry = await startTelemetry(config.otlpEndpoint)
  const database = await startDatabase(config, progress)
  const node = createNode(config, database, extensions, log)
  try {
    if (config.demo && (await seedDemo(node.runtime))) progress('the demo is in place …')
    await node.start()
    const streams = createStreams(config.slowClientPatience)
    const running = createRunningOperations()
    let draining = false
    const isDraining = () => draining
    const metrics = createMetrics({ database, feed: node.feed })
    const yoga = createGraphQLServer(config, { ...node, identify, streams, log, isDraining, metrics })
    const http = createHttpServer(config, {
      yoga,
      graphiql: config.graphiql ? createGraphiQL(config, log) : null,
      webClient: await createWebClient(config),
      readiness: createReadiness(database, isDraining),
      isDraining,
      running,
      metrics,
    })
    const sockets = serveWebSockets(http, config, createSocketOperations(config, yoga, { identify, log, running }), log)
    const port = await listen(http, config)
    const stop = async () => {
      draining = true
      streams.dropAll()
      await Promise.all([sockets.close(), node.finish(), running.settle(drainPatience)])
      await closeHttp(http)
      await node.close()
      await database.close()
      await endTelemetry()
    }
    let stopping: Promise<void> | null = null
    return {
      url: urlOf(config.host, port),
      port,
      feed: node.feed,
      runtime: node.runtime,
      stop: () => {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    await node.finish()
    await node.close()
    await database.close()
    throw error
  }
}

function listen(http: HttpServer, { host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      const reason = taken ? 'something else listens there' : error.message
      reject(new StartError(`${host}:${port} cannot be listened on: ${reason}. Give another PORT or HOST.`, error))
    })
    http.listen(port, host, () => resolve((http.address() as AddressInfo).port))
  })
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function closeHttp(http: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  http.closeAllConnections()
  return closed
}
