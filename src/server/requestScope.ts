import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { type Locale, negotiateLocale } from '../messages/locales.js'

/** What is known of a request before anything of it is read. */
export interface RequestScope {
  /** In the response header, in masked errors and in the log. */
  requestId: string
  locale: Locale
  /** The caller's partition, once it is known. */
  tenant?: string
}

/** The request that the running code works for; masking errors has no other way to know it. */
export const requestScope = new AsyncLocalStorage<RequestScope>()

/** A scope from headers: a request id of the caller's is kept when it is short and plain. */
export function createScope(requestId: string | null, acceptLanguage: string | null): RequestScope {
  const given = requestId !== null && /^[\w.:-]{1,128}$/.test(requestId) ? requestId : null
  return { requestId: given ?? randomUUID(), locale: negotiateLocale(acceptLanguage) }
}

/** Notes whose request it is, for the log. */
export function noteTenant(tenant: string | undefined): void {
  const scope = requestScope.getStore()
  if (scope && tenant !== undefined) scope.tenant = tenant
}

/** The scope of the running code; outside of any request a fresh one in English. */
export function currentScope(): RequestScope {
  return requestScope.getStore() ?? createScope(null, null)
}
