import { type Database, openDatabase } from '../persistence/database.js'
import { checkMigrations, type MigrationState, migrateDatabase } from '../persistence/migrate.js'
import type { Config } from './resolveConfig.js'
import { StartError } from './startError.js'

const refusals: { [S in Exclude<MigrationState, 'current'>]: string } = {
  behind:
    'The database lacks migrations of this release. Apply them with `npm run migrate`, or start with MIGRATE=true.',
  ahead: 'The database was migrated by a newer release. Start that release, or restore a backup from before.',
  changed:
    'A migration in the database is not the one of this release, or did not finish. `npm run migrate` says which.',
}

/**
 * Opens the database and brings it to this release, or makes sure that it is there.
 * @throws StartError with a sentence that says what to do
 */
export async function startDatabase(config: Config, progress: (line: string) => void): Promise<Database> {
  progress('opening the database …')
  const database = await open(config)
  try {
    if (config.migrate) {
      progress('applying migrations …')
      await migrateDatabase(database).catch((error: unknown) => {
        throw new StartError(reasonOf(error), error)
      })
    }
    const state = await checkMigrations(database)
    if (state !== 'current') throw new StartError(refusals[state])
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function open(config: Config): Promise<Database> {
  const options = {
    url: config.databaseUrl,
    poolSize: config.poolSize,
    lockTimeoutSeconds: config.lockTimeout / 1000,
  }
  try {
    return await openDatabase(options)
  } catch (error) {
    throw new StartError(`The database could not be opened: ${reasonOf(error)}`, error)
  }
}

/** A connection that was tried at several addresses fails with several errors and no text of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
