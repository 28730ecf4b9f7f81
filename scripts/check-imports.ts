import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Checks that imports point inward only (see `.dependency-cruiser.cjs`), and that the engine core is pure: no waiting,
 * no clock, no chance, no process. A cruise that sees too few modules has not looked, and fails.
 */
const fewest = 150
const impure = /\b(async|await|Date\.now|new Date\(\)|Math\.random|process\.|setTimeout|setInterval|fetch\()/

const cruised = execFileSync(
  'npx',
  ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'schema'],
  { encoding: 'utf8', maxBuffer: 1 << 28 },
)
const { summary } = JSON.parse(cruised) as {
  summary: { totalCruised: number; violations: { from: string; to: string; rule: { name: string } }[] }
}
const mistakes = summary.violations.map(({ from, to, rule }) => `${from} must not import ${to} (${rule.name})`)
if (summary.totalCruised < fewest) mistakes.push(`only ${summary.totalCruised} modules were seen`)

for (const entry of readdirSync('src/engine', { withFileTypes: true, recursive: true })) {
  if (!entry.isFile()) continue
  const file = join(entry.parentPath, entry.name)
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [index, line] of lines.entries())
    if (impure.test(line.replace(/\/\*.*|\/\/.*|^\s*\*.*/, '')))
      mistakes.push(`${file}:${index + 1} is not pure: ${line.trim()}`)
}

for (const mistake of mistakes) console.error(mistake)
console.log(`${summary.totalCruised} modules, ${mistakes.length} mistakes`)
if (mistakes.length > 0) process.exitCode = 1
