import { expect, it } from 'vitest'
import { inTransaction } from '../../src/persistence/transaction.js'
import { createEventFeed, type EventFeed } from '../../src/workers/eventFeed.js'
import { onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { person } from '../support/run.js'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const ask = (userId: string): [string, { Assignees: string[] }] => ['UserTask', { Assignees: [userId] }]
const pair = document('pair', { s: 'Start', a: ask('u1'), b: ask('u2'), end: 'End' }, ['s>a', 'a>b', 'b>end'])

/** A promise that somebody else resolves. */
function gate<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((opened) => {
    resolve = opened
  })
  return { promise, resolve }
}

async function take(feed: EventFeed, after: string, instanceId: string, count: number): Promise<(number | null)[]> {
  const keys = [`instance:${instanceId}`]
  const events = await feed.subscribe({ tenantId: 't1', keys, after, signal: new AbortController().signal })
  const taken: (number | null)[] = []
  for await (const event of events) {
    taken.push(event.instanceSeq)
    if (taken.length === count) break
  }
  return taken
}

onPostgres('a transaction that wrote before it waited for an instance', (database) => {
  /** The older transaction writes first and answers last; in between `meanwhile` happens. */
  async function run(meanwhile: () => Promise<void>) {
    const engine = new Engine(database())
    await engine.publish(pair)
    const { instance } = unwrap(await engine.start('pair'))
    const written = gate<void>()
    const held = gate<string>()
    const older = inTransaction(database(), async (tx) => {
      // The application's own row: from here on the transaction has its id.
      await tx.$executeRaw`INSERT INTO "User" ("tenantId", id, name, groups) VALUES ('t1', 'own-row', 'Own', '{}')`
      written.resolve()
      unwrap(await engine.complete(await held.promise, 'u2', 'approved', {}, { tx }))
    })
    await written.promise
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    await meanwhile()
    held.resolve(await engine.taskOf('u2'))
    await older
    const last = await database().prisma.instance.findFirstOrThrow({ where: { id: instance.id } })
    return { instanceId: instance.id, count: last.eventSeq }
  }

  it('delivers its events behind those that were committed before', async () => {
    const feed = createEventFeed({ database: database(), pollInterval: 50, bufferSize: 1000, log })
    await feed.start()
    try {
      const start = await feed.position()
      const { instanceId, count } = await run(async () => {})
      const numbers = await take(feed, start, instanceId, count)
      expect(count).toBeGreaterThan(3)
      expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    } finally {
      await feed.stop()
    }
  })

  it('delivers them to who came when the others were committed and these were not', async () => {
    const feed = createEventFeed({ database: database(), pollInterval: 50, bufferSize: 1000, log })
    await feed.start()
    try {
      let between = ''
      let seen = 0
      const { instanceId, count } = await run(async () => {
        between = await feed.position()
        seen = await database().prisma.event.count({ where: { instanceSeq: { not: null } } })
      })
      expect(await take(feed, between, instanceId, count - seen)).toEqual(
        Array.from({ length: count - seen }, (_, index) => seen + index + 1),
      )
    } finally {
      await feed.stop()
    }
  })

  it('leaves a place as it is where nothing was committed before', async () => {
    const engine = new Engine(database())
    await engine.publish(pair)
    await inTransaction(database(), async (tx) => unwrap(await engine.start('pair', {}, {}, { tx }, person('u0'))))
    expect(await database().prisma.event.count({ where: { writerTxid: { not: null } } })).toBe(0)
  })
})
