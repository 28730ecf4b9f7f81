import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/persistence/database.js'
import { migrateDatabase } from '../../src/persistence/migrate.js'
import { buildServer } from './builtServer.js'
import { startPostgres } from './postgresServer.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server's URL without a database name, and a migrated database to copy. */
    postgres: { url: string; template: string }
    /** The command of the built server, for processes of its own. */
    serverMain: string
  }
}

/** One PostgreSQL server for the whole run (TEST_DATABASE_URL's, else one of its own) with a migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startPostgres()
  const template = `countersign_template_${randomUUID().slice(0, 8)}`
  await onServer(server.url, `CREATE DATABASE ${template}`)
  const database = await openDatabase({ url: withDatabase(server.url, template) })
  await migrateDatabase(database)
  await database.close()
  project.provide('postgres', { url: server.url, template })
  const built = await buildServer()
  project.provide('serverMain', built.main)
  return async () => {
    built.remove()
    await onServer(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
    await server.stop()
  }
}

export function withDatabase(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}

export async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
