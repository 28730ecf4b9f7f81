import type { Answer, Call } from './engine/calls.js'
import type { Actor, Command, StartCommand } from './engine/command.js'
import {
  type Decision,
  decide,
  decideStart,
  isOpen,
  type OpenDecision,
  resumeDecision,
  type StartFacts,
} from './engine/decide.js'
import type { CompiledDefinition } from './engine/definition/compile.js'
import type { Changes, Execution, World } from './engine/execution.js'
import {
  type BookmarkKind,
  type BookmarkState,
  type InstanceState,
  isRefusal,
  type NodeInstanceState,
  type Refusal,
} from './engine/model.js'

/** Answers what the core asks while it decides. */
export type Answers = (execution: Execution, call: Call) => Promise<Answer>

/** What is waited for beside the thing itself: not what one resumes an instance with. */
const besides: readonly BookmarkKind[] = ['REMINDER', 'NODE_TIMEOUT', 'INSTANCE_TIMEOUT']

/** One instance in memory: what a database would store after each decision, and nothing else. */
export class MemoryInstance {
  private instance: InstanceState | null = null
  private readonly nodes = new Map<string, NodeInstanceState>()
  private readonly open = new Map<string, BookmarkState>()
  private ids = 0

  constructor(
    readonly definition: CompiledDefinition,
    private readonly facts: Omit<World, 'newId'>,
    private readonly answers: Answers,
  ) {}

  get state(): InstanceState {
    if (!this.instance) throw new Error('the instance has not been started')
    return this.instance
  }

  /** All node instances, in the order in which they began. */
  get trail(): NodeInstanceState[] {
    return [...this.nodes.values()]
  }

  /** What is waited for, the oldest first; without reminders and time limits unless they are asked for. */
  bookmarks(kind?: BookmarkKind): BookmarkState[] {
    return [...this.open.values()].filter((one) => (kind ? one.kind === kind : !besides.includes(one.kind)))
  }

  async start(facts: StartFacts, command: Omit<StartCommand, 'instanceId'>, actor: Actor): Promise<Refusal | null> {
    const world = this.world()
    const started = { ...command, instanceId: world.newId() }
    return this.keep(await this.settle(decideStart(this.definition, facts, started, world, actor)))
  }

  /** Carries a command out; null is the engine itself. Answers the refusal, or null. */
  async do(command: Exclude<Command, StartCommand>, actor: Actor | null): Promise<Refusal | null> {
    const bookmarks = [...this.open.values()]
    const waited = new Set(bookmarks.map(({ nodeInstanceId }) => nodeInstanceId))
    const loaded = {
      instance: this.state,
      nodeInstances: this.trail.filter(
        ({ id, status }) => status === 'WAITING' || waited.has(id) || id === this.state.faultNodeInstanceId,
      ),
      bookmarks,
      trail: this.trail,
    }
    return this.keep(await this.settle(decide(this.definition, loaded, command, this.world(), actor)))
  }

  private async settle(decision: Decision | OpenDecision): Promise<Decision> {
    let current = decision
    while (isOpen(current)) {
      const answers: Answer[] = []
      for (const call of current.calls) answers.push(await this.answers(current.execution, call))
      current = resumeDecision(current, answers)
    }
    return current
  }

  private keep(decision: Changes | Refusal): Refusal | null {
    if (isRefusal(decision)) return decision
    this.instance = decision.instance
    for (const node of decision.nodeInstances) this.nodes.set(node.id, node)
    for (const id of decision.bookmarksDeleted) this.open.delete(id)
    for (const bookmark of [...decision.bookmarksInserted, ...decision.bookmarksUpdated])
      this.open.set(bookmark.id, bookmark)
    return null
  }

  private world(): World {
    return { ...this.facts, newId: () => `00000000-0000-7000-8000-${String(this.ids++).padStart(12, '0')}` }
  }
}
