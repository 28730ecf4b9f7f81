/** What a picture shows of a node. */
export type NodeState = 'plain' | 'done' | 'running' | 'waiting' | 'faulted' | 'canceled' | 'ahead' | 'notTaken'

/** One run of a node, as the trail of an instance has it; the earliest first. */
export interface TrailEntry {
  nodeId: string
  status: string
  /** What was considered on leaving; absent where it was not asked for. */
  routing?: readonly { transitionId: string; taken: boolean }[] | null | undefined
}

export interface GraphNode {
  id: string
  title: string
  activityType: string
  state: NodeState
  /** How often it ran. */
  runs: number
}

export interface GraphEdge {
  id: string
  source: string
  target: string
  /** Its condition, or null. */
  condition: string | null
  isDefault: boolean
  taken: boolean
}

export interface Graph {
  nodes: GraphNode[]
  edges: GraphEdge[]
}

type Source = Record<string, unknown>

const stateOf: Record<string, NodeState> = {
  RUNNING: 'running',
  WAITING: 'waiting',
  COMPLETED: 'done',
  FAULTED: 'faulted',
  CANCELED: 'canceled',
  COMPENSATED: 'canceled',
}
const open = new Set<NodeState>(['running', 'waiting', 'faulted'])

/**
 * The picture of a definition, with what an instance has come through. What a document has wrong is left out: it is
 * drawn while it is being written.
 * @param trail null where no instance is shown
 */
export function graphOf(document: unknown, trail: readonly TrailEntry[] | null): Graph {
  const nodes = unique(listOf(document, 'nodes')).map((node) => nodeOf(node, trail ?? []))
  const known = new Set(nodes.map(({ id }) => id))
  const transitions = unique(listOf(document, 'transitions')).filter(
    ({ sourceNodeId, targetNodeId }) => known.has(textOf(sourceNodeId)) && known.has(textOf(targetNodeId)),
  )
  const taken = takenTransitions(transitions, trail ?? [])
  const edges = transitions.map((transition) => edgeOf(transition, taken))
  return trail === null || trail.length === 0 ? { nodes, edges } : { nodes: withAhead(nodes, edges), edges }
}

function nodeOf(node: Source, trail: readonly TrailEntry[]): GraphNode {
  const id = textOf(node.id)
  const runs = trail.filter(({ nodeId }) => nodeId === id)
  const states = runs.map(({ status }) => stateOf[status] ?? 'done')
  return {
    id,
    title: textOf(node.displayName) || id,
    activityType: textOf(node.activityType),
    // Several runs can be open at once; one that is open says more than one that has ended.
    state: states.findLast((state) => open.has(state)) ?? states.at(-1) ?? 'plain',
    runs: runs.length,
  }
}

function edgeOf(transition: Source, taken: ReadonlySet<string>): GraphEdge {
  const id = textOf(transition.id)
  return {
    id,
    source: textOf(transition.sourceNodeId),
    target: textOf(transition.targetNodeId),
    condition: textOf(transition.condition) || null,
    isDefault: transition.isDefault === true,
    taken: taken.has(id),
  }
}

/** Where the trail does not say which way was taken, each way between two nodes that both ran counts as taken. */
function takenTransitions(transitions: readonly Source[], trail: readonly TrailEntry[]): Set<string> {
  if (trail.some(({ routing }) => routing))
    return new Set(
      trail.flatMap(({ routing }) => (routing ?? []).filter(({ taken }) => taken).map((entry) => entry.transitionId)),
    )
  const left = new Set(trail.filter(({ status }) => status === 'COMPLETED').map(({ nodeId }) => nodeId))
  const ran = new Set(trail.map(({ nodeId }) => nodeId))
  const between = transitions.filter(
    ({ sourceNodeId, targetNodeId }) => left.has(textOf(sourceNodeId)) && ran.has(textOf(targetNodeId)),
  )
  return new Set(between.map(({ id }) => textOf(id)))
}

/** Tells what may still come from what was passed by: only the former can be reached from a node that is open. */
function withAhead(nodes: GraphNode[], edges: readonly GraphEdge[]): GraphNode[] {
  const ahead = new Set(nodes.filter(({ state }) => open.has(state)).map(({ id }) => id))
  for (const id of ahead) for (const { source, target } of edges) if (source === id) ahead.add(target)
  return nodes.map((node) =>
    node.state === 'plain' ? { ...node, state: ahead.has(node.id) ? 'ahead' : 'notTaken' } : node,
  )
}

function listOf(document: unknown, member: string): Source[] {
  const list = isObject(document) ? document[member] : null
  return Array.isArray(list) ? list.filter(isObject).filter(({ id }) => textOf(id) !== '') : []
}

function unique(items: readonly Source[]): Source[] {
  return [...new Map(items.map((item) => [textOf(item.id), item])).values()]
}

function isObject(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
