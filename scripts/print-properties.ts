import { readFileSync, writeFileSync } from 'node:fs'
import type { Activity, PropertyDescriptor } from '../src/engine/activities/activity.js'
import { createRegistry } from '../src/engine/activities/registry.js'
import { readCatalog } from '../src/messages/locales.js'

/**
 * Writes the property types of the builder (`src/builder/properties.ts`) from the descriptors of the activities, with
 * their English help texts; `--check` only compares, and fails on a difference.
 */
const file = new URL('../src/builder/properties.ts', import.meta.url)
const texts = readCatalog('en')

const types: { [T in PropertyDescriptor['type']]: string } = {
  string: 'string',
  template: 'string',
  expression: 'string',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  enum: 'string',
  stringList: 'string | readonly string[]',
  rules: 'readonly AssigneeRule[]',
  object: '{ readonly [name: string]: Value }',
  expressions: '{ readonly [variable: string]: string }',
  json: 'Value',
  schema: '{ readonly [keyword: string]: Value }',
}

function typeOf({ type, values }: PropertyDescriptor): string {
  if (!values) return types[type]
  const listed = values.map((value) => `'${value}'`)
  // A string with values takes others too, such as another case.
  return (type === 'enum' ? listed : [...listed, '(string & {})']).join(' | ')
}

function textOf(key: string): string {
  return (texts[key] ?? '').replaceAll("'{{ }}'", '{{ }}').replaceAll("''", "'")
}

function memberOf(activity: Activity, property: PropertyDescriptor): string {
  const text = textOf(`workflow.activity.${activity.type}.${property.name}`)
  const given = property.defaultValue === null ? '' : ` Default: ${JSON.stringify(property.defaultValue)}.`
  return `  /** ${text}${given} */\n  ${property.name}${property.required ? '' : '?'}: ${typeOf(property)}`
}

function interfaceOf(activity: Activity): string {
  const text = textOf(`workflow.activity.${activity.type}.description`)
  const members = activity.properties.map((property) => memberOf(activity, property))
  const body = members.length === 0 ? 'Record<never, never>' : `{\n${members.join('\n')}\n}`
  const head =
    members.length === 0 ? `export type ${activity.type}Properties = ` : `export interface ${activity.type}Properties `
  return `/** ${text} */\n${head}${body}`
}

const printed = `// Written by \`npm run properties\` from the descriptors of the activities. Do not edit.

/** A JSON value; texts may hold \`{{ }}\` templates. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value }

/** Whom a task is for: a kind of rule and what it goes by. */
export interface AssigneeRule {
  type: 'User' | 'Starter' | 'Expression' | (string & {})
  values?: readonly string[]
}

${[...createRegistry().activities.values()].map(interfaceOf).join('\n\n')}
`

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== printed) {
    console.error('src/builder/properties.ts is not what the activities say: run npm run properties')
    process.exitCode = 1
  }
} else writeFileSync(file, printed)
