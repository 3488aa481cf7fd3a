/** People and their records, and the pages of the visitor's own account. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, openPage } from '../support/browser.ts'
import { onEachEngine, Site } from '../support/site.ts'
import { expected, faultsOf, lookAt, widthOf } from './looking.ts'

onEachEngine('people', {}, (site) => {
  const get = (path: string, as?: string) => site.ask(path, { headers: { accept: 'text/html' }, ...(as ? { as } : {}) })

  test('the page of a person shows their records, by kind', async () => {
    const { status, text } = await get('/people/mira/')
    assert.equal(status, 200)
    for (const kind of ['quadranym', 'polynym', 'polyset']) {
      const { json } = await site.ask(`/api/${kind}/?user=mira`)
      assert.ok(text.includes(`<h2><a rel="nofollow" href="/${kind}/?user=mira">`), kind)
      assert.ok(text.includes(`>${json.count} ${kind}`), kind)
    }
  })

  test('everybody who made something is listed, those with most first', async () => {
    const { text } = await get('/people/')
    const people = Array.from(text.matchAll(/class="open" href="\/people\/([a-z]+)\/"/g), ([, name]) => name)
    assert.equal(people[0], 'mira')
    assert.equal(people.length, 8)
  })

  test('the page of somebody who made nothing returns 404, except for themselves', async () => {
    assert.equal((await get('/people/nobody/')).status, 404)
    const own = await get('/people/newcomer/', 'newcomer')
    assert.equal(own.status, 200)
    assert.match(own.text, /Nothing of yours yet/)
    assert.match(own.text, /href="\/accounts\/tokens\/"/)
    assert.equal((await get('/people/newcomer/')).status, 404)
    assert.equal((await get('/people/a%00b/')).status, 404)
    assert.deepEqual(site.bugs, [])
  })
})

describe('an account in a browser', () => {
  const site = new Site('SQLite')
  let browser: Browser
  before(async () => {
    await site.start()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  test('a visitor signs up, finds their own page, and every account page is accessible', async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: true })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/quadranym/?realm=Social')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.searchParams.get('next') === '/quadranym/?realm=Social')
    await page.getByRole('link', { name: 'I need an account' }).click()
    await page.getByLabel('User name').fill('lea')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.locator('#password-wrong').waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await page.getByLabel('Password').fill('a long enough secret')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.waitForURL('/quadranym/?realm=Social')
    assert.equal(await page.locator('.account a').textContent(), 'lea')
    for (const path of ['/accounts/', '/accounts/tokens/', '/accounts/password/', '/accounts/delete/']) {
      await page.goto(path)
      assert.deepEqual(await faultsOf(page), [], path)
      assert.ok((await widthOf(page)) <= 360, path)
    }
    await page.goto('/accounts/')
    await page.getByRole('link', { name: 'Your page' }).click()
    await page.waitForURL('/people/lea/')
    assert.equal(await page.locator('h1').textContent(), 'lea')
    assert.deepEqual(expected(complaints), [])
  })

  test('the pages of people are accessible', async () => {
    await lookAt(browser, site.base, [
      '/people/',
      '/people/mira/',
      '/people/nobody/',
      '/accounts/login/',
      '/accounts/signup/',
    ])
  })
})
