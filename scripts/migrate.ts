// Applies the migrations of this release to the database that DATABASE_URL names.
import { openDatabase } from '../src/persistence/database.js'
import { migrateDatabase } from '../src/persistence/migrate.js'

const database = await openDatabase({ url: process.env.DATABASE_URL ?? 'pglite:./data' })
try {
  const applied = await migrateDatabase(database)
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`)
} finally {
  await database.close()
}
