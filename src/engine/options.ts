/** What an operator may set of the engine; the names are those of the environment variables in camel case. */
export interface EngineOptions {
  /** Nodes that one burst may run before the instance faults. */
  maxNodeExecutionsPerBurst: number
  maxSubWorkflowDepth: number
  /** How long a due bookmark that cannot be resumed now is put off, in milliseconds. */
  notResumableBackoff: number
  /** The largest JSON value accepted as variables or as a definition, in bytes of its text. */
  maxDocumentBytes: number
  /** How long an HTTP call may take where its node sets no limit, in milliseconds. */
  httpTimeout: number
  /** Webhooks that a partition may have. */
  maxWebhooks: number
}

export const defaultEngineOptions: EngineOptions = {
  maxNodeExecutionsPerBurst: 1000,
  maxSubWorkflowDepth: 16,
  notResumableBackoff: 300_000,
  maxDocumentBytes: 1_048_576,
  httpTimeout: 30_000,
  maxWebhooks: 100,
}
