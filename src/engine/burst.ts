import type { ActivityResult, NewBookmark } from './activities/activity.js'
import { type Answer, ask, type Call } from './calls.js'
import { stopWaiting } from './children.js'
import { answerCompensation, compensate } from './compensation.js'
import { endInstance, faultInstance, terminateInstance } from './ending.js'
import { bookmarksOf, type Execution, emit, nodeOf, placeBookmark } from './execution.js'
import { failNode } from './failure.js'
import { arrive, deadJoin } from './joins.js'
import { type BookmarkState, fault, type JsonObject, type NodeInstanceState, type Step } from './model.js'
import { evaluateText } from './properties.js'
import { leave } from './routing.js'
import { timeAfter } from './time.js'

/** Runs queued nodes until none is left or the instance no longer runs, then looks for joins that can never fill. */
export function burst(execution: Execution): void {
  const { instance, world } = execution
  execution.queue.push(...instance.pending.splice(0))
  while (instance.status === 'RUNNING' && execution.calls.length === 0) {
    const step = execution.queue.shift()
    if (!step) break
    if (execution.executed >= world.options.maxNodeExecutionsPerBurst) {
      const limit = world.options.maxNodeExecutionsPerBurst
      faultInstance(execution, fault('WORKFLOW_UNEXPECTED_001', 'workflow.instance.burst_limit', { limit }), null)
      break
    }
    takeStep(execution, step)
  }
  // A fault stops the burst; what was about to run goes on when the instance does.
  if (instance.status === 'FAULTED') instance.pending = execution.queue.splice(0)
  if (instance.status !== 'RUNNING' || execution.calls.length > 0) return
  const stuck = deadJoin(execution)
  if (stuck !== null)
    faultInstance(execution, fault('WORKFLOW_UNEXPECTED_001', 'workflow.instance.dead_join', { node: stuck }), null)
  else if (isIdle(execution)) endInstance(execution, null)
}

function isIdle(execution: Execution): boolean {
  for (const bookmark of execution.bookmarks.values()) if (bookmark.kind !== 'INSTANCE_TIMEOUT') return false
  return true
}

function takeStep(execution: Execution, step: Step): void {
  const node = nodeOf(execution, step.nodeId)
  if (node.activityType !== 'Join') return runNode(execution, newNodeInstance(execution, step))
  const cameFrom = arrive(execution, node, step)
  if (cameFrom === null) return
  const nodeInstance = newNodeInstance(execution, { ...step, cameFrom })
  const joined = execution.instance.joins[node.id]
  if (joined) joined.firedBy = nodeInstance.id
  runNode(execution, nodeInstance)
}

function newNodeInstance(execution: Execution, step: Step): NodeInstanceState {
  const node = nodeOf(execution, step.nodeId)
  const nodeInstance: NodeInstanceState = {
    id: execution.world.newId(),
    nodeId: node.id,
    activityType: node.activityType,
    status: 'RUNNING',
    attempt: 0,
    cameFrom: step.cameFrom,
    input: null,
    output: null,
    state: step.resubmitTo === undefined ? {} : { resubmitTo: step.resubmitTo },
    fault: null,
    routing: null,
    startedAt: execution.world.now,
    endedAt: null,
    endedSeq: null,
  }
  execution.nodeInstances.set(nodeInstance.id, nodeInstance)
  return nodeInstance
}

/** Runs a node instance, for the first time or again: its attempt goes up by one. */
export function runNode(execution: Execution, nodeInstance: NodeInstanceState): void {
  const node = nodeOf(execution, nodeInstance.nodeId)
  execution.executed += 1
  execution.touched.add(nodeInstance.id)
  nodeInstance.attempt += 1
  nodeInstance.status = 'RUNNING'
  nodeInstance.fault = null
  nodeInstance.endedAt = null
  emit(execution, 'workflow.node.executing', { nodeId: node.id, data: { attempt: nodeInstance.attempt } })
  execute(execution, nodeInstance)
}

function execute(execution: Execution, nodeInstance: NodeInstanceState): void {
  const node = nodeOf(execution, nodeInstance.nodeId)
  const activity = execution.world.registry.activities.get(node.activityType)
  if (!activity) {
    const unknown = fault('WORKFLOW_NOTFOUND_004', 'workflow.activity.unknown_type', { type: node.activityType })
    return failNode(execution, nodeInstance, unknown)
  }
  apply(execution, nodeInstance, activity.execute({ execution, node, nodeInstance }))
}

/** Takes the shell's answer to a call: the node that asked runs on with it. */
export function answerCall(execution: Execution, call: Call, answer: Answer): void {
  execution.calls = execution.calls.filter((other) => other.key !== call.key)
  if (call.kind === 'completed' || call.kind === 'compensate') return answerCompensation(execution, call, answer)
  const nodeInstance = execution.nodeInstances.get(call.nodeInstanceId)
  if (nodeInstance?.status !== 'RUNNING') return
  switch (call.kind) {
    case 'activity':
    case 'resume':
      if (
        answer.kind === 'people' ||
        answer.kind === 'substitutes' ||
        answer.kind === 'children' ||
        answer.kind === 'completed'
      )
        throw new Error(`an activity was answered with ${answer.kind}`)
      return apply(execution, nodeInstance, answer)
    case 'outcome':
      return answer.kind === 'fail'
        ? failNode(execution, nodeInstance, answer.fault)
        : endWith(execution, nodeInstance, call.outcome)
    case 'assignees':
    case 'substitutes':
    case 'children':
      execution.answers.set(call.key, answer)
      return execute(execution, nodeInstance)
  }
}

/** Wakes a waiting node with a bookmark that was consumed and what came with it. */
export function resumeNode(
  execution: Execution,
  nodeInstance: NodeInstanceState,
  bookmark: BookmarkState,
  inputs: JsonObject,
): void {
  const node = nodeOf(execution, nodeInstance.nodeId)
  const activity = execution.world.registry.activities.get(node.activityType)
  execution.touched.add(nodeInstance.id)
  nodeInstance.status = 'RUNNING'
  const result = activity?.resume?.({ execution, node, nodeInstance, bookmark, inputs })
  apply(execution, nodeInstance, result ?? { kind: 'complete', output: inputs, label: null })
}

/** Carries out what an activity asked for. */
export function apply(execution: Execution, nodeInstance: NodeInstanceState, result: ActivityResult): void {
  switch (result.kind) {
    case 'complete':
      return completeNode(execution, nodeInstance, result.output, result.label)
    case 'suspend':
      return suspendNode(execution, nodeInstance, result.bookmarks, result.state)
    case 'call':
      if (result.request.kind === 'children') execution.instance.startedChildren = true
      return ask(execution, nodeInstance.id, result.request)
    case 'compensate':
      return compensate(execution, result.nodeIds, { kind: 'node', nodeInstanceId: nodeInstance.id })
    case 'endInstance':
      // The application's handlers hear of an outcome before the instance ends with it.
      if (result.outcome !== null && execution.world.registry.handlesOutcomes)
        return ask(execution, nodeInstance.id, { kind: 'outcome', outcome: result.outcome })
      return endWith(execution, nodeInstance, result.outcome)
    case 'terminateInstance':
      finish(execution, nodeInstance, {})
      return terminateInstance(execution, result.reason)
    case 'faultInstance':
      nodeInstance.status = 'FAULTED'
      nodeInstance.fault = result.fault
      nodeInstance.endedAt = execution.world.now
      return faultInstance(execution, result.fault, nodeInstance)
    case 'fail':
      return failNode(execution, nodeInstance, result.fault)
  }
}

function endWith(execution: Execution, nodeInstance: NodeInstanceState, outcome: string | null): void {
  finish(execution, nodeInstance, outcome === null ? {} : { outcome })
  endInstance(execution, outcome)
}

function finish(execution: Execution, nodeInstance: NodeInstanceState, output: JsonObject): void {
  nodeInstance.status = 'COMPLETED'
  nodeInstance.output = output
  nodeInstance.endedAt = execution.world.now
  execution.touched.add(nodeInstance.id)
  emit(execution, 'workflow.node.executed', { nodeId: nodeInstance.nodeId, data: { attempt: nodeInstance.attempt } })
  nodeInstance.endedSeq = execution.instance.eventSeq
}

/** Completes a node: output and label go into the variables, then the flow leaves over its transitions. */
export function completeNode(
  execution: Execution,
  nodeInstance: NodeInstanceState,
  output: JsonObject,
  label: string | null,
): void {
  const node = nodeOf(execution, nodeInstance.nodeId)
  stopWaiting(execution, nodeInstance)
  const outputs = label === null ? output : { ...output, outcome: label }
  const mapped: JsonObject = {}
  for (const [variable, expression] of Object.entries(node.outputMappings)) {
    const value = evaluateText(execution, expression, { outputs })
    if (!value.ok) return failNode(execution, nodeInstance, value.fault)
    mapped[variable] = value.value
  }
  execution.instance.variables = { ...execution.instance.variables, ...outputs, ...mapped }
  finish(execution, nodeInstance, outputs)
  leave(execution, nodeInstance)
}

function suspendNode(
  execution: Execution,
  nodeInstance: NodeInstanceState,
  bookmarks: NewBookmark[],
  state: JsonObject,
): void {
  const node = nodeOf(execution, nodeInstance.nodeId)
  nodeInstance.status = 'WAITING'
  nodeInstance.state = { ...nodeInstance.state, ...state }
  for (const bookmark of bookmarks) placeBookmark(execution, nodeInstance, bookmark)
  const timed = bookmarksOf(execution, nodeInstance.id).some(({ kind }) => kind === 'NODE_TIMEOUT')
  if (node.timeout !== null && !timed)
    placeBookmark(execution, nodeInstance, {
      kind: 'NODE_TIMEOUT',
      key: null,
      correlationId: null,
      dueAt: timeAfter(execution.world.now, node.timeout),
      payload: {},
      task: null,
    })
}
