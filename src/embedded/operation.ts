import type { Actor, Command } from '../engine/command.js'
import { isRefusal, type JsonObject, type Refusal } from '../engine/model.js'
import type { Instance } from '../generated/prisma/client.js'
import { type Handled, type HandleOptions, handle } from '../handle.js'
import { checkInput } from '../inputCheck.js'
import { asTransaction, type SqlClient } from '../persistence/sqlClient.js'
import type { Transaction } from '../persistence/transaction.js'
import type { Runtime } from '../runtime.js'

/** For every operation: a transaction that the application has opened; without one the operation opens its own. */
export interface JoinOptions {
  tx?: Transaction | SqlClient | undefined
}

/** For commands on an instance or a task. */
export interface CommandOptions extends JoinOptions {
  /** Refused (WORKFLOW_CONFLICT_006) when the instance has changed since it was read at this revision. */
  expectedRevision?: number | undefined
  /** A repeated call with the same key answers with the first call’s instance; with other input it is refused. */
  idempotencyKey?: string | undefined
}

/** An instance as embedders see it. */
export type InstanceFacts = Pick<
  Instance,
  | 'id'
  | 'definitionId'
  | 'definitionName'
  | 'definitionVersion'
  | 'status'
  | 'title'
  | 'correlationId'
  | 'starterId'
  | 'parentId'
  | 'outcome'
  | 'fault'
  | 'faultNodeId'
  | 'revision'
  | 'createdAt'
  | 'endedAt'
> & { variables: JsonObject }

/** What a command was answered with. */
export interface Done {
  /** The instance after the command. */
  instance: InstanceFacts
  /** The task that the command was about, or null. */
  taskId: string | null
}

/** One call: who asks for what, how. */
export interface Call {
  operation: string
  actor: Actor
  /** As it was given: what is checked, and what makes a repeated call the same. */
  input: object
  options: CommandOptions
}

/** The transaction that the options name, if they name one. */
export function txOf({ tx }: JoinOptions): Transaction | undefined {
  return tx && asTransaction(tx)
}

/**
 * Takes what an application gives as JSON: members without a value are left out, dates become texts.
 * @returns a copy, or the refusal of what cannot be stored (WORKFLOW_VALIDATION_002, _004)
 */
export function readInput<T extends object>(runtime: Runtime, input: T): T | Refusal {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  // The input is one level, above the values that are stored.
  const refused = checkInput(runtime, given, 1)
  return refused ?? (JSON.parse(JSON.stringify(given)) as T)
}

/** Carries a command out; `commandOf` makes it of the input once that is checked. */
export async function carryOut<T extends object>(
  runtime: Runtime,
  call: Call & { input: T },
  commandOf: (input: T) => Command | Refusal,
  more: HandleOptions = {},
): Promise<Done | Refusal> {
  const { operation, actor, options } = call
  const input = readInput(runtime, call.input)
  if (isRefusal(input)) return input
  const command = commandOf(input)
  if (isRefusal(command)) return command
  const { expectedRevision = null, idempotencyKey: key } = options
  const idempotency = key === undefined ? null : { key, operation, input }
  const tx = txOf(options)
  const handled = await handle(runtime, actor, command, {
    ...more,
    expectedRevision,
    idempotency,
    ...(tx ? { tx } : {}),
  })
  return doneOf(handled)
}

/** What embedders see of an answer. */
export function doneOf(handled: Handled | Refusal): Done | Refusal {
  return isRefusal(handled) ? handled : { instance: factsOf(handled.instance), taskId: handled.taskId }
}

/** What embedders see of an instance. */
export function factsOf(row: Instance): InstanceFacts {
  const { seq, tenantId, titleKey, searchText, state, eventSeq, depth, parentNodeInstanceId, ...facts } = row
  const { faultNodeInstanceId, ...shown } = facts
  return { ...shown, variables: row.variables as JsonObject }
}
