import { readFileSync, writeFileSync } from 'node:fs'
import { variables } from '../src/server/config.js'
import type { Variable } from '../src/server/variables.js'

/** Prints the table of environment variables into the README; with `--check` only tells whether it is up to date. */
const file = new URL('../README.md', import.meta.url)
const rows = Object.values<Variable<unknown>>(variables).map(
  ({ name, fallback, description }) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ''} | ${description} |`,
)
const table = ['| variable | default | |', '| --- | --- | --- |', ...rows].join('\n')
const before = readFileSync(file, 'utf8')
const after = before.replace(
  /(<!-- configuration: [^>]*-->\n)[\s\S]*(<!-- \/configuration -->)/,
  (_all, begin: string, end: string) => `${begin}${table}\n${end}`,
)
if (!process.argv.includes('--check')) writeFileSync(file, after)
else if (before !== after) {
  console.error('the configuration in README.md is not up to date: run npm run configuration')
  process.exitCode = 1
}
