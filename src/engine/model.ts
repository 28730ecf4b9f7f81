/**
 * The nouns of the engine: definitions as they are executed, and the state of one instance.
 * Plain data only; times are epoch milliseconds, durations milliseconds.
 */

import type { Topic } from './topics.js'

export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export type DefinitionStatus = 'DRAFT' | 'PUBLISHED' | 'DISABLED' | 'ARCHIVED'
export type InstanceStatus = 'RUNNING' | 'SUSPENDED' | 'COMPLETED' | 'CANCELED' | 'FAULTED' | 'TERMINATED'
export type NodeStatus = 'RUNNING' | 'WAITING' | 'COMPLETED' | 'FAULTED' | 'CANCELED' | 'COMPENSATED'
export type BookmarkKind =
  | 'USER_TASK'
  | 'TIMER'
  | 'SIGNAL'
  | 'SUB_WORKFLOW'
  | 'RETRY'
  | 'NODE_TIMEOUT'
  | 'EXTERNAL'
  | 'REMINDER'
  | 'INSTANCE_TIMEOUT'
  | 'DEFINITION_TIMER'
  | 'JOB'
export type TaskAction =
  | 'COMPLETED'
  | 'TRANSFERRED'
  | 'DELEGATED'
  | 'ASSIGNEE_ADDED'
  | 'ASSIGNEE_REMOVED'
  | 'CLAIMED'
  | 'RELEASED'
  | 'RETURNED'
  | 'WITHDRAWN'
  | 'TAKEN_BACK'
  | 'HANDED_OVER'
  | 'URGED'
  | 'TIMED_OUT'
  | 'CANCELED'
  | 'SKIPPED'
  | 'COMMENTED'

// ---- definitions -----------------------------------------------------------

/** The content of a definition, without the identity that the catalog assigns. */
export interface DefinitionContent {
  name: string
  displayName: string | null
  description: string | null
  category: string | null
  variables: VariableDefinition[]
  nodes: WorkflowNode[]
  transitions: WorkflowTransition[]
  enableCompensation: boolean
  compensateOnFault: boolean
  /** Instance-level timeout in milliseconds. */
  timeout: number | null
  timeoutAction: 'Fault' | 'Terminate'
  properties: JsonObject
}

export interface VariableDefinition {
  name: string
  required: boolean
  defaultValue: Json
  description: string | null
}

export interface WorkflowNode {
  id: string
  activityType: string
  displayName: string | null
  properties: JsonObject
  retryPolicy: RetryPolicy | null
  /** How long the node may wait before it times out, in milliseconds. */
  timeout: number | null
  continueOnError: boolean
  /** Variable name → expression over the variables and `outputs`. */
  outputMappings: { [variable: string]: string }
}

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  maxAttempts: number
  /** Milliseconds before the second attempt. */
  firstDelay: number
  backoffFactor: number
}

export interface WorkflowTransition {
  id: string
  sourceNodeId: string
  targetNodeId: string
  condition: string | null
  priority: number
  isDefault: boolean
}

// ---- faults and refusals ---------------------------------------------------

export type MessageArguments = { [name: string]: string | number }

/** Why a node or an instance failed. Text is rendered on reading, in the reader's language. */
export interface Fault {
  code: string
  messageKey: string
  arguments: MessageArguments
  inner: Fault | null
}

/** One problem of a definition: where (`$.nodes[2].properties.Cron`), which message. */
export interface Issue {
  severity: 'ERROR' | 'WARNING'
  path: string
  messageKey: string
  arguments: MessageArguments
}

/** A command that may not be carried out: a value, never an exception. Nothing was written. */
export interface Refusal {
  refused: true
  code: string
  messageKey: string
  arguments: MessageArguments
  violations?: Issue[]
  /** More facts for the caller, such as who closed a task. */
  details?: JsonObject
}

export function refusal(code: string, messageKey: string, args: MessageArguments = {}): Refusal {
  return { refused: true, code, messageKey, arguments: args }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { refused?: unknown }).refused === true
}

export function fault(
  code: string,
  messageKey: string,
  args: MessageArguments = {},
  inner: Fault | null = null,
): Fault {
  return { code, messageKey, arguments: args, inner }
}

// ---- the state of one instance ---------------------------------------------

export interface InstanceState {
  id: string
  tenantId: string
  definitionId: string
  definitionName: string
  definitionVersion: number
  status: InstanceStatus
  title: string
  correlationId: string | null
  starterId: string | null
  parentId: string | null
  parentNodeInstanceId: string | null
  depth: number
  outcome: string | null
  variables: JsonObject
  /** Arrivals at joins, by join node id. */
  joins: { [nodeId: string]: JoinState }
  /** Steps that a fault kept from running; they go on when the instance does. */
  pending: Step[]
  /** Whether it ever had a child: only then there is anybody to end with it. */
  startedChildren: boolean
  /** Who approved which user task; kept only where a rule of the definition asks for it. */
  approvals: Approval[]
  fault: Fault | null
  faultNodeId: string | null
  faultNodeInstanceId: string | null
  revision: number
  eventSeq: number
  createdAt: number
  endedAt: number | null
}

/** One approval by a person, of the latest run of the node that it decided. */
export interface Approval {
  person: string
  nodeId: string
  nodeInstanceId: string
}

export interface JoinState {
  /** Transition id → the node instance that arrived over it. */
  arrivals: { [transitionId: string]: string }
  /** The node instance that a wait-for-any join started in this activation. */
  firedBy: string | null
}

/** A node that is about to run. */
export interface Step {
  nodeId: string
  /** The transition that led here; null for the first node, a jump or a return. */
  transitionId: string | null
  cameFrom: string[]
  /** After a return that asks for it: the node to go straight back to once this one is completed. */
  resubmitTo?: string
}

export interface NodeInstanceState {
  id: string
  nodeId: string
  activityType: string
  status: NodeStatus
  attempt: number
  cameFrom: string[]
  input: JsonObject | null
  output: JsonObject | null
  /** Private to the activity. */
  state: JsonObject
  fault: Fault | null
  routing: RoutingEntry[] | null
  startedAt: number
  endedAt: number | null
  /** Where in the life of the instance it completed: compensation goes in the reverse order of it. */
  endedSeq: number | null
}

/** One transition considered when a node was left: what its condition gave and whether it was taken. */
export interface RoutingEntry {
  transitionId: string
  condition: string | null
  value: boolean | null
  taken: boolean
}

export interface BookmarkState {
  id: string
  kind: BookmarkKind
  key: string | null
  nodeId: string | null
  nodeInstanceId: string | null
  correlationId: string | null
  /** When due work resumes it; null where only a call does. */
  dueAt: number | null
  payload: JsonObject
  createdAt: number
  /** What the task lists show; null for other kinds. */
  task: TaskFields | null
  /** Who works on a job or an external task; absent where nobody did yet. */
  lock?: BookmarkLock
}

/** Work that is taken: nobody else may have it until then. Without a holder it only waits for that moment. */
export interface BookmarkLock {
  /** The token of a lease, or the id of a worker. */
  by: string | null
  until: number
}

export interface TaskFields {
  title: string
  priority: number | null
  dueAt: number | null
  claimedBy: string | null
}

/** A finished or running node instance as the trail shows it; loaded only where a command needs lineage. */
export interface TrailEntry {
  id: string
  nodeId: string
  activityType: string
  status: NodeStatus
  cameFrom: string[]
}

/** A child as its parent sees it. */
export interface ChildState {
  childId: string
  status: InstanceStatus
  outcome: string | null
  variables: JsonObject
  fault: Fault | null
}

/** A child's report that it has ended or faulted, with the child as it is now. */
export interface ChildReport extends ChildState {
  noticeId: string
  /** The node instance of the parent that started it. */
  nodeInstanceId: string | null
}

/** What an instance leaves for its parent or its children, to be done in a transaction of its own. */
export type ChildNotice = { id: string; parentId: string } & (
  | { kind: 'CHILD_ENDED'; nodeInstanceId: string | null; childId: string }
  /** Without a node instance: all children. */
  | { kind: 'END_CHILDREN'; nodeInstanceId: string | null; terminate: boolean; reason: string | null }
)

export interface TaskRecordState {
  id: string
  taskId: string | null
  nodeInstanceId: string
  nodeId: string
  nodeTitle: string
  activityType: string
  /** The title of the task, for the search column. */
  taskTitle: string
  action: TaskAction
  outcome: string | null
  comment: string | null
  actorId: string | null
  onBehalfOfId: string | null
  assigneeId: string | null
  targetId: string | null
  targetNodeIds: string[]
  formKey: string | null
  variables: JsonObject | null
  at: number
  /** How long the task was open, in milliseconds. */
  durationMs: number | null
}

export interface CopyState {
  id: string
  nodeId: string
  userId: string
  taskTitle: string
  createdAt: number
}

export interface EventState {
  id: string
  type: Topic
  instanceSeq: number
  nodeId: string | null
  taskId: string | null
  actorId: string | null
  /** User ids and `group:<id>`. */
  recipients: string[]
  data: JsonObject
  at: number
}
