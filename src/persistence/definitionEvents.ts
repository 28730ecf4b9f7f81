import { uuidv7 } from 'uuidv7'
import type { DefinitionStatus } from '../engine/model.js'
import type { Transaction } from './transaction.js'

/** Writes the event of a definition's new state in the transaction that changes it. */
export async function recordDefinitionEvent(
  tx: Transaction,
  facts: {
    definition: { tenantId: string; id: string; name: string; version: number }
    status: DefinitionStatus
    actorId: string
    at: Date
  },
): Promise<void> {
  const { definition, status, actorId, at } = facts
  const { tenantId, id, name, version } = definition
  await tx.event.create({
    data: {
      tenantId,
      id: uuidv7(),
      type: `workflow.definition.${status.toLowerCase()}`,
      at,
      definitionName: name,
      actorId,
      recipients: [],
      data: { definitionId: id, name, version },
    },
    // The default of `txid` is the database's; nothing of the row is needed back.
    select: { id: true },
  })
}
