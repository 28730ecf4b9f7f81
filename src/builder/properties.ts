// Written by `npm run properties` from the descriptors of the activities. Do not edit.

/** A JSON value; texts may hold `{{ }}` templates. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value }

/** Whom a task is for: a kind of rule and what it goes by. */
export interface AssigneeRule {
  type: 'User' | 'Starter' | 'Expression' | (string & {})
  values?: readonly string[]
}

/** Where every instance begins. It can also begin on a signal or on a schedule. */
export interface StartProperties {
  /** The signal that starts an instance. */
  SignalName?: string
  /** The schedule that starts instances: five or six cron fields, seconds first where there are six. */
  Cron?: string
  /** The form of the start as a JSON Schema (draft 2020-12): variables that do not fit are refused. */
  Form?: { readonly [keyword: string]: Value }
  /** The IANA time zone of the schedule. Default: "UTC". */
  TimeZone?: string
}

/** Ends the instance; branches that are still open are given up. */
export interface EndProperties {
  /** What the instance came to; may hold {{ }} expressions. */
  Outcome?: string
}

/** Stops the instance at once, without compensation. */
export interface TerminateProperties {
  /** Why it was stopped. */
  Reason?: string
}

/** Sets variables to values or to what expressions give. */
export interface SetVariableProperties {
  /** Literal values by variable name. */
  Values?: { readonly [name: string]: Value }
  /** Expressions by variable name, read over the variables as they were. */
  Expressions?: { readonly [variable: string]: string }
}

/** Takes the first way out whose condition holds. */
export type DecisionProperties = Record<never, never>

/** Takes all ways out at once. */
export type ParallelProperties = Record<never, never>

/** Brings parallel branches together again. */
export interface JoinProperties {
  /** WaitAll goes on when every branch has arrived, WaitAny when the first has. Default: "WaitAll". */
  Mode?: 'WaitAll' | 'WaitAny'
}

/** Waits for a time to come. */
export interface DelayProperties {
  /** How long: seconds, a duration such as 1.00:00:00 or PT8H, or an expression that gives one. */
  Duration?: Value
  /** Until when: a time, or an expression that gives one. A time that has passed is due at once. */
  Until?: string
  /** Until this schedule comes next: five or six cron fields, seconds first where there are six. */
  Cron?: string
  /** The IANA time zone of the schedule. Default: "UTC". */
  TimeZone?: string
}

/** Asks people, one task each, and goes on with their answer. */
export interface UserTaskProperties {
  /** The people asked. */
  Assignees?: string | readonly string[]
  /** An expression that gives people: a list, or a text separated by commas. */
  AssigneesExpression?: string
  /** Rules that find people. */
  AssigneeRules?: readonly AssigneeRule[]
  /** Any: the first answer decides. All: a vote. Sequential: one after the other. Default: "Any". */
  CompletionPolicy?: 'Any' | 'All' | 'Sequential'
  /** How many approvals a vote needs: a count, or a percentage such as "60%". */
  ApprovalThreshold?: Value
  /** How many rejections end the vote: a count, or a percentage such as "50%". Fewer are tolerated. Left out, it ends as soon as the approvals cannot be reached any more. */
  RejectThreshold?: Value
  /** Groups that must each approve, with how many approvals each: a count, or a percentage. For the policy All. */
  GroupQuorum?: { readonly [name: string]: Value }
  /** What to do with an approver who has made up his mind elsewhere. Ask: ask him all the same. Skip: leave him out. AutoApprove: count him as approving. Default: "Ask". */
  SameApproverStrategy?: 'Ask' | 'Skip' | 'AutoApprove'
  /** Who counts as such: Starter (who started the instance), Instance (who approved another step of it), Previous (who approved the step before). All of them when it is left out. */
  SameApproverScope?: string | readonly string[]
  /** Do not ask the person who started the instance. Default: false. */
  ExcludeStarter?: boolean
  /** What to do when there is nobody to ask. Default: "Fault". */
  EmptyAssigneeStrategy?: 'Fault' | 'AutoApprove' | 'AutoReject' | 'Fallback'
  /** Whom to ask instead when there is nobody. */
  FallbackAssigneeRules?: readonly AssigneeRule[]
  /** What the inbox shows; may hold {{ }} expressions. */
  Title?: string
  /** The form of the answer as a JSON Schema (draft 2020-12): answers that do not fit are refused. */
  Form?: { readonly [keyword: string]: Value }
  /** How this step treats fields of the form, by name: Editable, ReadOnly or Hidden. */
  FormFields?: { readonly [name: string]: Value }
  /** Which form of your application the task opens. */
  FormKey?: string
  /** What the form is filled with. */
  FormData?: Value
  /** A number to sort by; lower is more urgent. */
  Priority?: number
  /** Due so many seconds after the task was made. */
  DueAfterSeconds?: number
  /** Due at this time. */
  DueAt?: string
  /** Remind each time so many seconds have passed without an answer. */
  ReminderAfterSeconds?: number
  /** People who get a copy. */
  CcUserIds?: string | readonly string[]
  /** Rules that find people who get a copy. */
  CcRules?: readonly AssigneeRule[]
  /** The answers that may be given. Default: ["approved","rejected"]. */
  AllowedOutcomes?: string | readonly string[]
}

/** Tells applications that listen to the topic workflow.custom. */
export interface PublishEventProperties {
  /** The name of the event; may hold {{ }} expressions. */
  EventName: string
  /** What the event carries; texts in it may hold {{ }} expressions. */
  Payload?: Value
}

/** Waits until a signal of this name arrives. */
export interface WaitSignalProperties {
  /** The name of the signal. */
  SignalName: string
  /** Go on whatever correlation id the signal has. Default: false. */
  AcceptAnyCorrelation?: boolean
}

/** Waits for several signals and a time; the first one decides which way to go. */
export interface EventGatewayProperties {
  /** The names of the signals; that of the first to arrive becomes the outcome. */
  Signals: string | readonly string[]
  /** Go on with the outcome timeout after so many seconds. */
  TimeoutSeconds?: number
  /** Go on whatever correlation id the signal has. Default: false. */
  AcceptAnyCorrelation?: boolean
}

/** Calls an HTTP service and keeps its reply in a variable. */
export interface HttpProperties {
  /** Where to call: a public address, unless the operator has allowed the host; may hold {{ }} expressions. */
  Url: string
  /** How to call: GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS. Default: "GET". */
  Method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | (string & {})
  /** Headers by name; the values may hold {{ }} expressions. Idempotency-Key is set for every call. */
  Headers?: { readonly [name: string]: Value }
  /** What is sent: a text as it reads, any other value as JSON; may hold {{ }} expressions. */
  Body?: Value
  /** The type of the body. Default: "application/json". */
  ContentType?: string
  /** How long the call may take, to the last byte of the reply. */
  TimeoutSeconds?: number
  /** The variable that takes status, headers and body of the reply. Default: "http". */
  ResultVariable?: string
  /** Fail when the reply has a status from 400. Default: true. */
  FailOnErrorStatus?: boolean
}

/** Gives work to a worker outside, who fetches it by its topic. */
export interface ExternalTaskProperties {
  /** What workers fetch the task by; may hold {{ }} expressions. */
  Topic: string
  /** What the worker is told; texts in it may hold {{ }} expressions. */
  Payload?: Value
}

/** Leaves a message in the trail. */
export interface LogProperties {
  /** The message; may hold {{ }} expressions. */
  Message: string
  /** How important it is. Default: "Information". */
  Level?: 'Trace' | 'Debug' | 'Information' | 'Warning' | 'Error' | 'Critical'
}

/** Faults the instance with a message. */
export interface FaultProperties {
  /** What is said about it; may hold {{ }} expressions. */
  Message?: string
}

/** Starts an instance of another definition as a child. */
export interface SubWorkflowProperties {
  /** The name of the definition that is started. */
  DefinitionName: string
  /** Its version; the newest published one when it is left out. */
  DefinitionVersion?: number
  /** Literal values that the child starts with; may hold {{ }} expressions. */
  Variables?: { readonly [name: string]: Value }
  /** Expressions for what the child starts with, by variable name. */
  VariableExpressions?: { readonly [variable: string]: string }
  /** Go on only when what was started has ended. Default: true. */
  WaitForCompletion?: boolean
  /** The variable that takes the variables of the child. */
  ResultVariable?: string
  /** Fail when a child does not complete; otherwise go on and leave its state to be read. Default: true. */
  FailOnChildFault?: boolean
}

/** Starts a child for each item of a list. */
export interface ForEachProperties {
  /** The list: an expression, or an array. */
  Items: Value
  /** The variable of the child that takes its item. Default: "item". */
  ItemVariable?: string
  /** Start all at once instead of one after the other. Default: false. */
  Parallel?: boolean
  /** Fail with the first child that fails, and end the others. Default: true. */
  FailFast?: boolean
  /** The name of the definition that is started. */
  DefinitionName: string
  /** Its version; the newest published one when it is left out. */
  DefinitionVersion?: number
  /** Literal values that the child starts with; may hold {{ }} expressions. */
  Variables?: { readonly [name: string]: Value }
  /** Expressions for what the child starts with, by variable name. */
  VariableExpressions?: { readonly [variable: string]: string }
  /** Go on only when what was started has ended. Default: true. */
  WaitForCompletion?: boolean
  /** The variable that takes a list with the variables of each child, in the order of the items. */
  ResultVariable?: string
  /** Fail when a child does not complete; otherwise go on and leave its state to be read. Default: true. */
  FailOnChildFault?: boolean
}

/** Undoes what completed nodes did, the last one first. */
export interface CompensateProperties {
  /** The nodes to undo; all completed ones when it is left out. */
  NodeIds?: string | readonly string[]
}
