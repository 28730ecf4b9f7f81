import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { GraphQLError } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { findInexactNumber } from '../engine/definition/jsonNumbers.js'
import { serverRefusal } from './errors.js'

const unpack = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) }

/**
 * Reads GraphQL requests: JSON by POST and query parameters by GET, and nothing else, so that no form of another
 * site can post, and no link can ask. The limit counts the unpacked bytes; numbers that would be rounded are refused.
 */
export function useRequestBody(maxBytes: number): Plugin {
  return {
    onRequestParse({ request, url, setRequestParser }) {
      if (request.method === 'GET') {
        refuseSimple(request)
        return setRequestParser(() => readQuery(url))
      }
      if (request.method !== 'POST') return
      if (!isJson(request)) {
        throw badRequest(415, 'POST a JSON body with content-type application/json.')
      }
      setRequestParser(async (sent) => parseBody(await readText(sent, maxBytes)))
    },
  }
}

/** Headers that a page of another site cannot send without asking first (a CORS preflight). */
const preflighted = ['x-graphql-yoga-csrf', 'apollo-require-preflight', 'authorization', 'x-user-id']

/** A link or an image of another site must not run an operation, not even a query. */
function refuseSimple(request: Request): void {
  if (isJson(request) || preflighted.some((name) => request.headers.has(name))) return
  throw badRequest(403, `A GET request needs one of the headers ${preflighted.join(', ')}.`)
}

function isJson(request: Request): boolean {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  return type === 'application/json'
}

function readQuery(url: URL): GraphQLParams {
  const parameters: GraphQLParams = {}
  for (const name of ['query', 'operationName', 'variables', 'extensions'] as const) {
    const source = url.searchParams.get(name)
    if (source === null) continue
    if (name === 'query' || name === 'operationName') parameters[name] = source
    else parameters[name] = parseJson(source) as Record<string, unknown>
  }
  return parameters
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const sent = Buffer.from(await request.arrayBuffer())
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity') return sent.toString('utf8')
  if (!isPacked(encoding))
    throw badRequest(415, 'The content-encoding is not known; send gzip, deflate, br or identity.')
  try {
    return (await unpack[encoding](sent, { maxOutputLength: maxBytes })).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw badRequest(413, 'Request body too large')
    throw badRequest(400, `The body is not valid ${encoding}.`)
  }
}

function isPacked(encoding: string): encoding is keyof typeof unpack {
  return Object.hasOwn(unpack, encoding)
}

function parseBody(text: string): GraphQLParams {
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null) throw badRequest(400, 'The body must be a JSON object.')
  return body
}

function parseJson(source: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    throw badRequest(400, 'The request is not valid JSON.')
  }
  refuseInexactNumbers(source)
  return value
}

/**
 * Refuses a valid JSON text with a number that would be rounded.
 * @throws GraphQLError WORKFLOW_VALIDATION_002 naming the path
 */
export function refuseInexactNumbers(json: string): void {
  const found = findInexactNumber(json)
  if (found === null) return
  throw serverRefusal('WORKFLOW_VALIDATION_002', 'workflow.request.number_inexact', {
    path: found.path,
    number: found.number.slice(0, 100),
  })
}

function badRequest(status: number, message: string): GraphQLError {
  const code = status === 413 ? 'REQUEST_ENTITY_TOO_LARGE' : status === 403 ? 'CSRF_PREVENTED' : 'BAD_REQUEST'
  return new GraphQLError(message, { extensions: { code, http: { status } } })
}
