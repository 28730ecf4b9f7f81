import type { ExternalTaskCommand } from './externalTasks.js'
import type { JobCommand } from './jobs.js'
import type { JsonObject } from './model.js'

/** The authenticated caller of a command. The engine takes nobody's word for who acts but this. */
export interface Actor {
  userId: string
  /** '' is the platform partition. */
  tenantId: string
  groups: readonly string[]
  permissions: readonly Permission[]
}

export type Permission = 'design' | 'operate' | 'work' | 'admin'

/** Whether the actor holds the permission; `admin` holds all. */
export function may(actor: Actor, permission: Permission): boolean {
  return actor.permissions.includes(permission) || actor.permissions.includes('admin')
}

export type ReusePolicy = 'ALLOW_DUPLICATE' | 'REJECT_ACTIVE' | 'RETURN_ACTIVE'

export interface StartCommand {
  type: 'start'
  /** Given by the caller, else a new one. */
  instanceId: string
  variables: JsonObject
  starterId: string | null
  correlationId: string | null
  displayName: string | null
  /** When it shall begin, in epoch milliseconds: until then the instance waits at its start. */
  startAt?: number | null
}

interface OnTask {
  taskId: string
  comment: string | null
  /** Whose task it is, where an operator acts for someone. */
  onBehalfOfId?: string | null
}

export type TaskCommand =
  | (OnTask & { type: 'completeTask'; outcome: string; variables: JsonObject })
  | (OnTask & { type: 'transferTask'; toUserId: string })
  | (OnTask & { type: 'delegateTask'; toUserId: string })
  | (OnTask & { type: 'handOverTask'; fromUserId: string; toUserId: string })
  | (OnTask & { type: 'addAssignees'; userIds: string[] })
  | (OnTask & { type: 'removeAssignees'; userIds: string[] })
  | (OnTask & { type: 'claimTask' })
  | (OnTask & { type: 'releaseTask' })
  | (OnTask & { type: 'urgeTask' })
  | (OnTask & { type: 'commentTask' })
  | (OnTask & { type: 'takeBackTask' })
  | (OnTask & { type: 'returnTask'; toNodeId: string | null; resubmit: boolean })

export type InstanceCommand =
  | { type: 'suspend'; instanceId: string; reason: string | null }
  | { type: 'resume'; instanceId: string }
  | { type: 'cancel'; instanceId: string; reason: string | null }
  | { type: 'withdraw'; instanceId: string; reason: string | null }
  | { type: 'terminate'; instanceId: string; reason: string | null }
  | { type: 'retry'; instanceId: string }
  | { type: 'setVariables'; instanceId: string; set: JsonObject; remove: string[] }
  | { type: 'jump'; instanceId: string; targetNodeId: string; reason: string | null }
  | MigrateCommand

/** Moves a live instance to another published version of its definition; a dry run only checks. */
export interface MigrateCommand {
  type: 'migrate'
  instanceId: string
  targetVersion: number
  /** Node of the present version → node of the target; those not named keep their id. */
  nodeMapping: { [nodeId: string]: string }
  dryRun: boolean
}

/** Takes what children have left for their parent. */
export interface ReportsCommand {
  type: 'takeReports'
  instanceId: string
}

/** A bookmark consumed by the engine itself: a signal that met its waiter, a time that has come. */
export type BookmarkCommand =
  | { type: 'signalBookmark'; bookmarkId: string; name: string; payload: JsonObject | null }
  | { type: 'dueBookmark'; bookmarkId: string }

/** An operator's hand on a bookmark: what it waits for is taken as come, with these inputs. */
export interface ResumeBookmarkCommand {
  type: 'resumeBookmark'
  bookmarkId: string
  inputs: JsonObject
  /** Refused where the bookmark has another key. */
  expectedKey: string | null
}

export type Command =
  | StartCommand
  | TaskCommand
  | InstanceCommand
  | BookmarkCommand
  | ReportsCommand
  | ResumeBookmarkCommand
  | ExternalTaskCommand
  | JobCommand
