import type { Connection, GraphQLAnswer, GraphQLRequest } from './http.js'

/**
 * One connection's worth of a subscription. It throws a CountersignError: a transient one where the connection was cut.
 * Leaving the loop, or aborting the signal, frees what it holds.
 */
export type Transport = (
  connection: Connection,
  request: GraphQLRequest,
  facts: {
    signal: AbortSignal
    /** Told when the server has opened the connection; it may still refuse the credentials in its first answer. */
    accepted: () => void
  },
) => AsyncIterable<GraphQLAnswer>

/** How long nothing may be heard of the server, in milliseconds, before the connection counts as cut. */
export const silence = 45_000
