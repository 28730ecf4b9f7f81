import { type Client, type ClientOptions, createClient } from 'graphql-ws'
import { type AnsweredError, CountersignError, errorOf, unreachable } from './errors.js'
import { type Connection, type GraphQLAnswer, headersOf } from './http.js'
import { silence, type Transport } from './transport.js'

const pingInterval = 15_000
/** "Forbidden" of the protocol: the credentials are refused or have expired. */
const forbidden = 4403

/** Subscriptions over WebSockets, each with one of its own, so that it ends and comes back alone. */
export function webSockets(implementation: unknown): Transport {
  return async function* (connection, { query, variables }, { signal, accepted }) {
    let credentialsFailed: unknown = null
    const client = createClient({
      ...optionsOf(connection, implementation),
      connectionParams: () =>
        headersOf(connection).catch((error: unknown) => {
          credentialsFailed = error
          throw error
        }),
    })
    client.on('connected', accepted)
    const freeWatch = watch(client)
    const end = () => client.terminate()
    signal.addEventListener('abort', end)
    try {
      if (signal.aborted) return
      const payload = { query, variables: variables as Record<string, unknown> }
      for await (const result of client.iterate(payload)) yield result as GraphQLAnswer
    } catch (error) {
      throw signal.aborted ? signal.reason : (credentialsFailed ?? closeError(error))
    } finally {
      signal.removeEventListener('abort', end)
      freeWatch()
      // What a server does not answer any more must not hold anything here.
      Promise.resolve(client.dispose()).catch(() => {})
    }
  }
}

function optionsOf({ url }: Connection, implementation: unknown): ClientOptions {
  return {
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: implementation,
    retryAttempts: 0,
    shouldRetry: () => false,
    keepAlive: pingInterval,
    onNonLazyError: () => {},
  }
}

/** Ends a connection on which the server has fallen silent. */
function watch(client: Client): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => client.terminate(), silence)
  }
  for (const event of ['connected', 'pong', 'message'] as const) client.on(event, heard)
  client.on('closed', () => clearTimeout(timer))
  heard()
  return () => clearTimeout(timer)
}

/** What a subscription ended with: errors of the server, or a closed socket. */
function closeError(error: unknown): CountersignError {
  const [first] = Array.isArray(error) ? (error as AnsweredError[]) : []
  if (first) return errorOf(first, null)
  const { code, reason } = (error ?? {}) as { code?: unknown; reason?: unknown }
  if (code === forbidden)
    return new CountersignError({ code: 'CREDENTIALS_REFUSED', message: String(reason), cause: error })
  return unreachable(`the connection was closed${code ? ` with ${code}` : ''}`, error)
}
