/** What a page needs to know of a task event. */
export interface TaskEvent {
  type: string
  cursor: string
  taskId: string
}

interface Answer<Data> {
  data?: Data
  errors?: { message: string; extensions?: { code?: string; messageKey?: string } }[]
}

/** What the server will not do, however often it is asked. */
export class Refused extends Error {}

type Headers = Record<string, string>

/** Sends an operation; an error of the answer is thrown with its sentence in the caller's language. */
export async function ask<Data>(url: string, headers: Headers, query: string, variables: object = {}): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  })
  return dataOf((await response.json()) as Answer<Data>)
}

/** One connection's worth of events behind a cursor, as server-sent events; it throws when the connection is cut. */
export async function* taskEvents(
  url: string,
  headers: Headers,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<TaskEvent> {
  const query = 'subscription ($after: String) { taskEvents(after: $after) { type cursor taskId } }'
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables: { after } }),
    signal,
  })
  if (response.status >= 400 && response.status < 500) throw new Refused(`The server answered ${response.status}`)
  if (!response.ok || !response.body) throw new Error(`The server answered ${response.status}`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const line = block.split('\n').find((each) => each.startsWith('data: {'))
      if (line) yield dataOf(JSON.parse(line.slice(6)) as Answer<{ taskEvents: TaskEvent }>).taskEvents
    }
  }
}

/**
 * The events behind a cursor for as long as the page is open: when a connection is cut, from behind the last event.
 * @throws Refused where the server does not want to, such as for a cursor that is too old
 */
export async function* followTasks(
  url: string,
  headers: Headers,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<TaskEvent> {
  let cursor = after
  let pause = 500
  while (!signal.aborted) {
    try {
      for await (const event of taskEvents(url, headers, cursor, signal)) {
        pause = 500
        cursor = event.cursor
        yield event
      }
    } catch (error) {
      if (error instanceof Refused) throw error
    }
    if (signal.aborted) return
    // At random, so that the pages that a restart has cut off do not all come back at once.
    const wait = pause * (0.5 + Math.random() / 2)
    await new Promise((resolve) => setTimeout(resolve, wait))
    pause = Math.min(2 * pause, 15_000)
  }
}

function dataOf<Data>({ data, errors }: Answer<Data>): Data {
  const [error] = errors ?? []
  if (error) throw new Refused(error.message)
  if (!data) throw new Error('The answer holds no data')
  return data
}
