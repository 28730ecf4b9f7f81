import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { Fragment } from './fragments.js'

const scalars: Record<string, string> = {
  ID: 'string',
  String: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  JSON: 'Json',
}

/** A description as a comment of TypeScript. */
export function comment(description: string | null | undefined, indent = ''): string {
  return description ? `${indent}/** ${description.replace(/\s+/g, ' ').replaceAll('*/', '* /')} */\n` : ''
}

/** The TypeScript type of an argument or a field of an input. */
export function inputType(type: GraphQLInputType): string {
  if (isNonNullType(type)) return inputType(type.ofType)
  if (isListType(type)) return `readonly ${bracketed(type.ofType, inputType)}[]`
  return type.name === 'DateTime' ? 'string | Date' : (scalars[type.name] ?? type.name)
}

/** The members of an input or of the arguments of a field. */
export function inputMembers(fields: readonly (GraphQLArgument | GraphQLInputField)[]): string {
  return fields
    .map((field) => {
      const type = inputType(field.type)
      const member = isRequired(field) ? `${field.name}: ${type}` : `${field.name}?: ${type} | null | undefined`
      return `${comment(field.description, '  ')}  ${member}\n`
    })
    .join('')
}

/** The interface that a fragment gives. */
export function fragmentInterface(fragment: Fragment): string {
  const members = outputMembers(fragment.definition.selectionSet, fragment.type, '  ')
  return `${comment(fragment.type.description)}export interface ${fragment.name} {\n${members}}\n`
}

/** The type of a result whose objects have the type `object`. */
export function outputType(type: GraphQLOutputType, object: string): string {
  if (!isNonNullType(type)) return `${required(type, object)} | null`
  return required(type.ofType, object)
}

/** The enums and inputs that these types need, and what those need. */
export function inputDeclarations(types: Iterable<GraphQLNamedType>): string {
  const needed = new Map<string, GraphQLEnumType | GraphQLInputObjectType>()
  const visit = (type: GraphQLNamedType) => {
    if (needed.has(type.name) || !(isEnumType(type) || isInputObjectType(type))) return
    needed.set(type.name, type)
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) visit(getNamedType(field.type))
  }
  for (const type of types) visit(type)
  return [...needed.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((type) => `${comment(type.description)}${declaration(type)}`)
    .join('\n')
}

function declaration(type: GraphQLEnumType | GraphQLInputObjectType): string {
  if (isInputObjectType(type))
    return `export interface ${type.name} {\n${inputMembers(Object.values(type.getFields()))}}\n`
  const values = type.getValues().map(({ name }) => `'${name}'`)
  return `export type ${type.name} = ${values.join(' | ')}\n`
}

function isRequired({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined
}

function bracketed<T extends GraphQLInputType>(type: T, write: (type: T) => string): string {
  const text = isNonNullType(type) ? write(type) : `${write(type)} | null`
  return text.includes(' ') ? `(${text})` : text
}

function required(type: GraphQLOutputType, object: string): string {
  if (isListType(type)) {
    const item = outputType(type.ofType, object)
    return `${item.includes(' ') ? `(${item})` : item}[]`
  }
  const named = getNamedType(type)
  if (named.name === 'DateTime') return 'string'
  return scalars[named.name] ?? (isEnumType(named) ? named.name : object)
}

function outputMembers(set: SelectionSetNode, type: GraphQLObjectType, indent: string): string {
  return set.selections
    .map((selection) => {
      if (selection.kind !== Kind.FIELD) throw new Error(`only fields are expected in a selection of ${type.name}`)
      const field = type.getFields()[selection.name.value]
      if (!field) throw new Error(`${type.name} has no field ${selection.name.value}`)
      const [spread] = selection.selectionSet?.selections ?? []
      const object = spread?.kind === Kind.FRAGMENT_SPREAD ? spread.name.value : ''
      return `${comment(field.description, indent)}${indent}${field.name}: ${outputType(field.type, object)}\n`
    })
    .join('')
}
