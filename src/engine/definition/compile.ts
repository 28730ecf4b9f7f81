import type { DefinitionContent, WorkflowNode, WorkflowTransition } from '../model.js'

/** A definition ready to run: its graph looked up instead of searched. Immutable, so that it may be cached. */
export interface CompiledDefinition {
  content: DefinitionContent
  startNode: WorkflowNode
  node(id: string): WorkflowNode | undefined
  /** Ordered by priority, then as in the document. */
  outgoing(nodeId: string): readonly WorkflowTransition[]
  incoming(nodeId: string): readonly WorkflowTransition[]
  /** The nodes that a token on this node can still come to; the node itself only over a loop. */
  reach(nodeId: string): ReadonlySet<string>
}

/** Compiles a valid definition. @throws Error when it has no start node */
export function compileDefinition(content: DefinitionContent): CompiledDefinition {
  const nodes = new Map(content.nodes.map((node) => [node.id, node]))
  const startNode = content.nodes.find((node) => node.activityType === 'Start')
  if (!startNode) throw new Error(`definition ${content.name} has no start node`)
  const sorted = [...content.transitions].sort((a, b) => a.priority - b.priority)
  const by = (end: 'sourceNodeId' | 'targetNodeId', id: string) => sorted.filter((transition) => transition[end] === id)
  const outgoing = new Map(content.nodes.map((node) => [node.id, by('sourceNodeId', node.id)]))
  const incoming = new Map(content.nodes.map((node) => [node.id, by('targetNodeId', node.id)]))
  const reached = new Map<string, ReadonlySet<string>>()
  return {
    content,
    startNode,
    node: (id) => nodes.get(id),
    outgoing: (id) => outgoing.get(id) ?? [],
    incoming: (id) => incoming.get(id) ?? [],
    reach(id) {
      const known = reached.get(id)
      if (known) return known
      const found = new Set<string>()
      const open = [id]
      for (let from = open.pop(); from !== undefined; from = open.pop())
        for (const transition of outgoing.get(from) ?? []) {
          if (found.has(transition.targetNodeId)) continue
          found.add(transition.targetNodeId)
          open.push(transition.targetNodeId)
        }
      reached.set(id, found)
      return found
    },
  }
}
