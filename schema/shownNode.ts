import type { Context } from './context.js'
import { nodeOf, type ShownNode } from './definitionContent.js'
import { loadersOf } from './loaders.js'

/** The node of an instance as its definition has it; the bare id and type where it has it no more. */
export async function shownNode(
  context: Context,
  instanceId: string,
  nodeId: string,
  activityType: string,
): Promise<ShownNode> {
  const loaders = loadersOf(context)
  const instance = await loaders.instance.load(instanceId)
  const definition = instance && (await loaders.definition.load(instance.definitionId))
  return nodeOf(definition, nodeId, activityType)
}
