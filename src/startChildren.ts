import type { Answer, Call, ChildStart } from './engine/calls.js'
import type { Actor } from './engine/command.js'
import { type Decision, decideStart, type OpenDecision } from './engine/decide.js'
import type { CompiledDefinition } from './engine/definition/compile.js'
import type { Changes, Execution } from './engine/execution.js'
import {
  type ChildState,
  type Fault,
  fault,
  type InstanceState,
  isRefusal,
  type NodeInstanceState,
} from './engine/model.js'
import { findStartable } from './persistence/definitions.js'
import { loadCompleted } from './persistence/load.js'
import type { Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

/** Where a decision is carried out: one transaction, one actor, and what is born on the way. */
export interface Desk {
  runtime: Pick<Runtime, 'extensions' | 'log'>
  source: Source
  tx: Transaction
  actor: Actor | null
  /** New instances that are written after their parent, in the same transaction. */
  births: Changes[]
}

/** Where a decision's questions about what is stored are answered: the database, or the memory of a test. */
export interface Source {
  /** The published definition that a child runs, in the partition of its parent. */
  findChild(tenantId: string, start: ChildStart): Promise<ChildDefinition | null>
  /** The completed runs of these nodes, the last first. */
  loadCompleted(instance: InstanceState, nodeIds: string[]): Promise<NodeInstanceState[]>
}

export interface ChildDefinition {
  id: string
  version: number
  definition: CompiledDefinition
}

/** What is stored in the database, read in the transaction. */
export function storedSource({ definitions }: Runtime, tx: Transaction): Source {
  return {
    async findChild(tenantId, { definitionName: name, version }) {
      const found = await findStartable(tx, tenantId, { name, version })
      return found && { ...found, definition: await definitions.get(tx, tenantId, found.id) }
    },
    loadCompleted: ({ tenantId, id }, nodeIds) => loadCompleted(tx, tenantId, id, nodeIds),
  }
}

type Settle = (desk: Desk, decision: Decision | OpenDecision) => Promise<Decision>

/**
 * Starts the children that a node asks for and runs each until it waits or ends. They are written with their parent,
 * or not at all: when one cannot start, none of this call is kept.
 */
export async function startChildren(
  desk: Desk,
  execution: Execution,
  call: Call & { kind: 'children' },
  settle: Settle,
): Promise<Answer> {
  const births: Changes[] = []
  const children: ChildState[] = []
  const found = new Map<string, ChildDefinition | null>()
  for (const start of call.starts) {
    const key = `${start.definitionName} ${start.version}`
    const child = found.get(key) ?? (await desk.source.findChild(execution.instance.tenantId, start))
    found.set(key, child)
    if (!child) return failed(missing(start))
    const decision = await decideChild(desk, births, execution, call.nodeInstanceId, start, child, settle)
    if (isRefusal(decision)) return failed(fault(decision.code, decision.messageKey, decision.arguments))
    const { id: childId, status, outcome, variables, fault: why } = decision.instance
    children.push({ childId, status, outcome, variables, fault: why })
  }
  desk.births.push(...births)
  return { kind: 'children', children }
}

function failed(why: Fault): Answer {
  return { kind: 'fail', fault: why }
}

function missing({ definitionName, version }: ChildStart): Fault {
  const name = version === null ? definitionName : `${definitionName} (${version})`
  return fault('WORKFLOW_NOTFOUND_001', 'workflow.child.definition_missing', { definition: name })
}

async function decideChild(
  desk: Desk,
  births: Changes[],
  { instance, world }: Execution,
  nodeInstanceId: string,
  start: ChildStart,
  child: ChildDefinition,
  settle: Settle,
): Promise<Decision> {
  const facts = {
    tenantId: instance.tenantId,
    definitionId: child.id,
    definitionVersion: child.version,
    parent: { id: instance.id, nodeInstanceId, depth: instance.depth },
  }
  const command = {
    type: 'start',
    instanceId: world.newId(),
    variables: start.variables,
    starterId: instance.starterId,
    correlationId: instance.correlationId,
    displayName: null,
  } as const
  const grandchildren: Changes[] = []
  const opened = decideStart(child.definition, facts, command, world, desk.actor)
  const decision = await settle({ ...desk, births: grandchildren }, opened)
  if (isRefusal(decision)) return decision
  // The parent has this answer at once: what ended already needs no report.
  const notices = decision.notices.filter(({ kind }) => kind !== 'CHILD_ENDED')
  births.push({ ...decision, notices }, ...grandchildren)
  return decision
}
