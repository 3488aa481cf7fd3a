/** Making and changing records: forms that keep the input, pictures, duplicates, stories and tales. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openPage } from '../support/browser.ts'
import { onEachEngine, Site } from '../support/site.ts'
import { expected, faultsOf, widthOf } from './looking.ts'

const PASSWORD = 'a long enough secret'
const KINDS = [
  ...['quadranym', 'polynym', 'quadraset', 'polyset', 'polymap', 'vectornym', 'fortune', 'quote', 'phrase', 'fable'],
  ...['story', 'tale', 'queue'],
]

type Fields = Record<string, string | string[]>

onEachEngine('making by form', {}, (site) => {
  const html = { accept: 'text/html' }
  const get = (path: string, as?: string) => site.ask(path, { headers: html, ...(as ? { as } : {}) })
  const send = (path: string, form: Fields, as = 'ada') => site.ask(path, { method: 'POST', headers: html, form, as })
  const made = async (path: string, form: Fields) => {
    const saved = await send(path, form)
    assert.equal(saved.status, 303, saved.text)
    return (await site.ask(`/api${saved.headers.location}`)).json
  }

  test('every kind has a form with a field for each writable member', async () => {
    for (const kind of KINDS) {
      const { status, text } = await get(`/make/${kind}/`, 'ada')
      assert.equal(status, 200, kind)
      const { json } = await site.ask(`/api/${kind}/`, { method: 'OPTIONS', as: 'ada' })
      for (const [member, { read_only }] of Object.entries<any>(json.actions.POST)) {
        const names = { q1: 'quadranyms', q2: 'quadranyms', lines: 'line_quadranym' } as Record<string, string>
        const has = new RegExp(`name="${names[member] ?? member}"`).test(text)
        assert.equal(has, !read_only, `${kind}.${member}`)
      }
    }
  })

  test('a visitor who is not signed in is asked to, and returns to the same form', async () => {
    const { status, text } = await get('/make/quadranym/?name=umbrella')
    assert.equal(status, 401)
    assert.match(text, /Sign in to make a quadranym/)
    assert.ok(text.includes(`href="/accounts/login/?next=${encodeURIComponent('/make/quadranym/?name=umbrella')}"`))
  })

  test('errors are shown at their fields, and the input is kept', async () => {
    const { status, text } = await send('/make/quadranym/', { name: 'umbrella', e: 'open', r: 'fold', pos: 'noun' })
    assert.equal(status, 400)
    assert.match(text, /<span class="wrong" id="pos-wrong">Use one to eight capital letters/)
    assert.match(text, /<input id="pos" name="pos" aria-describedby="pos-wrong" aria-invalid="true" value="noun"/)
    assert.match(text, /id="e"[^>]* value="open"/)
    const blank = await send('/make/polynym/', { name: '', p1: 'a', p3: 'c' })
    assert.match(blank.text, /id="name-wrong">Fill this in\./)
    assert.match(blank.text, /id="mode-wrong">Fill this in\./)
    assert.match(blank.text, /id="p2-wrong">Fill this in\./)
  })

  test('a valid record is created, and only its owner can change it', async () => {
    const record = await made('/make/quadranym/', {
      name: 'umbrella',
      e: 'open',
      r: 'fold',
      o: 'cloth',
      s: 'shelter',
      realm: 'Physical',
    })
    const { quadranym_id: id, ...members } = record
    assert.deepEqual(members, {
      name: 'umbrella',
      user: 'ada',
      e: 'open',
      r: 'fold',
      o: 'cloth',
      s: 'shelter',
      realm: 'Physical',
    })
    const path = `/make/quadranym/${id}/`
    assert.match((await get(path, 'ada')).text, /id="s"[^>]* value="shelter"/)
    const changed = await made(path, { name: 'umbrella', e: 'open', r: 'close', o: 'cloth', s: 'shelter', realm: '' })
    assert.deepEqual(changed, {
      name: 'umbrella',
      user: 'ada',
      e: 'open',
      r: 'close',
      o: 'cloth',
      s: 'shelter',
      quadranym_id: id,
    })
    const theirs = await get(path, 'eve')
    assert.equal(theirs.status, 403)
    assert.match(theirs.text, /It belongs to ada\. You can make one of your own from it\./)
    assert.equal((await send(path, { name: 'mine' }, 'eve')).status, 403)
    assert.match((await get(`/make/quadranym/?from=${id}`, 'eve')).text, /id="s"[^>]* value="shelter"/)
    assert.equal((await get('/make/quadranym/999999/', 'ada')).status, 404)
  })

  test('a duplicate is named, with a link to the existing record', async () => {
    const door = { name: 'door', e: 'open', r: 'close', o: 'barrier', s: 'passage', pos: 'NN' }
    const { status, text } = await send('/make/quadranym/', door)
    assert.equal(status, 400)
    assert.match(text, /There is already one like this\./)
    assert.match(
      text,
      /This one already exists: ?<a href="\/quadranym\/1\/">door \(open, close, barrier, passage\)<\/a>/,
    )
    const { text: named } = await get('/make/quadranym/?name=door', 'ada')
    assert.match(named, /There is already one with this name:/)
    const fortune = await send('/make/fortune/', { body: 'What goes up must come down.' })
    assert.match(
      fortune.text,
      /This one already exists: ?<a href="\/fortune\/\d+\/">What goes up must come down\.<\/a>/,
    )
  })

  test('other records are given by number or by name', async () => {
    const [one, two] = (await site.ask('/api/polynym/?search=tree&page_size=2')).json.results
    const set = await made('/make/polyset/', {
      name: 'Two',
      polynyms: `${one.polynym_id}\r\n${two.name} #${two.polynym_id}\r\n`,
    })
    assert.deepEqual(
      set.polynyms.map((each: any) => each.polynym_id),
      [one.polynym_id, two.polynym_id],
    )
    const unknown = await send('/make/polyset/', { name: 'Three', polynyms: 'No such thing at all' })
    assert.match(unknown.text, /id="polynyms-wrong">There is no polynym named “No such thing at all”\./)
    assert.match(
      (await send('/make/polyset/', { name: 'None', polynyms: '' })).text,
      /id="polynyms-wrong">Choose at least one\./,
    )
    const vector = await made('/make/vectornym/', {
      name: 'Two',
      v1: String(one.polynym_id),
      v2: `x #${two.polynym_id}`,
    })
    assert.deepEqual([vector.length, vector.v2.polynym_id], [2, two.polynym_id])
    const relation = `${one.p1},RelatedTo,${two.p1}`
    const map = await made('/make/polymap/', {
      name: 'Map',
      pa: String(one.polynym_id),
      pb: String(two.polynym_id),
      r1: relation,
    })
    assert.equal(map.r1, relation)
  })

  test('texts are created plain, marked by the server, or with tokens', async () => {
    const plain = await made('/make/fortune/', { body: 'Nothing is marked here.', qode: '', quadranyms: '' })
    assert.deepEqual([plain.qode, plain.depth], ['', 0])
    const marked = await made('/make/fortune/', { body: 'A door opens.', quadranyms: 'door #1' })
    assert.equal(marked.qode, 'A q1n_NN q1e_VBZ.')
    const quote = await made('/make/quote/', { body: 'Doors close.', quadranym: '1', src: 'Ada' })
    assert.equal(quote.qode, 'q1n_NNS q1r_VBP.')
    const phrase = await made('/make/phrase/', { name: 'Once', qode: 'Once there was a q1n_NN.' })
    assert.equal(phrase.subs, 'n')
    const wordless = await send('/make/fortune/', { body: 'Not here.', quadranyms: '1' })
    assert.match(wordless.text, /id="quadranyms-wrong">Quadranym 1, &quot;door&quot;, has no word in the text\./)
  })

  test('a story is made line by line: added, moved, removed, read, saved', async () => {
    const [first, second] = (await site.ask('/api/phrase/?search=behind')).json.results.concat(
      (await site.ask('/api/phrase/?search=morning')).json.results,
    )
    const lines = { line_phrase: [`${first.phrase_id}`, `${second.phrase_id}`, ''], line_quadranym: ['16', '1', ''] }
    const read = await send('/make/story/', { name: 'By form', ...lines, action: 'preview' })
    assert.equal(read.status, 200)
    assert.match(read.text, /<section class="preview"[^>]*><p class="text">[\s\S]*class="tok/)
    const moved = await send('/make/story/', { name: 'By form', ...lines, action: 'down:0' })
    assert.deepEqual(
      Array.from(moved.text.matchAll(/name="line_quadranym" value(?:="([^"]*)")?/g), ([, value = '']) => value),
      ['1', '16', ''],
    )
    const removed = await send('/make/story/', { name: 'By form', ...lines, action: 'remove:0' })
    assert.deepEqual(
      Array.from(removed.text.matchAll(/name="line_phrase" value(?:="([^"]*)")?/g), ([, value = '']) => value).slice(
        0,
        2,
      ),
      [`${second.phrase_id}`, ''],
    )
    const wrong = await send('/make/story/', { name: 'By form', line_phrase: ['1', ''], line_quadranym: ['', '1'] })
    assert.match(wrong.text, /id="line-0-wrong">Choose a quadranym\.[\s\S]*id="line-1-wrong">Choose a phrase\./)
    const story = await made('/make/story/', { name: 'By form', ...lines })
    assert.equal(story.length, 2)
    const told = await site.ask(`/api/storyline/?story=${story.story_id}`)
    assert.deepEqual(
      told.json.results.map(({ phrase, quadranym }: any) => [phrase.phrase_id, quadranym.quadranym_id]),
      [
        [first.phrase_id, 16],
        [second.phrase_id, 1],
      ],
    )
    const path = `/make/story/${story.story_id}/`
    assert.match((await get(path, 'ada')).text, /name="line_quadranym" value="door #1"/)
    assert.equal(
      (await made(path, { name: 'By form', line_phrase: `${first.phrase_id}`, line_quadranym: '1' })).length,
      1,
    )
  })

  test('a tale has a line for each topic of its fable', async () => {
    const { json: fable } = await site.ask('/api/fable/1/')
    const shown = await send('/make/tale/', { name: 'By form', fable: '1', action: 'topics' })
    assert.equal(shown.text.split('name="line_quadranym"').length - 1, fable.length)
    const topics = Array(fable.length).fill('door #1')
    const tale = await made('/make/tale/', { name: 'By form', fable: `${fable.name} #1`, line_quadranym: topics })
    assert.deepEqual([tale.length, tale.fable.fable_id], [fable.length, 1])
    const lines = await site.ask(`/api/taleline/?tale=${tale.tale_id}`)
    assert.equal(lines.json.count, fable.length)
  })

  test('a session that ended loses nothing', async () => {
    const form = { name: 'lamp', e: 'shine', action: 'save' }
    const ended = await site.ask('/make/quadranym/', { method: 'POST', headers: html, form })
    assert.equal(ended.status, 401)
    assert.match(ended.text, /id="e"[^>]* value="shine"/)
    const [, next] = /href="\/accounts\/login\/\?next=([^"]+)">Sign in and come back/.exec(ended.text) ?? []
    assert.match((await get(decodeURIComponent(next!), 'ada')).text, /id="e"[^>]* value="shine"/)
    const story = { name: 'Lost', line_phrase: ['1', '2'], line_quadranym: ['3', '4'] }
    const line = await site.ask('/make/story/', { method: 'POST', headers: html, form: story })
    const [, back] = /href="\/accounts\/login\/\?next=([^"]+)">Sign in and come back/.exec(line.text) ?? []
    const again = await get(decodeURIComponent(back!), 'ada')
    assert.deepEqual(
      Array.from(again.text.matchAll(/name="line_quadranym" value="([^"]+)"/g), ([, value = '']) => value),
      ['3', '4'],
    )
  })

  test('the picture is drawn from the input so far', async () => {
    const quadranym = await get('/make/quadranym/picture/?name=lamp&e=shine')
    assert.match(quadranym.text, /^<figure><svg [^>]*aria-label="lamp: shine \(expansive\)/)
    assert.match((await get('/make/polynym/picture/?mode=step&p1=a&p2=b')).text, /<svg/)
    assert.equal((await get('/make/story/picture/')).text, '')
    assert.deepEqual(site.bugs, [])
  })
})

describe('making in a browser', () => {
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

  const signUp = async (page: Page, username: string) => {
    const answer = await page.request.post('/accounts/signup/', { data: { username, password: PASSWORD } })
    assert.equal(answer.status(), 201)
  }

  test('a visitor signs up, corrects a wrong field, creates and changes a quadranym; another may not', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto('/make/')
    await page.getByRole('link', { name: 'Quadranym A topic' }).click()
    await page.getByRole('link', { name: 'I need an account' }).click()
    await page.locator('main input[name=username]').fill('lea')
    await page.locator('main input[name=password]').fill(PASSWORD)
    await page.locator('main input[name=password]').press('Enter')
    await page.waitForURL(/\/accounts\/|\/make\/|\/people\//)
    await page.goto('/make/quadranym/')
    await page.locator('#name').fill('lamp')
    await page.getByLabel(/^Expansive/).fill('shine')
    await page.locator('figure svg[aria-label^="lamp: shine (expansive)"]').waitFor()
    await page.getByText('More about it').click()
    await page.getByLabel('Part of speech of the name').fill('noun')
    await page.getByRole('button', { name: 'Make it' }).click()
    assert.match((await page.locator('#pos-wrong').textContent())!, /capital letters/)
    assert.equal(await page.getByLabel(/^Expansive/).inputValue(), 'shine')
    await page.getByLabel('Part of speech of the name').fill('NN')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/quadranym\/[0-9]+\/$/)
    const path = new URL(page.url()).pathname
    await page.goto(`/make${path}`)
    await page.getByLabel(/^Subjective/).fill('comfort')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(new RegExp(`${path}$`))
    const { json } = await site.ask(`/api${path}`)
    assert.deepEqual([json.name, json.user, json.e, json.s, json.pos], ['lamp', 'lea', 'shine', 'comfort', 'NN'])
    await page.context().clearCookies()
    await signUp(page, 'mia')
    await page.goto(`/make${path}`)
    assert.equal(await page.locator('h1').textContent(), 'You cannot change this')
    await page.getByRole('link', { name: 'Make one like it' }).click()
    assert.equal(await page.getByLabel(/^Subjective/).inputValue(), 'comfort')
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('while the user types, duplicates are shown, words are suggested, slots are added', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'noa')
    await page.goto('/make/polynym/')
    assert.equal(await page.locator('.slots li:visible').count(), 2)
    await page.locator('#name').fill('seasons')
    await page.getByText('There is already one with this name:').waitFor()
    await page.locator('#name').fill('Seasons of mine')
    await page.getByText('There is already one with this name:').waitFor({ state: 'hidden' })
    await page.locator('#p1').fill('spr')
    await page.locator('datalist#terms-p1 option[value=spring]').waitFor({ state: 'attached' })
    await page.locator('#p1').fill('spring')
    await page.locator('#p2').fill('autumn')
    assert.equal(await page.locator('.slots li:visible').count(), 3)
    await page.getByLabel('What the words are').selectOption('step')
    await page.locator('figure svg').waitFor()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/polynym\/[0-9]+\/$/)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('a set is made by typing and choosing, and put in order', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'ola')
    await page.goto('/make/quadraset/')
    await page.locator('#name').fill('Doors and seas')
    const box = page.getByRole('combobox', { name: 'Quadranyms' })
    for (const [typed, wanted] of [
      ['door', 'door open'],
      ['sea', 'sea'],
      ['mountain', 'mountain'],
    ]) {
      await box.fill(typed!)
      await page.getByRole('option', { name: wanted! }).first().click()
    }
    await page.getByRole('button', { name: 'Move up mountain' }).press('Enter')
    await page.getByRole('button', { name: 'Remove sea' }).press('Enter')
    assert.deepEqual(await page.locator('.picked li > span').allTextContents(), ['door ', 'mountain '])
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/quadraset\/[0-9]+\/$/)
    const { json } = await site.ask(`/api${new URL(page.url()).pathname}`)
    assert.deepEqual(
      json.quadranyms.map(({ name }: { name: string }) => name),
      ['door', 'mountain'],
    )
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('the lines of a story and a tale are chosen, moved, read and saved', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'pia')
    await page.goto('/make/story/')
    await page.locator('#name').fill('Picked')
    const pick = async (label: string, typed: string, wanted: string | RegExp) => {
      const box = page.getByRole('combobox', { name: label, exact: true })
      await box.fill(typed)
      await page.getByRole('option', { name: wanted }).first().click()
    }
    await pick('phrase of line 1', 'Departure', 'Departure')
    await pick('quadranym of line 1', 'sea', 'sea')
    await page.locator('.preview', { hasText: 'We left the sea behind us' }).waitFor()
    await pick('phrase of line 2', 'Arrival', 'Arrival')
    await pick('quadranym of line 2', 'door', 'door open')
    await page.locator('.preview', { hasText: 'So we came at last to the door.' }).waitFor()
    await page.getByRole('button', { name: 'Move up line 2' }).press('Enter')
    await page.locator('.preview', { hasText: /^So we came at last to the door\. We left/ }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Move down line 1')
    await page.getByRole('button', { name: 'Add lines' }).click()
    await page.getByRole('combobox', { name: 'phrase of line 6' }).waitFor()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/story\/[0-9]+\/$/)
    const told = await site.ask(`/api${new URL(page.url()).pathname}tell/`)
    assert.equal(told.json.text, 'So we came at last to the door. We left the sea behind us and did not look back.')

    const { json: fable } = await site.ask('/api/fable/1/')
    await page.goto('/make/tale/')
    await page.locator('#name').fill('Picked')
    await pick('Fable', fable.name, fable.name)
    for (let i = 1; i <= fable.length; i++) await pick(`quadranym of topic ${i}`, 'door', 'door open')
    await page.locator('.preview .tok').first().waitFor()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/tale\/[0-9]+\/$/)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('a form whose session ended is saved after signing in in another tab', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'rea')
    await page.goto('/make/queue/')
    await page.getByLabel('Word').fill('lantern')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByText('You are no longer signed in; nothing is lost.').waitFor()
    await page.request.post('/accounts/login/', { data: { username: 'rea', password: PASSWORD } })
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/queue\/[0-9]+\/$/)
    assert.equal((await site.ask('/api/queue/?name=lantern')).json.count, 1)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('without a script a quadranym, a set and a story are created', async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await signUp(page, 'sol')
    await page.goto('/make/quadranym/')
    await page.locator('#name').fill('footbridge')
    await page.getByLabel(/^Expansive/).fill('span')
    await page.getByRole('button', { name: 'Make it' }).click()
    assert.match(page.url(), /\/quadranym\/[0-9]+\/$/)
    await page.goto('/make/quadraset/')
    await page.locator('#name').fill('Bridges')
    await page.getByLabel(/^Quadranyms/).fill('footbridge\nmountain')
    await page.getByRole('button', { name: 'Make it' }).click()
    assert.match(page.url(), /\/quadraset\/[0-9]+\/$/)
    await page.goto('/make/story/')
    await page.locator('#name').fill('Of bridges')
    await page.getByLabel('phrase of line 1').fill('Departure')
    await page.getByLabel('quadranym of line 1').fill('footbridge')
    await page.getByRole('button', { name: 'Show how it reads' }).click()
    assert.equal(
      (await page.locator('.preview').textContent())!.trim(),
      'We left the footbridge behind us and did not look back.',
    )
    await page.getByRole('button', { name: 'Make it' }).click()
    assert.match(page.url(), /\/story\/[0-9]+\/$/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('every form is accessible', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/make/quadranym/?name=umbrella')
    assert.deepEqual(await faultsOf(page), [], 'signed out')
    await signUp(page, 'tia')
    const wrong = await page.request.post('/api/quadranym/', { data: {} })
    assert.equal(wrong.status(), 403)
    for (const address of [
      '/make/',
      ...KINDS.map((kind) => `/make/${kind}/`),
      '/make/quadranym/1/',
      '/make/story/?from=1',
      '/make/tale/?from=1',
      '/make/polyset/?from=1',
    ]) {
      await page.goto(address)
      assert.deepEqual(await faultsOf(page), [], address)
      assert.ok((await widthOf(page)) <= 360, address)
    }
    await page.goto('/make/quadranym/?pos=noun&name=door')
    await page.getByRole('button', { name: 'Make it' }).click()
    assert.deepEqual(await faultsOf(page), [], 'with faults')
    assert.deepEqual(expected(complaints), [])
    assert.deepEqual(site.bugs, [])
    await page.context().close()
  })
})
