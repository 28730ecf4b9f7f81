import { uuidv7 } from 'uuidv7'
import type { Answer, Call, ChildStart } from './engine/calls.js'
import type { Actor } from './engine/command.js'
import { type Decision, decideStart, type OpenDecision } from './engine/decide.js'
import type { Changes, Execution } from './engine/execution.js'
import { type ChildState, type Fault, fault, isRefusal } from './engine/model.js'
import { findStartable, type Startable } from './persistence/definitions.js'
import type { Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

/** Where a decision is carried out: one transaction, one actor, and what is born on the way. */
export interface Desk {
  runtime: Runtime
  tx: Transaction
  actor: Actor | null
  /** New instances that are written after their parent, in the same transaction. */
  births: Changes[]
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
  const found = new Map<string, Startable | null>()
  for (const start of call.starts) {
    const key = `${start.definitionName} ${start.version}`
    const startable = found.get(key) ?? (await lookUp(desk, execution, start))
    found.set(key, startable)
    if (!startable) return failed(missing(start))
    const decision = await decideChild(desk, births, execution, call.nodeInstanceId, start, startable, settle)
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

function lookUp({ tx }: Desk, { instance }: Execution, start: ChildStart): Promise<Startable | null> {
  return findStartable(tx, instance.tenantId, { name: start.definitionName, version: start.version })
}

async function decideChild(
  desk: Desk,
  births: Changes[],
  { instance, world }: Execution,
  nodeInstanceId: string,
  start: ChildStart,
  startable: Startable,
  settle: Settle,
): Promise<Decision> {
  const definition = await desk.runtime.definitions.get(desk.tx, instance.tenantId, startable.id)
  const facts = {
    tenantId: instance.tenantId,
    definitionId: startable.id,
    definitionVersion: startable.version,
    parent: { id: instance.id, nodeInstanceId, depth: instance.depth },
  }
  const command = {
    type: 'start',
    instanceId: uuidv7(),
    variables: start.variables,
    starterId: instance.starterId,
    correlationId: instance.correlationId,
    displayName: null,
  } as const
  const grandchildren: Changes[] = []
  const opened = decideStart(definition, facts, command, world, desk.actor)
  const decision = await settle({ ...desk, births: grandchildren }, opened)
  if (isRefusal(decision)) return decision
  // The parent has this answer at once: what ended already needs no report.
  const notices = decision.notices.filter(({ kind }) => kind !== 'CHILD_ENDED')
  births.push({ ...decision, notices }, ...grandchildren)
  return decision
}
