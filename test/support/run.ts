import { createRegistry } from '../../src/engine/activities/registry.js'
import type { Answer, Call } from '../../src/engine/calls.js'
import type { Actor, Command, StartCommand } from '../../src/engine/command.js'
import {
  type Decision,
  decide,
  decideStart,
  isOpen,
  type OpenDecision,
  resumeDecision,
} from '../../src/engine/decide.js'
import { type CompiledDefinition, compileDefinition } from '../../src/engine/definition/compile.js'
import type { Changes, TakenAnswer, World } from '../../src/engine/execution.js'
import {
  type BookmarkState,
  type DefinitionContent,
  type EventState,
  type InstanceState,
  isRefusal,
  type JsonObject,
  type NodeInstanceState,
  type Refusal,
  type TaskRecordState,
  type WorkflowNode,
} from '../../src/engine/model.js'
import { defaultEngineOptions } from '../../src/engine/options.js'

/** A sketch of a definition: `{ id: type | [type, properties, options] }` and edges `"a>b ? condition"`, `"a>b default"`. */
export interface Sketch {
  name?: string
  nodes: { [id: string]: string | [string, JsonObject, Partial<WorkflowNode>?] }
  edges: string[]
  content?: Partial<DefinitionContent>
}

export function define(sketch: Sketch): CompiledDefinition {
  const nodes = Object.entries(sketch.nodes).map(([id, node]): WorkflowNode => {
    const [activityType, properties, options] =
      typeof node === 'string' ? [node, {}, {}] : [node[0], node[1], node[2] ?? {}]
    return {
      id,
      activityType,
      displayName: null,
      properties,
      retryPolicy: null,
      timeout: null,
      continueOnError: false,
      outputMappings: {},
      ...options,
    }
  })
  const transitions = sketch.edges.map((edge, index) => {
    const [, source, target, rest] = /^(\w+)>(\w+)\s*(.*)$/.exec(edge) ?? []
    const condition = rest?.startsWith('?') ? rest.slice(1).trim() : null
    return {
      id: `t${index}`,
      sourceNodeId: source ?? '',
      targetNodeId: target ?? '',
      condition,
      priority: 0,
      isDefault: rest === 'default',
    }
  })
  return compileDefinition({
    name: sketch.name ?? 'case',
    displayName: null,
    description: null,
    category: null,
    variables: [],
    nodes,
    transitions,
    enableCompensation: false,
    compensateOnFault: false,
    timeout: null,
    timeoutAction: 'Fault',
    properties: {},
    ...sketch.content,
  })
}

export function person(userId: string, ...permissions: Actor['permissions'][number][]): Actor {
  return { userId, tenantId: 't1', groups: [], permissions }
}

/** Runs one instance in memory: what a database would store after each decision, and a clock that is moved by hand. */
export class Run {
  now = Date.parse('2026-01-05T09:00:00Z')
  instance!: InstanceState
  nodes = new Map<string, NodeInstanceState>()
  bookmarks = new Map<string, BookmarkState>()
  records: TaskRecordState[] = []
  events: EventState[] = []
  /** Decides everything twice and compares: a decision must not depend on anything but its input. */
  replays = false
  private ids = 0
  private readonly registry = createRegistry()

  /** What the validator asks. */
  readonly known = {
    activity: (type: string) => this.registry.activities.get(type),
    assigneeRule: (type: string) => this.registry.assigneeRules.has(type),
  }

  constructor(
    readonly definition: CompiledDefinition,
    variables: JsonObject = {},
    facts: Partial<StartCommand> = {},
    /** Answers what the engine asks its shell; then it also asks who is absent. */
    private readonly shell: ((call: Call) => Answer) | null = null,
  ) {
    const command: StartCommand = {
      type: 'start',
      instanceId: this.id(),
      variables,
      starterId: 'u0',
      correlationId: null,
      displayName: null,
      ...facts,
    }
    const opened = decideStart(
      definition,
      { tenantId: 't1', definitionId: 'd1', definitionVersion: 1, parent: null },
      command,
      this.world(),
      person('u0'),
    )
    const decision = this.settle(opened)
    if (isRefusal(decision)) throw new Error(decision.messageKey)
    this.keep(decision)
  }

  private settle(opened: Decision | OpenDecision): Decision {
    let decision = opened
    while (isOpen(decision)) {
      const { shell } = this
      if (!shell) throw new Error('nothing here answers calls')
      decision = resumeDecision(decision, decision.calls.map(shell))
    }
    return decision
  }

  private id = () => `00000000-0000-7000-8000-${String(this.ids++).padStart(12, '0')}`

  private world(): World {
    const absences = this.shell !== null
    return { now: this.now, newId: this.id, registry: this.registry, options: defaultEngineOptions, absences }
  }

  private keep(changes: Changes): void {
    this.instance = changes.instance
    for (const nodeInstance of changes.nodeInstances) this.nodes.set(nodeInstance.id, nodeInstance)
    for (const id of changes.bookmarksDeleted) this.bookmarks.delete(id)
    for (const bookmark of [...changes.bookmarksInserted, ...changes.bookmarksUpdated])
      this.bookmarks.set(bookmark.id, bookmark)
    this.records.push(...changes.taskRecords)
    this.events.push(...changes.events)
  }

  /** Carries a command out as this person; null is the engine itself. Answers the refusal, or null. */
  do(command: Exclude<Command, StartCommand>, actor: Actor | null): Refusal | null {
    const active = [...this.nodes.values()].filter(
      (node) =>
        node.status === 'WAITING' ||
        node.id === this.instance.faultNodeInstanceId ||
        [...this.bookmarks.values()].some((bookmark) => bookmark.nodeInstanceId === node.id),
    )
    const loaded = {
      instance: this.instance,
      nodeInstances: active,
      bookmarks: [...this.bookmarks.values()],
      trail: [...this.nodes.values()],
      taken: command.type === 'takeBackTask' ? this.answerTo(command.taskId) : null,
      acted: this.actsSince(-1).some(({ actorId }) => actorId !== this.instance.starterId),
    }
    const before = JSON.stringify(loaded)
    const firstId = this.ids
    const decision = this.settle(decide(this.definition, loaded, command, this.world(), actor))
    if (this.replays) {
      const lastId = this.ids
      this.ids = firstId
      const again = this.settle(decide(this.definition, loaded, command, this.world(), actor))
      if (this.ids !== lastId || JSON.stringify(again) !== JSON.stringify(decision))
        throw new Error('the same command was decided in two ways')
    }
    if (JSON.stringify(loaded) !== before) throw new Error('the decision changed what was loaded')
    if (isRefusal(decision)) return decision
    this.keep(decision)
    return null
  }

  /** What people have done after a record. */
  private actsSince(index: number): TaskRecordState[] {
    return this.records
      .slice(index + 1)
      .filter(({ actorId, action }) => actorId !== null && action !== 'URGED' && action !== 'COMMENTED')
  }

  private answerTo(taskId: string): TakenAnswer | null {
    const index = this.records.findLastIndex(
      (record) => record.taskId === taskId && record.action === 'COMPLETED' && record.actorId !== null,
    )
    const record = this.records[index]
    const nodeInstance = this.nodes.get(record?.nodeInstanceId ?? '')
    if (!record || !nodeInstance) return null
    const { actorId, onBehalfOfId, assigneeId } = record
    const actedSince = this.actsSince(index).map(({ nodeInstanceId }) => nodeInstanceId)
    return { taskId, actorId: actorId ?? '', onBehalfOfId, assigneeId, nodeInstance, actedSince }
  }

  tasks(nodeId?: string): BookmarkState[] {
    return [...this.bookmarks.values()].filter(
      (bookmark) => bookmark.kind === 'USER_TASK' && (!nodeId || bookmark.nodeId === nodeId),
    )
  }

  /** The people with an open task. */
  people(nodeId?: string): (string | null)[] {
    return this.tasks(nodeId).map((task) => task.key)
  }

  taskOf(userId: string): string {
    return this.tasks().find((task) => task.key === userId)?.id ?? 'none'
  }

  complete(
    userId: string,
    outcome = 'approved',
    taskId = this.taskOf(userId),
    variables: JsonObject = {},
  ): Refusal | null {
    return this.do(
      { type: 'completeTask', taskId, outcome, comment: null, variables, onBehalfOfId: null },
      person(userId),
    )
  }

  signal(name: string): number {
    const waiting = [...this.bookmarks.values()].filter(
      (bookmark) => bookmark.kind === 'SIGNAL' && bookmark.key === name,
    )
    for (const { id } of waiting) this.do({ type: 'signalBookmark', bookmarkId: id, name, payload: null }, null)
    return waiting.length
  }

  /** One cycle of due work. */
  poll(): void {
    const due = [...this.bookmarks.values()].filter((bookmark) => bookmark.dueAt !== null && bookmark.dueAt <= this.now)
    for (const { id } of due) this.do({ type: 'dueBookmark', bookmarkId: id }, null)
  }

  ran(nodeId: string): NodeInstanceState[] {
    return [...this.nodes.values()].filter((node) => node.nodeId === nodeId)
  }
}
