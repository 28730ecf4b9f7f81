import type { Transaction } from './transaction.js'

/** An open task: whose it is, where it stands. */
export interface OpenTask {
  id: string
  instanceId: string
  nodeId: string
  title: string
  /** A user id or `group:<id>`. */
  assigneeId: string
  claimedById: string | null
  createdAt: Date
  dueAt: Date | null
}

/** The open tasks of running instances of the partition, the oldest first. */
export function findOpenTasks(
  tx: Transaction,
  tenantId: string,
  filter: { instanceId: string | null; assigneeId: string | null },
): Promise<OpenTask[]> {
  return tx.$queryRaw<OpenTask[]>`
    SELECT id, "instanceId", "nodeId", title, key AS "assigneeId", "claimedById", "createdAt", "taskDueAt" AS "dueAt"
    FROM "Bookmark" WHERE "tenantId" = ${tenantId} AND kind = 'USER_TASK' AND "instanceStatus" = 'RUNNING'
      AND (${filter.instanceId}::uuid IS NULL OR "instanceId" = ${filter.instanceId}::uuid)
      AND (${filter.assigneeId}::text IS NULL OR key = ${filter.assigneeId}::text)
    ORDER BY seq LIMIT 1000`
}
