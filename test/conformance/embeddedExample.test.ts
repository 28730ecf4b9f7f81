import { afterEach, describe, expect, it } from 'vitest'
import { expenseClaim } from '../../examples/embedded/definition.js'
import { Expenses } from '../../examples/embedded/expenses.js'
import { extensions } from '../../examples/embedded/extensions.js'
import { RefusedError } from '../../src/index.js'
import type { Database } from '../../src/persistence/database.js'
import { testRun } from '../../src/testing/index.js'
import { onBothDatabases } from '../support/databases.js'

onBothDatabases('the example of an application', (database) => {
  const opened: Expenses[] = []
  async function open(clock?: { now(): number }): Promise<Expenses> {
    const expenses = await Expenses.open({ database: database(), clock })
    opened.push(expenses)
    return expenses
  }
  afterEach(async () => {
    for (const { engine } of opened.splice(0)) await engine.close()
    await database().exec('DROP TABLE IF EXISTS booking, claim, employee')
  })
  const count = async (db: Database, table: string) => {
    const [row] = await db.prisma.$queryRawUnsafe<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table}`)
    return row?.n
  }

  it('C31 writes a claim and starts its process together, books and records the result together', async () => {
    const expenses = await open()
    await expenses.hire('sam', 'mia')
    const small = await expenses.submit('sam', 80)
    expect(await expenses.statusOf(small)).toBe('open')
    await expenses.approve('mia', small)
    expect(await expenses.statusOf(small)).toBe('approved')
    expect(await count(database(), 'booking')).toBe(1)
    const large = await expenses.submit('sam', 1200)
    await expenses.approve('mia', large)
    expect(await expenses.statusOf(large)).toBe('open')
    await expect(expenses.approve('mia', large)).rejects.toThrow(RefusedError)
    await expenses.approve('fin', large, ['finance'])
    expect(await expenses.statusOf(large)).toBe('approved')
    expect(await count(database(), 'booking')).toBe(2)
  })

  it('C31 leaves neither claim nor process behind where one of them fails', async () => {
    const expenses = await open()
    await expect(expenses.submit('nobody', 80)).rejects.toThrow('no way to go')
    expect(await count(database(), 'claim')).toBe(0)
    expect(await count(database(), '"Instance"')).toBe(0)
  })

  it('does not take an approval whose booking the database refuses', async () => {
    const expenses = await open()
    await expenses.hire('sam', 'mia')
    const claimId = await expenses.submit('sam', 80)
    await database().exec(`INSERT INTO booking SELECT id, 'x', 1 FROM claim`)
    await expect(expenses.approve('mia', claimId)).rejects.toThrow()
    expect(await expenses.statusOf(claimId)).toBe('open')
    expect(await count(database(), '"TaskRecord"')).toBe(0)
  })

  it('rejects by itself a claim that nobody has answered in three days', async () => {
    const clock = { time: Date.parse('2026-01-05T09:00:00Z'), now: () => clock.time }
    const expenses = await open(clock)
    await expenses.hire('sam', 'mia')
    const claimId = await expenses.submit('sam', 80)
    clock.time += 3 * 86_400_000
    await expenses.engine.runDueWork()
    expect(await expenses.statusOf(claimId)).toBe('rejected')
  })
})

describe('the definition of the example, without a database', () => {
  const tx = {
    $queryRaw: async <T>() => [{ manager: 'mia' }] as T,
    $queryRawUnsafe: async <T>() => [] as T,
    $executeRaw: async () => 1,
    $executeRawUnsafe: async () => 1,
  }
  const start = (amount: number) =>
    testRun(expenseClaim, {
      variables: { claimId: 'c1', amount, employee: 'sam' },
      groups: { fin: ['finance'] },
      extensions,
      tx,
    })

  it('asks finance for large claims only', async () => {
    const small = await start(80)
    await small.approve('mia')
    expect(small.path).toEqual(['start', 'manager', 'route', 'book', 'approved'])
    const large = await start(1200)
    await large.approve('mia')
    await large.reject('fin')
    expect(large).toMatchObject({ status: 'COMPLETED', outcome: 'rejected' })
  })

  it('rejects what waits for three days', async () => {
    const run = await start(80)
    await run.advance({ days: 3 })
    expect(run.outcome).toBe('rejected')
  })
})
