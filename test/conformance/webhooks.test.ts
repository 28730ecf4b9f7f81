import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { webhookPosts } from '../../src/outbound/webhookPosts.js'
import type { Database } from '../../src/persistence/database.js'
import { takeStatement } from '../../src/persistence/webhookDeliveries.js'
import {
  createWebhook,
  deleteWebhook,
  redeliver,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from '../../src/webhooks.js'
import { createWebhookWorker, type WebhookWorker } from '../../src/workers/webhooks.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { eventually } from '../support/eventually.js'
import { Outside } from '../support/outside.js'
import { person } from '../support/run.js'

const admin = person('admin', 'admin')
const approval = document('approval', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, [
  's>t',
  't>end',
])
const hour = 3_600_000
const unchanged = { url: null, topics: null, description: null, enabled: null }

/** An engine with an endpoint for some topics, and a node that sends. */
async function prepare(database: Database, outside: Outside, topics: string[]) {
  const engine = new Engine(database)
  engine.clock.time = Date.now()
  await engine.publish(approval)
  const register = (more: object = {}) =>
    createWebhook(engine.runtime, admin, { ...unchanged, url: `${outside.url}/hook`, topics, ...more })
  const node = () => createWebhookWorker(engine.runtime, { post: webhookPosts(outside.outbound()), pollInterval: 1000 })
  return {
    engine,
    register,
    node,
    deliveries: () => database.prisma.webhookDelivery.findMany({ orderBy: { seq: 'asc' } }),
  }
}

function withOutside(suite: (outside: () => Outside) => void): void {
  let outside = new Outside()
  beforeAll(() => outside.open())
  beforeEach(() => {
    outside.asked.length = 0
    outside.answer = (_asked, response) => response.end()
  })
  afterAll(async () => {
    await outside.close()
    outside = new Outside()
  })
  suite(() => outside)
}

interface Plan {
  'Actual Rows': number
  'Shared Hit Blocks': number
}

/** How often a node tries, once it has tried so often: transactions of other tests hold the log back for a while. */
async function attempts(node: WebhookWorker, count: number): Promise<number> {
  let made = 0
  await eventually(async () => {
    made += await node.runCycle()
    expect(made).toBeGreaterThanOrEqual(count)
  })
  return made + (await node.runCycle())
}

const told = (outside: Outside) => outside.asked.map(({ body }) => JSON.parse(body))

onBothDatabases('webhooks', (database) => {
  withOutside((outside) => {
    it('are sent what their topics name, signed, once, and nothing from before they were registered', async () => {
      const { engine, register, node, deliveries } = await prepare(database(), outside(), ['workflow.task.*'])
      unwrap(await engine.start('approval'))
      const { id, secret } = unwrap(await register({ topics: ['workflow.task.*', 'workflow.instance.completed'] }))
      const foreign = { ...admin, tenantId: 'elsewhere' }
      unwrap(await createWebhook(engine.runtime, foreign, { ...unchanged, url: `${outside().url}/other` }))
      const worker = node()
      expect(await worker.runCycle()).toBe(0)
      const { instance } = unwrap(await engine.start('approval', {}, { correlationId: 'K-1' }))
      const [task] = await engine.tasks(instance.id)
      unwrap(await engine.complete(task?.id ?? '', 'u1'))
      expect(await attempts(worker, 3)).toBe(3)
      expect(await worker.runCycle()).toBe(0)
      const verifier = new Verifier(secret)
      for (const { body, headers, path, method } of outside().asked) {
        expect([method, path]).toEqual(['POST', '/hook'])
        expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({ specversion: '1.0' })
        expect(headers['webhook-id']).toBe(JSON.parse(body).id)
      }
      expect(told(outside()).map(({ type }) => type)).toEqual([
        'workflow.task.created',
        'workflow.task.completed',
        'workflow.instance.completed',
      ])
      expect(told(outside())[0]).toMatchObject({ subject: instance.id, correlation: 'K-1', data: { taskId: task?.id } })
      expect(await deliveries()).toMatchObject(
        Array.from({ length: 3 }, () => ({ status: 'DELIVERED', attempts: 1, statusCode: 200, webhookId: id })),
      )
    })

    it('keep the order of an instance while one attempt fails, and hold up no other instance', async () => {
      const { engine, register, node } = await prepare(database(), outside(), ['workflow.task.*'])
      unwrap(await register())
      const [slow, quick] = [unwrap(await engine.start('approval')), unwrap(await engine.start('approval'))]
      for (const { instance } of [slow, quick])
        unwrap(await engine.complete((await engine.tasks(instance.id))[0]?.id ?? '', 'u1'))
      let failing = true
      outside().answer = ({ body }, response) => {
        if (failing && JSON.parse(body).subject === slow.instance.id) response.statusCode = 503
        response.end()
      }
      const worker = node()
      expect(await attempts(worker, 3)).toBe(3)
      const typesOf = (id: string) => told(outside()).flatMap(({ subject, type }) => (subject === id ? [type] : []))
      expect(typesOf(slow.instance.id)).toEqual(['workflow.task.created'])
      expect(typesOf(quick.instance.id)).toEqual(['workflow.task.created', 'workflow.task.completed'])
      failing = false
      expect(await worker.runCycle()).toBe(0)
      engine.clock.time += 6000
      expect(await attempts(worker, 2)).toBe(2)
      expect(typesOf(slow.instance.id)).toEqual([
        'workflow.task.created',
        'workflow.task.created',
        'workflow.task.completed',
      ])
    })

    it('are tried for a day, less and less often, then left as dead letters that can be sent again', async () => {
      const { engine, register, node, deliveries } = await prepare(database(), outside(), ['workflow.task.created'])
      unwrap(await register())
      unwrap(await engine.start('approval'))
      outside().answer = (_asked, response) => {
        response.statusCode = 500
        response.end()
      }
      const worker = node()
      const begin = engine.clock.time
      const pauses: number[] = []
      for (let cycle = 0; cycle < 60; cycle += 1) {
        await attempts(worker, 1)
        const [delivery] = await deliveries()
        if (delivery?.status !== 'PENDING' || !delivery.nextAt) break
        pauses.push(delivery.nextAt.getTime() - engine.clock.time)
        engine.clock.time = delivery.nextAt.getTime()
      }
      expect(pauses.length).toBeGreaterThan(8)
      expect(pauses.length).toBeLessThan(20)
      for (const [index, pause] of pauses.entries()) {
        const least = Math.min(5000 * 3 ** index, 4 * hour)
        expect(pause).toBeGreaterThanOrEqual(least)
        expect(pause).toBeLessThanOrEqual(least * 1.1 + 1)
      }
      expect(engine.clock.time - begin).toBeLessThanOrEqual(24 * hour)
      const [dead] = await deliveries()
      expect(dead).toMatchObject({
        status: 'DEAD',
        statusCode: 500,
        fault: { messageKey: 'workflow.http.error_status' },
      })
      outside().answer = (_asked, response) => response.end()
      unwrap(await redeliver(engine.runtime, admin, dead?.id ?? ''))
      expect(await redeliver(engine.runtime, admin, dead?.id ?? '')).toMatchObject({
        messageKey: 'workflow.webhook.delivery_not_ended',
      })
      expect(await attempts(worker, 1)).toBe(1)
      expect(await deliveries()).toMatchObject([{ status: 'DELIVERED', attempts: 1, fault: null }])
    })

    it('are sent again at their old place: before what still waits of their instance', async () => {
      const { engine, register, node, deliveries } = await prepare(database(), outside(), ['workflow.task.*'])
      unwrap(await register())
      const { instance } = unwrap(await engine.start('approval'))
      const worker = node()
      expect(await attempts(worker, 1)).toBe(1)
      outside().answer = (_asked, response) => response.writeHead(503).end()
      unwrap(await engine.complete((await engine.tasks(instance.id))[0]?.id ?? '', 'u1'))
      expect(await attempts(worker, 1)).toBe(1)
      const [created] = await deliveries()
      unwrap(await redeliver(engine.runtime, admin, created?.id ?? ''))
      // Long after the time of the later one.
      engine.clock.time += 6000
      expect(await attempts(worker, 1)).toBe(1)
      outside().answer = (_asked, response) => response.end()
      engine.clock.time += 6000
      expect(await attempts(worker, 2)).toBe(2)
      expect(told(outside()).map(({ type }) => type.split('.').at(-1))).toEqual([
        'created',
        'completed',
        'created',
        'created',
        'completed',
      ])
    })

    it('are signed with the secret before as well for as long as was asked for', async () => {
      const { engine, register, node } = await prepare(database(), outside(), ['workflow.instance.started'])
      const { id, secret } = unwrap(await register())
      const worker = node()
      const ping = async () => {
        unwrap(await testWebhook(engine.runtime, admin, id))
        expect(await attempts(worker, 1)).toBe(1)
        const { body = '', headers = {} } = outside().asked.at(-1) ?? {}
        return (known: string) => new Verifier(known).verify(body, headers as Record<string, string>)
      }
      const second = unwrap(await rotateSecret(engine.runtime, admin, id))
      const during = await ping()
      for (const known of [secret, second.secret]) expect(during(known)).toMatchObject({ type: 'webhook.ping' })
      // Receivers take no message from another day: the clock stays, the end of the overlap comes to it.
      engine.clock.time -= 24 * hour
      const third = unwrap(await rotateSecret(engine.runtime, admin, id))
      engine.clock.time += 24 * hour
      const after = await ping()
      expect(after(third.secret)).toMatchObject({ type: 'webhook.ping' })
      expect(() => after(second.secret)).toThrow('No matching signature')
      const leaked = unwrap(await rotateSecret(engine.runtime, admin, id, 0))
      const atOnce = await ping()
      expect(atOnce(leaked.secret)).toMatchObject({ type: 'webhook.ping' })
      expect(() => atOnce(third.secret)).toThrow('No matching signature')
    })

    it('reach no address inside, whatever the URL says', async () => {
      const { engine, register, node, deliveries } = await prepare(database(), outside(), ['workflow.task.created'])
      for (const host of ['127.0.0.1', 'localhost', 'intern.test', 'mixed.test'])
        unwrap(await register({ url: `http://${host}:${outside().port}/` }))
      unwrap(await engine.start('approval'))
      expect(await attempts(node(), 4)).toBe(4)
      expect(outside().intrusions).toBe(0)
      for (const { status, fault } of await deliveries()) {
        expect(status).toBe('PENDING')
        expect(fault).toMatchObject({ messageKey: 'workflow.http.address_denied' })
      }
    })

    it('follow no redirect: what answers behind it has not taken the event', async () => {
      const { engine, register, node, deliveries } = await prepare(database(), outside(), ['workflow.task.created'])
      outside().answer = ({ path }, response) =>
        path === '/new' ? response.end() : response.writeHead(302, { location: '/new' }).end()
      unwrap(await register({ url: `${outside().url}/old` }))
      unwrap(await engine.start('approval'))
      expect(await attempts(node(), 1)).toBe(1)
      expect(outside().asked.map(({ path }) => path)).toEqual(['/old'])
      expect(await deliveries()).toMatchObject([
        { status: 'PENDING', fault: { messageKey: 'workflow.http.too_many_redirects' } },
      ])
    })

    it('are switched off and on, tested, given a new secret, and forgotten', async () => {
      const { engine, register, node, deliveries } = await prepare(database(), outside(), ['workflow.instance.started'])
      const { id, secret } = unwrap(await register())
      const worker = node()
      const set = (enabled: boolean) => updateWebhook(engine.runtime, admin, id, { ...unchanged, enabled })
      unwrap(await set(false))
      unwrap(await engine.start('approval'))
      expect(await worker.runCycle()).toBe(0)
      unwrap(await set(true))
      expect(await worker.runCycle()).toBe(0)
      const rotated = unwrap(await rotateSecret(engine.runtime, admin, id))
      expect(rotated.secret).not.toBe(secret)
      unwrap(await testWebhook(engine.runtime, admin, id))
      expect(await attempts(worker, 1)).toBe(1)
      const [{ body = '', headers = {} } = {}] = outside().asked
      expect(new Verifier(rotated.secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'webhook.ping',
      })
      expect(await deleteWebhook(engine.runtime, { ...admin, tenantId: 'elsewhere' }, id)).toMatchObject({
        messageKey: 'workflow.webhook.not_found',
      })
      unwrap(await deleteWebhook(engine.runtime, admin, id))
      expect(await deliveries()).toEqual([])
    })
  })
})

onPostgres('webhooks of several nodes', (database) => {
  it('are taken without reading what waits for an endpoint that fails', async () => {
    await database().exec(`
      INSERT INTO "Webhook" ("tenantId", id, url, topics, enabled, secret, since, "createdAt")
        SELECT '', md5(w::text)::uuid, 'http://x', '{*}', true, '', '', now() FROM generate_series(0, 10) w;
      INSERT INTO "WebhookDelivery" ("tenantId", id, "webhookId", "eventId", type, "instanceId", body, "nextAt", "createdAt")
        SELECT '', gen_random_uuid(), md5('0')::uuid, gen_random_uuid(), 't', md5((i / 10 % 1000)::text)::uuid, '',
          CASE WHEN i < 10000 AND i % 10 = 0 THEN now() + interval '1 hour' WHEN i % 20 = 1 THEN now() END, now()
        FROM generate_series(0, 29999) i;
      INSERT INTO "WebhookDelivery" ("tenantId", id, "webhookId", "eventId", type, body, "nextAt", "createdAt")
        SELECT '', gen_random_uuid(), md5(w::text)::uuid, gen_random_uuid(), 't', '', now(), now()
        FROM generate_series(1, 10) w, generate_series(1, 10);
      INSERT INTO "WebhookDelivery" ("tenantId", id, "webhookId", "eventId", type, body, "nextAt", "createdAt")
        SELECT '', gen_random_uuid(), md5('0')::uuid, gen_random_uuid(), 't', '', now() - interval '1 minute', now()
        FROM generate_series(1, 20000);
      ANALYZE "Webhook", "WebhookDelivery"`)
    const [failing] = await database().prisma.$queryRaw<{ id: string }[]>`SELECT md5('0')::uuid AS id`
    for (const busy of [[], [failing?.id]]) {
      const [row] = await database().prisma.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${takeStatement}`,
        ...[null, 'lease', 30_000, busy],
      )
      expect(row?.['QUERY PLAN'][0].Plan['Actual Rows']).toBe(1)
      // Reading all of them once is some thousand pages; looking at each, a hundred thousand.
      expect(row?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(1000)
    }
  })

  withOutside((outside) => {
    it('are sent each event once in order by equal nodes that work at the same time', async () => {
      const { engine, register, node } = await prepare(database(), outside(), ['workflow.task.*'])
      unwrap(await register())
      const nodes = [node(), node(), node()]
      const expected = new Set<string>()
      for (let round = 0; round < 5; round += 1) {
        const started = await Promise.all(Array.from({ length: 8 }, () => engine.start('approval')))
        const work = started.map(async (one) => {
          const { instance } = unwrap(one)
          expected.add(instance.id)
          unwrap(await engine.complete((await engine.tasks(instance.id))[0]?.id ?? '', 'u1'))
        })
        await Promise.all([...work, ...nodes.map((each) => each.runCycle())])
      }
      for (const each of nodes) await each.stop()
      const last = node()
      await eventually(async () => {
        await last.runCycle()
        expect(outside().asked).toHaveLength(2 * expected.size)
      })
      for (const id of expected)
        expect(told(outside()).flatMap(({ subject, type }) => (subject === id ? [type] : []))).toEqual([
          'workflow.task.created',
          'workflow.task.completed',
        ])
    })

    it('goes on with what a node had taken that died, once its lease has ended', async () => {
      const { engine, register, node, deliveries } = await prepare(database(), outside(), ['workflow.task.created'])
      unwrap(await register())
      unwrap(await engine.start('approval'))
      let arrived: () => void = () => {}
      const asked = new Promise<void>((resolve) => {
        arrived = resolve
      })
      // The first attempt is never answered.
      outside().answer = () => arrived()
      const dying = node()
      const sending = async () => {
        while (outside().asked.length === 0) await dying.runCycle()
      }
      const cycle = sending().catch(() => {})
      await asked
      await dying.stop()
      await cycle
      outside().answer = (_asked, response) => response.end()
      const other = node()
      expect(await other.runCycle()).toBe(0)
      engine.clock.time += 31_000
      expect(await attempts(other, 1)).toBe(1)
      expect(await deliveries()).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
    })
  })
})
