import { uuidv7 } from 'uuidv7'
import type { Context } from '../../schema/context.js'
import type { JsonObject } from '../../src/engine/model.js'
import type { Database } from '../../src/persistence/database.js'
import { createDueWorker } from '../../src/workers/dueBookmarks.js'
import { type Answer, ask, contextOf, person } from './ask.js'

const nobodysTask = uuidv7()
const designer = person('designer', ['design', 'operate'])

/** An approval centre as its users see it: everything goes through the GraphQL API. */
export class Desk {
  readonly clock = { time: Date.parse('2026-01-05T09:00:00Z'), now: () => this.clock.time }
  private readonly context: Context

  constructor(private readonly database: Database) {
    this.context = contextOf(database, null)
    this.context.runtime.clock = this.clock
  }

  ask(userId: string, source: string, variables: JsonObject = {}, permissions = person(userId).permissions) {
    const { runtime } = this.context
    return ask(this.database, person(userId, [...permissions]), source, variables, { runtime })
  }

  async publish(document: JsonObject): Promise<void> {
    const created = await this.design('createDefinition', { document })
    await this.design('publishDefinition', { id: created.definition.id })
  }

  private async design(mutation: string, input: JsonObject) {
    const type = mutation === 'createDefinition' ? 'CreateDefinitionInput' : 'IdInput'
    const source = `mutation ($input: ${type}!) { it: ${mutation}(input: $input) { definition { id } } }`
    return told(await ask(this.database, designer, source, { input }, { runtime: this.context.runtime }))
  }

  /** Starts the definition; answers the instance's id and status. */
  start(name: string, variables: JsonObject = {}, more: JsonObject = {}, userId = 'u0'): Promise<Answer> {
    const source = `mutation ($input: StartInstanceInput!) {
      it: startInstance(input: $input) { instance { id status faultNodeId fault { code messageKey } } } }`
    return this.ask(userId, source, { input: { name, variables, ...more } })
  }

  async signal(name: string, correlationId: string): Promise<number> {
    const source = 'mutation ($input: SignalInput!) { it: signal(input: $input) { resumed started } }'
    return told(await this.ask('u0', source, { input: { name, correlationId } }, ['operate'])).resumed
  }

  /** Carries out a command on a task: `approveTask`, `rejectTask`, `transferTask`, … */
  act(userId: string, mutation: string, input: JsonObject): Promise<Answer> {
    const type = mutation === 'rejectTask' ? 'ApproveTaskInput' : inputTypes[mutation]
    const source = `mutation ($input: ${type}!) {
      it: ${mutation}(input: $input) { instance { id status revision } task { id } nextTasks { id } } }`
    return this.ask(userId, source, { input })
  }

  async approve(userId: string, more: JsonObject = {}): Promise<Answer> {
    return this.act(userId, 'approveTask', { taskId: await this.taskOf(userId), ...more })
  }

  /** The inbox of a person: the list and its total agree. */
  async inbox(userId: string): Promise<{ id: string; node: { id: string } }[]> {
    const { tasks } = (await this.ask(userId, '{ tasks { nodes { id node { id } } totalCount } }')).data
    if (tasks.nodes.length !== tasks.totalCount) throw new Error('the total of the inbox is wrong')
    return tasks.nodes
  }

  async taskOf(userId: string): Promise<string> {
    return (await this.inbox(userId))[0]?.id ?? nobodysTask
  }

  /** What an operator sees of an instance. */
  async instance(id: string) {
    const source = `query ($id: ID!) { instance(id: $id) {
      status outcome variables faultNodeId fault { code messageKey }
      trail { nodes { nodeId status state } } bookmarks { kind nodeId }
      tasks { id assignee { id } node { id } }
      history { nodes { action outcome actor { id } assignee { id } } } } }`
    return (await this.ask('operator', source, { id }, ['operate'])).data.instance
  }

  poll(): Promise<number> {
    return createDueWorker(this.context.runtime, { pollInterval: 1000, batchSize: 100 }).runCycle()
  }
}

const inputTypes: { [mutation: string]: string } = {
  approveTask: 'ApproveTaskInput',
  completeTask: 'CompleteTaskInput',
  transferTask: 'TransferTaskInput',
  addAssignees: 'AssigneesInput',
  claimTask: 'TaskCommentInput',
  releaseTask: 'TaskCommentInput',
  commentTask: 'TaskCommentInput',
  takeBackTask: 'TaskCommentInput',
  delegateTask: 'TransferTaskInput',
  removeAssignees: 'AssigneesInput',
  urgeTask: 'TaskCommentInput',
  returnTask: 'ReturnTaskInput',
}

/** The payload of the mutation; an error fails the test. */
export function told({ data, errors }: Answer) {
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return data.it
}

export function codes({ errors }: Answer): unknown[] {
  return errors.map(({ extensions }) => extensions.code)
}
