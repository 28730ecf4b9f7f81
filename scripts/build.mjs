// Builds the package into dist: the compiled code in the folders of the sources, and beside it what it reads at run time;
// and the Node client into a dist of its own.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

compile('dist', 'tsconfig.build.json')
compile('clients/node/dist', 'clients/node/tsconfig.json')
for (const path of [
  'clients/graphql',
  'clients/web/dist',
  'examples/expense.json',
  'examples/leave.json',
  'examples/purchase.json',
  'prisma/migrations',
  'schema/schema.graphql',
  'src/messages/catalogs',
]) {
  mkdirSync(dirname(`dist/${path}`), { recursive: true })
  cpSync(path, `dist/${path}`, { recursive: true })
}
chmodSync('dist/src/server/main.js', 0o755)

function compile(target, project) {
  rmSync(target, { recursive: true, force: true })
  const tsc = ['node_modules/typescript7/bin/tsc', '-p', project]
  const compiled = spawnSync(process.execPath, tsc, { stdio: 'inherit' })
  if (compiled.status !== 0) process.exit(compiled.status ?? 1)
}
