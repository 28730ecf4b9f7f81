// Generates the Prisma client, packs an empty embedded database and builds the approval centre. The native schema engine is a download that many
// machines cannot make; `generate` never runs it, so any existing file satisfies Prisma's look for it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter } from 'node:path'

// A production install has no generator: the client comes with the build.
if (existsSync('node_modules/prisma/build/index.js')) {
  const run = spawnSync(
    process.execPath,
    ['node_modules/prisma/build/index.js', 'generate', '--schema', 'prisma/schema.prisma'],
    {
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PATH: `${process.cwd()}/node_modules/.bin${delimiter}${process.env.PATH}`,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (run.status !== 0) process.exit(run.status ?? 1)
  await import('./pglite-template.mjs')
  await import('./web-client.mjs')
}
