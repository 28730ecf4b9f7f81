// Builds the approval centre: the types of its GraphQL documents, then clients/web/dist.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const steps = [
  ['node_modules/@graphql-codegen/cli/cjs/bin.js', '--config', 'clients/web/codegen.json', '--silent'],
  ['node_modules/vite/bin/vite.js', 'build', '--config', 'clients/web/vite.config.ts', '--logLevel', 'warn'],
]
for (const step of steps) {
  const run = spawnSync(process.execPath, step, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (run.status !== 0) process.exit(run.status ?? 1)
}
if (!existsSync('clients/web/dist/index.html')) process.exit(1)
