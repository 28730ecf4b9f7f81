import type { IncomingMessage } from 'node:http'
import { isLoopback } from './resolveConfig.js'

/** The path of a request, without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?')[0] ?? '/'
}

/**
 * Whether the request names this machine as its host. Where callers say who they are, that keeps out pages of other
 * sites whose name was made to point here (DNS rebinding): to the browser they are of the same origin.
 */
export function isForLoopback(request: IncomingMessage): boolean {
  const host = request.headers.host ?? ''
  return isLoopback(host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'))
}
