/** Where a word occurs, as a picture and as a list. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, openPage } from '../support/browser.ts'
import { onEachEngine, Site } from '../support/site.ts'
import { lookAt } from './looking.ts'

onEachEngine('a word', {}, (site) => {
  const get = (path: string) => site.ask(path, { headers: { accept: 'text/html' } })

  test('its page lists every set that contains it, and draws a line to each in the colour of the slot', async () => {
    const { json } = await site.ask('/api/term/open/?limit=60')
    const { status, text } = await get('/word/open/')
    assert.equal(status, 200)
    for (const { resource, record } of json.sets) {
      const href = `href="/${resource}/${record[`${resource}_id`]}/"`
      assert.equal(text.split(href).length - 1, 2, `${href} once in the list and once in the picture`)
    }
    const slots = json.sets.map(({ slot }: { slot: string }) =>
      slot === 'name' ? 'n' : /^[eros]$/.test(slot) ? slot : 'p',
    )
    for (const slot of new Set<string>(slots)) {
      const lines = slots.filter((each: string) => each === slot).length
      assert.equal(text.split(`class="branch ${slot}"`).length - 1, lines)
    }
  })

  test('letter case and accents are ignored', async () => {
    assert.match((await get('/word/OPEN/')).text, /<h1>open<\/h1>/)
    assert.match((await get('/word/caf%C3%A9/')).text, /<h1>cafe<\/h1>/)
  })

  test('the page of an unknown word suggests others, and a new quadranym', async () => {
    const { status, text } = await get('/word/tiem/')
    assert.equal(status, 200)
    assert.match(text, /It does not occur yet/)
    assert.match(text, /href="\/word\/time\/">time</)
    assert.match(text, /href="\/make\/quadranym\/\?name=tiem"/)
  })

  test('an invalid word is refused', async () => {
    assert.equal((await get(`/word/${'a'.repeat(501)}/`)).status, 400)
    assert.equal((await get('/word/a%00/')).status, 400)
    assert.equal((await get('/word/%3Cscript%3Ealert(1)%3C%2Fscript%3E/')).text.includes('<script>alert'), false)
    assert.deepEqual(site.bugs, [])
  })
})

describe('a word in a browser', () => {
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

  test('the picture links to the sets', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto('/word/time/')
    await page.locator('svg.places a').first().click()
    await page.waitForURL(/\/quadranym\/[0-9]+\/$/)
    assert.deepEqual(complaints, [])
  })

  test('the page of a word is accessible', async () => {
    await lookAt(browser, site.base, ['/word/time/', '/word/tiem/', `/word/${'long'.repeat(60)}/`])
  })
})
