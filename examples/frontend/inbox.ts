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

function dataOf<Data>({ data, errors }: Answer<Data>): Data {
  const [error] = errors ?? []
  if (error) throw new Error(error.message)
  if (!data) throw new Error('The answer holds no data')
  return data
}
