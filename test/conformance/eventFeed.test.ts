import { uuidv7 } from 'uuidv7'
import { expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/persistence/database.js'
import { encodeCursor } from '../../src/persistence/events.js'
import { inTransaction, type Transaction } from '../../src/persistence/transaction.js'
import { createEventFeed, type EventFeed, type SubscribeOptions } from '../../src/workers/eventFeed.js'
import { createNotifier } from '../../src/workers/notifier.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const approval = document('approval', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, [
  's>t',
  't>end',
])

async function withFeed<T>(database: Database, run: (feed: EventFeed) => Promise<T>, bufferSize = 1000): Promise<T> {
  const feed = createEventFeed({ database, pollInterval: 50, bufferSize, log })
  await feed.start()
  try {
    return await run(feed)
  } finally {
    await feed.stop()
  }
}

const wish = (more: Partial<SubscribeOptions> = {}): SubscribeOptions => ({
  tenantId: 't1',
  keys: ['tenant'],
  after: null,
  signal: new AbortController().signal,
  ...more,
})

type Events = Awaited<ReturnType<EventFeed['subscribe']>>

async function take(events: Events, count: number) {
  const taken = []
  while (taken.length < count) {
    const { value, done } = await events.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

/** An event of its own, as a transaction writes it. */
function write(tx: Transaction, type: string): Promise<unknown> {
  return tx.$executeRaw`
    INSERT INTO "Event" ("tenantId", id, type, at, recipients, data)
    VALUES ('t1', ${uuidv7()}::uuid, ${type}, '1970-01-01T00:00:00Z', '{u1}', '{}')`
}

/** Writes an event in a transaction that stays open until it is told to commit. */
async function holdOpen(database: Database, type: string): Promise<{ commit: () => Promise<void> }> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let done: Promise<void> = Promise.resolve()
  await new Promise<void>((written, failed) => {
    done = inTransaction(database, async (tx) => {
      await write(tx, type)
      written()
      await held
    })
    done.catch(failed)
  })
  return {
    commit() {
      release()
      return done
    },
  }
}

onBothDatabases('the event feed', (database) => {
  it('delivers in order, and behind a cursor what was missed, then live events', async () => {
    const engine = new Engine(database())
    await engine.publish(approval)
    await withFeed(database(), async (feed) => {
      engine.runtime.wake = () => feed.wake()
      const events = await feed.subscribe(wish({ keys: ['user:u1'] }))
      const { instance } = unwrap(await engine.start('approval'))
      const [created] = await take(events, 1)
      expect(created).toMatchObject({ type: 'workflow.task.created', recipients: ['u1'], instanceId: instance.id })
      await events.return(undefined)
      unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
      const stored = await database().prisma.event.findMany({ orderBy: { seq: 'asc' } })
      const keys = [`instance:${instance.id}`]
      const rest = await feed.subscribe(wish({ keys, after: created?.cursor ?? '' }))
      const missed = stored.filter((event) => event.instanceId === instance.id && event.seq > (created?.seq ?? 0n))
      expect((await take(rest, missed.length)).map(({ id }) => id)).toEqual(missed.map(({ id }) => id))
      expect(missed.at(-1)?.type).toBe('workflow.instance.completed')

      const definition = await feed.subscribe(wish({ keys: ['definition:approval'] }))
      const second = unwrap(await engine.start('approval'))
      expect((await take(definition, 1))[0]).toMatchObject({
        instanceId: second.instance.id,
        type: 'workflow.instance.started',
      })
    })
  })

  it('reads on from the database where its memory does not reach back', async () => {
    await withFeed(
      database(),
      async (feed) => {
        const start = await feed.position()
        for (let index = 0; index < 30; index += 1) await write(database().prisma, `n${index}`)
        const late = await feed.subscribe(wish({ after: start }))
        expect((await take(late, 30)).map(({ type }) => type)).toEqual(Array.from({ length: 30 }, (_, n) => `n${n}`))
      },
      4,
    )
  })

  it('passes over topics that are not asked for, other partitions, and what may not be seen', async () => {
    await withFeed(database(), async (feed) => {
      const some = await feed.subscribe(wish({ types: ['b', 'c', 'end'], accept: (event) => event.type !== 'c' }))
      const foreign = await feed.subscribe(wish({ tenantId: 'other' }))
      for (const type of ['a', 'b', 'c', 'end']) await write(database().prisma, type)
      await database().prisma.event.create({
        data: { tenantId: 'other', id: uuidv7(), type: 'theirs', at: new Date(0), recipients: [], data: {} },
      })
      expect((await take(some, 2)).map(({ type }) => type)).toEqual(['b', 'end'])
      expect((await take(foreign, 1)).map(({ type }) => type)).toEqual(['theirs'])
    })
  })

  it('refuses cursors that are none of its own', async () => {
    await withFeed(database(), async (feed) => {
      const future = encodeCursor({ txid: 900_000_000_000n, seq: 1n })
      for (const after of ['', 'x', 'MTo', Buffer.from('1:-1:2').toString('base64url'), '\u0000', future])
        await expect(feed.subscribe(wish({ after }))).rejects.toMatchObject({
          code: 'WORKFLOW_VALIDATION_002',
          messageKey: 'workflow.events.cursor_invalid',
        })
    })
  })

  it('frees a subscriber at once when he leaves, without waiting for an event', async () => {
    await withFeed(database(), async (feed) => {
      const leaving = new AbortController()
      const events = await feed.subscribe(wish({ signal: leaving.signal }))
      const next = events.next()
      expect(feed.listeners()).toBe(1)
      leaving.abort()
      expect(feed.listeners()).toBe(0)
      expect((await next).done).toBe(true)
      const gone = await feed.subscribe(wish({ signal: AbortSignal.abort() }))
      expect((await gone.next()).done).toBe(true)
      expect(feed.listeners()).toBe(0)
    })
  })
})

onPostgres('the event feed', (database, url) => {
  it('holds back what an older transaction could still come before', async () => {
    await withFeed(database(), async (feed) => {
      const events = await feed.subscribe(wish())
      const older = await holdOpen(database(), 'older')
      await write(database().prisma, 'newer')
      const first = events.next()
      feed.wake()
      // Nothing may come yet: the reader has looked (it says so by asking the database) and found nothing safe.
      expect(await Promise.race([first, feed.position().then(() => 'nothing')])).toBe('nothing')
      await older.commit()
      expect((await first).value?.type).toBe('older')
      expect((await take(events, 1))[0]?.type).toBe('newer')
    })
  })

  it('begins now: what has committed before is not told, even while an older transaction runs', async () => {
    await withFeed(database(), async (feed) => {
      const older = await holdOpen(database(), 'older')
      await write(database().prisma, 'before')
      const [live, behind] = [
        await feed.subscribe(wish()),
        await feed.subscribe(wish({ after: await feed.position() })),
      ]
      await write(database().prisma, 'after')
      await older.commit()
      for (const events of [live, behind])
        expect((await take(events, 2)).map(({ type }) => type)).toEqual(['older', 'after'])
    })
  })

  it('misses nothing and doubles nothing while 8 writers commit and the subscriber is cut off again and again', async () => {
    const engine = new Engine(database())
    await engine.publish(approval)
    const other = await openDatabase({ url: url() })
    const notifier = createNotifier(database(), 5)
    engine.runtime.wake = () => notifier.notify()
    try {
      await withFeed(other, async (feed) => {
        let cursor = await feed.position()
        const seen: string[] = []
        let writing = true
        const reading = (async () => {
          for (let cut = 1; ; cut += 1) {
            const leaving = new AbortController()
            const events = await feed.subscribe(wish({ after: cursor, signal: leaving.signal }))
            for (let index = 0; index < 1 + ((cut * 7) % 13); index += 1) {
              const { value, done } = await events.next()
              if (done || value.type === 'end') return
              seen.push(value.id)
              cursor = value.cursor
            }
            leaving.abort()
          }
        })()
        const writers = Array.from({ length: 8 }, async () => {
          for (let index = 0; index < 12; index += 1) {
            const { instance } = unwrap(await engine.start('approval'))
            const [task] = await engine.tasks(instance.id)
            unwrap(await engine.complete(task?.id ?? '', 'u1'))
          }
        })
        await Promise.all(writers)
        writing = false
        await write(database().prisma, 'end')
        notifier.notify()
        await reading
        expect(writing).toBe(false)
        const stored = await database().prisma.event.findMany({
          where: { instanceId: { not: null } },
          orderBy: [{ txid: 'asc' }, { seq: 'asc' }],
          select: { id: true },
        })
        expect(stored.length).toBeGreaterThan(8 * 12 * 4)
        expect(seen).toEqual(stored.map(({ id }) => id))
        expect(feed.listeners()).toBeLessThanOrEqual(1)
      })
    } finally {
      await notifier.stop()
      await other.close()
    }
  })
})
