import { isRefusal } from './engine/model.js'
import { handle } from './handle.js'
import {
  findOffers,
  findWaiters,
  type HeldSignal,
  lockHeldSignal,
  markTaken,
  type Offer,
} from './persistence/signals.js'
import { classifyDatabaseError } from './persistence/sqlstate.js'
import { inTransaction, type Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

/**
 * Offers the signals that are kept to the waiters that have come since, once to each instance, and forgets those
 * whose time is over. Looking from here, after both sides have committed, no waiter and no signal can miss each other.
 */
export async function offerHeldSignals(runtime: Runtime, limit: number): Promise<void> {
  const now = runtime.clock?.now() ?? null
  for (const offer of await findOffers(runtime.database.prisma, now, limit)) {
    try {
      await inTransaction(runtime.database, async (tx) => {
        const held = await lockHeldSignal(tx, offer)
        if (held && (await deliver(runtime, tx, offer, held))) await markTaken(tx, offer)
      })
    } catch (error) {
      if (classifyDatabaseError(error) !== 'other') throw error
      runtime.log.error({ err: error, tenant: offer.tenantId, instance: offer.instanceId }, 'a held signal failed')
      // It would fail in every cycle until it expires: this instance has had its chance.
      await markTaken(runtime.database.prisma, offer)
    }
  }
}

/** Resumes all waiters of the instance. @returns whether there was one */
async function deliver(runtime: Runtime, tx: Transaction, offer: Offer, held: HeldSignal): Promise<boolean> {
  const { tenantId, instanceId } = offer
  const sender = { userId: held.senderId, tenantId, groups: [], permissions: [] }
  const payload = held.payload === null ? null : (held.payload as { [name: string]: never })
  let resumed = false
  for (const { id } of await findWaiters(tx, tenantId, held, instanceId)) {
    const command = { type: 'signalBookmark', bookmarkId: id, name: held.name, payload } as const
    if (!isRefusal(await handle(runtime, sender, command, { tx }))) resumed = true
  }
  return resumed
}
