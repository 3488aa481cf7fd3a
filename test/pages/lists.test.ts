/** Lists of records: filtered, ordered and paged, with the state in the address. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, openPage } from '../support/browser.ts'
import { onEachEngine, Site } from '../support/site.ts'
import { lookAt } from './looking.ts'

const KINDS =
  'polynym quadranym polyset quadraset vectornym polymap fortune quote phrase story tale fable storyline taleline queue winner'

onEachEngine('lists', {}, (site) => {
  const get = (path: string) => site.ask(path, { headers: { accept: 'text/html' } })
  const names = (text: string) => Array.from(text.matchAll(/<a class="open"[^>]*>([^<]*)</g), ([, name]) => name)

  test('every kind has a list', async () => {
    for (const kind of KINDS.split(' ')) {
      const { status, headers, text } = await get(`/${kind}/`)
      assert.equal(status, 200, kind)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      const { json } = await site.ask(`/api/${kind}/`)
      assert.match(text, new RegExp(`<p class="kind">${json.count} [a-z ]+s?</p>`), kind)
    }
    assert.deepEqual(site.bugs, [])
  })

  test('a list shows the same records as the API, in the same order, from page to page', async () => {
    const query = 'mode=step&ordering=-likes'
    for (const page of [1, 2]) {
      const { json } = await site.ask(`/api/polynym/?${query}&page_size=24&page=${page}`)
      const { text } = await get(`/polynym/?${query}&page=${page}`)
      assert.deepEqual(
        names(text),
        json.results.map(({ name }: { name: string }) => name.replaceAll("'", '&#39;')),
      )
    }
  })

  test('an invalid filter is reported on the list; a page that does not exist returns 404', async () => {
    const bad = await get('/polynym/?depth=many')
    assert.equal(bad.status, 400)
    assert.match(bad.text, /role="alert">Enter a whole number\./)
    const gone = await get('/polynym/?page=99')
    assert.equal(gone.status, 404)
    assert.match(gone.text, /There is nothing here/)
  })

  test('a list without matches says so and links back', async () => {
    const { status, text } = await get('/polynym/?search=zzzz&area=music')
    assert.equal(status, 200)
    assert.match(text, /Nothing matches/)
    assert.match(text, /href="\/find\/\?q=zzzz"/)
    assert.deepEqual(site.bugs, [])
  })

  test('user input is text, in every kind of list and in every form', async () => {
    const hostile = `"><img src=x onerror=alert(1)>`
    const quadranym = { name: hostile, e: hostile, r: 'r', o: 'o', s: 's', area: hostile, realm: hostile }
    const made = await site.ask('/api/quadranym/', { method: 'POST', as: 'mallory', json: quadranym })
    assert.equal(made.status, 201)
    for (const path of [
      '/quadranym/?ordering=-id',
      `/find/?q=${encodeURIComponent(hostile)}`,
      '/people/mallory/',
      '/',
    ]) {
      const { text } = await get(path)
      assert.ok(text.includes('&lt;img src'), path)
      assert.ok(!text.includes('<img'), path)
    }
  })
})

describe('lists in a browser', () => {
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

  for (const javaScriptEnabled of [true, false]) {
    test(`links and the form filter a list, and remove filters (scripts: ${javaScriptEnabled})`, async () => {
      const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled })
      await page.goto('/quadranym/')
      const counted = async () => Number(/^[0-9]+/.exec((await page.locator('.kind').first().textContent())!)![0])
      const all = await counted()
      await page.locator('.facets').getByRole('link', { name: 'Spatial' }).click()
      await page.waitForURL('/quadranym/?realm=Spatial')
      const spatial = await counted()
      assert.ok(spatial > 0 && spatial < all)
      assert.equal(await page.locator('.facets a[aria-current]').textContent(), 'Spatial')
      await page.getByLabel('Made by').selectOption('mira')
      await page.getByLabel('Order').selectOption('Newest')
      await page.getByRole('button', { name: 'Show' }).click()
      await page.waitForURL(/user=mira/)
      const { searchParams } = new URL(page.url())
      assert.equal(searchParams.get('realm'), 'Spatial')
      assert.equal(searchParams.get('user'), 'mira')
      assert.equal(searchParams.get('ordering'), '-id')
      assert.equal(searchParams.has('search'), !javaScriptEnabled)
      const { json } = await site.ask('/api/quadranym/?realm=Spatial&user=mira')
      assert.equal(await counted(), json.count)
      await page.getByRole('link', { name: 'Without Realm: Spatial' }).click()
      await page.waitForURL((url) => !url.searchParams.has('realm'))
      assert.ok((await counted()) > json.count)
      await page.goto('/quadranym/')
      await page.getByRole('link', { name: 'Next' }).click()
      await page.waitForURL('/quadranym/?page=2')
      assert.equal(await page.locator('.pager [aria-current]').textContent(), '2')
      assert.deepEqual(complaints, [])
    })
  }

  test('the whole card links to the record, and the names in it link elsewhere', async () => {
    const { page } = await openPage(browser, site.base)
    await page.goto('/polynym/?name=Rainbow')
    const { x, y } = (await page.locator('.card .gist').boundingBox())!
    await page.mouse.click(x + 5, y + 5)
    await page.waitForURL(/\/polynym\/[0-9]+\/$/)
    await page.goBack()
    await page.locator('.card .meta a').last().click()
    await page.waitForURL(/\/people\/[a-z]+\/$/)
  })

  test('every list is accessible, light and dark, on a phone', async () => {
    await lookAt(browser, site.base, [
      '/quadranym/?realm=Spatial&search=a',
      '/polynym/?area=nowhere',
      '/quote/',
      '/polymap/',
      '/queue/',
      '/winner/',
    ])
  })
})
