/**
 * Countersign as a library: the engine inside an application. `countersign/testing` holds what the tests of definitions
 * need.
 */
export type { AssigneeRule, Value } from './builder/properties.js'
export { defineWorkflow, type NodeSettings, type Span, type WaySettings, WorkflowBuilder } from './builder/workflow.js'
export type { DefinitionFacts } from './embedded/definitions.js'
export { type ApplicationClient, actor, createEngine, type Engine, type EngineSetup } from './embedded/engine.js'
export type { FetchInput } from './embedded/externalTasks.js'
export type { SignalInput, StartInput } from './embedded/instances.js'
export type { CommandOptions, Done, InstanceFacts, JoinOptions } from './embedded/operation.js'
export { RefusedError, unwrap } from './embedded/refused.js'
export { type Awaited, fail, suspend } from './embedded/results.js'
export type { AnswerInput, OnTask } from './embedded/tasks.js'
export type { ActivityResult, NewBookmark, Outgoing, PropertyDescriptor } from './engine/activities/activity.js'
export { complete } from './engine/activities/activity.js'
export type { Actor, Permission, ReusePolicy } from './engine/command.js'
export type { BookmarkState, Fault, Issue, Json, JsonObject, Refusal } from './engine/model.js'
export { fault, isRefusal } from './engine/model.js'
export {
  type ActivityCall,
  type ApplicationActivity,
  type AssigneeProvider,
  type CallContext,
  type Extensions,
  FaultError,
  type OutcomeHandler,
} from './extensions.js'
export type { LockedTask } from './persistence/locks.js'
export type { OpenTask } from './persistence/openTasks.js'
export type { SqlClient } from './persistence/sqlClient.js'
export type { Transaction } from './persistence/transaction.js'
export type { Clock, Log } from './runtime.js'
export type { SignalMet } from './signal.js'
