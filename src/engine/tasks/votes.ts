import { Decimal } from 'decimal.js'
import { copyJson } from '../copy.js'
import type { Json, JsonObject, NodeInstanceState, WorkflowNode } from '../model.js'
import type { Assignee, WhyAssigned } from './why.js'

export type Policy = 'Any' | 'All' | 'Sequential'

/** One answer, as the node's state keeps it. */
export interface Vote {
  actorId: string
  outcome: string
  comment: string | null
  at: string
  /** A rule answered for the person. */
  skipped?: true
}

/** What a user task node remembers while it waits. */
export interface TaskState {
  assignees: string[]
  approved: string[]
  rejected: string[]
  claimedBy: string | null
  history: Vote[]
  /** Why each of them is asked. */
  why: WhyAssigned[]
  /** Who of them speaks for which group, where groups must approve each. */
  groups: { group: string; members: string[] }[]
}

export function policyOf(node: WorkflowNode): Policy {
  const policy = node.properties.CompletionPolicy
  return policy === 'All' || policy === 'Sequential' ? policy : 'Any'
}

/** What the node remembers; states from before a member was added lack it. */
export function taskState(nodeInstance: NodeInstanceState): TaskState {
  const state = nodeInstance.state as unknown as TaskState
  state.why ??= []
  state.groups ??= []
  return state
}

/** The state of a step that asks these people, nobody of whom has answered. */
export function newState(assignees: readonly Assignee[], quorums: readonly Quorum[]): JsonObject {
  const state: TaskState = {
    assignees: assignees.map(({ id }) => id),
    approved: [],
    rejected: [],
    claimedBy: null,
    history: [],
    why: assignees.map(({ why }) => why),
    groups: quorums.map(({ group }) => ({
      group,
      members: assignees.filter(({ groups }) => groups.includes(group)).map(({ id }) => id),
    })),
  }
  return copyJson(state) as unknown as JsonObject
}

/** Puts a person in another's place, with the part that he had. */
export function replaceAssignee(state: TaskState, from: string, to: string, why?: WhyAssigned): void {
  const replaced = (people: string[]) => [...new Set(people.map((id) => (id === from ? to : id)))]
  const before = state.why.find(({ assignee }) => assignee === from)
  state.assignees = replaced(state.assignees)
  for (const group of state.groups) group.members = replaced(group.members)
  state.why = state.why.filter(({ assignee }) => assignee !== from && assignee !== to)
  const now = why ?? (before ? { ...before, assignee: to } : undefined)
  if (now) state.why.push(now)
}

/** Takes people off the step. */
export function dropAssignees(state: TaskState, people: readonly string[]): void {
  const kept = (id: string) => !people.includes(id)
  state.assignees = state.assignees.filter(kept)
  for (const group of state.groups) group.members = group.members.filter(kept)
  state.why = state.why.filter(({ assignee }) => kept(assignee))
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

/** How many of these a threshold asks for: percentages round up, a count above their number means all. */
function neededOf(threshold: Threshold, people: number): number {
  if ('count' in threshold) return Math.min(threshold.count, people)
  return threshold.percent.mul(people).div(100).ceil().toNumber()
}

/** Of one group, how many must approve. */
export interface Quorum {
  group: string
  threshold: Threshold
}

/** Reads `GroupQuorum`: group → count or percentage. Null when it is something else. */
export function parseQuorums(value: Json): Quorum[] | null {
  if (value === null) return []
  if (typeof value !== 'object' || Array.isArray(value)) return null
  const quorums: Quorum[] = []
  for (const [group, asked] of Object.entries(value)) {
    const threshold = parseThreshold(asked)
    if (threshold === null || group.trim() === '') return null
    quorums.push({ group, threshold })
  }
  return quorums
}

export function quorumsOf(node: WorkflowNode): Quorum[] {
  return parseQuorums(node.properties.GroupQuorum ?? null) ?? []
}

type Standing = 'reached' | 'open' | 'lost'

/** Approvals needed among the current assignees; those whose rejection is tolerated are not counted on. */
function approvals(node: WorkflowNode, state: TaskState): Standing {
  const { assignees, approved, rejected } = state
  const threshold = parseThreshold(node.properties.ApprovalThreshold ?? null)
  const quorums = quorumsOf(node)
  const standings = quorums.map((quorum) => quorumStanding(quorum, state))
  if (threshold !== null || quorums.length === 0) {
    const tolerated = node.properties.RejectThreshold == null ? 0 : rejected.length
    const needed = threshold === null ? assignees.length - tolerated : neededOf(threshold, assignees.length)
    const reachable = assignees.length - rejected.length >= needed
    standings.push(approved.length >= needed ? 'reached' : reachable ? 'open' : 'lost')
  }
  if (standings.includes('lost')) return 'lost'
  return standings.includes('open') ? 'open' : 'reached'
}

function quorumStanding({ group, threshold }: Quorum, state: TaskState): Standing {
  const members = state.groups.find((one) => one.group === group)?.members ?? []
  // A group without anybody can approve nothing.
  if (members.length === 0) return 'lost'
  const needed = neededOf(threshold, members.length)
  const count = (people: readonly string[]) => members.filter((id) => people.includes(id)).length
  if (count(state.approved) >= needed) return 'reached'
  return members.length - count(state.rejected) >= needed ? 'open' : 'lost'
}

/** What the votes of a step come to so far: `approved`, `rejected`, or null while it is open. */
export function tally(node: WorkflowNode, state: TaskState): 'approved' | 'rejected' | null {
  const threshold = parseThreshold(node.properties.RejectThreshold ?? null)
  const { assignees, rejected } = state
  if (threshold !== null && rejected.length > 0 && rejected.length >= neededOf(threshold, assignees.length))
    return 'rejected'
  const standing = approvals(node, state)
  if (standing === 'open') return null
  return standing === 'reached' ? 'approved' : 'rejected'
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
    case 'All':
      return outcome === 'approved' || outcome === 'rejected' ? tally(node, state) : outcome
  }
}
