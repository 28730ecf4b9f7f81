import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { handleProtocols, type Server } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../runtime.js'
import { createScope, requestScope } from './requestScope.js'
import { isForLoopback, pathOf } from './requestTarget.js'
import type { Config } from './resolveConfig.js'
import type { SocketFacts } from './socketOperations.js'

/** The WebSockets of this node. */
export interface WebSockets {
  /** Closes all of them; their clients connect again, to another node where there is one. */
  close(): Promise<void>
}

/** "Service restart": unlike 1000 or 4xxx codes, which clients take for an end, it makes all known clients reconnect. */
const serviceRestart = 1012
const internalError = 1011
const pingInterval = 12_000
const closePatience = 2000

/** Serves graphql-transport-ws on the HTTP server's /graphql. */
export function serveWebSockets(
  http: HttpServer,
  config: Config,
  operations: Server<SocketFacts>,
  log: Log,
): WebSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: config.maxMessageBytes,
    handleProtocols,
    // Compression would let one small message take much memory.
    perMessageDeflate: false,
  })
  let closing = false
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (closing) return refuse(socket, '503 Service Unavailable')
    if (pathOf(request) !== '/graphql') return refuse(socket, '404 Not Found')
    if (config.authMode === 'dev' && !isForLoopback(request)) return refuse(socket, '421 Misdirected Request')
    if (!isAllowedOrigin(request, config.allowedOrigins)) return refuse(socket, '403 Forbidden')
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      serve(webSocket, request, operations, { log, patience: config.slowClientPatience }),
    )
  })
  const heart = setInterval(() => sockets.clients.forEach(beat), pingInterval)
  heart.unref()
  return {
    async close() {
      closing = true
      clearInterval(heart)
      for (const client of sockets.clients) client.close(serviceRestart, 'Service restart')
      const late = setTimeout(() => {
        for (const client of sockets.clients) client.terminate()
      }, closePatience)
      await new Promise<void>((resolve) => sockets.close(() => resolve()))
      clearTimeout(late)
    },
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** A browser names the page's origin: it must be this server's own or an allowed one. Other programs name none. */
function isAllowedOrigin({ headers: { origin, host } }: IncomingMessage, allowed: readonly string[]): boolean {
  if (origin === undefined || allowed.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

/** Sockets that have not answered since the last ping are dead. */
const silent = new WeakSet<WebSocket>()

function beat(socket: WebSocket): void {
  if (silent.has(socket)) return socket.terminate()
  silent.add(socket)
  socket.ping()
}

function serve(
  socket: WebSocket,
  request: IncomingMessage,
  operations: Server<SocketFacts>,
  { log, patience }: { log: Log; patience: number },
): void {
  const facts: SocketFacts = {
    socket,
    text: '',
    identity: { actor: null, expiresAt: null },
    callOff: () => {},
  }
  const language = request.headers['accept-language'] ?? null
  const closed = operations.opened(
    {
      protocol: socket.protocol,
      send: (text) => send(socket, text, patience),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (handle) =>
        socket.on('message', (data) =>
          // Each message is a request of its own in the log.
          requestScope.run(createScope(null, language), async () => {
            try {
              facts.text = String(data)
              await handle(facts.text)
            } catch (error) {
              log.error({ err: error }, 'a WebSocket message could not be handled')
              socket.close(internalError, 'Internal error')
            }
          }),
        ),
    },
    facts,
  )
  socket.on('pong', () => silent.delete(socket))
  // Oversized or broken frames: ws closes the socket with the right code itself.
  socket.on('error', (error) => log.info({ err: error }, 'a WebSocket failed'))
  socket.on('close', (code, reason) => {
    closed(code, String(reason)).catch((error: unknown) => log.error({ err: error }, 'a WebSocket was not cleaned up'))
  })
}

/**
 * Resolves when the text has left, so that a slow client slows its own subscriptions and nothing piles up for it. A client
 * that has stopped reading altogether is cut off: it comes again with the cursor of the last event that it has read.
 */
function send(socket: WebSocket, text: string, patience: number): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve()
    const late = setTimeout(() => socket.terminate(), patience)
    // A failed send ends in `close`, where everything is freed.
    socket.send(text, () => {
      clearTimeout(late)
      resolve()
    })
  })
}
