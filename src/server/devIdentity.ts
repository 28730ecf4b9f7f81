import { commaList, type Identify, parseActor } from './identity.js'

/** Callers say who they are: x-user-id, x-tenant-id, x-groups and x-permissions (comma lists). */
export function createDevIdentify(): Identify {
  return async (credentials) => {
    const userId = credentials('x-user-id')
    if (userId === null || userId === '') return { actor: null, expiresAt: null }
    const actor = parseActor({
      userId,
      tenantId: credentials('x-tenant-id') ?? '',
      groups: commaList(credentials('x-groups') ?? ''),
      permissions: commaList(credentials('x-permissions') ?? ''),
    })
    return { actor, expiresAt: null }
  }
}
