import { isRefusal } from '../engine/model.js'
import { clearEvents } from '../persistence/events.js'
import { clearKeys } from '../persistence/instances.js'
import { partitionsWithEnded } from '../persistence/purge.js'
import { databaseTime } from '../persistence/time.js'
import { clearDeliveries } from '../persistence/webhookDeliveries.js'
import { maxPurge, purgeInstances } from '../purge.js'
import type { Runtime } from '../runtime.js'

export interface Housekeeper {
  start(): void
  stop(): Promise<void>
  /** Removes what is older than its retention. Answers how much is gone. */
  runCycle(): Promise<{ instances: number; events: number; keys: number; deliveries: number }>
}

const day = 86_400_000
/** Rows removed by one statement: few enough that it is soon over. */
const batch = 1000

/**
 * Removes ended instances, events, idempotency keys and what webhooks were sent after their retention. Every node does; what another one removes
 * is skipped.
 * @param options how many days an ended instance is kept (0: for ever), and an event or key; milliseconds between cycles
 */
export function createHousekeeper(
  runtime: Runtime,
  options: { retentionDays: number; eventRetentionDays: number; interval: number },
): Housekeeper {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<unknown> | null = null
  let started = false
  let stopping = false

  async function runCycle() {
    const { prisma } = runtime.database
    // The database's clock: a node whose clock is wrong must not remove anything early.
    const now = runtime.clock?.now() ?? (await databaseTime(prisma))
    const told = now - options.eventRetentionDays * day
    return {
      instances: options.retentionDays === 0 ? 0 : await purgeAll(now - options.retentionDays * day),
      events: await inBatches((limit) => clearEvents(prisma, told, limit)),
      keys: await inBatches((limit) => clearKeys(prisma, told, limit)),
      deliveries: await inBatches((limit) => clearDeliveries(prisma, told, limit)),
    }
  }

  async function inBatches(clear: (limit: number) => Promise<number>): Promise<number> {
    let gone = 0
    while (!stopping) {
      const count = await clear(batch)
      gone += count
      if (count < batch) break
    }
    return gone
  }

  async function purgeAll(endedBefore: number): Promise<number> {
    let gone = 0
    for (const tenantId of await partitionsWithEnded(runtime.database.prisma, endedBefore))
      gone += await purgePartition(tenantId, endedBefore)
    return gone
  }

  /** In batches, each in a transaction of its own, so that a long backlog holds nobody up. */
  async function purgePartition(tenantId: string, endedBefore: number): Promise<number> {
    const request = { endedBefore, statuses: null, definitionName: null, limit: maxPurge }
    let gone = 0
    while (!stopping) {
      const count = await purgeInstances(runtime, tenantId, request)
      if (isRefusal(count) || count === 0) break
      gone += count
    }
    return gone
  }

  function next(delay: number): void {
    if (!started) return
    timer = setTimeout(() => {
      running = runCycle()
        .catch((error: unknown) => runtime.log.error({ err: error }, 'housekeeping failed and is tried again'))
        .finally(() => {
          running = null
          next(options.interval)
        })
    }, delay)
  }

  return {
    start() {
      started = true
      stopping = false
      next(options.interval)
    },
    async stop() {
      started = false
      stopping = true
      if (timer) clearTimeout(timer)
      await running
    },
    runCycle,
  }
}
