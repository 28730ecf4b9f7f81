import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const executablePath = '/usr/bin/chromium'
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Whether this machine has a browser to try the pages with. */
export const hasBrowser = existsSync(executablePath)

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: switches })
}

export interface Seat {
  page: Page
  /** What went wrong on the page. */
  errors: string[]
}

export interface SeatOptions {
  scheme?: 'light' | 'dark'
  locale?: string
  width?: number
}

/** Opens the approval centre in a browser context of its own, signed in as one of the demo's people. */
export async function sitDown(
  browser: Browser,
  url: string,
  person: string,
  { scheme = 'light', locale = 'en', width = 1280 }: SeatOptions = {},
): Promise<Seat> {
  const context = await browser.newContext({ colorScheme: scheme, locale, viewport: { width, height: 800 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(url)
  await page.locator(`[data-person="${person}"]`).click()
  await page.locator('[data-connection="connected"]').waitFor({ state: 'attached' })
  return { page, errors }
}
