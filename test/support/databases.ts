import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, inject } from 'vitest'
import { type Database, openDatabase } from '../../src/persistence/database.js'
import { migrateDatabase } from '../../src/persistence/migrate.js'
import { onServer, withDatabase } from './globalSetup.js'

const tables = [
  'ChildNotice',
  'Event',
  'EventFloor',
  'RelayPosition',
  'Webhook',
  'WebhookDelivery',
  'IdempotencyKey',
  'HeldSignal',
  'Copy',
  'TaskRecord',
  'Bookmark',
  'NodeInstance',
  'Instance',
  'Definition',
  'User',
  'Substitute',
]

let embedded: Promise<Database> | null = null

/** One PGlite for each worker process: starting one costs a second and some 400 MB. */
function openEmbedded(): Promise<Database> {
  embedded ??= openDatabase({ url: 'pglite:memory' }).then(async (database) => {
    await migrateDatabase(database)
    return database
  })
  return embedded
}

const quoted = tables.map((table) => `"${table}"`)

/**
 * Deletes all rows. A TRUNCATE makes new files for some seventy tables and indexes, which takes half a second where
 * they are synchronized; only where much is stored it costs less than deleting row by row.
 */
export function emptyTables(database: Database): Promise<void> {
  return database.exec(`DO $$ BEGIN
    IF greatest(${quoted.map((table) => `pg_relation_size('${table}')`).join(', ')}) > 1000000
    THEN TRUNCATE ${quoted.join(', ')};
    ELSE ${quoted.map((table) => `DELETE FROM ${table};`).join(' ')}
    END IF;
  END $$`)
}

/** The suite once on PGlite and once on PostgreSQL; every test begins with empty tables. */
export function onBothDatabases(name: string, suite: (database: () => Database) => void): void {
  describe(`${name} on PGlite`, () => {
    let database: Database
    beforeAll(async () => {
      database = await openEmbedded()
    })
    beforeEach(() => emptyTables(database))
    suite(() => database)
  })
  onPostgres(name, suite)
}

/** The suite on PostgreSQL alone, for what needs several connections; each has a database of its own. */
export function onPostgres(
  name: string,
  suite: (database: () => Database, url: () => string) => void,
  poolSize = 20,
): void {
  describe(`${name} on PostgreSQL`, () => {
    const { url, template } = inject('postgres')
    const own = `countersign_test_${randomUUID().slice(0, 8)}`
    let database: Database
    beforeAll(async () => {
      await onServer(url, `CREATE DATABASE ${own} TEMPLATE ${template}`)
      database = await openDatabase({ url: withDatabase(url, own), poolSize })
    })
    beforeEach(() => emptyTables(database))
    afterAll(async () => {
      await database?.close()
      await onServer(url, `DROP DATABASE IF EXISTS ${own} WITH (FORCE)`)
    })
    suite(
      () => database,
      () => withDatabase(url, own),
    )
  })
}
