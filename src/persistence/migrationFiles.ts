import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One migration as it lies in `prisma/migrations/<name>/migration.sql`. */
export interface MigrationFile {
  name: string
  sql: string
  /** SHA-256 of the file in hex, as Prisma computes it. */
  checksum: string
}

/** The folder of the migrations, wherever the process was started from. */
export const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

/** The migrations in the order in which they are applied: that of their names. */
export function readMigrationFiles(folder: string = migrationsFolder): MigrationFile[] {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'migration.sql')))
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}
