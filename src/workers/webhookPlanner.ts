import { uuidv7 } from 'uuidv7'
import { cloudEventOf } from '../cloudEvent.js'
import { matchesTopic } from '../eventLog.js'
import { comparePositions, decodeCursor, type EventRow, readEvents, wasSeen } from '../persistence/events.js'
import { leaseRelay } from '../persistence/relayPosition.js'
import { type NewDelivery, planDeliveries } from '../persistence/webhookDeliveries.js'
import { anyWebhook, enabledWebhooks, type Webhook, webhookRelay } from '../persistence/webhooks.js'
import type { Runtime } from '../runtime.js'

const batch = 200
const lease = 10_000

/**
 * Reads the event log from its stored place and stores what is to be sent where. One node at a time does it, under a lease
 * that it keeps for the next time.
 * @param node the holder of the lease
 */
export async function planWebhooks(runtime: Runtime, node: string): Promise<void> {
  const { prisma } = runtime.database
  if (!(await anyWebhook(prisma))) return
  for (;;) {
    const position = await leaseRelay(prisma, { name: webhookRelay, node, milliseconds: lease })
    if (!position) return
    const events = await readEvents(prisma, position, batch)
    const end = events.at(-1)
    if (!end) return
    // After the events: an endpoint that is registered before one of them is committed is among these.
    const webhooks = await enabledWebhooks(prisma)
    const planned = events.flatMap((event) =>
      webhooks.filter((webhook) => wants(webhook, event)).map(deliveryOf(event)),
    )
    if (!(await planDeliveries(prisma, planned, runtime.clock?.now() ?? null, { node, end }))) return
    if (events.length < batch) return
  }
}

/** Whether the event is of the endpoint's partition and topics, and was not committed before it was registered. */
function wants({ tenantId, topics, since }: Webhook, event: EventRow): boolean {
  if (event.tenantId !== tenantId || !topics.some((pattern) => matchesTopic(pattern, event.type))) return false
  const begin = decodeCursor(since)
  return begin !== null && comparePositions(event, begin) > 0 && !wasSeen(begin, event)
}

function deliveryOf(event: EventRow): (webhook: Webhook) => NewDelivery {
  const body = JSON.stringify(cloudEventOf(event))
  const { tenantId, id: eventId, type, instanceId } = event
  return ({ id: webhookId }) => ({ tenantId, id: uuidv7(), webhookId, eventId, type, instanceId, body })
}
