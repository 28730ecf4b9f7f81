export interface VariableChanges {
  set: Record<string, unknown>
  remove: string[]
}

/** What has to be set and removed to come from the variables before to those after. */
export function changesOf(before: unknown, after: unknown): VariableChanges {
  const old = membersOf(before)
  const next = membersOf(after)
  const changed = Object.entries(next).filter(
    ([name, value]) => !Object.hasOwn(old, name) || JSON.stringify(old[name]) !== JSON.stringify(value),
  )
  return {
    set: Object.fromEntries(changed),
    remove: Object.keys(old).filter((name) => !Object.hasOwn(next, name)),
  }
}

/** Whether the text is a JSON object. */
export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
