import { expect } from 'vitest'
import type { Database } from '../../src/persistence/database.js'
import { ask, type Node } from './cluster.js'
import { eventually } from './eventually.js'
import { Follower } from './follower.js'

/** What a follower wants, and how the stored events are found that he has to get: SQL over "Event". */
interface Interest {
  user: string
  field: string
  stored: string
}

const ofUser = (user: string): Interest => ({
  user,
  field: 'taskEvents',
  stored: `"taskId" IS NOT NULL AND "instanceId" IS NOT NULL AND '${user}' = ANY(recipients)`,
})
const ofDefinition: Interest = {
  user: 'olga',
  field: 'instanceEvents definitionName: "hr.leave"',
  stored: `"definitionName" = 'hr.leave' AND "instanceId" IS NOT NULL`,
}
const ofAll: Interest = { user: 'olga', field: 'instanceEvents', stored: '"instanceId" IS NOT NULL' }

/** Followers of some people's tasks, of one process and of everything, half of them over each transport. */
export async function follow(nodes: readonly Node[], approvers: readonly string[], count: number) {
  const wishes = [ofDefinition, ofAll, ...approvers.map(ofUser)]
  const source = '{ it: events(first: 100) { endCursor hasNextPage } }'
  const page = (await ask(nodes, 0, 'olga', source)) as unknown as { endCursor: string; hasNextPage: boolean }
  expect(page).toEqual({ endCursor: expect.any(String), hasNextPage: false })
  return Array.from({ length: count }, (_, place) => {
    const { stored, ...wish } = wishes[place % wishes.length] ?? ofAll
    const transport = place % 2 === 0 ? 'sse' : 'websocket'
    return { stored, follower: new Follower({ ...wish, nodes, transport, after: page.endCursor }) }
  })
}

type Followers = Awaited<ReturnType<typeof follow>>

/**
 * Waits until each has the last event that is stored for him, and compares what he got with the log: each event once,
 * in its order. Answers how many events came to all of them together.
 */
export async function expectAllEvents({ prisma }: Database, followers: Followers, begun: bigint): Promise<number> {
  let total = 0
  for (const { follower, stored } of followers) {
    const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(
      `SELECT id FROM "Event" WHERE seq > ${begun} AND ${stored} ORDER BY txid, seq`,
    )
    const ids = rows.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(0)
    await eventually(() => expect(follower.ids.at(-1)).toBe(ids.at(-1)))
    const got = new Set(follower.ids)
    const missing = ids.filter((id) => !got.has(id)).length
    expect({ missing, doubled: follower.ids.length - got.size, ordered: follower.ids.join() === ids.join() }).toEqual({
      missing: 0,
      doubled: 0,
      ordered: true,
    })
    total += ids.length
  }
  return total
}

/** The sequence number of the last event that is stored. */
export async function lastEvent({ prisma }: Database): Promise<bigint> {
  const last = await prisma.event.findFirst({ orderBy: { seq: 'desc' }, select: { seq: true } })
  return last?.seq ?? 0n
}
