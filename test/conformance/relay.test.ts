import { randomUUID } from 'node:crypto'
import { connect as dial } from 'node:net'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import type { Broker, CloudEvent } from '../../src/cloudEvent.js'
import { connectNats } from '../../src/outbound/nats.js'
import { createRelay, type Relay } from '../../src/workers/relay.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { eventually } from '../support/eventually.js'

const approval = document('approval', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, [
  's>t',
  't>end',
])

/** A broker in memory that loses its connection when it is told to. */
function memoryBroker() {
  const taken: CloudEvent[] = []
  const broker = {
    taken,
    failing: false,
    async publish(events: readonly CloudEvent[]) {
      for (const event of events) {
        if (broker.failing && taken.length % 3 === 2) throw new Error('connection lost')
        taken.push(event)
      }
    },
    close: async () => {},
  }
  return broker satisfies Broker
}

async function run(engine: Engine, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { instance } = unwrap(await engine.start('approval', {}, { correlationId: `k${index}` }))
    const [task] = await engine.tasks(instance.id)
    unwrap(await engine.complete(task?.id ?? '', 'u1'))
  }
}

const stored = async (engine: Engine) =>
  (await engine.database.prisma.event.findMany({ orderBy: [{ txid: 'asc' }, { seq: 'asc' }] })).map(({ id }) => id)

/** Has the relay carry until it has come so far. */
async function carry(relay: Relay, reached: () => void): Promise<void> {
  await eventually(async () => {
    await relay.runCycle()
    reached()
  })
}

onBothDatabases('the relay', (database) => {
  it('carries every event in order, goes on where it stood after a failure, and from then on only what is new', async () => {
    const engine = new Engine(database())
    const broker = memoryBroker()
    const relay = createRelay(engine.runtime, { name: 'r', pollInterval: 1000, connect: async () => broker })
    expect(await relay.runCycle()).toBe(0)
    await engine.publish(approval)
    await run(engine, 3)
    broker.failing = true
    // Transactions of other tests on the same server hold the log back for a while.
    await eventually(() => expect(relay.runCycle()).rejects.toThrow('connection lost'))
    broker.failing = false
    const ids = await stored(engine)
    const taken = () => new Set(broker.taken.map(({ id }) => id))
    await carry(relay, () => expect(taken().size).toBe(ids.length))
    // At least once, and the broker drops by id what comes again.
    expect([...taken()]).toEqual(ids)
    expect(broker.taken.find(({ type }) => type === 'workflow.instance.started')).toMatchObject({
      specversion: '1.0',
      source: '/workflow',
      tenant: 't1',
      correlation: 'k0',
      subject: expect.any(String),
      data: { definitionName: 'approval', instanceSeq: 1 },
    })
    expect(await relay.runCycle()).toBe(0)
    await run(engine, 1)
    const known = broker.taken.length
    const more = (await stored(engine)).slice(ids.length)
    await carry(relay, () => expect(broker.taken.slice(known).map(({ id }) => id)).toEqual(more))
  })
})

onPostgres('the relay', (database) => {
  it('is one node’s at a time, and goes over when that one stops', async () => {
    const engine = new Engine(database())
    const brokers = [memoryBroker(), memoryBroker()] as const
    const [first, second] = brokers.map((broker) =>
      createRelay(engine.runtime, { name: 'r', pollInterval: 1000, connect: async () => broker }),
    ) as [ReturnType<typeof createRelay>, ReturnType<typeof createRelay>]
    await first.runCycle()
    await engine.publish(approval)
    await run(engine, 2)
    expect(await second.runCycle()).toBe(0)
    const before = await stored(engine)
    await carry(first, () => expect(brokers[0].taken).toHaveLength(before.length))
    await first.stop()
    await run(engine, 2)
    const all = await stored(engine)
    const taken = () => [...brokers[0].taken, ...brokers[1].taken].map(({ id }) => id)
    await carry(second, () => expect(taken()).toEqual(all))
  })
})

const url = process.env.TEST_NATS_URL ?? 'nats://127.0.0.1:4222'
const answers = await new Promise<boolean>((resolve) => {
  const { hostname, port } = new URL(url)
  const socket = dial(Number(port || 4222), hostname)
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  socket.once('connect', () => socket.end())
})

describe.skipIf(!answers)(`NATS JetStream at ${url}`, () => {
  onPostgres('the relay', (database) => {
    it('hands events over once by id, each under its tenant and topic', async () => {
      const stream = `TEST_${randomUUID().slice(0, 8)}`
      const connection = await connect({ servers: url })
      try {
        const engine = new Engine(database())
        const relay = createRelay(engine.runtime, {
          name: stream,
          pollInterval: 1000,
          connect: () => connectNats({ url, stream }),
        })
        await relay.runCycle()
        await engine.publish(approval)
        await run(engine, 2)
        const ids = await stored(engine)
        let carried = 0
        const carryAll = () =>
          eventually(async () => {
            carried += await relay.runCycle()
            expect(carried).toBe(ids.length)
          })
        await carryAll()
        // As after a crash between handing over and noting it.
        await database().prisma.relayPosition.updateMany({ data: { txid: 0n, seq: 0n } })
        carried = 0
        await carryAll()
        await relay.stop()
        const manager = await jetstreamManager(connection)
        expect((await manager.streams.info(stream)).state.messages).toBe(ids.length)
        const consumer = await jetstream(connection).consumers.get(stream)
        const seen: CloudEvent[] = []
        const subjects = new Set<string>()
        for await (const message of await consumer.fetch({ max_messages: ids.length, expires: 5000 })) {
          seen.push(message.json<CloudEvent>())
          subjects.add(message.subject)
        }
        expect(seen.map(({ id }) => id)).toEqual(ids)
        expect(subjects).toContain(`${stream.toLowerCase()}.t1.workflow.task.created`)
        await manager.streams.delete(stream)
      } finally {
        await connection.close()
      }
    })
  })
})
