/** The annotator: words marked by hand or by suggestion, with and without a script; nothing is lost. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { annotate } from '../../src/language/index.ts'
import { signedUp } from '../accounts/browser.ts'
import { clickThrough, hasFocus, openPage, PHONE, siteInBrowser } from '../support/browser.ts'
import { onEachEngine } from '../support/site.ts'
import { expected, faultsOf, widthOf } from './looking.ts'

const PROVERB = 'When one door closes, another opens.'
const PASSWORD = 'a long enough secret'
/** The sum of the layout shifts of the page so far. */
const SHIFT = `new Promise((done) => {
  let sum = 0
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value }).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => done(sum)))
})`

onEachEngine('annotating by form', {}, (site) => {
  const html = { accept: 'text/html' }
  const send = (form: Record<string, string | string[]>, as?: string) =>
    site.ask('/annotate/', { method: 'POST', headers: html, form, ...(as ? { as } : {}) })

  test('a pasted text comes back with fitting quadranyms and their words', async () => {
    const { status, text } = await send({ text: `  ${PROVERB}\r\n`, step: 'suggest' })
    assert.equal(status, 200)
    assert.match(text, /<input type="checkbox" name="quadranym" value="1" checked\/>/)
    assert.match(text, /When one <span class="tok n">door<\/span> <span class="tok r">closes<\/span>, another/)
    assert.match(text, /<code>When one q1n_NN q1r_VBZ, another q1e_VBZ\.<\/code>/)
    assert.deepEqual(text.match(/name="mark" value="[^"]+"/g), [
      'name="mark" value="9,4,1,n,NN"',
      'name="mark" value="14,6,1,r,VBZ"',
      'name="mark" value="30,5,1,e,VBZ"',
    ])
  })

  test('words after characters of two units are found, too', async () => {
    const { text } = await send({ text: `😀 ${PROVERB}`, step: 'suggest' })
    assert.match(text, /😀 When one <span class="tok n">door<\/span> <span class="tok r">closes<\/span>, another/)
    assert.match(text, /name="mark" value="12,4,1,n,NN"/)
    assert.match(text, /name="mark" value="33,5,1,e,VBZ"/)
  })

  test('words whose part of speech is in doubt come first', async () => {
    const { text } = await send({ text: `${PROVERB} Measure twice, cut once.`, step: 'suggest' })
    const marked = [...text.matchAll(/class="tok .">(\w+)<\/span>\s*<span class="soft">([^<]+)/g)]
    assert.deepEqual(
      marked.map(([, word, says]) => [word, says?.includes('in doubt')]),
      [
        ['cut', true],
        ['door', false],
        ['closes', false],
        ['opens', false],
      ],
    )
  })

  test('the ticked quadranyms and words are saved', async () => {
    const form = {
      text: PROVERB,
      marked: PROVERB,
      step: 'save',
      kind: 'fortune',
      quadranym: '1',
      mark: ['9,4,1,n,NN', '30,5,1,e,VBZ'],
    }
    const saved = await send(form, 'ada')
    assert.equal(saved.status, 303)
    const { json } = await site.ask(`/api${saved.headers.location}`)
    assert.deepEqual([json.body, json.qode, json.subs], [PROVERB, 'When one q1n_NN closes, another q1e_VBZ.', 'ne'])
    const again = await send(form, 'ada')
    assert.equal(again.status, 400)
    assert.match(again.text, /<span class="wrong" id="text-wrong">There is already one with this text\.<\/span>/)
  })

  test('quadranyms are added by name or number; an ambiguous name asks which one', async () => {
    const form = { text: 'A shadow and a song flow.', step: 'suggest', quadranym: '1' }
    const mountain = await site.ask('/api/quadranym/?name=mountain')
    const added = await send({ ...form, add: 'mountain' })
    assert.equal(added.status, 200)
    assert.match(added.text, new RegExp(`value="${mountain.json.results[0].quadranym_id}" checked`))
    const which = await send({ ...form, add: 'door' })
    assert.equal(which.status, 400)
    assert.match(which.text, /Which quadranym is “door”\? door: open \/ close; door: /)
    assert.match((await send({ ...form, add: '999999' })).text, /There is no quadranym 999999\./)
  })

  test('a quote has an author and one quadranym; errors are shown at their fields', async () => {
    const body = 'Close the door.'
    const form = { text: body, marked: body, step: 'save', kind: 'quote', quadranym: '1', mark: '0,5,1,r,VB' }
    const nobody = await send({ ...form, src: ' ' }, 'ada')
    assert.equal(nobody.status, 400)
    assert.match(nobody.text, /<span class="wrong" id="src-wrong">Fill this in\.<\/span>/)
    const two = await send({ ...form, quadranym: ['1', '93'], mark: ['0,5,93,r,VB', '10,4,1,n,NN'], src: 'Ada' }, 'ada')
    assert.match(two.text, /A quote has one quadranym only: choose one\./)
    const saved = await send({ ...form, src: 'Ada' }, 'ada')
    assert.equal(saved.status, 303)
    const { json } = await site.ask(`/api${saved.headers.location}`)
    assert.deepEqual([json.qode, json.src], ['q1r_VB the door.', 'Ada'])
  })

  test('a text that was changed after its words were marked is shown again', async () => {
    const form = {
      text: 'Close the gate.',
      marked: 'Close the door.',
      step: 'save',
      quadranym: '1',
      mark: '0,5,1,r,VB',
    }
    const { status, text } = await send(form, 'ada')
    assert.equal(status, 200)
    assert.match(text, /The text has changed\./)
  })

  test('a visitor who is not signed in keeps the text, and returns to it', async () => {
    const form = { text: PROVERB, marked: PROVERB, step: 'save', quadranym: '1', mark: '9,4,1,n,NN' }
    const { status, text } = await send(form)
    assert.equal(status, 401)
    assert.ok(text.includes(`>${PROVERB}</textarea>`))
    const [, next] = /href="\/accounts\/login\/\?next=([^"]+)">Sign in and come back/.exec(text) ?? []
    const back = await site.ask(decodeURIComponent(next!), { headers: html, as: 'ada' })
    assert.ok(back.text.includes(`>${PROVERB}</textarea>`))
    assert.match(back.text, /name="quadranym" value="1" checked/)
    // A form without the token of the session: its user has signed in since it was opened.
    const visitor = await signedUp(site, 'returning')
    for (const step of ['save', 'suggest']) {
      const sent = { method: 'POST', form: { ...form, step }, headers: { origin: site.base } }
      const again = await visitor.ask('/annotate/', sent)
      assert.equal(again.status, step === 'save' ? 403 : 200)
      assert.ok(again.text.includes(`>${PROVERB}</textarea>`))
    }
    assert.equal((await site.ask('/api/fortune/?user=returning')).json.count, 0)
  })

  test('a stored text is opened with its marks, and only its owner can save it', async () => {
    const made = await site.ask('/api/fortune/', {
      method: 'POST',
      as: 'ada',
      json: { body: 'Open it, then close it.', q1: [1] },
    })
    const id = made.json.fortune_id
    const opened = await site.ask(`/annotate/?fortune=${id}`, { headers: html })
    assert.match(opened.text, /<span class="tok e">Open<\/span> it, then <span class="tok r">close<\/span> it\./)
    const form = {
      id: String(id),
      text: made.json.body,
      marked: made.json.body,
      step: 'save',
      quadranym: '1',
      mark: '0,4,1,e,VB',
    }
    assert.equal((await send(form, 'eve')).status, 403)
    assert.equal((await send(form, 'ada')).status, 303)
    assert.equal((await site.ask(`/api/fortune/${id}/`)).json.qode, 'q1e_VB it, then close it.')
    assert.equal((await site.ask('/annotate/?quote=999999', { headers: html })).status, 404)
  })

  test('input that no annotator sends is refused or ignored', async () => {
    assert.equal((await send({ text: ' ', step: 'suggest' })).status, 400)
    assert.equal((await send({ text: 'x'.repeat(20_001), step: 'suggest' })).status, 400)
    const wild = {
      text: PROVERB,
      marked: PROVERB,
      step: 'save',
      quadranym: '1',
      mark: ['x', '-1,4,1,n,NN', '9,4,1,z,NN', '9,4,7,n,NN', '9,4,1,n,nn', '9,99,1,n,NN'],
    }
    const saved = await send({ ...wild, text: `${PROVERB} Twice.`, marked: `${PROVERB} Twice.` }, 'ada')
    assert.equal((await site.ask(`/api${saved.headers.location}`)).json.qode, '')
    for (const path of ['words', 'settle']) {
      for (const state of ['', '{', 'null', '{"text":5}', '{"text":"a","topics":[null],"marks":[{}, null]}']) {
        const { status } = await site.ask(`/annotate/${path}/`, { method: 'POST', json: { state } })
        assert.ok(status < 500, `${path} ${state}`)
      }
    }
    assert.deepEqual(site.bugs, [])
  })
})

describe('annotating in a browser', () => {
  const { site, browser } = siteInBrowser()

  const signUp = async (page: Page, username: string) => {
    const answer = await page.request.post('/accounts/signup/', { data: { username, password: PASSWORD } })
    assert.equal(answer.status(), 201)
  }
  const qodeIn = (page: Page, qode: string) =>
    page.locator('.outcome code', { hasText: qode }).waitFor({ state: 'attached' })
  const paste = async (page: Page, text: string) => {
    await page.goto('/annotate/')
    await page.getByLabel('The text').fill(text)
    await page.getByRole('button', { name: 'Find its topics' }).click()
    await page.locator('.word.tok').first().waitFor()
  }

  test('a proverb is marked by keyboard alone, undone and redone, and saved after signing in', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'lea')
    await page.context().clearCookies()
    await page.goto('/annotate/')
    const { keyboard } = page
    await page.getByLabel('The text').focus()
    await keyboard.type(`${PROVERB} Shut it.`)
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await qodeIn(page, 'When one q1n_NN q1r_VBZ, another q1e_VBZ. Shut it.')
    await hasFocus(page, 'door')
    await keyboard.press('Enter')
    await qodeIn(page, 'When one door q1r_VBZ, another q1e_VBZ. Shut it.')
    await keyboard.press('Control+z')
    await qodeIn(page, 'When one q1n_NN q1r_VBZ, another')
    await keyboard.press('Control+Shift+z')
    await qodeIn(page, 'When one door q1r_VBZ, another')
    await keyboard.press('End')
    await keyboard.press('ArrowLeft')
    await hasFocus(page, 'Shut')
    await keyboard.press('r')
    await qodeIn(page, 'another q1e_VBZ. q1r_VB it.')
    await page.getByText('Told with door, it would read “Close”.').waitFor()
    await keyboard.press('o')
    await qodeIn(page, 'another q1e_VBZ. q1o_VB it.')
    await keyboard.press('Delete')
    await qodeIn(page, 'another q1e_VBZ. Shut it.')
    await keyboard.press('r')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    const alert = page.getByRole('alert').filter({ hasText: 'Sign in to save it' })
    await alert.and(page.locator(':focus')).waitFor()
    await page.getByRole('link', { name: 'Sign in and come back' }).press('Enter')
    await page.locator('main input[name=username]').fill('lea')
    await page.locator('main input[name=password]').fill(PASSWORD)
    await page.locator('main input[name=password]').press('Enter')
    await page.getByText('Your draft is back.').waitFor()
    await qodeIn(page, 'When one door q1r_VBZ, another q1e_VBZ. q1r_VB it.')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.waitForURL(/\/fortune\/[0-9]+\/$/)
    const { json } = await site.ask(`/api${new URL(page.url()).pathname}`)
    assert.deepEqual([json.body, json.subs, json.depth], [`${PROVERB} Shut it.`, 'rer', 1])
    await page.goto('/annotate/')
    assert.equal(await page.getByLabel('The text').inputValue(), '', 'a saved text is not a draft')
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('words in doubt are asked about first, by keyboard and by click', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await paste(page, 'Measure twice, cut once. He who laughs last laughs best.')
    await page.getByText('3 words in doubt').waitFor()
    await hasFocus(page, 'cut')
    assert.match((await page.getByRole('button', { name: 'cut,' }).getAttribute('aria-label'))!, /, in doubt$/)
    await page.keyboard.press('d')
    await hasFocus(page, 'laughs')
    await page.keyboard.press('y')
    await page.getByText('2 words in doubt').waitFor()
    await hasFocus(page, 'best')
    await page.getByText('Is this the right part of speech?').waitFor()
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.getByText('1 word in doubt').waitFor()
    await hasFocus(page, 'cut')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 words in doubt').waitFor()
    await page.getByRole('button', { name: 'Show the next' }).click()
    await page.getByLabel('Part of speech').selectOption('RBS')
    await page.getByText('1 word in doubt').waitFor()
    await page.keyboard.press('Shift+Tab')
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('words are marked by click, with the pens, with other quadranyms', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await paste(page, 'The river flows to the sea.')
    const word = (name: string) => page.locator('.word', { hasText: name }).first()
    const before = await page.locator('.outcome code').textContent()
    await page.getByRole('combobox', { name: 'Another topic', exact: true }).fill('door')
    await page.getByRole('option', { name: 'door open, close' }).click()
    await page.getByText('No unmarked word is a form of a word of door.').waitFor()
    await word('The').click()
    await page.getByLabel('Topic', { exact: true }).selectOption({ label: 'door' })
    await page.locator('.pen.s').click()
    await page.locator('.outcome code', { hasText: /^q\ds_DT / }).waitFor({ state: 'attached' })
    await page.getByLabel('Part of speech').selectOption('NN')
    await page.locator('.outcome code', { hasText: /^q\ds_NN / }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Unmark' }).click()
    await page.getByRole('button', { name: 'Remove door' }).click()
    await page.locator('.outcome code', { hasText: before! }).waitFor({ state: 'attached' })
    for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal(await page.getByRole('button', { name: 'Redo' }).isEnabled(), true)
    // Neither another text nor the first step is a dead end: nothing is lost, and the focus follows.
    const box = page.locator('#text:focus')
    const { keyboard } = page
    await page.getByRole('button', { name: 'Another text' }).click()
    await box.waitFor()
    assert.equal(await box.inputValue(), '')
    await keyboard.press('Control+z')
    await page.locator('.word.tok:focus').waitFor()
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Undo' }).click()
    await box.waitFor()
    assert.equal(await box.inputValue(), 'The river flows to the sea.')
    await keyboard.press('Control+y')
    await page.locator('.word.tok:focus').waitFor()
    await page.getByRole('button', { name: 'Another text' }).click()
    await box.waitFor()
    await page.reload()
    await page.getByText('Your draft is back.').waitFor()
    await qodeIn(page, before!)
    // A long word does not widen the page.
    await page.getByRole('button', { name: 'Another text' }).click()
    await box.fill(`The sea${'x'.repeat(80)} opens`)
    await page.getByRole('button', { name: 'Find its topics' }).click()
    await page.locator('.word', { hasText: 'xxx' }).click()
    assert.ok((await widthOf(page)) <= 360)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('a session that ended loses nothing: after signing in again in another tab, the text is saved', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'mia')
    await paste(page, 'A door is what it opens.')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'sign in in another tab' }).waitFor()
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'sign in in another tab' }).click(),
    ])
    await tab.locator('main input[name=username]').fill('mia')
    await tab.locator('main input[name=password]').fill(PASSWORD)
    await tab.locator('main input[name=password]').press('Enter')
    await tab.waitForURL(/\/accounts\/$|\/people\//)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/fortune\/[0-9]+\/$/)
    assert.equal(await page.locator('[data-turn=told]').textContent(), 'A door is what it opens.')
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('errors from the server are shown at their fields, and a lost connection loses nothing', async () => {
    const { page } = await openPage(browser, site.base)
    await signUp(page, 'noa')
    await paste(page, 'When one door closes, the river flows and the mountain rises to the peak.')
    // Topics of one name are told apart in what can be read, and a pressed one does not take the focus away.
    const offers = page.getByRole('group', { name: 'Suggested' }).getByRole('button')
    const labels = await offers.allTextContents()
    assert.equal(new Set(labels).size, labels.length, labels.join())
    assert.match(labels[0]!, /^\+ door: \w+ \/ \w+$/)
    await offers.first().press('Enter')
    await page.getByRole('button', { name: `Remove ${labels[0]!.slice(2)}` }).waitFor()
    await hasFocus(page, labels[1]!)
    // What is wrong is said where the button is, not at the topics above.
    await page.getByLabel('a quote with its author').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await hasFocus(page, 'A quote has one quadranym only: keep one.')
    const shown = await page.locator('#save-wrong').evaluate((each) => each.getBoundingClientRect().toJSON())
    assert.ok(shown.top >= 0 && shown.bottom <= page.viewportSize()!.height)
    await page.evaluate('localStorage.clear()')
    await paste(page, 'No door opens twice.')
    await page.getByLabel('a quote with its author').check()
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal(await page.locator('#src-wrong').textContent(), 'Fill this in.')
    await page.locator('#src:focus').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Author' }).getAttribute('aria-describedby'), 'src-wrong')
    await page.getByRole('textbox', { name: 'Author' }).fill('Noa')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The server cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await page.reload()
    await page.getByText('Your draft is back.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Author' }).inputValue(), 'Noa')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/quote\/[0-9]+\/$/)
    await page.getByText('Noa', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Mark its words' }).click()
    await page.locator('.word.tok').first().waitFor()
    assert.equal(await page.locator('h1').textContent(), `Mark quote ${/[0-9]+$/.exec(page.url())![0]}`)
    await page.context().close()
  })

  test('the words of a text in Arabic run from right to left, and the arrow keys with them', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto(`/annotate/?text=${encodeURIComponent('افتح الباب غدا.')}`)
    const words = page.locator('.page button')
    await words.nth(2).waitFor()
    const places = await words.evaluateAll((all) => all.map((word) => word.getBoundingClientRect().left))
    assert.deepEqual(
      places,
      places.toSorted((a, b) => b - a),
    )
    await words.nth(0).focus()
    await page.keyboard.press('ArrowLeft')
    await hasFocus(page, 'الباب')
    await page.keyboard.press('ArrowRight')
    await hasFocus(page, 'افتح')
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('on a phone a tap marks nothing until a pen is chosen, and no code or key is shown', async () => {
    const { page, complaints } = await openPage(browser, site.base, PHONE)
    await paste(page, PROVERB)
    const word = page.locator('.word', { hasText: 'another' })
    await word.tap()
    await page.getByRole('heading', { name: 'another' }).waitFor()
    assert.equal(await word.getAttribute('aria-pressed'), 'false')
    await page.locator('.pen.o').tap()
    assert.equal(await word.getAttribute('aria-pressed'), 'true')
    await page.locator('.word', { hasText: 'one' }).tap()
    await page.getByRole('button', { name: 'one, objective of door' }).waitFor()
    assert.equal(await page.getByText('arrow keys').isVisible(), false)
    assert.equal(await page.getByText('q1n_NN').isVisible(), false)
    assert.equal(await page.getByText('NN', { exact: true }).count(), 0)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('anybody turns a text of their own; saving leads to signing in and keeps the draft', async () => {
    const { page, complaints } = await openPage(browser, site.base, PHONE)
    await page.goto('/turn/')
    await page.getByLabel('The text').fill(PROVERB)
    await page.getByRole('button', { name: 'Turn it' }).click()
    const told = page.locator('.turned .text:not([aria-busy])')
    await told.waitFor()
    assert.doesNotMatch((await told.textContent())!, /door|q1/)
    await page.getByRole('combobox', { name: 'Another topic in place of door' }).fill('river')
    await page
      .getByRole('option', { name: /^river/ })
      .first()
      .click()
    await page.locator('.turned .text', { hasText: 'When one river' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Sign in and come back' }).click()
    await signUp(page, 'ula')
    await page.goto('/turn/')
    await page.getByText('Your draft is back.').waitFor()
    await told.waitFor()
    assert.ok(Number(await page.evaluate(SHIFT)) < 0.1, 'nothing moves when the draft comes back')
    assert.equal(await page.locator('.word.tok').count(), 3)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('without a script a text is pasted, ticked and saved', async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await signUp(page, 'ola')
    await page.goto('/annotate/')
    await page.getByLabel('The text').fill('A door that closes, opens.')
    await page.getByRole('button', { name: 'Find its topics' }).click()
    await page.getByRole('heading', { name: 'Told with other topics' }).waitFor()
    await page.getByLabel('closes').uncheck()
    await clickThrough(page, page.getByRole('button', { name: 'Save' }))
    const { json } = await site.ask(`/api${new URL(page.url()).pathname}`)
    assert.equal(json.qode, 'A q1n_NN that closes, q1e_VBZ.')
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('the language library works in a browser, with the same tags and margins', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await context.route('https://language.test/**', async (route) => {
      const path = new URL(route.request().url()).pathname
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
      const file = readFileSync(`src/language${path}`)
      if (path.endsWith('.json')) return route.fulfill({ contentType: 'application/json', body: file })
      return path.endsWith('.ts')
        ? route.fulfill({ contentType: 'text/javascript', body: stripTypeScriptTypes(String(file)) })
        : route.fulfill({ body: file })
    })
    await page.goto('https://language.test/')
    const body = `${PROVERB} She opened the doors, which nobody had closed.`
    const door = { name: 'door', e: 'open', r: 'close', o: 'barrier', s: 'passage' }
    const found = await page.evaluate(`(async () => {
      const { annotate, tag, useTaggerModel, wordFor } = await import('/index.ts')
      const tooEarly = await Promise.try(tag, ['a']).catch((error) => error.message)
      useTaggerModel(new Uint8Array(await (await fetch('/model/tagger.bin')).arrayBuffer()))
      return { tooEarly, word: wordFor('strong', 'VBD'), annotation: annotate(${JSON.stringify(body)}, [${JSON.stringify(door)}]) }
    })()`)
    const tooEarly = 'The tagger has no model: give it the bytes of tagger.bin with useTaggerModel.'
    assert.deepEqual(found, { tooEarly, word: 'strengthened', annotation: annotate(body, [door]) })
    await context.close()
  })

  test('the annotator is accessible, with its script and without', async () => {
    for (const isScripted of [true, false]) {
      const { page, complaints } = await openPage(browser, site.base)
      if (!isScripted)
        await page.route('**/static/annotate.js*', (route) =>
          route.fulfill({ body: '', contentType: 'text/javascript' }),
        )
      await page.emulateMedia({ reducedMotion: 'reduce' })
      for (const address of ['/annotate/', `/annotate/?text=${encodeURIComponent(PROVERB)}`, '/annotate/?quote=50']) {
        await page.goto(address)
        if (isScripted && address !== '/annotate/') await page.locator('.word.tok').first().click()
        assert.ok((await widthOf(page)) <= 360, address)
        assert.deepEqual(await faultsOf(page), [], address)
      }
      assert.deepEqual(expected(complaints), [])
      await page.context().close()
    }
    assert.deepEqual(site.bugs, [])
  })
})
