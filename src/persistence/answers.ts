import type { TakenAnswer } from '../engine/execution.js'
import { loadNodeInstance } from './load.js'
import type { Transaction } from './transaction.js'

/** The instance of a task, open or closed; null where the partition has none. */
export async function findInstanceOfTask(tx: Transaction, tenantId: string, taskId: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ instanceId: string }[]>`
    SELECT "instanceId" FROM "Bookmark" WHERE "tenantId" = ${tenantId} AND id = ${taskId}::uuid AND kind = 'USER_TASK'
    UNION ALL
    SELECT "instanceId" FROM "TaskRecord" WHERE "tenantId" = ${tenantId} AND "taskId" = ${taskId}::uuid
    LIMIT 1`
  return row?.instanceId ?? null
}

interface AnswerRow {
  actorId: string
  onBehalfOfId: string | null
  assigneeId: string | null
  nodeInstanceId: string
  actedSince: string[]
}

/** The answer that closed a task, with what people did in the instance since; null where it was closed otherwise. */
export async function findAnswer(tx: Transaction, tenantId: string, taskId: string): Promise<TakenAnswer | null> {
  const [row] = await tx.$queryRaw<AnswerRow[]>`
    SELECT r."actorId", r."onBehalfOfId", r."assigneeId", r."nodeInstanceId",
      ARRAY(SELECT DISTINCT l."nodeInstanceId"::text FROM "TaskRecord" l
        WHERE l."tenantId" = r."tenantId" AND l."instanceId" = r."instanceId" AND l.seq > r.seq
          AND l."actorId" IS NOT NULL AND l.action NOT IN ('URGED', 'COMMENTED')) AS "actedSince"
    FROM "TaskRecord" r
    WHERE r."tenantId" = ${tenantId} AND r."taskId" = ${taskId}::uuid
    ORDER BY (r.action = 'COMPLETED' AND r."actorId" IS NOT NULL) DESC, r.seq DESC LIMIT 1`
  if (!row?.actorId) return null
  const nodeInstance = await loadNodeInstance(tx, tenantId, row.nodeInstanceId)
  if (!nodeInstance) return null
  const { actorId, onBehalfOfId, assigneeId, actedSince } = row
  return { taskId, actorId, onBehalfOfId, assigneeId, nodeInstance, actedSince }
}

/** Whether anybody but the starter has acted on a task of the instance; an urge or a comment is no act. */
export async function hasActed(
  tx: Transaction,
  { tenantId, id, starterId }: { tenantId: string; id: string; starterId: string | null },
): Promise<boolean> {
  const [found] = await tx.$queryRaw<{ acted: boolean }[]>`
    SELECT EXISTS (SELECT FROM "TaskRecord" WHERE "tenantId" = ${tenantId} AND "instanceId" = ${id}::uuid
      AND "actorId" IS DISTINCT FROM ${starterId} AND "actorId" IS NOT NULL
      AND action NOT IN ('URGED', 'COMMENTED')) AS acted`
  return found?.acted === true
}
