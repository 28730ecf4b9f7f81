export type { TypedDocumentNode } from '@graphql-typed-document-node/core'
export { type ClientOptions, CountersignClient, type SubscriptionOptions } from './client.js'
export { CountersignError, type Violation } from './errors.js'
export type * from './generated.js'
export type { RequestOptions, Token } from './http.js'
export type { Json } from './json.js'
export {
  type ExternalTaskHandler,
  ExternalTaskWorker,
  type ExternalTaskWorkerOptions,
  type WorkerClient,
} from './worker.js'
