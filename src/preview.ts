import { answerCode } from './answerCalls.js'
import { validateDocument } from './catalog.js'
import type { Answer, Call } from './engine/calls.js'
import type { Actor } from './engine/command.js'
import { type CompiledDefinition, compileDefinition } from './engine/definition/compile.js'
import { readDefinition } from './engine/definition/read.js'
import { nodeTitle } from './engine/execution.js'
import {
  type BookmarkState,
  type Fault,
  type InstanceStatus,
  isRefusal,
  type Json,
  type JsonObject,
  type NodeInstanceState,
  type NodeStatus,
  type Refusal,
  refusal,
} from './engine/model.js'
import { type Answers, MemoryInstance } from './memoryInstance.js'
import { type DefinitionRef, findStartable } from './persistence/definitions.js'
import { substitutesOf } from './persistence/directory.js'
import { databaseTime } from './persistence/time.js'
import { inTransaction, type Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

export interface PreviewRequest {
  /** A published definition, or a document that is not stored. */
  definition: DefinitionRef | { document: Json }
  variables: JsonObject
  /** Node id → the outcome to assume for its tasks; `approved` for the others. */
  outcomes: { [nodeId: string]: string }
  starterId: string
}

/** One step on the way. */
export interface PreviewStep {
  nodeId: string
  title: string
  activityType: string
  status: NodeStatus
  /** Whom it would ask, in order: user ids and `group:<id>`. */
  people: string[]
  taskTitle: string | null
  outcome: string | null
  /** True where the way on was assumed: an answer, a time that passes, a signal, a reply. */
  assumed: boolean
}

export interface Preview {
  status: InstanceStatus
  outcome: string | null
  fault: Fault | null
  steps: PreviewStep[]
}

/** Answers assumed before it is said that the process goes in circles. */
const most = 300

/**
 * The way an instance would go and the people it would ask, with nothing started and nothing written: tasks are answered
 * as assumed, waits are over at once, application activities are passed over. Rules that find people are really asked.
 */
export function preview(runtime: Runtime, actor: Actor, request: PreviewRequest): Promise<Preview | Refusal> {
  return inTransaction(runtime.database, async (tx) => {
    const found = await definitionOf(runtime, tx, actor.tenantId, request.definition)
    if (isRefusal(found)) return found
    const now = runtime.clock?.now() ?? (await databaseTime(tx))
    const world = { now, registry: runtime.registry, options: runtime.options, absences: true }
    const instance = new MemoryInstance(found.definition, world, answersOf(runtime, tx, actor))
    const facts = { tenantId: actor.tenantId, definitionId: found.id, definitionVersion: found.version, parent: null }
    const { variables, starterId } = request
    const command = { type: 'start', variables, starterId, correlationId: 'preview', displayName: null } as const
    const refused = await instance.start(facts, command, actor)
    if (refused) return refused
    return walk(instance, actor, request.outcomes)
  })
}

async function definitionOf(
  runtime: Runtime,
  tx: Transaction,
  tenantId: string,
  wanted: PreviewRequest['definition'],
): Promise<{ definition: CompiledDefinition; id: string; version: number } | Refusal> {
  if ('document' in wanted) {
    const violations = validateDocument(runtime, wanted.document).filter(({ severity }) => severity === 'ERROR')
    const read = readDefinition(wanted.document)
    if (!read.ok) return read.refusal
    if (violations.length === 0) return { definition: compileDefinition(read.content), id: '', version: 1 }
    const count = { count: violations.length }
    return { ...refusal('WORKFLOW_VALIDATION_001', 'workflow.definition.invalid', count), violations }
  }
  const startable = await findStartable(tx, tenantId, wanted)
  if (!startable) return refusal('WORKFLOW_NOTFOUND_001', 'workflow.definition.not_published')
  const definition = await runtime.definitions.get(tx, tenantId, startable.id)
  return { definition, id: startable.id, version: startable.version }
}

/** Rules are asked; whatever could change something is taken as done. */
function answersOf(runtime: Runtime, tx: Transaction, actor: Actor): Answers {
  return async (execution, call): Promise<Answer> => {
    switch (call.kind) {
      case 'assignees':
        return answerCode({ runtime, tx, actor }, execution, call)
      case 'substitutes': {
        const at = new Date(execution.world.now)
        return { kind: 'substitutes', substitutes: await substitutesOf(tx, actor.tenantId, call.people, at) }
      }
      case 'children':
        return { kind: 'children', children: call.starts.map(completedChild) }
      case 'completed':
        return { kind: 'completed', nodeInstances: [] }
      case 'activity':
      case 'resume':
      case 'compensate':
      case 'outcome':
        return { kind: 'complete', output: {}, label: null }
    }
  }
}

function completedChild(_start: (Call & { kind: 'children' })['starts'][number], index: number) {
  const childId = `00000000-0000-7000-9000-${String(index).padStart(12, '0')}`
  return { childId, status: 'COMPLETED', outcome: null, variables: {}, fault: null } as const
}

async function walk(
  instance: MemoryInstance,
  actor: Actor,
  outcomes: PreviewRequest['outcomes'],
): Promise<Preview | Refusal> {
  const asked = new Map<string, { people: Set<string>; title: string | null }>()
  const assumed = new Set<string>()
  for (let count = 0; instance.state.status === 'RUNNING' && count < most; count += 1) {
    for (const task of instance.bookmarks('USER_TASK')) note(asked, task)
    const bookmark = instance.bookmarks()[0]
    if (!bookmark) break
    if (bookmark.nodeInstanceId) assumed.add(bookmark.nodeInstanceId)
    const refused = await assume(instance, actor, bookmark, outcomes)
    if (refused) return refused
  }
  const { status, outcome, fault } = instance.state
  return { status, outcome, fault, steps: instance.trail.map((node) => stepOf(instance, node, asked, assumed)) }
}

function note(asked: Map<string, { people: Set<string>; title: string | null }>, task: BookmarkState): void {
  const known = asked.get(task.nodeInstanceId ?? '') ?? { people: new Set(), title: task.task?.title ?? null }
  if (task.key !== null) known.people.add(task.key)
  asked.set(task.nodeInstanceId ?? '', known)
}

/** Takes the first thing that is waited for as come. */
function assume(
  instance: MemoryInstance,
  actor: Actor,
  bookmark: BookmarkState,
  outcomes: PreviewRequest['outcomes'],
): Promise<Refusal | null> {
  if (bookmark.kind !== 'USER_TASK')
    return instance.do({ type: 'resumeBookmark', bookmarkId: bookmark.id, inputs: {}, expectedKey: null }, null)
  const who = bookmark.key ?? ''
  const assignee: Actor = {
    ...actor,
    userId: who.startsWith('group:') ? `${who} (anybody)` : who,
    groups: who.startsWith('group:') ? [who.slice('group:'.length)] : [],
    permissions: [],
  }
  const outcome = outcomes[bookmark.nodeId ?? ''] ?? 'approved'
  const answer = { outcome, comment: null, variables: {}, onBehalfOfId: null }
  return instance.do({ type: 'completeTask', taskId: bookmark.id, ...answer }, assignee)
}

function stepOf(
  instance: MemoryInstance,
  nodeInstance: NodeInstanceState,
  asked: Map<string, { people: Set<string>; title: string | null }>,
  assumed: Set<string>,
): PreviewStep {
  const { id, nodeId, activityType, status, output } = nodeInstance
  const node = instance.definition.node(nodeId)
  const task = asked.get(id)
  const outcome = output?.outcome
  return {
    nodeId,
    title: node ? nodeTitle(node) : nodeId,
    activityType,
    status,
    people: [...(task?.people ?? [])],
    taskTitle: task?.title ?? null,
    outcome: typeof outcome === 'string' ? outcome : null,
    assumed: assumed.has(id),
  }
}
