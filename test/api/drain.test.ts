import { expect, it } from 'vitest'
import type { Database } from '../../src/persistence/database.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { answerOf, as, askForLeave, post, serve } from './network.js'

/** Locks all instances on a connection of its own; answers the way to let go. */
async function lockInstances(database: Database): Promise<() => Promise<void>> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let session: Promise<void> = Promise.resolve()
  await new Promise<void>((locked) => {
    session = database.session(async ({ run }) => {
      await run('BEGIN')
      await run('SELECT 1 FROM "Instance" FOR UPDATE')
      locked()
      await held
      await run('COMMIT')
    })
  })
  return () => {
    letGo()
    return session
  }
}

const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

onPostgres('a shutdown', (database, url) => {
  it('lets running work finish, and sends new work elsewhere meanwhile', async () => {
    const server = await serve(url())
    const taskId = await askForLeave(server)
    const ready = async () => answerOf(await fetch(`${server.url}/readyz`))
    expect((await ready()).status).toBe(200)
    const release = await lockInstances(database())
    const approve = `mutation { approveTask(input: { taskId: "${taskId}" }) { instance { status } } }`
    const running = post(server, approve, as('bob'))
    await eventually(async () => expect(await database().session(({ run }) => run(waiting))).toHaveLength(1))
    const stopped = server.stop()
    expect(await ready()).toMatchObject({ status: 503, body: { status: 'unready', reason: 'draining' } })
    const refused = await post(server, '{ viewer { user { id } } }', { ...as('bob'), 'accept-language': 'fr' })
    expect(refused).toMatchObject({
      status: 503,
      body: { errors: [{ extensions: { code: 'WORKFLOW_UNAVAILABLE_001' }, message: expect.stringMatching(/arrêt/) }] },
    })
    await release()
    expect((await running).body).toEqual({ data: { approveTask: { instance: { status: 'COMPLETED' } } } })
    await stopped
    await expect(ready()).rejects.toThrow()
  })
})
