/** Members that the catalog assigns: they differ in any two versions. */
const identity = new Set(['id', 'version', 'status', 'tenantId', 'createdAt', 'publishedAt'])

/** What a version says, without what it is: a text to compare. A text that is no JSON stays as it is. */
export function contentOf(source: unknown): string {
  const document = typeof source === 'string' ? read(source) : source
  if (typeof document !== 'object' || document === null) return String(source)
  const members = Object.entries(document).filter(([name]) => !identity.has(name))
  return JSON.stringify(Object.fromEntries(members), null, 2)
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
