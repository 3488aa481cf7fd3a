/** The page of a word: a map of the words around it, and where it is used. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openPage, siteInBrowser } from '../support/browser.ts'
import { onEachEngine } from '../support/site.ts'
import { lookAt, widthOf } from './looking.ts'

const LONG = 'pneumonoultramicroscopicsilicovolcanoconiosis'

onEachEngine('a word', {}, (site) => {
  const get = (path: string) => site.page(path)

  test('its page shows every set that has it once, with the other words as links to their pages', async () => {
    const { json } = await site.ask('/api/term/open/?limit=60')
    const { status, text } = await get('/word/open/')
    assert.equal(status, 200)
    for (const { resource, record } of json.sets) {
      const [, group] = new RegExp(
        `<li class="group [a-z]"><p class="of"><span>.*?</span> (?:in )?<a href="/${resource}/${record[`${resource}_id`]}/">(.*?)</li>`,
      ).exec(text)!
      const words = resource === 'quadranym' ? [record.name, record.r, record.o, record.s] : [record.p1, record.p2]
      for (const word of words) {
        assert.match(group!, new RegExp(`href="/word/${encodeURIComponent(word)}/">${word}</a>`), word)
      }
    }
    assert.match(
      text,
      /<span><a class="gloss" href="\/learn\/#expansive">expansive<\/a><\/span> in <a href="\/quadranym\/1\/">quadranym door<\/a>/,
    )
    assert.match(text, /<a class="n" href="\/word\/door\/">door<\/a>/)
  })

  test('it is written as the sets write it, the most frequent spelling first', async () => {
    for (const [address, written] of [
      ['/word/ZEUS/', 'Zeus'],
      ['/word/grand%20jete/', 'grand jeté'],
      ['/word/OPEN/', 'open'],
    ]) {
      const { text } = await get(address!)
      assert.match(text, new RegExp(`<h1 tabindex="-1" data-word="true">${written}</h1>`))
      assert.match(text, new RegExp(`<title>${written} · Nymdex</title>`))
    }
    const polynym = (name: string, p1: string) =>
      site.ask('/api/polynym/', { method: 'POST', as: 'ada', json: { name, mode: 'part', p1, p2: `${name} too` } })
    await polynym('Zwirn one', 'Zwirn')
    await polynym('Zwirn two', 'zwirn')
    await polynym('Zwirn three', 'Zwirn')
    const { text } = await get('/word/zwirn/')
    assert.match(text, /data-word="true">Zwirn<\/h1> ?<p class="soft">also written <b>zwirn<\/b><\/p>/)
    assert.match((await get('/word/Caf%C3%A9s/')).text, /data-word="true">Cafés<\/h1>/)
  })

  test('it knows the polymaps, vectornyms and polysets of its sets, and the words that these put next to it', async () => {
    const { text } = await get('/word/zeus/')
    assert.match(text, /related in<\/span> <a href="\/polymap\/[0-9]+\/">polymap Greek gods in Roman dress/)
    assert.match(text, /<i>similar to<\/i> <a href="\/word\/jupiter\/">Jupiter<\/a>/)
    assert.match(text, /same row in<\/span> <a href="\/vectornym\/[0-9]+\/">vectornym Gods side by side/)
    assert.match(text, /href="\/word\/thunderbolt\/">thunderbolt/)
    assert.match(text, /<h2>In <a class="gloss" [^>]*>polysets<\/a><\/h2><ul class="hits">.*?Gods and heroes/)
    const fire = (await get('/word/fire/')).text
    assert.match(fire, /<h2>In <a class="gloss" [^>]*>quadrasets<\/a><\/h2>/)
    assert.match(fire, /<h2>In <a class="gloss" [^>]*>stories<\/a><\/h2>/)
    assert.match((await get('/word/jupiter/')).text, /href="\/word\/zeus\/">Zeus<\/a> <i>similar to it<\/i>/)
  })

  test('a form leads to the word, if sets have that and not the form, or have it more often', async () => {
    const { status, headers } = await get('/word/Fires/')
    assert.deepEqual([status, headers['location']], [303, '/word/fire/'])
    assert.match((await get('/word/fire/')).text, /in texts also <b>fires<\/b>/)
    await site.ask('/api/polynym/', {
      method: 'POST',
      as: 'ada',
      json: { name: 'In the hills', mode: 'type', p1: 'fires', p2: 'herds' },
    })
    const own = await get('/word/fires/')
    assert.equal(own.status, 200)
    assert.match(own.text, /a form of <a href="\/word\/fire\/">fire<\/a>/)
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
  const { site, browser } = siteInBrowser()
  before(async () => {
    const terms = { e: LONG, r: `${LONG} ${LONG}`, o: 'breath', s: 'dust' }
    await site.ask('/api/quadranym/', { method: 'POST', as: 'ada', json: { name: LONG, ...terms } })
  })

  test('a pressed word becomes the middle without a reload, and there is a way back', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto('/word/zeus/')
    await page.evaluate('window.isSame = true')
    const heading = page.locator('h1')
    assert.equal(await page.locator('nav.walked').isVisible(), false)
    await page.locator('.group a', { hasText: /^Athena$/ }).click()
    await page.waitForURL('**/word/athena/')
    await page.locator('h1', { hasText: 'Athena' }).waitFor()
    assert.equal(await page.title(), 'Athena · Nymdex')
    assert.equal(await page.locator('form.find input').inputValue(), 'Athena')
    await page.locator('h1:focus').waitFor()
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('h1')).textAlign"), 'center')
    await page.locator('details.share summary').click()
    assert.equal(await page.getByLabel('Link', { exact: true }).inputValue(), `${site.base}/word/athena/`)
    assert.equal(await page.getByRole('button', { name: 'Copy: Link' }).isVisible(), true)
    await page
      .locator('.group a', { hasText: /^Minerva$/ })
      .first()
      .click()
    await page.locator('h1', { hasText: 'Minerva' }).waitFor()
    assert.deepEqual(await page.locator('nav.walked a').allTextContents(), ['Zeus', 'Athena'])
    await page.goBack()
    await page.locator('h1', { hasText: 'Athena' }).waitFor()
    assert.deepEqual(await page.locator('nav.walked a').allTextContents(), ['Zeus'])
    await page.locator('nav.walked a').click()
    await page.locator('h1', { hasText: 'Zeus' }).waitFor()
    assert.equal(await heading.textContent(), 'Zeus')
    assert.equal(await page.evaluate('window.isSame'), true)
    // A form leads to its word, and the address is that of the word.
    await page.evaluate(`document.querySelector('.group a').href = '/word/fires/'`)
    await page.locator('.group a').first().click()
    await page.waitForURL('**/word/fire/')
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('without scripts the words are links', async () => {
    const { page } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await page.goto('/word/zeus/')
    await page.locator('.group a', { hasText: /^Athena$/ }).click()
    await page.waitForURL('**/word/athena/')
    await page.context().close()
  })

  test('a long word does not overflow a narrow page', async () => {
    const { page } = await openPage(browser, site.base)
    await page.setViewportSize({ width: 320, height: 640 })
    for (const path of [`/word/${LONG}/`, '/word/breath/']) {
      await page.goto(path)
      assert.ok((await widthOf(page)) <= 320, path)
      const outside = await page.evaluate(() => {
        const box = document.querySelector('.middle')!.getBoundingClientRect()
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('.middle h1')!)
        return Array.from(range.getClientRects(), ({ left, right }) => left < box.left || right > box.right)
      })
      assert.ok(outside.length > 0 && !outside.includes(true), path)
    }
    await page.context().close()
  })

  test('the page of a word is accessible', async () => {
    await lookAt(browser, site.base, [
      '/word/fire/',
      '/word/tiem/',
      '/author/William%20Shakespeare/',
      '/authors/',
      `/word/${'long'.repeat(60)}/`,
    ])
  })
})
