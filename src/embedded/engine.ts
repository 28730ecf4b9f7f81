import type { Actor, Permission } from '../engine/command.js'
import type { Extensions } from '../extensions.js'
import { noExtensions } from '../extensions.js'
import { type Database, type DatabaseOptions, openDatabase } from '../persistence/database.js'
import { checkMigrations, migrateDatabase } from '../persistence/migrate.js'
import { inTransaction, type Transaction, type TransactionLimits } from '../persistence/transaction.js'
import type { Clock, Log } from '../runtime.js'
import { readSettings } from '../server/config.js'
import { createNode, type NodeConfig } from '../server/node.js'
import { createDueWorker } from '../workers/dueBookmarks.js'
import { definitionOperations } from './definitions.js'
import { externalTaskOperations } from './externalTasks.js'
import { instanceOperations } from './instances.js'
import { taskOperations } from './tasks.js'

/** A Prisma client of the application: it needs to know none of the engine's models. */
export interface ApplicationClient {
  $transaction<T>(run: (tx: Transaction) => Promise<T>, limits?: TransactionLimits): Promise<T>
}

export interface EngineSetup {
  /** `postgresql://…`, `pglite:./folder` or `pglite:memory`; or a database that is open already, and stays so. */
  database: string | DatabaseOptions | Database
  /** Transactions are opened through it, so that activities, rules and handlers find the application's models in `tx`. */
  prisma?: ApplicationClient | undefined
  extensions?: Partial<Extensions> | undefined
  /** By default those of the server; durations are milliseconds. */
  options?: Partial<NodeConfig> | undefined
  /** Whether missing migrations are applied (the default) or refused. */
  migrate?: boolean | undefined
  /** For tests; by default the database's clock. */
  clock?: Clock | undefined
  /** By default warnings and errors go to the console. */
  log?: Log | undefined
}

const consoleLog: Log = {
  info: () => {},
  warn: (facts, text) => console.warn(text, facts),
  error: (facts, text) => console.error(text, facts),
}

/** The engine inside an application. */
export type Engine = Awaited<ReturnType<typeof createEngine>>

/**
 * Opens the engine over a database. Every operation takes the actor and an optional `{ tx }`, a transaction that the
 * application has opened; refusals are values: see `unwrap`.
 * @throws Error with a sentence that says what to do: the database cannot be opened or is not of this release
 */
export async function createEngine(setup: EngineSetup) {
  const { clock = null, log = consoleLog, migrate = true, prisma } = setup
  const given = typeof setup.database === 'object' && 'prisma' in setup.database ? setup.database : null
  const database = given ?? (await openDatabase(optionsOf(setup.database as string | DatabaseOptions)))
  try {
    await prepare(database, migrate)
    if (prisma) await join(database, prisma)
  } catch (error) {
    if (!given) await database.close()
    throw error
  }
  const defaults = readSettings({}, []) as NodeConfig
  const options: NodeConfig = { ...defaults, ...setup.options }
  const node = createNode(options, database, { ...noExtensions, ...setup.extensions }, log, clock)
  const { runtime } = node
  const due = createDueWorker(runtime, options)
  let working = false
  /** Tells this process's workers of a commit that the application made; without it they see it at their next poll. */
  const wake = () => {
    runtime.wake()
    runtime.wakeWork?.()
  }
  return {
    ...instanceOperations(runtime),
    tasks: taskOperations(runtime),
    definitions: definitionOperations(runtime),
    externalTasks: externalTaskOperations(runtime),
    wake,
    /** Runs something in a transaction on the engine's own connections; pass `tx` on to everything in it. */
    async transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
      const result = await inTransaction(database, run)
      wake()
      return result
    },
    /** Starts this process's workers: what is due, HTTP calls, housekeeping. Any number of processes may. */
    async startWorkers(): Promise<void> {
      working = true
      await node.start()
    },
    /** Takes no more work; resolves when what runs is finished. */
    async stopWorkers(): Promise<void> {
      if (working) await node.finish()
      working = false
    },
    /** Does all work that is due now and resolves when it is done: for scripts, and for tests with a clock of their own. */
    runDueWork: (): Promise<number> => due.runCycle(),
    /** Stops the workers and lets go of the database. */
    async close(): Promise<void> {
      if (working) await node.finish()
      await node.close()
      if (given) delete given.begin
      else await database.close()
    },
  }
}

/** An actor: a person or a program of a partition ('' is the platform's). */
export function actor(userId: string, more: Partial<Omit<Actor, 'userId'>> = {}): Actor {
  const permissions: readonly Permission[] = more.permissions ?? []
  return { userId, tenantId: more.tenantId ?? '', groups: more.groups ?? [], permissions }
}

function optionsOf(database: string | DatabaseOptions): DatabaseOptions {
  return typeof database === 'string' ? { url: database } : database
}

async function prepare(database: Database, migrate: boolean): Promise<void> {
  if (migrate) await migrateDatabase(database)
  const state = await checkMigrations(database)
  if (state !== 'current')
    throw new Error(`The database is ${state}: its migrations are not those of this release of countersign.`)
}

/** Another zone would shift the times that the engine reads through that client. */
async function join(database: Database, prisma: ApplicationClient): Promise<void> {
  const zone = await prisma.$transaction(async (tx) => {
    const [row] = await tx.$queryRawUnsafe<{ zone: string }[]>(`SELECT current_setting('TimeZone') AS zone`)
    return row?.zone
  })
  if (zone !== 'UTC')
    throw new Error(
      'The sessions of the given Prisma client are not in UTC: let its pool pass the option TimeZone=UTC.',
    )
  database.begin = (run, limits) => prisma.$transaction(run, limits)
}
