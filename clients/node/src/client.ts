import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql'
import {
  type ExternalTasksArguments,
  fragments,
  type InboxCounts,
  type InstanceEvent,
  type InstanceEventsArguments,
  Operations,
  subscriptions,
  type TaskEvent,
  type TaskEventsArguments,
} from './generated.js'
import { ask, type Connection, type RequestOptions, type Token } from './http.js'
import { serverSentEvents } from './sse.js'
import { type Subscription, subscribe } from './subscribe.js'
import type { Transport } from './transport.js'
import { webSockets } from './webSocket.js'

export interface ClientOptions {
  /** The endpoint: `https://workflow.example.com/graphql`. */
  url: string
  /** The bearer token, or what gives a fresh one: it is asked for each request and connection. */
  token?: Token
  /** More headers for each request; over a WebSocket they are its connection parameters. */
  headers?: { [name: string]: string }
  /** The language of messages and names, such as `de`. A WebSocket speaks the one of its own request. */
  language?: string
  /** How subscriptions are read: by default over WebSockets where there are any, else as server-sent events. */
  transport?: 'websocket' | 'sse'
  /** The WebSocket class; by default the global one. */
  webSocket?: unknown
  /** The function that requests go through; by default the global one. */
  fetch?: typeof fetch
  /** Milliseconds that an operation may take; 30 seconds by default. */
  timeout?: number
}

export interface SubscriptionOptions {
  /** Ends the loop over the events. */
  signal?: AbortSignal
}

/** A client of one server: a method for each operation, and subscriptions that go on by themselves. */
export class CountersignClient extends Operations {
  private readonly connection: Connection
  private readonly transport: Transport

  constructor(options: ClientOptions) {
    super()
    const { url, token = null, headers = {}, language = null, timeout = 30_000 } = options
    this.connection = { url, token, headers, language, timeout, fetch: options.fetch ?? globalThis.fetch }
    this.transport = transportOf(options)
  }

  /**
   * Sends an operation of your own.
   * @throws CountersignError
   */
  async request<Data, Variables extends { [name: string]: unknown }>(
    document: TypedDocumentNode<Data, Variables> | string,
    variables?: Variables,
    options: RequestOptions = {},
  ): Promise<Data> {
    const query = typeof document === 'string' ? document : print(document)
    return (await ask(this.connection, { query, variables: variables ?? {} }, options)) as Data
  }

  /** What happens to the caller’s tasks from now on, or from behind the cursor `after`. */
  taskEvents(args: TaskEventsArguments = {}, options: SubscriptionOptions = {}): AsyncGenerator<TaskEvent, void> {
    return subscribe(this.resumable<TaskEvent>('taskEvents', args, options))
  }

  /** What happens to one instance, one definition or everything, from now on or from behind the cursor `after`. */
  instanceEvents(
    args: InstanceEventsArguments = {},
    options: SubscriptionOptions = {},
  ): AsyncGenerator<InstanceEvent, void> {
    return subscribe(this.resumable<InstanceEvent>('instanceEvents', args, options))
  }

  /** The counts of the caller’s inbox: now, whenever they change, and again after the connection was cut. */
  inboxCounts(options: SubscriptionOptions = {}): AsyncGenerator<InboxCounts, void> {
    return subscribe({ ...this.plain('inboxCounts', {}, options), position: null })
  }

  /** How many tasks of a topic can be fetched: now, whenever some come, and again after the connection was cut. */
  externalTasks(args: ExternalTasksArguments, options: SubscriptionOptions = {}): AsyncGenerator<number, void> {
    return subscribe({ ...this.plain('externalTasks', args, options), position: null })
  }

  protected override async run<Result>(
    field: string,
    operation: string,
    variables: object,
    options: RequestOptions = {},
  ): Promise<Result> {
    const request = { query: withFragments(operation), variables }
    const data = (await ask(this.connection, request, options)) as { [field: string]: unknown }
    return data[field] as Result
  }

  private plain(field: keyof typeof subscriptions, variables: object, { signal }: SubscriptionOptions) {
    const { connection, transport } = this
    return { connection, transport, field, variables, signal, query: withFragments(subscriptions[field]) }
  }

  /** Without a cursor the place is read first: else what happened during a first cut would be missed. */
  private resumable<Event extends { cursor: string }>(
    field: keyof typeof subscriptions,
    args: { after?: string | null | undefined },
    options: SubscriptionOptions,
  ): Subscription<Event> {
    const first = async () => args.after ?? (await this.eventCursor(options))
    return { ...this.plain(field, args, options), position: { first, of: ({ cursor }) => cursor } }
  }

  private async eventCursor(options: RequestOptions): Promise<string> {
    const answer = await this.request<{ viewer: { eventCursor: string } }, never>(
      '{ viewer { eventCursor } }',
      undefined,
      options,
    )
    return answer.viewer.eventCursor
  }
}

function transportOf({ transport, webSocket }: ClientOptions): Transport {
  const implementation = webSocket ?? (globalThis as { WebSocket?: unknown }).WebSocket
  if (transport === 'websocket' && !implementation)
    throw new TypeError('There is no WebSocket here: give one as `webSocket`, or take the transport "sse"')
  return implementation && transport !== 'sse' ? webSockets(implementation) : serverSentEvents
}

/** The operation with the selections that it names, and those that they name. */
function withFragments(operation: string): string {
  const texts = new Map<string, string>()
  const collect = (text: string) => {
    for (const [, name = ''] of text.matchAll(/\.\.\.(\w+)/g)) {
      if (texts.has(name)) continue
      const fragment = fragments[name] ?? ''
      texts.set(name, fragment)
      collect(fragment)
    }
  }
  collect(operation)
  return [operation, ...texts.values()].join('\n')
}
