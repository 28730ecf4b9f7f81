import type { InstanceState } from '../engine/model.js'

/** What the engine keeps between bursts; one column of the instance holds it. */
export type EngineStateMember = 'joins' | 'pending' | 'startedChildren' | 'approvals'
type EngineState = Pick<InstanceState, EngineStateMember>

/** Parts an instance into its columns and the engine's own state. */
export function splitInstance(instance: InstanceState): {
  columns: Omit<InstanceState, EngineStateMember>
  state: EngineState
} {
  const { joins, pending, startedChildren, approvals, ...columns } = instance
  return { columns, state: { joins, pending, startedChildren, approvals } }
}
