/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import { readMigrationFiles } from '../src/persistence/migrationFiles.js'
import { pgliteAdapter } from '../src/persistence/pgliteAdapter.js'

const schemaFile = 'prisma/schema.prisma'

// Node 20 imports no .wasm file: the engine is put together from its bindings and its module.
async function loadEngine(): Promise<typeof bindings.SchemaEngine> {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'))
  const module = new WebAssembly.Module(readFileSync(join(folder, 'schema_engine_bg.wasm')))
  const instance = new WebAssembly.Instance(module, {
    './schema_engine_bg.js': bindings as unknown as WebAssembly.ModuleImports,
  })
  bindings.__wbg_set_wasm(instance.exports)
  ;(instance.exports.__wbindgen_start as () => void)()
  return bindings.SchemaEngine
}

/** The SQL that leads from the migrations to the Prisma schema; null when they agree. Run from the project's root. */
export async function diffMigrationsToSchema(): Promise<string | null> {
  const client = await PGlite.create()
  try {
    // One empty database serves as the engine's own and as the shadow that it applies the migrations to.
    const factory = pgliteAdapter(client, () => {})
    const adapter = bindMigrationAwareSqlAdapterFactory({
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: () => factory.connect(),
      connectToShadowDb: () => factory.connect(),
    })
    const engine = await (await loadEngine()).new({ datamodels: undefined }, () => {}, adapter)
    const filters = { externalTables: [], externalEnums: [] }
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'migrations', ...migrations() },
      to: { tag: 'schemaDatamodel', files: [{ path: schemaFile, content: readFileSync(schemaFile, 'utf8') }] },
      script: true,
      exitCode: true,
      filters,
    })
    if (exitCode === 0) return null
    if (stdout === null) throw new Error('The schema engine found a difference and printed none.')
    return stdout
  } finally {
    await client.close()
  }
}

function migrations() {
  return {
    baseDir: 'prisma/migrations',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: readMigrationFiles().map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  }
}
