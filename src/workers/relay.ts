import { randomUUID } from 'node:crypto'
import { SpanKind } from '@opentelemetry/api'
import { type Broker, cloudEventOf } from '../cloudEvent.js'
import { readEvents } from '../persistence/events.js'
import { leaseRelay, moveRelay, releaseRelay } from '../persistence/relayPosition.js'
import type { Runtime } from '../runtime.js'
import { inSpan } from '../tracing.js'

export interface Relay {
  start(): void
  stop(): Promise<void>
  /** Something was committed: look now instead of at the next poll. */
  wake(): void
  /** Carries what there is, if this node holds the lease. Answers how many events it carried. */
  runCycle(): Promise<number>
}

const batch = 200
const lease = 30_000
const longestRest = 60_000

/**
 * Carries the event log to a broker: every event at least once and in order, from a stored position. One node at a time
 * does it under a lease; when it dies another one goes on, and the broker drops by their ids what comes again.
 */
export function createRelay(
  runtime: Runtime,
  options: { name: string; pollInterval: number; connect: () => Promise<Broker> },
): Relay {
  const { name, pollInterval } = options
  const me = { name, node: randomUUID() }
  let broker: Broker | null = null
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let started = false
  let again = false

  async function runCycle(): Promise<number> {
    const { prisma } = runtime.database
    let carried = 0
    for (;;) {
      const position = await leaseRelay(prisma, { ...me, milliseconds: lease })
      if (!position) return carried
      const events = await readEvents(prisma, position, batch)
      const last = events.at(-1)
      if (!last) return carried
      const attributes = { 'messaging.batch.message_count': events.length }
      await inSpan(`relay ${name}`, { root: true, kind: SpanKind.PRODUCER, attributes }, async () => {
        broker ??= await options.connect()
        await broker.publish(events.map(cloudEventOf))
      })
      if (!(await moveRelay(prisma, me, last))) return carried
      carried += events.length
      if (events.length < batch) return carried
    }
  }

  function schedule(delay: number, failures = 0): void {
    if (!started) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => {
      timer = null
      again = false
      running = runCycle().then(
        () => {
          running = null
          schedule(again ? 0 : pollInterval)
        },
        (error: unknown) => {
          runtime.log.warn({ err: error, relay: name }, 'events could not be handed to the broker; they are kept')
          running = null
          schedule(Math.min(pollInterval * 2 ** failures, longestRest), failures + 1)
        },
      )
    }, delay)
  }

  return {
    start() {
      started = true
      schedule(0)
    },
    async stop() {
      started = false
      if (timer) clearTimeout(timer)
      await running
      await broker?.close()
      await releaseRelay(runtime.database.prisma, me)
    },
    wake() {
      again = true
      // While it backs off, every commit would shorten the rest: the timer is left alone then.
      if (running === null && timer === null) schedule(0)
    },
    runCycle,
  }
}
