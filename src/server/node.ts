import { createDefinitionCache } from '../definitionCache.js'
import { httpJob } from '../engine/activities/http.js'
import { defaultEngineOptions } from '../engine/options.js'
import { type Extensions, registryWith } from '../extensions.js'
import { createOutbound } from '../outbound/client.js'
import { httpJobs } from '../outbound/httpJobs.js'
import { connectNats } from '../outbound/nats.js'
import { webhookPosts } from '../outbound/webhookPosts.js'
import type { Database } from '../persistence/database.js'
import type { Clock, Log, Runtime } from '../runtime.js'
import { createDueWorker } from '../workers/dueBookmarks.js'
import { createEventFeed, type EventFeed } from '../workers/eventFeed.js'
import { createHousekeeper } from '../workers/housekeeping.js'
import { createJobWorker } from '../workers/jobs.js'
import { createNotifier } from '../workers/notifier.js'
import { createRelay } from '../workers/relay.js'
import { createWebhookWorker } from '../workers/webhooks.js'
import type { Config } from './resolveConfig.js'

/** One of the equal nodes over a database: what works there, without any server. */
export interface Node {
  runtime: Runtime
  feed: EventFeed
  start(): Promise<void>
  /** Takes no more work of its own; resolves when what runs is finished. */
  finish(): Promise<void>
  /** Lets go of the database, which stays open. */
  close(): Promise<void>
}

/** What a node goes by. */
export type NodeConfig = Pick<
  Config,
  | 'allowedHosts'
  | 'batchSize'
  | 'eventRetentionDays'
  | 'expressionCacheSize'
  | 'housekeepingInterval'
  | 'httpTimeout'
  | 'maxNodeExecutionsPerBurst'
  | 'maxSubWorkflowDepth'
  | 'maxWebhooks'
  | 'notResumableBackoff'
  | 'pollInterval'
  | 'retentionDays'
> &
  Partial<Pick<Config, 'natsUrl' | 'natsStream'>>

/** Recent events in memory, for subscribers that are nearly up to date. */
const eventsKept = 10_000
/** HTTP calls that one node makes at the same time. */
const jobsAtOnce = 20
/** Milliseconds between two notifications to other nodes. */
const notifyInterval = 5

/** Creates what works on the database: the runtime and its workers. A commit wakes this node's and the others'. */
export function createNode(
  config: NodeConfig,
  database: Database,
  extensions: Extensions,
  log: Log,
  clock: Clock | null = null,
): Node {
  const runtime: Runtime = {
    database,
    registry: registryWith(extensions, config.expressionCacheSize),
    extensions,
    options: {
      ...defaultEngineOptions,
      maxNodeExecutionsPerBurst: config.maxNodeExecutionsPerBurst,
      maxSubWorkflowDepth: config.maxSubWorkflowDepth,
      notResumableBackoff: config.notResumableBackoff,
      httpTimeout: config.httpTimeout,
      maxWebhooks: config.maxWebhooks,
    },
    definitions: createDefinitionCache(),
    clock,
    wake() {
      feed.wake()
      jobWorker.wake()
      relay?.wake()
      webhooks.wake()
      notifier.notify()
    },
    wakeWork: () => dueWorker.wake(),
    log,
  }
  const { pollInterval, batchSize } = config
  const feed = createEventFeed({ database, pollInterval, bufferSize: eventsKept, log })
  const dueWorker = createDueWorker(runtime, { pollInterval, batchSize })
  const outbound = createOutbound({ allowedHosts: config.allowedHosts })
  const kinds = { [httpJob]: httpJobs(outbound) }
  const jobWorker = createJobWorker(runtime, { kinds, pollInterval, concurrency: jobsAtOnce })
  const webhooks = createWebhookWorker(runtime, { post: webhookPosts(outbound), pollInterval })
  const notifier = createNotifier(database, notifyInterval)
  const { natsUrl, natsStream: stream = 'COUNTERSIGN' } = config
  const relay = natsUrl
    ? createRelay(runtime, {
        name: `nats/${stream}`,
        pollInterval,
        connect: () => connectNats({ url: natsUrl, stream }),
      })
    : null
  const housekeeper = createHousekeeper(runtime, {
    retentionDays: config.retentionDays,
    eventRetentionDays: config.eventRetentionDays,
    interval: config.housekeepingInterval,
  })
  return {
    runtime,
    feed,
    async start() {
      await feed.start()
      dueWorker.start()
      jobWorker.start()
      housekeeper.start()
      relay?.start()
      webhooks.start()
    },
    async finish() {
      await Promise.all([dueWorker.stop(), jobWorker.stop(), housekeeper.stop(), relay?.stop(), webhooks.stop()])
    },
    async close() {
      await outbound.close()
      await feed.stop()
      await notifier.stop()
    },
  }
}
