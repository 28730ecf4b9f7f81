import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.js'
import { channel, type Database, type DatabaseOptions, type Session } from './database.js'
import { listenPostgres } from './listener.js'
import { transact } from './postgresTransaction.js'
import { assertOutsideTransaction } from './transaction.js'

const oldestServer = 150_000

/** Opens a PostgreSQL server through a pool of connections whose sessions are set for us. */
export async function openPostgres(options: DatabaseOptions): Promise<Database> {
  const seconds = options.lockTimeoutSeconds ?? 10
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 15_000,
    // The adapter sends times without an offset: another zone would shift every due time.
    options: [
      '-c TimeZone=UTC',
      `-c lock_timeout=${seconds}s`,
      `-c statement_timeout=${seconds + 5}s`,
      `-c idle_in_transaction_session_timeout=${seconds + 5}s`,
    ].join(' '),
  })
  const listeners = new Set<(sql: string) => void>()
  pool.on('connect', (client) => {
    tellQueries(client, listeners)
    // The statement that is under way is told; unheard, the same error would end the process.
    client.on('error', () => {})
  })
  // An idle connection that dies is replaced by the next query; unheard, its error would end the process.
  pool.on('error', () => {})
  try {
    await checkServer(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  const client = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => nameOf(sql) }) })
  const database: Database = {
    kind: 'postgresql',
    get prisma() {
      assertOutsideTransaction(database)
      return client
    },
    transact: (run) => transact({ pool, nameOf }, run),
    listen: (onWake) => listenPostgres(options.url, onWake),
    notify: async () => void (await pool.query(`NOTIFY ${channel}`)),
    ping: async () => void (await pool.query('SELECT 1')),
    exec: async (sql) => void (await pool.query(sql)),
    session: (run) => onOwnConnection(options.url, run),
    onQuery(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await client.$disconnect()
      await pool.end()
    },
  }
  return database
}

async function checkServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ zone: string; version: string }>(
    `SELECT current_setting('TimeZone') AS zone, current_setting('server_version_num') AS version`,
  )
  if (Number(rows[0]?.version) < oldestServer) throw new Error('Countersign needs PostgreSQL 15 or later.')
  if (rows[0]?.zone !== 'UTC')
    throw new Error('The database session is not in UTC: let the connection pass the option TimeZone=UTC.')
}

/** The names given, by text: hashing kilobytes for each call would cost more than the call. Texts that begin so are few. */
const names = new Map<string, string>()

/** Our written-out statements begin with a line break: they are few and hot, so the server keeps them prepared. */
function nameOf(sql: string): string {
  if (!sql.startsWith('\n')) return ''
  const known = names.get(sql)
  if (known !== undefined) return known
  const name = `cs_${createHash('sha1').update(sql).digest('hex').slice(0, 20)}`
  names.set(sql, name)
  return name
}

function tellQueries(client: pg.PoolClient, listeners: Set<(sql: string) => void>): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const [first] = args
    const sql = typeof first === 'string' ? first : String((first as { text?: string }).text)
    for (const listener of listeners) listener(sql)
    return send(...args)
  }) as typeof client.query
}

async function onOwnConnection<T>(url: string, run: (session: Session) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' })
  await client.connect()
  try {
    return await run({
      run: async (sql) => {
        const result: unknown = await client.query(sql)
        const last = (Array.isArray(result) ? result.at(-1) : result) as { rows: { [column: string]: unknown }[] }
        return last.rows
      },
    })
  } finally {
    await client.end()
  }
}
