import '@xyflow/react/dist/base.css'
import './graph.css'
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { Background, Controls, type Edge, type Node, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layout } from './layout'
import { Step, type StepNode } from './Step'
import { type Graph, graphOf, type TrailEntry } from './states'
import { useLayout } from './useLayout'
import { ArrowHeads, Way, type WayEdge } from './Way'

interface ProcessGraphProps {
  document: unknown
  /** What an instance has come through; null where the definition alone is shown. */
  trail: readonly TrailEntry[] | null
  selected?: string | null
  onSelect?: ((nodeId: string) => void) | undefined
  height?: number | string
}

const nodeTypes = { step: Step }
const edgeTypes = { way: Way }
const narrow = 800

/** The picture of a process: what is done, what is open, and which ways were taken. */
export default function ProcessGraph({ height = 340, ...props }: ProcessGraphProps) {
  const { t } = useTranslation('graph')
  const { ref, width } = useElementSize()
  return (
    <section ref={ref} className="process-graph" style={{ height }} aria-label={t('title')}>
      {width > 0 && (
        <ReactFlowProvider>
          <Picture {...props} width={width} />
        </ReactFlowProvider>
      )}
    </section>
  )
}

function Picture({
  document,
  trail,
  selected,
  onSelect,
  width,
}: Omit<ProcessGraphProps, 'height'> & { width: number }) {
  const { t } = useTranslation('graph')
  const scheme = useComputedColorScheme('light')
  const graph = useMemo(() => graphOf(document, trail), [document, trail])
  const layout = useLayout(graph, width < narrow ? 'DOWN' : 'RIGHT', t('otherwise'))
  const { fitView } = useReactFlow()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new layout or width moves everything
  useEffect(() => {
    const frame = requestAnimationFrame(() => void fitView({ padding: 0.06, maxZoom: 1 }))
    return () => cancelAnimationFrame(frame)
  }, [fitView, layout, width])
  const nodes = useMemo(() => nodesOf(graph, layout, selected, onSelect), [graph, layout, selected, onSelect])
  const edges = useMemo(() => edgesOf(graph, layout, t('otherwise')), [graph, layout, t])
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      colorMode={scheme}
      minZoom={0.2}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      zoomOnScroll={false}
      preventScrolling={false}
      proOptions={{ hideAttribution: false }}
    >
      <ArrowHeads />
      <Background gap={20} />
      <Controls showInteractive={false} aria-label={t('controls')} fitViewOptions={{ padding: 0.06, maxZoom: 1 }} />
    </ReactFlow>
  )
}

function nodesOf(
  { nodes }: Graph,
  layout: Layout | null,
  selected: string | null | undefined,
  onSelect: ((nodeId: string) => void) | undefined,
): StepNode[] {
  return nodes.flatMap((node): Node<StepNode['data'], 'step'>[] => {
    const position = layout?.nodes.get(node.id)
    return position
      ? [{ id: node.id, type: 'step', position, data: { node, chosen: node.id === selected, onSelect } }]
      : []
  })
}

function edgesOf({ edges }: Graph, layout: Layout | null, otherwise: string): WayEdge[] {
  return edges.flatMap((edge): Edge<WayEdge['data'] & object, 'way'>[] => {
    const way = layout?.edges.get(edge.id)
    if (!way) return []
    const text = edge.condition ?? (edge.isDefault ? otherwise : '')
    return [
      { id: edge.id, type: 'way', source: edge.source, target: edge.target, data: { ...way, text, taken: edge.taken } },
    ]
  })
}
