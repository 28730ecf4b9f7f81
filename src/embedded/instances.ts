import type { Actor, InstanceCommand, ReusePolicy } from '../engine/command.js'
import { isRefusal, type JsonObject, type Refusal } from '../engine/model.js'
import { findInstance } from '../persistence/instances.js'
import { isUuid } from '../persistence/text.js'
import { type PurgeRequest, purgeInstances } from '../purge.js'
import { bookmarkNotFound, instanceNotFound, objectOrNull, readNodeMapping, refuseWithout } from '../refusals.js'
import type { Runtime } from '../runtime.js'
import { type SignalMet, signal } from '../signal.js'
import { readStart, type StartRequest } from '../startRequest.js'
import {
  type CommandOptions,
  carryOut,
  type Done,
  factsOf,
  type InstanceFacts,
  type JoinOptions,
  readInput,
  txOf,
} from './operation.js'

/** What a start takes. */
export type StartInput = Omit<StartRequest, 'variables'> & {
  variables?: object | undefined
  /** What to do when an unfinished instance has the same correlation id; by default another one is started. */
  reusePolicy?: ReusePolicy | undefined
}

/** A signal for all who wait for it. */
export interface SignalInput {
  name: string
  payload?: object | undefined
  /** Whom it is for: waiters with this correlation id and those without one. */
  correlationId?: string | undefined
  /** How long it is kept when it met no waiter. */
  holdSeconds?: number | undefined
}

/** Starting, controlling and waking instances. Controls take `operate`, signals `operate` or `work`. */
export function instanceOperations(runtime: Runtime) {
  const control = <T extends { id: string }>(
    type: InstanceCommand['type'],
    actor: Actor,
    input: T,
    options: CommandOptions,
    commandOf: (input: T) => InstanceCommand | Refusal,
  ): Promise<Done | Refusal> =>
    carryOut(runtime, { operation: type, actor, input, options }, (given) => {
      const refused = refuseWithout(actor, 'operate')
      if (refused) return refused
      return isUuid(given.id) ? commandOf(given) : instanceNotFound(given.id)
    })
  const withReason =
    (type: 'suspend' | 'cancel' | 'terminate') =>
    (actor: Actor, input: { id: string; reason?: string | undefined }, options: CommandOptions = {}) =>
      control(type, actor, input, options, ({ id, reason = null }) => ({ type, instanceId: id, reason }))
  const plain =
    (type: 'resume' | 'retry') =>
    (actor: Actor, input: { id: string }, options: CommandOptions = {}) =>
      control(type, actor, input, options, ({ id }) => ({ type, instanceId: id }))
  return {
    /** Starts an instance of a published definition and runs it until it waits or ends. */
    async start(actor: Actor, input: StartInput, options: CommandOptions = {}): Promise<Done | Refusal> {
      const { reusePolicy = 'ALLOW_DUPLICATE', startAt = null, ...given } = input
      const request = { ...given, startAt: startAt?.getTime() ?? null } as const
      const checked = readInput(runtime, request)
      if (isRefusal(checked)) return checked
      const start = readStart({ ...checked, startAt, variables: checked.variables as JsonObject }, actor.userId)
      if (isRefusal(start)) return start
      const call = { operation: 'startInstance', actor, input: { ...request, reusePolicy }, options }
      return carryOut(runtime, call, () => start.command, { definition: start.definition, reusePolicy })
    },
    /** Holds a running instance. */
    suspend: withReason('suspend'),
    /** Lets a suspended instance go on. */
    resume: plain('resume'),
    /** Ends an instance, with compensation where its definition asks for it. */
    cancel: withReason('cancel'),
    /** Ends an instance at once. */
    terminate: withReason('terminate'),
    /** Runs the node of a faulted instance again. */
    retry: plain('retry'),
    /** Sets and removes variables of an unfinished instance. */
    setVariables: (
      actor: Actor,
      input: { id: string; set?: object | undefined; remove?: string[] | undefined },
      options: CommandOptions = {},
    ) =>
      control('setVariables', actor, input, options, ({ id, set = {}, remove = [] }) => {
        const variables = objectOrNull('set', set as JsonObject)
        if (isRefusal(variables)) return variables
        return { type: 'setVariables', instanceId: id, set: variables ?? {}, remove }
      }),
    /** Gives up all that is open and goes on from another node. */
    jump: (
      actor: Actor,
      input: { id: string; targetNodeId: string; reason?: string | undefined },
      options: CommandOptions = {},
    ) =>
      control('jump', actor, input, options, ({ id, targetNodeId, reason = null }) => ({
        type: 'jump',
        instanceId: id,
        targetNodeId,
        reason,
      })),
    /** Moves an unfinished instance to another published version; what is open stays as it is. */
    migrate: (
      actor: Actor,
      input: {
        id: string
        targetVersion: number
        /** Where nodes have other ids in the target: `{ old: new }`. */
        nodeMapping?: { [nodeId: string]: string } | undefined
        /** Only check. */
        dryRun?: boolean | undefined
      },
      options: CommandOptions = {},
    ) =>
      control('migrate', actor, input, options, ({ id, targetVersion, nodeMapping: given, dryRun = false }) => {
        const nodeMapping = readNodeMapping(given)
        if (isRefusal(nodeMapping)) return nodeMapping
        return { type: 'migrate', instanceId: id, targetVersion, nodeMapping, dryRun }
      }),
    /** Resumes what an instance waits for, as if it had come. Takes `operate`. */
    resumeBookmark: (
      actor: Actor,
      input: { id: string; inputs?: object | undefined; expectedKey?: string | undefined },
      options: CommandOptions = {},
    ) =>
      carryOut(
        runtime,
        { operation: 'resumeBookmark', actor, input, options },
        ({ id, inputs, expectedKey = null }) => {
          const refused = refuseWithout(actor, 'operate')
          if (refused) return refused
          if (!isUuid(id)) return bookmarkNotFound(id)
          const given = objectOrNull('inputs', inputs as JsonObject | undefined)
          if (isRefusal(given)) return given
          return { type: 'resumeBookmark', bookmarkId: id, inputs: given ?? {}, expectedKey }
        },
      ),
    /** Wakes all who wait for the signal, then starts what starts on it. */
    async signal(
      actor: Actor,
      input: SignalInput,
      options: JoinOptions & { idempotencyKey?: string | undefined } = {},
    ): Promise<SignalMet | Refusal> {
      const refused = refuseWithout(actor, 'operate', 'work')
      if (refused) return refused
      const given = readInput(runtime, input)
      if (isRefusal(given)) return given
      const payload = objectOrNull('payload', given.payload as JsonObject | undefined)
      if (isRefusal(payload)) return payload
      const { name, correlationId = null, holdSeconds = 0 } = given
      const key = options.idempotencyKey
      const idempotency = key === undefined ? null : { key, operation: 'signal', input: given }
      return signal(runtime, actor, { name, payload, correlationId, holdSeconds }, idempotency, txOf(options))
    },
    /** Removes ended instances with everything that belongs to them. Takes `operate`. */
    async purge(
      actor: Actor,
      input: { endedBefore: Date } & Partial<Omit<PurgeRequest, 'endedBefore'>>,
      options: JoinOptions = {},
    ): Promise<{ purged: number } | Refusal> {
      const refused = refuseWithout(actor, 'operate')
      if (refused) return refused
      const { endedBefore, statuses = null, definitionName = null, limit = 1000 } = input
      const request = { endedBefore: endedBefore.getTime(), statuses, definitionName, limit }
      const purged = await purgeInstances(runtime, actor.tenantId, request, txOf(options))
      return isRefusal(purged) ? purged : { purged }
    },
    /** An instance of the actor's partition as it is now, null where there is none. */
    async find(actor: Actor, id: string, options: JoinOptions = {}): Promise<InstanceFacts | null> {
      if (!isUuid(id)) return null
      const row = await findInstance(txOf(options) ?? runtime.database.prisma, actor.tenantId, id)
      return row && factsOf(row)
    },
  }
}
