// Builds the package into dist: the compiled code in the folders of the sources, and beside it what it reads at run time.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

rmSync('dist', { recursive: true, force: true })
const compiled = spawnSync(process.execPath, ['node_modules/typescript7/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
if (compiled.status !== 0) process.exit(compiled.status ?? 1)
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
