import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { GraphiQLOptions } from 'graphql-yoga'
import type { Log } from '../runtime.js'
import type { Config } from './resolveConfig.js'

/** GraphiQL: the page that a browser gets at /graphql. */
export interface GraphiQL {
  /** Whether the request is a browser's that wants to see a page. */
  wants(request: IncomingMessage): boolean
  send(request: IncomingMessage, response: ServerResponse): void
}

interface Page {
  html: Buffer
  gzip: Buffer
  br: Buffer
  etag: string
}

const documents = fileURLToPath(new URL('../../clients/graphql/', import.meta.url))

/** Everything is in the page itself; this makes sure of it, and that no other site frames it. */
const policy =
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self'; frame-ancestors 'none'"

/** Creates GraphiQL. Its page is 9 MB: it is made and packed at the first request, once. */
export function createGraphiQL(config: Config, log: Log): GraphiQL {
  let page: Promise<Page> | null = null
  return {
    wants: ({ method, headers }) => method === 'GET' && (headers.accept ?? '').includes('text/html'),
    send(request, response) {
      page ??= makePage(config)
      page.then(
        (made) => sendPage(made, request, response),
        (error: unknown) => {
          log.error({ err: error }, 'GraphiQL could not be made')
          page = null
          response.writeHead(500, { 'content-type': 'text/plain' }).end('GraphiQL could not be made; see the log.')
        },
      )
    },
  }
}

function sendPage(page: Page, { headers }: IncomingMessage, response: ServerResponse): void {
  const cached = { etag: page.etag, 'cache-control': 'no-cache', vary: 'accept, accept-encoding' }
  if (headers['if-none-match'] === page.etag) {
    response.writeHead(304, cached).end()
    return
  }
  const accepted = String(headers['accept-encoding'] ?? '')
  const encoding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted))
  response.writeHead(200, {
    ...cached,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    ...(encoding && { 'content-encoding': encoding }),
  })
  response.end(page[encoding ?? 'html'])
}

async function makePage(config: Config): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const html = Buffer.from(renderGraphiQL(await optionsOf(config)))
  const [packedGzip, packedBr] = await Promise.all([
    promisify(gzip)(html),
    // Quality 5 packs nearly as well as 11 and takes a second instead of half a minute.
    promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ])
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
  return { html, gzip: packedGzip, br: packedBr, etag }
}

async function optionsOf(config: Config): Promise<GraphiQLOptions> {
  const caller = config.authMode === 'dev' ? demoCaller : { authorization: 'Bearer ' }
  const headers = JSON.stringify(caller, null, 2)
  return {
    title: 'Countersign',
    // Server-sent events: each subscription is a request with the headers of its tab. A WebSocket is one connection
    // for all tabs, and GraphiQL gives it no headers at all.
    subscriptionsProtocol: 'GRAPHQL_SSE',
    headers,
    shouldPersistHeaders: true,
    defaultEditorToolsVisibility: 'headers',
    defaultTabs: await readTabs(config.authMode === 'dev' ? headers : null),
  }
}

const demoCaller = { 'x-user-id': 'alice', 'x-permissions': 'design,operate' }

/** One tab for each document, in the order of the names; a line `# x-user-id: bob` says who runs it in dev mode. */
async function readTabs(headers: string | null): Promise<{ query: string; headers: string | null }[]> {
  const names = (await readdir(documents)).filter((name) => name.endsWith('.graphql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const query = await readFile(`${documents}${name}`, 'utf8')
      return { query, headers: headers === null ? null : headersIn(query, headers) }
    }),
  )
}

function headersIn(query: string, standard: string): string {
  const own = [...query.matchAll(/^# (x-[a-z-]+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value.trim()])
  return own.length === 0 ? standard : JSON.stringify(Object.fromEntries(own), null, 2)
}
