import { backOff, sleep } from './backOff.js'
import { CountersignError } from './errors.js'
import { type Connection, dataOf } from './http.js'
import type { Transport } from './transport.js'

/** A subscription, and how it goes on after its connection was cut. */
export interface Subscription<Event> {
  connection: Connection
  transport: Transport
  query: string
  /** The root field. */
  field: string
  variables: object
  signal: AbortSignal | undefined
  /** Where to go on; null for what has no place and begins with what is the case now. */
  position: {
    /** The cursor before the first event. */
    first: () => Promise<string>
    of: (event: Event) => string
  } | null
}

/** How long a connection holds that works, in milliseconds. */
const steady = 10_000
/** How long credentials last at least that are taken, in milliseconds. */
const settled = 1000
/** How often fresh credentials may be refused in a row. */
const maxRefusals = 3

/**
 * The events of a subscription across any number of connections: each once and in order. It ends with the signal.
 * @throws CountersignError what the server refuses: a cursor that is too old, what one may not see
 */
export async function* subscribe<Event>(subscription: Subscription<Event>): AsyncGenerator<Event, void, undefined> {
  const signal = subscription.signal ?? new AbortController().signal
  const { connection, position } = subscription
  let after: string | null = null
  let failures = 0
  let refusals = 0
  let acceptedAt = Number.POSITIVE_INFINITY
  const accepted = () => {
    acceptedAt = performance.now()
  }
  while (!signal.aborted) {
    try {
      after ??= position ? await position.first() : null
      for await (const event of connect(subscription, after, signal, accepted)) {
        failures = 0
        after = position ? position.of(event) : null
        yield event
      }
    } catch (error) {
      if (signal.aborted) return
      const refused = error instanceof CountersignError && error.credentialsRefused
      // Refused after a while, they were good and have expired.
      if (refused) refusals = performance.now() - acceptedAt > settled ? 1 : refusals + 1
      const renewable = refused && typeof connection.token === 'function' && refusals < maxRefusals
      if (!renewable && !isTransient(error)) throw error
    }
    // A connection that has held for a while owes its end to something new.
    if (performance.now() - acceptedAt > steady) failures = 0
    acceptedAt = Number.POSITIVE_INFINITY
    await sleep(backOff(failures++), signal)
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof CountersignError && error.transient
}

async function* connect<Event>(
  { connection, transport, query, field, variables, position }: Subscription<Event>,
  after: string | null,
  signal: AbortSignal,
  accepted: () => void,
): AsyncGenerator<Event> {
  const request = { query, variables: position ? { ...variables, after } : variables }
  for await (const answer of transport(connection, request, { signal, accepted })) {
    const data = dataOf(answer, null) as { [field: string]: Event } | null | undefined
    if (data) yield data[field] as Event
  }
}
