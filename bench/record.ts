import pg from 'pg'

/** One statement as it was sent. */
export interface Sent {
  text: string
  values: unknown[]
}

/** Records what the driver of this process sends. To be called before connections are opened: they keep what they find. */
export function recordStatements(): { during: <T>(run: () => Promise<T>) => Promise<{ answer: T; sent: Sent[] }> } {
  let heard: ((connection: object, sent: Sent) => void) | null = null
  listen((connection, sent) => heard?.(connection, sent))
  return {
    async during(run) {
      const sent: Sent[] = []
      heard = (_connection, statement) => sent.push(statement)
      const answer = await run()
      heard = null
      return { answer, sent }
    },
  }
}

/** Hears every statement with the connection that it goes over. */
export function listen(hear: (connection: object, sent: Sent) => void): void {
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const send = prototype.query
  prototype.query = function (this: object, ...args: unknown[]) {
    const [first, second] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined]
    const { text, values } = typeof first === 'string' ? { text: first, values: second } : first
    hear(this, { text, values: Array.isArray(values) ? values : [] })
    return send.apply(this, args)
  }
}
