import { isRefusal, type Refusal, refusal } from './engine/model.js'
import { topics } from './engine/topics.js'
import type { PrismaClient } from './generated/prisma/client.js'
import {
  comparePositions,
  decodeCursor,
  type EventRow,
  encodeCursor,
  type LogEnds,
  type Position,
  readLogEnds,
  readPage,
  wasSeen,
} from './persistence/events.js'

/** Which part of a partition's event log is read. */
export interface EventPageRequest {
  tenantId: string
  instanceId: string | null
  /** Topics, or their beginnings with `*` for the rest: `workflow.task.*`. Null: all. */
  topics: readonly string[] | null
  /** The cursor of the event before the page; null: from the oldest event that is kept. */
  after: string | null
  size: number
}

export interface EventPage {
  events: (EventRow & { cursor: string })[]
  hasNextPage: boolean
}

/**
 * The place of a cursor in the log.
 * @returns the refusal WORKFLOW_VALIDATION_002 for a cursor that is none of ours, or from before what was cleared
 */
export function placeOf(cursor: string, { now, floor }: LogEnds): Position | Refusal {
  const position = decodeCursor(cursor)
  // A place that the log has not reached comes from another database, or from one that was restored since.
  if (!position || comparePositions(position, now) > 0)
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.events.cursor_invalid')
  if (floor && comparePositions(position, floor) < 0 && !wasSeen(position, floor))
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.events.cursor_expired')
  return position
}

/** Reads one page of the event log in its order, as far as it is safe to read. */
export async function pageOfEvents(prisma: PrismaClient, request: EventPageRequest): Promise<EventPage | Refusal> {
  const { tenantId, instanceId, after, size } = request
  const unknown = request.topics?.find((pattern) => !topics.some((topic) => matchesTopic(pattern, topic)))
  if (unknown !== undefined)
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.events.topic_unknown', { topic: unknown })
  const place = after === null ? { txid: 0n, seq: 0n } : placeOf(after, await readLogEnds(prisma))
  if (isRefusal(place)) return place
  const types = request.topics?.flatMap((pattern) => topics.filter((topic) => matchesTopic(pattern, topic))) ?? null
  const read = await readPage(prisma, { tenantId, instanceId, types }, place, size + 1)
  const events = read.slice(0, size).map((event) => ({ ...event, cursor: encodeCursor(event) }))
  return { events, hasNextPage: read.length > size }
}

/** Whether a topic is the one named, or begins as the pattern does before its `*`. */
export function matchesTopic(pattern: string, topic: string): boolean {
  return pattern.endsWith('*') ? topic.startsWith(pattern.slice(0, -1)) : topic === pattern
}
