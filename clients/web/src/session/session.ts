/** A person whom one can be in dev mode. */
export interface DemoPerson {
  id: string
  name: string
  groups: string[]
  permissions: string[]
}

/** How one signs in here, as the server says. */
export interface SessionInfo {
  authMode: 'dev' | 'jwt'
  signInScript: string | null
  people: DemoPerson[]
}

declare global {
  interface Window {
    /** Defined by the script of the identity provider: signs in where that is needed, and answers a bearer token. */
    countersignSignIn?: () => Promise<string>
  }
}

const stored = 'countersign.person'

/** Asks the server how one signs in. */
export async function fetchSession(): Promise<SessionInfo> {
  const response = await fetch('/session')
  if (!response.ok) throw new Error(`the session answers ${response.status}`)
  return (await response.json()) as SessionInfo
}

/** The person chosen in this tab, else the last one chosen in this browser. */
export function chosenPerson(): DemoPerson | null {
  const text = sessionStorage.getItem(stored) ?? localStorage.getItem(stored)
  return text === null ? null : (JSON.parse(text) as DemoPerson)
}

/** Keeps the choice: each tab can be another person. */
export function choosePerson(person: DemoPerson | null): void {
  for (const storage of [sessionStorage, localStorage])
    if (person === null) storage.removeItem(stored)
    else storage.setItem(stored, JSON.stringify(person))
}

/** Who calls: headers of requests, and the parameters of the WebSocket. */
export type Credentials = () => Promise<Record<string, string>>

/** The credentials of dev mode. */
export function personCredentials({ id, groups, permissions }: DemoPerson): Credentials {
  const headers = { 'x-user-id': id, 'x-groups': groups.join(','), 'x-permissions': permissions.join(',') }
  return async () => headers
}

/** The credentials of an identity provider; a token is asked for again shortly before it ends. */
export function tokenCredentials(signIn: () => Promise<string>): Credentials {
  let token: Promise<string> | null = null
  let until = 0
  return async () => {
    if (token === null || Date.now() > until - 30_000) {
      token = signIn()
      until = endOf(await token.catch(forget))
    }
    return { authorization: `Bearer ${await token}` }
  }
  function forget(error: unknown): never {
    token = null
    throw error
  }
}

function endOf(token: string): number {
  try {
    const claims = JSON.parse(atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'))) as {
      exp?: number
    }
    return typeof claims.exp === 'number' ? claims.exp * 1000 : Number.POSITIVE_INFINITY
  } catch {
    // A token that only the server can read: it is used until the server refuses it.
    return Number.POSITIVE_INFINITY
  }
}

/** Loads the script of the identity provider. */
export function loadSignIn(url: string): Promise<() => Promise<string>> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.onload = () =>
      window.countersignSignIn ? resolve(window.countersignSignIn) : reject(new Error('countersignSignIn is missing'))
    script.onerror = () => reject(new Error('the sign-in script cannot be loaded'))
    document.head.append(script)
  })
}
