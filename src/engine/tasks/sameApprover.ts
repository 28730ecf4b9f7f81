import type { Execution } from '../execution.js'
import type { Json, NodeInstanceState, WorkflowNode } from '../model.js'

export const sameApproverStrategies = ['Ask', 'Skip', 'AutoApprove'] as const
/** When an approver counts as the same person: he is the starter, approved before, or approved the step before. */
export const sameApproverScopes = ['Starter', 'Instance', 'Previous'] as const

export type SameApproverStrategy = (typeof sameApproverStrategies)[number]

export function strategyOf(node: WorkflowNode): SameApproverStrategy {
  const strategy = node.properties.SameApproverStrategy
  return strategy === 'Skip' || strategy === 'AutoApprove' ? strategy : 'Ask'
}

/** The scopes of a node; null where one of them is unknown. Without any, all hold. */
export function scopesOf(value: Json): readonly string[] | null {
  const named = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : []
  const scopes = named.map((name) => name.trim()).filter((name) => name !== '')
  if (scopes.some((scope) => !(sameApproverScopes as readonly string[]).includes(scope))) return null
  return scopes.length > 0 ? scopes : sameApproverScopes
}

/** Whether the node need not ask this person: he has made up his mind elsewhere in the instance. */
export function isSameApprover(execution: Execution, node: WorkflowNode, person: string): boolean {
  if (strategyOf(node) === 'Ask') return false
  const scopes = scopesOf(node.properties.SameApproverScope ?? null) ?? []
  const { starterId, approvals } = execution.instance
  // What he said to an earlier run of this very node is being asked again.
  const elsewhere = approvals.filter(({ nodeId }) => nodeId !== node.id)
  const before = elsewhere.at(-1)?.nodeInstanceId
  return scopes.some((scope) => {
    switch (scope) {
      case 'Starter':
        return person === starterId
      case 'Instance':
        return elsewhere.some((approval) => approval.person === person)
      default:
        return elsewhere.some((approval) => approval.person === person && approval.nodeInstanceId === before)
    }
  })
}

/** Remembers who approved a step, for the nodes that ask nobody twice. */
export function rememberApprovals(
  execution: Execution,
  { id, nodeId }: NodeInstanceState,
  people: readonly string[],
): void {
  if (!execution.definition.content.nodes.some((node) => strategyOf(node) !== 'Ask')) return
  const others = execution.instance.approvals.filter(
    (approval) => approval.nodeId !== nodeId || !people.includes(approval.person),
  )
  execution.instance.approvals = [...others, ...people.map((person) => ({ person, nodeId, nodeInstanceId: id }))]
}

/** Forgets the approvals of runs that were undone. */
export function forgetApprovals(execution: Execution, undone: ReadonlySet<string>): void {
  const { instance } = execution
  instance.approvals = instance.approvals.filter(({ nodeInstanceId }) => !undone.has(nodeInstanceId))
}
