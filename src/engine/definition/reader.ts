import type { Issue, JsonObject, MessageArguments } from '../model.js'
import { parseDuration } from './duration.js'

/** Reads one object of a definition document, member by member, and notes what is wrong with it. */
export class Reader {
  private readonly known = new Set<string>()

  constructor(
    private readonly source: JsonObject,
    readonly path: string,
    readonly issues: Issue[],
  ) {}

  error(member: string | null, messageKey: string, args: MessageArguments = {}): void {
    const path = member === null ? this.path : `${this.path}.${member}`
    this.issues.push({ severity: 'ERROR', path, messageKey: `workflow.definition.${messageKey}`, arguments: args })
  }

  /** The member, null where it is missing; null in the document means the same. */
  raw(member: string): unknown {
    this.known.add(member)
    return Object.hasOwn(this.source, member) ? (this.source[member] ?? null) : null
  }

  private typed<T>(member: string, expected: string, accept: (value: unknown) => value is T): T | null {
    const value = this.raw(member)
    if (value === null) return null
    if (accept(value)) return value
    this.error(member, 'json_malformed', { path: `${this.path}.${member}`, expected })
    return null
  }

  text(member: string): string | null {
    return this.typed(member, 'string', (value) => typeof value === 'string')
  }

  required(member: string): string {
    if (this.raw(member) === null) this.error(null, 'member_missing', { member })
    return this.text(member) ?? ''
  }

  flag(member: string): boolean {
    return this.typed(member, 'boolean', (value) => typeof value === 'boolean') ?? false
  }

  number(member: string, otherwise: number): number {
    return this.typed(member, 'number', (value): value is number => typeof value === 'number') ?? otherwise
  }

  object(member: string): JsonObject {
    return this.typed(member, 'object', isObject) ?? {}
  }

  optionalObject(member: string): JsonObject | null {
    return this.typed(member, 'object', isObject)
  }

  /** A duration in milliseconds; zero and negative ones are refused where the time must pass. */
  duration(member: string, key: string, least = 1): number | null {
    const text = this.text(member)
    if (text === null) return null
    const value = parseDuration(text)
    if (value !== null && value >= least) return value
    this.error(member, key, { value: text.slice(0, 100) })
    return null
  }

  list<T>(member: string, read: (item: Reader) => T): T[] {
    const items = this.typed(member, 'array', (value): value is unknown[] => Array.isArray(value)) ?? []
    return items.flatMap((item, index) => {
      const path = `${this.path}.${member}[${index}]`
      if (!isObject(item)) {
        this.issues.push({
          severity: 'ERROR',
          path,
          messageKey: 'workflow.definition.json_malformed',
          arguments: { path, expected: 'object' },
        })
        return []
      }
      const reader = new Reader(item, path, this.issues)
      const result = read(reader)
      reader.finish()
      return [result]
    })
  }

  /** Warns of members that nobody has asked for. */
  finish(): void {
    for (const member of Object.keys(this.source))
      if (!this.known.has(member))
        this.issues.push({
          severity: 'WARNING',
          path: `${this.path}.${member}`,
          messageKey: 'workflow.definition.member_unknown',
          arguments: { member },
        })
  }
}

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
