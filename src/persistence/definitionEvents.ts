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
  const type = `workflow.definition.${status.toLowerCase()}`
  const data = JSON.stringify({ definitionId: id, name, version })
  await tx.$executeRaw`
    INSERT INTO "Event" ("tenantId", id, type, at, "definitionName", "actorId", recipients, data)
    VALUES (${tenantId}, ${uuidv7()}::uuid, ${type}, ${at.toISOString()}::timestamptz, ${name}, ${actorId}, '{}',
      ${data}::json)`
}
