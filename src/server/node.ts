import { createDefinitionCache } from '../definitionCache.js'
import { defaultEngineOptions } from '../engine/options.js'
import { type Extensions, registryWith } from '../extensions.js'
import type { Database } from '../persistence/database.js'
import type { Log, Runtime } from '../runtime.js'
import { createDueWorker } from '../workers/dueBookmarks.js'
import { createEventFeed, type EventFeed } from '../workers/eventFeed.js'
import { createNotifier } from '../workers/notifier.js'
import type { Config } from './resolveConfig.js'

/** One of the equal nodes over a database: what works there, without any server. */
export interface Node {
  runtime: Runtime
  feed: EventFeed
  start(): Promise<void>
  /** Takes no more work of its own; resolves when what runs is finished. */
  finish(): Promise<void>
  /** Lets go of the database. */
  close(): Promise<void>
}

/** Recent events in memory, for subscribers that are nearly up to date. */
const eventsKept = 10_000
/** Milliseconds between two notifications to other nodes. */
const notifyInterval = 5

/** Creates what works on the database: the runtime and its workers. A commit wakes this node's and the others'. */
export function createNode(config: Config, database: Database, extensions: Extensions, log: Log): Node {
  const runtime: Runtime = {
    database,
    registry: registryWith(extensions, config.expressionCacheSize),
    extensions,
    options: {
      ...defaultEngineOptions,
      maxNodeExecutionsPerBurst: config.maxNodeExecutionsPerBurst,
      maxSubWorkflowDepth: config.maxSubWorkflowDepth,
      notResumableBackoff: config.notResumableBackoff,
    },
    definitions: createDefinitionCache(),
    clock: null,
    wake() {
      feed.wake()
      dueWorker.wake()
      notifier.notify()
    },
    log,
  }
  const { pollInterval, batchSize } = config
  const feed = createEventFeed({ database, pollInterval, bufferSize: eventsKept, log })
  const dueWorker = createDueWorker(runtime, { pollInterval, batchSize })
  const notifier = createNotifier(database, notifyInterval)
  return {
    runtime,
    feed,
    async start() {
      await feed.start()
      dueWorker.start()
    },
    finish: () => dueWorker.stop(),
    async close() {
      await feed.stop()
      await notifier.stop()
      await database.close()
    },
  }
}
