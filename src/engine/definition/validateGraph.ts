import type { DefinitionContent, WorkflowNode, WorkflowTransition } from '../model.js'
import type { KnownTypes, Report } from './validate.js'
import { checkExpression } from './validateNode.js'

/** Checks how the nodes hang together. */
export function validateGraph(content: DefinitionContent, known: KnownTypes, report: Report): void {
  if (content.nodes.length === 0) report('ERROR', '$.nodes', 'workflow.definition.no_nodes')
  checkUnique(content.nodes, '$.nodes', 'workflow.definition.node_duplicate', 'node', report)
  checkUnique(content.transitions, '$.transitions', 'workflow.definition.transition_duplicate', 'transition', report)
  const nodes = new Map(content.nodes.map((node) => [node.id, node]))
  for (const [index, transition] of content.transitions.entries())
    checkTransition(transition, `$.transitions[${index}]`, nodes, known, report)
  checkStart(content, report)
  for (const [index, node] of content.nodes.entries()) checkEdges(content, node, `$.nodes[${index}]`, known, report)
  checkReachable(content, report)
}

function checkUnique(
  items: readonly { id: string }[],
  path: string,
  messageKey: string,
  noun: string,
  report: Report,
): void {
  const seen = new Set<string>()
  for (const [index, { id }] of items.entries()) {
    if (seen.has(id)) report('ERROR', `${path}[${index}].id`, messageKey, { [noun]: id })
    seen.add(id)
  }
}

function checkTransition(
  transition: WorkflowTransition,
  path: string,
  nodes: ReadonlyMap<string, WorkflowNode>,
  known: KnownTypes,
  report: Report,
): void {
  for (const end of ['sourceNodeId', 'targetNodeId'] as const)
    if (!nodes.has(transition[end]))
      report('ERROR', `${path}.${end}`, 'workflow.definition.transition_end_missing', {
        transition: transition.id,
        node: transition[end],
      })
  if (transition.condition !== null && transition.condition.trim() !== '')
    checkExpression(transition.condition, `${path}.condition`, report)
  const source = nodes.get(transition.sourceNodeId)
  if (source && known.activity(source.activityType)?.outgoing === 'None')
    report('ERROR', `${path}.sourceNodeId`, 'workflow.definition.transition_out_of_end', {
      transition: transition.id,
      node: source.id,
    })
}

function checkStart(content: DefinitionContent, report: Report): void {
  const starts = content.nodes.filter((node) => node.activityType === 'Start')
  if (content.nodes.length > 0 && starts.length === 0) report('ERROR', '$.nodes', 'workflow.definition.no_start')
  if (starts.length > 1) report('ERROR', '$.nodes', 'workflow.definition.many_starts', { count: starts.length })
  const ids = new Set(starts.map((node) => node.id))
  for (const [index, transition] of content.transitions.entries())
    if (ids.has(transition.targetNodeId))
      report('ERROR', `$.transitions[${index}].targetNodeId`, 'workflow.definition.start_has_incoming', {
        node: transition.targetNodeId,
      })
}

function checkEdges(
  content: DefinitionContent,
  node: WorkflowNode,
  path: string,
  known: KnownTypes,
  report: Report,
): void {
  const outgoing = content.transitions.filter((transition) => transition.sourceNodeId === node.id)
  const incoming = content.transitions.filter((transition) => transition.targetNodeId === node.id)
  if (outgoing.filter((transition) => transition.isDefault).length > 1)
    report('ERROR', path, 'workflow.definition.many_defaults', { node: node.id })
  const mode = known.activity(node.activityType)?.outgoing
  if (mode && mode !== 'None' && outgoing.length === 0)
    report('WARNING', path, 'workflow.definition.node_without_outgoing', { node: node.id })
  if (node.activityType !== 'Join') return
  if (incoming.length === 1) report('WARNING', path, 'workflow.definition.join_single_incoming', { node: node.id })
  if (node.properties.Mode === 'WaitAny') return
  for (const choice of content.nodes) {
    if (known.activity(choice.activityType)?.outgoing !== 'Exclusive') continue
    const fed = incoming.filter((edge) => comesFrom(content, edge.sourceNodeId, choice.id))
    const [first, second] = fed
    if (first && second)
      report('WARNING', path, 'workflow.definition.choice_feeds_join', {
        node: node.id,
        choice: choice.id,
        taken: first.id,
        missing: second.id,
      })
  }
}

/** Whether a node stands on a way from the choice, the choice itself included. */
function comesFrom(content: DefinitionContent, nodeId: string, choiceId: string): boolean {
  const nodes = new Map(content.nodes.map((node) => [node.id, node]))
  const open = [nodeId]
  const seen = new Set<string>()
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === choiceId) return true
    // Behind a fork all branches arrive again, whatever was chosen before it.
    if (seen.has(id) || nodes.get(id)?.activityType === 'Parallel') continue
    seen.add(id)
    for (const transition of content.transitions) if (transition.targetNodeId === id) open.push(transition.sourceNodeId)
  }
  return false
}

function checkReachable(content: DefinitionContent, report: Report): void {
  const start = content.nodes.find((node) => node.activityType === 'Start')
  if (!start) return
  const seen = new Set<string>()
  const open = [start.id]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    for (const transition of content.transitions) if (transition.sourceNodeId === id) open.push(transition.targetNodeId)
  }
  for (const [index, node] of content.nodes.entries())
    if (!seen.has(node.id))
      report('ERROR', `$.nodes[${index}]`, 'workflow.definition.node_unreachable', { node: node.id })
}
