import type { HttpRequest } from '../engine/activities/http.js'
import type { Json, JsonObject } from '../engine/model.js'
import type { Extensions } from '../extensions.js'
import type { Transaction } from '../persistence/transaction.js'

/** How a run in memory begins, and what stands in for the world around it. */
export interface TestOptions {
  variables?: JsonObject
  /** Who starts it. */
  starter?: string
  correlationId?: string
  /** When it begins; by default on a Monday morning. */
  now?: Date | string
  /** Who is in which groups, by user id. */
  groups?: { [userId: string]: string[] }
  /** Further definitions: what SubWorkflow and ForEach nodes start. */
  definitions?: object[]
  extensions?: Partial<Extensions>
  /** Answers the calls of Http nodes; throws a `FaultError` where the call itself fails. */
  http?: (request: HttpRequest) => HttpReply | Promise<HttpReply>
  /** What the application's code finds as `tx`: a stand-in of yours. Without it, its use is an error. */
  tx?: Transaction
}

/** What a service answers to an Http node. */
export interface HttpReply {
  status: number
  body?: Json
  headers?: { [name: string]: string }
}
