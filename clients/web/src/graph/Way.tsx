import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import type { Place } from './layout'

export type WayEdge = Edge<{ path: string; label: Place | null; text: string; taken: boolean }, 'way'>

/** A transition of the picture, along the way that the layout found. */
export function Way({ id, data }: EdgeProps<WayEdge>) {
  if (!data) return null
  const { path, label, text, taken } = data
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        markerEnd={`url(#${taken ? 'way-taken' : 'way-open'})`}
        className={taken ? 'way taken' : 'way'}
      />
      {label && text && (
        <EdgeLabelRenderer>
          <span
            className={taken ? 'way-label taken' : 'way-label'}
            title={text}
            style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
          >
            {text}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  )
}

/** The heads of the arrows. */
export function ArrowHeads() {
  return (
    <svg width={0} height={0} aria-hidden style={{ position: 'absolute' }}>
      <defs>
        {['way-open', 'way-taken'].map((id) => (
          <marker
            key={id}
            id={id}
            className={id}
            viewBox="0 0 10 10"
            refX={9}
            refY={5}
            markerWidth={9}
            markerHeight={9}
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M 0 0 L 10 5 L 0 10 z" />
          </marker>
        ))}
      </defs>
    </svg>
  )
}
