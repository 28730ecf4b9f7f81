import { mkdirSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { readConfig } from '../src/server/resolveConfig.js'
import { createServer } from '../src/server/server.js'
import { launchBrowser, type SeatOptions, sitDown } from '../test/support/browser.js'

/** Writes pictures of the main pages, with the data of the demo, to docs/screenshots. */
const folder = 'docs/screenshots'

async function take(browser: Browser, url: string, name: string, path: string, options: SeatOptions): Promise<void> {
  const { page } = await sitDown(browser, url, 'bob', options)
  await page.locator('.task-row').first().waitFor()
  if (path === 'task') await page.locator('.task-row a').first().click()
  else if (path !== '/todo') await page.goto(`${url}${path}`)
  // Fonts and the parts of the page that are loaded late.
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: `${folder}/${name}.png` })
  await page.context().close()
}

mkdirSync(folder, { recursive: true })
const config = readConfig({ DATABASE_URL: 'pglite:memory', PORT: '0', LOG_LEVEL: 'silent' })
const server = await createServer(config)
const browser = await launchBrowser()
await take(browser, server.url, 'todo', '/todo', {})
await take(browser, server.url, 'task', 'task', {})
await take(browser, server.url, 'task-dark', 'task', { scheme: 'dark' })
await take(browser, server.url, 'start', '/start/purchasing.request', {})
await take(browser, server.url, 'todo-phone', '/todo', { width: 390 })
await browser.close()
await server.stop()
