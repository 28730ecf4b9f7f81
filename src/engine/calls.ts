import type { ActivityResult } from './activities/activity.js'
import type { Execution } from './execution.js'
import type { BookmarkState, ChildState, Fault, Json, JsonObject, NodeInstanceState } from './model.js'

/** A child to be started: the newest published version of its definition unless one is given. */
export interface ChildStart {
  definitionName: string
  version: number | null
  variables: JsonObject
}

/** What the core cannot do itself: run an application's code, which may do I/O. */
export type CallRequest =
  /** Run the code of a custom activity. */
  | { kind: 'activity' }
  /** Run its code for a bookmark that was consumed. */
  | { kind: 'resume'; bookmark: BookmarkState; inputs: JsonObject }
  /** Run its code that undoes what a completed node did. */
  | { kind: 'compensate' }
  /** Load the completed runs of these nodes. */
  | { kind: 'completed'; nodeIds: string[] }
  /** Start children in the transaction of their parent; `first` tells one batch of a node from the next. */
  | { kind: 'children'; first: number; starts: ChildStart[] }
  /** Ask a rule of the directory or of an application whom it finds. */
  | { kind: 'assignees'; type: string; values: Json }
  /** Ask who stands in for these people at this moment. */
  | { kind: 'substitutes'; people: string[] }
  /** Tell the outcome handlers that the instance is about to end. */
  | { kind: 'outcome'; outcome: string }

/** A request of one node instance. The burst stands still until it is answered. */
export type Call = CallRequest & { key: string; nodeInstanceId: string }

export type Answer =
  | ActivityResult
  | { kind: 'people'; people: string[] }
  /** Those who are absent, each with the end of the chain of substitutes. */
  | { kind: 'substitutes'; substitutes: readonly Substitution[] }
  | { kind: 'completed'; nodeInstances: NodeInstanceState[] }
  /** The children as they stand after their first burst, in the order of the starts. */
  | { kind: 'children'; children: ChildState[] }
  | { kind: 'fail'; fault: Fault }

/** Somebody who is absent, and who stands in. */
export interface Substitution {
  userId: string
  substituteId: string
}

/** The answer to what a node instance has asked in this run, if it has come. */
export function answerTo(execution: Execution, nodeInstanceId: string, request: CallRequest): Answer | null {
  return execution.answers.get(keyOf(nodeInstanceId, request)) ?? null
}

/** Puts a request to the shell. */
export function ask(execution: Execution, nodeInstanceId: string, request: CallRequest): void {
  execution.calls.push({ ...request, nodeInstanceId, key: keyOf(nodeInstanceId, request) })
}

function keyOf(nodeInstanceId: string, request: CallRequest): string {
  // The variables of a thousand children need not be compared: the batch is known by its first item.
  const told = request.kind === 'children' ? { kind: request.kind, first: request.first } : request
  return `${nodeInstanceId} ${JSON.stringify(told)}`
}
