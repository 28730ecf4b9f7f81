import { readFileSync, writeFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isRequiredArgument,
  type OperationTypeNode,
} from 'graphql'
import { type Fragment, Fragments } from './client/fragments.js'
import { comment, fragmentInterface, inputDeclarations, inputMembers, outputType } from './client/types.js'

/** Writes the operations of the Node client from the printed schema; with `--check` only tells whether they are up to date. */
type Field = GraphQLField<unknown, unknown>

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const target = 'clients/node/src/generated.ts'
const schema = buildSchema(read('schema/schema.graphql'))
const fragments = new Fragments(schema, read('clients/node/fragments.graphql'))
/** One definition is read with its document; in lists that would be much. */
const selectedBy: Record<string, string> = { definition: 'DefinitionDetail', publishedDefinition: 'DefinitionDetail' }

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const fieldsOf = (kind: 'Query' | 'Mutation' | 'Subscription'): Field[] =>
  Object.values((schema.getType(kind) as unknown as { getFields(): Record<string, Field> }).getFields())

function selection(field: Field): Fragment | null {
  const name = selectedBy[field.name]
  return name ? fragments.named(name) : fragments.of(field.type)
}

function operation(kind: `${OperationTypeNode}`, field: Field): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const values = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
  const call = values ? `${field.name}(${values})` : field.name
  const fragment = selection(field)
  const selected = fragment ? ` { ...${fragment.name} }` : ''
  return `${kind} ${capital(field.name)}${variables && `(${variables})`} { ${call}${selected} }`
}

/** The one argument `input` is what the method takes; several arguments are one object. */
function method(kind: 'query' | 'mutation', field: Field): string {
  const [first] = field.args
  const single = field.args.length === 1 && first?.name === 'input'
  const optional = !field.args.some(isRequiredArgument)
  const type = single ? getNamedType(first.type).name : `${capital(field.name)}Arguments`
  const parameter = first ? `${single ? 'input' : 'args'}: ${type}${optional ? ' = {}' : ''}, ` : ''
  const variables = single ? '{ input }' : first ? '{ ...args }' : '{}'
  const result = outputType(field.type, selection(field)?.name ?? '')
  return `${comment(field.description, '  ')}  ${field.name}(${parameter}options?: RequestOptions): Promise<${result}> {
    return this.run('${field.name}', '${operation(kind, field)}', ${variables}, options)
  }
`
}

function argumentTypes(fields: Field[]): string {
  return fields
    .filter(({ args }) => args.length > 0 && !(args.length === 1 && args[0]?.name === 'input'))
    .map(
      ({ name, args }) =>
        `/** What \`${name}\` takes. */\nexport interface ${capital(name)}Arguments {\n${inputMembers(args)}}\n`,
    )
    .join('\n')
}

function source(): string {
  const queries = fieldsOf('Query')
  const mutations = fieldsOf('Mutation')
  const subscriptions = fieldsOf('Subscription')
  const fields = [...queries, ...mutations, ...subscriptions]
  const methods = [
    ...queries.map((field) => method('query', field)),
    ...mutations.map((field) => method('mutation', field)),
  ].join('\n')
  const watched = subscriptions.map((field) => `  ${field.name}: '${operation('subscription', field)}',\n`).join('')
  const selected = fragments.all()
  const inputs: GraphQLNamedType[] = [
    ...fields.flatMap(({ args }) => args.map(({ type }) => getNamedType(type))),
    ...selected.flatMap(({ type }) => Object.values(type.getFields()).map((field) => getNamedType(field.type))),
  ]
  return `// Written by scripts/node-client.ts from schema/schema.graphql and fragments.graphql: npm run client
import type { RequestOptions } from './http.js'
import type { Json } from './json.js'

${inputDeclarations(inputs)}
${argumentTypes(fields)}
${selected.map(fragmentInterface).join('\n')}
/** The selections by name. */
export const fragments: { readonly [name: string]: string } = {
${selected.map(({ name, text }) => `  ${name}: '${text}',\n`).join('')}}

/** The subscriptions by name. */
export const subscriptions = {
${watched}} as const

/** One method for each query and mutation. */
export abstract class Operations {
  /** Sends an operation and gives what its one root field answered. */
  protected abstract run<Result>(
    field: string,
    operation: string,
    variables: object,
    options: RequestOptions | undefined,
  ): Promise<Result>

${methods}}
`
}

const written = source()
if (!process.argv.includes('--check')) writeFileSync(new URL(target, root), written)
else if (read(target) !== written) {
  console.error(`${target} is not up to date: run npm run client`)
  process.exitCode = 1
} else console.log(`${target} is up to date`)
