import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askForLeave, serve } from '../api/network.js'
import { eventually } from '../support/eventually.js'

const executablePath = '/usr/bin/chromium'
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens GraphiQL; every request of the page is noted. */
async function open(browser: Browser, url: string): Promise<{ page: Page; requests: string[]; errors: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(`${url}/graphql`)
  await page.getByRole('button', { name: /execute query/i }).waitFor()
  return { page, requests, errors }
}

const run = (page: Page) => page.getByRole('button', { name: /execute query/i }).click()
/** Clicks the tab until it is open: the tabs slide in at first, and swallow clicks while they do. */
const openTab = (page: Page, name: string) =>
  eventually(async () => {
    await page.locator('.graphiql-tab-button', { hasText: name }).click({ timeout: 2000 })
    const tab = page.getByRole('tab', { name, selected: true })
    expect(await tab.count()).toBe(1)
  })
const response = (page: Page) => page.locator('.graphiql-response')

describe.skipIf(!existsSync(executablePath))('GraphiQL in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: switches })
  })
  afterAll(() => browser?.close())

  it('comes from this server alone, runs a query and shows live events', async () => {
    const server = await serve('pglite:memory')
    const { page, requests, errors } = await open(browser, server.url)
    await openTab(page, 'Viewer')
    await run(page)
    await response(page).getByText('Alice Chen').waitFor()
    await openTab(page, 'WatchTasks')
    await run(page)
    await eventually(() => expect(server.feed.listeners()).toBe(1))
    await askForLeave(server)
    await response(page).getByText('workflow.task.created').waitFor()
    const picture = process.env.SCREENSHOT
    if (picture) await page.screenshot({ path: picture })
    await page.close()
    await eventually(() => expect(server.feed.listeners()).toBe(0))
    expect(errors).toEqual([])
    expect(requests.filter((url) => !url.startsWith(server.url) && !/^(blob|data):/.test(url))).toEqual([])
  })
})
