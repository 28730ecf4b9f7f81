import { expect, it } from 'vitest'
import type { Database } from '../../src/persistence/database.js'
import { ask, type Node, publishDelay, startNode } from '../support/cluster.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'

const hour = 3_600_000

async function start(node: Node, name: string): Promise<string> {
  const source = `mutation { it: startInstance(input: { name: "${name}" }) { instance { id } } }`
  const { instance } = (await ask([node], 0, 'alice', source)) as unknown as { instance: { id: string } }
  return instance.id
}

/** Lets the clock of the node jump and waits until it has. */
async function jump(node: Node, shift: number): Promise<void> {
  const before = node.lines.length
  node.child.kill('SIGUSR2')
  await eventually(() => expect(node.lines.length).toBe(before + 1))
  const clock = Date.parse(node.lines.at(-1)?.replace(/^clock: /, '') ?? '')
  expect(Math.abs(clock - Date.now() - shift)).toBeLessThan(60_000)
}

/** How long the instance ran, in seconds by the database's clock; waits for its end. */
async function durationOf({ prisma }: Database, id: string): Promise<number> {
  const ended = await eventually(() => prisma.instance.findFirstOrThrow({ where: { id, status: 'COMPLETED' } }))
  return (Number(ended.endedAt) - Number(ended.createdAt)) / 1000
}

/** How long the instance still waits by the database's clock; fails where it waits no more. */
async function minutesLeft({ prisma }: Database, id: string): Promise<number | undefined> {
  const [row] = await prisma.$queryRaw<{ minutes: number }[]>`
    SELECT extract(epoch FROM b."dueAt" - now())::float / 60 AS minutes FROM "Bookmark" b WHERE b."instanceId" = ${id}::uuid`
  return row?.minutes
}

onPostgres('a node whose clock jumps by an hour', (database, url) => {
  it('ahead and back fires nothing early and puts nothing off', async () => {
    const preload = new URL('../support/jumpingClock.mjs', import.meta.url).href
    const node = await startNode(url(), {
      NODE_OPTIONS: `--import ${preload}`,
      CLOCK_SHIFTS: `${hour},${-hour}`,
      POLL_INTERVAL_SECONDS: '1',
    })
    await publishDelay([node], 'short', '00:00:01')
    await publishDelay([node], 'long', '00:30:00')
    for (const shift of [hour, -hour]) {
      const before = await start(node, 'short')
      const longBefore = await start(node, 'long')
      await jump(node, shift)
      const after = await start(node, 'short')
      const longAfter = await start(node, 'long')
      for (const id of [before, after]) {
        const duration = await durationOf(database(), id)
        expect(duration).toBeGreaterThanOrEqual(1)
        expect(duration).toBeLessThan(60)
      }
      for (const id of [longBefore, longAfter]) {
        const left = await minutesLeft(database(), id)
        expect(left).toBeGreaterThan(29)
        expect(left).toBeLessThanOrEqual(30)
      }
    }
  })
})
