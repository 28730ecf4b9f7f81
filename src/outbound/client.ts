import { SpanKind } from '@opentelemetry/api'
import { Agent, fetch, type Response } from 'undici'
import { type Fault, fault } from '../engine/model.js'
import { inSpan, traceHeaders } from '../tracing.js'
import {
  AddressDenied,
  guardedLookup,
  isPublicAddress,
  literalAddress,
  type Resolve,
  resolveBySystem,
} from './addresses.js'
import { type OutboundRequest, redirected, redirectTarget } from './redirects.js'
import { readBody, TooLarge } from './replyBody.js'

export interface OutboundOptions {
  /** Hosts inside that may be called: `name` on any port, or `name:port`. */
  allowedHosts?: readonly string[]
  /** The largest reply that is read, in bytes. */
  maxReplyBytes?: number
  maxRedirects?: number
  resolve?: Resolve
  /** What counts as public. */
  isPublic?: (address: string) => boolean
}

export interface OutboundReply {
  status: number
  /** The phrase after the status; the other side's words. */
  reason: string
  headers: { [name: string]: string }
  body: Uint8Array
}

export type Exchanged = { ok: true; reply: OutboundReply } | { ok: false; fault: Fault }

/** Calls other servers on behalf of definitions: their addresses are not to be trusted. */
export interface Outbound {
  /**
   * Makes one exchange, redirects included.
   * @param request with how many redirects are followed, where it is not as many as usual
   * @param timeout milliseconds, to the last byte of the reply
   * @param signal gives the exchange up
   * @throws the signal's reason, once it has come
   */
  exchange(
    request: Omit<OutboundRequest, 'url'> & { url: string; redirects?: number },
    timeout: number,
    signal: AbortSignal,
  ): Promise<Exchanged>
  close(): Promise<void>
}

/** What keeps an exchange from going on, with the fault that is shown. */
class Stopped extends Error {
  constructor(readonly fault: Fault) {
    super(fault.messageKey)
  }
}

/** Opens the way out: only to public addresses, checked on the address that is really connected to, at every redirect. */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { maxReplyBytes = 1_048_576, maxRedirects = 5, resolve = resolveBySystem, isPublic = isPublicAddress } = options
  const allowed = allowList(options.allowedHosts ?? [])
  // The exchange has a time limit of its own, over all of it.
  const timeouts = { headersTimeout: 0, bodyTimeout: 0 }
  const outside = new Agent({ ...timeouts, connect: { lookup: guardedLookup(resolve, isPublic) } })
  const inside = new Agent({ ...timeouts, connect: { lookup: guardedLookup(resolve, () => true) } })

  function agentFor(url: URL): Agent {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw denied(url)
    // The agent would leave them out; a secret in a URL ends up in logs.
    if (url.username !== '' || url.password !== '') throw invalidUrl()
    if (allowed(url)) return inside
    const literal = literalAddress(url)
    if (literal !== null && !isPublic(literal)) throw denied(url)
    return outside
  }

  async function send(request: OutboundRequest, signal: AbortSignal): Promise<Response> {
    const { url, method, body } = request
    const dispatcher = agentFor(url)
    const attributes = { 'http.request.method': method, 'server.address': url.hostname }
    try {
      return await inSpan(method, { kind: SpanKind.CLIENT, attributes }, async (span) => {
        const headers = { ...traceHeaders(), ...request.headers }
        const response = await fetch(url, { method, headers, body, redirect: 'manual', dispatcher, signal })
        span.setAttribute('http.response.status_code', response.status)
        return response
      })
    } catch (error) {
      throw causesOf(error).some((cause) => cause instanceof AddressDenied) ? denied(url) : error
    }
  }

  async function follow(first: OutboundRequest, most: number, signal: AbortSignal): Promise<OutboundReply> {
    let request = first
    for (let hops = 0; ; hops += 1) {
      const response = await send(request, signal)
      const target = redirectTarget(request, response.status, response.headers.get('location'))
      if (target === null) return await read(response, maxReplyBytes)
      await response.body?.cancel()
      // A loop ends here as well.
      if (hops === most) throw stopped('workflow.http.too_many_redirects', { max: most })
      request = redirected(request, response.status, target)
    }
  }

  return {
    async exchange({ url, redirects = maxRedirects, ...rest }, timeout, signal) {
      const limit = AbortSignal.timeout(timeout)
      try {
        if (!URL.canParse(url)) throw invalidUrl()
        const reply = await follow({ ...rest, url: new URL(url) }, redirects, AbortSignal.any([limit, signal]))
        if (!limit.aborted) return { ok: true, reply }
      } catch (error) {
        if (!limit.aborted) {
          if (signal.aborted) throw signal.reason
          return { ok: false, fault: faultOf(error, maxReplyBytes) }
        }
      }
      return { ok: false, fault: fault('WORKFLOW_UNEXPECTED_001', 'workflow.http.timed_out') }
    },
    async close() {
      await Promise.all([outside.destroy(), inside.destroy()])
    },
  }
}

async function read(response: Response, maxBytes: number): Promise<OutboundReply> {
  const { status, statusText, headers, body } = response
  return {
    status,
    reason: statusText,
    headers: Object.fromEntries(headers),
    body: await readBody(body, maxBytes),
  }
}

/** Only the kind of an error is told: its text often holds the host and the port. */
function faultOf(error: unknown, maxReplyBytes: number): Fault {
  if (error instanceof Stopped) return error.fault
  const causes = causesOf(error)
  if (causes.some((cause) => cause instanceof TooLarge))
    return fault('WORKFLOW_UNEXPECTED_001', 'workflow.http.too_large', { max: maxReplyBytes })
  return fault('WORKFLOW_UNEXPECTED_001', 'workflow.http.failed', { reason: kindOf(causes.at(-1)) })
}

function kindOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code)) return code
  return error instanceof Error ? error.name : typeof error
}

/** The error and what it was caused by, the innermost last. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let at: unknown = error; at instanceof Error && causes.length < 10; at = at.cause) causes.push(at)
  return causes
}

function stopped(messageKey: string, args: Fault['arguments'] = {}): Stopped {
  return new Stopped(fault('WORKFLOW_UNEXPECTED_001', messageKey, args))
}

function denied(url: URL): Stopped {
  return stopped('workflow.http.address_denied', { host: url.hostname === '' ? url.protocol : url.hostname })
}

function invalidUrl(): Stopped {
  return new Stopped(fault('WORKFLOW_VALIDATION_002', 'workflow.http.url_invalid'))
}

/** Whether a URL leads to one of the hosts; a name with a trailing dot is the same name. */
function allowList(hosts: readonly string[]): (url: URL) => boolean {
  const known = new Set(hosts.map((host) => host.trim().toLowerCase()))
  return (url) => {
    const name = url.hostname.replace(/\.$/, '')
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    return known.has(name) || known.has(`${name}:${port}`)
  }
}
