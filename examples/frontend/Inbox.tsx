import { createClient as createSocketClient } from 'graphql-ws'
import { useState } from 'react'
import {
  Client,
  cacheExchange,
  fetchExchange,
  gql,
  Provider,
  subscriptionExchange,
  useMutation,
  useQuery,
  useSubscription,
} from 'urql'

interface Task {
  id: string
  title: string
  dueAt: string | null
  allowedOutcomes: string[]
  instance: { title: string; starter: { name: string } | null }
}

const inboxQuery = gql<{ tasks: { nodes: Task[]; totalCount: number; eventCursor: string } }, { first: number }>`
  query Inbox($first: Int!) {
    tasks(first: $first) {
      nodes { id title dueAt allowedOutcomes instance { id title starter { id name } } }
      totalCount
      eventCursor
    }
  }
`

const eventsQuery = gql<{ taskEvents: { id: string; cursor: string } }, { after: string }>`
  subscription InboxEvents($after: String) {
    taskEvents(after: $after) { id cursor type taskId }
  }
`

const completeMutation = gql<unknown, { input: { taskId: string; outcome: string; comment: string } }>`
  mutation Complete($input: CompleteTaskInput!) {
    completeTask(input: $input) { task { id } instance { id status } }
  }
`

/** A client whose subscriptions go over one WebSocket, which connects again by itself. */
export function createInboxClient(url: string, token: () => Promise<string>): Client {
  const socket = createSocketClient({
    url: url.replace(/^http/, 'ws'),
    connectionParams: async () => ({ authorization: `Bearer ${await token()}` }),
    retryAttempts: Number.POSITIVE_INFINITY,
    // The server says when a token has expired (4403): the next connection asks for a fresh one.
    shouldRetry: () => true,
  })
  return new Client({
    url,
    preferGetMethod: false,
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe(sink) {
            const results = { ...sink, next: (result: object) => sink.next({ data: null, ...result }) }
            return { unsubscribe: socket.subscribe({ query, variables: variables ?? {} }, results) }
          },
        }),
      }),
    ],
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${await token()}`)
      return fetch(input, { ...init, headers })
    },
  })
}

/** The inbox of whoever the client speaks for, always as it stands. */
export function Inbox({ client }: { client: Client }) {
  return (
    <Provider value={client}>
      <TaskList />
    </Provider>
  )
}

function TaskList() {
  const [{ data, error }, read] = useQuery({ query: inboxQuery, variables: { first: 20 } })
  const after = data?.tasks.eventCursor ?? ''
  // Behind the cursor of what is shown there is no gap. Each reading moves it, and the subscription with it.
  useSubscription({ query: eventsQuery, variables: { after }, pause: !data }, (_before, event) => {
    read({ requestPolicy: 'network-only' })
    return event
  })
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <p>…</p>
  return (
    <ul aria-label={`${data.tasks.totalCount}`}>
      {data.tasks.nodes.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
    </ul>
  )
}

function TaskRow({ task }: { task: Task }) {
  const [comment, setComment] = useState('')
  const [{ fetching, error }, complete] = useMutation(completeMutation)
  return (
    <li>
      <strong>{task.title}</strong> {task.instance.title} {task.instance.starter?.name}
      {task.dueAt && <time dateTime={task.dueAt}>{new Date(task.dueAt).toLocaleString()}</time>}
      <input aria-label={task.title} value={comment} onChange={({ target }) => setComment(target.value)} />
      {task.allowedOutcomes.map((outcome) => (
        <button
          key={outcome}
          type="button"
          disabled={fetching}
          onClick={() => complete({ input: { taskId: task.id, outcome, comment } })}
        >
          {outcome}
        </button>
      ))}
      {error && <p role="alert">{error.message}</p>}
    </li>
  )
}
