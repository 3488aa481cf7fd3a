/** Pages that tell: phrases times topics, verses and tales, as links that keep everything; the fit bench; and Feel. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { relatedRow, replaceRelatedWords } from '../../src/store/index.ts'
import { signUp } from '../accounts/browser.ts'
import { clickThrough, openPage, siteInBrowser } from '../support/browser.ts'
import { brokenWords, lookAt } from './looking.ts'

describe('telling pages', () => {
  const { site, browser } = siteInBrowser()

  const get = async (path: string) => {
    const { status, text } = await site.ask(path, { headers: { accept: 'text/html' } })
    assert.equal(status, 200, path)
    return text
  }
  const plain = (html: string) => html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')
  const told = async (page: Page) => (await page.locator('.leaf').first().locator('p').allTextContents()).join('\n')

  test('the grid has seven phrases and seven topics, told as the API tells them', async () => {
    const html = await get('/tell/')
    const codes = Array.from(html.matchAll(/name="line" value="(\d+)-(\d+)"/g), ([, phrase, topic]) => [phrase, topic])
    assert.equal(codes.length, 49)
    const [phrases, quadranyms] = [0, 1].map((i) => [...new Set(codes.map((code) => Number(code[i])))])
    assert.deepEqual([phrases?.length, quadranyms?.length], [7, 7])
    const { json } = await site.ask('/api/qode/verse/', { method: 'POST', json: { phrases, quadranyms } })
    const cells = Array.from(html.matchAll(/<button class="cell"[^>]*>(.*?)<\/button>/g), ([, text]) => plain(text!))
    assert.deepEqual(
      cells.map((text) => text.trim()),
      json.stanzas.flat().map(({ text }: { text: string }) => text.replaceAll("'", '&#39;')),
    )
    assert.equal(await get('/tell/?turn=3'), await get('/tell/?turn=3'))
    assert.notEqual(await get('/tell/?turn=3'), html)
    // A blank place is filled, and a named one stays.
    const kept = await get('/tell/?phrase=&phrase=21&quadranym=1&turn=4')
    assert.match(kept, /name="line" value="21-1"/)
  })

  test('unknown records are named, and what is left is told', async () => {
    const html = await get('/tell/verse/?phrase=21&phrase=99999&phrase=x&quadranym=1&quadranym=88888')
    for (const fault of ['There is no phrase 99999.', 'There is no phrase x.', 'There is no quadranym 88888.']) {
      assert.ok(html.includes(fault), fault)
    }
    assert.match(plain(html), /So we came at last to the door\./)
    assert.ok((await get('/tell/tale/?fable=77777')).includes('There is no fable 77777.'))
    assert.ok((await get(`/tell/?${'line=21-1&'.repeat(51)}`)).includes('The book is full: it has 50 lines.'))
    assert.match(await get('/tell/?line=21-99999&line=99999-1&line=nonsense'), /Press a sentence above/)
  })

  test('a verse is told by phrase, by topic or pairwise, and says where each line comes from', async () => {
    const of = '/tell/verse/?phrase=21&phrase=22&quadranym=1&quadranym=2'
    const [arrival, departure] = ['So we came at last to the', 'We left the']
    for (const [by, first, second, stanzas] of [
      ['', `${arrival} door.`, `${arrival} `, 2],
      ['&by=topic', `${arrival} door.`, `${departure} door `, 2],
      ['&by=zip', `${arrival} door.`, `${departure} `, 1],
    ] as const) {
      const html = await get(of + by)
      const lines = Array.from(html.matchAll(/<span class="said"[^>]*>(.*?)<\/span>/g), ([, line]) => plain(line!))
      assert.ok(lines[0]?.startsWith(first) && lines[1]?.startsWith(second), by)
      assert.equal(html.match(/<p class="stanza">/g)?.length, stanzas, by)
      assert.equal(html.match(/told with<\/span>/g)?.length, lines.length, by)
    }
  })

  test('a pressed sentence is written into the book, and the address keeps it', async () => {
    const { page, complaints } = await openPage(browser, site.base, { viewport: { width: 1280, height: 800 } })
    // A word that is longer than most, on a window that is narrower than most.
    const { json } = await site.ask('/api/quadranym/?s=enchantment')
    await page.goto(`/tell/?quadranym=${json.results[0].quadranym_id}`)
    for (const width of [1000, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      assert.deepEqual(await brokenWords(page, '.cells'), [], `${width} px`)
    }
    await page.goto('/tell/?turn=2')
    const cell = page.locator('.cell').nth(10)
    const sentence = (await cell.textContent())?.trim() ?? ''
    await cell.focus()
    await page.keyboard.press('Enter')
    await page.locator('.trace li').waitFor()
    assert.equal((await told(page)).trim(), sentence)
    assert.match(await page.locator('.cell:focus').textContent().then(String), new RegExp(sentence.slice(0, 10)))
    await page.getByRole('button', { name: 'New paragraph' }).click()
    await page.waitForURL(/line=-/)
    await page.getByRole('link', { name: 'Shuffle' }).click()
    await page.waitForURL(/turn=3/)
    await page.locator('.cell').first().click()
    await page.locator('.trace li').nth(1).waitFor()
    assert.equal((await told(page)).split('\n').length, 2)
    const text = await told(page)
    const link = (await page.locator('.permalink').getAttribute('href')) ?? ''
    assert.ok(!link.includes('turn='))
    // A browser that refuses to copy: the link is shown, and selected.
    await page.context().grantPermissions([])
    await page.getByRole('button', { name: 'Copy the link' }).click()
    await page.getByRole('status').getByText('The browser does not allow copying.').waitFor()
    assert.equal(await page.evaluate('String(getSelection())'), link)
    await page.goto(link)
    assert.equal(await told(page), text)
    await page.getByRole('link', { name: 'Remove line 1' }).click()
    await page.locator('.trace li').nth(1).waitFor({ state: 'detached' })
    // A topic of the visitor's choice.
    await page.locator('#find-quadranym').fill('winter')
    await page.locator('.picks li').first().click()
    await page.locator('.cells thead th', { hasText: 'winter' }).first().waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('without scripts buttons, links and search boxes lead to the same pages; the book becomes a story', async () => {
    const { page } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await page.goto('/tell/?phrase=21&quadranym=1')
    await clickThrough(page, page.locator('.cell[value="21-1"]'))
    assert.equal((await told(page)).trim(), 'So we came at last to the door.')
    await page.locator('#find-phrase').fill('departure')
    await page.locator('form[data-find=phrase] button').click()
    await page.locator('.finders .chips a', { hasText: 'Departure' }).click()
    await clickThrough(page, page.locator('.cell[value="22-1"]'))
    const save = page.getByRole('link', { name: 'Save it as a story' })
    const href = (await save.getAttribute('href')) ?? ''
    await save.click()
    await page.getByRole('heading', { level: 1, name: 'Sign in to make a story' }).waitFor()
    const { status, text } = await site.ask(href, { as: 'ada', headers: { accept: 'text/html' } })
    assert.equal(status, 200)
    assert.match(text, /name="line_phrase" value="Arrival"/)
    assert.match(plain(text), /So we came at last to the door\. ?We left the door behind us/)
    await page.context().close()
  })

  test('a tale takes any topics in any order, and becomes a tale of the catalogue', async () => {
    const { json: fable } = await site.ask('/api/fable/?length=2&page_size=1')
    const { fable_id: id } = fable.results[0]
    const spun = async (one: number, two: number) =>
      (await site.ask(`/api/fable/${id}/spin/?quadranym=${one}&quadranym=${two}`)).json.text
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto(`/tell/tale/?fable=${id}&quadranym=1&quadranym=2`)
    assert.equal(await told(page), await spun(1, 2))
    await page.getByRole('link', { name: 'Reverse the order' }).click()
    await page.waitForURL(/quadranym=2&quadranym=1/)
    assert.equal(await told(page), await spun(2, 1))
    await page
      .getByRole('link', { name: /^Change: / })
      .first()
      .click()
    await page.locator('#find-quadranym:focus').fill('winter')
    await page.locator('.picks li', { hasText: 'winter' }).first().click()
    await page.locator('.trace a', { hasText: 'winter' }).waitFor()
    assert.deepEqual(complaints, [])
    const href = (await page.getByRole('link', { name: 'Save it as a tale' }).getAttribute('href')) ?? ''
    const { text } = await site.ask(href, { as: 'ada', headers: { accept: 'text/html' } })
    assert.match(text, /name="line_quadranym" value="winter/)
    await page.context().close()
  })

  const signedIn = async (options: BrowserContextOptions = {}) => {
    const { headers } = await signUp(site, `judge${++judges}`)
    const [name = '', value = ''] = headers['set-cookie']?.[0]?.split(';')[0]?.split('=') ?? []
    const opened = await openPage(browser, site.base, options)
    await opened.page.context().addCookies([{ name, value, url: site.base }])
    return opened
  }
  let judges = 0
  const BENCH =
    '/bench/?phrase=21&phrase=22&phrase=5&phrase=6&phrase=7&quadranym=1&quadranym=2&quadranym=3&quadranym=4&quadranym=5'
  const counts = async (query: string) => (await site.ask(`/api/fit/results/?${query}`)).json.results

  test('one key judges a pair on the bench, and the next one is offered', async () => {
    const { page: stranger } = await openPage(browser, site.base)
    await stranger.goto(BENCH)
    await stranger.getByRole('link', { name: 'Sign in to judge' }).waitFor()
    await stranger.context().close()
    const { page, complaints } = await signedIn({ viewport: { width: 1280, height: 800 } })
    await page.goto(BENCH)
    const sentence = page.locator('.judging .text')
    const first = await sentence.textContent()
    await page.keyboard.press('y')
    await page.locator('.cell.yes').waitFor()
    assert.notEqual(await sentence.textContent(), first)
    await page.keyboard.press('n')
    await page.locator('.cell.no').waitFor()
    assert.equal(await page.locator('.judging .soft').textContent(), 'You have judged 2 of these 25.')
    assert.equal(await page.locator('[data-said]').textContent(), await sentence.textContent())
    assert.deepEqual(
      (await counts('by=all')).map(({ yes, no }: { yes: number; no: number }) => [yes, no]),
      [[1, 1]],
    )
    // Any pair can be chosen, and its address says so.
    await page.keyboard.press('s')
    await page.waitForURL(/at=/)
    await page.locator('.cell.yes').click()
    await page.getByRole('button', { name: /Take it back/ }).click()
    await page.locator('.cell.yes').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('without scripts the bench works with buttons, and a misfit leads to the editor of its phrase', async () => {
    const { page } = await signedIn({ javaScriptEnabled: false })
    await page.goto(`${BENCH}&at=5-2`)
    await clickThrough(page, page.getByRole('button', { name: /Does not/ }))
    assert.equal(await page.locator('.cell.no').count(), 1)
    assert.deepEqual(await counts('by=pair&phrase=5&quadranym=2'), [{ phrase: 5, quadranym: 2, yes: 0, no: 1 }])
    await page.goto('/bench/results/')
    await clickThrough(page, page.locator('.fits a', { hasText: 'Naming' }))
    assert.match(page.url(), /\?phrase=5$/)
    const editor = page.getByRole('link', { name: 'Edit it, so that it reads better' })
    assert.equal(await editor.getAttribute('href'), '/make/phrase/5/')
    await page.goto('/bench/results/?by=me')
    await page.getByText('1 judgement').waitFor()
    await page.locator('.hits a', { hasText: 'Change' }).click()
    await clickThrough(page, page.getByRole('button', { name: /Take it back/ }))
    assert.deepEqual(await counts('by=pair&phrase=5&quadranym=2'), [])
    await page.context().close()
    const pages = ['?by=realm', '?by=quadranym', '?quadranym=1', '?phrase=21', '?by=nonsense']
    for (const query of pages) await get(`/bench/results/${query}`)
    assert.equal((await site.ask('/bench/results/?phrase=99999', { headers: { accept: 'text/html' } })).status, 404)
    assert.match(
      (await site.ask('/bench/results/?by=me', { headers: { accept: 'text/html' } })).headers.location!,
      /login/,
    )
  })

  test('a text is near to a term, with reasons', async () => {
    const elements = await site.ask('/api/polynym/?name=Elements&depth=4&page_size=1')
    const [{ polynym_id: id }] = elements.json.results
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto(`/feel/?polynym=${id}`)
    await page.locator('#text').fill('A ship on the ocean')
    await page.getByRole('button', { name: 'See' }).click()
    await page.waitForURL(/text=/)
    await page.getByRole('heading', { name: 'It is nearest to water.' }).waitFor()
    await page.getByText('“ocean” is a kind of “water”.').waitFor()
    // Another set, in place, with the same text.
    await page.locator('#find-polynym').fill('deadly sins')
    await page.locator('.picks li', { hasText: 'Deadly sins' }).first().click()
    await page.waitForURL(/text=A\+ship/)
    await page.getByRole('heading', { name: 'Nothing in this text is near' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
    const placed = await get(`/feel/?polynym=${id}&text=${encodeURIComponent('ocean, fires, a zzxq')}`)
    assert.match(plain(placed), /ocean: water 60 %/)
    assert.match(plain(placed), /fires: fire 100 %/)
    assert.match(plain(placed), /a zzxq: near to none of the terms/)
    assert.ok(placed.includes('nymdex import wordnet'))
    const long = await site.ask(`/feel/?text=${'a'.repeat(2001)}`, { headers: { accept: 'text/html' } })
    assert.equal(long.status, 400)
    assert.ok((await get('/feel/?polynym=99999')).includes('There is no polynym 99999.'))
    // After an import, the page no longer says that the server knows few words.
    await site.engine.store.write(() => replaceRelatedWords([relatedRow({ word: 'ocean', rarity: 9, others: [] })]))
    await site.ask('/api/queue/', { method: 'POST', as: 'ada', json: { name: 'another topic' } })
    assert.ok(!(await get(`/feel/?polynym=${id}&text=ocean`)).includes('nymdex import wordnet'))
    await site.engine.store.write(() => replaceRelatedWords([]))
  })

  test('a text is oriented without scripts: sets that speak of it, in layers', async () => {
    const { page } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await page.goto('/feel/orient/')
    await page.locator('#text').fill('The door opened on the ocean.')
    await clickThrough(page, page.getByRole('button', { name: 'See' }))
    assert.deepEqual(await page.locator('.layer h2').allTextContents(), ['General', 'Near', 'Particular'])
    await page
      .locator('.layer.particular a', { hasText: /^door$/ })
      .first()
      .waitFor()
    // Two sets have this name.
    const general = await page.locator('.layer.general li').allTextContents()
    assert.equal(new Set(general.filter((each) => /^\s*Elements \([a-z]+, /.test(each))).size, 2, general.join())
    await clickThrough(page, page.locator('.layer.general a', { hasText: /water|Elements/ }).first())
    assert.match(page.url(), /\/(polynym|quadranym)\/\d+\/$/)
    await page.context().close()
  })

  test('the pages have no faults that axe finds, and fit a phone', async () => {
    await lookAt(browser, site.base, [
      '/feel/?text=the+ocean',
      '/feel/orient/?text=the+door+of+the+ocean',
      '/bench/',
      '/bench/results/',
      '/tell/?line=21-1&line=-&line=22-1',
      '/tell/verse/?by=topic',
      '/tell/tale/',
    ])
  })
})
