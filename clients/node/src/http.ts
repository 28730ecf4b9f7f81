import { Aborter } from './abort.js'
import { type AnsweredError, errorOf, unreachable } from './errors.js'

export type Token = string | (() => string | Promise<string>)

/** Where and as whom requests are sent. */
export interface Connection {
  url: string
  token: Token | null
  headers: { [name: string]: string }
  language: string | null
  fetch: typeof fetch
  /** Milliseconds that an operation may take. */
  timeout: number
}

export interface RequestOptions {
  /** Gives the request up; it may have been carried out all the same. */
  signal?: AbortSignal
  /** Milliseconds that it may take. */
  timeout?: number
}

export interface GraphQLRequest {
  query: string
  variables: object
}

/** What an answer of GraphQL holds. */
export interface GraphQLAnswer {
  data?: unknown
  errors?: readonly AnsweredError[]
}

/** The headers that say who calls, and in which language. */
export async function headersOf({ token, headers, language }: Connection): Promise<{ [name: string]: string }> {
  const value = typeof token === 'function' ? await token() : token
  return {
    ...(language ? { 'accept-language': language } : {}),
    ...(value ? { authorization: `Bearer ${value}` } : {}),
    ...headers,
  }
}

/**
 * Posts an operation and gives the response to be read.
 * @throws CountersignError UNREACHABLE; what the signal was aborted with
 */
export async function send(
  connection: Connection,
  request: GraphQLRequest,
  accept: string,
  signal: AbortSignal,
): Promise<Response> {
  const headers = { ...(await headersOf(connection)), 'content-type': 'application/json', accept }
  const body = JSON.stringify(request)
  try {
    return await connection.fetch.call(globalThis, connection.url, { method: 'POST', headers, body, signal })
  } catch (error) {
    throw lost(error, signal)
  }
}

/**
 * Sends an operation and gives its data.
 * @throws CountersignError what the server refuses, or UNREACHABLE; what the signal was aborted with
 */
export async function ask(connection: Connection, request: GraphQLRequest, options: RequestOptions): Promise<unknown> {
  const timeout = options.timeout ?? connection.timeout
  const aborter = new Aborter(options.signal)
  const timer = setTimeout(() => aborter.abort(unreachable(`no answer within ${timeout} ms`)), timeout)
  const { signal } = aborter
  try {
    const response = await send(connection, request, 'application/graphql-response+json, application/json', signal)
    return dataOf(await answerOf(response, signal), response.status)
  } finally {
    clearTimeout(timer)
    aborter.free()
  }
}

/** The data of an answer. @throws CountersignError the first error of the answer */
export function dataOf({ data, errors }: GraphQLAnswer, status: number | null): unknown {
  const [error] = errors ?? []
  if (error) throw errorOf(error, status)
  return data
}

/** The body of a response that is an answer. @throws CountersignError UNREACHABLE where it is none */
export async function answerOf(response: Response, signal: AbortSignal): Promise<GraphQLAnswer> {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    throw lost(error, signal)
  }
  try {
    const answer = JSON.parse(text) as GraphQLAnswer | null
    if (answer && (answer.errors || answer.data)) return answer
  } catch {
    // The page of something between here and the server.
  }
  throw unreachable(`the answer with status ${response.status} is none of GraphQL`, undefined, response.status)
}

/** What a failed request is told as: the reason of the signal where it was aborted. */
export function lost(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : unreachable('the server cannot be reached', error)
}
