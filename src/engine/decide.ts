import { answerCall, burst } from './burst.js'
import type { Answer, Call } from './calls.js'
import { takeReports } from './children.js'
import type { Actor, Command, StartCommand } from './command.js'
import { control } from './control.js'
import type { CompiledDefinition } from './definition/compile.js'
import { resumeBookmark, resumeDue, resumeSignal } from './due.js'
import {
  addBookmark,
  type Changes,
  changesOf,
  createExecution,
  type Execution,
  emit,
  type LoadedState,
  type World,
} from './execution.js'
import { completeExternalTask, failExternalTask } from './externalTasks.js'
import { finishJob } from './jobs.js'
import { type InstanceState, isRefusal, type Refusal, refusal } from './model.js'
import { claimTask, releaseTask } from './tasks/claim.js'
import { commentTask } from './tasks/comment.js'
import { completeTask } from './tasks/complete.js'
import { delegateTask } from './tasks/delegate.js'
import { returnTask } from './tasks/return.js'
import { addAssignees, removeAssignees } from './tasks/signers.js'
import { takeBackTask } from './tasks/takeBack.js'
import { handOverTask, transferTask } from './tasks/transfer.js'
import { urgeTask } from './tasks/urge.js'
import { timeAfter } from './time.js'

/** What a command comes to: the complete set of row writes, or the refusal that left everything as it was. */
export type Decision = Changes | Refusal

/** A decision that waits for the shell's answers: hand them to `resumeDecision`. */
export interface OpenDecision {
  calls: readonly Call[]
  execution: Execution
}

export function isOpen(decision: Decision | OpenDecision): decision is OpenDecision {
  return 'calls' in decision
}

/** The identity that the shell gives to an instance about to start. */
export interface StartFacts {
  tenantId: string
  definitionId: string
  definitionVersion: number
  /** Of a child: the instance and the node instance that start it. */
  parent: { id: string; nodeInstanceId: string; depth: number } | null
}

/** Starts an instance: checks its input, fills defaults and runs until it waits or ends. */
export function decideStart(
  definition: CompiledDefinition,
  facts: StartFacts,
  command: StartCommand,
  world: World,
  actor: Actor | null,
): Decision | OpenDecision {
  const { content } = definition
  const variables = { ...command.variables }
  for (const variable of content.variables) {
    if (Object.hasOwn(variables, variable.name)) continue
    if (variable.required && variable.defaultValue === null)
      return refusal('WORKFLOW_VALIDATION_002', 'workflow.instance.variable_missing', { variable: variable.name })
    if (variable.defaultValue !== null) variables[variable.name] = structuredClone(variable.defaultValue)
  }
  const { parent, ...identity } = facts
  const instance: InstanceState = {
    ...identity,
    id: command.instanceId,
    definitionName: content.name,
    status: 'RUNNING',
    title: command.displayName ?? content.displayName ?? content.name,
    correlationId: command.correlationId,
    starterId: command.starterId,
    parentId: parent?.id ?? null,
    parentNodeInstanceId: parent?.nodeInstanceId ?? null,
    depth: parent ? parent.depth + 1 : 0,
    outcome: null,
    variables,
    joins: {},
    pending: [],
    startedChildren: false,
    approvals: [],
    fault: null,
    faultNodeId: null,
    faultNodeInstanceId: null,
    revision: 0,
    eventSeq: 0,
    createdAt: world.now,
    endedAt: null,
  }
  const execution = createExecution(
    definition,
    { instance, nodeInstances: [], bookmarks: [], trail: null },
    world,
    actor,
  )
  execution.startAt = command.startAt ?? null
  begin(execution)
  return conclude(execution)
}

function begin(execution: Execution): void {
  const { definition, world, instance } = execution
  emit(execution, 'workflow.instance.started', {
    data: { definition: instance.definitionName, version: instance.definitionVersion },
  })
  if (definition.content.timeout !== null)
    addBookmark(execution, {
      id: world.newId(),
      kind: 'INSTANCE_TIMEOUT',
      key: null,
      nodeId: null,
      nodeInstanceId: null,
      correlationId: null,
      dueAt: timeAfter(Math.max(world.now, execution.startAt ?? 0), definition.content.timeout),
      payload: {},
      createdAt: world.now,
      task: null,
    })
  execution.queue.push({ nodeId: definition.startNode.id, transitionId: null, cameFrom: [] })
  burst(execution)
}

/**
 * Decides a command on a loaded instance. Pure: the same input gives the same decision, and what was loaded
 * is not changed.
 */
export function decide(
  definition: CompiledDefinition,
  loaded: LoadedState,
  command: Exclude<Command, StartCommand>,
  world: World,
  actor: Actor | null,
): Decision | OpenDecision {
  const execution = createExecution(definition, loaded, world, actor)
  const refused = carryOut(execution, command)
  if (isRefusal(refused)) return refused
  if (execution.instance.status === 'RUNNING') burst(execution)
  return conclude(execution)
}

/** Goes on with the shell's answers, one for each open call and in their order. */
export function resumeDecision(open: OpenDecision, answers: readonly Answer[]): Decision | OpenDecision {
  const { execution } = open
  for (const [index, call] of open.calls.entries()) {
    const answer = answers[index]
    if (!answer) throw new Error('a call was not answered')
    answerCall(execution, call, answer)
  }
  if (execution.instance.status === 'RUNNING') burst(execution)
  return conclude(execution)
}

function conclude(execution: Execution): Decision | OpenDecision {
  if (execution.calls.length > 0) return { calls: [...execution.calls], execution }
  if (execution.events.length > 0 || execution.touched.size > 0 || execution.noticesTaken.length > 0)
    execution.instance.revision += 1
  return changesOf(execution)
}

function carryOut(execution: Execution, command: Exclude<Command, StartCommand>): Refusal | null {
  switch (command.type) {
    case 'completeTask':
      return completeTask(execution, command)
    case 'transferTask':
      return transferTask(execution, command)
    case 'handOverTask':
      return handOverTask(execution, command)
    case 'delegateTask':
      return delegateTask(execution, command)
    case 'addAssignees':
      return addAssignees(execution, command)
    case 'removeAssignees':
      return removeAssignees(execution, command)
    case 'claimTask':
      return claimTask(execution, command)
    case 'releaseTask':
      return releaseTask(execution, command)
    case 'urgeTask':
      return urgeTask(execution, command)
    case 'commentTask':
      return commentTask(execution, command)
    case 'takeBackTask':
      return takeBackTask(execution, command)
    case 'returnTask':
      return returnTask(execution, command)
    case 'signalBookmark':
      return resumeSignal(execution, command)
    case 'dueBookmark':
      return resumeDue(execution, command)
    case 'takeReports':
      return takeReports(execution)
    case 'resumeBookmark':
      return resumeBookmark(execution, command)
    case 'completeExternalTask':
      return completeExternalTask(execution, command)
    case 'failExternalTask':
      return failExternalTask(execution, command)
    case 'finishJob':
      return finishJob(execution, command)
    default:
      return control(execution, command)
  }
}
