import type { Actor } from './engine/command.js'
import { type JsonObject, type MessageArguments, type Refusal, refusal } from './engine/model.js'
import { type Handled, type HandleOptions, handle } from './handle.js'
import {
  countExternalTasks,
  extendLock,
  type LockedTask,
  lockExternalTasks,
  statusOfExternalTask,
} from './persistence/locks.js'
import { isUuid } from './persistence/text.js'
import type { Runtime } from './runtime.js'

const maxTasksPerFetch = 100
const maxNameLength = 200
const maxErrorLength = 4000
const day = 86_400
const longest = { lockSeconds: 30 * day, waitSeconds: 60, retryAfterSeconds: 365 * day }
/** How often a waiting fetch looks again, in milliseconds. */
const fetchInterval = 500

export interface FetchRequest {
  topic: string
  workerId: string
  lockSeconds: number
  maxTasks: number
  /** How long to wait for a task where there is none. */
  waitSeconds: number
}

/**
 * Fetches tasks of a topic and locks them for a worker. What others take at this moment is left out: there may be more
 * tasks than come back.
 * @param isAwaited whether the caller still waits for the answer
 */
export async function fetchExternalTasks(
  runtime: Runtime,
  actor: Actor,
  request: FetchRequest,
  isAwaited: () => boolean = () => true,
): Promise<LockedTask[] | Refusal> {
  const { topic, workerId, lockSeconds, maxTasks, waitSeconds } = request
  const refused =
    checkName('topic', topic) ??
    checkName('workerId', workerId) ??
    checkRange('lockSeconds', lockSeconds, 1, longest.lockSeconds) ??
    checkRange('maxTasks', maxTasks, 1, maxTasksPerFetch) ??
    checkRange('waitSeconds', waitSeconds, 0, longest.waitSeconds)
  if (refused) return refused
  const wanted = { topic, workerId, milliseconds: lockSeconds * 1000, limit: maxTasks }
  const end = performance.now() + waitSeconds * 1000
  for (;;) {
    // Locked for somebody who has gone, a task would stand still until its lock ends.
    if (!isAwaited()) return []
    const tasks = await lockExternalTasks(runtime.database.prisma, actor.tenantId, timeOf(runtime), wanted)
    const left = end - performance.now()
    if (tasks.length > 0 || left <= 0) return tasks
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, fetchInterval)))
  }
}

/** How many tasks of a topic a worker could fetch now. */
export function countFetchable(runtime: Runtime, actor: Actor, topic: string): Promise<number> {
  return countExternalTasks(runtime.database.prisma, actor.tenantId, timeOf(runtime), topic)
}

/** Completes a task that the worker holds; its node goes on with the variables. */
export async function completeExternalTask(
  runtime: Runtime,
  actor: Actor,
  done: { id: string; workerId: string; variables: JsonObject },
  options: HandleOptions = {},
): Promise<Handled | Refusal> {
  const { id, workerId, variables } = done
  if (!isUuid(id)) return notFound(id)
  return handle(
    runtime,
    actor,
    { type: 'completeExternalTask', bookmarkId: id.toLowerCase(), workerId, variables },
    options,
  )
}

/** Reports a failure: with `retryAfterSeconds` the task can be fetched again then, without it its node fails. */
export async function failExternalTask(
  runtime: Runtime,
  actor: Actor,
  failed: { id: string; workerId: string; error: string; retryAfterSeconds: number | null },
  options: HandleOptions = {},
): Promise<Handled | Refusal> {
  const { id, workerId, retryAfterSeconds: seconds } = failed
  const refused = seconds === null ? null : checkRange('retryAfterSeconds', seconds, 0, longest.retryAfterSeconds)
  if (refused) return refused
  if (!isUuid(id)) return notFound(id)
  const error = storableError(failed.error)
  const retryAfter = seconds === null ? null : seconds * 1000
  return handle(
    runtime,
    actor,
    { type: 'failExternalTask', bookmarkId: id.toLowerCase(), workerId, error, retryAfter },
    options,
  )
}

/** Moves the end of a lock that the worker holds to so many seconds from now. */
export async function extendExternalTaskLock(
  runtime: Runtime,
  actor: Actor,
  wanted: { id: string; workerId: string; lockSeconds: number },
): Promise<LockedTask | Refusal> {
  const { id, workerId, lockSeconds } = wanted
  const refused = checkRange('lockSeconds', lockSeconds, 1, longest.lockSeconds)
  if (refused) return refused
  if (!isUuid(id)) return notFound(id)
  const { prisma } = runtime.database
  const lock = { id, workerId, milliseconds: lockSeconds * 1000 }
  const extended = await extendLock(prisma, actor.tenantId, timeOf(runtime), lock)
  if (extended) return extended
  const status = await statusOfExternalTask(prisma, actor.tenantId, id)
  if (status === null) return notFound(id)
  return status === 'RUNNING'
    ? refusal('WORKFLOW_DENIED_002', 'workflow.external.not_locked', { id, worker: workerId })
    : refusal('WORKFLOW_CONFLICT_003', 'workflow.bookmark.not_resumable', { status })
}

/** An error report is never refused for its text: what cannot be stored is replaced, what is too long is cut. */
export function storableError(text: string): string {
  const clean = text.replace(/[\0\p{Cs}]/gu, '\uFFFD')
  return clean.length <= maxErrorLength ? clean : `${[...clean.slice(0, maxErrorLength)].slice(0, -1).join('')}…`
}

function timeOf({ clock }: Runtime): number | null {
  return clock?.now() ?? null
}

function notFound(id: string): Refusal {
  return refusal('WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found', { id })
}

function checkName(argument: string, value: string): Refusal | null {
  const right = value.trim() !== '' && value.length <= maxNameLength
  return right ? null : wrong('workflow.input.name_invalid', { argument, max: maxNameLength })
}

function checkRange(argument: string, value: number, min: number, max: number): Refusal | null {
  const right = Number.isInteger(value) && value >= min && value <= max
  return right ? null : wrong('workflow.input.out_of_range', { argument, value, min, max })
}

function wrong(messageKey: string, args: MessageArguments): Refusal {
  return refusal('WORKFLOW_VALIDATION_002', messageKey, args)
}
