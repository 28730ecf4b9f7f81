import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database, Session } from './database.js'
import { type MigrationFile, readMigrationFiles } from './migrationFiles.js'

/** How the database stands to the migrations of this release. */
export type MigrationState =
  | 'current'
  /** Migrations of this release are missing in the database. */
  | 'behind'
  /** A newer release has migrated the database. */
  | 'ahead'
  /** A migration that was applied is not the one of this release, or failed half-way. */
  | 'changed'

/** The lock of Prisma's own tools, so that theirs and ours exclude each other. */
const migrationLock = 72707369

const createTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

/**
 * Applies what is missing, each migration in one transaction together with its row, and returns the names.
 * Nodes that start together wait for each other. Rejects, having applied nothing, when an applied migration
 * differs from the file; a migration that fails leaves the database as it was before it.
 */
export function migrateDatabase(database: Database, files: MigrationFile[] = readMigrationFiles()): Promise<string[]> {
  return database.session(async (session) => {
    await session.run(`SELECT pg_advisory_lock(${migrationLock})`)
    try {
      await session.run(createTable)
      const missing = findMissing(await readApplied(session), files)
      for (const file of missing) await apply(session, file)
      return missing.map(({ name }) => name)
    } finally {
      // The end of the connection frees it too; what went wrong before is the error to see.
      await session.run(`SELECT pg_advisory_unlock(${migrationLock})`).catch(() => {})
    }
  })
}

/** Compares without changing anything; a database without any migration is behind. */
export function checkMigrations(
  database: Database,
  files: MigrationFile[] = readMigrationFiles(),
): Promise<MigrationState> {
  return database.session(async (session) => {
    const [found] = await session.run(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS "exists"`)
    if (found?.exists !== true) return 'behind'
    const applied = await readApplied(session)
    if (findChanged(applied, files) !== null) return 'changed'
    const names = new Set(applied.map(({ name }) => name))
    if (files.some(({ name }) => !names.has(name))) return 'behind'
    return names.size > files.length ? 'ahead' : 'current'
  })
}

const appliedSchema = z.array(z.object({ name: z.string(), checksum: z.string(), finished: z.boolean() }))
type Applied = z.infer<typeof appliedSchema>[number]

async function readApplied(session: Session): Promise<Applied[]> {
  const rows = await session.run(
    `SELECT "migration_name" AS "name", "checksum", "finished_at" IS NOT NULL AS "finished"
     FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY "started_at", "migration_name"`,
  )
  return appliedSchema.parse(rows)
}

function findMissing(applied: Applied[], files: MigrationFile[]): MigrationFile[] {
  const changed = findChanged(applied, files)
  if (changed !== null) throw new Error(changed)
  const names = new Set(applied.map(({ name }) => name))
  return files.filter(({ name }) => !names.has(name))
}

/** Says what is wrong with an applied migration, null when all are as they should be. */
function findChanged(applied: Applied[], files: MigrationFile[]): string | null {
  for (const { name, checksum, finished } of applied) {
    if (!finished) {
      return `The migration ${name} was begun by another tool and did not finish. Put the database right by hand, \
then delete its row in _prisma_migrations (or run it again there).`
    }
    const file = files.find((candidate) => candidate.name === name)
    if (file !== undefined && file.checksum !== checksum) {
      return `The migration ${name} was changed after it was applied. Restore the file that the release came with; \
put further changes into a new migration (npm run migrate:create -- <name>).`
    }
  }
  return null
}

/** One text, sent at once: the server makes it one transaction, and whatever it contains stays in one piece. */
async function apply(session: Session, { name, sql, checksum }: MigrationFile): Promise<void> {
  const row = `INSERT INTO "_prisma_migrations"
    ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
    VALUES ('${randomUUID()}', '${checksum}', ${quote(name)}, now(), clock_timestamp(), 1)`
  try {
    await session.run(`${sql}\n;\n${row}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The migration ${name} failed and nothing of it was applied: ${reason}`, { cause: error })
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
