import { startScheduled } from '../definitionSchedule.js'
import { isRefusal } from '../engine/model.js'
import { handleInternal } from '../handle.js'
import { offerHeldSignals } from '../heldSignals.js'
import { type DueItem, findDue, postpone, postponeNotRunning, timeToNext } from '../persistence/due.js'
import type { Runtime } from '../runtime.js'
import { causedBy, inSpan } from '../tracing.js'
import { takeChildNotices } from './childNotices.js'

export interface DueWorker {
  start(): void
  /** Takes no new item from now on; resolves when those in hand are done. */
  stop(): Promise<void>
  /** Does all work that is due now, each item in a transaction of its own. Answers how many items it took. */
  runCycle(): Promise<number>
  wake(): void
}

/** Longer waits than this overflow the timer, which would fire at once. */
const longestTimer = 2_147_483_647
/** The least time between two cycles that commits ask for: under load they ask all the time. */
const rest = 100
/** Items in hand at the same time; more would take the connections from the callers. */
const lanes = 4

/**
 * Takes due bookmarks (timers, timeouts, retries, reminders, schedules), held signals, and what children and parents have
 * left for each other, on this node. Every node does: there is no leader, what another node holds is skipped, and an item
 * that fails neither stops nor starves the others.
 * @param options poll interval in milliseconds; how many items one query takes
 */
export function createDueWorker(runtime: Runtime, options: { pollInterval: number; batchSize: number }): DueWorker {
  let timer: NodeJS.Timeout | null = null
  /** When the timer fires, and when the last cycle began. */
  let timerAt = 0
  let begun = 0
  let running: Promise<void> | null = null
  let started = false
  let draining = false
  let again = false

  async function runCycle(): Promise<number> {
    const { prisma } = runtime.database
    const { batchSize } = options
    const now = runtime.clock?.now() ?? null
    const { notResumableBackoff } = runtime.options
    while (!draining && (await postponeNotRunning(prisma, now, notResumableBackoff, batchSize)) === batchSize);
    const tried = new Set<string>()
    while (!draining) {
      const batch = await findDue(prisma, now, batchSize)
      // What has been tried and is still there could not even be put off: it must not keep the cycle going for ever.
      const fresh = batch.filter(({ tenantId, id }) => !tried.has(`${tenantId}/${id}`))
      for (const { tenantId, id } of fresh) tried.add(`${tenantId}/${id}`)
      await takeAll(fresh, now)
      if (batch.length < batchSize || fresh.length === 0) break
    }
    if (!draining) await offerHeldSignals(runtime, batchSize)
    let notices = 0
    // Last, so that the parent of a child that has just ended goes on in the same cycle.
    for (let count = 1; count > 0 && !draining; notices += count) count = await takeChildNotices(runtime, batchSize)
    return tried.size + notices
  }

  async function takeAll(items: readonly DueItem[], now: number | null): Promise<void> {
    const open = byInstance(items)
    const lane = async () => {
      for (let group = open.shift(); group; group = open.shift())
        for (const item of group) if (!draining) await traceItem(runtime, item, now)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  async function cycle(): Promise<number> {
    try {
      await runCycle()
      const wait = await timeToNext(runtime.database.prisma, runtime.clock?.now() ?? null)
      return Math.min(wait === null ? options.pollInterval : Math.ceil(wait), options.pollInterval)
    } catch (error) {
      runtime.log.error({ err: error }, 'due work failed and is tried again')
      return options.pollInterval
    }
  }

  /** Begins a cycle after so many milliseconds, unless one is going to begin before. */
  function schedule(delay: number): void {
    const at = Date.now() + Math.min(delay, longestTimer)
    if (!started || (timer && timerAt <= at)) return
    if (timer) clearTimeout(timer)
    timerAt = at
    timer = setTimeout(begin, at - Date.now())
  }

  function begin(): void {
    timer = null
    again = false
    begun = Date.now()
    running = cycle().then((wait) => {
      running = null
      schedule(again ? Math.min(rest, wait) : wait)
    })
  }

  return {
    start() {
      started = true
      draining = false
      schedule(0)
    },
    async stop() {
      started = false
      draining = true
      if (timer) clearTimeout(timer)
      timer = null
      await running
    },
    runCycle,
    wake() {
      if (running === null) schedule(Math.max(0, begun + rest - Date.now()))
      else again = true
    },
  }
}

/** What is due in one instance is taken one after the other, the oldest first: a reminder before the timeout. */
function byInstance(items: readonly DueItem[]): DueItem[][] {
  const groups = new Map<string, DueItem[]>()
  for (const item of items) {
    const key = `${item.tenantId}/${item.instanceId ?? item.id}`
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()]
}

/** Due work is a trace of its own, linked to the command that left it. */
function traceItem(runtime: Runtime, item: DueItem, now: number | null): Promise<void> {
  const attributes = { 'countersign.tenant': item.tenantId, 'countersign.instance': item.instanceId ?? '' }
  return inSpan(`due ${item.kind}`, { ...causedBy(item.traceparent), attributes }, () => takeItem(runtime, item, now))
}

async function takeItem(runtime: Runtime, item: DueItem, now: number | null): Promise<void> {
  const { prisma } = runtime.database
  const { notResumableBackoff } = runtime.options
  try {
    if (item.kind === 'DEFINITION_TIMER') return await startScheduled(runtime, item.tenantId, item.id)
    const outcome = await handleInternal(runtime, item.tenantId, { type: 'dueBookmark', bookmarkId: item.id })
    // Not resumable now: it leaves the front of the queue, so that it never starves what is.
    if (isRefusal(outcome)) await postpone(prisma, item, now, notResumableBackoff)
  } catch (error) {
    runtime.log.error({ err: error, tenant: item.tenantId, bookmark: item.id }, 'a due item failed and is put off')
    await postpone(prisma, item, now, notResumableBackoff).catch((cause: unknown) =>
      runtime.log.error({ err: cause, bookmark: item.id }, 'a due item could not be put off'),
    )
  }
}
