import type { Changes } from '../engine/execution.js'
import type { BookmarkState, InstanceState } from '../engine/model.js'
import { splitInstance } from './engineState.js'
import { searchText, titleKey } from './search.js'
import type { Transaction } from './transaction.js'

/** What is stored of an idempotency key beside the change that it stands for. */
export interface NewKey {
  key: string
  userId: string
  operation: string
  inputHash: string
}

const instanceColumns = `id uuid, "definitionId" uuid, "definitionName" text, "definitionVersion" int, status text, title text,
  "titleKey" text, "searchText" text, "correlationId" text, "starterId" text, "parentId" uuid, "parentNodeInstanceId" uuid,
  depth int, outcome text, variables json, state json, fault json, "faultNodeId" text, "faultNodeInstanceId" uuid,
  revision int, "eventSeq" int, "createdAt" timestamptz, "endedAt" timestamptz, expected int, ord int`

const insertInstance = `
INSERT INTO "Instance" ("tenantId", id, "definitionId", "definitionName", "definitionVersion", status, title, "titleKey",
  "searchText", "correlationId", "starterId", "parentId", "parentNodeInstanceId", depth, outcome, variables, state, fault,
  "faultNodeId", "faultNodeInstanceId", revision, "eventSeq", "createdAt", "endedAt")
SELECT $1, r.id, r."definitionId", r."definitionName", r."definitionVersion", r.status::"InstanceStatus", r.title,
  r."titleKey", r."searchText", r."correlationId", r."starterId", r."parentId", r."parentNodeInstanceId", r.depth,
  r.outcome, r.variables, r.state, r.fault, r."faultNodeId", r."faultNodeInstanceId", r.revision, r."eventSeq",
  r."createdAt", r."endedAt"
FROM json_to_recordset($2::json) AS r(${instanceColumns})
ORDER BY r.ord
RETURNING id`

// The guard repeats the revision that was loaded: without it nothing of the statement is written.
const updateInstance = `
UPDATE "Instance" i SET "definitionId" = r."definitionId", "definitionVersion" = r."definitionVersion",
  status = r.status::"InstanceStatus", outcome = r.outcome, variables = r.variables, state = r.state, fault = r.fault,
  "faultNodeId" = r."faultNodeId", "faultNodeInstanceId" = r."faultNodeInstanceId", revision = r.revision,
  "eventSeq" = r."eventSeq", "endedAt" = r."endedAt"
FROM json_to_record($2::json -> 0) AS r(${instanceColumns})
WHERE i."tenantId" = $1 AND i.id = r.id AND i.revision = r.expected
RETURNING i.id`

const bookmarkColumns = `ord int, "instanceId" uuid, id uuid, "nodeId" text, "nodeInstanceId" uuid, kind text, key text, "correlationId" text,
  "dueAt" timestamptz, payload json, "createdAt" timestamptz, title text, "titleKey" text, "searchTitle" text, priority int,
  "taskDueAt" timestamptz, "claimedById" text, "instanceStatus" text, "definitionName" text, "searchInstanceText" text,
  "lockedBy" text, "lockedUntil" timestamptz`

const text = (guard: string) => `
WITH guard AS (${guard}),
nodes AS (
  INSERT INTO "NodeInstance" ("tenantId", id, "instanceId", "nodeId", "activityType", status, attempt, "cameFrom", input,
    output, state, fault, routing, "startedAt", "endedAt", "endedSeq")
  SELECT $1, n.id, g.id, n."nodeId", n."activityType", n.status::"NodeStatus", n.attempt,
    ARRAY(SELECT value::uuid FROM json_array_elements_text(n."cameFrom")), n.input, n.output, n.state, n.fault, n.routing,
    n."startedAt", n."endedAt", n."endedSeq"
  FROM guard g JOIN json_to_recordset($3::json) AS n(ord int, "instanceId" uuid, id uuid, "nodeId" text,
    "activityType" text, status text, attempt int, "cameFrom" json, input json, output json, state json, fault json, routing json, "startedAt" timestamptz,
    "endedAt" timestamptz, "endedSeq" int) ON n."instanceId" = g.id
  ORDER BY n.ord
  ON CONFLICT ("tenantId", id) DO UPDATE SET "nodeId" = excluded."nodeId", status = excluded.status,
    attempt = excluded.attempt, input = excluded.input, output = excluded.output, state = excluded.state, fault = excluded.fault, routing = excluded.routing,
    "endedAt" = excluded."endedAt", "endedSeq" = excluded."endedSeq"
),
deleted AS (
  DELETE FROM "Bookmark" b USING guard
  WHERE b."tenantId" = $1 AND b.id IN (SELECT value::uuid FROM json_array_elements_text($4::json))
),
inserted AS (
  INSERT INTO "Bookmark" ("tenantId", id, "instanceId", "nodeId", "nodeInstanceId", kind, key, "correlationId", "dueAt",
    payload, "createdAt", title, "titleKey", "searchTitle", priority, "taskDueAt", "claimedById", "instanceStatus",
    "definitionName", "searchInstanceText", "lockedBy", "lockedUntil", traceparent)
  SELECT $1, b.id, g.id, b."nodeId", b."nodeInstanceId", b.kind::"BookmarkKind", b.key, b."correlationId", b."dueAt",
    b.payload, b."createdAt", b.title, b."titleKey", b."searchTitle", b.priority, b."taskDueAt", b."claimedById",
    b."instanceStatus"::"InstanceStatus", b."definitionName", b."searchInstanceText", b."lockedBy", b."lockedUntil", $14::text
  FROM guard g JOIN json_to_recordset($5::json) AS b(${bookmarkColumns}) ON b."instanceId" = g.id
  ORDER BY b.ord
),
updated AS (
  UPDATE "Bookmark" o SET "nodeId" = b."nodeId", key = b.key, "dueAt" = b."dueAt", payload = b.payload, title = b.title,
    "titleKey" = b."titleKey", "searchTitle" = b."searchTitle", priority = b.priority, "taskDueAt" = b."taskDueAt",
    "claimedById" = b."claimedById", "instanceStatus" = b."instanceStatus"::"InstanceStatus",
    "lockedBy" = b."lockedBy", "lockedUntil" = b."lockedUntil"
  FROM guard, json_to_recordset($6::json) AS b(${bookmarkColumns})
  WHERE o."tenantId" = $1 AND o.id = b.id
),
-- One statement may touch a row once: what is deleted or updated above is left out here.
synced AS (
  UPDATE "Bookmark" o SET "instanceStatus" = $7::"InstanceStatus"
  FROM guard g
  WHERE o."tenantId" = $1 AND o."instanceId" = g.id AND o."instanceStatus" <> $7::"InstanceStatus"
    AND o.id NOT IN (SELECT value::uuid FROM json_array_elements_text($4::json))
    AND o.id NOT IN (SELECT b.id FROM json_to_recordset($6::json) AS b(id uuid))
),
records AS (
  INSERT INTO "TaskRecord" ("tenantId", id, "instanceId", "definitionName", "taskId", "nodeInstanceId", "nodeId",
    "nodeTitle", "activityType", action, outcome, comment, "actorId", "onBehalfOfId", "assigneeId", "targetId",
    "targetNodeIds", "formKey", variables, "searchText", at, "durationMs")
  SELECT $1, t.id, g.id, t."definitionName", t."taskId", t."nodeInstanceId", t."nodeId", t."nodeTitle", t."activityType",
    t.action::"TaskAction", t.outcome, t.comment, t."actorId", t."onBehalfOfId", t."assigneeId", t."targetId",
    ARRAY(SELECT value FROM json_array_elements_text(t."targetNodeIds")), t."formKey", t.variables, t."searchText", t.at,
    t."durationMs"
  FROM guard g JOIN json_to_recordset($8::json) AS t(ord int, "instanceId" uuid, id uuid, "definitionName" text, "taskId" uuid,
    "nodeInstanceId" uuid, "nodeId" text, "nodeTitle" text, "activityType" text, action text, outcome text, comment text,
    "actorId" text, "onBehalfOfId" text, "assigneeId" text, "targetId" text, "targetNodeIds" json, "formKey" text,
    variables json, "searchText" text, at timestamptz, "durationMs" bigint) ON t."instanceId" = g.id
  ORDER BY t.ord
),
copied AS (
  INSERT INTO "Copy" ("tenantId", id, "instanceId", "nodeId", "userId", "taskTitle", "createdAt")
  SELECT $1, c.id, g.id, c."nodeId", c."userId", c."taskTitle", c."createdAt"
  FROM guard g JOIN json_to_recordset($9::json) AS c("instanceId" uuid, id uuid, "nodeId" text, "userId" text,
    "taskTitle" text, "createdAt" timestamptz) ON c."instanceId" = g.id
),
-- A transaction that had written before it waited for the instance is older than those it waited for: its events take
-- their place behind the last one of the instance. What is not below xmax was restored from another cluster.
place AS (
  SELECT g.id, pg_current_xact_id()::text::bigint AS own, CASE WHEN $15::boolean THEN
    (SELECT l.txid FROM "Event" l WHERE l."tenantId" = $1 AND l."instanceId" = g.id
        AND l.txid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      ORDER BY l."instanceSeq" DESC LIMIT 1) END AS last
  FROM guard g
),
told AS (
  INSERT INTO "Event" ("tenantId", id, type, at, "instanceId", "instanceSeq", "definitionName", "nodeId", "taskId",
    "actorId", "correlationId", recipients, data, txid, "writerTxid")
  SELECT $1, e.id, e.type, e.at, g.id, e."instanceSeq", e."definitionName", e."nodeId", e."taskId", e."actorId",
    e."correlationId", ARRAY(SELECT value FROM json_array_elements_text(e.recipients)), e.data,
    greatest(g.own, g.last), CASE WHEN g.last > g.own THEN g.own END
  FROM place g JOIN json_to_recordset($10::json) AS e(ord int, "instanceId" uuid, id uuid, type text, at timestamptz,
    "instanceSeq" int, "definitionName" text, "nodeId" text, "taskId" uuid, "actorId" text, "correlationId" text,
    recipients json, data json) ON e."instanceId" = g.id
  ORDER BY e.ord
),
keyed AS (
  INSERT INTO "IdempotencyKey" ("tenantId", key, "userId", operation, "inputHash", "instanceId", "createdAt")
  SELECT $1, k.key, k."userId", k.operation, k."inputHash", g.id, k."createdAt"
  FROM guard g, json_to_recordset($11::json) AS k(key text, "userId" text, operation text, "inputHash" text,
    "createdAt" timestamptz)
),
left_over AS (
  INSERT INTO "ChildNotice" ("tenantId", id, kind, "parentId", "nodeInstanceId", "childId", terminate, reason, "dueAt")
  SELECT $1, c.id, c.kind::"ChildNoticeKind", c."parentId", c."nodeInstanceId", c."childId", coalesce(c.terminate, false),
    c.reason, c."dueAt"
  FROM guard g JOIN json_to_recordset($12::json) AS c(ord int, "instanceId" uuid, id uuid, kind text, "parentId" uuid,
    "nodeInstanceId" uuid, "childId" uuid, terminate boolean, reason text, "dueAt" timestamptz) ON c."instanceId" = g.id
  ORDER BY c.ord
),
taken AS (
  DELETE FROM "ChildNotice" c USING guard
  WHERE c."tenantId" = $1 AND c.id IN (SELECT value::uuid FROM json_array_elements_text($13::json))
)
SELECT count(*)::int AS written FROM guard`

/** What goes with a change. */
export interface FlushOptions {
  now: number
  /** The trace context of the command, kept with what it leaves to wait. */
  traceparent: string | null
  /** Whether the transaction is a caller's, who may have written before the instance was locked. */
  joined: boolean
}

const insertText = text(insertInstance)
const updateText = text(updateInstance)

/**
 * Writes everything a decision changed in one statement, guarded by the revision that was loaded (0: a new instance).
 * @returns false where the instance has another revision; then nothing was written
 */
export async function flushChanges(
  tx: Transaction,
  changes: Changes,
  options: FlushOptions & { expectedRevision: number; key: NewKey | null },
): Promise<boolean> {
  const sql = options.expectedRevision === 0 ? insertText : updateText
  return (await write(tx, sql, [changes], options)) === 1
}

/** How many new instances one statement writes: each of them costs a round trip otherwise. */
const birthsAtOnce = 200

/** Writes new instances, parents before children; a loop may start a thousand at once. */
export async function flushBirths(tx: Transaction, births: readonly Changes[], options: FlushOptions): Promise<void> {
  for (let first = 0; first < births.length; first += birthsAtOnce)
    await write(tx, insertText, births.slice(first, first + birthsAtOnce), {
      ...options,
      expectedRevision: 0,
      key: null,
    })
}

/** @returns how many instances were written */
async function write(
  tx: Transaction,
  sql: string,
  all: readonly Changes[],
  options: FlushOptions & { expectedRevision: number; key: NewKey | null },
): Promise<number> {
  const rows = <T extends object>(
    list: (changes: Changes) => readonly T[],
    more: (item: T, instance: InstanceState) => object = () => ({}),
  ) => {
    const found = all.flatMap((changes) =>
      list(changes).map((item) => ({ ...item, ...more(item, changes.instance), instanceId: changes.instance.id })),
    )
    return JSON.stringify(found.map((row, ord) => ({ ord, ...row })))
  }
  const facts = ({ definitionName, correlationId }: InstanceState) => ({ definitionName, correlationId })
  const bookmark = (item: BookmarkState, instance: InstanceState) => bookmarkRow(instance, item)
  const key = options.key ? [{ ...options.key, createdAt: timeText(options.now) }] : []
  const [result] = await tx.$queryRawUnsafe<{ written: number }[]>(
    sql,
    all[0]?.instance.tenantId,
    rows(({ instance }) => [{ ...instanceRow(instance), expected: options.expectedRevision }]),
    rows(
      ({ nodeInstances }) => nodeInstances,
      (node) => ({ startedAt: timeText(node.startedAt), endedAt: timeText(node.endedAt) }),
    ),
    JSON.stringify(all.flatMap(({ bookmarksDeleted }) => bookmarksDeleted)),
    rows(({ bookmarksInserted }) => bookmarksInserted, bookmark),
    rows(({ bookmarksUpdated }) => bookmarksUpdated, bookmark),
    all[0]?.instance.status,
    rows(
      ({ taskRecords }) => taskRecords,
      (record, instance) => ({
        ...facts(instance),
        at: timeText(record.at),
        searchText: searchText(record.taskTitle, instance.title, instance.definitionName, instance.correlationId),
      }),
    ),
    rows(
      ({ copies }) => copies,
      (copy) => ({ createdAt: timeText(copy.createdAt) }),
    ),
    rows(
      ({ events }) => events,
      (event, instance) => ({ ...facts(instance), at: timeText(event.at) }),
    ),
    JSON.stringify(key),
    rows(
      ({ notices }) => notices,
      () => ({ dueAt: timeText(options.now) }),
    ),
    JSON.stringify(all.flatMap(({ noticesTaken }) => noticesTaken)),
    options.traceparent,
    options.joined,
  )
  return result?.written ?? 0
}

function instanceRow(instance: InstanceState): object {
  const { columns, state } = splitInstance(instance)
  return {
    ...columns,
    state,
    titleKey: titleKey(instance.title),
    searchText: searchText(instance.title, instance.correlationId),
    createdAt: timeText(instance.createdAt),
    endedAt: timeText(instance.endedAt),
  }
}

function bookmarkRow(instance: InstanceState, bookmark: BookmarkState): object {
  const { task } = bookmark
  return {
    dueAt: timeText(bookmark.dueAt),
    createdAt: timeText(bookmark.createdAt),
    title: task?.title ?? null,
    titleKey: task ? titleKey(task.title) : null,
    searchTitle: task ? searchText(task.title) : null,
    priority: task?.priority ?? null,
    taskDueAt: timeText(task?.dueAt ?? null),
    claimedById: task?.claimedBy ?? null,
    lockedBy: bookmark.lock?.by ?? null,
    lockedUntil: timeText(bookmark.lock?.until ?? null),
    instanceStatus: instance.status,
    definitionName: instance.definitionName,
    searchInstanceText: searchText(instance.title, instance.correlationId, instance.definitionName),
  }
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
