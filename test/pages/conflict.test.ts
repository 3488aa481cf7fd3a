/** Two tabs that edit one record: the second sees both versions, and nothing is overwritten. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage, siteInBrowser } from '../support/browser.ts'
import { expected, faultsOf, widthOf } from './looking.ts'

const { site, browser } = siteInBrowser()

const LAMP = { name: 'lamp', e: 'shine', r: 'dim', o: 'bulb', s: 'comfort', realm: '' }
const html = { accept: 'text/html' }
const send = (path: string, form: Record<string, string | string[]>) =>
  site.ask(path, { method: 'POST', headers: html, form, as: 'ada' })

async function make(resource: string, json: object, as = 'ada'): Promise<number> {
  const { status, json: made, text } = await site.ask(`/api/${resource}/`, { method: 'POST', json, as })
  assert.equal(status, 201, text)
  return made[`${resource}_id`]
}

/** The hidden fields of a form, as a browser sends them. */
async function opened(path: string) {
  const { status, text } = await site.ask(path, { headers: html, as: 'ada' })
  assert.equal(status, 200)
  return hiddenIn(text)
}

function hiddenIn(page: string): Record<string, string> {
  const found = page.matchAll(/<input type="hidden" name="(_etag|_version)" value="([^"]*)"/g)
  return Object.fromEntries(Array.from(found, ([, name, value]) => [name!, plain(value!)]))
}

const plain = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

test('likes between opening and saving are no conflict', async () => {
  const id = await make('polynym', { name: 'Stairs', mode: 'step', p1: 'first', p2: 'second' })
  const hidden = await opened(`/make/polynym/${id}/`)
  await site.ask(`/api/polynym/${id}/vote/`, { method: 'POST', as: 'eve' })
  const form = { name: 'Stairs', mode: 'step', p1: 'first', p2: 'third', ...hidden }
  const saved = await send(`/make/polynym/${id}/`, form)
  assert.equal(saved.status, 303, saved.text)
  const { json } = await site.ask(`/api/polynym/${id}/`)
  assert.deepEqual([json.p2, json.likes], ['third', 1])
})

test('a save on top of another asks, member by member, and again if it changes once more', async () => {
  const id = await make('quadranym', LAMP)
  const path = `/make/quadranym/${id}/`
  const hidden = await opened(path)
  const put = (change: object) => site.ask(`/api/quadranym/${id}/`, { method: 'PATCH', json: change, as: 'ada' })
  await put({ e: 'glow <b>', s: 'warmth' })
  const second = await send(path, { ...LAMP, e: 'burn', r: 'fade', ...hidden })
  assert.equal(second.status, 412)
  assert.match(second.text, /It has changed in the meantime/)
  for (const [member, says] of [
    ['e', 'differs: choose one'],
    ['r', 'changed by you only'],
    ['s', 'changed in the saved version only'],
  ]) {
    assert.ok(second.text.includes(`name="take_${member}"`), member)
    assert.ok(second.text.includes(`<span class="soft">${says}</span>`), says)
  }
  assert.doesNotMatch(second.text, /name="take_(o|name|realm)"/)
  assert.match(second.text, /<mark>glow &lt;b><\/mark>|<mark>glow &lt;b&gt;<\/mark>/)
  assert.equal((await site.ask(`/api/quadranym/${id}/`)).json.e, 'glow <b>')

  const chosen = { ...LAMP, e: 'burn', r: 'fade', ...hiddenIn(second.text), action: 'merge' }
  const missing = await send(path, chosen)
  assert.equal(missing.status, 200)
  const choices = { take_e: 'mine', take_r: 'mine', take_s: 'theirs' }
  const edited = await send(path, { ...chosen, ...choices, action: 'edit' })
  assert.match(edited.text, /id="s"[^>]* value="warmth"/)
  assert.match(edited.text, /id="e"[^>]* value="burn"/)
  await put({ o: 'wick' })
  const third = await send(path, { ...chosen, ...choices })
  assert.equal(third.status, 412)
  assert.match(third.text, /name="take_o"/)
  assert.doesNotMatch(third.text, /name="take_s"/)
  const last = await send(path, { ...LAMP, e: 'burn', r: 'fade', s: 'warmth', ...hiddenIn(third.text), action: 'mine' })
  assert.equal(last.status, 303)
  const { json } = await site.ask(`/api/quadranym/${id}/`)
  assert.deepEqual([json.e, json.r, json.o, json.s], ['burn', 'fade', 'bulb', 'warmth'])
})

test('lines of a story are compared, too', async () => {
  const quadranyms = [1, 2, 3]
  const phrase = await make('phrase', { name: 'Dawn', qode: 'The q1n_NN wakes.' })
  const lines = quadranyms.map((quadranym) => ({ phrase, quadranym }))
  const id = await make('story', { name: 'Morning', lines })
  const path = `/make/story/${id}/`
  const hidden = await opened(path)
  await site.ask(`/api/story/${id}/`, { method: 'PATCH', json: { lines: lines.toReversed() }, as: 'ada' })
  const form = { name: 'Morning', line_phrase: [`${phrase}`], line_quadranym: ['2'], action: 'save' }
  const second = await send(path, { ...form, ...hidden })
  assert.equal(second.status, 412, second.text)
  assert.match(second.text, /<legend>Lines/)
  const taken = await send(path, { ...form, ...hiddenIn(second.text), action: 'merge', take_lines: 'theirs' })
  assert.equal(taken.status, 303, taken.text)
  const told = (await site.ask(`/api/storyline/?story=${id}`)).json.results
  assert.deepEqual(
    told.map((line: any) => line.quadranym.quadranym_id),
    [3, 2, 1],
  )
})

test('of several saves at the same moment, one keeps its lines, and the others are asked', async () => {
  const phrase = await make('phrase', { name: 'Noon', qode: 'The q1n_NN rests.' })
  const id = await make('story', { name: 'Siesta', lines: [{ phrase, quadranym: 1 }] })
  const path = `/make/story/${id}/`
  const hidden = await opened(path)
  const form = { name: 'Siesta', line_phrase: [`${phrase}`], action: 'save', ...hidden }
  const saves = await Promise.all(['2', '3', '4', '5'].map((topic) => send(path, { ...form, line_quadranym: [topic] })))
  assert.deepEqual(saves.map(({ status }) => status).toSorted(), [303, 412, 412, 412])
  const winner = saves.findIndex(({ status }) => status === 303)
  const { lines } = (await site.ask(`/api/story/${id}/?embed=lines`)).json
  assert.deepEqual(lines, [{ rank: 0, phrase, quadranym: winner + 2 }])
})

test('lines that a form cannot send stay, whatever is chosen', async () => {
  const phrase = await make('phrase', { name: 'Dusk', qode: 'The q1n_NN sleeps.' })
  const id = await make('story', { name: 'Night', lines: Array(301).fill({ phrase, quadranym: 1 }) })
  const path = `/make/story/${id}/`
  const hidden = await opened(path)
  await site.ask(`/api/story/${id}/`, { method: 'PATCH', json: { name: 'Midnight' }, as: 'ada' })
  const second = await send(path, { name: 'Evening', lines_kept: 'yes', ...hidden })
  assert.equal(second.status, 412, second.text)
  assert.match(second.text, /<input type="hidden" name="lines_kept" value="yes"/)
  const form = { name: 'Evening', lines_kept: 'yes', ...hiddenIn(second.text), action: 'merge', take_name: 'mine' }
  assert.equal((await send(path, form)).status, 303)
  const { json } = await site.ask(`/api/story/${id}/`)
  assert.deepEqual([json.name, json.length], ['Evening', 301])
})

test('a deleted record, a marked text and a page of the API notice another version', async () => {
  const id = await make('fortune', { body: 'What comes down must go up again.' })
  const hidden = await opened(`/fortune/${id}/delete/`)
  const api = await site.ask(`/api/fortune/${id}/`, { headers: html, as: 'ada' })
  const [, match] = /name="_match" value="([^"]+)"/.exec(api.text)!
  const annotator = await opened(`/annotate/?fortune=${id}`)
  await site.ask(`/api/fortune/${id}/`, { method: 'PATCH', json: { body: 'What goes down must come up.' }, as: 'ada' })
  const removal = await send(`/fortune/${id}/delete/`, hidden)
  assert.equal(removal.status, 412)
  const put = await send(`/api/fortune/${id}/`, { _method: 'PUT', _match: plain(match!), body: 'Down and out.' })
  assert.equal(put.status, 412)
  assert.match(put.text, /The record has changed since it was read\./)
  assert.match(put.text, /Down and out\./)
  const text = 'Nothing is down.'
  const marked = await send('/annotate/', {
    id: `${id}`,
    kind: 'fortune',
    text,
    marked: text,
    step: 'save',
    ...annotator,
  })
  assert.equal(marked.status, 412)
  assert.match(marked.text, /It has changed since you opened it\./)
  assert.equal((await site.ask(`/api/fortune/${id}/`)).json.body, 'What goes down must come up.')
})

for (const javaScriptEnabled of [true, false]) {
  test(`two tabs, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled })
    const username = javaScriptEnabled ? 'ida' : 'ivo'
    await page.request.post('/accounts/signup/', { data: { username, password: 'a long enough secret' } })
    const id = await make('quadranym', { ...LAMP, name: `lantern ${username}` }, username)
    const other = await page.context().newPage()
    for (const tab of [page, other]) await tab.goto(`/make/quadranym/${id}/`)
    await page.getByLabel(/^Expansive/).fill('blaze')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await other.getByLabel(/^Expansive/).fill('glimmer')
    await other.getByLabel(/^Reductive/).fill('darken')
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('heading', { name: 'It has changed in the meantime' }).waitFor()
    await other.emulateMedia({ reducedMotion: 'reduce' })
    // The page is the same without scripts, where axe could not run.
    if (javaScriptEnabled) assert.deepEqual(await faultsOf(other), [])
    await other.setViewportSize({ width: 320, height: 700 })
    assert.equal(await widthOf(other), 320)
    await other.getByRole('button', { name: 'Save what is chosen' }).click()
    assert.match(other.url(), /\/make\//)
    await other
      .getByRole('group', { name: /^Expansive/ })
      .getByLabel(/^Saved/)
      .check()
    await other.getByRole('button', { name: 'Save what is chosen' }).click()
    await other.getByText('Saved.', { exact: true }).waitFor()
    const { json } = await site.ask(`/api/quadranym/${id}/`)
    assert.deepEqual([json.e, json.r], ['blaze', 'darken'])
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })
}
