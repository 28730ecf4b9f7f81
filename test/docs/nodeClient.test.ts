import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startNodes } from '../support/cluster.js'
import { onPostgres } from '../support/databases.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

function compile(...options: string[]): void {
  const tsc = join(root, 'node_modules/typescript7/bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, ...options], { encoding: 'utf8', cwd: root })
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout)
  }
}

/** Builds the package into a project of its own, and in it the snippets. */
function build(folder: string, snippets: string[]): void {
  const installed = join(folder, 'node_modules/@countersign/client')
  mkdirSync(installed, { recursive: true })
  cpSync(join(root, 'clients/node/package.json'), join(installed, 'package.json'))
  compile('-p', 'clients/node', '--outDir', join(installed, 'dist'))
  for (const [index, code] of snippets.entries()) writeFileSync(join(folder, `snippet${index}.mts`), code)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { noEmit: false },
      include: ['*.mts'],
      exclude: [],
    }),
  )
  compile('-p', folder)
}

onPostgres('the README of the Node client', (_database, url) => {
  it('has examples that compile and run against the built package', async () => {
    const text = readFileSync(join(root, 'clients/node/README.md'), 'utf8')
    const snippets = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
    expect(snippets).toHaveLength(4)
    // Below node_modules of the project, so that the package finds what it needs.
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
    const folder = mkdtempSync(join(root, 'node_modules/.cache/node-client-'))
    try {
      build(folder, snippets)
      const [node] = await startNodes(url(), 1)
      const env = { ...process.env, COUNTERSIGN_URL: `${node?.url}/graphql` }
      const outputs = snippets.map((_, index) =>
        execFileSync(process.execPath, [join(folder, `snippet${index}.mjs`)], {
          encoding: 'utf8',
          timeout: 30_000,
          env,
        }),
      )
      expect(outputs[0]).toContain('WORKFLOW_NOTFOUND_003 workflow.task.closed')
      expect(outputs[1]).toMatch(/^\d+\n$/)
      expect(outputs[2]).toMatch(/^workflow\.task\.created \S+ \S+\n$/)
      expect(outputs[3]).toBe('')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
