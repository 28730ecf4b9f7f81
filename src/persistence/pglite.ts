import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PrismaClient } from '../generated/prisma/client.js'
import { channel, type Database } from './database.js'
import { lockDirectory } from './directoryLock.js'
import { pgliteAdapter } from './pgliteAdapter.js'
import { readPgliteTemplate } from './pgliteTemplate.js'
import { assertOutsideTransaction } from './transaction.js'

/** Opens the embedded database: in memory, or in a folder that this process locks for itself. */
export async function openPglite(location: string): Promise<Database> {
  const directory = location === 'memory' ? null : resolve(location)
  if (directory) await mkdir(dirname(directory), { recursive: true })
  const release = directory ? await lockDirectory(directory) : async () => {}
  let db: PGlite
  try {
    const template = directory && existsSync(directory) ? null : readPgliteTemplate()
    db = await PGlite.create({ dataDir: directory ?? 'memory://', ...(template && { loadDataDir: template }) })
  } catch (cause) {
    await release()
    throw new Error(`The database in ${directory ?? 'memory'} could not be opened: it may come from another version.`, {
      cause,
    })
  }
  const listeners = new Set<(sql: string) => void>()
  const told = (sql: string) => {
    for (const listener of listeners) listener(sql)
  }
  const client = new PrismaClient({ adapter: pgliteAdapter(db, told) })
  const database: Database = {
    kind: 'pglite',
    get prisma() {
      assertOutsideTransaction(database)
      return client
    },
    listen: (onWake) => db.listen(channel, () => onWake()),
    notify: async () => void (await db.exec(`NOTIFY ${channel}`)),
    ping: async () => void (await db.query('SELECT 1')),
    exec: async (sql) => void (await db.exec(sql)),
    session: (run) => run({ run: async (sql) => (await db.exec(sql)).at(-1)?.rows ?? [] }),
    onQuery(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await client.$disconnect()
      await db.close()
      await release()
    },
  }
  return database
}
