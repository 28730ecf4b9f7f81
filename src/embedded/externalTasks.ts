import type { Actor } from '../engine/command.js'
import { isRefusal, type JsonObject, type Refusal } from '../engine/model.js'
import { completeExternalTask, extendExternalTaskLock, failExternalTask, fetchExternalTasks } from '../externalTasks.js'
import type { LockedTask } from '../persistence/locks.js'
import { objectOrNull, refuseWithout } from '../refusals.js'
import type { Runtime } from '../runtime.js'
import { type Done, doneOf, type JoinOptions, readInput, txOf } from './operation.js'

/** What a worker asks for. */
export interface FetchInput {
  topic: string
  workerId: string
  lockSeconds: number
  /** 1 to 100. */
  maxTasks?: number | undefined
  /** How long to wait for a task where there is none: 0 to 60. */
  waitSeconds?: number | undefined
}

/** Work that the application does outside the engine. All of it takes `work`. Locks are short statements of their own. */
export function externalTaskOperations(runtime: Runtime) {
  return {
    /** Fetches and locks tasks of a topic, the oldest first. */
    async fetch(actor: Actor, input: FetchInput): Promise<LockedTask[] | Refusal> {
      const given = readInput(runtime, input)
      const refused = refuseWithout(actor, 'work') ?? (isRefusal(given) ? given : null)
      const { maxTasks = 1, waitSeconds = 0 } = input
      return refused ?? (await fetchExternalTasks(runtime, actor, { ...input, maxTasks, waitSeconds }))
    },
    /** Makes the lock of a task last longer. */
    async extendLock(
      actor: Actor,
      input: { id: string; workerId: string; lockSeconds: number },
    ): Promise<LockedTask | Refusal> {
      const given = readInput(runtime, input)
      const refused = refuseWithout(actor, 'work') ?? (isRefusal(given) ? given : null)
      return refused ?? (await extendExternalTaskLock(runtime, actor, input))
    },
    /** Completes a task that the worker holds; its node goes on with the variables. */
    async complete(
      actor: Actor,
      input: { id: string; workerId: string; variables?: object | undefined },
      options: JoinOptions = {},
    ): Promise<Done | Refusal> {
      const given = readInput(runtime, input)
      if (isRefusal(given)) return given
      const variables = objectOrNull('variables', given.variables as JsonObject | undefined)
      if (isRefusal(variables)) return variables
      const refused = refuseWithout(actor, 'work')
      if (refused) return refused
      const done = { id: given.id, workerId: given.workerId, variables: variables ?? {} }
      return doneOf(await completeExternalTask(runtime, actor, done, joined(options)))
    },
    /** Reports a failure; with `retryAfterSeconds` the task can be fetched again then. */
    async fail(
      actor: Actor,
      input: { id: string; workerId: string; error: string; retryAfterSeconds?: number | undefined },
      options: JoinOptions = {},
    ): Promise<Done | Refusal> {
      // The error is a report: what cannot be stored of it is replaced, never refused.
      const { error, retryAfterSeconds = null, ...ids } = input
      const given = readInput(runtime, { ...ids, retryAfterSeconds })
      const refused = refuseWithout(actor, 'work') ?? (isRefusal(given) ? given : null)
      if (refused) return refused
      return doneOf(await failExternalTask(runtime, actor, { ...ids, error, retryAfterSeconds }, joined(options)))
    },
  }
}

function joined(options: JoinOptions) {
  const tx = txOf(options)
  return tx ? { tx } : {}
}
