import type { Actor, TaskCommand } from '../engine/command.js'
import { isRefusal, type JsonObject, type Refusal } from '../engine/model.js'
import { findOpenTasks, type OpenTask } from '../persistence/openTasks.js'
import { isUuid } from '../persistence/text.js'
import { objectOrNull, taskNotFound } from '../refusals.js'
import type { Runtime } from '../runtime.js'
import { type CommandOptions, carryOut, type Done, type JoinOptions, txOf } from './operation.js'

/** A task and what is said to it. */
export interface OnTask {
  taskId: string
  /** What is said to it; it stays in the history. */
  comment?: string | undefined
}

/** A yes or no to a task. */
export interface AnswerInput extends OnTask {
  /** Variables to set: an object. */
  variables?: object | undefined
  /** Whose task it is, where an operator answers it for someone; the history names both. */
  onBehalfOf?: string | undefined
}

/** What people do with their tasks. The engine decides whose task it is; `operate` reaches other people's. */
export function taskOperations(runtime: Runtime) {
  const act = <T extends OnTask>(
    operation: string,
    actor: Actor,
    input: T,
    options: CommandOptions,
    commandOf: (input: T, comment: string | null) => TaskCommand | Refusal,
  ): Promise<Done | Refusal> =>
    carryOut(runtime, { operation, actor, input, options }, (given) =>
      isUuid(given.taskId) ? commandOf(given, given.comment ?? null) : taskNotFound(given.taskId),
    )
  const answer = (
    operation: string,
    actor: Actor,
    input: AnswerInput & { outcome: string },
    options: CommandOptions,
  ): Promise<Done | Refusal> =>
    act(operation, actor, input, options, ({ taskId, outcome, onBehalfOf = null, ...given }, comment) => {
      const variables = objectOrNull('variables', given.variables as JsonObject | undefined)
      if (isRefusal(variables)) return variables
      const onBehalfOfId = onBehalfOf
      return { type: 'completeTask', taskId, outcome, comment, variables: variables ?? {}, onBehalfOfId }
    })
  const plain =
    (type: 'claimTask' | 'releaseTask' | 'urgeTask' | 'takeBackTask' | 'commentTask') =>
    (actor: Actor, input: OnTask, options: CommandOptions = {}) =>
      act(type, actor, input, options, ({ taskId }, comment) => ({ type, taskId, comment }))
  const to =
    (type: 'transferTask' | 'delegateTask') =>
    (actor: Actor, input: OnTask & { toUserId: string }, options: CommandOptions = {}) =>
      act(type, actor, input, options, ({ taskId, toUserId }, comment) => ({ type, taskId, toUserId, comment }))
  const signers =
    (type: 'addAssignees' | 'removeAssignees') =>
    (actor: Actor, input: OnTask & { userIds: string[] }, options: CommandOptions = {}) =>
      act(type, actor, input, options, ({ taskId, userIds }, comment) => ({ type, taskId, userIds, comment }))
  return {
    /** Answers a task with any of its allowed outcomes. */
    complete: (actor: Actor, input: AnswerInput & { outcome: string }, options: CommandOptions = {}) =>
      answer('completeTask', actor, input, options),
    /** Answers a task with `approved`. */
    approve: (actor: Actor, input: AnswerInput, options: CommandOptions = {}) =>
      answer('approveTask', actor, { ...input, outcome: 'approved' }, options),
    /** Answers a task with `rejected`. */
    reject: (actor: Actor, input: AnswerInput, options: CommandOptions = {}) =>
      answer('rejectTask', actor, { ...input, outcome: 'rejected' }, options),
    /** Takes a task that several may answer for oneself. */
    claim: plain('claimTask'),
    /** Gives a claimed task back to all who may answer it. */
    release: plain('releaseTask'),
    /** Urges whoever holds the task. For the starter and those who operate. */
    urge: plain('urgeTask'),
    /** Takes the last approval back, as long as nobody has acted after it. */
    takeBack: plain('takeBackTask'),
    /** Says something to a task without answering it. */
    comment: plain('commentTask'),
    /** Gives a task to another person for good. */
    transfer: to('transferTask'),
    /** Asks another person, whose answer comes back to the owner of the task. */
    delegate: to('delegateTask'),
    /** Adds signers to the step of a task. */
    addAssignees: signers('addAssignees'),
    /** Takes signers off the step of a task; not the last one. */
    removeAssignees: signers('removeAssignees'),
    /** Sends the case back to an earlier node; by default to the last completed user task before this one. */
    return: (
      actor: Actor,
      input: OnTask & { toNodeId?: string | undefined; resubmit?: boolean | undefined },
      options: CommandOptions = {},
    ) =>
      act('returnTask', actor, input, options, ({ taskId, toNodeId = null, resubmit = false }, comment) => ({
        type: 'returnTask',
        taskId,
        toNodeId,
        resubmit,
        comment,
      })),
    /** The open tasks of running instances in the actor's partition, the oldest first, at most 1000. */
    open(
      actor: Actor,
      filter: { instanceId?: string | undefined; assigneeId?: string | undefined } = {},
      options: JoinOptions = {},
    ): Promise<OpenTask[]> {
      const { instanceId = null, assigneeId = null } = filter
      if (instanceId !== null && !isUuid(instanceId)) return Promise.resolve([])
      return findOpenTasks(txOf(options) ?? runtime.database.prisma, actor.tenantId, { instanceId, assigneeId })
    },
  }
}
