import { uuidv7 } from 'uuidv7'
import { createDefinition, publishDefinition } from '../../src/catalog.js'
import { createDefinitionCache } from '../../src/definitionCache.js'
import type { Actor, StartCommand } from '../../src/engine/command.js'
import { isRefusal, type JsonObject, type Refusal } from '../../src/engine/model.js'
import { defaultEngineOptions } from '../../src/engine/options.js'
import { type Extensions, noExtensions, registryWith } from '../../src/extensions.js'
import { type Handled, type HandleOptions, handle } from '../../src/handle.js'
import type { Idempotency } from '../../src/idempotency.js'
import type { Database } from '../../src/persistence/database.js'
import type { Runtime } from '../../src/runtime.js'
import { type SignalMet, signal } from '../../src/signal.js'
import { createDueWorker } from '../../src/workers/dueBookmarks.js'
import { person } from './run.js'

/** A definition document from the sketch of nodes and edges that the cases use. */
export function document(
  name: string,
  nodes: { [id: string]: string | [string, JsonObject, JsonObject?] },
  edges: string[],
  more: JsonObject = {},
): JsonObject {
  return {
    name,
    nodes: Object.entries(nodes).map(([id, node]) =>
      typeof node === 'string'
        ? { id, activityType: node }
        : { id, activityType: node[0], properties: node[1], ...node[2] },
    ),
    transitions: edges.map((edge, index) => {
      const [, source = '', target = '', rest = ''] = /^(\w+)>(\w+)\s*(.*)$/.exec(edge) ?? []
      const end =
        rest === 'default' ? { isDefault: true } : rest.startsWith('?') ? { condition: rest.slice(1).trim() } : {}
      return { id: `t${index}`, sourceNodeId: source, targetNodeId: target, ...end }
    }),
    ...more,
  }
}

export const designer = person('designer', 'design', 'operate')

/** The engine over a database, with a clock that is moved by hand. */
export class Engine {
  readonly clock = { time: Date.parse('2026-01-05T09:00:00Z'), now: () => this.clock.time }
  readonly runtime: Runtime

  constructor(
    readonly database: Database,
    extensions: Partial<Extensions> = {},
  ) {
    const all = { ...noExtensions, ...extensions }
    this.runtime = {
      database,
      registry: registryWith(all),
      extensions: all,
      options: defaultEngineOptions,
      definitions: createDefinitionCache(),
      clock: this.clock,
      wake: () => {},
      log: { info: () => {}, warn: () => {}, error: () => {} },
    }
  }

  async publish(source: JsonObject, actor: Actor = designer) {
    const draft = unwrap(await createDefinition(this.runtime, actor, source))
    return unwrap(await publishDefinition(this.runtime, actor, draft.id))
  }

  start(
    name: string,
    variables: JsonObject = {},
    facts: Partial<StartCommand> = {},
    options: HandleOptions = {},
    actor: Actor = person('u0'),
  ): Promise<Handled | Refusal> {
    const command: StartCommand = {
      type: 'start',
      instanceId: uuidv7(),
      variables,
      starterId: actor.userId,
      correlationId: null,
      displayName: null,
      ...facts,
    }
    return handle(this.runtime, actor, command, { definition: { name, version: null }, ...options })
  }

  complete(
    taskId: string,
    userId: string,
    outcome = 'approved',
    variables: JsonObject = {},
    options: HandleOptions = {},
  ) {
    return handle(
      this.runtime,
      person(userId),
      { type: 'completeTask', taskId, outcome, comment: null, variables, onBehalfOfId: null },
      options,
    )
  }

  /** The open tasks of running instances, oldest first. */
  tasks(instanceId?: string) {
    return this.database.prisma.bookmark.findMany({
      where: { kind: 'USER_TASK', instanceStatus: 'RUNNING', ...(instanceId ? { instanceId } : {}) },
      orderBy: { seq: 'asc' },
    })
  }

  async taskOf(userId: string): Promise<string> {
    return (await this.tasks()).find((task) => task.key === userId)?.id ?? '00000000-0000-7000-8000-000000000000'
  }

  signal(
    name: string,
    correlationId: string | null,
    more: { payload?: JsonObject; holdSeconds?: number } = {},
    actor: Actor = person('op', 'operate'),
    idempotency: Idempotency | null = null,
  ): Promise<SignalMet | Refusal> {
    const { payload = null, holdSeconds = 0 } = more
    return signal(this.runtime, actor, { name, payload, correlationId, holdSeconds }, idempotency)
  }

  poll(): Promise<number> {
    return createDueWorker(this.runtime, { pollInterval: 1000, batchSize: 100 }).runCycle()
  }
}

export function unwrap<T>(value: T | Refusal): T {
  if (isRefusal(value))
    throw new Error(`refused: ${value.code} ${value.messageKey} ${JSON.stringify(value.violations ?? value.arguments)}`)
  return value
}
