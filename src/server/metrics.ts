import type { ExecutionArgs, ExecutionResult } from 'graphql'
import { type GraphQLError, getOperationAST } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Backlog, countBacklog } from '../persistence/backlog.js'
import type { Database } from '../persistence/database.js'
import type { EventFeed } from '../workers/eventFeed.js'

/** What a node tells of itself at /metrics, in the text format of Prometheus. */
export interface Metrics {
  plugin: Plugin
  contentType: string
  text(): Promise<string>
}

/**
 * Creates the metrics of a node. Labels come from short lists of our own, never from what callers send: a label for each
 * operation name that somebody makes up would fill the memory.
 */
export function createMetrics(node: { database: Database; feed: EventFeed }): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const operations = new Counter({
    name: 'countersign_operations_total',
    help: 'GraphQL operations by the field that they begin with and the code they ended with.',
    labelNames: ['type', 'field', 'code'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'countersign_operation_duration_seconds',
    help: 'How long queries and mutations took.',
    labelNames: ['type', 'field'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers: [registry],
  })
  watchNode(registry, node)
  return {
    plugin: countOperations(operations, seconds),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

function watchNode(registry: Registry, { database, feed }: { database: Database; feed: EventFeed }): void {
  new Gauge({
    name: 'countersign_subscribers',
    help: 'Subscriptions on this node.',
    registers: [registry],
    collect() {
      this.set(feed.listeners())
    },
  })
  new Gauge({
    name: 'countersign_feed_lag_seconds',
    help: 'How long ago this node has last read the event log to its end.',
    registers: [registry],
    collect() {
      this.set(feed.lag() / 1000)
    },
  })
  const help: { [Part in keyof Backlog]: string } = {
    due: 'Bookmarks whose time has come, on all nodes together.',
    dueSeconds: 'How long the oldest of them has been due.',
    jobs: 'Jobs that no node holds, on all nodes together.',
    notices: 'Notices between parents and children that nobody has taken yet.',
    webhooks: 'Messages to webhooks that have not arrived yet.',
  }
  const gauges = Object.entries(help).map(([part, text]) => {
    const name = part === 'dueSeconds' ? 'due_seconds' : part
    return {
      part: part as keyof Backlog,
      gauge: new Gauge({ name: `countersign_backlog_${name}`, help: text, registers: [] }),
    }
  })
  for (const { gauge } of gauges) registry.registerMetric(gauge)
  new Gauge({
    name: 'countersign_database_up',
    help: 'Whether the database answers: 1 or 0. The backlog is as it was when it last did.',
    registers: [registry],
    async collect() {
      try {
        const backlog = await countBacklog(database.prisma)
        for (const { part, gauge } of gauges) gauge.set(backlog[part])
        this.set(1)
      } catch {
        this.set(0)
      }
    },
  })
}

function countOperations(operations: Counter<'type' | 'field' | 'code'>, seconds: Histogram<'type' | 'field'>): Plugin {
  return {
    onExecute({ args }) {
      const labels = labelsOf(args)
      const end = seconds.startTimer(labels)
      return {
        onExecuteDone({ result }) {
          if (isAsyncIterable(result)) return
          end()
          operations.inc({ ...labels, code: codeOf(result as ExecutionResult) })
        },
      }
    },
    onSubscribe({ args }) {
      const labels = labelsOf(args)
      return {
        onSubscribeResult({ result }) {
          operations.inc({ ...labels, code: isAsyncIterable(result) ? 'OK' : codeOf(result) })
        },
      }
    },
  }
}

/** The first root field that the schema knows stands for the operation: there are only so many. */
export function labelsOf({ document, operationName, schema }: ExecutionArgs): { type: string; field: string } {
  const operation = getOperationAST(document, operationName)
  const type = operation?.operation ?? 'query'
  const first = operation?.selectionSet.selections[0]
  const name = first?.kind === 'Field' ? first.name.value : ''
  const known = name in (schema.getRootType(type as never)?.getFields() ?? {})
  return { type, field: known ? name : 'other' }
}

/** The code of the first error, OK where there is none. */
export function codeOf({ errors }: { errors?: readonly GraphQLError[] }): string {
  const [error] = errors ?? []
  if (!error) return 'OK'
  const { code } = error.extensions
  return typeof code === 'string' ? code : 'GRAPHQL_ERROR'
}
