import { readFileSync } from 'node:fs'
import { buildSchema, findBreakingChanges } from 'graphql'

/**
 * Checks that the printed schema keeps the public contract. What the contract promises and is not built yet stands in
 * `pending`; an entry that no longer applies is a mistake too, so that the list only shrinks.
 */
const pending: ReadonlySet<string> = new Set([])

const read = (name: string) => buildSchema(readFileSync(new URL(`../schema/${name}`, import.meta.url), 'utf8'))
const breaks = findBreakingChanges(read('contract.graphql'), read('schema.graphql'))
const missing = new Set(breaks.map(({ description }) => /^(\S+) was removed\.$/.exec(description)?.[1] ?? description))
const mistakes = [
  ...[...missing].filter((entry) => !pending.has(entry)).map((entry) => `the contract is broken: ${entry}`),
  ...[...pending].filter((entry) => !missing.has(entry)).map((entry) => `no longer pending: ${entry}`),
]
for (const mistake of mistakes) console.error(mistake)
console.log(`the schema keeps the contract but for ${missing.size} pending parts`)
if (mistakes.length > 0) process.exitCode = 1
