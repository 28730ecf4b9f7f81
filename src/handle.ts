import { uuidv7 } from 'uuidv7'
import { settle } from './answerCalls.js'
import {
  type Actor,
  type BookmarkCommand,
  type Command,
  type InstanceCommand,
  may,
  type ReportsCommand,
  type ReusePolicy,
  type StartCommand,
} from './engine/command.js'
import { type Decision, decide, decideStart } from './engine/decide.js'
import type { Changes, LoadedState, MigrationTarget, World } from './engine/execution.js'
import type { ExternalTaskCommand } from './engine/externalTasks.js'
import type { JobCommand } from './engine/jobs.js'
import { type InstanceState, isRefusal, type Refusal, refusal } from './engine/model.js'
import { refuseAnswer, refuseStart } from './forms.js'
import type { Instance } from './generated/prisma/client.js'
import { type Idempotency, newKey } from './idempotency.js'
import { findAnswer, findInstanceOfTask, hasActed } from './persistence/answers.js'
import { type DefinitionRef, findStartable } from './persistence/definitions.js'
import { flushBirths, flushChanges, type NewKey } from './persistence/flush.js'
import { findClosing, findInstance, findKey, instanceRow, lockActive } from './persistence/instances.js'
import { type InstanceKey, loadInstance, type StoredKey } from './persistence/load.js'
import { lockInstanceOf } from './persistence/locks.js'
import { classifyDatabaseError } from './persistence/sqlstate.js'
import { inTransaction, type Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'
import { storedSource } from './startChildren.js'
import { currentTraceparent, inSpan } from './tracing.js'

/** What a command was answered with. */
export interface Handled {
  /** The instance after the command, as its row reads; built in memory. */
  instance: Instance
  /** The task that the command was about, or null. */
  taskId: string | null
}

export interface HandleOptions {
  /** Refused (WORKFLOW_CONFLICT_006) when the instance is at another revision. */
  expectedRevision?: number | null
  /** A repeated call with the same key answers with the first call's instance; with other input it is refused. */
  idempotency?: Idempotency | null
  reusePolicy?: ReusePolicy
  /** What a start runs. */
  definition?: DefinitionRef
  /** A transaction of the caller's: business rows and the process commit or roll back together. */
  tx?: Transaction
}

/** `told`: events were written; `left`: work was left for a transaction of its own. */
type Outcome = (Handled & { told: boolean; left: boolean }) | Refusal
type Other = Exclude<Command, StartCommand>

/**
 * Carries out a command: lock and load, decide, write everything, all in one transaction.
 * A refusal is a value, and then nothing was written; exceptions are outages or bugs.
 */
export function handle(
  runtime: Runtime,
  actor: Actor,
  command: Command,
  options: HandleOptions = {},
): Promise<Handled | Refusal> {
  return carryOut(runtime, actor.tenantId, actor, command, options)
}

/** Carries out a command of the engine itself: a time that has come, a child or a job that has ended. Nobody is its actor. */
export function handleInternal(
  runtime: Runtime,
  tenantId: string,
  command: BookmarkCommand | ReportsCommand | InstanceCommand | JobCommand,
): Promise<Handled | Refusal> {
  return carryOut(runtime, tenantId, null, command, {})
}

/** Starts an instance that nobody asked for: its schedule did. Joins the transaction that moves the schedule on. */
export function handleScheduled(
  runtime: Runtime,
  tenantId: string,
  command: StartCommand,
  options: HandleOptions,
): Promise<Handled | Refusal> {
  return carryOut(runtime, tenantId, null, command, options)
}

/** The span and the line in the log of a command. */
function carryOut(
  runtime: Runtime,
  tenantId: string,
  actor: Actor | null,
  command: Command,
  options: HandleOptions,
): Promise<Handled | Refusal> {
  const attributes = { 'countersign.tenant': tenantId }
  return inSpan(`command ${command.type}`, { attributes }, async (span) => {
    const outcome = await carryOutUntraced(runtime, tenantId, actor, command, options)
    const facts = isRefusal(outcome) ? { code: outcome.code } : { instance: outcome.instance.id }
    for (const [name, value] of Object.entries(facts)) span.setAttribute(`countersign.${name}`, value)
    runtime.log.debug?.({ command: command.type, tenant: tenantId, ...facts }, 'a command was carried out')
    return outcome
  })
}

async function carryOutUntraced(
  runtime: Runtime,
  tenantId: string,
  actor: Actor | null,
  command: Command,
  options: HandleOptions,
): Promise<Handled | Refusal> {
  const run = (tx: Transaction) =>
    command.type === 'start'
      ? start(runtime, tx, tenantId, actor, command, options)
      : change(runtime, tx, tenantId, actor, command, options)
  const outcome = options.tx ? await run(options.tx) : await transact(runtime, run)
  if (isRefusal(outcome)) return outcome
  // What a caller's own transaction holds is not to be seen yet; he may still roll it back.
  if (outcome.told && !options.tx) runtime.wake()
  if (outcome.left && !options.tx) runtime.wakeWork?.()
  return { instance: outcome.instance, taskId: outcome.taskId }
}

/** A key that another call stored at the same moment collides; the second try finds its answer. */
async function transact(runtime: Runtime, run: (tx: Transaction) => Promise<Outcome>): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(runtime.database, run)
    } catch (error) {
      if (attempt === 3 || classifyDatabaseError(error) !== 'uniqueViolation') throw error
    }
  }
}

async function start(
  runtime: Runtime,
  tx: Transaction,
  tenantId: string,
  actor: Actor | null,
  command: StartCommand,
  options: HandleOptions,
): Promise<Outcome> {
  const key = keyOf(actor, options)
  const before = key ? await findKey(tx, tenantId, key.userId, key.key) : null
  if (key && before) return repeat(tx, tenantId, before, key)
  if (command.correlationId !== null && command.correlationId.trim() === '')
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.instance.correlation_blank')
  const found = options.definition ? await findStartable(tx, tenantId, options.definition, timeOf(runtime)) : null
  if (!found) return refusal('WORKFLOW_NOTFOUND_001', 'workflow.definition.not_published')
  const definition = await runtime.definitions.get(tx, tenantId, found.id)
  const policy = options.reusePolicy ?? 'ALLOW_DUPLICATE'
  if (policy !== 'ALLOW_DUPLICATE' && command.correlationId !== null) {
    const active = await lockActive(tx, tenantId, definition.content.name, command.correlationId)
    if (active !== null) return reuse(tx, tenantId, active, policy)
  }
  if (await findInstance(tx, tenantId, command.instanceId))
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.instance.id_taken', { id: command.instanceId })
  const world = worldOf(runtime, found)
  const facts = { tenantId, definitionId: found.id, definitionVersion: found.version, parent: null }
  const births: Changes[] = []
  const unfit = refuseStart(definition, command)
  if (unfit) return unfit
  const desk = { runtime, source: storedSource(runtime, tx), tx, actor, births }
  const decision = await inSpan('decide', {}, () => settle(desk, decideStart(definition, facts, command, world, actor)))
  return store(tx, decision, births, { loaded: 0, now: world.now, key, taskId: null, joined: options.tx !== undefined })
}

async function reuse(tx: Transaction, tenantId: string, id: string, policy: ReusePolicy): Promise<Outcome> {
  if (policy === 'REJECT_ACTIVE') return refusal('WORKFLOW_CONFLICT_005', 'workflow.instance.active_exists', { id })
  const instance = await findInstance(tx, tenantId, id)
  return instance
    ? { instance, taskId: null, told: false, left: false }
    : refusal('WORKFLOW_NOTFOUND_002', 'workflow.instance.not_found', { id })
}

async function change(
  runtime: Runtime,
  tx: Transaction,
  tenantId: string,
  actor: Actor | null,
  command: Other,
  options: HandleOptions,
): Promise<Outcome> {
  const key = keyOf(actor, options)
  if (goesByLock(command)) await lockInstanceOf(tx, tenantId, command.bookmarkId)
  const instanceKey = await instanceKeyOf(tx, tenantId, command)
  const wanted = {
    trail: command.type === 'returnTask' || command.type === 'takeBackTask',
    reports: command.type === 'takeReports',
    userId: key?.userId ?? '',
    idempotencyKey: key?.key ?? null,
    time: timeOf(runtime),
    onBehalfOfId: ('taskId' in command && command.onBehalfOfId) || null,
  }
  const loaded = await inSpan('load', {}, () => loadInstance(tx, tenantId, instanceKey, wanted))
  if (!loaded) return missing(tx, tenantId, actor, command, key)
  if (key && loaded.idempotency) return repeat(tx, tenantId, loaded.idempotency, key)
  const { instance } = loaded.state
  if (options.expectedRevision != null && options.expectedRevision !== instance.revision)
    return refusal('WORKFLOW_CONFLICT_006', 'workflow.instance.revision_changed', {
      expected: options.expectedRevision,
      actual: instance.revision,
    })
  const definition = await runtime.definitions.get(tx, tenantId, instance.definitionId)
  const world = worldOf(runtime, loaded)
  const more = await factsFor(runtime, tx, instance, command)
  const births: Changes[] = []
  const desk = { runtime, source: storedSource(runtime, tx), tx, actor, births }
  const decision = await inSpan('decide', {}, async () => {
    const opened = decide(definition, { ...loaded.state, ...more }, command, world, actor)
    // Who may not act is told so before what is wrong with his answer.
    const unfit = isRefusal(opened) ? null : refuseAnswer(definition, loaded.state, command)
    return unfit ?? settle(desk, opened)
  })
  if (isRefusal(decision) && decision.code === 'WORKFLOW_NOTFOUND_003')
    return missing(tx, tenantId, actor, command, key)
  const facts = { loaded: instance.revision, now: world.now, key, taskId: taskOf(command) }
  return store(tx, decision, births, { ...facts, joined: options.tx !== undefined })
}

/** What only some commands need to know besides the state of the instance. */
async function factsFor(
  runtime: Runtime,
  tx: Transaction,
  instance: InstanceState,
  command: Other,
): Promise<Partial<LoadedState>> {
  switch (command.type) {
    case 'migrate':
      return { target: await findTarget(runtime, tx, instance, command.targetVersion) }
    case 'takeBackTask':
      return { taken: await findAnswer(tx, instance.tenantId, command.taskId) }
    case 'withdraw':
      return { acted: await hasActed(tx, instance) }
    default:
      return {}
  }
}

/** The published version that an instance shall migrate to. */
async function findTarget(
  runtime: Runtime,
  tx: Transaction,
  { tenantId, definitionName }: { tenantId: string; definitionName: string },
  version: number,
): Promise<MigrationTarget | null> {
  const found = await findStartable(tx, tenantId, { name: definitionName, version })
  if (!found) return null
  return { id: found.id, version: found.version, definition: await runtime.definitions.get(tx, tenantId, found.id) }
}

async function store(
  tx: Transaction,
  decision: Decision,
  births: readonly Changes[],
  facts: { loaded: number; now: number; key: NewKey | null; taskId: string | null; joined: boolean },
): Promise<Outcome> {
  if (isRefusal(decision)) return decision
  const told = decision.events.length > 0
  const left = [decision, ...births].some(({ notices }) => notices.length > 0)
  const options = { now: facts.now, traceparent: currentTraceparent(), joined: facts.joined }
  if (told || decision.nodeInstances.length > 0 || decision.noticesTaken.length > 0 || facts.key) {
    const guarded = { ...options, expectedRevision: facts.loaded, key: facts.key }
    const written = await inSpan('flush', {}, () => flushChanges(tx, decision, guarded))
    // The row is locked since it was loaded: another revision would mean that the lock did not hold.
    if (!written) throw new Error(`instance ${decision.instance.id} changed under its lock`)
  }
  // A row refers to its parent's: parents first.
  await flushBirths(tx, births, options)
  return { instance: instanceRow(decision.instance), taskId: facts.taskId, told, left }
}

function timeOf(runtime: Runtime): Date | null {
  return runtime.clock ? new Date(runtime.clock.now()) : null
}

function worldOf(runtime: Runtime, { now, absences }: { now: number; absences: boolean }): World {
  return {
    now: runtime.clock?.now() ?? Math.floor(now),
    absences,
    newId: uuidv7,
    registry: runtime.registry,
    options: runtime.options,
  }
}

function keyOf(actor: Actor | null, { idempotency }: HandleOptions): NewKey | null {
  return idempotency && actor ? newKey(actor, idempotency) : null
}

/** Answers a call that came before: with the instance as it is now, or refused where its input was another. */
async function repeat(tx: Transaction, tenantId: string, before: StoredKey, key: NewKey): Promise<Outcome> {
  if (before.operation !== key.operation || before.inputHash !== key.inputHash)
    return refusal('WORKFLOW_CONFLICT_006', 'workflow.idempotency.key_reused', { key: key.key })
  const instance = before.instanceId === null ? null : await findInstance(tx, tenantId, before.instanceId)
  return instance
    ? { instance, taskId: null, told: false, left: false }
    : refusal('WORKFLOW_NOTFOUND_002', 'workflow.instance.not_found', { id: before.instanceId ?? '' })
}

async function instanceKeyOf(tx: Transaction, tenantId: string, command: Other): Promise<InstanceKey> {
  if ('instanceId' in command) return { instanceId: command.instanceId }
  // The task that was answered is closed: only the history knows its instance.
  if (command.type === 'takeBackTask') {
    const instanceId = await findInstanceOfTask(tx, tenantId, command.taskId)
    return instanceId === null ? { bookmarkId: command.taskId } : { instanceId }
  }
  return { bookmarkId: 'taskId' in command ? command.taskId : command.bookmarkId }
}

function goesByLock(command: Other): command is ExternalTaskCommand | JobCommand {
  return ['finishJob', 'completeExternalTask', 'failExternalTask'].includes(command.type)
}

function taskOf(command: Other): string | null {
  return 'taskId' in command ? command.taskId : null
}

/** Refuses what is not there; a task that someone has closed is told of, to those whom it concerned. */
async function missing(
  tx: Transaction,
  tenantId: string,
  actor: Actor | null,
  command: Other,
  key: NewKey | null,
): Promise<Outcome> {
  const before = key ? await findKey(tx, tenantId, key.userId, key.key) : null
  if (key && before) return repeat(tx, tenantId, before, key)
  if ('instanceId' in command)
    return refusal('WORKFLOW_NOTFOUND_002', 'workflow.instance.not_found', { id: command.instanceId })
  if (!('taskId' in command))
    return refusal('WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found', { id: command.bookmarkId })
  const gone = refusal('WORKFLOW_NOTFOUND_003', 'workflow.task.not_found', { id: command.taskId })
  const closed = actor ? await findClosing(tx, tenantId, command.taskId) : null
  if (!actor || !closed) return gone
  const concerned =
    closed.assigneeId === actor.userId ||
    closed.actorId === actor.userId ||
    actor.groups.some((group) => closed.assigneeId === `group:${group}`)
  if (!concerned && !may(actor, 'operate')) return gone
  const details = {
    action: closed.action,
    outcome: closed.outcome,
    actorId: closed.actorId,
    at: closed.at.toISOString(),
  }
  return {
    ...gone,
    ...(closed.actorId === null
      ? { messageKey: 'workflow.task.closed_by_engine' }
      : { messageKey: 'workflow.task.closed', arguments: { ...gone.arguments, actor: closed.actorId } }),
    details,
  }
}
