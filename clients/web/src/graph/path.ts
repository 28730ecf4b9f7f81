interface Point {
  x: number
  y: number
}

const radius = 8

/** The SVG path through the points, with its corners rounded as far as there is room. */
export function pathOf(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      const before = points[index - 1]
      const after = points[index + 1]
      if (!before) return `M ${point.x} ${point.y}`
      if (!after) return `L ${point.x} ${point.y}`
      const enter = towards(point, before)
      const leave = towards(point, after)
      return `L ${enter.x} ${enter.y} Q ${point.x} ${point.y} ${leave.x} ${leave.y}`
    })
    .join(' ')
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  if (length === 0) return from
  const step = Math.min(radius, length / 2)
  return { x: from.x + ((to.x - from.x) * step) / length, y: from.y + ((to.y - from.y) * step) / length }
}
