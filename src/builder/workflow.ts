import { printDuration } from '../engine/definition/duration.js'
import type { JsonObject } from '../engine/model.js'
import type {
  CompensateProperties,
  DecisionProperties,
  DelayProperties,
  EndProperties,
  EventGatewayProperties,
  ExternalTaskProperties,
  FaultProperties,
  ForEachProperties,
  HttpProperties,
  JoinProperties,
  LogProperties,
  ParallelProperties,
  PublishEventProperties,
  SetVariableProperties,
  StartProperties,
  SubWorkflowProperties,
  TerminateProperties,
  UserTaskProperties,
  Value,
  WaitSignalProperties,
} from './properties.js'

/** A length of time: in parts, or as a text (`3.00:00:00`, `PT8H`). */
export type Span = string | { days?: number; hours?: number; minutes?: number; seconds?: number }

/** What every kind of node can have. */
export interface NodeSettings {
  displayName?: string
  /** How long the node may wait; then it ends with the outcome `timeout`. */
  timeout?: Span
  /** How often it is tried in all, and how long between two tries. */
  retry?: { maxAttempts: number; firstDelay?: Span; backoffFactor?: number }
  /** A failure is not the instance's: the flow goes on with the outcome `error`. */
  continueOnError?: boolean
  /** Variable → expression over the variables and `outputs`. */
  outputMappings?: { readonly [variable: string]: string }
}

/** When a way out of a node is taken. */
export interface WaySettings {
  /** The condition; without one the way is always open. */
  when?: string
  /** Lower ones are asked first. */
  priority?: number
  /** By default `t1`, `t2`, … in the order of the calls. */
  id?: string
}

/** Begins a definition; `build` gives it in the JSON form that the catalog takes. */
export function defineWorkflow(name: string): WorkflowBuilder {
  return new WorkflowBuilder(name)
}

/** Builds a definition node by node: `to` and `otherwise` lead on from the node that was added last. */
export class WorkflowBuilder {
  private readonly members: JsonObject = {}
  private readonly variables: JsonObject[] = []
  private readonly nodes: JsonObject[] = []
  private readonly transitions: JsonObject[] = []
  private current: string | null = null

  constructor(private readonly name: string) {}

  displayName(text: string): this {
    return this.set({ displayName: text })
  }

  description(text: string): this {
    return this.set({ description: text })
  }

  category(category: string): this {
    return this.set({ category })
  }

  /** How long an instance may take, and what happens to it then. */
  timeout(span: Span, action: 'Fault' | 'Terminate' = 'Fault'): this {
    return this.set({ timeout: spanText(span), timeoutAction: action })
  }

  /** Undoes what was done where an instance is canceled, and where it faults too. */
  compensation(when: { onCancel?: boolean; onFault?: boolean } = { onCancel: true }): this {
    return this.set({ enableCompensation: when.onCancel ?? false, compensateOnFault: when.onFault ?? false })
  }

  /** Facts of the application's own. */
  properties(properties: { readonly [name: string]: Value }): this {
    return this.set({ properties: properties as JsonObject })
  }

  variable(name: string, facts: { required?: boolean; defaultValue?: Value; description?: string } = {}): this {
    this.variables.push(given({ name, ...facts }))
    return this
  }

  /** Where every instance begins: the node `start`. */
  start(properties: StartProperties = {}, settings: NodeSettings & { id?: string } = {}): this {
    const { id = 'start', ...rest } = settings
    return this.activity('Start', id, properties, rest)
  }

  /** Where an instance ends. */
  end(id = 'end', properties: EndProperties = {}, settings: NodeSettings = {}): this {
    return this.activity('End', id, properties, settings)
  }

  /** Takes all ways out at once. */
  parallel(id: string, properties: ParallelProperties = {}, settings: NodeSettings = {}): this {
    return this.activity('Parallel', id, properties, settings)
  }

  /** Takes the first way out whose condition holds. */
  decision(id: string, properties: DecisionProperties = {}, settings: NodeSettings = {}): this {
    return this.activity('Decision', id, properties, settings)
  }

  /** Brings parallel branches together again. */
  join(id: string, properties: JoinProperties = {}, settings: NodeSettings = {}): this {
    return this.activity('Join', id, properties, settings)
  }

  /** Waits for a time to come. */
  delay(id: string, properties: DelayProperties, settings: NodeSettings = {}): this {
    return this.activity('Delay', id, properties, settings)
  }

  /** Asks people, one task each, and goes on with their answer. */
  userTask(id: string, properties: UserTaskProperties, settings: NodeSettings = {}): this {
    return this.activity('UserTask', id, properties, settings)
  }

  /** Sets variables to values or to what expressions give. */
  setVariable(id: string, properties: SetVariableProperties, settings: NodeSettings = {}): this {
    return this.activity('SetVariable', id, properties, settings)
  }

  /** Tells the application something, as an event of its own. */
  publishEvent(id: string, properties: PublishEventProperties, settings: NodeSettings = {}): this {
    return this.activity('PublishEvent', id, properties, settings)
  }

  /** Waits for a signal. */
  waitSignal(id: string, properties: WaitSignalProperties, settings: NodeSettings = {}): this {
    return this.activity('WaitSignal', id, properties, settings)
  }

  /** Waits for the first of several signals. */
  eventGateway(id: string, properties: EventGatewayProperties, settings: NodeSettings = {}): this {
    return this.activity('EventGateway', id, properties, settings)
  }

  /** Runs another definition as a child. */
  subWorkflow(id: string, properties: SubWorkflowProperties, settings: NodeSettings = {}): this {
    return this.activity('SubWorkflow', id, properties, settings)
  }

  /** Runs another definition for each item of an array. */
  forEach(id: string, properties: ForEachProperties, settings: NodeSettings = {}): this {
    return this.activity('ForEach', id, properties, settings)
  }

  /** Writes a message into the trail. */
  log(id: string, properties: LogProperties, settings: NodeSettings = {}): this {
    return this.activity('Log', id, properties, settings)
  }

  /** Lets the instance fail. */
  fault(id: string, properties: FaultProperties = {}, settings: NodeSettings = {}): this {
    return this.activity('Fault', id, properties, settings)
  }

  /** Undoes what completed nodes did, then goes on. */
  compensate(id: string, properties: CompensateProperties = {}, settings: NodeSettings = {}): this {
    return this.activity('Compensate', id, properties, settings)
  }

  /** Calls an HTTP service. */
  http(id: string, properties: HttpProperties, settings: NodeSettings = {}): this {
    return this.activity('Http', id, properties, settings)
  }

  /** Hands work to a worker outside. */
  externalTask(id: string, properties: ExternalTaskProperties, settings: NodeSettings = {}): this {
    return this.activity('ExternalTask', id, properties, settings)
  }

  /** Stops the instance at once. */
  terminate(id: string, properties: TerminateProperties = {}, settings: NodeSettings = {}): this {
    return this.activity('Terminate', id, properties, settings)
  }

  /** A node of any kind: for the activities that an application brings. */
  activity(activityType: string, id: string, properties: object = {}, settings: NodeSettings = {}): this {
    const { timeout, retry, ...rest } = settings
    this.nodes.push(
      given({
        id,
        activityType,
        ...rest,
        properties: Object.keys(properties).length > 0 ? properties : undefined,
        timeout: timeout && spanText(timeout),
        retryPolicy: retry && given({ ...retry, firstDelay: retry.firstDelay && spanText(retry.firstDelay) }),
      }),
    )
    this.current = id
    return this
  }

  /** Goes on with ways out of a node that was added before. */
  from(id: string): this {
    this.current = id
    return this
  }

  /** A way from the current node to another, which may be added later. */
  to(target: string, settings: WaySettings = {}): this {
    const { when, priority, id } = settings
    return this.way(target, { condition: when, priority }, id)
  }

  /** The way that is taken where no other one is. */
  otherwise(target: string, settings: Pick<WaySettings, 'id'> = {}): this {
    return this.way(target, { isDefault: true }, settings.id)
  }

  /** The definition in its JSON form. What is wrong in it the validator tells. */
  build(): JsonObject {
    const { name, members, variables, nodes, transitions } = this
    return structuredClone({
      name,
      ...members,
      ...(variables.length > 0 ? { variables } : {}),
      nodes,
      transitions,
    })
  }

  private way(target: string, facts: object, id = `t${this.transitions.length + 1}`): this {
    if (this.current === null) throw new Error(`the way to ${target} begins at no node: add one before it`)
    this.transitions.push(given({ id, sourceNodeId: this.current, targetNodeId: target, ...facts }))
    return this
  }

  private set(members: JsonObject): this {
    Object.assign(this.members, members)
    return this
  }
}

function given(members: object): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject
}

function spanText(span: Span): string {
  if (typeof span === 'string') return span
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = span
  return printDuration(Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000))
}
