import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Proves that the built package works for others: packs it, unpacks it into a small project and lets that project
 * compile against it, run a case through it, test a definition with it, and ask its command for help. Dependencies are
 * borrowed from here, so that nothing is downloaded.
 */
const project = mkdtempSync(join(tmpdir(), 'countersign-package-'))
const modules = join(project, 'node_modules')
const run = (command: string, args: string[], cwd = project) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

function borrow(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name.startsWith('.')) continue
    if (name.startsWith('@')) borrow(join(from, name), join(to, name))
    else symlinkSync(resolve(from, name), join(to, name))
  }
}

const program = `import { actor, createEngine, defineWorkflow, unwrap } from 'countersign'
import { testRun } from 'countersign/testing'

const definition = defineWorkflow('hello').start().to('ask').userTask('ask', { Assignees: ['bob'] }).to('end').end().build()
const run = await testRun(definition)
await run.approve('bob')
const engine = await createEngine({ database: 'pglite:memory' })
const author = actor('ann', { permissions: ['design'] })
const draft = unwrap(await engine.definitions.create(author, definition))
unwrap(await engine.definitions.publish(author, draft.id))
const { instance } = unwrap(await engine.start(author, { name: 'hello' }))
const [task] = await engine.tasks.open(author, { instanceId: instance.id })
const done = unwrap(await engine.tasks.approve(actor('bob'), { taskId: task?.id ?? '' }))
await engine.close()
console.log(run.status, done.instance.status)
`

try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], '.'))
  borrow('node_modules', modules)
  mkdirSync(join(modules, 'countersign'))
  run('tar', ['-xzf', join(project, packed.filename), '--strip-components=1', '-C', join(modules, 'countersign')])
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }))
  writeFileSync(join(project, 'plain.js'), program)
  writeFileSync(join(project, 'typed.ts'), program)
  const strict = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'ES2023',
    '--module',
    'NodeNext',
    '--types',
    'node',
  ]
  run(process.execPath, [resolve('node_modules/typescript7/bin/tsc'), ...strict, 'typed.ts'])
  const said = run(process.execPath, ['plain.js']).trim()
  if (said !== 'COMPLETED COMPLETED') throw new Error(`the project said ${said}`)
  const help = run(process.execPath, [join(modules, 'countersign/dist/src/server/main.js'), '--help'])
  if (!help.includes('DATABASE_URL')) throw new Error('the command gives no help')
  console.log(`the package works: ${packed.files.length} files, ${Math.round(packed.size / 1024)} KiB`)
} finally {
  rmSync(project, { recursive: true, force: true })
}
