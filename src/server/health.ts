import type { Database } from '../persistence/database.js'
import { checkMigrations, type MigrationState } from '../persistence/migrate.js'

/** Why a node must not be sent requests. */
export type Unready = 'draining' | 'database_unavailable' | `migrations_${Exclude<MigrationState, 'current'>}`

const patience = 5000
const freshness = 1000

/**
 * Tells whether the node may be sent requests: null, or the reason why not. The database is asked at most once a
 * second, however often the question comes, and has 5 seconds to answer.
 */
export function createReadiness(database: Database, isDraining: () => boolean): () => Promise<Unready | null> {
  let known: { at: number; answer: Promise<Unready | null> } | null = null
  return async () => {
    if (isDraining()) return 'draining'
    if (known === null || Date.now() - known.at > freshness) known = { at: Date.now(), answer: ask(database) }
    return known.answer
  }
}

async function ask(database: Database): Promise<Unready | null> {
  let timer: NodeJS.Timeout | null = null
  const silence = new Promise<Unready>((resolve) => {
    timer = setTimeout(() => resolve('database_unavailable'), patience)
  })
  const answer = database
    .ping()
    .then(() => checkMigrations(database))
    .then((state): Unready | null => (state === 'current' ? null : `migrations_${state}`))
    .catch((): Unready => 'database_unavailable')
  const result = await Promise.race([answer, silence])
  if (timer) clearTimeout(timer)
  return result
}
