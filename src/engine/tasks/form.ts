import type { Json, JsonObject, WorkflowNode } from '../model.js'

/** How a step treats a field of its form. */
export const fieldAccesses = ['Editable', 'ReadOnly', 'Hidden'] as const
export type FieldAccess = (typeof fieldAccesses)[number]

function isAccess(value: Json | undefined): value is FieldAccess {
  return fieldAccesses.some((access) => access === value)
}

/** How the step treats the field; one of which it says nothing can be changed. */
export function accessOf({ properties }: Pick<WorkflowNode, 'properties'>, field: string): FieldAccess {
  const fields = properties.FormFields
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return 'Editable'
  const access = Object.hasOwn(fields, field) ? fields[field] : undefined
  return isAccess(access) ? access : 'Editable'
}

/** The fields of `FormFields` whose access is none. */
export function wrongAccesses(fields: Json): [field: string, value: Json][] {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return []
  return Object.entries(fields).filter(([, access]) => !isAccess(access))
}

/** The form as the step shows it: without the fields that it hides. */
export function visibleForm(node: Pick<WorkflowNode, 'properties'>): JsonObject | null {
  const form = node.properties.Form
  if (typeof form !== 'object' || form === null || Array.isArray(form)) return null
  const { properties, required } = form
  const shown = (field: string) => accessOf(node, field) !== 'Hidden'
  return {
    ...form,
    ...(properties === undefined ? {} : { properties: withoutHidden(node, properties) }),
    ...(Array.isArray(required) ? { required: required.filter((field) => shown(String(field))) } : {}),
  }
}

/** The fields that the step shows but does not let change. */
export function readOnlyFields(node: Pick<WorkflowNode, 'properties'>): string[] {
  return fieldsWith(node, 'ReadOnly')
}

/** The fields that the step does not show. */
export function hiddenBy(node: Pick<WorkflowNode, 'properties'>): string[] {
  return fieldsWith(node, 'Hidden')
}

function fieldsWith(node: Pick<WorkflowNode, 'properties'>, access: FieldAccess): string[] {
  const fields = node.properties.FormFields
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return []
  return Object.keys(fields).filter((field) => accessOf(node, field) === access)
}

/** The members of an object that the step does not hide; any other value stays as it is. */
export function withoutHidden(node: Pick<WorkflowNode, 'properties'>, value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([field]) => accessOf(node, field) !== 'Hidden'))
}
