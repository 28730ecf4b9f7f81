import { setTimeout as pause } from 'node:timers/promises'
import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createWebSocketClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { as } from '../api/network.js'

interface Result {
  data?: { it: { id: string; cursor: string } } | null | undefined
  errors?: readonly { extensions?: { [name: string]: unknown } }[] | undefined
}

interface Connection {
  results: AsyncIterable<Result>
  /** Ends it at once, with nothing said to the server. */
  cut: () => void
}

interface Wish {
  nodes: readonly { url: string }[]
  user: string
  /** The field with its arguments but `after`, such as `taskEvents` or `instanceEvents definitionName: "x"`. */
  field: string
  transport: 'sse' | 'websocket'
  /** The cursor to begin behind. */
  after: string
}

/** A subscriber who comes back whenever the connection ends, to any node, and goes on behind the last cursor. */
export class Follower {
  /** The ids of the events that came, as they came. */
  readonly ids: string[] = []
  /** The codes of the errors that came. */
  readonly codes = new Set<unknown>()
  connections = 0
  private cursor: string
  private over = false
  private connection: Connection | null = null
  private readonly running: Promise<void>

  constructor(private readonly wish: Wish) {
    this.cursor = wish.after
    this.running = this.run()
  }

  /** Cuts the connection off where there is one. */
  cut(): void {
    this.connection?.cut()
  }

  async stop(): Promise<void> {
    this.over = true
    this.cut()
    await this.running
  }

  private async run(): Promise<void> {
    while (!this.over) {
      this.connection = this.connect()
      this.connections += 1
      try {
        for await (const result of this.connection.results) this.take(result)
      } catch {
        // It was cut off: by us, or because the node or its database is gone.
      }
      await pause(Math.random() * 100)
    }
  }

  private take({ data, errors = [] }: Result): void {
    for (const { extensions } of errors) this.codes.add(extensions?.code ?? null)
    if (!data) return
    this.ids.push(data.it.id)
    this.cursor = data.it.cursor
  }

  private connect(): Connection {
    const { nodes, user, field, transport } = this.wish
    const [name, ...rest] = field.split(' ')
    const query = `subscription ($after: String) { it: ${name}(after: $after ${rest.join(' ')}) { id cursor } }`
    const request = { query, variables: { after: this.cursor } }
    const url = `${nodes[Math.floor(Math.random() * nodes.length)]?.url}/graphql`
    if (transport === 'sse') {
      const client = createSseClient({ url, headers: as(user, 'operate'), retryAttempts: 0 })
      return { results: client.iterate(request) as AsyncIterable<Result>, cut: () => client.dispose() }
    }
    let socket: WebSocket | null = null
    let over = false
    const client = createWebSocketClient({
      url: url.replace(/^http/, 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: as(user, 'operate'),
      retryAttempts: 0,
      on: {
        opened(opened) {
          socket = opened as WebSocket
          if (over) socket.terminate()
        },
      },
    })
    const cut = () => {
      over = true
      // One that is not open yet has nobody who would hear its error: it ends as soon as it opens.
      socket?.terminate()
    }
    return { results: client.iterate(request) as AsyncIterable<Result>, cut }
  }
}
