import { Aborter } from './abort.js'
import { unreachable } from './errors.js'
import { answerOf, dataOf, type GraphQLAnswer, lost, send } from './http.js'
import { silence, type Transport } from './transport.js'

/** Subscriptions as server-sent events, by `fetch`. */
export const serverSentEvents: Transport = async function* (connection, request, { signal, accepted }) {
  const cut = new Aborter(signal)
  try {
    const response = await send(connection, request, 'text/event-stream', cut.signal)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      dataOf(await answerOf(response, cut.signal), response.status)
      return
    }
    accepted()
    for await (const block of blocksOf(response, cut)) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n')
      if (data) yield JSON.parse(data) as GraphQLAnswer
    }
  } finally {
    cut.abort()
    cut.free()
  }
}

async function* blocksOf(response: Response, cut: Aborter): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const watch = setTimeout(() => cut.abort(unreachable('nothing was heard of the server')), silence)
    const chunk = await reader
      .read()
      .catch((error: unknown) => {
        throw lost(error, cut.signal)
      })
      .finally(() => clearTimeout(watch))
    if (chunk.done) return
    text += decoder.decode(chunk.value, { stream: true }).replaceAll('\r', '')
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    yield* blocks
  }
}
