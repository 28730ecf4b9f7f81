// Written by scripts/node-client.ts from schema/schema.graphql and fragments.graphql: npm run client
import type { RequestOptions } from './http.js'
import type { Json } from './json.js'

/** A yes or no to a task. */
export interface ApproveTaskInput {
  /** What is said to it; it stays in the history. */
  comment?: string | null | undefined
  /** Refuse (WORKFLOW_CONFLICT_006) if the instance has changed since it was read at this revision. */
  expectedRevision?: number | null | undefined
  /** A repeated call with the same key answers with the first call’s instance; with other input it is refused. */
  idempotencyKey?: string | null | undefined
  /** Whose task it is, where an operator answers it for someone; the history names both. */
  onBehalfOf?: string | null | undefined
  /** The task. */
  taskId: string
  /** Variables to set: an object. */
  variables?: Json | null | undefined
}

/** A task and people for its step. */
export interface AssigneesInput {
  /** Why; it stays in the history. */
  comment?: string | null | undefined
  /** Whose task it is, where an operator acts for someone; the history names both. */
  onBehalfOf?: string | null | undefined
  /** The task. */
  taskId: string
  /** The people. */
  userIds: readonly string[]
}

/** Who enters and who leaves a group. */
export interface ChangeMembershipInput {
  /** Who enters it. */
  add?: readonly string[] | null | undefined
  /** The group. */
  group: string
  /** Who leaves it. */
  remove?: readonly string[] | null | undefined
}

/** A task that is done. */
export interface CompleteExternalTaskInput {
  /** The task. */
  id: string
  /** What goes into the variables of the instance: an object. */
  variables?: Json | null | undefined
  /** Who holds its lock. */
  workerId: string
}

/** An answer to a task. */
export interface CompleteTaskInput {
  /** What is said to it; it stays in the history. */
  comment?: string | null | undefined
  /** Refuse (WORKFLOW_CONFLICT_006) if the instance has changed since it was read at this revision. */
  expectedRevision?: number | null | undefined
  /** A repeated call with the same key answers with the first call’s instance; with other input it is refused. */
  idempotencyKey?: string | null | undefined
  /** Whose task it is, where an operator answers it for someone; the history names both. */
  onBehalfOf?: string | null | undefined
  /** One of its allowed outcomes. */
  outcome: string
  /** The task. */
  taskId: string
  /** Variables to set: an object. */
  variables?: Json | null | undefined
}

/** A new draft. */
export interface CreateDefinitionInput {
  /** The definition; its id, version and status are assigned. */
  document: Json
}

/** Where which events are to be sent. */
export interface CreateWebhookInput {
  /** What it is for. */
  description?: string | null | undefined
  /** Topics; `*` at the end stands for any rest. All when null. */
  topics?: readonly string[] | null | undefined
  /** http:// or https://, without name and password. */
  url: string
}

/** Which definitions; all that is given must hold. */
export interface DefinitionFilter {
  /** Exactly this category. */
  category?: string | null | undefined
  /** Made at or after this moment. */
  createdFrom?: string | Date | null | undefined
  /** Made before this moment. */
  createdTo?: string | Date | null | undefined
  /** Contained in the name, display name or description, without regard to case. */
  keyword?: string | null | undefined
  /** Exactly this name. */
  name?: string | null | undefined
  /** In this status. */
  status?: DefinitionStatus | null | undefined
}

/** One sort of a list of definitions. */
export interface DefinitionSort {
  /** Which end first. */
  direction?: SortDirection | null | undefined
  /** What to order by. */
  field: DefinitionSortField
}

/** What definitions can be ordered by. */
export type DefinitionSortField = 'CREATED_AT' | 'NAME' | 'PUBLISHED_AT' | 'STATUS' | 'TITLE' | 'VERSION'

/** Where a version of a definition stands in its life, in this order. */
export type DefinitionStatus = 'ARCHIVED' | 'DISABLED' | 'DRAFT' | 'PUBLISHED'

/** A lock that shall last longer. */
export interface ExtendExternalTaskLockInput {
  /** The task. */
  id: string
  /** How long from now; from 1. */
  lockSeconds: number
  /** Who holds its lock. */
  workerId: string
}

/** A task that could not be done. */
export interface FailExternalTaskInput {
  /** What went wrong; characters that cannot be stored are replaced. */
  error: string
  /** The task. */
  id: string
  /** When it can be fetched again. Without it the node fails, by its retry policy. */
  retryAfterSeconds?: number | null | undefined
  /** Who holds its lock. */
  workerId: string
}

/** What a worker asks for. */
export interface FetchExternalTasksInput {
  /** How long the tasks are locked; from 1. */
  lockSeconds: number
  /** How many at most: 1 to 100. */
  maxTasks?: number | null | undefined
  /** The topic. */
  topic: string
  /** How long to wait for a task where there is none: 0 to 60. */
  waitSeconds?: number | null | undefined
  /** Who locks the tasks: it is named again with each of them. */
  workerId: string
}

/** What is acted on, by its id. */
export interface IdInput {
  /** The id. */
  id: string
}

/** Which instances; all that is given must hold. */
export interface InstanceFilter {
  /** With one of these correlation ids; up to 1000, none of them blank; an empty list is none. */
  correlationIds?: readonly string[] | null | undefined
  /** Started at or after this moment. */
  createdFrom?: string | Date | null | undefined
  /** Started before this moment. */
  createdTo?: string | Date | null | undefined
  /** Runs of this definition. */
  definitionName?: string | null | undefined
  /** Ended before this moment. */
  endedBefore?: string | Date | null | undefined
  /** Contained in the title or the correlation id, without regard to case. */
  keyword?: string | null | undefined
  /** Started as a step of this instance. */
  parentId?: string | null | undefined
  /** Started by this person. */
  starterId?: string | null | undefined
  /** In one of these statuses; an empty list is none. */
  statuses?: readonly InstanceStatus[] | null | undefined
  /** Not started as a step of another instance. */
  topLevelOnly?: boolean | null | undefined
}

/** An instance and why something is done to it. */
export interface InstanceReasonInput {
  /** The instance. */
  id: string
  /** Why; it stays in the event. */
  reason?: string | null | undefined
}

/** One sort of a list of instances. */
export interface InstanceSort {
  /** Which end first. */
  direction?: SortDirection | null | undefined
  /** What to order by. */
  field: InstanceSortField
}

/** What instances can be ordered by. */
export type InstanceSortField = 'CREATED_AT' | 'DEFINITION_NAME' | 'ENDED_AT' | 'STATUS' | 'TITLE'

/** Where an instance stands in its life, in this order. */
export type InstanceStatus = 'CANCELED' | 'COMPLETED' | 'FAULTED' | 'RUNNING' | 'SUSPENDED' | 'TERMINATED'

/** How much a problem of a definition matters. */
export type IssueSeverity = 'ERROR' | 'WARNING'

/** Where an instance shall go on. */
export interface JumpInstanceInput {
  /** The instance. */
  id: string
  /** Why; it stays in the event. */
  reason?: string | null | undefined
  /** The node to go on from; all that is open is given up. */
  targetNodeId: string
}

/** What was read. */
export interface MarkCopiesReadInput {
  /** All when null. */
  ids?: readonly string[] | null | undefined
}

/** Which version an instance shall go on with. */
export interface MigrateInstanceInput {
  /** Only check: an error tells what is in the way, and nothing is changed. */
  dryRun?: boolean | null | undefined
  /** The instance. */
  id: string
  /** Where nodes have other ids in the target: `{ old: new }`. Those not named keep their id. */
  nodeMapping?: Json | null | undefined
  /** Another published version of its definition. */
  targetVersion: number
}

/** A draft made from the newest version. */
export interface NewDefinitionVersionInput {
  /** The name of the definition. */
  name: string
}

/** Where one run of a node stands. */
export type NodeStatus = 'CANCELED' | 'COMPENSATED' | 'COMPLETED' | 'FAULTED' | 'RUNNING' | 'WAITING'

/** What to look ahead at. Give name (and version), definitionId or document. */
export interface PreviewInstanceInput {
  /** The published version of a definition by its id. */
  definitionId?: string | null | undefined
  /** A definition that is not stored; needs the permission `design`. */
  document?: Json | null | undefined
  /** The name of a published definition. */
  name?: string | null | undefined
  /** The outcome to assume at a node, by node id; `approved` where nothing is given. */
  outcomes?: Json | null | undefined
  /** The variables to start with: an object. */
  variables?: Json | null | undefined
  /** Its version; the newest published one when it is not given. */
  version?: number | null | undefined
}

/** Which ended instances are removed. */
export interface PurgeInstancesInput {
  /** Only instances of this definition. */
  definitionName?: string | null | undefined
  /** Only what ended before this moment. */
  endedBefore: string | Date
  /** The most instances to remove: 1 to 1000. */
  limit?: number | null | undefined
  /** Only these ways to have ended; else all. */
  statuses?: readonly InstanceStatus[] | null | undefined
}

/** People who leave the directory. */
export interface RemoveUsersInput {
  /** Up to 1000. */
  ids: readonly string[]
}

/** What shall go on, as if what it waits for had come. */
export interface ResumeBookmarkInput {
  /** Refuse (WORKFLOW_CONFLICT_003) when the bookmark has another key. */
  expectedKey?: string | null | undefined
  /** The bookmark. */
  id: string
  /** What came, an object: the payload of a signal, the outcome, comment and variables of a task, variables else. */
  inputs?: Json | null | undefined
}

/** A task that is sent back. */
export interface ReturnTaskInput {
  /** Why; it stays in the history. */
  comment?: string | null | undefined
  /** Whose task it is, where an operator acts for someone; the history names both. */
  onBehalfOf?: string | null | undefined
  /** Whether the flow comes straight back here once that node is completed again. */
  resubmit?: boolean | null | undefined
  /** The task. */
  taskId: string
  /** The node to go back to; by default the last completed user task before this one. */
  toNodeId?: string | null | undefined
}

/** What a start does when an unfinished instance has the same correlation id. */
export type ReusePolicy = 'ALLOW_DUPLICATE' | 'REJECT_ACTIVE' | 'RETURN_ACTIVE'

/** Which webhook is given a new secret. */
export interface RotateWebhookSecretInput {
  /** Which one. */
  id: string
  /** How long messages are signed with the secret before as well: 0 to 604800, by default 86400. */
  overlapSeconds?: number | null | undefined
}

/** Who stands in for whom, and when. */
export interface SetSubstituteInput {
  /** Until when. */
  endsAt: string | Date
  /** From when on: now when it is left out. */
  startsAt?: string | Date | null | undefined
  /** Who stands in. */
  substituteId: string
  /** Who is absent: the caller, unless an operator names another. */
  userId?: string | null | undefined
}

/** Changes to the variables of an instance. */
export interface SetVariablesInput {
  /** The instance. */
  id: string
  /** The names to remove. */
  remove?: readonly string[] | null | undefined
  /** What to set: an object. */
  set?: Json | null | undefined
}

/** A signal for all who wait for it. */
export interface SignalInput {
  /** Whom it is for: waiters with this correlation id and those without one. */
  correlationId?: string | null | undefined
  /** How long it is kept when it meets no waiter: those that come in this time take it, each once. */
  holdSeconds?: number | null | undefined
  /** A repeated call with the same key answers as the first one did; with other input it is refused. */
  idempotencyKey?: string | null | undefined
  /** The name that is waited for. */
  name: string
  /** What it carries: an object. */
  payload?: Json | null | undefined
}

/** Which end of the order comes first. Null stands as the greatest value: last ascending, first descending. */
export type SortDirection = 'ASC' | 'DESC'

/** What to start. Give name (and version, else the newest published one) or definitionId. */
export interface StartInstanceInput {
  /** The business key: signals and reuse go by it. */
  correlationId?: string | null | undefined
  /** The version of the definition by its id, instead of the name. */
  definitionId?: string | null | undefined
  /** The title; else that of the definition. */
  displayName?: string | null | undefined
  /** A repeated call with the same key answers with the first call’s instance; with other input it is refused. */
  idempotencyKey?: string | null | undefined
  /** The id that the instance shall have: a UUID; else a new one. */
  instanceId?: string | null | undefined
  /** The name of the definition. */
  name?: string | null | undefined
  /** What to do when an unfinished instance has the same correlation id. */
  reusePolicy?: ReusePolicy | null | undefined
  /** When it shall begin: until then it waits at its start. A time that has passed is now. */
  startAt?: string | Date | null | undefined
  /** The variables to start with: an object. */
  variables?: Json | null | undefined
  /** Its version; the newest published one when it is not given. */
  version?: number | null | undefined
}

/** What happened to a task. */
export type TaskAction = 'ASSIGNEE_ADDED' | 'ASSIGNEE_REMOVED' | 'CANCELED' | 'CLAIMED' | 'COMMENTED' | 'COMPLETED' | 'DELEGATED' | 'HANDED_OVER' | 'RELEASED' | 'RETURNED' | 'SKIPPED' | 'TAKEN_BACK' | 'TIMED_OUT' | 'TRANSFERRED' | 'URGED' | 'WITHDRAWN'

/** A task and what is said to it. */
export interface TaskCommentInput {
  /** What is said; it stays in the history. */
  comment?: string | null | undefined
  /** Whose task it is, where an operator acts for someone; the history names both. */
  onBehalfOf?: string | null | undefined
  /** The task. */
  taskId: string
}

/** Which tasks; all that is given must hold. Without assigneeId and instanceId: the viewer’s own inbox. Another person’s needs the permission `operate`. */
export interface TaskFilter {
  /** What this person is asked, by name or as one of a group. */
  assigneeId?: string | null | undefined
  /** Asked at or after this moment. */
  createdFrom?: string | Date | null | undefined
  /** Asked before this moment. */
  createdTo?: string | Date | null | undefined
  /** Asked by runs of this definition. */
  definitionName?: string | null | undefined
  /** Due before this moment. */
  dueBefore?: string | Date | null | undefined
  /** What this instance asks anybody. */
  instanceId?: string | null | undefined
  /** Contained in the title of the task or of its instance, the definition’s name or the correlation id, without regard to case. */
  keyword?: string | null | undefined
  /** Asked by this node. */
  nodeId?: string | null | undefined
  /** Whether they are overdue or not. */
  overdue?: boolean | null | undefined
}

/** What can be done with an open task. */
export type TaskOperation = 'ADD_ASSIGNEES' | 'CLAIM' | 'COMMENT' | 'COMPLETE' | 'DELEGATE' | 'RELEASE' | 'REMOVE_ASSIGNEES' | 'RETURN' | 'TRANSFER' | 'URGE'

/** Which records; all that is given must hold. Without actorId and instanceId: what the viewer did. What another person did needs the permission `operate`. */
export interface TaskRecordFilter {
  /** One of these actions; an empty list is none. */
  actions?: readonly TaskAction[] | null | undefined
  /** Done by this person. */
  actorId?: string | null | undefined
  /** In runs of this definition. */
  definitionName?: string | null | undefined
  /** Done at or after this moment. */
  from?: string | Date | null | undefined
  /** Of this instance, done by anybody. */
  instanceId?: string | null | undefined
  /** Contained in the title of the task or of its instance, the definition’s name or the correlation id, without regard to case. */
  keyword?: string | null | undefined
  /** Done before this moment. */
  to?: string | Date | null | undefined
}

/** One sort of a list of tasks. */
export interface TaskSort {
  /** Which end first. */
  direction?: SortDirection | null | undefined
  /** What to order by. */
  field: TaskSortField
}

/** What tasks can be ordered by. */
export type TaskSortField = 'CREATED_AT' | 'DUE_AT' | 'PRIORITY' | 'TITLE'

/** A task and who shall have it. */
export interface TransferTaskInput {
  /** Why; it stays in the history. */
  comment?: string | null | undefined
  /** Whose task it is, where an operator acts for someone; the history names both. */
  onBehalfOf?: string | null | undefined
  /** The task. */
  taskId: string
  /** The person. */
  toUserId: string
}

/** The new content of a draft. */
export interface UpdateDefinitionInput {
  /** The whole definition; its name stays. */
  document: Json
  /** The draft. */
  id: string
}

/** What of a webhook is changed; what is null stays as it is. */
export interface UpdateWebhookInput {
  /** What it is for. */
  description?: string | null | undefined
  /** False: nothing is sent, and what waits stays. */
  enabled?: boolean | null | undefined
  /** Which one. */
  id: string
  /** Which topics. */
  topics?: readonly string[] | null | undefined
  /** Where to. */
  url?: string | null | undefined
}

/** People for the directory. */
export interface UpsertUsersInput {
  /** Up to 1000; what is left out of one is emptied. */
  users: readonly UserInput[]
}

/** A person as the directory shall have him. */
export interface UserInput {
  /** The e-mail address. */
  email?: string | null | undefined
  /** The groups that he is in. */
  groups?: readonly string[] | null | undefined
  /** The id by which he signs in and tasks are assigned. */
  id: string
  /** Whom he reports to. */
  managerId?: string | null | undefined
  /** The name to show. */
  name: string
}

/** Where a message to a webhook stands. */
export type WebhookDeliveryStatus = 'DEAD' | 'DELIVERED' | 'PENDING'

/** What `copies` takes. */
export interface CopiesArguments {
  /** The cursor of the row before the page. */
  after?: string | null | undefined
  /** The size of the page: 1 to 1000, by default 100. */
  first?: number | null | undefined
  /** Leave out what was read. */
  unreadOnly?: boolean | null | undefined
}

/** What `definition` takes. */
export interface DefinitionArguments {
  /** The id of the version. */
  id: string
}

/** What `definitions` takes. */
export interface DefinitionsArguments {
  /** The cursor of the row before the page. */
  after?: string | null | undefined
  /** The cursor of the row after the page. */
  before?: string | null | undefined
  /** Which ones; all when it is not given. */
  filter?: DefinitionFilter | null | undefined
  /** The size of the page: 1 to 1000, by default 100. */
  first?: number | null | undefined
  /** The size of a page taken from the end, instead of `first`. */
  last?: number | null | undefined
  /** How many rows to leave out, for page numbers. Not together with a cursor. */
  skip?: number | null | undefined
  /** Up to 6 sorts, each field once. By default the name, then the newest version first. */
  sorts?: readonly DefinitionSort[] | null | undefined
}

/** What `events` takes. */
export interface EventsArguments {
  /** The cursor of the row before the page. */
  after?: string | null | undefined
  /** The size of the page: 1 to 1000, by default 100. */
  first?: number | null | undefined
  /** Only what is about this instance. */
  instanceId?: string | null | undefined
  /** Only these topics; `*` at the end stands for any rest. */
  topics?: readonly string[] | null | undefined
}

/** What `instance` takes. */
export interface InstanceArguments {
  /** The id. */
  id: string
}

/** What `instances` takes. */
export interface InstancesArguments {
  /** The cursor of the row before the page. */
  after?: string | null | undefined
  /** The cursor of the row after the page. */
  before?: string | null | undefined
  /** Which ones; all when it is not given. */
  filter?: InstanceFilter | null | undefined
  /** The size of the page: 1 to 1000, by default 100. */
  first?: number | null | undefined
  /** The size of a page taken from the end, instead of `first`. */
  last?: number | null | undefined
  /** How many rows to leave out, for page numbers. Not together with a cursor. */
  skip?: number | null | undefined
  /** Up to 5 sorts, each field once. By default the newest first. */
  sorts?: readonly InstanceSort[] | null | undefined
}

/** What `publishedDefinition` takes. */
export interface PublishedDefinitionArguments {
  /** The name. */
  name: string
  /** The version; the newest published one when it is not given. */
  version?: number | null | undefined
}

/** What `substitutes` takes. */
export interface SubstitutesArguments {
  /** Whose: the caller’s when it is left out. */
  userId?: string | null | undefined
}

/** What `task` takes. */
export interface TaskArguments {
  /** The id. */
  id: string
}

/** What `taskRecords` takes. */
export interface TaskRecordsArguments {
  /** The cursor of the row before the page. */
  after?: string | null | undefined
  /** The cursor of the row after the page. */
  before?: string | null | undefined
  /** Which ones; what the viewer did when it is not given. */
  filter?: TaskRecordFilter | null | undefined
  /** The size of the page: 1 to 1000, by default 100. */
  first?: number | null | undefined
  /** The size of a page taken from the end, instead of `first`. */
  last?: number | null | undefined
  /** How many rows to leave out, for page numbers. Not together with a cursor. */
  skip?: number | null | undefined
}

/** What `tasks` takes. */
export interface TasksArguments {
  /** The cursor of the row before the page. */
  after?: string | null | undefined
  /** The cursor of the row after the page. */
  before?: string | null | undefined
  /** Which ones; the viewer’s own inbox when it is not given. */
  filter?: TaskFilter | null | undefined
  /** The size of the page: 1 to 1000, by default 100. */
  first?: number | null | undefined
  /** The size of a page taken from the end, instead of `first`. */
  last?: number | null | undefined
  /** How many rows to leave out, for page numbers. Not together with a cursor. */
  skip?: number | null | undefined
  /** Up to 4 sorts, each field once. By default the oldest first. */
  sorts?: readonly TaskSort[] | null | undefined
}

/** What `users` takes. */
export interface UsersArguments {
  /** The cursor of the row before the page. */
  after?: string | null | undefined
  /** The cursor of the row after the page. */
  before?: string | null | undefined
  /** The size of the page: 1 to 1000, by default 100. */
  first?: number | null | undefined
  /** Only the people of this group. */
  group?: string | null | undefined
  /** Contained in the name, the id or the e-mail address, whatever the case. */
  keyword?: string | null | undefined
  /** The size of a page taken from the end, instead of `first`. */
  last?: number | null | undefined
  /** How many rows to leave out, for page numbers. Not together with a cursor. */
  skip?: number | null | undefined
}

/** What `validateDefinition` takes. */
export interface ValidateDefinitionArguments {
  /** The definition as JSON. */
  document: Json
}

/** What `webhook` takes. */
export interface WebhookArguments {
  /** The id. */
  id: string
}

/** What `archiveDefinitions` takes. */
export interface ArchiveDefinitionsArguments {
  /** The definitions. */
  ids: readonly string[]
}

/** What `cancelInstances` takes. */
export interface CancelInstancesArguments {
  /** The instances. */
  ids: readonly string[]
  /** Why; it stays in the events. */
  reason?: string | null | undefined
}

/** What `completeTasks` takes. */
export interface CompleteTasksArguments {
  /** The answers. */
  inputs: readonly CompleteTaskInput[]
}

/** What `handOverTasks` takes. */
export interface HandOverTasksArguments {
  /** Why; it stays in the history. */
  comment?: string | null | undefined
  /** Whose tasks. */
  fromUserId: string
  /** Who shall have them. */
  toUserId: string
}

/** What `migrateInstances` takes. */
export interface MigrateInstancesArguments {
  /** The instances. */
  ids: readonly string[]
  /** Another published version of their definition. */
  targetVersion: number
}

/** What `publishDefinitions` takes. */
export interface PublishDefinitionsArguments {
  /** The definitions. */
  ids: readonly string[]
}

/** What `resumeInstances` takes. */
export interface ResumeInstancesArguments {
  /** The instances. */
  ids: readonly string[]
}

/** What `retryInstances` takes. */
export interface RetryInstancesArguments {
  /** The instances. */
  ids: readonly string[]
}

/** What `suspendInstances` takes. */
export interface SuspendInstancesArguments {
  /** The instances. */
  ids: readonly string[]
  /** Why; it stays in the events. */
  reason?: string | null | undefined
}

/** What `terminateInstances` takes. */
export interface TerminateInstancesArguments {
  /** The instances. */
  ids: readonly string[]
  /** Why; it stays in the events. */
  reason?: string | null | undefined
}

/** What `transferTasks` takes. */
export interface TransferTasksArguments {
  /** Which ones, to whom. */
  inputs: readonly TransferTaskInput[]
}

/** What `urgeTasks` takes. */
export interface UrgeTasksArguments {
  /** Which ones. */
  inputs: readonly TaskCommentInput[]
}

/** What `externalTasks` takes. */
export interface ExternalTasksArguments {
  /** The topic. */
  topic: string
}

/** What `instanceEvents` takes. */
export interface InstanceEventsArguments {
  /** The last cursor seen; events since then come first. Without it: from now on. */
  after?: string | null | undefined
  /** All runs of this definition. */
  definitionName?: string | null | undefined
  /** This instance. */
  instanceId?: string | null | undefined
  /** Only these topics. */
  types?: readonly string[] | null | undefined
}

/** What `taskEvents` takes. */
export interface TaskEventsArguments {
  /** The last cursor seen; events since then come first. Without it: from now on. */
  after?: string | null | undefined
  /** Only these topics. */
  types?: readonly string[] | null | undefined
}

/** One setting of a kind of step. */
export interface ActivityProperty {
  /** What holds where it is not given. */
  defaultValue: Json | null
  /** What it is for, in the caller’s language. */
  description: string | null
  /** The name in the node’s properties. */
  name: string
  /** Whether it must be given. */
  required: boolean
  /** What it takes: string, template, expression, boolean … */
  type: string
  /** What may be chosen, where only certain values are allowed. */
  values: string[] | null
}

/** A kind of step that definitions can be made of. */
export interface ActivityType {
  /** The group it is listed in. */
  category: string
  /** The name of the group in the caller’s language. */
  categoryName: string
  /** What it does, in the caller’s language. */
  description: string | null
  /** The name in the caller’s language. */
  displayName: string
  /** How the ways out are chosen: AllMatched, Exclusive, All or None. */
  outgoing: string
  /** Its settings. */
  properties: ActivityProperty[]
  /** What stands in a node’s activityType. */
  type: string
}

/** What is left to read. */
export interface CopiesPayload {
  /** How many copies stay unread. */
  unread: number
}

/** Something that was copied to a person. */
export interface Copy {
  /** The id. */
  id: string
  /** The node that sent it. */
  nodeId: string
  /** The title of the task that it is about. */
  taskTitle: string
  /** When it was sent. */
  createdAt: string
  /** When it was read; null before that. */
  readAt: string | null
  /** The instance that it is about. */
  instance: InstanceHead
}

/** A page of copies. */
export interface CopyConnection {
  /** The rows alone. */
  nodes: Copy[]
  /** Where the page lies in the list. */
  pageInfo: PageInfo
  /** How many rows the whole list has; counted only when it is selected. */
  totalCount: number
}

/** One version of a workflow definition. */
export interface Definition {
  /** The id of this version. */
  id: string
  /** The name that all versions share. */
  name: string
  /** The version: 1, 2, 3 … */
  version: number
  /** The display name, else the name. */
  title: string
  /** The name given by its author. */
  displayName: string | null
  /** What the workflow is for. */
  description: string | null
  /** The category it is listed under. */
  category: string | null
  /** Where it stands in its life. */
  status: DefinitionStatus
  /** When the version was made. */
  createdAt: string
  /** When it was published; null before that. */
  publishedAt: string | null
}

/** A page of definitions. */
export interface DefinitionConnection {
  /** The rows alone. */
  nodes: Definition[]
  /** Where the page lies in the list. */
  pageInfo: PageInfo
  /** How many rows the whole list has; counted only when it is selected. */
  totalCount: number
}

/** One version of a workflow definition. */
export interface DefinitionDetail {
  /** The id of this version. */
  id: string
  /** The name that all versions share. */
  name: string
  /** The version: 1, 2, 3 … */
  version: number
  /** The display name, else the name. */
  title: string
  /** The name given by its author. */
  displayName: string | null
  /** What the workflow is for. */
  description: string | null
  /** The category it is listed under. */
  category: string | null
  /** Where it stands in its life. */
  status: DefinitionStatus
  /** When the version was made. */
  createdAt: string
  /** When it was published; null before that. */
  publishedAt: string | null
  /** The whole definition as JSON. */
  document: Json
}

/** One problem of a definition. */
export interface DefinitionIssue {
  /** The arguments of the message. */
  arguments: Json
  /** The message in the caller’s language. */
  message: string
  /** The key of the message. */
  messageKey: string
  /** Where in the document: $.nodes[2].properties.Cron */
  path: string
  /** How much it matters. */
  severity: IssueSeverity
}

/** A definition as it stands now. */
export interface DefinitionPayload {
  /** The definition. */
  definition: Definition
}

/** What became of one item of a batch. */
export interface DefinitionResult {
  /** The definition as it stands now; null when the item was refused. */
  definition: Definition | null
  /** Why the item was refused; null when it was not. */
  error: WorkflowError | null
  /** The id that was given. */
  id: string
}

/** What was deleted. */
export interface DeletePayload {
  /** The id that is gone. */
  deletedId: string
}

/** A page of the event log, the oldest event first. */
export interface EventPage {
  /** The cursor of the last event; null for an empty page. */
  endCursor: string | null
  /** Whether events follow the page. */
  hasNextPage: boolean
  /** The events. */
  nodes: LoggedEvent[]
}

/** A piece of work under the lock of the worker that fetched it. */
export interface ExternalTask {
  /** The id. */
  id: string
  /** What workers fetch it by. */
  topic: string
  /** What the worker needs to know. */
  payload: Json | null
  /** 1, and one more with each failure that asked for another try. */
  attempt: number
  /** When the lock ends. */
  lockedUntil: string
  /** The instance that waits for it. */
  instance: InstanceHead
}

/** What a fetch came back with. */
export interface ExternalTasksPayload {
  /** The tasks, the oldest first. None does not mean that there are none. */
  tasks: ExternalTask[]
}

/** Why a node or an instance failed. */
export interface Fault {
  /** The error code. */
  code: string
  /** The key of the message. */
  messageKey: string | null
  /** The message in the caller’s language, causes included. */
  message: string
  /** The arguments of the message. */
  arguments: Json | null
}

/** The numbers on the tabs of an approval centre. */
export interface InboxCounts {
  /** Those of them whose due date has passed. */
  overdue: number
  /** Running instances that the viewer started. */
  startedRunning: number
  /** Open tasks of the viewer and his groups. */
  todo: number
  /** Copies that were not read. */
  unreadCopies: number
}

/** One run of a definition. */
export interface Instance {
  /** The id. */
  id: string
  /** What the lists show. */
  title: string
  /** The name of the definition. */
  definitionName: string
  /** The version that it runs on. */
  definitionVersion: number
  /** The business key it was started with. */
  correlationId: string | null
  /** Where it stands in its life. */
  status: InstanceStatus
  /** The status in the caller’s language. */
  statusName: string
  /** What it came to, given by its end. */
  outcome: string | null
  /** Goes up by one with every committed change; see expectedRevision. */
  revision: number
  /** Its variables as they are now, without those that its steps hide (`FormFields`) and that no step of the caller’s own shows. Operators see all. */
  variables: Json
  /** When it was started. */
  createdAt: string
  /** When it ended; null before that. */
  endedAt: string | null
  /** The node that failed. */
  faultNodeId: string | null
  /** Who started it; null for a signal or a schedule. */
  starter: User | null
  /** Why it failed; null when it did not. */
  fault: Fault | null
}

/** A page of instances. */
export interface InstanceConnection {
  /** Subscribe with `after: eventCursor` and nothing that happened since this page was read is missed. */
  eventCursor: string
  /** The rows alone. */
  nodes: Instance[]
  /** Where the page lies in the list. */
  pageInfo: PageInfo
  /** How many rows the whole list has; counted only when it is selected. */
  totalCount: number
}

/** Something that happened to an instance. */
export interface InstanceEvent {
  /** The id. */
  id: string
  /** The topic: workflow.task.created … */
  type: string
  /** When it happened. */
  at: string
  /** Give it to `after` to go on behind this event. */
  cursor: string
  /** The instance. */
  instanceId: string
  /** The node that it is about. */
  nodeId: string | null
  /** The task that it is about. */
  taskId: string | null
  /** More facts, by topic. */
  data: Json | null
  /** Who did it; null for the engine. */
  actor: User | null
}

/** One run of a definition. */
export interface InstanceHead {
  /** The id. */
  id: string
  /** What the lists show. */
  title: string
  /** The name of the definition. */
  definitionName: string
  /** Where it stands in its life. */
  status: InstanceStatus
  /** What it came to, given by its end. */
  outcome: string | null
  /** Goes up by one with every committed change; see expectedRevision. */
  revision: number
}

/** An instance as it stands now. */
export interface InstancePayload {
  /** The instance. */
  instance: Instance
}

/** What became of one item of a batch. */
export interface InstanceResult {
  /** Why the item was refused; null when it was not. */
  error: WorkflowError | null
  /** The id that was given. */
  id: string
  /** The instance as it stands now; null when the item was refused. */
  instance: Instance | null
}

/** One line of the event log, with the attributes of CloudEvents 1.0. */
export interface LoggedEvent {
  /** The correlation id of the instance. */
  correlation: string | null
  /** The place in the log: `after` of this list and of subscriptions. */
  cursor: string
  /** What webhooks and brokers get as data: definition, node, task, actor, recipients and facts by topic. */
  data: Json
  /** The id. */
  id: string
  /** Where it comes from. */
  source: string
  /** The instance; null where it is about none. */
  subject: string | null
  /** When it happened. */
  time: string
  /** The topic: workflow.task.created … */
  type: string
}

/** A node of a definition: one step. */
export interface Node {
  /** The id within the definition. */
  id: string
  /** The display name, else the id. */
  title: string
  /** What kind of step it is. */
  activityType: string
}

/** Where a page lies in its list. */
export interface PageInfo {
  /** The cursor of the last row; null where there is none. */
  endCursor: string | null
  /** Whether rows follow the page. */
  hasNextPage: boolean
  /** Whether rows come before the page. */
  hasPreviousPage: boolean
  /** The cursor of the first row; null where there is none. */
  startCursor: string | null
}

/** The way that an instance would go. */
export interface Preview {
  /** What would fail. */
  fault: Fault | null
  /** What it would come to. */
  outcome: string | null
  /** How it would end; RUNNING where it would go in circles with the outcomes assumed. */
  status: InstanceStatus
  /** The steps in their order. */
  steps: PreviewStep[]
}

/** One step that an instance would take. */
export interface PreviewStep {
  /** What kind of step it is. */
  activityType: string
  /** Whether the way on was assumed: an answer, a time that passes, a signal, a reply. */
  assumed: boolean
  /** The groups that it would be offered to. */
  groups: string[]
  /** The node. */
  nodeId: string
  /** What it would come to. */
  outcome: string | null
  /** Whom it would ask, in order. */
  people: User[]
  /** How the step would end. */
  status: NodeStatus
  /** What their inbox would show. */
  taskTitle: string | null
  /** Its title. */
  title: string
}

/** What was removed. */
export interface PurgePayload {
  /** How many instances are gone, the children of others included. */
  purged: number
}

/** What was removed. */
export interface RemoveUsersPayload {
  /** How many people are gone. */
  removed: number
}

/** What a signal met. */
export interface SignalPayload {
  /** How many waiters went on. */
  resumed: number
  /** How many instances it started. */
  started: number
}

/** Who stands in for a person while he is absent. */
export interface Substitute {
  /** Until when. */
  endsAt: string
  /** The id. */
  id: string
  /** From when on. */
  startsAt: string
  /** Who stands in. */
  substitute: User
  /** Who is absent. */
  user: User
}

/** A substitute that was named. */
export interface SubstitutePayload {
  /** It. */
  substitute: Substitute
}

/** Something that a person is asked to answer. */
export interface Task {
  /** The id. */
  id: string
  /** What is asked. */
  title: string
  /** How urgent it is, as its definition counts. */
  priority: number | null
  /** When it was asked. */
  createdAt: string
  /** By when an answer is wanted. */
  dueAt: string | null
  /** Whether that moment has passed. */
  overdue: boolean
  /** Set where the task is offered to a group. */
  candidateGroup: string | null
  /** What may be answered. */
  allowedOutcomes: string[]
  /** The form of the answer as a JSON Schema, without the fields that this step hides. */
  form: Json | null
  /** What the form is filled with. */
  formData: Json | null
  /** The form to show. */
  formKey: string | null
  /** The fields of the form that this step shows but does not let change. */
  readOnlyFields: string[]
  /** Who is asked; null where a group is. */
  assignee: User | null
  /** Who took it for himself. */
  claimedBy: User | null
  /** Who has delegated it and gets it back once it is answered; null where nobody has. */
  owner: User | null
  /** The node as the definition has it. */
  node: Node
  /** The instance that asks. */
  instance: InstanceHead
}

/** A page of tasks. */
export interface TaskConnection {
  /** Subscribe with `after: eventCursor` and nothing that happened since this page was read is missed. */
  eventCursor: string
  /** The rows alone. */
  nodes: Task[]
  /** Where the page lies in the list. */
  pageInfo: PageInfo
  /** How many rows the whole list has; counted only when it is selected. */
  totalCount: number
}

/** Something that happened to a task of the viewer. */
export interface TaskEvent {
  /** The id. */
  id: string
  /** The topic: workflow.task.created … */
  type: string
  /** When it happened. */
  at: string
  /** Give it to `after` to go on behind this event. */
  cursor: string
  /** The task. */
  taskId: string
  /** The instance. */
  instanceId: string
  /** More facts, by topic. */
  data: Json | null
  /** Who did it; null for the engine. */
  actor: User | null
}

/** What came of acting on a task. */
export interface TaskPayload {
  /** The instance as it stands now. */
  instance: Instance
  /** What the caller can act on next in the same instance. */
  nextTasks: Task[]
  /** The task as it stands now; null when it is closed. */
  task: Task | null
}

/** One thing that happened to a task, kept for good. */
export interface TaskRecord {
  /** The id. */
  id: string
  /** The task; null where a rule answered without one. */
  taskId: string | null
  /** What happened. */
  action: TaskAction
  /** When it happened. */
  at: string
  /** The node that asked. */
  nodeId: string
  /** The title of that node at the time. */
  nodeTitle: string
  /** What was answered. */
  outcome: string | null
  /** What was said to it. */
  comment: string | null
  /** How long the task had been open, in milliseconds. */
  durationMs: number | null
  /** Where the flow went from here. */
  targetNodeIds: string[]
  /** Who did it; null for the engine. */
  actor: User | null
  /** Whose task it was; null where it was a group’s. */
  assignee: User | null
  /** For whom it was done, where that is another. */
  onBehalfOf: User | null
  /** To whom it went, or who was added. */
  target: User | null
  /** The instance that it happened in. */
  instance: InstanceHead
}

/** A page of task records. */
export interface TaskRecordConnection {
  /** The rows alone. */
  nodes: TaskRecord[]
  /** Where the page lies in the list. */
  pageInfo: PageInfo
  /** How many rows the whole list has; counted only when it is selected. */
  totalCount: number
}

/** What became of one item of a batch. */
export interface TaskResult {
  /** Why the item was refused; null when it was not. */
  error: WorkflowError | null
  /** The id of the task that was given. */
  id: string
  /** The instance as it stands now; null when the item was refused. */
  instance: Instance | null
  /** The task as it stands now; null when it is closed or the item was refused. */
  task: Task | null
}

/** A person. One who is not in the directory goes by the id. */
export interface User {
  /** The id by which tasks are assigned. */
  id: string
  /** The name to show. */
  name: string
  /** The e-mail address, where it is known. */
  email: string | null
  /** The groups that the directory has the person in. */
  groups: string[]
}

/** A page of people. */
export interface UserConnection {
  /** The rows alone. */
  nodes: User[]
  /** Where the page lies in the list. */
  pageInfo: PageInfo
  /** How many rows the whole list has; counted only when it is selected. */
  totalCount: number
}

/** People as they stand in the directory now. */
export interface UsersPayload {
  /** The people. */
  users: User[]
}

/** The caller. */
export interface Viewer {
  /** What waits for the viewer. */
  counts: InboxCounts
  /** As on the connections, for `counts`. */
  eventCursor: string
  /** The groups. */
  groups: string[]
  /** The permissions. */
  permissions: string[]
  /** The partition; null for the platform’s. */
  tenantId: string | null
  /** The person. */
  user: User
}

/** An endpoint that events are sent to. Its secret is shown only when it is made. */
export interface Webhook {
  /** When it was registered. */
  createdAt: string
  /** What was sent to it, or is to be, the newest first. */
  deliveries: WebhookDeliveryConnection
  /** What it is for. */
  description: string | null
  /** Whether anything is sent. */
  enabled: boolean
  /** The id. */
  id: string
  /** Until when messages are signed with the secret before as well; null when they are not. */
  previousSecretUntil: string | null
  /** Which topics; `*` at the end stands for any rest. */
  topics: string[]
  /** Where events are posted. */
  url: string
}

/** One event for one webhook, with what came of the last attempt. */
export interface WebhookDelivery {
  /** How often it was tried. */
  attempts: number
  /** What is sent: the CloudEvent as JSON text. */
  body: string
  /** Since when it is to be sent. */
  createdAt: string
  /** How long the last attempt took. */
  durationMs: number | null
  /** When it arrived or was given up. */
  endedAt: string | null
  /** The event; the header `webhook-id` of every attempt. */
  eventId: string
  /** Why the last attempt failed; null where it did not. */
  fault: Fault | null
  /** The id. */
  id: string
  /** The instance; null where it is about none. */
  instanceId: string | null
  /** When it is tried next; null once it has ended, and while an earlier one of its instance comes first. */
  nextAttemptAt: string | null
  /** Where it stands. */
  status: WebhookDeliveryStatus
  /** The HTTP status of the last answer. */
  statusCode: number | null
  /** The topic of the event. */
  type: string
}

/** A page of webhook deliveries. */
export interface WebhookDeliveryConnection {
  /** The rows alone. */
  nodes: WebhookDelivery[]
  /** Where the page lies in the list. */
  pageInfo: PageInfo
  /** How many rows the whole list has; counted only when it is selected. */
  totalCount: number
}

/** A message that is on its way. */
export interface WebhookDeliveryPayload {
  /** The id of the delivery. */
  deliveryId: string
}

/** A webhook that was changed. */
export interface WebhookPayload {
  /** It. */
  webhook: Webhook
}

/** A webhook with its secret, which is shown only here. */
export interface WebhookSecretPayload {
  /** What the signatures are checked with: `whsec_…`. */
  secret: string
  /** It. */
  webhook: Webhook
}

/** Why one item of a batch was refused. */
export interface WorkflowError {
  /** The arguments of the message. */
  arguments: Json | null
  /** The error code. */
  code: string
  /** The message in the caller’s language. */
  message: string
  /** The key of the message. */
  messageKey: string | null
  /** The problems of a definition that could not be published. */
  violations: DefinitionIssue[] | null
}

/** The selections by name. */
export const fragments: { readonly [name: string]: string } = {
  ActivityProperty: 'fragment ActivityProperty on ActivityProperty { defaultValue description name required type values }',
  ActivityType: 'fragment ActivityType on ActivityType { category categoryName description displayName outgoing properties { ...ActivityProperty } type }',
  CopiesPayload: 'fragment CopiesPayload on CopiesPayload { unread }',
  Copy: 'fragment Copy on Copy { id nodeId taskTitle createdAt readAt instance { ...InstanceHead } }',
  CopyConnection: 'fragment CopyConnection on CopyConnection { nodes { ...Copy } pageInfo { ...PageInfo } totalCount }',
  Definition: 'fragment Definition on Definition { id name version title displayName description category status createdAt publishedAt }',
  DefinitionConnection: 'fragment DefinitionConnection on DefinitionConnection { nodes { ...Definition } pageInfo { ...PageInfo } totalCount }',
  DefinitionDetail: 'fragment DefinitionDetail on Definition { id name version title displayName description category status createdAt publishedAt document }',
  DefinitionIssue: 'fragment DefinitionIssue on DefinitionIssue { arguments message messageKey path severity }',
  DefinitionPayload: 'fragment DefinitionPayload on DefinitionPayload { definition { ...Definition } }',
  DefinitionResult: 'fragment DefinitionResult on DefinitionResult { definition { ...Definition } error { ...WorkflowError } id }',
  DeletePayload: 'fragment DeletePayload on DeletePayload { deletedId }',
  EventPage: 'fragment EventPage on EventPage { endCursor hasNextPage nodes { ...LoggedEvent } }',
  ExternalTask: 'fragment ExternalTask on ExternalTask { id topic payload attempt lockedUntil instance { ...InstanceHead } }',
  ExternalTasksPayload: 'fragment ExternalTasksPayload on ExternalTasksPayload { tasks { ...ExternalTask } }',
  Fault: 'fragment Fault on Fault { code messageKey message arguments }',
  InboxCounts: 'fragment InboxCounts on InboxCounts { overdue startedRunning todo unreadCopies }',
  Instance: 'fragment Instance on Instance { id title definitionName definitionVersion correlationId status statusName outcome revision variables createdAt endedAt faultNodeId starter { ...User } fault { ...Fault } }',
  InstanceConnection: 'fragment InstanceConnection on InstanceConnection { eventCursor nodes { ...Instance } pageInfo { ...PageInfo } totalCount }',
  InstanceEvent: 'fragment InstanceEvent on InstanceEvent { id type at cursor instanceId nodeId taskId data actor { ...User } }',
  InstanceHead: 'fragment InstanceHead on Instance { id title definitionName status outcome revision }',
  InstancePayload: 'fragment InstancePayload on InstancePayload { instance { ...Instance } }',
  InstanceResult: 'fragment InstanceResult on InstanceResult { error { ...WorkflowError } id instance { ...Instance } }',
  LoggedEvent: 'fragment LoggedEvent on LoggedEvent { correlation cursor data id source subject time type }',
  Node: 'fragment Node on DefinitionNode { id title activityType }',
  PageInfo: 'fragment PageInfo on PageInfo { endCursor hasNextPage hasPreviousPage startCursor }',
  Preview: 'fragment Preview on Preview { fault { ...Fault } outcome status steps { ...PreviewStep } }',
  PreviewStep: 'fragment PreviewStep on PreviewStep { activityType assumed groups nodeId outcome people { ...User } status taskTitle title }',
  PurgePayload: 'fragment PurgePayload on PurgePayload { purged }',
  RemoveUsersPayload: 'fragment RemoveUsersPayload on RemoveUsersPayload { removed }',
  SignalPayload: 'fragment SignalPayload on SignalPayload { resumed started }',
  Substitute: 'fragment Substitute on Substitute { endsAt id startsAt substitute { ...User } user { ...User } }',
  SubstitutePayload: 'fragment SubstitutePayload on SubstitutePayload { substitute { ...Substitute } }',
  Task: 'fragment Task on Task { id title priority createdAt dueAt overdue candidateGroup allowedOutcomes form formData formKey readOnlyFields assignee { ...User } claimedBy { ...User } owner { ...User } node { ...Node } instance { ...InstanceHead } }',
  TaskConnection: 'fragment TaskConnection on TaskConnection { eventCursor nodes { ...Task } pageInfo { ...PageInfo } totalCount }',
  TaskEvent: 'fragment TaskEvent on TaskEvent { id type at cursor taskId instanceId data actor { ...User } }',
  TaskPayload: 'fragment TaskPayload on TaskPayload { instance { ...Instance } nextTasks { ...Task } task { ...Task } }',
  TaskRecord: 'fragment TaskRecord on TaskRecord { id taskId action at nodeId nodeTitle outcome comment durationMs targetNodeIds actor { ...User } assignee { ...User } onBehalfOf { ...User } target { ...User } instance { ...InstanceHead } }',
  TaskRecordConnection: 'fragment TaskRecordConnection on TaskRecordConnection { nodes { ...TaskRecord } pageInfo { ...PageInfo } totalCount }',
  TaskResult: 'fragment TaskResult on TaskResult { error { ...WorkflowError } id instance { ...Instance } task { ...Task } }',
  User: 'fragment User on User { id name email groups }',
  UserConnection: 'fragment UserConnection on UserConnection { nodes { ...User } pageInfo { ...PageInfo } totalCount }',
  UsersPayload: 'fragment UsersPayload on UsersPayload { users { ...User } }',
  Viewer: 'fragment Viewer on Viewer { counts { ...InboxCounts } eventCursor groups permissions tenantId user { ...User } }',
  Webhook: 'fragment Webhook on Webhook { createdAt deliveries { ...WebhookDeliveryConnection } description enabled id previousSecretUntil topics url }',
  WebhookDelivery: 'fragment WebhookDelivery on WebhookDelivery { attempts body createdAt durationMs endedAt eventId fault { ...Fault } id instanceId nextAttemptAt status statusCode type }',
  WebhookDeliveryConnection: 'fragment WebhookDeliveryConnection on WebhookDeliveryConnection { nodes { ...WebhookDelivery } pageInfo { ...PageInfo } totalCount }',
  WebhookDeliveryPayload: 'fragment WebhookDeliveryPayload on WebhookDeliveryPayload { deliveryId }',
  WebhookPayload: 'fragment WebhookPayload on WebhookPayload { webhook { ...Webhook } }',
  WebhookSecretPayload: 'fragment WebhookSecretPayload on WebhookSecretPayload { secret webhook { ...Webhook } }',
  WorkflowError: 'fragment WorkflowError on WorkflowError { arguments code message messageKey violations { ...DefinitionIssue } }',
}

/** The subscriptions by name. */
export const subscriptions = {
  externalTasks: 'subscription ExternalTasks($topic: String!) { externalTasks(topic: $topic) }',
  inboxCounts: 'subscription InboxCounts { inboxCounts { ...InboxCounts } }',
  instanceEvents: 'subscription InstanceEvents($after: String, $definitionName: String, $instanceId: ID, $types: [String!]) { instanceEvents(after: $after, definitionName: $definitionName, instanceId: $instanceId, types: $types) { ...InstanceEvent } }',
  taskEvents: 'subscription TaskEvents($after: String, $types: [String!]) { taskEvents(after: $after, types: $types) { ...TaskEvent } }',
} as const

/** One method for each query and mutation. */
export abstract class Operations {
  /** Sends an operation and gives what its one root field answered. */
  protected abstract run<Result>(
    field: string,
    operation: string,
    variables: object,
    options: RequestOptions | undefined,
  ): Promise<Result>

  /** The kinds of steps that definitions can be made of. */
  activityTypes(options?: RequestOptions): Promise<ActivityType[]> {
    return this.run('activityTypes', 'query ActivityTypes { activityTypes { ...ActivityType } }', {}, options)
  }

  /** What was copied to the viewer: the unread first, the newest first, then what was read last. */
  copies(args: CopiesArguments = {}, options?: RequestOptions): Promise<CopyConnection> {
    return this.run('copies', 'query Copies($after: String, $first: Int, $unreadOnly: Boolean) { copies(after: $after, first: $first, unreadOnly: $unreadOnly) { ...CopyConnection } }', { ...args }, options)
  }

  /** One version of a definition; null when it does not exist or the caller may not see it. */
  definition(args: DefinitionArguments, options?: RequestOptions): Promise<DefinitionDetail | null> {
    return this.run('definition', 'query Definition($id: ID!) { definition(id: $id) { ...DefinitionDetail } }', { ...args }, options)
  }

  /** The definitions: published ones, and all for those who design or operate. */
  definitions(args: DefinitionsArguments = {}, options?: RequestOptions): Promise<DefinitionConnection> {
    return this.run('definitions', 'query Definitions($after: String, $before: String, $filter: DefinitionFilter, $first: Int, $last: Int, $skip: Int, $sorts: [DefinitionSort!]) { definitions(after: $after, before: $before, filter: $filter, first: $first, last: $last, skip: $skip, sorts: $sorts) { ...DefinitionConnection } }', { ...args }, options)
  }

  /** The event log of the partition in its order, from the oldest event that is kept. Needs the permission `operate`. */
  events(args: EventsArguments = {}, options?: RequestOptions): Promise<EventPage> {
    return this.run('events', 'query Events($after: String, $first: Int, $instanceId: ID, $topics: [String!]) { events(after: $after, first: $first, instanceId: $instanceId, topics: $topics) { ...EventPage } }', { ...args }, options)
  }

  /** One instance; null when it does not exist or the caller may not see it. */
  instance(args: InstanceArguments, options?: RequestOptions): Promise<Instance | null> {
    return this.run('instance', 'query Instance($id: ID!) { instance(id: $id) { ...Instance } }', { ...args }, options)
  }

  /** The instances that the caller started, has or had a task in, or was copied on; all for those who operate. */
  instances(args: InstancesArguments = {}, options?: RequestOptions): Promise<InstanceConnection> {
    return this.run('instances', 'query Instances($after: String, $before: String, $filter: InstanceFilter, $first: Int, $last: Int, $skip: Int, $sorts: [InstanceSort!]) { instances(after: $after, before: $before, filter: $filter, first: $first, last: $last, skip: $skip, sorts: $sorts) { ...InstanceConnection } }', { ...args }, options)
  }

  /** Looks ahead: the way an instance would go and the people it would ask. Nothing is started or written. */
  previewInstance(input: PreviewInstanceInput, options?: RequestOptions): Promise<Preview> {
    return this.run('previewInstance', 'query PreviewInstance($input: PreviewInstanceInput!) { previewInstance(input: $input) { ...Preview } }', { input }, options)
  }

  /** A published definition by its name; null when there is none. */
  publishedDefinition(args: PublishedDefinitionArguments, options?: RequestOptions): Promise<DefinitionDetail | null> {
    return this.run('publishedDefinition', 'query PublishedDefinition($name: String!, $version: Int) { publishedDefinition(name: $name, version: $version) { ...DefinitionDetail } }', { ...args }, options)
  }

  /** The present and coming absences of a person, the next first. For another person it needs the permission `operate`. */
  substitutes(args: SubstitutesArguments = {}, options?: RequestOptions): Promise<Substitute[]> {
    return this.run('substitutes', 'query Substitutes($userId: ID) { substitutes(userId: $userId) { ...Substitute } }', { ...args }, options)
  }

  /** One open task; null when it does not exist (any more) or the caller may not see its instance. */
  task(args: TaskArguments, options?: RequestOptions): Promise<Task | null> {
    return this.run('task', 'query Task($id: ID!) { task(id: $id) { ...Task } }', { ...args }, options)
  }

  /** What happened to tasks, the latest first. */
  taskRecords(args: TaskRecordsArguments = {}, options?: RequestOptions): Promise<TaskRecordConnection> {
    return this.run('taskRecords', 'query TaskRecords($after: String, $before: String, $filter: TaskRecordFilter, $first: Int, $last: Int, $skip: Int) { taskRecords(after: $after, before: $before, filter: $filter, first: $first, last: $last, skip: $skip) { ...TaskRecordConnection } }', { ...args }, options)
  }

  /** Open tasks of running instances. */
  tasks(args: TasksArguments = {}, options?: RequestOptions): Promise<TaskConnection> {
    return this.run('tasks', 'query Tasks($after: String, $before: String, $filter: TaskFilter, $first: Int, $last: Int, $skip: Int, $sorts: [TaskSort!]) { tasks(after: $after, before: $before, filter: $filter, first: $first, last: $last, skip: $skip, sorts: $sorts) { ...TaskConnection } }', { ...args }, options)
  }

  /** The people of the directory by name: for choosing one. */
  users(args: UsersArguments = {}, options?: RequestOptions): Promise<UserConnection> {
    return this.run('users', 'query Users($after: String, $before: String, $first: Int, $group: String, $keyword: String, $last: Int, $skip: Int) { users(after: $after, before: $before, first: $first, group: $group, keyword: $keyword, last: $last, skip: $skip) { ...UserConnection } }', { ...args }, options)
  }

  /** Checks a definition without storing it. */
  validateDefinition(args: ValidateDefinitionArguments, options?: RequestOptions): Promise<DefinitionIssue[]> {
    return this.run('validateDefinition', 'query ValidateDefinition($document: JSON!) { validateDefinition(document: $document) { ...DefinitionIssue } }', { ...args }, options)
  }

  /** The caller. */
  viewer(options?: RequestOptions): Promise<Viewer> {
    return this.run('viewer', 'query Viewer { viewer { ...Viewer } }', {}, options)
  }

  /** One webhook; null when there is none. Needs the permission `admin`. */
  webhook(args: WebhookArguments, options?: RequestOptions): Promise<Webhook | null> {
    return this.run('webhook', 'query Webhook($id: ID!) { webhook(id: $id) { ...Webhook } }', { ...args }, options)
  }

  /** The webhooks of the partition, the oldest first. Needs the permission `admin`. */
  webhooks(options?: RequestOptions): Promise<Webhook[]> {
    return this.run('webhooks', 'query Webhooks { webhooks { ...Webhook } }', {}, options)
  }

  /** Adds signers to the step of a task. */
  addAssignees(input: AssigneesInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('addAssignees', 'mutation AddAssignees($input: AssigneesInput!) { addAssignees(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Answers a task with `approved`. */
  approveTask(input: ApproveTaskInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('approveTask', 'mutation ApproveTask($input: ApproveTaskInput!) { approveTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Puts a definition away. Needs the permission `design`. */
  archiveDefinition(input: IdInput, options?: RequestOptions): Promise<DefinitionPayload> {
    return this.run('archiveDefinition', 'mutation ArchiveDefinition($input: IdInput!) { archiveDefinition(input: $input) { ...DefinitionPayload } }', { input }, options)
  }

  /** Puts definitions away. At most 100, each on its own, in order. Needs the permission `design`. */
  archiveDefinitions(args: ArchiveDefinitionsArguments, options?: RequestOptions): Promise<DefinitionResult[]> {
    return this.run('archiveDefinitions', 'mutation ArchiveDefinitions($ids: [ID!]!) { archiveDefinitions(ids: $ids) { ...DefinitionResult } }', { ...args }, options)
  }

  /** Ends an instance, with compensation where its definition asks for it. Needs the permission `operate`. */
  cancelInstance(input: InstanceReasonInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('cancelInstance', 'mutation CancelInstance($input: InstanceReasonInput!) { cancelInstance(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** The same for up to 100 instances, each on its own, in order. Needs the permission `operate`. */
  cancelInstances(args: CancelInstancesArguments, options?: RequestOptions): Promise<InstanceResult[]> {
    return this.run('cancelInstances', 'mutation CancelInstances($ids: [ID!]!, $reason: String) { cancelInstances(ids: $ids, reason: $reason) { ...InstanceResult } }', { ...args }, options)
  }

  /** Puts people into a group and takes others out. Needs the permission `admin`. */
  changeMembership(input: ChangeMembershipInput, options?: RequestOptions): Promise<UsersPayload> {
    return this.run('changeMembership', 'mutation ChangeMembership($input: ChangeMembershipInput!) { changeMembership(input: $input) { ...UsersPayload } }', { input }, options)
  }

  /** Takes a task that several may answer for oneself. */
  claimTask(input: TaskCommentInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('claimTask', 'mutation ClaimTask($input: TaskCommentInput!) { claimTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Says something to a task without answering it. For whoever holds it, the starter and those who operate. */
  commentTask(input: TaskCommentInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('commentTask', 'mutation CommentTask($input: TaskCommentInput!) { commentTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Completes a task that the worker holds. Needs the permission `work`. */
  completeExternalTask(input: CompleteExternalTaskInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('completeExternalTask', 'mutation CompleteExternalTask($input: CompleteExternalTaskInput!) { completeExternalTask(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** Answers a task with any of its allowed outcomes. */
  completeTask(input: CompleteTaskInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('completeTask', 'mutation CompleteTask($input: CompleteTaskInput!) { completeTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** The same for up to 100 tasks, each on its own, in order. */
  completeTasks(args: CompleteTasksArguments, options?: RequestOptions): Promise<TaskResult[]> {
    return this.run('completeTasks', 'mutation CompleteTasks($inputs: [CompleteTaskInput!]!) { completeTasks(inputs: $inputs) { ...TaskResult } }', { ...args }, options)
  }

  /** Stores a new draft. Needs the permission `design`. */
  createDefinition(input: CreateDefinitionInput, options?: RequestOptions): Promise<DefinitionPayload> {
    return this.run('createDefinition', 'mutation CreateDefinition($input: CreateDefinitionInput!) { createDefinition(input: $input) { ...DefinitionPayload } }', { input }, options)
  }

  /** Registers an endpoint; it is sent what happens from now on. Needs the permission `admin`. */
  createWebhook(input: CreateWebhookInput, options?: RequestOptions): Promise<WebhookSecretPayload> {
    return this.run('createWebhook', 'mutation CreateWebhook($input: CreateWebhookInput!) { createWebhook(input: $input) { ...WebhookSecretPayload } }', { input }, options)
  }

  /** Has another person answer a task first. His answer comes back to the one who delegated it, who then answers. */
  delegateTask(input: TransferTaskInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('delegateTask', 'mutation DelegateTask($input: TransferTaskInput!) { delegateTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Deletes a draft. Needs the permission `design`. */
  deleteDefinition(input: IdInput, options?: RequestOptions): Promise<DeletePayload> {
    return this.run('deleteDefinition', 'mutation DeleteDefinition($input: IdInput!) { deleteDefinition(input: $input) { ...DeletePayload } }', { input }, options)
  }

  /** Forgets an endpoint with all that was to be sent to it. Needs the permission `admin`. */
  deleteWebhook(input: IdInput, options?: RequestOptions): Promise<DeletePayload> {
    return this.run('deleteWebhook', 'mutation DeleteWebhook($input: IdInput!) { deleteWebhook(input: $input) { ...DeletePayload } }', { input }, options)
  }

  /** Keeps a published definition from being started. Needs the permission `design`. */
  disableDefinition(input: IdInput, options?: RequestOptions): Promise<DefinitionPayload> {
    return this.run('disableDefinition', 'mutation DisableDefinition($input: IdInput!) { disableDefinition(input: $input) { ...DefinitionPayload } }', { input }, options)
  }

  /** Makes the lock of a task last longer. Needs the permission `work`. */
  extendExternalTaskLock(input: ExtendExternalTaskLockInput, options?: RequestOptions): Promise<ExternalTask> {
    return this.run('extendExternalTaskLock', 'mutation ExtendExternalTaskLock($input: ExtendExternalTaskLockInput!) { extendExternalTaskLock(input: $input) { ...ExternalTask } }', { input }, options)
  }

  /** Reports that a task could not be done. Needs the permission `work`. */
  failExternalTask(input: FailExternalTaskInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('failExternalTask', 'mutation FailExternalTask($input: FailExternalTaskInput!) { failExternalTask(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** Fetches and locks tasks of a topic. Needs the permission `work`. */
  fetchExternalTasks(input: FetchExternalTasksInput, options?: RequestOptions): Promise<ExternalTasksPayload> {
    return this.run('fetchExternalTasks', 'mutation FetchExternalTasks($input: FetchExternalTasksInput!) { fetchExternalTasks(input: $input) { ...ExternalTasksPayload } }', { input }, options)
  }

  /** Gives all open tasks of one person to another, each on its own: for somebody who leaves. Needs the permission `operate`. */
  handOverTasks(args: HandOverTasksArguments, options?: RequestOptions): Promise<TaskResult[]> {
    return this.run('handOverTasks', 'mutation HandOverTasks($comment: String, $fromUserId: ID!, $toUserId: ID!) { handOverTasks(comment: $comment, fromUserId: $fromUserId, toUserId: $toUserId) { ...TaskResult } }', { ...args }, options)
  }

  /** Gives up all that is open and goes on from another node. Needs the permission `operate`. */
  jumpInstance(input: JumpInstanceInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('jumpInstance', 'mutation JumpInstance($input: JumpInstanceInput!) { jumpInstance(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** Marks the viewer’s copies as read. */
  markCopiesRead(input: MarkCopiesReadInput, options?: RequestOptions): Promise<CopiesPayload> {
    return this.run('markCopiesRead', 'mutation MarkCopiesRead($input: MarkCopiesReadInput!) { markCopiesRead(input: $input) { ...CopiesPayload } }', { input }, options)
  }

  /** Moves an unfinished instance to another version; what is open stays as it is. Needs the permission `operate`. */
  migrateInstance(input: MigrateInstanceInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('migrateInstance', 'mutation MigrateInstance($input: MigrateInstanceInput!) { migrateInstance(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** The same for up to 100 instances, each on its own, in order. Needs the permission `operate`. */
  migrateInstances(args: MigrateInstancesArguments, options?: RequestOptions): Promise<InstanceResult[]> {
    return this.run('migrateInstances', 'mutation MigrateInstances($ids: [ID!]!, $targetVersion: Int!) { migrateInstances(ids: $ids, targetVersion: $targetVersion) { ...InstanceResult } }', { ...args }, options)
  }

  /** Makes a draft of the next version from the newest one. Needs the permission `design`. */
  newDefinitionVersion(input: NewDefinitionVersionInput, options?: RequestOptions): Promise<DefinitionPayload> {
    return this.run('newDefinitionVersion', 'mutation NewDefinitionVersion($input: NewDefinitionVersionInput!) { newDefinitionVersion(input: $input) { ...DefinitionPayload } }', { input }, options)
  }

  /** Checks a draft and publishes it. Needs the permission `design`. */
  publishDefinition(input: IdInput, options?: RequestOptions): Promise<DefinitionPayload> {
    return this.run('publishDefinition', 'mutation PublishDefinition($input: IdInput!) { publishDefinition(input: $input) { ...DefinitionPayload } }', { input }, options)
  }

  /** Publishes drafts. At most 100, each on its own, in order. Needs the permission `design`. */
  publishDefinitions(args: PublishDefinitionsArguments, options?: RequestOptions): Promise<DefinitionResult[]> {
    return this.run('publishDefinitions', 'mutation PublishDefinitions($ids: [ID!]!) { publishDefinitions(ids: $ids) { ...DefinitionResult } }', { ...args }, options)
  }

  /** Removes ended instances, the oldest first, with everything that belongs to them. Children go with the instance that started them, once all have ended. Needs the permission `operate`. */
  purgeInstances(input: PurgeInstancesInput, options?: RequestOptions): Promise<PurgePayload> {
    return this.run('purgeInstances', 'mutation PurgeInstances($input: PurgeInstancesInput!) { purgeInstances(input: $input) { ...PurgePayload } }', { input }, options)
  }

  /** Sends once more what has arrived or was given up. Needs the permission `admin`. */
  redeliverWebhook(input: IdInput, options?: RequestOptions): Promise<WebhookDeliveryPayload> {
    return this.run('redeliverWebhook', 'mutation RedeliverWebhook($input: IdInput!) { redeliverWebhook(input: $input) { ...WebhookDeliveryPayload } }', { input }, options)
  }

  /** Answers a task with `rejected`. */
  rejectTask(input: ApproveTaskInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('rejectTask', 'mutation RejectTask($input: ApproveTaskInput!) { rejectTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Gives a claimed task back to all who may answer it. */
  releaseTask(input: TaskCommentInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('releaseTask', 'mutation ReleaseTask($input: TaskCommentInput!) { releaseTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Takes signers off the step of a task who have not answered. Somebody must be left to answer. */
  removeAssignees(input: AssigneesInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('removeAssignees', 'mutation RemoveAssignees($input: AssigneesInput!) { removeAssignees(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Takes an absence back; tasks that went to the substitute stay with him. For another person it needs the permission `operate`. */
  removeSubstitute(input: IdInput, options?: RequestOptions): Promise<DeletePayload> {
    return this.run('removeSubstitute', 'mutation RemoveSubstitute($input: IdInput!) { removeSubstitute(input: $input) { ...DeletePayload } }', { input }, options)
  }

  /** Takes people out of the directory; their tasks and their history stay. Needs the permission `admin`. */
  removeUsers(input: RemoveUsersInput, options?: RequestOptions): Promise<RemoveUsersPayload> {
    return this.run('removeUsers', 'mutation RemoveUsers($input: RemoveUsersInput!) { removeUsers(input: $input) { ...RemoveUsersPayload } }', { input }, options)
  }

  /** Resumes what an instance waits for. A task without an outcome is not approved but issued again under a new id. Needs the permission `operate`. */
  resumeBookmark(input: ResumeBookmarkInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('resumeBookmark', 'mutation ResumeBookmark($input: ResumeBookmarkInput!) { resumeBookmark(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** Lets a suspended instance go on. Needs the permission `operate`. */
  resumeInstance(input: IdInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('resumeInstance', 'mutation ResumeInstance($input: IdInput!) { resumeInstance(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** The same for up to 100 instances, each on its own, in order. Needs the permission `operate`. */
  resumeInstances(args: ResumeInstancesArguments, options?: RequestOptions): Promise<InstanceResult[]> {
    return this.run('resumeInstances', 'mutation ResumeInstances($ids: [ID!]!) { resumeInstances(ids: $ids) { ...InstanceResult } }', { ...args }, options)
  }

  /** Runs the node of a faulted instance again. Needs the permission `operate`. */
  retryInstance(input: IdInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('retryInstance', 'mutation RetryInstance($input: IdInput!) { retryInstance(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** The same for up to 100 instances, each on its own, in order. Needs the permission `operate`. */
  retryInstances(args: RetryInstancesArguments, options?: RequestOptions): Promise<InstanceResult[]> {
    return this.run('retryInstances', 'mutation RetryInstances($ids: [ID!]!) { retryInstances(ids: $ids) { ...InstanceResult } }', { ...args }, options)
  }

  /** Sends the case back to an earlier node. */
  returnTask(input: ReturnTaskInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('returnTask', 'mutation ReturnTask($input: ReturnTaskInput!) { returnTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Gives an endpoint a new secret; attempts from now on are signed with it, for a time with both. Needs the permission `admin`. */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options?: RequestOptions): Promise<WebhookSecretPayload> {
    return this.run('rotateWebhookSecret', 'mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { ...WebhookSecretPayload } }', { input }, options)
  }

  /** Sets and removes variables of an unfinished instance. Needs the permission `operate`. */
  setInstanceVariables(input: SetVariablesInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('setInstanceVariables', 'mutation SetInstanceVariables($input: SetVariablesInput!) { setInstanceVariables(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** Names who stands in while a person is absent: tasks made in that time go to him. Of several the newest holds. For another person it needs the permission `operate`. */
  setSubstitute(input: SetSubstituteInput, options?: RequestOptions): Promise<SubstitutePayload> {
    return this.run('setSubstitute', 'mutation SetSubstitute($input: SetSubstituteInput!) { setSubstitute(input: $input) { ...SubstitutePayload } }', { input }, options)
  }

  /** Wakes all who wait for the signal, then starts what starts on it. Needs the permission `operate` or `work`. */
  signal(input: SignalInput, options?: RequestOptions): Promise<SignalPayload> {
    return this.run('signal', 'mutation Signal($input: SignalInput!) { signal(input: $input) { ...SignalPayload } }', { input }, options)
  }

  /** Starts an instance of a published definition and runs it until it waits or ends. */
  startInstance(input: StartInstanceInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('startInstance', 'mutation StartInstance($input: StartInstanceInput!) { startInstance(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** Holds a running instance. Needs the permission `operate`. */
  suspendInstance(input: InstanceReasonInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('suspendInstance', 'mutation SuspendInstance($input: InstanceReasonInput!) { suspendInstance(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** The same for up to 100 instances, each on its own, in order. Needs the permission `operate`. */
  suspendInstances(args: SuspendInstancesArguments, options?: RequestOptions): Promise<InstanceResult[]> {
    return this.run('suspendInstances', 'mutation SuspendInstances($ids: [ID!]!, $reason: String) { suspendInstances(ids: $ids, reason: $reason) { ...InstanceResult } }', { ...args }, options)
  }

  /** Takes an answer back by the id of the task that was answered, as long as nobody has acted after it and nothing has left the instance because of it. The task is made again under a new id. */
  takeBackTask(input: TaskCommentInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('takeBackTask', 'mutation TakeBackTask($input: TaskCommentInput!) { takeBackTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** Ends an instance at once. Needs the permission `operate`. */
  terminateInstance(input: InstanceReasonInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('terminateInstance', 'mutation TerminateInstance($input: InstanceReasonInput!) { terminateInstance(input: $input) { ...InstancePayload } }', { input }, options)
  }

  /** The same for up to 100 instances, each on its own, in order. Needs the permission `operate`. */
  terminateInstances(args: TerminateInstancesArguments, options?: RequestOptions): Promise<InstanceResult[]> {
    return this.run('terminateInstances', 'mutation TerminateInstances($ids: [ID!]!, $reason: String) { terminateInstances(ids: $ids, reason: $reason) { ...InstanceResult } }', { ...args }, options)
  }

  /** Sends a message of the type webhook.ping. Needs the permission `admin`. */
  testWebhook(input: IdInput, options?: RequestOptions): Promise<WebhookDeliveryPayload> {
    return this.run('testWebhook', 'mutation TestWebhook($input: IdInput!) { testWebhook(input: $input) { ...WebhookDeliveryPayload } }', { input }, options)
  }

  /** Gives a task to another person for good. */
  transferTask(input: TransferTaskInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('transferTask', 'mutation TransferTask($input: TransferTaskInput!) { transferTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** The same for up to 100 tasks, each on its own, in order. */
  transferTasks(args: TransferTasksArguments, options?: RequestOptions): Promise<TaskResult[]> {
    return this.run('transferTasks', 'mutation TransferTasks($inputs: [TransferTaskInput!]!) { transferTasks(inputs: $inputs) { ...TaskResult } }', { ...args }, options)
  }

  /** Replaces the content of a draft. Needs the permission `design`. */
  updateDefinition(input: UpdateDefinitionInput, options?: RequestOptions): Promise<DefinitionPayload> {
    return this.run('updateDefinition', 'mutation UpdateDefinition($input: UpdateDefinitionInput!) { updateDefinition(input: $input) { ...DefinitionPayload } }', { input }, options)
  }

  /** Changes an endpoint, switches it off or on. Needs the permission `admin`. */
  updateWebhook(input: UpdateWebhookInput, options?: RequestOptions): Promise<WebhookPayload> {
    return this.run('updateWebhook', 'mutation UpdateWebhook($input: UpdateWebhookInput!) { updateWebhook(input: $input) { ...WebhookPayload } }', { input }, options)
  }

  /** Writes people into the directory; one who is there already is replaced. Needs the permission `admin`. */
  upsertUsers(input: UpsertUsersInput, options?: RequestOptions): Promise<UsersPayload> {
    return this.run('upsertUsers', 'mutation UpsertUsers($input: UpsertUsersInput!) { upsertUsers(input: $input) { ...UsersPayload } }', { input }, options)
  }

  /** Urges whoever holds the task. For the starter, an assignee and those who operate. */
  urgeTask(input: TaskCommentInput, options?: RequestOptions): Promise<TaskPayload> {
    return this.run('urgeTask', 'mutation UrgeTask($input: TaskCommentInput!) { urgeTask(input: $input) { ...TaskPayload } }', { input }, options)
  }

  /** The same for up to 100 tasks, each on its own, in order. */
  urgeTasks(args: UrgeTasksArguments, options?: RequestOptions): Promise<TaskResult[]> {
    return this.run('urgeTasks', 'mutation UrgeTasks($inputs: [TaskCommentInput!]!) { urgeTasks(inputs: $inputs) { ...TaskResult } }', { ...args }, options)
  }

  /** Calls an instance back that the caller has started, as long as nobody else has acted on it. */
  withdrawInstance(input: InstanceReasonInput, options?: RequestOptions): Promise<InstancePayload> {
    return this.run('withdrawInstance', 'mutation WithdrawInstance($input: InstanceReasonInput!) { withdrawInstance(input: $input) { ...InstancePayload } }', { input }, options)
  }
}
