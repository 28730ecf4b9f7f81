import type { TrailEntry } from './model.js'

/** The node instances that this one came out of, the latest first. */
export function ancestors(trail: readonly TrailEntry[], id: string): TrailEntry[] {
  const wanted = new Set(trail.find((entry) => entry.id === id)?.cameFrom)
  const found: TrailEntry[] = []
  // The trail is in order of writing: what came before stands before.
  for (const entry of trail.toReversed()) {
    if (!wanted.has(entry.id)) continue
    found.push(entry)
    for (const from of entry.cameFrom) wanted.add(from)
  }
  return found
}

/** The run itself and every node instance that came out of it. */
export function descendants(trail: readonly TrailEntry[], id: string): Set<string> {
  const found = new Set([id])
  for (const entry of trail) if (entry.cameFrom.some((from) => found.has(from))) found.add(entry.id)
  return found
}
