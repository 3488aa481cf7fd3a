/** The word of success after a write: shown by the next page, once, and never part of a cached page. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Reply, Site } from '../support/site.ts'
import { Browser, PASSWORD, signedUp } from './browser.ts'

const site = new Site('SQLite')
before(() => site.start())
after(async () => {
  await site.stop()
  assert.deepEqual(site.bugs, [])
})

const messageIn = (page: string) => /<p id="message" class="message" role="status">(.*?)<\/p>/s.exec(page)?.[1]?.trim()

const UMBRELLA = { name: 'umbrella', e: 'open', r: 'fold', o: 'cloth', s: 'shelter' }

test('every write says what it did, on the next page and on no other', async () => {
  const browser = await signedUp(site, 'ada')
  const follow = async (reply: Reply, says: RegExp) => {
    assert.equal(reply.status, 303, reply.text)
    const path = reply.headers.location!.replace(/#.*/, '')
    const shown = await browser.ask(path)
    assert.match(messageIn(shown.text)!, says)
    assert.match(String(shown.headers['cache-control']), /no-store/)
    assert.equal(messageIn((await browser.ask(path)).text), '')
    return path
  }
  const path = await follow(await browser.submit('/make/quadranym/', { ...UMBRELLA, action: 'save' }), /^Created\./)
  await follow(await browser.submit(`/make${path}`, { ...UMBRELLA, r: 'close', action: 'save' }), /^Saved\.$/)
  const csrfmiddlewaretoken = await browser.tokenOn('/polynym/1/')
  const press = (to: string, form = {}) =>
    browser.ask(to, { method: 'POST', form: { csrfmiddlewaretoken, ...form }, headers: { origin: site.base } })
  const liked = await press('/polynym/1/vote/', { vote: 'give' })
  assert.equal(liked.headers.location, '/polynym/1/#like')
  await follow(liked, /^You like this\.$/)
  await follow(await press('/polynym/1/vote/', { vote: 'take back' }), /^You no longer like this\.$/)
  await follow(await press(`${path}delete/`), new RegExp(`^Deleted\\. <a [^>]*href="${path}history/">Bring it back`))
  const deleted = (await site.ask('/api/changes/recent/?limit=1')).json.results[0].set
  await follow(await press(`/changes/set/${deleted}/undo/`), /^Undone\./)
  await press('/accounts/tokens/', { name: 'a' })
  await follow(await press('/accounts/tokens/1/revoke/'), /^The token is revoked\.$/)
  const changed = await browser.submit('/accounts/password/', {
    old_password: PASSWORD,
    new_password: 'another secret',
  })
  await follow(changed, /^Your password is changed\./)
  const token = await browser.tokenOn('/accounts/')
  const out = { csrfmiddlewaretoken: token, next: '/polynym/1/' }
  await follow(await browser.ask('/accounts/logout/', { method: 'POST', form: out }), /^You are signed out\.$/)
})

test('a message is not cached for others, and is one of ours', async () => {
  const page = await site.ask('/make/', { headers: { accept: 'text/html' } })
  const asked = (value: string, more = {}) =>
    site.ask('/make/', { headers: { accept: 'text/html', cookie: `nymdex_message=${value}`, ...more } })
  const shown = await asked('signed-out')
  assert.equal(messageIn(shown.text), 'You are signed out.')
  assert.deepEqual(shown.headers['set-cookie'], ['nymdex_message=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  assert.equal(shown.headers.etag, undefined)
  const again = await site.ask('/make/', { headers: { accept: 'text/html' } })
  assert.deepEqual([again.text, again.headers.etag], [page.text, page.headers.etag])
  const known = await asked('signed-out', { 'if-none-match': page.headers.etag })
  assert.equal(known.status, 200)
  for (const forged of ['toString', 'constructor', 'hello', 'saved.x', '<b>', 'deleted.polynym.0', '%3Cb%3E']) {
    assert.equal(messageIn((await asked(forged)).text), '', forged)
  }
  const loaded = await asked('signed-out', { 'sec-fetch-mode': 'cors' })
  assert.deepEqual([messageIn(loaded.text), loaded.headers['set-cookie']], ['', undefined])
})

test('a redirect leaves the message to the page that it leads to', async () => {
  const browser = new Browser(site)
  browser.cookies.set('nymdex_message', 'signed-out')
  const { status, headers } = await browser.ask('/accounts/')
  assert.deepEqual([status, headers['set-cookie']], [303, undefined])
  assert.equal(messageIn((await browser.ask(headers.location!)).text), 'You are signed out.')
})

test('programs get no message', async () => {
  const browser = new Browser(site)
  const json = { username: 'bea', password: PASSWORD }
  await browser.ask('/accounts/signup/', { method: 'POST', json, headers: { accept: 'application/json' } })
  assert.deepEqual([...browser.cookies.keys()], ['nymdex_session'])
})
