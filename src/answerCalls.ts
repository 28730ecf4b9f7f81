import { directoryProviders } from './directoryRules.js'
import type { Answer, Call } from './engine/calls.js'
import type { Actor } from './engine/command.js'
import { type Decision, isOpen, type OpenDecision, resumeDecision } from './engine/decide.js'
import { type Execution, nodeOf } from './engine/execution.js'
import { type Fault, fault, type NodeInstanceState } from './engine/model.js'
import { renderProperty } from './engine/properties.js'
import { type ActivityCall, FaultError } from './extensions.js'
import { substitutesOf } from './persistence/directory.js'
import { classifyDatabaseError } from './persistence/sqlstate.js'
import type { Transaction } from './persistence/transaction.js'
import { type Desk, startChildren } from './startChildren.js'

/** A call that an application's code answers. */
type CodeCall = Exclude<Call, { kind: 'children' | 'completed' | 'substitutes' }>

const done: Answer = { kind: 'complete', output: {}, label: null }

/** Answers what a decision asks, inside the transaction, until nothing is left. */
export async function settle(desk: Desk, decision: Decision | OpenDecision): Promise<Decision> {
  let current = decision
  while (isOpen(current)) {
    const answers: Answer[] = []
    for (const call of current.calls) answers.push(await answer(desk, current.execution, call))
    current = resumeDecision(current, answers)
  }
  return current
}

function answer(desk: Desk, execution: Execution, call: Call): Promise<Answer> {
  switch (call.kind) {
    case 'children':
      return startChildren(desk, execution, call, settle)
    case 'completed':
      return answerCompleted(desk, execution, call.nodeIds)
    case 'substitutes':
      return answerSubstitutes(desk, execution, call.people)
    default:
      return answerCode(desk, execution, call)
  }
}

async function answerCompleted({ source }: Desk, { instance }: Execution, nodeIds: string[]): Promise<Answer> {
  return { kind: 'completed', nodeInstances: await source.loadCompleted(instance, nodeIds) }
}

async function answerSubstitutes({ tx }: Desk, { instance, world }: Execution, people: string[]): Promise<Answer> {
  const substitutes = await substitutesOf(tx, instance.tenantId, people, new Date(world.now))
  return { kind: 'substitutes', substitutes }
}

/** Runs the application's code behind a call. */
export async function answerCode(
  { runtime, tx, actor }: Pick<Desk, 'runtime' | 'tx' | 'actor'>,
  execution: Execution,
  call: CodeCall,
): Promise<Answer> {
  const nodeInstance = execution.nodeInstances.get(call.nodeInstanceId)
  if (!nodeInstance) throw new Error(`node instance ${call.nodeInstanceId} asked and is gone`)
  try {
    return await run(runtime, contextOf(execution, nodeInstance, tx, actor), call)
  } catch (error) {
    if (error instanceof FaultError) return { kind: 'fail', fault: error.fault }
    // A database error has ended the transaction: nothing of it can be kept.
    if (classifyDatabaseError(error) !== 'other') throw error
    runtime.log.error({ err: error, instance: execution.instance.id, node: nodeInstance.nodeId }, 'an activity threw')
    return { kind: 'fail', fault: thrown(nodeInstance, error) }
  }
}

async function run({ extensions }: Desk['runtime'], context: ActivityCall, call: CodeCall): Promise<Answer> {
  const code = () => {
    const { activityType } = context.node
    const activity = extensions.activities.find(({ type }) => type === activityType)
    if (!activity) throw new Error(`activity ${activityType} has no code`)
    return activity
  }
  switch (call.kind) {
    case 'activity':
      return code().execute(context)
    case 'resume': {
      const resumed = await code().resume?.(context, call.bookmark, call.inputs)
      return resumed ?? { kind: 'complete', output: call.inputs, label: null }
    }
    case 'compensate': {
      const failed = await code().compensate?.(context)
      return failed ? { kind: 'fail', fault: failed } : done
    }
    case 'assignees': {
      // An application that knows its people better than the directory answers these rules itself.
      const providers = [...extensions.assigneeProviders, ...directoryProviders]
      const provider = providers.find(({ type }) => type === call.type)
      if (!provider) throw new Error(`assignee rule ${call.type} has no code`)
      const people = await provider.resolve({ ...context, values: call.values })
      return Array.isArray(people) ? { kind: 'people', people } : { kind: 'fail', fault: people }
    }
    case 'outcome': {
      for (const handler of extensions.outcomeHandlers) {
        const failed = await handler({ ...context, outcome: call.outcome })
        if (failed) return { kind: 'fail', fault: failed }
      }
      return done
    }
  }
}

function contextOf(
  execution: Execution,
  nodeInstance: NodeInstanceState,
  tx: Transaction,
  actor: Actor | null,
): ActivityCall {
  const node = nodeOf(execution, nodeInstance.nodeId)
  return {
    tx,
    actor,
    now: execution.world.now,
    // A copy: an application must not change what the engine is deciding on.
    instance: structuredClone(execution.instance),
    node: structuredClone(node),
    variables: structuredClone(execution.instance.variables),
    attempt: nodeInstance.attempt,
    state: structuredClone(nodeInstance.state),
    output: structuredClone(nodeInstance.output),
    render(property) {
      const rendered = renderProperty(execution, node, property)
      if (!rendered.ok) throw new FaultError(rendered.fault)
      return rendered.value
    },
  }
}

/** Only the class of what was thrown is told: a text of it could hold a secret. The log has it all. */
function thrown({ nodeId }: NodeInstanceState, error: unknown): Fault {
  const reason = error instanceof Error ? error.name : typeof error
  return fault('WORKFLOW_UNEXPECTED_001', 'workflow.activity.threw', { node: nodeId, reason })
}
