/** Search over everything: as a page, and as suggestions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openPage, siteInBrowser } from '../support/browser.ts'
import { onEachEngine } from '../support/site.ts'
import { faultsOf, lookAt, widthOf } from './looking.ts'

onEachEngine('finding', {}, (site) => {
  const get = (path: string) => site.page(path)

  test('a search finds records of every kind, the best matching kind first, with the words marked', async () => {
    const { status, text } = await get('/find/?q=river')
    assert.equal(status, 200)
    const kinds = Array.from(
      text.matchAll(/<h2><a rel="nofollow" href="\/([a-z]+)\/\?search=river"/g),
      ([, kind]) => kind,
    )
    assert.equal(kinds[0], 'quadranym')
    assert.ok(kinds.includes('polynym') && kinds.length >= 3, String(kinds))
    assert.match(text, /<mark>river<\/mark>/i)
    assert.match(text, /href="\/word\/river\/"/)
  })

  test('if nothing is found, the page suggests another word', async () => {
    const { text } = await get('/find/?q=tiem')
    assert.match(text, /Did you mean <a rel="nofollow" class="btn" href="\/find\/\?q=time">time<\/a>/)
    const several = await get('/find/?q=open+rivr')
    assert.match(several.text, /Nothing matches all of these words/)
    assert.match(several.text, /href="\/find\/\?q=open%20river"/)
  })

  test('areas, realms, authors and people of that name are offered first, with what they have', async () => {
    const offers = async (q: string) => {
      const { text } = await get(`/find/?q=${encodeURIComponent(q)}`)
      const list = /<ul class="offers">[\s\S]*?<\/ul>/.exec(text)?.[0] ?? ''
      return list.replaceAll(/ rel="nofollow"/g, '').replaceAll(/<\/?(?:mark|span|li|ul)[^>]*>/g, '')
    }
    const music = await offers('music')
    assert.match(music, /Area\s+<a class="value" href="\/polynym\/\?area=music">music<\/a>/)
    assert.match(
      music,
      /<a href="\/polynym\/\?area=music">18 polynyms<\/a> · <a href="\/quadranym\/\?area=music">5 quadranyms/,
    )
    assert.match(await offers('temporal'), /Realm\s+<a class="value" href="\/quadranym\/\?realm=Temporal">Temporal/)
    // All his plays are one author; a play is a source.
    assert.match(await offers('shakespeare'), /Author\s+<a class="value" href="\/author\/William%20Shakespeare\/">/)
    assert.match(
      await offers('hamlet'),
      /Source\s+<a class="value" href="\/quote\/\?src=William\+Shakespeare%2C\+Hamlet">/,
    )
    assert.match(await offers('mira'), /Person\s+<a class="value" href="\/people\/mira\/">mira<\/a>\s+\d+ records/)
    // Miranda begins the same, but mira is there.
    assert.doesNotMatch(await offers('mira'), /Author/)
    assert.equal(await offers('rainbow'), '')
  })

  test('a result says why it was found, and marks other forms of the words', async () => {
    assert.match((await get('/find/?q=music')).text, /area <mark>music<\/mark>/)
    assert.match((await get('/find/?q=fires')).text, /<mark>fire<\/mark>/)
    assert.match((await get('/find/?q=what+is+the+opposite+of+love')).text, /<mark>love<\/mark>/)
    assert.doesNotMatch((await get('/find/?q=what+is+the+opposite+of+love')).text, /<mark>(?:of|the)<\/mark>/)
  })

  test('a spelling that is looked for in place of the given one is named', async () => {
    const also = /This also looks for <a[^>]* href="\/find\/\?q=water">water<\/a>\./
    assert.match((await get('/find/?q=watre')).text, also)
    assert.doesNotMatch((await get('/find/?q=water')).text, /also looks for/)
  })

  test('if no record has all words, each word that tells something is a link', async () => {
    const { text } = await get('/find/?q=the+colours+of+the+rainbow')
    assert.match(text, /Or look for <a rel="nofollow" class="btn" href="\/find\/\?q=colours">colours<\/a>/)
    assert.match(text, /href="\/find\/\?q=rainbow">rainbow<\/a><\/p>/)
  })

  test('an empty search asks for words; one that is too long is refused with a message', async () => {
    assert.match((await get('/find/')).text, /What are you looking for\?/)
    const long = await get(`/find/?q=${'a+'.repeat(40)}`)
    assert.equal(long.status, 400)
    assert.match(long.text, /role="alert">Search for no more than 16 words\./)
  })

  test('suggestions are the best few of each kind as JSON, in one request', async () => {
    const { status, headers, text } = await site.ask('/find/suggest/?q=rainb')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json')
    const { json } = await site.ask('/api/polynym/?search=rainb')
    const [{ name, polynym_id }] = json.results
    const { q, results } = JSON.parse(text)
    assert.equal(q, 'rainb')
    assert.deepEqual(results[0], { kind: 'Polynym', text: name, note: '7 parts', href: `/polynym/${polynym_id}/` })
    const music = JSON.parse((await site.ask('/find/suggest/?q=music')).text).results
    assert.deepEqual(
      music.find(({ kind }: any) => kind === 'Area'),
      { kind: 'Area', text: 'music', note: '26 records', href: '/polynym/?area=music' },
    )
    assert.deepEqual(JSON.parse((await site.ask('/find/suggest/?q=')).text), { q: '', results: [] })
    assert.deepEqual(JSON.parse((await site.ask('/find/suggest/?q=a%00b')).text), { q: 'a\0b', results: [] })
    assert.deepEqual(site.bugs, [])
  })
})

describe('finding in a browser', () => {
  const { site, browser } = siteInBrowser()

  test('records are suggested while the user types, chosen with keys, opened with Enter', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto('/sets/')
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Find' })
    assert.equal(await box.getAttribute('aria-expanded'), 'false')
    await page.keyboard.insertText('rainbow')
    const first = page.getByRole('option').first()
    await first.waitFor()
    assert.equal(await box.getAttribute('aria-expanded'), 'true')
    await page.keyboard.press('ArrowDown')
    assert.equal(await box.getAttribute('aria-activedescendant'), await first.getAttribute('id'))
    assert.equal(await first.getAttribute('aria-selected'), 'true')
    await page.keyboard.press('ArrowUp')
    assert.equal(await box.getAttribute('aria-activedescendant'), null)
    await page.keyboard.press('ArrowUp')
    assert.equal(await page.getByRole('option').last().getAttribute('aria-selected'), 'true')
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('option').count(), 0)
    assert.equal(await box.inputValue(), 'rainbow')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const href = await page.locator('[aria-selected=true]').getAttribute('data-href')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === href)
    assert.deepEqual(complaints, [])
  })

  test('a click opens a suggestion, and Enter alone searches everything', async () => {
    const { page } = await openPage(browser, site.base)
    await page.goto('/')
    const box = page.getByRole('combobox')
    await box.fill('river')
    await page
      .getByRole('option', { name: /Quadranym/ })
      .first()
      .click()
    await page.waitForURL(/\/quadranym\/[0-9]+\/$/)
    await page.getByRole('combobox').fill('river')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/find\/\?q=river$/)
  })

  test('a late response does not replace a newer one', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    let letGo = () => {}
    const held = new Promise<void>((go) => {
      letGo = go
    })
    await page.route('**/find/suggest/?q=river', async (route) => {
      await held
      await route.continue().catch(() => {})
    })
    await page.goto('/')
    await page.getByRole('combobox').fill('river')
    await page.waitForRequest('**/find/suggest/?q=river')
    await page.getByRole('combobox').fill('rainbow')
    await page
      .getByRole('option', { name: /Rainbow/ })
      .first()
      .waitFor()
    letGo()
    await page.unrouteAll({ behavior: 'wait' })
    assert.equal(await page.getByRole('option', { name: /river/i }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('without a script the box is a search form', async () => {
    const { page } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await page.goto('/quadranym/')
    await page.getByRole('searchbox', { name: 'Find' }).fill('time')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/find\/\?q=time$/)
    assert.equal(await page.locator('h1').textContent(), 'time')
    await page.locator('.hits a').first().click()
    await page.waitForURL(/\/quadranym\/[0-9]+\/$/)
  })

  test('the results and the list under the box are accessible', async () => {
    await lookAt(browser, site.base, ['/find/', '/find/?q=time', '/find/?q=tiem', '/find/?q=music'])
    const { page } = await openPage(browser, site.base)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/')
    await page.getByRole('combobox').fill('time')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    assert.deepEqual(await faultsOf(page), [])
    assert.ok((await widthOf(page)) <= 360)
  })
})
