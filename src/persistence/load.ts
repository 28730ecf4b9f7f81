import type { LoadedState } from '../engine/execution.js'
import type {
  Approval,
  BookmarkState,
  ChildReport,
  Fault,
  InstanceState,
  JoinState,
  JsonObject,
  NodeInstanceState,
  RoutingEntry,
  Step,
  TrailEntry,
} from '../engine/model.js'
import { absenceAt } from './directory.js'
import type { EngineStateMember } from './engineState.js'
import type { Transaction } from './transaction.js'

/** How the instance is found: by its id, or by a task or bookmark of it. */
export type InstanceKey = { instanceId: string } | { bookmarkId: string }

export interface Loaded {
  state: LoadedState
  /** The database's clock, in epoch milliseconds. */
  now: number
  /** The stored answer of the caller's idempotency key, if it was used before. */
  idempotency: StoredKey | null
  /** Whether anybody of the partition is absent now. */
  absences: boolean
}

export interface StoredKey {
  operation: string
  inputHash: string
  instanceId: string | null
}

interface Row {
  instance: InstanceRow
  snapshot: number
  now: number
  nodeInstances: NodeRow[]
  bookmarks: BookmarkRow[]
  trail: TrailEntry[] | null
  reports: ChildReport[] | null
  absences: boolean
  onBehalfOfGroups: string[] | null
  idempotency: StoredKey | null
}

type InstanceRow = Omit<InstanceState, 'createdAt' | 'endedAt' | EngineStateMember> & {
  createdAt: string
  endedAt: string | null
  state: {
    joins: { [nodeId: string]: JoinState }
    pending: Step[]
    startedChildren?: boolean
    approvals?: Approval[]
  }
}

type NodeRow = Omit<NodeInstanceState, 'startedAt' | 'endedAt' | 'state'> & {
  startedAt: string
  endedAt: string | null
  state: JsonObject | null
  routing: RoutingEntry[] | null
  fault: Fault | null
}

interface BookmarkRow extends Omit<BookmarkState, 'dueAt' | 'createdAt' | 'task' | 'lock'> {
  dueAt: string | null
  createdAt: string
  title: string | null
  priority: number | null
  taskDueAt: string | null
  claimedById: string | null
  lockedBy: string | null
  lockedUntil: string | null
  payload: JsonObject
}

// The lock is taken on the instance row alone, and leaves children free to refer to it. What the subqueries read is the statement's snapshot, which is older
// than the locked row when the lock had to be waited for: `snapshot` tells, and the caller loads once more.
const text = (where: string) => `
SELECT row_to_json(i) AS instance,
  (SELECT s.revision FROM "Instance" s WHERE s."tenantId" = i."tenantId" AND s.id = i.id) AS snapshot,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
  (SELECT coalesce(json_agg(n ORDER BY n.seq), '[]') FROM "NodeInstance" n
    WHERE n."tenantId" = i."tenantId" AND n."instanceId" = i.id
      AND (n.status IN ('RUNNING', 'WAITING') OR n.id = i."faultNodeInstanceId"
        OR (n.status = 'FAULTED' AND EXISTS (SELECT 1 FROM "Bookmark" r
          WHERE r."tenantId" = n."tenantId" AND r."nodeInstanceId" = n.id)))) AS "nodeInstances",
  (SELECT coalesce(json_agg(b ORDER BY b.seq), '[]') FROM "Bookmark" b
    WHERE b."tenantId" = i."tenantId" AND b."instanceId" = i.id) AS bookmarks,
  CASE WHEN $3 THEN (SELECT json_agg(json_build_object('id', t.id, 'nodeId', t."nodeId", 'activityType', t."activityType",
      'status', t.status, 'cameFrom', t."cameFrom") ORDER BY t.seq)
    FROM "NodeInstance" t WHERE t."tenantId" = i."tenantId" AND t."instanceId" = i.id) END AS trail,
  CASE WHEN $6 THEN (SELECT json_agg(json_build_object('noticeId', r.id, 'nodeInstanceId', r."nodeInstanceId",
      'childId', r."childId", 'status', r.status, 'outcome', r.outcome, 'variables', r.variables, 'fault', r.fault)
      ORDER BY r.seq)
    FROM (SELECT h.id, h.seq, h."nodeInstanceId", h."childId", c.status, c.outcome, c.variables, c.fault
      FROM "ChildNotice" h JOIN "Instance" c ON c."tenantId" = h."tenantId" AND c.id = h."childId"
      WHERE h."tenantId" = i."tenantId" AND h."parentId" = i.id AND h.kind = 'CHILD_ENDED'
      ORDER BY h.seq LIMIT 1000) r) END AS reports,
  (SELECT row_to_json(k) FROM "IdempotencyKey" k
    WHERE k."tenantId" = $1 AND k."userId" = $4 AND k.key = $5) AS idempotency,
  ${absenceAt('$7')} AS absences,
  (SELECT to_json(u.groups) FROM "User" u WHERE u."tenantId" = $1 AND u.id = $8::text) AS "onBehalfOfGroups"
FROM "Instance" i
WHERE i."tenantId" = $1 AND i.id = ${where}
FOR NO KEY UPDATE OF i`

const byInstance = text('$2::uuid')
const byBookmark = text('(SELECT f."instanceId" FROM "Bookmark" f WHERE f."tenantId" = $1 AND f.id = $2::uuid)')

export interface LoadOptions {
  trail: boolean
  reports: boolean
  userId: string
  idempotencyKey: string | null
  /** The time of a clock that is moved by hand; null for the database's. */
  time: Date | null
  /** The person whom an operator acts for. */
  onBehalfOfId: string | null
}

/**
 * Locks an instance and loads all that a decision needs, in one statement.
 * @returns null where the instance, or the bookmark, is not in the partition
 */
export async function loadInstance(
  tx: Transaction,
  tenantId: string,
  key: InstanceKey,
  options: LoadOptions,
): Promise<Loaded | null> {
  const { trail, userId, idempotencyKey, reports, time, onBehalfOfId } = options
  const facts = [trail, userId, idempotencyKey, reports, time, onBehalfOfId]
  const [sql, id] = 'instanceId' in key ? [byInstance, key.instanceId] : [byBookmark, key.bookmarkId]
  const [row] = await tx.$queryRawUnsafe<Row[]>(sql, tenantId, id, ...facts)
  if (!row) return null
  if (row.instance.revision === row.snapshot) return loadedOf(row)
  const [fresh] = await tx.$queryRawUnsafe<Row[]>(byInstance, tenantId, row.instance.id, ...facts)
  return fresh ? loadedOf(fresh) : null
}

function loadedOf(row: Row): Loaded {
  const { state, createdAt, endedAt, ...instance } = row.instance
  return {
    now: Math.floor(row.now),
    idempotency: row.idempotency,
    absences: row.absences,
    state: {
      instance: {
        ...instance,
        startedChildren: false,
        approvals: [],
        ...state,
        createdAt: Date.parse(createdAt),
        endedAt: timeOf(endedAt),
      },
      nodeInstances: row.nodeInstances.map(nodeOf),
      bookmarks: row.bookmarks.map(bookmarkOf),
      trail: row.trail,
      reports: row.reports ?? [],
      onBehalfOfGroups: row.onBehalfOfGroups ?? [],
    },
  }
}

/** The completed runs of these nodes, the last first: what compensation undoes. */
export async function loadCompleted(
  tx: Transaction,
  tenantId: string,
  instanceId: string,
  nodeIds: string[],
): Promise<NodeInstanceState[]> {
  const rows = await tx.$queryRaw<{ node: NodeRow }[]>`
    SELECT row_to_json(n) AS node FROM "NodeInstance" n
    WHERE n."tenantId" = ${tenantId} AND n."instanceId" = ${instanceId}::uuid AND n.status = 'COMPLETED'
      AND n."nodeId" = ANY(${nodeIds})
    ORDER BY n."endedSeq" DESC NULLS LAST`
  return rows.map(({ node }) => nodeOf(node))
}

/** A node instance that is no longer active. */
export async function loadNodeInstance(
  tx: Transaction,
  tenantId: string,
  id: string,
): Promise<NodeInstanceState | null> {
  const [row] = await tx.$queryRaw<{ node: NodeRow }[]>`
    SELECT row_to_json(n) AS node FROM "NodeInstance" n WHERE n."tenantId" = ${tenantId} AND n.id = ${id}::uuid`
  return row ? nodeOf(row.node) : null
}

function nodeOf({ startedAt, endedAt, state, ...row }: NodeRow): NodeInstanceState {
  return { ...row, state: state ?? {}, startedAt: Date.parse(startedAt), endedAt: timeOf(endedAt) }
}

function bookmarkOf(row: BookmarkRow): BookmarkState {
  const { id, kind, key, nodeId, nodeInstanceId, correlationId, payload } = row
  const task =
    row.title === null
      ? null
      : { title: row.title, priority: row.priority, dueAt: timeOf(row.taskDueAt), claimedBy: row.claimedById }
  const times = { dueAt: timeOf(row.dueAt), createdAt: Date.parse(row.createdAt) }
  const until = timeOf(row.lockedUntil)
  const lock = until === null ? {} : { lock: { by: row.lockedBy, until } }
  return { id, kind, key, nodeId, nodeInstanceId, correlationId, payload, task, ...times, ...lock }
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}
