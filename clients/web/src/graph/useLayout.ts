import { useEffect, useState } from 'react'
import { type Direction, type Layout, layOut } from './layout'
import type { Graph } from './states'

/** Lays the graph out anew where its shape changes, not where only states do. */
export function useLayout(graph: Graph, direction: Direction, otherwise: string): Layout | null {
  const [layout, setLayout] = useState<Layout | null>(null)
  const shape = JSON.stringify([
    graph.nodes.map(({ id }) => id),
    graph.edges.map(({ id, source, target, condition, isDefault }) => [id, source, target, condition, isDefault]),
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for the graph
  useEffect(() => {
    let gone = false
    const labels = graph.edges.map(
      ({ id, condition, isDefault }) => [id, condition ?? (isDefault ? otherwise : '')] as const,
    )
    layOut(graph, direction, new Map(labels)).then(
      (next) => gone || setLayout(next),
      () => gone || setLayout(null),
    )
    return () => {
      gone = true
    }
  }, [shape, direction, otherwise])
  return layout
}
