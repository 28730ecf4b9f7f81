import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { demoPeople } from '../demo.js'
import { renderLandingPage } from './landing.js'
import { pathOf } from './requestTarget.js'
import type { Config } from './resolveConfig.js'

/** How people sign in here; the answer of GET /session. */
interface Session {
  authMode: Config['authMode']
  signInScript: string | null
  /** Who one can be in dev mode. */
  people: { id: string; name: string; groups: string[]; permissions: string[] }[]
}

/** The approval centre. */
export interface WebClient {
  session: Session
  /** Answers a file, or its page for every address that a browser shows. @returns false where it has neither */
  send(request: IncomingMessage, response: ServerResponse): boolean
}

type Encoding = 'br' | 'gzip'
interface Asset {
  type: string
  body: Buffer
  packed: Map<Encoding, Promise<Buffer>>
}

const built = fileURLToPath(new URL('../../clients/web/dist/', import.meta.url))
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
}
const packable = new Set(['.html', '.js', '.css', '.svg', '.json'])
const landingPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Reads what the build made; where it is switched off or not built, `/` says so in a plain page. */
export async function createWebClient(config: Config): Promise<WebClient> {
  const assets = config.webClient ? await readAssets() : new Map<string, Asset>()
  const page = assets.get('/index.html')
  const policy = policyOf(config)
  return {
    session: sessionOf(config),
    send(request, response) {
      const path = pathOf(request)
      const asset = path === '/' ? undefined : assets.get(path)
      if (asset) sendAsset(asset, request, response, { 'cache-control': cachingOf(path) })
      else if (page && wantsPage(request))
        sendAsset(page, request, response, { 'cache-control': 'no-cache', 'content-security-policy': policy })
      else if (path === '/') sendLanding(config, request, response)
      else return false
      return true
    },
  }
}

function sessionOf(config: Config): Session {
  const dev = config.authMode === 'dev'
  const people = demoPeople.map(({ id, name, groups, permissions = [] }) => ({ id, name, groups, permissions }))
  return {
    authMode: config.authMode,
    signInScript: dev ? null : config.webSignInScript,
    people: dev && config.demo ? people : [],
  }
}

/** Scripts of this server alone, and of the identity provider. Styles are set by the components as they are shown. */
function policyOf({ authMode, webSignInScript }: Config): string {
  const elsewhere =
    authMode === 'jwt' && webSignInScript?.startsWith('http') ? ` ${new URL(webSignInScript).origin}` : ''
  return [
    "default-src 'none'",
    `script-src 'self'${elsewhere}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    // elk lays graphs out in a worker.
    "worker-src 'self' blob:",
    `connect-src 'self'${elsewhere}`,
    `frame-src${elsewhere || " 'none'"}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Only files that were there at the start are served: a path cannot lead anywhere else. */
async function readAssets(): Promise<Map<string, Asset>> {
  if (!existsSync(`${built}index.html`)) return new Map()
  const entries = await readdir(built, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`)
  const read = files.map(async (file) => {
    const path = `/${file.slice(built.length).replaceAll('\\', '/').replace(/^\/+/, '')}`
    const type = types[extname(file)] ?? 'application/octet-stream'
    return [path, { type, body: await readFile(file), packed: new Map() }] as const
  })
  return new Map(await Promise.all(read))
}

function cachingOf(path: string): string {
  return path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function wantsPage({ headers }: IncomingMessage): boolean {
  return (headers.accept ?? '').includes('text/html')
}

async function sendAsset(
  asset: Asset,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<void> {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encodings: readonly Encoding[] = ['br', 'gzip']
  const packs = packable.has(extensionOf(asset)) && asset.body.length > 1024
  const encoding = packs ? encodings.find((name) => new RegExp(`\\b${name}\\b`).test(accepted)) : undefined
  const body = encoding ? await pack(asset, encoding) : asset.body
  response.writeHead(200, {
    ...headers,
    vary: 'accept-encoding',
    'content-type': asset.type,
    'content-length': body.length,
    'referrer-policy': 'same-origin',
    ...(encoding && { 'content-encoding': encoding }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function extensionOf({ type }: Asset): string {
  return Object.keys(types).find((extension) => types[extension] === type) ?? ''
}

/** Packs an asset at its first request, once. */
function pack(asset: Asset, encoding: Encoding): Promise<Buffer> {
  const known = asset.packed.get(encoding)
  if (known) return known
  const packed: Promise<Buffer> =
    encoding === 'gzip'
      ? promisify(gzip)(asset.body)
      : promisify(brotliCompress)(asset.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  asset.packed.set(encoding, packed)
  return packed
}

function sendLanding(config: Config, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': landingPolicy })
  response.end(renderLandingPage(config, request.headers.host ?? ''))
}
