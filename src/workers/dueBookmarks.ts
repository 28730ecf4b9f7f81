import { isRefusal } from '../engine/model.js'
import { handleInternal } from '../handle.js'
import { findDue, postpone } from '../persistence/due.js'
import type { Runtime } from '../runtime.js'
import { takeChildNotices } from './childNotices.js'

export interface DueWorker {
  start(): void
  stop(): Promise<void>
  /** Does all work that is due now, each item in a transaction of its own. Answers how many items it took. */
  runCycle(): Promise<number>
  wake(): void
}

/**
 * Takes due bookmarks (timeouts, retries, reminders) and what children and parents have left, on this node. Every node
 * does: there is no leader, what another node holds is skipped, and an item that fails neither stops nor starves the
 * others.
 * @param options poll interval in milliseconds; how many items one query takes
 */
export function createDueWorker(runtime: Runtime, options: { pollInterval: number; batchSize: number }): DueWorker {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<unknown> | null = null
  let started = false
  let again = false

  async function runCycle(): Promise<number> {
    let taken = await takeBookmarks()
    // Last, so that the parent of a child that has just ended goes on in the same cycle.
    for (let count = 1; count > 0; taken += count) count = await takeChildNotices(runtime, options.batchSize)
    return taken
  }

  async function takeBookmarks(): Promise<number> {
    let taken = 0
    for (;;) {
      const now = runtime.clock?.now() ?? null
      const batch = await findDue(runtime.database.prisma, now, options.batchSize)
      for (const item of batch) await takeItem(runtime, item, now)
      taken += batch.length
      if (batch.length < options.batchSize) return taken
    }
  }

  function next(delay: number): void {
    if (!started) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => {
      again = false
      running = runCycle()
        .catch((error: unknown) => runtime.log.error({ err: error }, 'due work failed and is tried again'))
        .finally(() => {
          running = null
          // What woke it while it ran may have come too late for this cycle.
          next(again ? 0 : options.pollInterval)
        })
    }, delay)
  }

  return {
    start() {
      started = true
      next(0)
    },
    async stop() {
      started = false
      if (timer) clearTimeout(timer)
      await running
    },
    runCycle,
    wake() {
      again = true
      if (running === null) next(0)
    },
  }
}

async function takeItem(runtime: Runtime, item: { tenantId: string; id: string }, now: number | null): Promise<void> {
  try {
    const outcome = await handleInternal(runtime, item.tenantId, { type: 'dueBookmark', bookmarkId: item.id })
    if (!isRefusal(outcome)) return
    // Not resumable now: it leaves the front of the queue, so that it never starves what is.
    await postpone(runtime.database.prisma, item, now, runtime.options.notResumableBackoff)
  } catch (error) {
    runtime.log.error({ err: error, tenant: item.tenantId, bookmark: item.id }, 'a due item failed and is put off')
    await postpone(runtime.database.prisma, item, now, runtime.options.notResumableBackoff).catch(() => {})
  }
}
