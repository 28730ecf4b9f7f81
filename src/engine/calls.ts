import type { ActivityResult } from './activities/activity.js'
import type { Execution } from './execution.js'
import type { Fault, Json } from './model.js'

/** What the core cannot do itself: run an application's code, which may do I/O. */
export type CallRequest =
  /** Run the code of a custom activity. */
  | { kind: 'activity' }
  /** Ask an application's rule whom it finds. */
  | { kind: 'assignees'; type: string; values: Json }
  /** Tell the outcome handlers that the instance is about to end. */
  | { kind: 'outcome'; outcome: string }

/** A request of one node instance. The burst stands still until it is answered. */
export type Call = CallRequest & { key: string; nodeInstanceId: string }

export type Answer = ActivityResult | { kind: 'people'; people: string[] } | { kind: 'fail'; fault: Fault }

/** The answer to what a node instance has asked in this run, if it has come. */
export function answerTo(execution: Execution, nodeInstanceId: string, request: CallRequest): Answer | null {
  return execution.answers.get(keyOf(nodeInstanceId, request)) ?? null
}

/** Puts a request to the shell. */
export function ask(execution: Execution, nodeInstanceId: string, request: CallRequest): void {
  execution.calls.push({ ...request, nodeInstanceId, key: keyOf(nodeInstanceId, request) })
}

function keyOf(nodeInstanceId: string, request: CallRequest): string {
  return `${nodeInstanceId} ${JSON.stringify(request)}`
}
