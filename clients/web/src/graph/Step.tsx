import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { useTranslation } from 'react-i18next'
import { activityIcon, stateIcon } from './icons'
import type { GraphNode } from './states'

export type StepNode = Node<
  { node: GraphNode; chosen: boolean; onSelect: ((nodeId: string) => void) | undefined },
  'step'
>

/** A node of the picture: its state is told by colour, by a mark and in words. */
export function Step({ data: { node, chosen, onSelect } }: NodeProps<StepNode>) {
  const { t } = useTranslation('graph')
  const Icon = activityIcon(node.activityType)
  const Mark = stateIcon[node.state]
  const state = t(`states.${node.state}`)
  const kind = t(`activities.${node.activityType}`, node.activityType)
  const runs = node.runs > 1 ? ` ×${node.runs}` : ''
  const content = (
    <>
      <Icon size={20} stroke={1.6} aria-hidden className="step-icon" />
      <span className="step-text">
        <span className="step-title">{node.title}</span>
        <span className="step-kind">
          {node.state === 'plain' ? kind : state}
          {runs}
        </span>
      </span>
      {Mark && <Mark size={18} stroke={2.4} aria-hidden className="step-mark" />}
    </>
  )
  const shown = { className: 'step', 'data-state': node.state, 'data-node': node.id, title: `${node.title} · ${kind}` }
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      {onSelect ? (
        <button type="button" {...shown} aria-pressed={chosen} onClick={() => onSelect(node.id)}>
          {content}
        </button>
      ) : (
        <div {...shown}>{content}</div>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  )
}
