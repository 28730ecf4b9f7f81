import type { TaskCommand } from '../command.js'
import { cancelOpen } from '../ending.js'
import { type Execution, removeBookmark } from '../execution.js'
import { withdrawArrivals } from '../joins.js'
import { ancestors, descendants } from '../lineage.js'
import { isRefusal, type Refusal, refusal, type TrailEntry } from '../model.js'
import { announce, recordTask } from '../taskClosing.js'
import { forgetApprovals } from './sameApprover.js'
import { type OpenTask, openTask } from './task.js'

type Return = Extract<TaskCommand, { type: 'returnTask' }>

/**
 * Sends the case back: cancels exactly what came out of the target's last run and runs the target again.
 * What did not come out of it, a sister branch for example, goes on. Needs the trail.
 */
export function returnTask(execution: Execution, command: Return): Refusal | null {
  const open = openTask(execution, command)
  if (isRefusal(open)) return open
  const trail = execution.trail ?? []
  const target = targetOf(execution, trail, open, command.toNodeId)
  if (!target)
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.task.return_target_invalid', { node: command.toNodeId ?? '' })
  const undone = descendants(trail, target.id)
  const { actorId, onBehalfOfId } = open
  recordTask(execution, open.task, { action: 'RETURNED', comment: command.comment, actorId, onBehalfOfId })
  execution.taskRecords.at(-1)?.targetNodeIds.push(target.nodeId)
  announce(execution, 'workflow.task.returned', open.task, { to: target.nodeId, comment: command.comment })
  removeBookmark(execution, open.task.id)
  cancelOpen(execution, undone)
  withdrawArrivals(execution, undone)
  forgetApprovals(execution, undone)
  const step = { nodeId: target.nodeId, transitionId: null, cameFrom: target.cameFrom }
  execution.queue.push(command.resubmit ? { ...step, resubmitTo: open.node.id } : step)
  return null
}

function targetOf(
  execution: Execution,
  trail: TrailEntry[],
  open: OpenTask,
  toNodeId: string | null,
): TrailEntry | undefined {
  const above = ancestors(trail, open.nodeInstance.id)
  if (toNodeId !== null) return above.find((entry) => entry.nodeId === toNodeId && entry.activityType !== 'Start')
  const task = above.find((entry) => entry.activityType === 'UserTask' && entry.status === 'COMPLETED')
  if (task) return task
  const start = execution.definition.startNode.id
  const first = [...above].reverse().find((entry) => entry.nodeId !== start)
  return first ?? trail.find((entry) => entry.id === open.nodeInstance.id)
}
