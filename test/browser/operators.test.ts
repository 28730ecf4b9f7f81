import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as, post, serve } from '../api/network.js'
import { hasBrowser, launchBrowser, sitDown } from '../support/browser.js'

const operator = as('carol', 'design,operate')
const broken = {
  name: 'shop.rate',
  displayName: 'Rate',
  nodes: [
    { id: 'start', activityType: 'Start' },
    { id: 'rate', activityType: 'SetVariable', properties: { Expressions: { rate: 'amount / divisor' } } },
    { id: 'end', activityType: 'End' },
  ],
  transitions: [
    { id: 't1', sourceNodeId: 'start', targetNodeId: 'rate' },
    { id: 't2', sourceNodeId: 'rate', targetNodeId: 'end' },
  ],
}

describe.skipIf(!hasBrowser)('the operators’ pages in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it('shows an instance move while another approves', async () => {
    const server = await serve('pglite:memory', { DEMO: 'true' })
    const found = await post(
      server,
      '{ tasks(filter: { assigneeId: "bob", keyword: "desk" }) { nodes { id instance { id } } } }',
      operator,
    )
    const [task] = found.body.data.tasks.nodes
    const { page, errors } = await sitDown(browser, server.url, 'carol')
    await page.goto(`${server.url}/instances/${task.instance.id}`)
    await page.locator('[data-node="agree"][data-state="waiting"]').waitFor()
    const input = `{ taskId: "${task.id}", variables: { costCenter: "4200" } }`
    await post(server, `mutation { approveTask(input: ${input}) { task { id } } }`, as('bob'))
    await page.locator('[data-node="agree"][data-state="done"]').waitFor()
    await page.locator('[data-node="order"][data-state="waiting"]').waitFor()
    await page.locator('[data-node="agree"]').click()
    await page.locator('[data-run="COMPLETED"]').waitFor()
    expect(errors).toEqual([])
  })

  it('retries an instance that failed', async () => {
    const server = await serve('pglite:memory', { DEMO: 'true' })
    const run = async (query: string, variables: object) =>
      (await post(server, query, operator, { variables })).body.data
    const made = await run('mutation ($d: JSON!) { createDefinition(input: { document: $d }) { definition { id } } }', {
      d: broken,
    })
    await run(
      'mutation ($id: ID!) { publishDefinition(input: { id: $id }) { definition { id } } }',
      made.createDefinition.definition,
    )
    const start =
      'mutation ($v: JSON) { startInstance(input: { name: "shop.rate", variables: $v }) { instance { id } } }'
    const { id } = (await run(start, { v: { amount: 6, divisor: 0 } })).startInstance.instance
    const { page, errors } = await sitDown(browser, server.url, 'carol')
    await page.goto(`${server.url}/instances/${id}`)
    await page.locator('[data-node="rate"][data-state="faulted"]').waitFor()
    await run(
      'mutation ($id: ID!) { setInstanceVariables(input: { id: $id, set: { divisor: 2 } }) { instance { id } } }',
      { id },
    )
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.locator('[data-status="COMPLETED"]').waitFor()
    await page.locator('[data-node="rate"][data-state="done"]').waitFor()
    expect(errors).toEqual([])
  })
})
