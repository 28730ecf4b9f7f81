import { uuidv7 } from 'uuidv7'
import { describe, expect, it } from 'vitest'
import { complete } from '../../src/engine/activities/activity.js'
import { fault, type JsonObject } from '../../src/engine/model.js'
import { type Extensions, FaultError } from '../../src/extensions.js'
import { handle } from '../../src/handle.js'
import { type Database, openDatabase } from '../../src/persistence/database.js'
import type { Transaction } from '../../src/persistence/transaction.js'
import type { Runtime } from '../../src/runtime.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'
import { person } from '../support/run.js'

const child = document('child', { s: 'Start', t: ['UserTask', { Assignees: ['u9'] }], end: 'End' }, ['s>t', 't>end'])
const parent = document(
  'parent',
  {
    s: 'Start',
    t: ['UserTask', { AssigneeRules: [{ type: 'Everyone', values: ['{{ dept }}'] }] }],
    spawn: ['Spawn', { Name: 'for {{ dept }}' }, { retryPolicy: { maxAttempts: 2, firstDelay: '00:00:10' } }],
    end: ['End', { Outcome: 'done' }],
  },
  ['s>t', 't>spawn', 'spawn>end'],
)

function startChild(runtime: Runtime, tx: Transaction, title: string) {
  const command = {
    type: 'start',
    instanceId: uuidv7(),
    variables: {},
    starterId: 'u0',
    correlationId: null,
    displayName: title,
  } as const
  return handle(runtime, person('u0'), command, { tx, definition: { name: 'child', version: null } })
}

function addUser(tx: Transaction, tenantId: string, id: string, name: string) {
  return tx.$executeRaw`INSERT INTO "User" ("tenantId", id, name, groups) VALUES (${tenantId}, ${id}, ${name}, '{}')`
}

/** An activity that reads a list and starts another instance, a rule that reads the directory, a handler that writes. */
function extensions(runtime: () => Runtime, more: Partial<Extensions> = {}): Extensions {
  return {
    activities: [
      {
        type: 'Spawn',
        properties: [{ name: 'Name', type: 'template', required: true, defaultValue: null }],
        async execute({ tx, instance, render }) {
          const [row] = await tx.$queryRaw<{ open: number }[]>`
            SELECT count(*)::int AS open FROM "Bookmark" WHERE "tenantId" = ${instance.tenantId} AND kind = 'USER_TASK'`
          const started = unwrap(await startChild(runtime(), tx, render('Name')))
          return complete({ openBefore: row?.open ?? null, childId: started.instance.id })
        },
      },
    ],
    assigneeProviders: [
      {
        type: 'Everyone',
        async resolve({ tx, values }) {
          const users = await tx.$queryRaw<{ id: string }[]>`
            SELECT id FROM "User" WHERE groups && ${values}::text[] ORDER BY id`
          return users.length > 0 ? users.map(({ id }) => id) : fault('ACME_001', 'acme.nobody', {})
        },
      },
    ],
    outcomeHandlers: [
      async ({ tx, instance, outcome }) => {
        const id = `result-${instance.id}`
        await addUser(tx, instance.tenantId, id, outcome)
        return undefined
      },
    ],
    ...more,
  }
}

function engineOn(database: Database, more: Partial<Extensions> = {}): Engine {
  const engine: Engine = new Engine(
    database,
    extensions(() => engine.runtime, more),
  )
  return engine
}

async function prepare(engine: Engine, source: JsonObject = parent): Promise<void> {
  const data = ['u1', 'u2'].map((id) => ({ tenantId: 't1', id, name: id, groups: ['sales'] }))
  await engine.database.prisma.user.createMany({ data })
  await engine.publish(child)
  await engine.publish(source)
}

onBothDatabases('application code in a process', (database) => {
  it('C31 reads lists and starts instances in the transaction of the command', async () => {
    const engine = engineOn(database())
    await prepare(engine)
    const { instance } = unwrap(await engine.start('parent', { dept: 'sales' }))
    expect((await engine.tasks()).map(({ key }) => key)).toEqual(['u1', 'u2'])
    const done = unwrap(await engine.complete(await engine.taskOf('u2'), 'u2'))
    expect(done.instance).toMatchObject({ status: 'COMPLETED', outcome: 'done', variables: { openBefore: 2 } })
    const { childId } = done.instance.variables as { childId: string }
    const [task] = await engine.tasks(childId)
    expect(task?.key).toBe('u9')
    expect(await database().prisma.instance.findFirst({ where: { id: childId } })).toMatchObject({ title: 'for sales' })
    const written = await database().prisma.user.findFirst({ where: { id: `result-${instance.id}` } })
    expect(written?.name).toBe('done')
  })

  it('faults with the name of what was thrown and nothing more, and is retried', async () => {
    let failing = true
    const told: unknown[] = []
    const engine = engineOn(database(), {
      activities: [
        {
          type: 'Spawn',
          async execute() {
            if (failing) throw new TypeError('password=secret')
            return complete()
          },
        },
      ],
    })
    engine.runtime.log = { ...engine.runtime.log, error: (facts) => told.push(facts) }
    await prepare(engine)
    const { instance } = unwrap(await engine.start('parent', { dept: 'sales' }))
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    const node = await database().prisma.nodeInstance.findFirstOrThrow({ where: { nodeId: 'spawn' } })
    expect(node.fault).toMatchObject({
      code: 'WORKFLOW_UNEXPECTED_001',
      messageKey: 'workflow.activity.threw',
      arguments: { node: 'spawn', reason: 'TypeError' },
    })
    expect(JSON.stringify(node.fault)).not.toContain('secret')
    expect(told).toMatchObject([{ instance: instance.id, node: 'spawn' }])
    failing = false
    engine.clock.time += 10_000
    await engine.poll()
    expect(await database().prisma.instance.findFirst({ where: { id: instance.id } })).toMatchObject({
      status: 'COMPLETED',
    })
  })

  it('says why it failed where it wants to: rule, activity and outcome handler', async () => {
    const refusing = fault('ACME_002', 'acme.refused', { by: 'ledger' })
    const engine = engineOn(database(), {
      activities: [{ type: 'Spawn', execute: () => Promise.reject(new FaultError(refusing)) }],
      outcomeHandlers: [async () => refusing],
    })
    await prepare(engine)
    const nobody = unwrap(await engine.start('parent', { dept: 'none' }))
    expect(nobody.instance).toMatchObject({ status: 'FAULTED', faultNodeId: 't', fault: { code: 'ACME_001' } })
    const spawning = unwrap(await engine.start('parent', { dept: 'sales' }))
    unwrap(await engine.complete(await engine.taskOf('u1'), 'u1'))
    engine.clock.time += 10_000
    await engine.poll()
    const failed = await database().prisma.instance.findFirst({ where: { id: spawning.instance.id } })
    expect(failed).toMatchObject({ status: 'FAULTED', faultNodeId: 'spawn', fault: refusing })
    await engine.publish(document('ends', { s: 'Start', end: ['End', { Outcome: 'yes' }] }, ['s>end']))
    const ends = unwrap(await engine.start('ends'))
    expect(ends.instance).toMatchObject({ status: 'FAULTED', faultNodeId: 'end', fault: refusing })
  })

  it('leaves nothing behind where the transaction fails', async () => {
    const engine = engineOn(database(), {
      activities: [
        {
          type: 'Spawn',
          async execute({ tx, instance }) {
            unwrap(await startChild(engine.runtime, tx, 'lost'))
            await addUser(tx, instance.tenantId, 'u1', 'twice')
            return complete()
          },
        },
      ],
    })
    await prepare(engine)
    unwrap(await engine.start('parent', { dept: 'sales' }))
    const task = await engine.taskOf('u1')
    await expect(engine.complete(task, 'u1')).rejects.toThrow()
    expect(await engine.taskOf('u1')).toBe(task)
    expect(await database().prisma.instance.count()).toBe(1)
  })
})

describe('application code and few connections', () => {
  for (const poolSize of [1, 5])
    onPostgres(`C31 with ${poolSize} connections`, (_database, url) => {
      it('thirty at once, all finish', async () => {
        const database = await openDatabase({ url: url(), poolSize })
        try {
          const engine = engineOn(database)
          await prepare(engine)
          await Promise.all(Array.from({ length: 30 }, () => engine.start('parent', { dept: 'sales' }).then(unwrap)))
          const tasks = (await engine.tasks()).filter(({ key }) => key === 'u1')
          const answers = tasks.map(({ id }) => engine.complete(id, 'u1').then(unwrap))
          const [done] = await Promise.all([Promise.all(answers), engine.poll()])
          expect(done.map(({ instance }) => instance.status)).toEqual(Array(30).fill('COMPLETED'))
          expect(await database.prisma.instance.count()).toBe(60)
        } finally {
          await database.close()
        }
      })
    })
})
