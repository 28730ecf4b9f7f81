import {
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  Kind,
  parse,
  print,
} from 'graphql'

/** A selection of one type under a name, which is also the name of the TypeScript type. */
export interface Fragment {
  name: string
  type: GraphQLObjectType
  text: string
  definition: FragmentDefinitionNode
}

/**
 * The fragments of the client: those that were written by hand, and one for each other type that is asked for. Those
 * select everything that needs no argument, except the edges of connections and what would lead back to a type they
 * are part of.
 */
export class Fragments {
  private readonly byName = new Map<string, Fragment>()
  private readonly open = new Set<string>()

  constructor(
    private readonly schema: GraphQLSchema,
    written: string,
  ) {
    for (const definition of parse(written).definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.add(definition)
  }

  /** All fragments, by name. */
  all(): Fragment[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The fragment that selects this type; null for scalars, and for a type within itself. */
  of(output: GraphQLOutputType): Fragment | null {
    const type = getNamedType(output)
    if (!isObjectType(type) || this.open.has(type.name)) return null
    const known = this.byName.get(type.name) ?? this.all().find((fragment) => fragment.type === type)
    return known ?? this.derive(type)
  }

  /** @throws Error where there is no such fragment */
  named(name: string): Fragment {
    const fragment = this.byName.get(name)
    if (!fragment) throw new Error(`there is no fragment ${name}`)
    return fragment
  }

  private derive(type: GraphQLObjectType): Fragment {
    this.open.add(type.name)
    const lines = Object.values(type.getFields()).flatMap((field) => this.selection(field))
    this.open.delete(type.name)
    const [definition] = parse(`fragment ${type.name} on ${type.name} { ${lines.join(' ')} }`).definitions
    return this.add(definition as FragmentDefinitionNode)
  }

  private selection(field: GraphQLField<unknown, unknown>): string[] {
    if (field.name === 'edges' || field.args.some(isRequiredArgument)) return []
    if (isLeafType(getNamedType(field.type))) return [field.name]
    const fragment = this.of(field.type)
    return fragment ? [`${field.name} { ...${fragment.name} }`] : []
  }

  private add(definition: FragmentDefinitionNode): Fragment {
    const type = this.schema.getType(definition.typeCondition.name.value)
    const name = definition.name.value
    if (!isObjectType(type)) throw new Error(`the fragment ${name} is not on an object type`)
    const fragment = { name, type, definition, text: print(definition).replace(/\s+/g, ' ') }
    this.byName.set(name, fragment)
    return fragment
  }
}
