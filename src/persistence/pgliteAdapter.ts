import type { PGlite, Transaction as PGliteTransaction } from '@electric-sql/pglite'
import type { SqlDriverAdapter, SqlQuery, SqlQueryable, Transaction } from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'

type QueryableClass = new (client: PGlite | PGliteTransaction) => SqlQueryable

/**
 * Prisma's adapter for PGlite with its transactions done right: the adapter as published loses errors of COMMIT
 * (a deferred constraint that fails looks like success), sets the isolation level before BEGIN and has no savepoints.
 */
class CorrectedPglite extends PrismaPGlite {
  constructor(
    private readonly db: PGlite,
    private readonly told: (sql: string) => void,
  ) {
    super(db)
  }

  override async connect(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect()
    // The class that runs queries is not exported; it is the parent of the adapter's class.
    const Queryable = Object.getPrototypeOf(adapter.constructor) as QueryableClass
    const telling = <T extends SqlQueryable>(queryable: T): T => {
      const send = queryable.queryRaw.bind(queryable)
      const execute = queryable.executeRaw.bind(queryable)
      return Object.assign(queryable, {
        queryRaw: (query: SqlQuery) => {
          this.told(query.sql)
          return send(query)
        },
        executeRaw: (query: SqlQuery) => {
          this.told(query.sql)
          return execute(query)
        },
      })
    }
    return Object.assign(telling(adapter), {
      startTransaction: (isolationLevel?: string) =>
        begin(this.db, (client) => telling(new Queryable(client)), this.told, isolationLevel),
      executeScript: async (script: string) => {
        await this.db.exec(script)
      },
    })
  }
}

/** The adapter factory for a PGlite; `told` hears of every statement. */
export function pgliteAdapter(db: PGlite, told: (sql: string) => void): PrismaPGlite {
  return new CorrectedPglite(db, told)
}

function begin(
  db: PGlite,
  queryable: (client: PGliteTransaction) => SqlQueryable,
  told: (sql: string) => void,
  isolationLevel: string | undefined,
): Promise<Transaction> {
  return new Promise((resolve, reject) => {
    let finish: () => void = () => {}
    const finished = new Promise<void>((done) => {
      finish = done
    })
    const done: Promise<void> = db.transaction(async (client) => {
      told('BEGIN')
      if (isolationLevel) await client.exec(`SET TRANSACTION ISOLATION LEVEL ${isolationLevel}`)
      resolve(
        Object.assign(queryable(client), {
          options: { usePhantomQuery: true },
          async commit() {
            told('COMMIT')
            try {
              // Raises what COMMIT would raise, also in a transaction that has failed already.
              await client.exec('SET CONSTRAINTS ALL IMMEDIATE')
            } catch (error) {
              await client.rollback()
              finish()
              await done.catch(() => {})
              throw error
            }
            finish()
            await done
          },
          async rollback() {
            told('ROLLBACK')
            await client.rollback()
            finish()
            await done
          },
          createSavepoint: async (name: string) => void (await client.exec(`SAVEPOINT ${name}`)),
          rollbackToSavepoint: async (name: string) => void (await client.exec(`ROLLBACK TO SAVEPOINT ${name}`)),
          releaseSavepoint: async (name: string) => void (await client.exec(`RELEASE SAVEPOINT ${name}`)),
        }) as Transaction,
      )
      await finished
    })
    done.catch(reject)
  })
}
