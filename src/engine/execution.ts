import type { NewBookmark } from './activities/activity.js'
import type { Registry } from './activities/registry.js'
import type { Answer, Call } from './calls.js'
import type { Actor } from './command.js'
import type { Compensation } from './compensation.js'
import { copyJson } from './copy.js'
import type { CompiledDefinition } from './definition/compile.js'
import type {
  BookmarkState,
  ChildNotice,
  ChildReport,
  CopyState,
  EventState,
  InstanceState,
  JsonObject,
  NodeInstanceState,
  Step,
  TaskRecordState,
  TrailEntry,
  WorkflowNode,
} from './model.js'
import type { EngineOptions } from './options.js'
import type { Topic } from './topics.js'

/** What is outside the instance: time, ids and the kinds of nodes, all given as values. */
export interface World {
  /** Epoch milliseconds, fixed for the whole command. */
  now: number
  newId: () => string
  registry: Registry
  options: EngineOptions
  /** Whether anybody of the partition is absent now: only then the shell is asked who stands in. */
  absences?: boolean
}

/** What was loaded of one instance: the row, its active node instances and its bookmarks. */
export interface LoadedState {
  instance: InstanceState
  nodeInstances: NodeInstanceState[]
  bookmarks: BookmarkState[]
  /** All node instances in order of writing; only for commands that follow lineage. */
  trail: TrailEntry[] | null
  /** What its children have left for it; only for the command that takes it. */
  reports?: readonly ChildReport[]
  /** The version to go over to; only for a migration. */
  target?: MigrationTarget | null
  /** The groups of the person that an operator acts for, as the directory has them. */
  onBehalfOfGroups?: readonly string[]
  /** The answer that shall be taken back; only for the command that does. */
  taken?: TakenAnswer | null
  /** Whether anybody but the starter has acted on a task; only for a withdrawal. */
  acted?: boolean
}

/** An answer as the history has it, with the run of the node that it was given to. */
export interface TakenAnswer {
  taskId: string
  actorId: string
  onBehalfOfId: string | null
  assigneeId: string | null
  nodeInstance: NodeInstanceState
  /** The node instances that people have acted on since. */
  actedSince: readonly string[]
}

/** A published version of a definition that an instance may migrate to. */
export interface MigrationTarget {
  id: string
  version: number
  definition: CompiledDefinition
}

/** The complete set of row writes of one decision. */
export interface Changes {
  instance: InstanceState
  nodeInstances: NodeInstanceState[]
  bookmarksInserted: BookmarkState[]
  bookmarksUpdated: BookmarkState[]
  bookmarksDeleted: string[]
  taskRecords: TaskRecordState[]
  copies: CopyState[]
  events: EventState[]
  notices: ChildNotice[]
  /** The ids of the notices that this decision has dealt with. */
  noticesTaken: string[]
}

/** The working state of one command: a private copy of what was loaded, and what changed in it. */
export interface Execution {
  definition: CompiledDefinition
  world: World
  /** Null where the engine itself acts: a timer, a signal. */
  actor: Actor | null
  instance: InstanceState
  nodeInstances: Map<string, NodeInstanceState>
  bookmarks: Map<string, BookmarkState>
  trail: TrailEntry[] | null
  reports: readonly ChildReport[]
  target: MigrationTarget | null
  onBehalfOfGroups: readonly string[]
  taken: TakenAnswer | null
  acted: boolean
  /** When a start that is put off shall begin; null for every other command. */
  startAt: number | null
  queue: Step[]
  /** What is being undone; it goes on with each answer of the shell. */
  compensation: Compensation | null
  /** What the shell has to do before the burst goes on. */
  calls: Call[]
  /** What it answered, by the key of the call. */
  answers: Map<string, Answer>
  /** Nodes run so far in this burst. */
  executed: number
  touched: Set<string>
  inserted: Set<string>
  updated: Set<string>
  deleted: Set<string>
  taskRecords: TaskRecordState[]
  copies: CopyState[]
  events: EventState[]
  notices: ChildNotice[]
  noticesTaken: string[]
}

export function createExecution(
  definition: CompiledDefinition,
  loaded: LoadedState,
  world: World,
  actor: Actor | null,
): Execution {
  const { instance, nodeInstances, bookmarks, trail, reports = [], target = null } = loaded
  const { onBehalfOfGroups = [], taken = null, acted = false } = loaded
  return {
    definition,
    world,
    actor,
    // Only what is changed in place is copied: variables, outputs and payloads are replaced, never changed.
    instance: { ...instance, joins: copyJson(instance.joins), pending: [...instance.pending] },
    nodeInstances: new Map(nodeInstances.map((one) => [one.id, { ...one, state: copyJson(one.state) }])),
    bookmarks: new Map(bookmarks.map((one) => [one.id, { ...one, task: one.task && { ...one.task } }])),
    trail,
    reports,
    target,
    onBehalfOfGroups,
    taken: taken && { ...taken, nodeInstance: { ...taken.nodeInstance, state: copyJson(taken.nodeInstance.state) } },
    acted,
    startAt: null,
    queue: [],
    compensation: null,
    calls: [],
    answers: new Map(),
    executed: 0,
    touched: new Set(),
    inserted: new Set(),
    updated: new Set(),
    deleted: new Set(),
    taskRecords: [],
    copies: [],
    events: [],
    notices: [],
    noticesTaken: [],
  }
}

/** The row writes that turn the loaded state into the execution's. */
export function changesOf(execution: Execution): Changes {
  const pick = <T>(ids: Set<string>, from: Map<string, T>) =>
    [...ids].flatMap((id) => {
      const row = from.get(id)
      return row ? [row] : []
    })
  return {
    instance: execution.instance,
    nodeInstances: pick(execution.touched, execution.nodeInstances),
    bookmarksInserted: pick(execution.inserted, execution.bookmarks),
    bookmarksUpdated: pick(execution.updated, execution.bookmarks),
    bookmarksDeleted: [...execution.deleted],
    taskRecords: execution.taskRecords,
    copies: execution.copies,
    events: execution.events,
    notices: execution.notices,
    noticesTaken: execution.noticesTaken,
  }
}

export function nodeOf(execution: Execution, nodeId: string): WorkflowNode {
  const node = execution.definition.node(nodeId)
  if (!node) throw new Error(`node ${nodeId} is not in definition ${execution.instance.definitionId}`)
  return node
}

export function nodeTitle(node: WorkflowNode): string {
  return node.displayName ?? node.id
}

export function addBookmark(execution: Execution, bookmark: BookmarkState): void {
  execution.bookmarks.set(bookmark.id, bookmark)
  execution.inserted.add(bookmark.id)
}

/** Opens a bookmark of a node instance. */
export function placeBookmark(execution: Execution, nodeInstance: NodeInstanceState, bookmark: NewBookmark): string {
  const id = execution.world.newId()
  addBookmark(execution, {
    ...bookmark,
    id,
    nodeId: nodeInstance.nodeId,
    nodeInstanceId: nodeInstance.id,
    createdAt: execution.world.now,
  })
  return id
}

export function touchBookmark(execution: Execution, bookmark: BookmarkState): void {
  if (!execution.inserted.has(bookmark.id)) execution.updated.add(bookmark.id)
}

export function removeBookmark(execution: Execution, id: string): void {
  execution.bookmarks.delete(id)
  execution.updated.delete(id)
  if (!execution.inserted.delete(id)) execution.deleted.add(id)
}

/** The open bookmarks of one node instance, in order of creation. */
export function bookmarksOf(execution: Execution, nodeInstanceId: string): BookmarkState[] {
  return [...execution.bookmarks.values()].filter((bookmark) => bookmark.nodeInstanceId === nodeInstanceId)
}

export interface EventFacts {
  nodeId?: string | null
  taskId?: string | null
  recipients?: readonly string[]
  data?: JsonObject
}

/** Who hears of the instance itself where nobody else is named: the one who started it. */
function ownersOf({ instance }: Execution, type: Topic): string[] {
  return type.startsWith('workflow.instance.') && instance.starterId !== null ? [instance.starterId] : []
}

/** Appends an event of the instance; it is stored with the change that it tells of. */
export function emit(execution: Execution, type: Topic, facts: EventFacts = {}): void {
  execution.instance.eventSeq += 1
  execution.events.push({
    id: execution.world.newId(),
    type,
    instanceSeq: execution.instance.eventSeq,
    nodeId: facts.nodeId ?? null,
    taskId: facts.taskId ?? null,
    actorId: execution.actor?.userId ?? null,
    recipients: [...(facts.recipients ?? ownersOf(execution, type))],
    data: facts.data ?? {},
    at: execution.world.now,
  })
}
