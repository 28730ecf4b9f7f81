import { readDefinition } from '../src/engine/definition/read.js'
import type { DefinitionContent, WorkflowNode } from '../src/engine/model.js'
import type { Definition } from '../src/generated/prisma/client.js'

const contents = new WeakMap<object, DefinitionContent>()

/** The content of a stored definition, read once for each row. @throws Error when the row holds no definition */
export function contentOf(row: Definition): DefinitionContent {
  const known = contents.get(row)
  if (known) return known
  const read = readDefinition(row.document)
  if (!read.ok) throw new Error(`the stored definition ${row.id} cannot be read`)
  contents.set(row, read.content)
  return read.content
}

/** A node as a definition shows it. */
export type ShownNode = Pick<WorkflowNode, 'id' | 'activityType' | 'displayName' | 'properties'>

/** The node of that id; the bare id and type of one that the definition does not have (any more). */
export function nodeOf(row: Definition | null, id: string, activityType: string): ShownNode {
  const found = row && contentOf(row).nodes.find((node) => node.id === id)
  return found ?? { id, activityType, displayName: null, properties: {} }
}
