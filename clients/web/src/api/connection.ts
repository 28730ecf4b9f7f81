import { Client, cacheExchange, fetchExchange } from '@urql/core'
import { createClient, type Client as SocketClient } from 'graphql-ws'
import { languageTag } from '../i18n'
import type { Credentials } from '../session/session'

export type ConnectionState = 'connecting' | 'connected' | 'broken'

/** The way to the server: requests over HTTP, events over one WebSocket. */
export interface Connection {
  client: Client
  socket: SocketClient
  state(): ConnectionState
  onState(listener: () => void): () => void
  close(): void
}

/** Opens the connection of one person. */
export function openConnection(credentials: Credentials): Connection {
  const listeners = new Set<() => void>()
  let state: ConnectionState = 'connecting'
  const become = (next: ConnectionState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const url = new URL('/graphql', location.href)
  const client = new Client({
    url: url.href,
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    fetch: async (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...init?.headers, 'accept-language': languageTag(), ...(await credentials()) },
      }),
  })
  const socket = createClient({
    url: url.href.replace(/^http/, 'ws'),
    connectionParams: credentials,
    lazy: true,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    keepAlive: 15_000,
    on: { connected: () => become('connected'), closed: () => become('broken') },
  })
  return {
    client,
    socket,
    state: () => state,
    onState(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => void socket.dispose(),
  }
}
