import type { Activity, ActivityResult, Outgoing, PropertyDescriptor } from './engine/activities/activity.js'
import { customActivity } from './engine/activities/custom.js'
import { createRegistry, type Registry } from './engine/activities/registry.js'
import type { Actor } from './engine/command.js'
import type { BookmarkState, Fault, InstanceState, Json, JsonObject, WorkflowNode } from './engine/model.js'
import type { Transaction } from './persistence/transaction.js'

/** What an application's code is given: everything it does through `tx` commits with the process or not at all. */
export interface CallContext {
  tx: Transaction
  /** Who acts; null where the engine does. */
  actor: Actor | null
  /** Epoch milliseconds: the time of the command. */
  now: number
  instance: Readonly<InstanceState>
  node: Readonly<WorkflowNode>
  variables: JsonObject
}

export interface ActivityCall extends CallContext {
  attempt: number
  /** What the node keeps for itself between its runs. */
  state: Readonly<JsonObject>
  /** What a completed run gave: of use where it is undone. */
  output: Readonly<JsonObject> | null
  /**
   * A text property with its `{{ }}` templates rendered; a missing one is the empty string.
   * @throws FaultError where an expression fails; not caught, it becomes the node's fault
   */
  render(property: string): string
}

/** An activity that an application brings. It may do I/O, but no network call: the transaction waits for it. */
export interface ApplicationActivity {
  type: string
  category?: string
  outgoing?: Outgoing
  properties?: readonly PropertyDescriptor[]
  validate?: Activity['validate']
  /** Checks before it writes: what it wrote before it fails is not taken back alone. */
  execute(call: ActivityCall): Promise<ActivityResult>
  /** What a waiting node makes of a bookmark that was consumed; without it the node completes with the inputs. */
  resume?(call: ActivityCall, bookmark: BookmarkState, inputs: JsonObject): Promise<ActivityResult>
  /** Undoes what a completed run did. Called once, in the reverse order of completion. */
  compensate?(call: ActivityCall): Promise<Fault | undefined>
}

/** Finds the people of an assignee rule of its type. */
export interface AssigneeProvider {
  type: string
  resolve(call: CallContext & { values: Json }): Promise<string[] | Fault>
}

/** Hears of an outcome before the instance ends with it; the result of an approval is written back here. */
export type OutcomeHandler = (call: CallContext & { outcome: string }) => Promise<Fault | undefined>

export interface Extensions {
  activities: readonly ApplicationActivity[]
  assigneeProviders: readonly AssigneeProvider[]
  outcomeHandlers: readonly OutcomeHandler[]
}

export const noExtensions: Extensions = { activities: [], assigneeProviders: [], outcomeHandlers: [] }

/** A failure that an application's code wants to be seen as it is, with a code and a message key of its own. */
export class FaultError extends Error {
  constructor(readonly fault: Fault) {
    super(fault.messageKey)
    this.name = 'FaultError'
  }
}

/** The registry that knows the built-in kinds of nodes and rules and those of the application. */
export function registryWith(extensions: Extensions, expressionCacheSize?: number): Registry {
  return createRegistry(expressionCacheSize, {
    activities: extensions.activities.map((activity) =>
      customActivity(
        {
          type: activity.type,
          category: activity.category ?? 'application',
          outgoing: activity.outgoing ?? 'AllMatched',
          properties: activity.properties ?? [],
          compensable: activity.compensate !== undefined,
          ...(activity.validate ? { validate: activity.validate } : {}),
        },
        { resumable: activity.resume !== undefined },
      ),
    ),
    assigneeRules: extensions.assigneeProviders.map(({ type }) => type),
    handlesOutcomes: extensions.outcomeHandlers.length > 0,
  })
}
