import { expect, it } from 'vitest'
import { onPostgres } from '../support/databases.js'
import { as, askForLeave, post, serve } from './network.js'

onPostgres('metrics', (_database, url) => {
  it('tell of operations by what they begin with and how they ended, and of what waits', async () => {
    const server = await serve(url())
    await askForLeave(server)
    await post(server, 'query MadeUp { a: tasks(first: 0) { totalCount } }', as('bob'))
    await post(server, '{ __typename }', as('bob'))
    const response = await fetch(`${server.url}/metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain')
    const text = await response.text()
    const line = (name: string, labels: string) => `countersign_${name}{${labels}} 1`
    expect(text).toContain(line('operations_total', 'type="mutation",field="startInstance",code="OK"'))
    expect(text).toContain(line('operations_total', 'type="query",field="tasks",code="WORKFLOW_VALIDATION_002"'))
    expect(text).toContain(line('operations_total', 'type="query",field="other",code="OK"'))
    expect(text).not.toContain('MadeUp')
    for (const name of ['subscribers 0', 'database_up 1', 'backlog_due 0', 'backlog_jobs 0', 'feed_lag_seconds 0.'])
      expect(text).toContain(`countersign_${name}`)
    expect(text).toContain('countersign_operation_duration_seconds_bucket')
    expect(text).toContain('process_resident_memory_bytes')
  })
})
