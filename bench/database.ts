import pg from 'pg'
import { openDatabase } from '../src/persistence/database.js'
import { migrateDatabase } from '../src/persistence/migrate.js'

const server = process.env.BENCH_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres'

/** Runs on a fresh, migrated database of its own on the server of BENCH_DATABASE_URL, and drops it afterwards. */
export async function withFreshDatabase(run: (url: string) => Promise<void>): Promise<void> {
  const name = `countersign_bench_${process.pid}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  const url = new URL(server)
  url.pathname = `/${name}`
  try {
    await admin.query(`CREATE DATABASE ${name}`)
    const database = await openDatabase({ url: url.href })
    await migrateDatabase(database)
    await database.close()
    await run(url.href)
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.end()
  }
}

/** Does every item once, by so many workers at a time; answers items per second. */
export async function rateOf<Item>(
  items: readonly Item[],
  workers: number,
  work: (item: Item, worker: number) => Promise<unknown>,
): Promise<number> {
  let next = 0
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item, worker)
    }),
  )
  return (items.length * 1000) / (performance.now() - begin)
}
