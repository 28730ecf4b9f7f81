import { z } from 'zod'
import type { Actor, Permission } from '../engine/command.js'

/** Who calls, and until when that holds (epoch milliseconds; null: without end). */
export interface Identity {
  /** Null: nobody. */
  actor: Actor | null
  expiresAt: number | null
}

/** Looks up one credential by its lower-case name: an HTTP header, or a key of the connection parameters. */
export type Credentials = (name: string) => string | null

/** Finds out who calls. Throws IdentityRefused where credentials are given but not valid. */
export type Identify = (credentials: Credentials) => Promise<Identity>

/** Credentials that were given but cannot be accepted; `unavailable` where they could not be checked. */
export class IdentityRefused extends Error {
  readonly reason: 'invalid' | 'expired' | 'unavailable'
  constructor(reason: 'invalid' | 'expired' | 'unavailable', cause?: unknown) {
    super(`identity refused: ${reason}`, { cause })
    this.name = 'IdentityRefused'
    this.reason = reason
  }
}

const permissionNames: readonly string[] = ['design', 'operate', 'work', 'admin'] satisfies Permission[]
// A NUL cannot be stored, and no directory hands out names with control characters.
const name = z
  .string()
  .max(256)
  .regex(/^\P{Cc}*$/u)
const claims = z.object({
  userId: name.min(1),
  tenantId: name,
  groups: z.array(name.min(1)).max(1000),
  permissions: z.array(z.string()).max(1000),
})

/**
 * Builds an actor from claims of any origin; permissions of other systems are left out.
 * @throws IdentityRefused when a claim has the wrong form
 */
export function parseActor(given: {
  userId: unknown
  tenantId: unknown
  groups: unknown
  permissions: unknown
}): Actor {
  const parsed = claims.safeParse(given)
  if (!parsed.success) throw new IdentityRefused('invalid', parsed.error)
  return { ...parsed.data, permissions: parsed.data.permissions.filter(isPermission) }
}

function isPermission(value: string): value is Permission {
  return permissionNames.includes(value)
}

/** The items of a comma list, trimmed, without empty ones. */
export function commaList(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
