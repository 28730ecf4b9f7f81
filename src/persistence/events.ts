import type { Event as EventRow, PrismaClient } from '../generated/prisma/client.js'

export type { EventRow }

/**
 * A place in the event log: transaction id, then sequence. A sequence alone is no safe cursor, because a lower number
 * may commit later; readers therefore stay below the oldest transaction that still runs.
 */
export interface Position {
  txid: bigint
  seq: bigint
  /** What had committed already where the position was taken, so that it is not told again. */
  snapshot?: Snapshot
}

/** Which transactions a moment sees: all before `xmax` but those that were still running. */
interface Snapshot {
  xmax: bigint
  running: ReadonlySet<bigint>
}

const last = 9_223_372_036_854_775_807n
/** A cursor stays short: past so many running transactions, what has just committed may be told again. */
const mostRunning = 50

export function comparePositions(a: Position, b: Position): number {
  if (a.txid !== b.txid) return a.txid < b.txid ? -1 : 1
  return a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0
}

/** Whether the event had committed where the position was taken: what counts is the transaction that wrote it. */
export function wasSeen(
  { snapshot }: Position,
  { txid, writerTxid }: { txid: bigint; writerTxid?: bigint | null },
): boolean {
  const writer = writerTxid ?? txid
  return snapshot !== undefined && writer < snapshot.xmax && !snapshot.running.has(writer)
}

export function encodeCursor({ txid, seq, snapshot }: Position): string {
  const moment = snapshot ? `${snapshot.xmax}:${[...snapshot.running].join(',')}` : ''
  return Buffer.from(snapshot ? `2:${txid}:${moment}` : `1:${txid}:${seq}`).toString('base64url')
}

/** The position of a cursor; null for what is none of ours. */
export function decodeCursor(cursor: string): Position | null {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, txid, seq] = /^1:(\d{1,18}):(\d{1,19})$/.exec(text) ?? []
  if (txid !== undefined && seq !== undefined) return { txid: BigInt(txid), seq: BigInt(seq) }
  const [, before, xmax, running] = /^2:(\d{1,18}):(\d{1,18}):([\d,]{0,1000})$/.exec(text) ?? []
  if (before === undefined || xmax === undefined || running === undefined) return null
  const ids = running.split(',').filter((id) => id !== '')
  return {
    txid: BigInt(before),
    seq: last,
    snapshot: { xmax: BigInt(xmax), running: new Set(ids.map((id) => BigInt(id))) },
  }
}

/** From where to where the log can be read. */
export interface LogEnds {
  /** The position from which on nothing is missed: what is not visible now has a later transaction id. */
  now: Position
  /** The last position that has been cleared; null where nothing was. */
  floor: Position | null
}

interface EndsRow {
  xmin: bigint
  xmax: bigint
  running: string[]
  floorTxid: bigint | null
  floorSeq: bigint | null
}

export async function readLogEnds(prisma: PrismaClient): Promise<LogEnds> {
  const [row] = await prisma.$queryRawUnsafe<EndsRow[]>(
    `SELECT pg_snapshot_xmin(s)::text::bigint AS xmin, pg_snapshot_xmax(s)::text::bigint AS xmax,
       ARRAY(SELECT pg_snapshot_xip(s)::text) AS running, f.txid AS "floorTxid", f.seq AS "floorSeq"
     FROM pg_current_snapshot() s LEFT JOIN "EventFloor" f ON true`,
  )
  if (!row) throw new Error('the database has no snapshot')
  const { xmin, xmax, running, floorTxid, floorSeq } = row
  const floor = floorTxid === null || floorSeq === null ? null : { txid: floorTxid, seq: floorSeq }
  const now: Position = { txid: xmin - 1n, seq: last }
  if (running.length <= mostRunning) now.snapshot = { xmax, running: new Set(running.map((id) => BigInt(id))) }
  return { now, floor }
}

const clear = `
WITH old AS (
  SELECT "tenantId", id FROM "Event" WHERE at < $1::timestamptz ORDER BY at LIMIT $2::int FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM "Event" e USING old o WHERE e."tenantId" = o."tenantId" AND e.id = o.id RETURNING e.txid, e.seq
), raised AS (
  INSERT INTO "EventFloor" AS f (id, txid, seq) SELECT 1, txid, seq FROM gone ORDER BY txid DESC, seq DESC LIMIT 1
  ON CONFLICT (id) DO UPDATE SET txid = excluded.txid, seq = excluded.seq
    WHERE (f.txid, f.seq) < (excluded.txid, excluded.seq)
)
SELECT count(*)::int AS count FROM gone`

/**
 * Clears events from before a time, at most so many, and notes how far the log has been cleared.
 * @param before epoch milliseconds
 * @returns how many are gone
 */
export async function clearEvents(prisma: PrismaClient, before: number, limit: number): Promise<number> {
  const [row] = await prisma.$queryRawUnsafe<{ count: number }[]>(clear, new Date(before).toISOString(), limit)
  return row?.count ?? 0
}

const columns = `"tenantId", id, txid, seq, type, at, "instanceId", "instanceSeq", "definitionName", "nodeId", "taskId",
  "actorId", "correlationId", recipients, data, "writerTxid"`

const readAll = `
SELECT ${columns} FROM "Event"
WHERE (txid, seq) > ($1::bigint, $2::bigint) AND txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
ORDER BY txid, seq LIMIT $3::int`

const unsafe = `
SELECT EXISTS (SELECT 1 FROM "Event"
  WHERE txid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint) AS waiting`

const readSome = `
SELECT ${columns} FROM "Event"
WHERE "tenantId" = $1 AND (txid, seq) > ($2::bigint, $3::bigint)
  AND txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  AND ($4::boolean OR recipients && $5::text[] OR "instanceId" = ANY($6::uuid[]) OR "definitionName" = ANY($7::text[]))
ORDER BY txid, seq LIMIT $8::int`

/** The log of all partitions behind a position, as far as it is safe. */
export function readEvents(prisma: PrismaClient, after: Position, limit: number): Promise<EventRow[]> {
  return prisma.$queryRawUnsafe<EventRow[]>(readAll, String(after.txid), String(after.seq), limit)
}

/** Whether events are committed that are not safe to read yet: an older transaction still runs. */
export async function areEventsWaiting(prisma: PrismaClient): Promise<boolean> {
  const [row] = await prisma.$queryRawUnsafe<{ waiting: boolean }[]>(unsafe)
  return row?.waiting === true
}

/** What a subscriber asks for: events of any of these, or all of the tenant's. */
export interface EventScope {
  tenantId: string
  all: boolean
  /** User ids and `group:<id>`. */
  recipients: string[]
  instanceIds: string[]
  definitionNames: string[]
}

/** The events of one scope behind a position, as far as it is safe. */
export function readScope(
  prisma: PrismaClient,
  scope: EventScope,
  after: Position,
  limit: number,
): Promise<EventRow[]> {
  const { tenantId, all, recipients, instanceIds, definitionNames } = scope
  const place = [String(after.txid), String(after.seq)]
  return prisma.$queryRawUnsafe<EventRow[]>(
    readSome,
    tenantId,
    ...place,
    all,
    recipients,
    instanceIds,
    definitionNames,
    limit,
  )
}

const readOne = `
SELECT ${columns} FROM "Event"
WHERE "tenantId" = $1 AND (txid, seq) > ($2::bigint, $3::bigint)
  AND txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  AND ($4::uuid IS NULL OR "instanceId" = $4::uuid) AND ($5::text[] IS NULL OR type = ANY($5::text[]))
  AND ($6::bigint IS NULL OR coalesce("writerTxid", txid) >= $6::bigint
    OR coalesce("writerTxid", txid) = ANY($7::bigint[]))
ORDER BY txid, seq LIMIT $8::int`

/** The events of one partition behind a position, as far as it is safe, without those that the position has seen. */
export function readPage(
  prisma: PrismaClient,
  filter: { tenantId: string; instanceId: string | null; types: readonly string[] | null },
  { txid, seq, snapshot }: Position,
  limit: number,
): Promise<EventRow[]> {
  return prisma.$queryRawUnsafe<EventRow[]>(
    readOne,
    filter.tenantId,
    String(txid),
    String(seq),
    filter.instanceId,
    filter.types,
    snapshot ? String(snapshot.xmax) : null,
    [...(snapshot?.running ?? [])].map(String),
    limit,
  )
}
