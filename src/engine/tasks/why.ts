import type { BookmarkState } from '../model.js'

/** Where an assignee comes from: a property of the node, or an act of somebody. */
export type AssignmentSource =
  | 'ASSIGNEES'
  | 'EXPRESSION'
  | 'RULE'
  | 'FALLBACK'
  | 'ADDED'
  | 'TRANSFERRED'
  | 'DELEGATED'
  | 'HANDED_OVER'

/** Why somebody is asked; stored with the task when it is made. */
export interface WhyAssigned {
  assignee: string
  source: AssignmentSource
  /** The type of the rule that found him. */
  rule: string | null
  /** Who gave it to him. */
  byId: string | null
  /** The absent person whom he stands in for. */
  insteadOfId: string | null
}

/** Somebody who shall be asked. */
export interface Assignee {
  id: string
  why: WhyAssigned
  /** The groups that he was found as a member of. */
  groups: string[]
}

/** Somebody whom another person put on the step. */
export function given(assignee: string, source: AssignmentSource, byId: string): WhyAssigned {
  return { assignee, source, rule: null, byId, insteadOfId: null }
}

/** Why the task is whose it is; null for one that was made before this was kept. */
export function whyOf({ payload }: Pick<BookmarkState, 'payload'>): WhyAssigned | null {
  return (payload.why as unknown as WhyAssigned | undefined) ?? null
}
