import { readFileSync, writeFileSync } from 'node:fs'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { schema } from '../schema/index.js'

/** Prints the schema to `schema/schema.graphql`; with `--check` only tells whether the printed one is up to date. */
const file = new URL('../schema/schema.graphql', import.meta.url)
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`
if (!process.argv.includes('--check')) writeFileSync(file, printed)
else if (readFileSync(file, 'utf8') !== printed) {
  console.error('schema/schema.graphql is not up to date: run npm run schema')
  process.exitCode = 1
} else console.log('schema/schema.graphql is up to date')
