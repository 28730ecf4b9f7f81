import { expect, it } from 'vitest'
import { ask, followTasks, taskEvents } from '../../examples/frontend/inbox.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { startProxy } from '../support/proxy.js'
import { as, askForLeave, serve } from './network.js'

onPostgres('the example of an inbox with plain fetch', (_database, url) => {
  it('reads the inbox, gets its events from the place where it was read, and goes on behind a cursor', async () => {
    const server = await serve(url())
    const endpoint = `${server.url}/graphql`
    const read = await ask<{ tasks: { eventCursor: string } }>(endpoint, as('bob'), '{ tasks { eventCursor } }')
    const ids = [await askForLeave(server), await askForLeave(server)]
    const first = taskEvents(endpoint, as('bob'), read.tasks.eventCursor, new AbortController().signal)
    const { value } = await first.next()
    expect(value).toMatchObject({ type: 'workflow.task.created', taskId: ids[0] })
    await first.return(undefined)
    const second = taskEvents(endpoint, as('bob'), value.cursor, new AbortController().signal)
    expect((await second.next()).value).toMatchObject({ taskId: ids[1] })
    await second.return(undefined)
    await expect(ask(endpoint, as('bob'), '{ task(id: "x") { nothing } }')).rejects.toThrow('nothing')
  })

  it('follows the events across connections that are cut, each once', async () => {
    const server = await serve(url())
    const proxy = await startProxy([server.port])
    const { tasks } = await ask<{ tasks: { eventCursor: string } }>(
      `${server.url}/graphql`,
      as('bob'),
      '{ tasks { eventCursor } }',
    )
    const stop = new AbortController()
    const events = followTasks(`${proxy.url}/graphql`, as('bob'), tasks.eventCursor, stop.signal)
    const ids = [await askForLeave(server)]
    expect((await events.next()).value).toMatchObject({ taskId: ids[0] })
    const pending = events.next()
    proxy.cut()
    await eventually(() => expect(server.feed.listeners()).toBe(0))
    ids.push(await askForLeave(server))
    expect((await pending).value).toMatchObject({ taskId: ids[1] })
    stop.abort()
    expect(await events.next()).toEqual({ done: true, value: undefined })
    const junk = followTasks(`${server.url}/graphql`, as('bob'), 'junk', new AbortController().signal)
    await expect(junk.next()).rejects.toThrow('cursor')
  })
})
