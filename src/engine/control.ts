import { runNode } from './burst.js'
import type { InstanceCommand } from './command.js'
import { compensate } from './compensation.js'
import { cancelInstance, cancelOpen, terminateInstance } from './ending.js'
import { type Execution, emit } from './execution.js'
import { migrate } from './migrate.js'
import { type InstanceStatus, type Refusal, refusal } from './model.js'
import { closeTask } from './taskClosing.js'

const unended: readonly InstanceStatus[] = ['RUNNING', 'SUSPENDED', 'FAULTED']

/** The operators' commands on one instance, each with the states that allow it. */
export function control(execution: Execution, command: InstanceCommand): Refusal | null {
  switch (command.type) {
    case 'suspend':
      return suspend(execution, command.reason)
    case 'resume':
      return resume(execution)
    case 'cancel':
      return end(execution, command.reason, cancel)
    case 'withdraw':
      return withdraw(execution, command.reason)
    case 'terminate':
      return end(execution, command.reason, terminateInstance)
    case 'retry':
      return retry(execution)
    case 'setVariables':
      return setVariables(execution, command)
    case 'jump':
      return jump(execution, command)
    case 'migrate':
      return migrate(execution, command)
  }
}

/** The refusal of a command that the state of the instance does not allow. */
export function refuse(execution: Execution): Refusal {
  const { status } = execution.instance
  return refusal('WORKFLOW_CONFLICT_001', `workflow.instance.is_${status.toLowerCase()}`, { status })
}

function suspend(execution: Execution, reason: string | null): Refusal | null {
  if (execution.instance.status !== 'RUNNING') return refuse(execution)
  execution.instance.status = 'SUSPENDED'
  emit(execution, 'workflow.instance.suspended', { data: { reason } })
  return null
}

function resume(execution: Execution): Refusal | null {
  if (execution.instance.status !== 'SUSPENDED') return refuse(execution)
  execution.instance.status = 'RUNNING'
  emit(execution, 'workflow.instance.resumed')
  return null
}

/** Cancel and terminate: ended instances answer the same again without a change. */
function end(
  execution: Execution,
  reason: string | null,
  how: (execution: Execution, reason: string | null) => void,
): null {
  if (unended.includes(execution.instance.status)) how(execution, reason)
  return null
}

function cancel(execution: Execution, reason: string | null): void {
  if (execution.definition.content.enableCompensation) compensate(execution, null, { kind: 'cancel', reason })
  else cancelInstance(execution, reason)
}

/** The starter calls his case back, as long as nobody else has acted on it: its tasks go, and the instance is canceled. */
function withdraw(execution: Execution, reason: string | null): Refusal | null {
  const { instance, actor, acted } = execution
  const { status } = instance
  if (status !== 'RUNNING')
    return refusal('WORKFLOW_CONFLICT_003', 'workflow.instance.withdraw_not_running', { status })
  // A child was started by its parent, in the name of the starter.
  if (!actor || actor.userId !== instance.starterId || instance.parentId !== null)
    return refusal('WORKFLOW_DENIED_001', 'workflow.instance.withdraw_denied')
  if (acted) return refusal('WORKFLOW_CONFLICT_004', 'workflow.instance.withdraw_too_late')
  for (const task of [...execution.bookmarks.values()])
    if (task.kind === 'USER_TASK')
      closeTask(execution, task, { action: 'WITHDRAWN', comment: reason, actorId: actor.userId })
  cancel(execution, reason)
  return null
}

/** Runs the fault node once more; what the fault kept from running goes on too. */
function retry(execution: Execution): Refusal | null {
  const { instance } = execution
  const nodeInstance = execution.nodeInstances.get(instance.faultNodeInstanceId ?? '')
  if (instance.status !== 'FAULTED') return refuse(execution)
  if (!nodeInstance)
    return refusal('WORKFLOW_CONFLICT_001', 'workflow.instance.no_fault_node', { status: instance.status })
  clearFault(execution)
  runNode(execution, nodeInstance)
  return null
}

function clearFault(execution: Execution): void {
  Object.assign(execution.instance, { status: 'RUNNING', fault: null, faultNodeId: null, faultNodeInstanceId: null })
}

function setVariables(
  execution: Execution,
  command: Extract<InstanceCommand, { type: 'setVariables' }>,
): Refusal | null {
  if (!unended.includes(execution.instance.status)) return refuse(execution)
  const removed = new Set(command.remove)
  const kept = Object.entries({ ...execution.instance.variables, ...command.set }).filter(
    ([name]) => !removed.has(name),
  )
  execution.instance.variables = Object.fromEntries(kept)
  emit(execution, 'workflow.instance.variables_set', { data: { names: [...Object.keys(command.set), ...removed] } })
  return null
}

/** Cancels everything open, clears half-filled joins and runs the target. */
function jump(execution: Execution, command: Extract<InstanceCommand, { type: 'jump' }>): Refusal | null {
  const { instance, definition } = execution
  if (!unended.includes(instance.status)) return refuse(execution)
  if (!definition.node(command.targetNodeId))
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.instance.jump_target_unknown', { node: command.targetNodeId })
  const cameFrom = cancelOpen(execution)
  instance.joins = {}
  instance.pending = []
  clearFault(execution)
  emit(execution, 'workflow.instance.jumped', { nodeId: command.targetNodeId, data: { reason: command.reason } })
  execution.queue.push({ nodeId: command.targetNodeId, transitionId: null, cameFrom })
  return null
}
