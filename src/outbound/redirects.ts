/** A request as it goes out; a redirect makes another one of it. */
export interface OutboundRequest {
  url: URL
  method: string
  headers: { [name: string]: string }
  body: string | null
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What another origin may be told; any other header could hold a secret meant for the first one. */
const harmless: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
  'idempotency-key',
])

/** Where a reply sends the caller, or null where it is no redirect. @throws TypeError for a target that is no URL */
export function redirectTarget(request: OutboundRequest, status: number, location: string | null): URL | null {
  return redirectStatuses.has(status) && location !== null ? new URL(location, request.url) : null
}

/** The request that follows a redirect: 303 asks with GET, so does a POST after 301 and 302. */
export function redirected(request: OutboundRequest, status: number, url: URL): OutboundRequest {
  const { method } = request
  const getsOnly = status === 303 ? method !== 'HEAD' : status !== 307 && status !== 308 && method === 'POST'
  const kept = Object.entries(request.headers).filter(
    ([name]) => (url.origin === request.url.origin || harmless.has(name)) && !(getsOnly && name.startsWith('content-')),
  )
  return {
    url,
    method: getsOnly ? 'GET' : method,
    headers: Object.fromEntries(kept),
    body: getsOnly ? null : request.body,
  }
}
