import { isRefusal } from '../engine/model.js'
import { placeOf } from '../eventLog.js'
import type { Database } from '../persistence/database.js'
import {
  areEventsWaiting,
  comparePositions,
  type EventRow,
  encodeCursor,
  type Position,
  readEvents,
  readLogEnds,
  readScope,
  wasSeen,
} from '../persistence/events.js'
import type { Log } from '../runtime.js'
import { concerns, RecentEvents, type Subscriber, SubscriberIndex, scopeOf } from './subscriber.js'

export interface SubscribeOptions {
  tenantId: string
  /** `user:<id>`, `group:<id>`, `instance:<id>`, `definition:<name>` or `tenant`. */
  keys: string[]
  /** Asked again for each event: what the subscriber may not see is passed over. */
  accept?: (event: EventRow) => boolean
  types?: string[]
  /** The last cursor seen; null: from now on. */
  after: string | null
  signal: AbortSignal
}

/** The event log as this node's subscribers read it: one reader, and each subscriber only a place in the log. */
export interface EventFeed {
  start(): Promise<void>
  stop(): Promise<void>
  /** Something was committed: read now instead of at the next poll. */
  wake(): void
  /** The cursor for what happens from now on. */
  position(): Promise<string>
  /**
   * The events of the keys behind `after`, once, in order, then live ones.
   * @throws Refusal WORKFLOW_VALIDATION_002 for a cursor that is none of ours, or from before what was cleared
   */
  subscribe(options: SubscribeOptions): Promise<AsyncGenerator<EventRow & { cursor: string }>>
  /**
   * Yields whenever something of the keys has happened, for those who then look for themselves: several events that
   * come together are one, and once a minute it yields without any, because times pass too.
   */
  watch(wish: Pick<SubscribeOptions, 'tenantId' | 'keys' | 'signal'>): AsyncGenerator<void>
  /** How many subscribers there are. */
  listeners(): number
  /** How long ago the log was last read to its end, in milliseconds. */
  lag(): number
}

const batch = 200
/** How long a watcher rests after each look, and how long he goes without one, in milliseconds. */
const rest = 200
const longestRest = 60_000

/**
 * Creates the feed of a node. It reads the log in (transaction, sequence) order and never past the oldest running
 * transaction; notifications and `wake` only make it look sooner, the poll is the net under them. Subscribers pull:
 * from the recent events in memory, or from the database when they are further behind, so that a slow one costs nothing.
 */
export function createEventFeed(options: {
  database: Database
  /** Milliseconds. */
  pollInterval: number
  /** How many recent events are kept in memory. */
  bufferSize: number
  log: Log
}): EventFeed {
  const { database, pollInterval, log } = options
  const subscribers = new SubscriberIndex()
  let recent = new RecentEvents({ txid: 0n, seq: 0n }, options.bufferSize)
  let unlisten: () => Promise<void> = async () => {}
  let timer: NodeJS.Timeout | null = null
  let reading: Promise<void> | null = null
  let again = false
  let started = false
  let readAt = performance.now()

  async function read(): Promise<void> {
    for (;;) {
      const events = await readEvents(database.prisma, recent.end, batch)
      recent.append(events)
      for (const event of events) subscribers.wake(event)
      if (events.length === batch) continue
      if (!again) return
      again = false
    }
  }

  function look(delay: number, patience = 10): void {
    if (!started) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => {
      reading = read()
        .then(() => areEventsWaiting(database.prisma))
        .then((waiting) => {
          if (!waiting) readAt = performance.now()
          return waiting
        })
        .catch((error: unknown) => {
          log.warn({ err: error }, 'the event log could not be read and is tried again')
          return false
        })
        .then((waiting) => {
          reading = null
          // Committed events that an older transaction holds back: look soon, then less often.
          if (waiting) look(Math.min(patience, pollInterval), patience * 2)
          else look(again ? 0 : pollInterval)
        })
    }, delay)
  }

  async function* follow(
    subscriber: Subscriber,
    bell: Bell,
    { accept, types, signal }: SubscribeOptions,
  ): AsyncGenerator<EventRow & { cursor: string }> {
    const wanted = types ? new Set(types) : null
    const begin = subscriber.cursor
    try {
      while (!signal.aborted) {
        const events = await pull(subscriber)
        for (const event of events) {
          subscriber.cursor = { txid: event.txid, seq: event.seq }
          if (wasSeen(begin, event) || (wanted && !wanted.has(event.type)) || accept?.(event) === false) continue
          yield { ...event, cursor: encodeCursor(event) }
          if (signal.aborted) return
        }
        if (events.length < batch && comparePositions(subscriber.cursor, recent.end) >= 0) await bell.heard()
      }
    } finally {
      subscribers.remove(subscriber)
    }
  }

  /** The next events of the subscriber, at most one batch; moves it on where nothing concerns it. */
  async function pull(subscriber: Subscriber): Promise<EventRow[]> {
    const end = recent.end
    if (comparePositions(subscriber.cursor, recent.floor) >= 0) {
      const found: EventRow[] = []
      const { events, from } = recent.after(subscriber.cursor)
      for (let index = from; index < events.length && found.length < batch; index += 1) {
        const event = events[index]
        if (event && concerns(subscriber, event)) found.push(event)
      }
      if (found.length === 0) subscriber.cursor = later(subscriber.cursor, end)
      return found
    }
    const found = await readScope(database.prisma, scopeOf(subscriber), subscriber.cursor, batch)
    // What the reader had read before this query was visible to it too.
    if (found.length === 0) subscriber.cursor = later(subscriber.cursor, end)
    return found
  }

  return {
    async start() {
      recent = new RecentEvents((await readLogEnds(database.prisma)).now, options.bufferSize)
      started = true
      unlisten = await database.listen(() => this.wake())
      look(0)
    },
    async stop() {
      started = false
      if (timer) clearTimeout(timer)
      await unlisten()
      await reading
    },
    wake() {
      if (reading) again = true
      else look(0)
    },
    position: async () => encodeCursor((await readLogEnds(database.prisma)).now),
    async subscribe(wish) {
      const ends = await readLogEnds(database.prisma)
      const cursor = wish.after === null ? ends.now : placeOf(wish.after, ends)
      if (isRefusal(cursor)) throw cursor
      const bell = createBell(wish.signal)
      const subscriber: Subscriber = { tenantId: wish.tenantId, keys: new Set(wish.keys), cursor, wake: bell.ring }
      if (!wish.signal.aborted) {
        subscribers.add(subscriber)
        wish.signal.addEventListener('abort', () => subscribers.remove(subscriber), { once: true })
      }
      return follow(subscriber, bell, wish)
    },
    watch({ tenantId, keys, signal }) {
      // From here on, not from the first look: what happens in between must be looked at again.
      const bell = createBell(signal)
      const subscriber: Subscriber = { tenantId, keys: new Set(keys), cursor: recent.end, wake: bell.ring }
      if (!signal.aborted) {
        subscribers.add(subscriber)
        signal.addEventListener('abort', () => subscribers.remove(subscriber), { once: true })
      }
      return listenTo(bell, signal, () => subscribers.remove(subscriber))
    },
    listeners: () => subscribers.size,
    lag: () => performance.now() - readAt,
  }
}

function later(a: Position, b: Position): Position {
  return comparePositions(a, b) >= 0 ? a : { txid: b.txid, seq: b.seq }
}

interface Bell {
  ring: () => void
  /** Resolves once it has rung since the last time, or at the abort; at the latest after so many milliseconds. */
  heard: (latest?: number) => Promise<void>
}

function createBell(signal: AbortSignal): Bell {
  let rung = false
  let tell: () => void = () => {}
  return {
    ring() {
      rung = true
      tell()
    },
    async heard(latest) {
      if (!rung && !signal.aborted) await wait(signal, latest, (done) => (tell = done))
      rung = false
    },
  }
}

async function* listenTo(bell: Bell, signal: AbortSignal, leave: () => void): AsyncGenerator<void> {
  try {
    while (!signal.aborted) {
      await bell.heard(longestRest)
      if (signal.aborted) return
      yield
      await wait(signal, rest)
    }
  } finally {
    leave()
  }
}

/** Waits for so many milliseconds, for the abort or for whoever is given the way to end it. */
function wait(signal: AbortSignal, milliseconds?: number, give: (done: () => void) => void = () => {}): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = milliseconds === undefined ? undefined : setTimeout(done, milliseconds)
    signal.addEventListener('abort', done, { once: true })
    give(done)
  })
}
