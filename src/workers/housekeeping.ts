import { isRefusal } from '../engine/model.js'
import { partitionsWithEnded } from '../persistence/purge.js'
import { maxPurge, purgeInstances } from '../purge.js'
import type { Runtime } from '../runtime.js'

export interface Housekeeper {
  start(): void
  stop(): Promise<void>
  /** Removes what is older than the retention, partition by partition. Answers how many instances are gone. */
  runCycle(): Promise<number>
}

const day = 86_400_000

/**
 * Removes ended instances after their retention. Every node does; what another one removes is skipped.
 * @param options how many days an ended instance is kept (0: for ever); milliseconds between two cycles
 */
export function createHousekeeper(runtime: Runtime, options: { retentionDays: number; interval: number }): Housekeeper {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<unknown> | null = null
  let started = false
  let stopping = false

  async function runCycle(): Promise<number> {
    if (options.retentionDays === 0) return 0
    const endedBefore = (runtime.clock?.now() ?? Date.now()) - options.retentionDays * day
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
      if (options.retentionDays > 0) next(options.interval)
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
