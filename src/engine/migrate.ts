import type { MigrateCommand } from './command.js'
import { refuse } from './control.js'
import { type Execution, emit, type MigrationTarget, touchBookmark } from './execution.js'
import { type Issue, type JoinState, type Refusal, refusal } from './model.js'

/**
 * Moves the instance to another published version of its definition. What is open stays as it is: votes, task ids,
 * armed timers, arrivals at joins whose transition still exists. A dry run only tells whether it would be refused.
 */
export function migrate(execution: Execution, command: MigrateCommand): Refusal | null {
  const { instance, target } = execution
  if (instance.status !== 'RUNNING' && instance.status !== 'SUSPENDED') return refuse(execution)
  if (!target) return refusal('WORKFLOW_NOTFOUND_001', 'workflow.definition.not_published')
  if (target.version === instance.definitionVersion)
    return refusal('WORKFLOW_VALIDATION_002', 'workflow.instance.migration_same_version', { version: target.version })
  const mapping = new Map(Object.entries(command.nodeMapping))
  const violations = problems(execution, target, mapping)
  if (violations.length > 0) {
    const count = violations.length
    return { ...refusal('WORKFLOW_VALIDATION_002', 'workflow.instance.migration_incompatible', { count }), violations }
  }
  if (command.dryRun) return null
  const from = instance.definitionVersion
  move(execution, target, (id) => mapping.get(id) ?? id)
  emit(execution, 'workflow.instance.migrated', { data: { from, to: target.version } })
  return null
}

/** Every open node must exist in the target, with the same type. */
function problems(execution: Execution, target: MigrationTarget, mapping: Map<string, string>): Issue[] {
  const { definition, instance, nodeInstances } = execution
  const found: Issue[] = []
  const report = (nodeId: string, messageKey: string, more: Issue['arguments'] = {}) => {
    const index = definition.content.nodes.findIndex(({ id }) => id === nodeId)
    const path = index < 0 ? '$.nodes' : `$.nodes[${index}]`
    found.push({ severity: 'ERROR', path, messageKey, arguments: { node: nodeId, ...more } })
  }
  for (const [from, to] of mapping) {
    if (!definition.node(from)) report(from, 'workflow.instance.migration_node_unknown')
    if (!target.definition.node(to)) report(to, 'workflow.instance.migration_node_missing')
  }
  const open = [...nodeInstances.values(), ...instance.pending].map(({ nodeId }) => nodeId)
  for (const nodeId of new Set(open)) {
    const before = definition.node(nodeId)
    const after = target.definition.node(mapping.get(nodeId) ?? nodeId)
    if (!after) {
      if (!mapping.has(nodeId)) report(nodeId, 'workflow.instance.migration_node_missing')
    } else if (before?.activityType !== after.activityType) {
      const types = { from: before?.activityType ?? '', to: after.activityType }
      report(nodeId, 'workflow.instance.migration_type_differs', types)
    }
  }
  return found
}

function move(execution: Execution, target: MigrationTarget, to: (nodeId: string) => string): void {
  const { instance } = execution
  execution.definition = target.definition
  instance.definitionId = target.id
  instance.definitionVersion = target.version
  for (const nodeInstance of execution.nodeInstances.values()) {
    const { resubmitTo } = nodeInstance.state
    const renamed = to(nodeInstance.nodeId) !== nodeInstance.nodeId
    if (typeof resubmitTo === 'string') nodeInstance.state = { ...nodeInstance.state, resubmitTo: to(resubmitTo) }
    if (!renamed && typeof resubmitTo !== 'string') continue
    nodeInstance.nodeId = to(nodeInstance.nodeId)
    execution.touched.add(nodeInstance.id)
  }
  for (const bookmark of execution.bookmarks.values()) {
    if (bookmark.nodeId === null || to(bookmark.nodeId) === bookmark.nodeId) continue
    bookmark.nodeId = to(bookmark.nodeId)
    touchBookmark(execution, bookmark)
  }
  instance.approvals = instance.approvals.map((approval) => ({ ...approval, nodeId: to(approval.nodeId) }))
  instance.pending = instance.pending.map((step) => ({ ...step, nodeId: to(step.nodeId) }))
  moveJoins(execution, target, to)
}

function moveJoins(execution: Execution, target: MigrationTarget, to: (nodeId: string) => string): void {
  const { instance } = execution
  const joins = Object.entries(instance.joins)
  instance.joins = {}
  for (const [nodeId, state] of joins) {
    const incoming = target.definition.incoming(to(nodeId)).map(({ id }) => id)
    const join = target.definition.node(to(nodeId))
    const arrivals: JoinState['arrivals'] = {}
    for (const [transitionId, from] of Object.entries(state.arrivals))
      if (incoming.includes(transitionId)) arrivals[transitionId] = from
    const arrived = Object.keys(arrivals).length
    if (join?.activityType !== 'Join' || (arrived === 0 && state.firedBy === null)) continue
    if (arrived < incoming.length) instance.joins[join.id] = { arrivals, firedBy: state.firedBy }
    // What it still waited for does not lead to it any more: it runs when the instance does.
    else if (state.firedBy === null)
      instance.pending.push({ nodeId: join.id, transitionId: null, cameFrom: Object.values(arrivals) })
  }
}
