import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { isRefusal, type JsonObject } from '../../src/engine/model.js'
import { handle } from '../../src/handle.js'
import type { OutboundOptions } from '../../src/outbound/client.js'
import { httpJobs } from '../../src/outbound/httpJobs.js'
import type { Database } from '../../src/persistence/database.js'
import { leaseJobs } from '../../src/persistence/locks.js'
import type { DoJob } from '../../src/workers/jobRun.js'
import { createJobWorker, type JobWorker, type JobWorkerOptions } from '../../src/workers/jobs.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { Outside, sendJson } from '../support/outside.js'
import { person } from '../support/run.js'

const outside = new Outside()
beforeAll(() => outside.open())
afterAll(() => outside.close())
beforeEach(() => {
  outside.asked.length = 0
  outside.intrusions = 0
  outside.answer = (_asked, response) => sendJson(response, '{"ok":true}')
})

const calling = (properties: JsonObject = {}, options: JsonObject = {}) =>
  document(
    'calls',
    {
      s: 'Start',
      h: ['Http', { Url: '{{ url }}', ...properties }, options],
      t: ['UserTask', { Assignees: ['u1'] }],
      end: 'End',
    },
    ['s>h', 'h>t', 't>end'],
  )

/** A node of the cluster. */
function workerOf(engine: Engine, options: Partial<JobWorkerOptions> & { outbound?: OutboundOptions } = {}): JobWorker {
  const { outbound, ...more } = options
  return createJobWorker(engine.runtime, {
    kinds: { http: httpJobs(outside.outbound(outbound)) },
    pollInterval: 20,
    concurrency: 10,
    ...more,
  })
}

/** A gate that work waits at until the test opens it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const only = (database: Database) => database.prisma.instance.findFirstOrThrow()

onBothDatabases('jobs', (database) => {
  it('call outside any transaction and resume the node with the reply', async () => {
    const engine = new Engine(database())
    await engine.publish(calling({ Method: 'POST', Body: { n: '{{ n }}' } }))
    const { instance } = unwrap(await engine.start('calls', { url: outside.url, n: 3 }))
    expect(instance.status).toBe('RUNNING')
    expect(outside.asked).toEqual([])
    expect(await workerOf(engine).runCycle()).toBe(1)
    const node = await database().prisma.nodeInstance.findFirstOrThrow({ where: { nodeId: 'h' } })
    expect(outside.asked).toMatchObject([
      { method: 'POST', body: '{"n":"3"}', headers: { 'idempotency-key': `${node.id}-1` } },
    ])
    expect((await only(database())).variables).toMatchObject({ http: { status: 200, body: { ok: true } } })
    expect(await engine.taskOf('u1')).not.toContain('00000000-0000')
    expect(await database().prisma.bookmark.count({ where: { kind: 'JOB' } })).toBe(0)
    expect(await workerOf(engine).runCycle()).toBe(0)
  })

  it('a failed call is retried by the policy of the node with a new key, then goes on as for errors', async () => {
    const engine = new Engine(database())
    const retryPolicy = { maxAttempts: 2, firstDelay: '00:00:10' }
    await engine.publish(calling({}, { retryPolicy, continueOnError: true }))
    outside.answer = (_asked, response) => sendJson(response, '{}', 500)
    unwrap(await engine.start('calls', { url: outside.url }))
    const worker = workerOf(engine)
    expect(await worker.runCycle()).toBe(1)
    expect(await worker.runCycle()).toBe(0)
    engine.clock.time += 10_000
    await engine.poll()
    expect(await worker.runCycle()).toBe(1)
    const [first, second] = outside.asked.map(({ headers }) => String(headers['idempotency-key']))
    expect(first).toMatch(/-1$/)
    expect(second).toBe(first?.replace(/-1$/, '-2'))
    expect((await only(database())).variables).toMatchObject({ outcome: 'error' })
  })

  it('a node that dies in the middle of a call: another calls again with the same key after the lease', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    unwrap(await engine.start('calls', { url: outside.url }))
    const entered = gate()
    // The first call is never answered: its node is as good as dead.
    outside.answer = () => entered.open()
    const dying = workerOf(engine, { lease: 60_000, patience: 0 })
    const cycle = dying.runCycle()
    await entered.opened
    outside.answer = (_asked, response) => sendJson(response, '{"by":"other"}')
    const other = workerOf(engine)
    expect(await other.runCycle()).toBe(0)
    engine.clock.time += 60_001
    expect(await other.runCycle()).toBe(1)
    const keys = outside.asked.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([keys[0], keys[0]])
    expect((await only(database())).variables).toMatchObject({ http: { body: { by: 'other' } } })
    await Promise.all([dying.stop(), cycle])
    expect((await only(database())).variables).toMatchObject({ http: { body: { by: 'other' } } })
  })

  it('the late result of a lease that has passed on is refused', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    unwrap(await engine.start('calls', { url: outside.url }))
    const [entered, late] = [gate(), gate()]
    const slow: DoJob = async () => {
      entered.open()
      await late.opened
      return { ok: true, output: { status: 200, headers: {}, body: 'late' } }
    }
    const cycle = workerOf(engine, { kinds: { http: slow }, lease: 60_000 }).runCycle()
    await entered.opened
    engine.clock.time += 60_001
    const [job] = await leaseJobs(database().prisma, engine.clock.time, {
      lease: 'new',
      milliseconds: 60_000,
      limit: 1,
    })
    expect(job).toMatchObject({ kind: 'http', lease: 'new', nodeId: 'h' })
    late.open()
    await cycle
    expect((await only(database())).variables).not.toHaveProperty('http')
    expect(await database().prisma.bookmark.count({ where: { kind: 'JOB', lockedBy: 'new' } })).toBe(1)
  })

  it('a lease is renewed while its call runs, and the call is given up once nobody waits for it', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    const { instance } = unwrap(await engine.start('calls', { url: outside.url }))
    const [entered, renewed] = [gate(), gate()]
    let reason = ''
    const waiting: DoJob = (_payload, signal) => {
      entered.open()
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          reason = String(signal.reason)
          reject(signal.reason)
        }),
      )
    }
    const stop = database().onQuery((sql) => {
      if (/SET "lockedUntil"/.test(sql)) renewed.open()
    })
    const cycle = workerOf(engine, { kinds: { http: waiting }, lease: 150 }).runCycle()
    await entered.opened
    engine.clock.time += 140
    await renewed.opened
    stop()
    unwrap(
      await handle(engine.runtime, person('op', 'operate'), { type: 'cancel', instanceId: instance.id, reason: null }),
    )
    await cycle
    expect(reason).toContain('taken away')
    expect((await only(database())).status).toBe('CANCELED')
  })

  it('a job that throws fails its node; one that hangs neither stops nor starves the others', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    for (let index = 0; index < 6; index += 1) unwrap(await engine.start('calls', { url: `http://${index}.test/` }))
    const hanging = gate()
    let done = 0
    let most = 0
    let now = 0
    const others = gate()
    const mixed: DoJob = async ({ url }) => {
      now += 1
      most = Math.max(most, now)
      try {
        if (url === 'http://0.test/') await hanging.opened
        if (url === 'http://1.test/') throw new RangeError('secret')
        return { ok: true, output: { status: 200, headers: {}, body: url ?? null } }
      } finally {
        now -= 1
        done += 1
        if (done === 5) others.open()
      }
    }
    const cycle = workerOf(engine, { kinds: { http: mixed }, concurrency: 2 }).runCycle()
    await others.opened
    hanging.open()
    expect(await cycle).toBe(6)
    expect(most).toBe(2)
    const faulted = await database().prisma.instance.findMany({ where: { status: 'FAULTED' } })
    expect(faulted).toMatchObject([
      { fault: { messageKey: 'workflow.activity.threw', arguments: { node: 'h', reason: 'RangeError' } } },
    ])
    expect(await engine.tasks()).toHaveLength(5)
  })

  it('a started worker takes jobs when it is woken, and stops without taking more', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    const worker = workerOf(engine, { pollInterval: 3_600_000 })
    const arrived = gate()
    engine.runtime.wake = () => worker.wake()
    outside.answer = (_asked, response) => {
      sendJson(response, '{}')
      arrived.open()
    }
    worker.start()
    unwrap(await engine.start('calls', { url: outside.url }))
    await arrived.opened
    await worker.stop()
    expect(await engine.tasks()).toHaveLength(1)
    unwrap(await engine.start('calls', { url: outside.url }))
    expect(await worker.runCycle()).toBe(0)
    expect(outside.asked).toHaveLength(1)
  })

  it('a result that the database cannot take fails the node instead of coming back for ever', async () => {
    const engine = new Engine(database())
    const ask = ['UserTask', { Assignees: ['u1'], Title: '{{ http.body }}' }] as [string, JsonObject]
    const nodes = { s: 'Start', h: ['Http', { Url: '{{ url }}' }] as [string, JsonObject], t: ask, end: 'End' }
    await engine.publish(document('titled', nodes, ['s>h', 'h>t', 't>end']))
    unwrap(await engine.start('titled', { url: outside.url }))
    let calls = 0
    const poisoned: DoJob = async () => {
      calls += 1
      return { ok: true, output: { status: 200, headers: {}, body: 'x\0y' } }
    }
    await workerOf(engine, { kinds: { http: poisoned } }).runCycle()
    engine.clock.time += 3_600_000
    expect(await workerOf(engine).runCycle()).toBe(0)
    expect(calls).toBe(1)
    expect(await only(database())).toMatchObject({
      status: 'FAULTED',
      faultNodeId: 'h',
      fault: { messageKey: 'workflow.activity.threw' },
    })
  })

  it('stands still while its instance is suspended, and is done after that', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    const { instance } = unwrap(await engine.start('calls', { url: outside.url }))
    const operator = person('op', 'operate')
    const { id: instanceId } = instance
    unwrap(await handle(engine.runtime, operator, { type: 'suspend', instanceId, reason: null }))
    expect(await workerOf(engine).runCycle()).toBe(0)
    unwrap(await handle(engine.runtime, operator, { type: 'resume', instanceId }))
    expect(await workerOf(engine).runCycle()).toBe(1)
    expect(await engine.tasks()).toHaveLength(1)
  })

  it('C32 a redirect into the private net faults the node with the host and nothing more', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    const inside = `http://127.0.0.1:${outside.port}/`
    outside.answer = (_asked, response) => response.writeHead(302, { location: inside }).end()
    unwrap(await engine.start('calls', { url: outside.url }))
    unwrap(await engine.start('calls', { url: inside }))
    expect(await workerOf(engine).runCycle()).toBe(2)
    const denied = {
      status: 'FAULTED',
      faultNodeId: 'h',
      fault: {
        code: 'WORKFLOW_UNEXPECTED_001',
        messageKey: 'workflow.http.address_denied',
        arguments: { host: '127.0.0.1' },
        inner: null,
      },
    }
    expect(await database().prisma.instance.findMany()).toMatchObject([denied, denied])
    expect(outside.intrusions).toBe(0)
    unwrap(await engine.start('calls', { url: outside.url }))
    await workerOf(engine, { outbound: { allowedHosts: ['127.0.0.1'] } }).runCycle()
    expect(await engine.tasks()).toHaveLength(1)
  })

  it('C33 a reply that drips faults with timed_out, and nothing of it is stored', async () => {
    const engine = new Engine(database())
    await engine.publish(calling({ TimeoutSeconds: 0.2 }))
    outside.answer = (_asked, response) => response.writeHead(200).write('x')
    unwrap(await engine.start('calls', { url: outside.url }))
    await workerOf(engine).runCycle()
    expect(await only(database())).toMatchObject({
      status: 'FAULTED',
      fault: { messageKey: 'workflow.http.timed_out', arguments: {} },
      variables: { url: outside.url },
    })
  })

  it('C33 during a slow call others work on other instances and on the same one', async () => {
    const engine = new Engine(database())
    await engine.publish(
      document(
        'both',
        {
          s: 'Start',
          p: 'Parallel',
          h: ['Http', { Url: '{{ url }}' }],
          t: ['UserTask', { Assignees: ['u1'] }],
          j: 'Join',
          end: 'End',
        },
        ['s>p', 'p>h', 'p>t', 'h>j', 't>j', 'j>end'],
      ),
    )
    const same = unwrap(await engine.start('both', { url: outside.url }))
    const [entered, answering] = [gate(), gate()]
    outside.answer = async (_asked, response) => {
      entered.open()
      await answering.opened
      sendJson(response, '{"slow":true}')
    }
    const cycle = workerOf(engine).runCycle()
    await entered.opened
    const other = unwrap(await engine.start('both', { url: outside.url }))
    for (const { id } of [other.instance, same.instance]) {
      const [task] = await engine.tasks(id)
      unwrap(await engine.complete(task?.id ?? '', 'u1'))
    }
    answering.open()
    await cycle
    expect(await database().prisma.instance.findMany()).toMatchObject([
      { status: 'COMPLETED' },
      { status: 'COMPLETED' },
    ])
  })

  it('C26 a number of a reply that would be rounded fails the node', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    outside.answer = (_asked, response) => sendJson(response, '{"id":9007199254740993}')
    unwrap(await engine.start('calls', { url: outside.url }))
    await workerOf(engine).runCycle()
    expect(await only(database())).toMatchObject({
      status: 'FAULTED',
      fault: { code: 'WORKFLOW_VALIDATION_002', messageKey: 'workflow.http.number_inexact' },
      variables: { url: outside.url },
    })
  })

  it('C25 a reply that cannot be stored fails the node, and a retry finds its way', async () => {
    const engine = new Engine(database())
    await engine.publish(calling({}, { retryPolicy: { maxAttempts: 2, firstDelay: '00:00:01' } }))
    outside.answer = (_asked, response) => sendJson(response, '{"a":"\\u0000","b":"\\ud83d"}')
    unwrap(await engine.start('calls', { url: outside.url }))
    await workerOf(engine).runCycle()
    outside.answer = (_asked, response) => sendJson(response, '{"a":"\\ud83d\\ude00"}')
    engine.clock.time += 1000
    await engine.poll()
    await workerOf(engine).runCycle()
    expect((await only(database())).variables).toMatchObject({ http: { body: { a: '😀' } } })
  })
})

onPostgres('many nodes', (database) => {
  it('never do a job twice', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    await Promise.all(Array.from({ length: 40 }, () => engine.start('calls', { url: outside.url }).then(unwrap)))
    const workers = Array.from({ length: 5 }, () => workerOf(engine, { concurrency: 3 }))
    const taken = await Promise.all(workers.map((worker) => worker.runCycle()))
    expect(taken.reduce((sum, count) => sum + count)).toBe(40)
    expect(new Set(outside.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(40)
    expect(outside.asked).toHaveLength(40)
    expect(await engine.tasks()).toHaveLength(40)
  })

  it('hold no transaction open while they wait for an answer', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    unwrap(await engine.start('calls', { url: outside.url }))
    const [entered, answering] = [gate(), gate()]
    outside.answer = async (_asked, response) => {
      entered.open()
      await answering.opened
      sendJson(response, '{}')
    }
    const cycle = workerOf(engine).runCycle()
    await entered.opened
    const open = await database().prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`
    expect(open).toEqual([{ count: 0 }])
    answering.open()
    await cycle
  })

  it('an approval beside a job still costs four round trips', async () => {
    const engine = new Engine(database())
    await engine.publish(calling())
    unwrap(await engine.start('calls', { url: outside.url }))
    await workerOf(engine).runCycle()
    const task = await engine.taskOf('u1')
    const statements: string[] = []
    const stop = database().onQuery((sql) => statements.push(sql))
    const done = await engine.complete(task, 'u1')
    stop()
    expect(isRefusal(done)).toBe(false)
    expect(statements).toHaveLength(4)
  })
})
