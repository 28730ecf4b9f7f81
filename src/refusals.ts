import { type Actor, may, type Permission } from './engine/command.js'
import { isRefusal, type Json, type JsonObject, type Refusal, refusal } from './engine/model.js'

/** The refusal of input that is wrong in itself (WORKFLOW_VALIDATION_002). */
export function invalid(messageKey: string, args: Refusal['arguments'] = {}): Refusal {
  return refusal('WORKFLOW_VALIDATION_002', messageKey, args)
}

export function definitionNotFound(id: string): Refusal {
  return refusal('WORKFLOW_NOTFOUND_001', 'workflow.definition.not_found', { id })
}

export function instanceNotFound(id: string): Refusal {
  return refusal('WORKFLOW_NOTFOUND_002', 'workflow.instance.not_found', { id })
}

export function taskNotFound(id: string): Refusal {
  return refusal('WORKFLOW_NOTFOUND_003', 'workflow.task.not_found', { id })
}

export function bookmarkNotFound(id: string): Refusal {
  return refusal('WORKFLOW_NOTFOUND_003', 'workflow.bookmark.not_found', { id })
}

/** @returns null where the actor holds one of the permissions, else the refusal (WORKFLOW_DENIED_003); it names the first */
export function refuseWithout(actor: Actor, ...permissions: [Permission, ...Permission[]]): Refusal | null {
  if (permissions.some((permission) => may(actor, permission))) return null
  return refusal('WORKFLOW_DENIED_003', 'workflow.access.permission_missing', { permission: permissions[0] })
}

/** A JSON argument that must be an object. @returns null when it is not given, a refusal for any other value */
export function objectOrNull(name: string, value: Json | undefined): JsonObject | null | Refusal {
  if (value === null || value === undefined) return null
  if (typeof value === 'object' && !Array.isArray(value)) return value
  return invalid('workflow.input.object_expected', { argument: name })
}

/** The node mapping of a migration: an object of node ids. @returns a refusal for anything else */
export function readNodeMapping(value: Json | undefined): { [nodeId: string]: string } | Refusal {
  const given = objectOrNull('nodeMapping', value)
  if (given === null || isRefusal(given)) return given ?? {}
  const mapping: { [nodeId: string]: string } = {}
  for (const [from, to] of Object.entries(given)) {
    if (typeof to !== 'string') return invalid('workflow.instance.migration_mapping_invalid', { node: from })
    mapping[from] = to
  }
  return mapping
}
