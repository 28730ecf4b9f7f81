import { uuidv7 } from 'uuidv7'
import type { Actor } from './engine/command.js'
import { isRefusal, type JsonObject } from './engine/model.js'
import { handle } from './handle.js'
import { newestPublished } from './persistence/definitions.js'
import { findWaiters } from './persistence/instances.js'
import { inTransaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

export interface Signal {
  name: string
  payload: JsonObject | null
  correlationId: string | null
}

/**
 * Sends a signal: resumes its waiters of the partition, each in a transaction of its own, then starts the newest
 * published definitions that begin with it.
 * @returns how many were really resumed and started
 */
export async function signal(
  runtime: Runtime,
  actor: Actor,
  sent: Signal,
): Promise<{ resumed: number; started: number }> {
  const { database } = runtime
  const { tenantId } = actor
  let resumed = 0
  for (const { id } of await findWaiters(database.prisma, tenantId, sent.name, sent.correlationId)) {
    const command = { type: 'signalBookmark', bookmarkId: id, name: sent.name, payload: sent.payload } as const
    if (!isRefusal(await handle(runtime, actor, command))) resumed += 1
  }
  const beginning = await inTransaction(database, async (tx) => {
    const found: string[] = []
    for (const { id } of await newestPublished(tx, tenantId)) {
      const definition = await runtime.definitions.get(tx, tenantId, id)
      if (definition.startNode.properties.SignalName === sent.name) found.push(id)
    }
    return found
  })
  let started = 0
  for (const definitionId of beginning) {
    const outcome = await handle(
      runtime,
      actor,
      {
        type: 'start',
        instanceId: uuidv7(),
        variables: { signal: sent.payload },
        starterId: actor.userId,
        correlationId: sent.correlationId,
        displayName: null,
      },
      { definition: { definitionId } },
    )
    if (!isRefusal(outcome)) started += 1
  }
  return { resumed, started }
}
