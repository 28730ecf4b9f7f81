import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('the snippets of docs/embedding.md compile against the library', () => {
  const text = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
  const snippets = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  expect(snippets.length).toBeGreaterThan(7)
  // Below node_modules of the project, so that the snippets find what it has installed.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/snippets-'))
  try {
    for (const [index, code] of snippets.entries()) writeFileSync(join(folder, `snippet${index + 1}.ts`), code)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const paths = {
      countersign: [join(root, 'src/index.ts')],
      'countersign/testing': [join(root, 'src/testing/index.ts')],
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { paths },
        include: ['*.ts'],
        exclude: [],
      }),
    )
    const tsc = join(root, 'node_modules/typescript7/bin/tsc')
    const run = () => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8', cwd: folder })
    expect(run()).toBe('')
  } catch (error) {
    const { stdout } = error as { stdout?: string }
    throw stdout ? new Error(stdout) : error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
