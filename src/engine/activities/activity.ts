import type { CallRequest } from '../calls.js'
import type { Execution } from '../execution.js'
import type {
  BookmarkKind,
  BookmarkLock,
  BookmarkState,
  ChildState,
  Fault,
  Json,
  JsonObject,
  MessageArguments,
  NodeInstanceState,
  TaskFields,
  WorkflowNode,
} from '../model.js'

/** How the outgoing transitions of a node are chosen once it has completed. */
export type Outgoing = 'AllMatched' | 'Exclusive' | 'All' | 'None'

/** What a designer is told about one property; texts come from the catalogs by type and name. */
export interface PropertyDescriptor {
  name: string
  type: PropertyType
  required: boolean
  defaultValue: Json
  /** The allowed values of an `enum`. */
  values?: readonly string[]
}

export type PropertyType =
  | 'string'
  | 'template'
  | 'expression'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'enum'
  | 'stringList'
  | 'rules'
  | 'object'
  | 'expressions'
  | 'json'
  /** A JSON Schema: its texts are no templates. */
  | 'schema'

/** A problem that an activity finds in its own properties at design time. */
export interface PropertyIssue {
  property: string
  messageKey: string
  arguments: MessageArguments
  severity?: 'ERROR' | 'WARNING'
}

/** What an activity that runs, or is resumed, asks the engine to do. */
export type ActivityResult =
  | { kind: 'complete'; output: JsonObject; label: string | null }
  | { kind: 'suspend'; bookmarks: NewBookmark[]; state: JsonObject }
  | { kind: 'endInstance'; outcome: string | null }
  | { kind: 'terminateInstance'; reason: string | null }
  | { kind: 'faultInstance'; fault: Fault }
  | { kind: 'fail'; fault: Fault }
  /** Ask the shell; the activity runs again once the answer is there. */
  | { kind: 'call'; request: CallRequest }
  /** Undo completed nodes, then go on; null means all. */
  | { kind: 'compensate'; nodeIds: string[] | null }

export interface NewBookmark {
  kind: BookmarkKind
  key: string | null
  correlationId: string | null
  dueAt: number | null
  payload: JsonObject
  task: TaskFields | null
  lock?: BookmarkLock
}

export interface ActivityContext {
  execution: Execution
  node: WorkflowNode
  nodeInstance: NodeInstanceState
}

export interface ResumeContext extends ActivityContext {
  /** The bookmark that was consumed; it is closed already. */
  bookmark: BookmarkState
  inputs: JsonObject
}

export interface ChildrenContext extends ActivityContext {
  /** What the node waits with; it stays open until the node is done. */
  bookmark: BookmarkState
  /** Children of the node that have ended or faulted. */
  children: readonly ChildState[]
}

/** One kind of node: a plain object, pure, in a file of its own. */
export interface Activity {
  type: string
  category: string
  outgoing: Outgoing
  properties: readonly PropertyDescriptor[]
  /** Checks that the descriptors cannot express. */
  validate?(node: WorkflowNode): PropertyIssue[]
  execute(context: ActivityContext): ActivityResult
  /** What a waiting node makes of a bookmark that was consumed; without it the node completes with the inputs. */
  resume?(context: ResumeContext): ActivityResult
  /** What a node that started children makes of those that have ended. */
  childrenEnded?(context: ChildrenContext): ActivityResult
  /** Whether the application's code can undo what a completed node did. */
  compensable?: boolean
}

export function complete(output: JsonObject = {}, label: string | null = null): ActivityResult {
  return { kind: 'complete', output, label }
}
