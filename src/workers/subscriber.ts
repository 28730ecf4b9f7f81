import { comparePositions, type EventRow, type EventScope, type Position } from '../persistence/events.js'

/** What a subscriber is: where it stands in the log, what concerns it, and how it is woken. Nothing is queued for it. */
export interface Subscriber {
  tenantId: string
  /** `user:<id>`, `group:<id>`, `instance:<id>`, `definition:<name>`, `topic:<external topic>` or `tenant`. */
  keys: ReadonlySet<string>
  cursor: Position
  wake: () => void
}

/** The keys that an event concerns. */
export function keysOf(event: EventRow): string[] {
  const keys = event.recipients.map((recipient) => (recipient.startsWith('group:') ? recipient : `user:${recipient}`))
  if (event.instanceId !== null) keys.push(`instance:${event.instanceId}`)
  if (event.definitionName !== null) keys.push(`definition:${event.definitionName}`)
  const topic = event.type.startsWith('workflow.external.') ? (event.data as { topic?: unknown } | null)?.topic : null
  if (typeof topic === 'string') keys.push(`topic:${topic}`)
  keys.push('tenant')
  return keys
}

export function concerns(subscriber: Subscriber, event: EventRow): boolean {
  return event.tenantId === subscriber.tenantId && keysOf(event).some((key) => subscriber.keys.has(key))
}

/** The subscriber's keys as the database understands them. */
export function scopeOf({ tenantId, keys }: Subscriber): EventScope {
  const scope: EventScope = { tenantId, all: keys.has('tenant'), recipients: [], instanceIds: [], definitionNames: [] }
  for (const key of keys) {
    const [kind, id] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
    if (kind === 'user') scope.recipients.push(id)
    else if (kind === 'group') scope.recipients.push(key)
    else if (kind === 'instance') scope.instanceIds.push(id)
    else if (kind === 'definition') scope.definitionNames.push(id)
  }
  return scope
}

/** Subscribers by what concerns them, so that an event is offered only to those. */
export class SubscriberIndex {
  private readonly byKey = new Map<string, Set<Subscriber>>()
  private count = 0

  get size(): number {
    return this.count
  }

  add(subscriber: Subscriber): void {
    this.count += 1
    for (const key of subscriber.keys) {
      const place = `${subscriber.tenantId}/${key}`
      const found = this.byKey.get(place)
      if (found) found.add(subscriber)
      else this.byKey.set(place, new Set([subscriber]))
    }
  }

  remove(subscriber: Subscriber): void {
    let known = false
    for (const key of subscriber.keys) {
      const place = `${subscriber.tenantId}/${key}`
      const found = this.byKey.get(place)
      if (!found) continue
      known = found.delete(subscriber) || known
      if (found.size === 0) this.byKey.delete(place)
    }
    if (known) this.count -= 1
  }

  wake(event: EventRow): void {
    for (const key of keysOf(event))
      for (const subscriber of this.byKey.get(`${event.tenantId}/${key}`) ?? []) subscriber.wake()
  }
}

/** The recent part of the log in memory: everything behind `floor`, in order, up to a bound. */
export class RecentEvents {
  private events: EventRow[] = []

  constructor(
    /** Everything later than this and not in `events` has not been read yet. */
    public floor: Position,
    private readonly bound: number,
  ) {}

  get end(): Position {
    return this.events.at(-1) ?? this.floor
  }

  append(events: readonly EventRow[]): void {
    this.events.push(...events)
    const excess = this.events.length - this.bound
    if (excess <= 0) return
    const dropped = this.events.splice(0, excess).at(-1)
    if (dropped) this.floor = { txid: dropped.txid, seq: dropped.seq }
  }

  /** The index of the first event behind the position. */
  after(position: Position): { events: readonly EventRow[]; from: number } {
    let [low, high] = [0, this.events.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const event = this.events[middle]
      if (event && comparePositions(event, position) <= 0) low = middle + 1
      else high = middle
    }
    return { events: this.events, from: low }
  }
}
