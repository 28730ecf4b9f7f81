import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql'
import { serverRefusal } from './errors.js'

/** How large an operation may be, fragments spread; introspection fields do not count as depth. */
export interface DocumentLimits {
  depth: number
  aliases: number
  directives: number
  fields: number
}

type Measures = DocumentLimits

const nothing: Measures = { depth: 0, aliases: 0, directives: 0, fields: 0 }

/** A validation rule that refuses operations beyond the limits with WORKFLOW_VALIDATION_004. */
export function createDocumentLimitsRule(limits: DocumentLimits): ValidationRule {
  return function DocumentLimitsRule(context) {
    const measure = createMeasure(context.getDocument())
    return {
      OperationDefinition(operation) {
        const found = measure(operation.selectionSet, operation.directives?.length ?? 0)
        for (const what of ['depth', 'aliases', 'directives', 'fields'] as const) {
          if (found[what] > limits[what]) {
            const refused = serverRefusal('WORKFLOW_VALIDATION_004', `workflow.request.too_many_${what}`, {
              max: limits[what],
            })
            context.reportError(new GraphQLError(refused.message, { nodes: operation, extensions: refused.extensions }))
          }
        }
        return false
      },
    }
  }
}

/** Measures selection sets; each fragment once, however often it is spread: 2^20 fields cost 20 steps. */
function createMeasure(document: DocumentNode): (set: SelectionSetNode, directives: number) => Measures {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  const measured = new Map<string, Measures>()

  function ofFragment(name: string): Measures {
    const known = measured.get(name)
    if (known) return known
    // A cycle meets the zeros set here; the standard rules refuse it.
    measured.set(name, nothing)
    const fragment = fragments.get(name)
    const found = fragment ? ofSet(fragment.selectionSet, fragment.directives?.length ?? 0) : nothing
    measured.set(name, found)
    return found
  }

  function ofSet(set: SelectionSetNode, directives: number): Measures {
    const sum: Measures = { ...nothing, directives }
    for (const selection of set.selections) {
      add(sum, ofSelection(selection), selection.directives?.length ?? 0)
    }
    return sum
  }

  function ofSelection(selection: SelectionSetNode['selections'][number]): Measures {
    switch (selection.kind) {
      case Kind.FRAGMENT_SPREAD:
        return ofFragment(selection.name.value)
      case Kind.INLINE_FRAGMENT:
        return ofSet(selection.selectionSet, 0)
      case Kind.FIELD: {
        const below = selection.selectionSet ? ofSet(selection.selectionSet, 0) : nothing
        const introspection = selection.name.value.startsWith('__')
        return {
          depth: introspection ? 1 : below.depth + 1,
          aliases: below.aliases + (selection.alias ? 1 : 0),
          directives: below.directives,
          fields: below.fields + 1,
        }
      }
    }
  }

  return ofSet
}

function add(sum: Measures, found: Measures, directives: number): void {
  sum.depth = Math.max(sum.depth, found.depth)
  sum.aliases += found.aliases
  sum.directives += found.directives + directives
  sum.fields += found.fields
}
