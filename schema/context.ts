import type { Actor } from '../src/engine/command.js'
import type { Runtime } from '../src/runtime.js'
import type { EventFeed } from '../src/workers/eventFeed.js'

/** What the server gives to every GraphQL operation. */
export interface Context {
  runtime: Runtime
  feed: EventFeed
  /** Null: nobody. Only introspection and `__typename` are open to nobody. */
  actor: Actor | null
  /** BCP 47, one of the catalogs: what messages are rendered in. */
  locale: string
  requestId: string
  /** Whether somebody still waits for the answer: the caller has not gone, and the server does not stop. */
  isAwaited?: () => boolean
}
