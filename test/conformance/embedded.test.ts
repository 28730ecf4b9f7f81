import pg from 'pg'
import { expect, it } from 'vitest'
import {
  actor,
  createEngine,
  defineWorkflow,
  type Engine,
  type EngineSetup,
  isRefusal,
  RefusedError,
  type Transaction,
  unwrap,
} from '../../src/index.js'
import type { Database } from '../../src/persistence/database.js'
import { onBothDatabases, onPostgres } from '../support/databases.js'

const author = actor('author', { permissions: ['design'] })
const operator = actor('op', { permissions: ['operate'] })
const worker = actor('worker', { permissions: ['work'] })
const [starter, boss, other] = [actor('sam'), actor('boss'), actor('other')]

const approval = defineWorkflow('approval')
  .variable('amount', { required: true })
  .start()
  .to('boss')
  .userTask('boss', { Assignees: ['boss'], AllowedOutcomes: ['approved', 'rejected', 'later'] })
  .to('pay', { when: "outcome == 'approved'" })
  .otherwise('no')
  .externalTask('pay', { Topic: 'pay', Payload: { amount: '{{ amount }}' } })
  .to('yes')
  .end('yes', { Outcome: 'paid' })
  .end('no', { Outcome: 'refused' })

async function withEngine(
  database: Database,
  run: (engine: Engine) => Promise<void>,
  setup: Partial<EngineSetup> = {},
): Promise<void> {
  const engine = await createEngine({ database, ...setup })
  try {
    const draft = unwrap(await engine.definitions.create(author, approval.build()))
    unwrap(await engine.definitions.publish(author, draft.id))
    await run(engine)
  } finally {
    await engine.close()
  }
}

const code = (value: unknown) => (isRefusal(value) ? value.code : null)

async function taskOf(engine: Engine, assigneeId: string): Promise<string> {
  const [task] = await engine.tasks.open(operator, { assigneeId })
  return task?.id ?? 'none'
}

const start = (engine: Engine, tx?: Transaction) =>
  engine.start(starter, { name: 'approval', variables: { amount: 5 } }, { tx }).then(unwrap)

onBothDatabases('the engine inside an application', (database) => {
  it('takes a case from its start to its end', () =>
    withEngine(database(), async (engine) => {
      const { instance } = await start(engine)
      expect(instance).toMatchObject({ status: 'RUNNING', starterId: 'sam', variables: { amount: 5 } })
      expect(instance).not.toHaveProperty('seq')
      const taskId = await taskOf(engine, 'boss')
      expect(code(await engine.tasks.approve(other, { taskId }))).toBe('WORKFLOW_DENIED_001')
      unwrap(await engine.tasks.approve(boss, { taskId, comment: 'fine', variables: { by: 'card' } }))
      const [work] = unwrap(await engine.externalTasks.fetch(worker, { topic: 'pay', workerId: 'w', lockSeconds: 60 }))
      const paid = { id: work?.id ?? '', workerId: 'w', variables: { receipt: 'r1' } }
      expect(code(await engine.externalTasks.complete(starter, paid))).toBe('WORKFLOW_DENIED_003')
      expect(unwrap(await engine.externalTasks.complete(worker, paid)).instance).toMatchObject({
        status: 'COMPLETED',
        outcome: 'paid',
        variables: { amount: 5, by: 'card', receipt: 'r1' },
      })
      expect(await engine.find(starter, instance.id)).toMatchObject({ status: 'COMPLETED' })
      expect(await engine.find(actor('sam', { tenantId: 'elsewhere' }), instance.id)).toBeNull()
    }))

  it('lets people hand tasks on: comment, delegate, add and remove signers', () =>
    withEngine(database(), async (engine) => {
      await start(engine)
      const taskId = await taskOf(engine, 'boss')
      const { tasks } = engine
      unwrap(await tasks.comment(boss, { taskId, comment: 'looking into it' }))
      unwrap(await tasks.delegate(boss, { taskId, toUserId: 'other' }))
      const delegated = await taskOf(engine, 'other')
      unwrap(await tasks.approve(other, { taskId: delegated }))
      expect(await taskOf(engine, 'other')).toBe('none')
      const back = await taskOf(engine, 'boss')
      unwrap(await tasks.addAssignees(boss, { taskId: back, userIds: ['other'] }))
      expect(await taskOf(engine, 'other')).not.toBe('none')
      unwrap(await tasks.removeAssignees(boss, { taskId: back, userIds: ['other'] }))
      expect(await taskOf(engine, 'other')).toBe('none')
      expect(code(await tasks.takeBack(boss, { taskId: back }))).not.toBeNull()
    }))

  it('checks its input as the API does, and refuses with a value that unwrap throws', () =>
    withEngine(database(), async (engine) => {
      const request = { name: 'approval', variables: { amount: 5 } }
      const refused = async (input: object) => code(await engine.start(starter, { ...request, ...input }))
      expect(await refused({ name: 'none' })).toBe('WORKFLOW_NOTFOUND_001')
      expect(await refused({ definitionId: 'x' })).toBe('WORKFLOW_VALIDATION_002')
      expect(await refused({ variables: [1] })).toBe('WORKFLOW_VALIDATION_002')
      expect(await refused({ variables: {} })).toBe('WORKFLOW_VALIDATION_002')
      expect(await refused({ variables: { amount: Number.NaN } })).toBe('WORKFLOW_VALIDATION_002')
      expect(await refused({ variables: { amount: () => 1 } })).toBe('WORKFLOW_VALIDATION_002')
      expect(await refused({ variables: { amount: 'nul \0' } })).toBe('WORKFLOW_VALIDATION_002')
      expect(await refused({ correlationId: 'half \ud800' })).toBe('WORKFLOW_VALIDATION_002')
      expect(await refused({ correlationId: ' ' })).toBe('WORKFLOW_VALIDATION_002')
      expect(await refused({ instanceId: 'x' })).toBe('WORKFLOW_VALIDATION_002')
      const circle: { [name: string]: unknown } = {}
      circle.self = circle
      expect(await refused({ variables: circle })).toBe('WORKFLOW_VALIDATION_004')
      expect(await refused({ variables: { amount: 'x'.repeat(1_048_577) } })).toBe('WORKFLOW_VALIDATION_004')
      expect(await database().prisma.instance.count()).toBe(0)
      const failing = engine.start(starter, { name: 'none' }).then((value) => unwrap(value))
      await expect(failing).rejects.toMatchObject({ name: 'RefusedError', code: 'WORKFLOW_NOTFOUND_001' })
      await expect(failing).rejects.toThrow(RefusedError)
      const day = new Date('2026-01-05T00:00:00Z')
      const dated = unwrap(await engine.start(starter, { ...request, variables: { amount: 1, day } }))
      expect(dated.instance.variables).toEqual({ amount: 1, day: '2026-01-05T00:00:00.000Z' })
      for (const id of ['x', dated.instance.id.replace(/^./, 'g')]) {
        expect(code(await engine.suspend(operator, { id }))).toBe('WORKFLOW_NOTFOUND_002')
        expect(code(await engine.tasks.approve(boss, { taskId: id }))).toBe('WORKFLOW_NOTFOUND_003')
        expect(code(await engine.resumeBookmark(operator, { id }))).toBe('WORKFLOW_NOTFOUND_003')
        expect(code(await engine.definitions.publish(author, id))).toBe('WORKFLOW_NOTFOUND_001')
        expect(await engine.find(starter, id)).toBeNull()
        expect(await engine.tasks.open(operator, { instanceId: id })).toEqual([])
      }
    }))

  it('asks for the permissions that the API asks for', () =>
    withEngine(database(), async (engine) => {
      const { id } = (await start(engine)).instance
      const denied = [
        engine.suspend(starter, { id }),
        engine.resume(starter, { id }),
        engine.cancel(starter, { id }),
        engine.terminate(starter, { id }),
        engine.retry(starter, { id }),
        engine.setVariables(starter, { id, set: {} }),
        engine.jump(starter, { id, targetNodeId: 'boss' }),
        engine.migrate(starter, { id, targetVersion: 1 }),
        engine.resumeBookmark(starter, { id }),
        engine.signal(starter, { name: 'go' }),
        engine.purge(starter, { endedBefore: new Date() }),
        engine.definitions.create(starter, approval.build()),
        engine.definitions.newVersion(starter, 'approval'),
        engine.externalTasks.fetch(starter, { topic: 'pay', workerId: 'w', lockSeconds: 1 }),
      ]
      for (const answer of await Promise.all(denied)) expect(code(answer)).toBe('WORKFLOW_DENIED_003')
    }))

  it('controls an instance and repeats no call that has a key', () =>
    withEngine(database(), async (engine) => {
      const input = { name: 'approval', variables: { amount: 5 }, correlationId: 'k' }
      const once = unwrap(await engine.start(starter, input, { idempotencyKey: 'a' })).instance
      expect(unwrap(await engine.start(starter, input, { idempotencyKey: 'a' })).instance.id).toBe(once.id)
      expect(code(await engine.start(starter, { ...input, correlationId: 'l' }, { idempotencyKey: 'a' }))).toBe(
        'WORKFLOW_CONFLICT_006',
      )
      expect(code(await engine.start(starter, { ...input, reusePolicy: 'REJECT_ACTIVE' }))).toBe(
        'WORKFLOW_CONFLICT_005',
      )
      const { id } = once
      expect(unwrap(await engine.suspend(operator, { id, reason: 'hold' })).instance.status).toBe('SUSPENDED')
      expect(unwrap(await engine.resume(operator, { id })).instance.status).toBe('RUNNING')
      const set = unwrap(await engine.setVariables(operator, { id, set: { amount: 7, more: 1 }, remove: ['more'] }))
      expect(set.instance.variables).toEqual({ amount: 7 })
      const stale = { expectedRevision: once.revision }
      expect(code(await engine.jump(operator, { id, targetNodeId: 'boss' }, stale))).toBe('WORKFLOW_CONFLICT_006')
      const before = await taskOf(engine, 'boss')
      unwrap(await engine.jump(operator, { id, targetNodeId: 'boss' }))
      const [waiting] = await engine.tasks.open(operator, { instanceId: id })
      expect(waiting?.id).not.toBe(before)
      unwrap(await engine.resumeBookmark(operator, { id: waiting?.id ?? '', inputs: { outcome: 'later' } }))
      expect(await engine.find(starter, id)).toMatchObject({ status: 'COMPLETED', outcome: 'refused' })
      const endedBefore = new Date(Date.now() + 60_000)
      expect(unwrap(await engine.purge(operator, { endedBefore }))).toEqual({ purged: 1 })
      expect(await engine.find(starter, id)).toBeNull()
    }))

  it('keeps definitions: versions, states, problems', () =>
    withEngine(database(), async (engine) => {
      const { definitions } = engine
      const second = unwrap(await definitions.newVersion(author, 'approval'))
      expect(second).toMatchObject({ name: 'approval', version: 2, status: 'DRAFT' })
      const changed = approval.build()
      expect(unwrap(await definitions.update(author, second.id, { ...changed, displayName: 'Two' }))).toMatchObject({
        displayName: 'Two',
        version: 2,
      })
      expect(unwrap(await definitions.publish(author, second.id)).publishedAt).toBeInstanceOf(Date)
      expect(code(await definitions.delete(author, second.id))).toBe('WORKFLOW_CONFLICT_002')
      expect(unwrap(await definitions.disable(author, second.id)).status).toBe('DISABLED')
      expect(unwrap(await definitions.archive(author, second.id)).status).toBe('ARCHIVED')
      const third = unwrap(await definitions.newVersion(author, 'approval'))
      expect(unwrap(await definitions.delete(author, third.id)).version).toBe(3)
      expect(definitions.validate({ name: 'x', nodes: [] }).map(({ path }) => path)).toContain('$.nodes')
      expect(definitions.validate(changed).filter(({ severity }) => severity === 'ERROR')).toEqual([])
      expect(code(await definitions.create(author, { name: 'NO' }))).toBe('WORKFLOW_VALIDATION_001')
    }))

  it('C31 joins a transaction that it has opened: rows and process stay or go together', () =>
    withEngine(database(), async (engine) => {
      const user = (tx: Transaction, id: string) =>
        tx.$executeRaw`INSERT INTO "User" ("tenantId", id, name, groups) VALUES ('', ${id}, ${id}, '{}')`
      const lost = engine.transaction(async (tx) => {
        await user(tx, 'lost')
        const { instance } = await start(engine, tx)
        expect(await engine.find(starter, instance.id, { tx })).toMatchObject({ status: 'RUNNING' })
        unwrap(await engine.start(starter, { name: 'none' }, { tx }))
      })
      await expect(lost).rejects.toThrow(RefusedError)
      expect(await database().prisma.instance.count()).toBe(0)
      expect(await database().prisma.user.count()).toBe(0)
      await engine.transaction(async (tx) => {
        await user(tx, 'kept')
        const { instance } = await start(engine, tx)
        const [task] = await engine.tasks.open(operator, { instanceId: instance.id }, { tx })
        unwrap(await engine.tasks.reject(boss, { taskId: task?.id ?? '' }, { tx }))
        const draft = unwrap(await engine.definitions.create(author, { ...approval.build(), name: 'inside' }, { tx }))
        unwrap(await engine.definitions.publish(author, draft.id, { tx }))
        unwrap(await engine.start(starter, { name: 'inside', variables: { amount: 1 } }, { tx }))
        unwrap(await engine.signal(operator, { name: 'nobody' }, { tx }))
      })
      expect(await database().prisma.instance.findMany({ orderBy: { seq: 'asc' } })).toMatchObject([
        { status: 'COMPLETED', outcome: 'refused' },
        { definitionName: 'inside', status: 'RUNNING' },
      ])
      expect(await database().prisma.user.count()).toBe(1)
    }))
})

onPostgres('the engine beside an application’s own connections', (database, url) => {
  it('C31 joins a transaction of pg', () =>
    withEngine(database(), async (engine) => {
      const client = new pg.Client({ connectionString: url() })
      await client.connect()
      try {
        for (const end of ['ROLLBACK', 'COMMIT']) {
          await client.query('BEGIN')
          await client.query('CREATE TABLE IF NOT EXISTS expense (id uuid PRIMARY KEY)')
          const { instance } = unwrap(
            await engine.start(
              starter,
              { name: 'approval', variables: { amount: 5 }, reusePolicy: 'REJECT_ACTIVE', correlationId: 'e1' },
              { tx: client, idempotencyKey: 'k' },
            ),
          )
          await client.query('INSERT INTO expense VALUES ($1)', [instance.id])
          await client.query(end)
          expect(await engine.find(starter, instance.id)).toEqual(end === 'COMMIT' ? instance : null)
        }
        const { rows } = await client.query('SELECT id FROM expense')
        expect(rows).toHaveLength(1)
        await client.query('BEGIN')
        const [task] = await engine.tasks.open(operator, {}, { tx: client })
        unwrap(await engine.tasks.approve(boss, { taskId: task?.id ?? '' }, { tx: client }))
        await client.query('COMMIT')
        expect(await engine.tasks.open(operator)).toEqual([])
      } finally {
        await client.end()
      }
    }))

  it('opens its transactions through the application’s Prisma client, whose sessions are in UTC', async () => {
    const seen: unknown[] = []
    const { prisma } = database()
    await withEngine(
      database(),
      async (engine) => {
        await start(engine)
        unwrap(await engine.tasks.reject(boss, { taskId: await taskOf(engine, 'boss') }))
        // The client knows models, which the engine's own transactions do not promise.
        expect(seen.map((tx) => typeof (tx as { user?: unknown }).user)).toEqual(['object'])
      },
      {
        prisma,
        extensions: {
          outcomeHandlers: [
            async ({ tx }) => {
              seen.push(tx)
              return undefined
            },
          ],
        },
      },
    )
  })

  it('refuses a client whose sessions are elsewhere, and a database of another release', async () => {
    const elsewhere = {
      $transaction: <T>(run: (tx: Transaction) => Promise<T>) =>
        database().prisma.$transaction(async (tx) => {
          await tx.$executeRaw`SET LOCAL TIME ZONE 'Asia/Shanghai'`
          return run(tx)
        }),
    }
    await expect(createEngine({ database: database(), prisma: elsewhere })).rejects.toThrow('UTC')
    const name = 'migration_of_a_later_release'
    await database().exec(`INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at)
      VALUES ('1', 'x', '${name}', now())`)
    await expect(createEngine({ database: database(), migrate: false })).rejects.toThrow('ahead')
    await database().exec(`DELETE FROM "_prisma_migrations" WHERE migration_name = '${name}'`)
  })

  it('takes due work with its workers, and lets go of a database that it has opened', async () => {
    const engine = await createEngine({ database: { url: url(), poolSize: 3 }, options: { pollInterval: 20 } })
    try {
      const waiting = defineWorkflow('short').start().to('rest').delay('rest', { Duration: 0.05 }).to('end').end()
      const draft = unwrap(await engine.definitions.create(author, waiting.build()))
      unwrap(await engine.definitions.publish(author, draft.id))
      await engine.startWorkers()
      const { instance } = unwrap(await engine.start(starter, { name: 'short' }))
      await expect.poll(() => engine.find(starter, instance.id)).toMatchObject({ status: 'COMPLETED' })
      await engine.stopWorkers()
    } finally {
      await engine.close()
    }
  })
})
