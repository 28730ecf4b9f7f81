import { Decimal } from 'decimal.js'
import type { Json, JsonObject, NodeInstanceState, WorkflowNode } from '../model.js'

export type Policy = 'Any' | 'All' | 'Sequential'

/** One answer, as the node's state keeps it. */
export interface Vote {
  actorId: string
  outcome: string
  comment: string | null
  at: string
}

/** What a user task node remembers while it waits. */
export interface TaskState {
  assignees: string[]
  approved: string[]
  rejected: string[]
  claimedBy: string | null
  history: Vote[]
}

export function policyOf(node: WorkflowNode): Policy {
  const policy = node.properties.CompletionPolicy
  return policy === 'All' || policy === 'Sequential' ? policy : 'Any'
}

export function taskState(nodeInstance: NodeInstanceState): TaskState {
  return nodeInstance.state as unknown as TaskState
}

export function emptyState(assignees: string[]): JsonObject {
  return { assignees, approved: [], rejected: [], claimedBy: null, history: [] }
}

type Threshold = { count: number } | { percent: Decimal }

/** Reads a threshold: a whole count of at least 1, or a percentage above 0 up to 100. Null when it is neither. */
export function parseThreshold(value: Json): Threshold | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  if (/^[1-9]\d{0,8}$/.test(text)) return { count: Number(text) }
  const percent = /^(\d{1,3}(?:\.\d{1,10})?)\s*%$/.exec(text)?.[1]
  if (percent === undefined) return null
  const value100 = new Decimal(percent)
  return value100.gt(0) && value100.lte(100) ? { percent: value100 } : null
}

/** Approvals needed among the current assignees: percentages round up, a count above their number means all. */
export function approvalsNeeded(node: WorkflowNode, assignees: number): number {
  const threshold = parseThreshold(node.properties.ApprovalThreshold ?? null)
  if (threshold === null) return assignees
  if ('count' in threshold) return Math.min(threshold.count, assignees)
  return threshold.percent.mul(assignees).div(100).ceil().toNumber()
}

/**
 * What an answer decides.
 * @returns the outcome of the node, or null while it stays open
 */
export function decideVote(node: WorkflowNode, state: TaskState, outcome: string): string | null {
  switch (policyOf(node)) {
    case 'Any':
      return outcome
    case 'Sequential':
      return outcome !== 'approved' || state.approved.length === state.assignees.length ? outcome : null
    case 'All': {
      if (outcome !== 'approved' && outcome !== 'rejected') return outcome
      const needed = approvalsNeeded(node, state.assignees.length)
      if (state.approved.length >= needed) return 'approved'
      // Those who are left can no longer reach the threshold.
      return state.assignees.length - state.rejected.length < needed ? 'rejected' : null
    }
  }
}
