import { type InstanceStatus, type Refusal, refusal } from './engine/model.js'
import { deleteEnded } from './persistence/purge.js'
import { joinOrBegin, type Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

const ended: readonly InstanceStatus[] = ['COMPLETED', 'CANCELED', 'TERMINATED']

/** The most instances that one purge removes. */
export const maxPurge = 1000

export interface PurgeRequest {
  /** Epoch milliseconds. */
  endedBefore: number
  /** All states of ended instances when null. */
  statuses: readonly InstanceStatus[] | null
  definitionName: string | null
  limit: number
}

/**
 * Removes instances of the partition that ended before a moment, with everything that belongs to them.
 * @returns how many are gone; a refusal (WORKFLOW_VALIDATION_002) for a limit out of range or a state that is no end
 */
export async function purgeInstances(
  runtime: Runtime,
  tenantId: string,
  request: PurgeRequest,
  tx?: Transaction,
): Promise<number | Refusal> {
  const { limit, statuses } = request
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPurge)
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.instance.purge_limit_invalid', { limit, max: maxPurge })
  const open = statuses?.find((status) => !ended.includes(status))
  if (open !== undefined)
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.instance.purge_status_invalid', { status: open })
  return joinOrBegin(runtime.database, tx, (tx) =>
    deleteEnded(tx, tenantId, { ...request, statuses: statuses ?? ended }),
  )
}
