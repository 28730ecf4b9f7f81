import { settle } from '../answerCalls.js'
import type { Actor, Command, StartCommand } from '../engine/command.js'
import { type Decision, decide, decideStart, type OpenDecision } from '../engine/decide.js'
import type { CompiledDefinition } from '../engine/definition/compile.js'
import type { Changes, World } from '../engine/execution.js'
import {
  type BookmarkState,
  type ChildNotice,
  type ChildReport,
  type EventState,
  type InstanceState,
  isRefusal,
  type NodeInstanceState,
  type Refusal,
  type TaskRecordState,
} from '../engine/model.js'
import { defaultEngineOptions } from '../engine/options.js'
import { type Extensions, registryWith } from '../extensions.js'
import type { Transaction } from '../persistence/transaction.js'
import type { Source } from '../startChildren.js'

/** What a database would hold of one instance. */
export interface Case {
  definition: CompiledDefinition
  instance: InstanceState
  /** In the order in which they began. */
  nodes: Map<string, NodeInstanceState>
  bookmarks: Map<string, BookmarkState>
  records: TaskRecordState[]
  events: EventState[]
}

export interface MemorySetup {
  /** By name: what instances and their children run. */
  definitions: ReadonlyMap<string, CompiledDefinition>
  extensions: Extensions
  tx: Transaction
  /** Epoch milliseconds. */
  now: number
}

/** Instances in memory, on a clock that is moved by hand: the engine's core and the application's code, no database. */
export class Memory {
  now: number
  readonly cases = new Map<string, Case>()
  private readonly world: Omit<World, 'now'>
  private readonly source: Source
  private notices: ChildNotice[] = []
  private ids = 0

  constructor(private readonly setup: MemorySetup) {
    this.now = setup.now
    this.world = {
      newId: () => `00000000-0000-7000-8000-${String(this.ids++).padStart(12, '0')}`,
      registry: registryWith(setup.extensions),
      options: defaultEngineOptions,
    }
    this.source = {
      findChild: async (_tenantId, { definitionName, version }) => {
        const definition = setup.definitions.get(definitionName)
        const known = definition && (version === null || version === 1)
        return known ? { id: definitionName, version: 1, definition } : null
      },
      loadCompleted: async ({ id }, nodeIds) =>
        [...this.caseOf(id).nodes.values()]
          .filter(({ status, nodeId }) => status === 'COMPLETED' && nodeIds.includes(nodeId))
          .sort((a, b) => (b.endedSeq ?? 0) - (a.endedSeq ?? 0)),
    }
  }

  newId(): string {
    return this.world.newId()
  }

  caseOf(id: string): Case {
    const found = this.cases.get(id)
    if (!found) throw new Error(`there is no instance ${id}`)
    return found
  }

  /** Starts an instance of one of the definitions. @returns its id, or the refusal */
  async start(name: string, command: StartCommand, actor: Actor): Promise<string | Refusal> {
    const definition = this.setup.definitions.get(name)
    if (!definition) throw new Error(`there is no definition ${name}`)
    const { tenantId } = actor
    const facts = { tenantId, definitionId: name, definitionVersion: 1, parent: null }
    const opened = decideStart(definition, facts, command, this.worldNow(), actor)
    const refused = await this.settle(opened, actor)
    return refused ?? command.instanceId
  }

  /** Carries a command out on an instance; null is the engine itself. @returns null, or the refusal */
  async carryOut(id: string, command: Exclude<Command, StartCommand>, actor: Actor | null): Promise<Refusal | null> {
    const { definition, instance, nodes, bookmarks } = this.caseOf(id)
    const open = [...bookmarks.values()]
    const active = [...nodes.values()].filter(
      (node) =>
        node.status === 'WAITING' ||
        node.id === instance.faultNodeInstanceId ||
        open.some(({ nodeInstanceId }) => nodeInstanceId === node.id),
    )
    const loaded = { instance, nodeInstances: active, bookmarks: open, trail: [...nodes.values()] }
    const reports = command.type === 'takeReports' ? this.reportsFor(id) : []
    return this.settle(decide(definition, { ...loaded, reports }, command, this.worldNow(), actor), actor)
  }

  private worldNow(): World {
    return { ...this.world, now: this.now }
  }

  private async settle(decision: Decision | OpenDecision, actor: Actor | null): Promise<Refusal | null> {
    const { extensions, tx } = this.setup
    // A test fails with what was thrown, not with a fault that hides it.
    const log = {
      info: () => {},
      warn: () => {},
      error: (facts: object) => {
        throw (facts as { err?: unknown }).err
      },
    }
    const births: Changes[] = []
    const settled = await settle({ runtime: { extensions, log }, source: this.source, tx, actor, births }, decision)
    if (isRefusal(settled)) return settled
    for (const changes of [settled, ...births]) this.keep(changes)
    return null
  }

  private keep(changes: Changes): void {
    const { instance } = changes
    const known = this.cases.get(instance.id) ?? this.opened(instance)
    known.instance = instance
    for (const nodeInstance of changes.nodeInstances) known.nodes.set(nodeInstance.id, nodeInstance)
    for (const id of changes.bookmarksDeleted) known.bookmarks.delete(id)
    for (const bookmark of [...changes.bookmarksInserted, ...changes.bookmarksUpdated])
      known.bookmarks.set(bookmark.id, bookmark)
    known.records.push(...changes.taskRecords)
    known.events.push(...changes.events)
    this.notices = [...this.notices, ...changes.notices].filter(({ id }) => !changes.noticesTaken.includes(id))
  }

  private opened(instance: InstanceState): Case {
    const definition = this.setup.definitions.get(instance.definitionName)
    if (!definition) throw new Error(`there is no definition ${instance.definitionName}`)
    const opened: Case = { definition, instance, nodes: new Map(), bookmarks: new Map(), records: [], events: [] }
    this.cases.set(instance.id, opened)
    return opened
  }

  /** Lets parents hear of their children and ends those whose parents gave them up, until nothing is left to tell. */
  async deliverNotices(): Promise<void> {
    for (let told = true; told; ) {
      told = false
      for (const notice of [...this.notices]) {
        if (!this.notices.includes(notice)) continue
        if (notice.kind === 'END_CHILDREN') {
          this.notices = this.notices.filter((other) => other !== notice)
          await this.endChildren(notice)
          told = true
        } else if (this.caseOf(notice.parentId).instance.status === 'RUNNING') {
          await this.carryOut(notice.parentId, { type: 'takeReports', instanceId: notice.parentId }, null)
          told = true
        }
      }
    }
  }

  private async endChildren(notice: ChildNotice & { kind: 'END_CHILDREN' }): Promise<void> {
    const { nodeInstanceId, terminate, reason } = notice
    for (const { instance } of [...this.cases.values()]) {
      if (instance.parentId !== notice.parentId || instance.endedAt !== null) continue
      if (nodeInstanceId !== null && instance.parentNodeInstanceId !== nodeInstanceId) continue
      const type = terminate ? 'terminate' : 'cancel'
      await this.carryOut(instance.id, { type, instanceId: instance.id, reason }, null)
    }
  }

  private reportsFor(parentId: string): ChildReport[] {
    return this.notices.flatMap((notice): ChildReport[] => {
      if (notice.kind !== 'CHILD_ENDED' || notice.parentId !== parentId) return []
      const { status, outcome, variables, fault } = this.caseOf(notice.childId).instance
      const { id: noticeId, childId, nodeInstanceId } = notice
      return [{ noticeId, childId, nodeInstanceId, status, outcome, variables, fault }]
    })
  }
}
