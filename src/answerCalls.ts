import type { Answer, Call } from './engine/calls.js'
import type { Actor } from './engine/command.js'
import type { OpenDecision } from './engine/decide.js'
import { type Execution, nodeOf } from './engine/execution.js'
import { type Fault, fault, type NodeInstanceState } from './engine/model.js'
import { renderProperty } from './engine/properties.js'
import { type ActivityCall, FaultError } from './extensions.js'
import { classifyDatabaseError } from './persistence/sqlstate.js'
import type { Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

/** Runs the application's code that a decision waits for, one call after the other, inside the transaction. */
export async function answerCalls(
  runtime: Runtime,
  tx: Transaction,
  actor: Actor | null,
  { calls, execution }: OpenDecision,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const call of calls) answers.push(await answer(runtime, tx, actor, execution, call))
  return answers
}

async function answer(
  runtime: Runtime,
  tx: Transaction,
  actor: Actor | null,
  execution: Execution,
  call: Call,
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

async function run({ extensions }: Runtime, context: ActivityCall, call: Call): Promise<Answer> {
  switch (call.kind) {
    case 'activity': {
      const { activityType } = context.node
      const activity = extensions.activities.find(({ type }) => type === activityType)
      if (!activity) throw new Error(`activity ${activityType} has no code`)
      return activity.execute(context)
    }
    case 'assignees': {
      const provider = extensions.assigneeProviders.find(({ type }) => type === call.type)
      if (!provider) throw new Error(`assignee rule ${call.type} has no code`)
      const people = await provider.resolve({ ...context, values: call.values })
      return Array.isArray(people) ? { kind: 'people', people } : { kind: 'fail', fault: people }
    }
    case 'outcome': {
      for (const handler of extensions.outcomeHandlers) {
        const failed = await handler({ ...context, outcome: call.outcome })
        if (failed) return { kind: 'fail', fault: failed }
      }
      return { kind: 'complete', output: {}, label: null }
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
