import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { answerOf, as, askForLeave, post, serve } from './network.js'

const page = { accept: 'text/html' }

/** The path as it stands: fetch would resolve the dots itself. */
function rawStatus(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

describe('the approval centre', () => {
  it('comes with a strict policy, at every address of a page, packed and kept', async () => {
    const server = await serve('pglite:memory')
    const root = await fetch(`${server.url}/tasks/some-id`, { headers: page })
    const html = await root.text()
    expect(root.status).toBe(200)
    const policy = root.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
    const asset = await fetch(`${server.url}${script}`, { headers: { 'accept-encoding': 'br' } })
    expect(asset.headers.get('content-encoding')).toBe('br')
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect((await asset.text()).length).toBeGreaterThan(Number(asset.headers.get('content-length')))
    expect((await fetch(`${server.url}/assets/none.js`)).status).toBe(404)
    expect(await rawStatus(server.port, '/assets/../../package.json')).toBe(404)
    expect((await fetch(`${server.url}/anything`, { method: 'POST', headers: page })).status).toBe(404)
  })

  it('says who one can be in the demo, and nothing of it otherwise', async () => {
    const demo = await serve('pglite:memory', { DEMO: 'true' })
    const { body } = await answerOf(await fetch(`${demo.url}/session`))
    expect(body).toMatchObject({ authMode: 'dev', signInScript: null })
    expect(body.people).toContainEqual({
      id: 'carol',
      name: 'Carol Weber',
      groups: ['staff', 'managers'],
      permissions: ['design', 'operate'],
    })
    const plain = await serve('pglite:memory')
    expect((await answerOf(await fetch(`${plain.url}/session`))).body.people).toEqual([])
  })

  it('leaves the plain page at / where it is switched off', async () => {
    const server = await serve('pglite:memory', { WEB_CLIENT: 'false' })
    const root = await fetch(`${server.url}/`, { headers: page })
    expect(root.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await root.text()).not.toContain('<script')
    expect((await fetch(`${server.url}/todo`, { headers: page })).status).toBe(404)
  })
})

describe('the operations of a task', () => {
  it('are those that the viewer may carry out', async () => {
    const server = await serve('pglite:memory')
    const id = await askForLeave(server)
    const query = `{ task(id: "${id}") { operations returnTargets { id } } }`
    const seenBy = async (user: string, permissions = '') =>
      (await post(server, query, as(user, permissions))).body.data.task
    expect(await seenBy('bob')).toEqual({
      operations: [
        'COMPLETE',
        'TRANSFER',
        'ADD_ASSIGNEES',
        'REMOVE_ASSIGNEES',
        'RETURN',
        'DELEGATE',
        'CLAIM',
        'URGE',
        'COMMENT',
      ],
      returnTargets: [],
    })
    expect((await seenBy('carol', 'operate')).operations).toEqual(['URGE', 'COMMENT'])
    await post(server, `mutation { claimTask(input: { taskId: "${id}" }) { task { id } } }`, as('bob'))
    const { operations } = await seenBy('bob')
    expect(operations).toContain('RELEASE')
    expect(operations).not.toContain('CLAIM')
  })

  it('name the tasks behind it as places to return to', async () => {
    const server = await serve('pglite:memory')
    const { body } = await post(
      server,
      `mutation { startInstance(input: { name: "hr.leave", variables: { applicant: "A", days: 9, approvers: "bob" } }) { instance { id tasks { id } } } }`,
      as('alice'),
    )
    const { id, tasks } = body.data.startInstance.instance
    await post(server, `mutation { approveTask(input: { taskId: "${tasks[0].id}" }) { task { id } } }`, as('bob'))
    const query = `{ tasks(filter: { instanceId: "${id}" }) { nodes { returnTargets { id } } } }`
    const { nodes } = (await post(server, query, as('hr-1', 'operate'))).body.data.tasks
    expect(nodes).toHaveLength(3)
    for (const node of nodes) expect(node.returnTargets).toEqual([{ id: 'manager' }])
  })
})
