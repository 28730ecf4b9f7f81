import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

/** Whether the operation selects this field directly below the one being resolved; @skip and @include count as selected. */
export function selects(info: GraphQLResolveInfo, field: string): boolean {
  return info.fieldNodes.some((node) => node.selectionSet && contains(node.selectionSet, field, info))
}

function contains(set: SelectionSetNode, field: string, info: GraphQLResolveInfo): boolean {
  return set.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === field
    const below = selection.kind === Kind.INLINE_FRAGMENT ? selection : info.fragments[selection.name.value]
    return below !== undefined && contains(below.selectionSet, field, info)
  })
}
