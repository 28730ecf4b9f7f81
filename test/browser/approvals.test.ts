import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../api/network.js'
import { hasBrowser, launchBrowser, sitDown } from '../support/browser.js'

/** The serious problems that axe finds on the page as it is shown. */
async function problems(page: Page): Promise<string[]> {
  // The policy of the page lets no script in; the inspector may.
  const found = await page.evaluate(`${axe.source}; axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`)
  return found as string[]
}

const task = (page: Page, title: string) => page.getByRole('link', { name: title })

describe.skipIf(!hasBrowser)('the approval centre in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it('carries a request from one person to the next, live', async () => {
    const { url } = await serve('pglite:memory', { DEMO: 'true' })
    const [alice, bob] = await Promise.all([sitDown(browser, url, 'alice'), sitDown(browser, url, 'bob')])
    await task(bob.page, 'Purchase: Standing desk').waitFor()

    await alice.page.getByRole('link', { name: 'New request' }).click()
    await alice.page.locator('a[href="/start/hr.leave"]').click()
    await alice.page.getByLabel('applicant').fill('Ada')
    await alice.page.getByLabel('days').fill('3')
    await alice.page.getByLabel('approvers').fill('bob')
    await alice.page.getByRole('button', { name: 'Who will be asked?' }).click()
    await alice.page.getByText('Bob Martin').waitFor()
    await alice.page.getByRole('button', { name: 'Send' }).click()
    await task(bob.page, 'Ada').waitFor()

    await task(bob.page, 'Purchase: Standing desk').click()
    await bob.page.getByRole('button', { name: 'Approve' }).click()
    await bob.page.getByText('Please fill this in.').waitFor()
    await bob.page.getByRole('combobox', { name: 'Cost centre' }).click()
    await bob.page.getByRole('option', { name: '4200' }).click()
    await bob.page.getByRole('button', { name: 'Approve' }).click()
    await task(bob.page, 'Order Standing desk').click()

    await bob.page.getByRole('button', { name: 'More' }).click()
    await bob.page.getByRole('menuitem', { name: 'Return' }).click()
    await bob.page.getByRole('dialog').getByLabel('Comment').fill('Which colour?')
    await bob.page.getByRole('dialog').getByRole('button', { name: 'Return' }).click()
    await task(bob.page, 'Purchase: Standing desk').click()
    await bob.page.getByText('Which colour?').waitFor()

    await bob.page.getByRole('link', { name: 'Back to the list' }).click()
    await task(bob.page, 'Ada').click()
    await bob.page.getByRole('button', { name: 'More' }).click()
    await bob.page.getByRole('menuitem', { name: 'Transfer' }).click()
    await bob.page.getByRole('dialog').getByRole('combobox', { name: 'Person' }).fill('Carol')
    await bob.page.getByRole('option', { name: 'Carol Weber' }).click()
    await bob.page.getByRole('dialog').getByRole('button', { name: 'Transfer' }).click()
    await task(bob.page, 'Purchase: Standing desk').waitFor()
    await task(bob.page, 'Ada').waitFor({ state: 'detached' })
    const carol = await sitDown(browser, url, 'carol')
    await task(carol.page, 'Ada').waitFor()
    expect([alice.errors, bob.errors, carol.errors]).toEqual([[], [], []])
  })

  it.each(['light', 'dark'] as const)('can be read and used by everybody: %s', async (scheme) => {
    const { url } = await serve('pglite:memory', { DEMO: 'true' })
    const { page, errors } = await sitDown(browser, url, 'bob', { scheme })
    await task(page, 'Purchase: Standing desk').waitFor()
    expect(await problems(page)).toEqual([])
    await task(page, 'Purchase: Standing desk').click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await page.getByText('Cost centre').waitFor()
    expect(await problems(page)).toEqual([])
    await page.goto(`${url}/start/purchasing.request`)
    await page.getByText('Needed this week').waitFor()
    expect(await problems(page)).toEqual([])
    expect(errors).toEqual([])
  })
})
