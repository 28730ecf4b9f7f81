// Writes the next migration: what leads from the migrations so far to prisma/schema.prisma.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsFolder, readMigrationFiles } from '../src/persistence/migrationFiles.js'
import { diffMigrationsToSchema } from './schemaDiff.js'

const name = process.argv[2]
if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Usage: npm run migrate:create -- <name>, the name in lower case, digits and underscores.')
  process.exit(2)
}
mkdirSync(migrationsFolder, { recursive: true })
const sql = await diffMigrationsToSchema()
if (sql === null) {
  console.log('The migrations and prisma/schema.prisma agree; there is nothing to write.')
} else {
  // Four digits, so that the order of the names is the order of the migrations.
  const number = String(readMigrationFiles().length + 1).padStart(4, '0')
  const folder = join(migrationsFolder, `${number}_${name}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'migration.sql'), sql)
  console.log(`Wrote prisma/migrations/${number}_${name}/migration.sql. Read it before you apply it.`)
}
