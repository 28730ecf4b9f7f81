import type { JsonObject, WorkflowNode } from '../src/engine/model.js'
import { hiddenBy } from '../src/engine/tasks/form.js'
import { readerOf } from './access.js'
import type { Context } from './context.js'
import { contentOf } from './definitionContent.js'
import { loadersOf } from './loaders.js'

const none: ReadonlySet<string> = new Set()

/**
 * The variables of an instance that the caller is not shown: what steps of its definition hide (`FormFields`), and none
 * of the caller's own steps shows. The steps of a person are those that asked him, or copied him, and the start of what he
 * started. Operators see everything.
 */
export async function hiddenFields(context: Context, instanceId: string): Promise<ReadonlySet<string>> {
  const reader = readerOf(context)
  if (reader.seesAll) return none
  const loaders = loadersOf(context)
  const instance = await loaders.instance.load(instanceId)
  const definition = instance && (await loaders.definition.load(instance.definitionId))
  if (!definition) return none
  const { nodes } = contentOf(definition)
  const hidden = new Set(nodes.flatMap(hiddenBy))
  if (hidden.size === 0) return none
  const own = new Set(await loaders.ownSteps.load(instanceId))
  const isOwn = ({ id, activityType }: WorkflowNode) =>
    own.has(id) || (activityType === 'Start' && instance.starterId === reader.userId)
  for (const node of nodes.filter(isOwn)) {
    const concealed = new Set(hiddenBy(node))
    for (const field of hidden) if (!concealed.has(field)) hidden.delete(field)
  }
  return hidden
}

/** The members of an object that the caller is shown. */
export async function shownFields(context: Context, instanceId: string, value: unknown): Promise<unknown> {
  const hidden = await hiddenFields(context, instanceId)
  if (hidden.size === 0 || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value as JsonObject).filter(([field]) => !hidden.has(field)))
}

/** The value; null where anything of the instance is hidden from the caller, for a step may have put it anywhere. */
export async function shownWhole<Value>(context: Context, instanceId: string, value: Value): Promise<Value | null> {
  return (await hiddenFields(context, instanceId)).size === 0 ? value : null
}
