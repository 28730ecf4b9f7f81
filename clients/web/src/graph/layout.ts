import type { ELK, ElkEdgeSection, ElkNode } from 'elkjs/lib/elk-api'
import Elk from 'elkjs/lib/elk-api'
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'
import { pathOf } from './path'
import type { Graph } from './states'

export type Direction = 'RIGHT' | 'DOWN'

export interface Place {
  x: number
  y: number
}

/** Where everything lies. */
export interface Layout {
  nodes: ReadonlyMap<string, Place>
  edges: ReadonlyMap<string, { path: string; label: Place | null }>
}

export const nodeSize = { width: 188, height: 60 }
const labelHeight = 20
const longestLabel = 132
const letterWidth = 6.4

let elk: ELK | null = null

/** Lays a graph out in layers, in a worker. */
export async function layOut({ nodes, edges }: Graph, direction: Direction, labels: ReadonlyMap<string, string>) {
  elk ??= new Elk({ workerFactory: () => new Worker(workerUrl) })
  const answer = await elk.layout({
    id: 'root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': direction,
      'elk.edgeRouting': 'ORTHOGONAL',
      'elk.layered.spacing.nodeNodeBetweenLayers': '32',
      'elk.spacing.nodeNode': '28',
      'elk.spacing.edgeLabel': '4',
      'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
      'elk.edgeLabels.inline': 'true',
    },
    children: nodes.map(({ id }) => ({ id, ...nodeSize })),
    edges: edges.map(({ id, source, target }) => ({
      id,
      sources: [source],
      targets: [target],
      labels: labelOf(labels.get(id)),
    })),
  })
  return layoutOf(answer)
}

function labelOf(text: string | undefined) {
  if (!text) return []
  return [{ text, width: Math.min(longestLabel, 16 + text.length * letterWidth), height: labelHeight }]
}

function layoutOf({ children = [], edges = [] }: ElkNode): Layout {
  const places = children.map(({ id, x = 0, y = 0 }) => [id, { x, y }] as const)
  const ways = edges.map(({ id, sections = [], labels = [] }) => {
    const [label] = labels
    const center = label && {
      x: (label.x ?? 0) + (label.width ?? 0) / 2,
      y: (label.y ?? 0) + (label.height ?? 0) / 2,
    }
    return [id, { path: sections.map(sectionPath).join(' '), label: center ?? null }] as const
  })
  return { nodes: new Map(places), edges: new Map(ways) }
}

function sectionPath({ startPoint, bendPoints = [], endPoint }: ElkEdgeSection): string {
  return pathOf([startPoint, ...bendPoints, endPoint])
}
