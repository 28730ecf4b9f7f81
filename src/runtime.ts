import type { DefinitionCache } from './definitionCache.js'
import type { Registry } from './engine/activities/registry.js'
import type { EngineOptions } from './engine/options.js'
import type { Extensions } from './extensions.js'
import type { Database } from './persistence/database.js'

/** What every operation needs: one per node; nothing in it belongs to a caller. */
export interface Runtime {
  database: Database
  registry: Registry
  /** The application's code behind what the registry names. */
  extensions: Extensions
  options: EngineOptions
  definitions: DefinitionCache
  /** A fixed or virtual time in tests; null means the database's clock. */
  clock: Clock | null
  /** Called after a commit that wrote events, so that readers on this node need not wait for their poll. */
  wake: () => void
  /** Called after a commit that left work for another transaction, so that it need not wait for the next poll. */
  wakeWork?: () => void
  log: Log
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

/** The part of the logger that the inner layers use. */
export interface Log {
  debug?(facts: object, text: string): void
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}
