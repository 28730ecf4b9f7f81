import { uuidv7 } from 'uuidv7'
import type { Actor, StartCommand } from './engine/command.js'
import { isRefusal, type JsonObject, type Refusal, refusal } from './engine/model.js'
import { handle } from './handle.js'
import { type Idempotency, newKey } from './idempotency.js'
import { newestPublished } from './persistence/definitions.js'
import type { NewKey } from './persistence/flush.js'
import { claimKey, storeResult } from './persistence/keyedResults.js'
import { findWaiters, insertHeldSignal } from './persistence/signals.js'
import { classifyDatabaseError } from './persistence/sqlstate.js'
import { joinOrBegin, type Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

export interface Signal {
  name: string
  payload: JsonObject | null
  correlationId: string | null
  /** How long it is kept for waiters to come when it met none; 0: not at all. */
  holdSeconds: number
}

/** How many waiters a signal resumed and how many instances it started, really. */
export interface SignalMet {
  resumed: number
  started: number
}

/**
 * Sends a signal: resumes its waiters of the partition, each in a transaction of its own, then starts the newest
 * published definitions that begin with it. A call whose key came before answers as the first one did.
 * @param tx a transaction of the caller's: then all of it happens there, and an error of one ends it for all
 */
export async function signal(
  runtime: Runtime,
  actor: Actor,
  sent: Signal,
  idempotency: Idempotency | null = null,
  tx?: Transaction,
): Promise<SignalMet | Refusal> {
  if (sent.name.trim() === '') return refusal('WORKFLOW_VALIDATION_002', 'workflow.signal.name_blank')
  if (sent.correlationId !== null && sent.correlationId.trim() === '')
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.instance.correlation_blank')
  if (sent.holdSeconds < 0)
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.signal.hold_invalid', { seconds: sent.holdSeconds })
  const key = idempotency ? newKey(actor, idempotency) : null
  const before = key ? await answered(runtime, actor, key, tx) : null
  if (before) return before
  const resumed = await resumeWaiters(runtime, actor, sent, tx)
  const started = await startBeginners(runtime, actor, sent, idempotency, tx)
  return conclude(runtime, actor, sent, { resumed, started, key, tx })
}

/** What the key's first call came to. One that was cut off is carried on: what it has done is not done again. */
async function answered(
  runtime: Runtime,
  actor: Actor,
  key: NewKey,
  tx: Transaction | undefined,
): Promise<SignalMet | Refusal | null> {
  const now = runtime.clock?.now() ?? null
  const before = await joinOrBegin(runtime.database, tx, (tx) => claimKey(tx, actor.tenantId, now, key))
  if (!before) return null
  if (before.operation !== key.operation || before.inputHash !== key.inputHash)
    return refusal('WORKFLOW_CONFLICT_006', 'workflow.idempotency.key_reused', { key: key.key })
  return before.result === null ? null : (before.result as unknown as SignalMet)
}

async function resumeWaiters(
  runtime: Runtime,
  actor: Actor,
  sent: Signal,
  tx: Transaction | undefined,
): Promise<number> {
  let resumed = 0
  for (const { id } of await findWaiters(tx ?? runtime.database.prisma, actor.tenantId, sent)) {
    const command = { type: 'signalBookmark', bookmarkId: id, name: sent.name, payload: sent.payload } as const
    const outcome = await attempt(runtime, { tenant: actor.tenantId, bookmark: id }, () =>
      handle(runtime, actor, command, tx ? { tx } : {}),
    )
    if (outcome && !isRefusal(outcome)) resumed += 1
  }
  return resumed
}

/** One that cannot take the signal must not keep it from the others; an outage is everybody's. */
async function attempt<T>(runtime: Runtime, facts: object, run: () => Promise<T>): Promise<T | null> {
  try {
    return await run()
  } catch (error) {
    if (classifyDatabaseError(error) !== 'other') throw error
    runtime.log.error({ err: error, ...facts }, 'a signal could not be taken')
    return null
  }
}

/** Starts what begins with the signal. @returns the ids of the instances */
async function startBeginners(
  runtime: Runtime,
  actor: Actor,
  sent: Signal,
  idempotency: Idempotency | null,
  tx: Transaction | undefined,
): Promise<string[]> {
  const { tenantId } = actor
  const beginning = await joinOrBegin(runtime.database, tx, async (tx) => {
    const found: string[] = []
    for (const { id } of await newestPublished(tx, tenantId)) {
      const definition = await runtime.definitions.get(tx, tenantId, id)
      if (definition.startNode.properties.SignalName === sent.name) found.push(id)
    }
    return found
  })
  const started: string[] = []
  for (const definitionId of beginning) {
    const command: StartCommand = {
      type: 'start',
      instanceId: uuidv7(),
      variables: { signal: sent.payload },
      starterId: actor.userId,
      correlationId: sent.correlationId,
      displayName: null,
    }
    // A key of its own for each definition: a call that was cut off and comes again starts none of them twice.
    const own = idempotency && { ...idempotency, key: `${idempotency.key} ${definitionId}` }
    const facts = { tenant: tenantId, definition: definitionId }
    const options = { definition: { definitionId }, idempotency: own, ...(tx ? { tx } : {}) }
    const outcome = await attempt(runtime, facts, () => handle(runtime, actor, command, options))
    if (outcome && isRefusal(outcome))
      runtime.log.warn({ ...facts, key: outcome.messageKey }, 'a signal could not start its definition')
    else if (outcome) started.push(outcome.instance.id)
  }
  return started
}

async function conclude(
  runtime: Runtime,
  actor: Actor,
  sent: Signal,
  {
    resumed,
    started,
    key,
    tx,
  }: { resumed: number; started: string[]; key: NewKey | null; tx: Transaction | undefined },
): Promise<SignalMet | Refusal> {
  const { tenantId } = actor
  const met = { resumed, started: started.length }
  const held = resumed === 0 && sent.holdSeconds > 0
  if (!held && !key) return met
  const now = runtime.clock?.now() ?? null
  const first = await joinOrBegin(runtime.database, tx, async (tx) => {
    if (key && !(await storeResult(tx, tenantId, key, met))) return false
    const { name, correlationId, payload, holdSeconds: seconds } = sent
    // What the signal has just started does not take it a second time.
    const facts = { id: uuidv7(), name, correlationId, payload, senderId: actor.userId, takenBy: started, seconds }
    if (held) await insertHeldSignal(tx, tenantId, now, facts)
    return true
  })
  // Two calls with one key at the same moment: both answer what was stored first.
  return first || !key ? met : ((await answered(runtime, actor, key, tx)) ?? met)
}
