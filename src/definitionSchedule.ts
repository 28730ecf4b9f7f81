import { uuidv7 } from 'uuidv7'
import { readDefinition } from './engine/definition/read.js'
import { isRefusal, type WorkflowNode } from './engine/model.js'
import { nextTime } from './engine/schedule.js'
import { handleScheduled } from './handle.js'
import { findDefinition, lockDefinitionName, newestPublishedOf } from './persistence/definitions.js'
import {
  findDefinitionTimer,
  insertDefinitionTimer,
  lockDueTimer,
  moveDefinitionTimer,
} from './persistence/definitionTimers.js'
import { databaseTime } from './persistence/time.js'
import { inTransaction, type Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

/**
 * Puts the schedule of a definition name right after a version of it was published or taken out of use: there is one,
 * that of the newest published version, if it has one. A schedule that stays is not touched: its overdue start is not lost.
 */
export async function placeSchedule(runtime: Runtime, tx: Transaction, tenantId: string, name: string): Promise<void> {
  await lockDefinitionName(tx, tenantId, name)
  const newest = await newestPublishedOf(tx, tenantId, name)
  const placed = await findDefinitionTimer(tx, tenantId, name)
  if (placed?.definitionId === newest?.id) return
  if (placed) await moveDefinitionTimer(tx, tenantId, placed.id, null)
  const row = newest ? await findDefinition(tx, tenantId, newest.id) : null
  const read = row ? readDefinition(row.document) : null
  const start = read?.ok ? read.content.nodes.find((node) => node.activityType === 'Start') : undefined
  if (!row || !start) return
  const now = runtime.clock?.now() ?? (await databaseTime(tx))
  const dueAt = nextStart(start, now)
  if (dueAt === null) return
  const timer = { id: uuidv7(), definitionId: row.id, name, nodeId: start.id, dueAt, now }
  await insertDefinitionTimer(tx, tenantId, timer)
}

/** When the schedule of a start node fires next; null where it has none. */
function nextStart({ properties }: WorkflowNode, after: number): number | null {
  const { Cron: cron = null, TimeZone: zone = null } = properties
  if (typeof cron !== 'string' || cron === '') return null
  const next = nextTime(cron, typeof zone === 'string' && zone !== '' ? zone : 'UTC', after)
  return next.ok ? next.time : null
}

/**
 * Starts the instance of a schedule that is due and moves the schedule to its next time, both or neither. However long
 * it was due, it starts one.
 */
export function startScheduled(runtime: Runtime, tenantId: string, bookmarkId: string): Promise<void> {
  return inTransaction(runtime.database, async (tx) => {
    const timer = await lockDueTimer(tx, tenantId, bookmarkId, runtime.clock?.now() ?? null)
    if (!timer) return
    const { definitionId, now } = timer
    const command = {
      type: 'start',
      instanceId: uuidv7(),
      variables: {},
      starterId: null,
      correlationId: null,
      displayName: null,
    } as const
    const outcome = await handleScheduled(runtime, tenantId, command, { definition: { definitionId }, tx })
    if (isRefusal(outcome))
      runtime.log.warn(
        { tenant: tenantId, definition: definitionId, key: outcome.messageKey },
        'a schedule cannot start',
      )
    const { startNode } = await runtime.definitions.get(tx, tenantId, definitionId)
    await moveDefinitionTimer(tx, tenantId, bookmarkId, nextStart(startNode, now))
  })
}
