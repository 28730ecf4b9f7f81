import type { ServerResponse } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import { serverRefusal } from './errors.js'
import { atExpiry } from './expiry.js'
import type { ServerContext } from './yoga.js'

/** The subscriptions that run over HTTP (server-sent events) on this node. */
export interface Streams {
  plugin: Plugin
  /** Drops the connections; a stream that ended in order would tell its client that there is nothing more to come. */
  dropAll(): void
}

/**
 * Creates the book of streams; each ends by itself when the caller's identity does, or when a client has stopped reading.
 * @param patience how long a result may wait to be taken, in milliseconds
 */
export function createStreams(patience: number): Streams {
  const responses = new Set<ServerResponse>()
  return {
    plugin: {
      onSubscribe({ args }) {
        const { res, expiresAt } = args.contextValue as Partial<ServerContext>
        // A WebSocket is closed as a whole.
        if (!res) return
        return {
          onSubscribeResult({ result, setResult }) {
            if (!isAsyncIterable(result)) return
            responses.add(res)
            // A client that goes while the subscription is being prepared leaves results that nobody ever reads.
            const free = () => {
              responses.delete(res)
              result[Symbol.asyncIterator]()
                .return?.()
                .catch(() => {})
            }
            if (res.closed || res.destroyed) return free()
            res.once('close', free)
            const lasting = expiresAt ? endAtExpiry(result, expiresAt) : result
            setResult(whileTaken(lasting, patience, () => res.destroy()))
          },
        }
      },
    },
    dropAll() {
      for (const response of responses) response.destroy()
    },
  }
}

/** The same results as long as each is taken in time; one that stays behind is the last. */
function whileTaken(
  results: AsyncIterable<ExecutionResult>,
  patience: number,
  giveUp: () => void,
): AsyncIterableIterator<ExecutionResult> {
  const source = results[Symbol.asyncIterator]()
  let late: NodeJS.Timeout | undefined
  const iterator: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      clearTimeout(late)
      const result = await source.next()
      if (!result.done) late = setTimeout(giveUp, patience)
      return result
    },
    async return() {
      clearTimeout(late)
      await source.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

/** The same results until the expiry, then one error that says why there are no more. */
function endAtExpiry(
  results: AsyncIterable<ExecutionResult>,
  expiresAt: number,
): AsyncIterableIterator<ExecutionResult> {
  const source = results[Symbol.asyncIterator]()
  let expired = false
  const callOff = atExpiry(expiresAt, () => {
    expired = true
    // The feed answers a pending `next` with the end.
    source.return?.().catch(() => {})
  })
  const iterator: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      const result = await source.next()
      if (!result.done || !expired) return result
      expired = false
      const error = serverRefusal('WORKFLOW_DENIED_003', 'workflow.access.token_expired', {})
      return { done: false, value: { errors: [error] } }
    },
    async return() {
      callOff()
      await source.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}
