/** Histories, recent changes and undo, as pages. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { signedUp } from '../accounts/browser.ts'
import { clickThrough, openPage, siteInBrowser } from '../support/browser.ts'
import { onEachEngine } from '../support/site.ts'
import { lookAt } from './looking.ts'

onEachEngine('changes on pages', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const get = (path: string, as?: string) => site.page(path, as)
  const send = async (method: string, path: string, json?: object, as = 'gus') => {
    const reply = await site.ask(path, { method, as, ...(json ? { json } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const polynym = async (name: string, as = 'gus'): Promise<number> =>
    (await send('POST', '/api/polynym/', { name, mode: 'part', p1: 'source', p2: 'mouth' }, as)).polynym_id
  /** As a reader sees it: without tags, and with single spaces. */
  const plain = (text: string) =>
    text
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(' .', '.')
  const itemsOf = (text: string) =>
    Array.from(text.matchAll(/<p class="did">(.*?)<\/p>/gs), ([, said]) => plain(said!).trim())
  const latest = async () => (await site.ask('/api/changes/recent/?limit=1')).json.results[0].set

  test('the page of a record says who changed it last, and when', async () => {
    site.clock = new Date('2026-11-16T05:00:00.000Z')
    const id = await polynym('river')
    const { fortune_id: saying } = await send('POST', '/api/fortune/', { body: 'All is well.' })
    site.clock = new Date('2026-11-16T05:03:20.000Z')
    const created = await get(`/polynym/${id}/`)
    // The maker is named once.
    assert.match(plain(created.text), /by gus.* created 3 minutes ago · history/)
    assert.match(plain((await get(`/fortune/${saying}/`)).text), /by gus.* created 3 minutes ago · history/)
    await send('PATCH', `/api/polynym/${id}/`, { p2: 'delta' }, 'staff')
    await send('POST', `/api/polynym/${id}/vote/`, undefined, 'ida')
    site.clock = new Date('2026-11-16T09:10:00.000Z')
    const changed = await get(`/polynym/${id}/`)
    assert.ok(plain(changed.text).includes('changed 4 hours ago by staff · history'))
    assert.match(
      changed.text,
      /<time datetime="2026-11-16T05:03:20.000Z" title="16 November 2026 at 05:03:20 UTC">4 hours ago<\/time>/,
    )
    assert.ok(changed.text.includes(`<a rel="nofollow" href="/polynym/${id}/history/">history</a>`))
    site.clock = undefined
  })

  test('the history of a record tells each change in words, with differences', async () => {
    const [a, b] = [await polynym('mouse'), await polynym('cat')]
    const { polyset_id: set } = await send('POST', '/api/polyset/', { name: 'pets', polynyms: [a] })
    await send('PATCH', `/api/polyset/${set}/`, { polynyms: [b], name: 'quiet pets', src: 'a <b>book</b>' })
    await send('PATCH', `/api/polyset/${set}/`, { name: 'very quiet pets' }, 'staff')
    const { status, text } = await get(`/polyset/${set}/history/`)
    assert.equal(status, 200)
    assert.ok(plain(text).includes('History of very quiet pets'))
    assert.deepEqual(itemsOf(text), [
      'staff changed name just now',
      'gus changed name , where it comes from and polynyms just now',
      'gus created it just now',
    ])
    assert.match(text, /<ins><span class="unseen">Added: <\/span>very /)
    assert.ok(text.includes('a &lt;b>book&lt;/b>') || text.includes('a &lt;b&gt;book&lt;/b&gt;'))
    assert.match(text, new RegExp(`<ins><span class="unseen">Added: </span><a href="/polynym/${b}/">cat</a>`))
    assert.match(text, new RegExp(`<del><span class="unseen">Removed: </span><a href="/polynym/${a}/">mouse</a>`))
    assert.ok(!text.includes('>Undo<'))
    assert.equal((await get(`/polyset/${set}/history/?page=2`)).status, 404)
    assert.equal((await get('/polyset/99999/history/')).status, 404)
  })

  test('a long history has pages', async () => {
    const { queue_id: id } = await send('POST', '/api/queue/', { name: 'v0' })
    for (let i = 1; i <= 20; i++) await send('PUT', `/api/queue/${id}/`, { name: `v${i}` })
    const [first, second] = [await get(`/queue/${id}/history/`), await get(`/queue/${id}/history/?page=2`)]
    assert.deepEqual([itemsOf(first.text).length, itemsOf(second.text)], [20, ['gus created it just now']])
    assert.ok(first.text.includes(`href="/queue/${id}/history/?page=2"`))
  })

  test('the owner and staff undo a change after they have seen what it does; others are not offered it', async () => {
    const visitor = await signedUp(site, 'olga')
    const id = await polynym('lake', 'olga')
    await send('PATCH', `/api/polynym/${id}/`, { p2: 'shore' }, 'olga')
    const seq = await latest()
    const path = `/changes/${seq}/undo/`
    for (const [as, may] of [
      ['olga', true],
      ['staff', true],
      ['nora', false],
      [undefined, false],
    ] as const) {
      const { text } = await get(`/polynym/${id}/history/`, as)
      assert.equal(text.includes(`href="${path}"`), may, String(as))
    }
    assert.equal((await get(path, 'nora')).status, 403)
    const nobody = await get(path)
    assert.equal(nobody.status, 401)
    assert.match(nobody.text, /href="\/accounts\/login\/\?next=%2Fchanges%2F/)
    const asking = await visitor.ask(path)
    assert.equal(asking.status, 200)
    assert.match(plain(asking.text), /The polynym lake changes back.*Word 2.*Removed: shore.*Added: mouth/)
    assert.equal((await site.ask(`/api/polynym/${id}/`)).json.p2, 'shore')
    const forged = await visitor.ask(path, { method: 'POST', form: {} })
    assert.equal(forged.status, 403)
    const [, csrfmiddlewaretoken = ''] = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(asking.text)!
    const sent = { method: 'POST', form: { csrfmiddlewaretoken }, headers: { origin: site.base } }
    const done = await visitor.ask(path, sent)
    assert.deepEqual([done.status, done.headers['location']], [303, `/polynym/${id}/history/`])
    assert.equal((await site.ask(`/api/polynym/${id}/`)).json.p2, 'mouth')
    assert.match(plain((await visitor.ask(`/polynym/${id}/history/`)).text), /Undone\./)
    const again = await visitor.ask(path, sent)
    assert.deepEqual([again.status, /There is nothing left to undo/.test(again.text)], [409, true])
    assert.equal((await get('/changes/987654/undo/', 'staff')).status, 404)
  })

  test('a change that cannot be undone shows why', async () => {
    const id = await polynym('bay')
    await send('PATCH', `/api/polynym/${id}/`, { p2: 'beach' })
    const seq = await latest()
    await send('PATCH', `/api/polynym/${id}/`, { p2: 'reef' })
    const { status, text } = await get(`/changes/${seq}/undo/`, 'gus')
    assert.equal(status, 409)
    assert.match(plain(text), /These members have changed since.*It was It became It is now.*Word 2 mouth beach reef/)
  })

  test('a deleted record has its history, from where it comes back', async () => {
    const id = await polynym('pond')
    await send('DELETE', `/api/polynym/${id}/`)
    const gone = await get(`/polynym/${id}/`)
    assert.equal(gone.status, 404)
    assert.match(gone.text, new RegExp(`href="/polynym/${id}/history/">See its history`))
    assert.ok(!(await get('/polynym/99999/')).text.includes('history'))
    assert.ok(!(await get(`/polynym/${id}/history/`)).text.includes('Bring back'))
    const history = await get(`/polynym/${id}/history/`, 'gus')
    assert.ok(plain(history.text).includes('Deleted polynym History of pond'))
    assert.ok(plain(history.text).includes('gus deleted it just now.'))
    const set = await latest()
    assert.ok(history.text.includes(`href="/changes/set/${set}/undo/">Bring back</a>`))
    const asking = await get(`/changes/set/${set}/undo/`, 'gus')
    assert.match(plain(asking.text), /Bring it back\?.*The polynym pond comes back/)
    const done = await site.ask(`/changes/set/${set}/undo/`, { method: 'POST', as: 'gus', form: {} })
    assert.equal(done.headers['location'], `/polynym/${id}/history/`)
    assert.equal((await get(`/polynym/${id}/`)).status, 200)
    assert.equal(itemsOf((await get(`/polynym/${id}/history/`)).text)[0], 'gus brought it back just now')
  })

  test('recent changes are told by request, and can be narrowed', async () => {
    const { phrase_id: phrase } = await send('POST', '/api/phrase/', { name: 'hunt', qode: 'It q1e_VBD.' }, 'ada')
    const fields = { name: 'fox', e: 'run', r: 'hide' }
    const { quadranym_id: quadranym } = await send('POST', '/api/quadranym/', fields, 'ada')
    const lines = Array.from({ length: 12 }, () => ({ phrase, quadranym }))
    const { story_id: story } = await send('POST', '/api/story/', { name: 'The Fox', lines }, 'ada')
    await send('POST', `/api/phrase/${phrase}/vote/`, undefined, 'ida')
    await send('PATCH', `/api/quadranym/${quadranym}/`, { o: 'fur', realm: 'Physical' }, 'ada')
    const { text } = await get('/changes/')
    assert.deepEqual(itemsOf(text).slice(0, 5), [
      'ada changed objective and realm of the quadranym fox',
      'ida liked the phrase hunt',
      'ada created the story The Fox with 12 lines',
      'ada created the quadranym fox',
      'ada created the phrase hunt',
    ])
    assert.ok(text.includes(`<a href="/story/${story}/">The Fox</a>`))
    assert.ok(
      text.includes('<link rel="alternate" type="application/atom+xml" title="Recent changes" href="/changes.atom"'),
    )
    assert.ok(!text.includes('/undo/'))
    assert.ok((await get('/changes/', 'ada')).text.includes('/undo/'))
    assert.deepEqual(itemsOf((await get('/changes/?user=ida&kind=phrase')).text), ['ida liked the phrase hunt'])
    assert.match((await get('/changes/?user=nobody')).text, /Nothing matches these filters/)
    assert.equal((await get('/changes/?kind=word')).status, 400)
    assert.equal((await get('/changes?user=ida')).headers['location'], '/changes/?user=ida')
    assert.ok((await get('/')).text.includes('href="/changes/">Recent changes</a>'))
    const [, older = ''] = /<a rel="next nofollow" href="([^"]*)">Older/.exec(text)!
    const next = await get(older.replaceAll('&amp;', '&'))
    assert.equal(itemsOf(next.text).length > 0, true)
    assert.match(next.text, /href="\/changes\/">Newest</)
    const person = await get('/people/ada/')
    assert.match(person.text, /href="\/changes\/\?user=ada">Latest changes/)
    assert.equal(itemsOf(person.text)[0], 'ada changed objective and realm of the quadranym fox')
  })

  test('a request that did much has a page of its own, and is undone as a whole', async () => {
    const id = await polynym('pearl')
    await send('POST', '/api/polyset/', { name: 'gems', polynyms: [id, await polynym('jade')] })
    await send('DELETE', `/api/polynym/${id}/?cascade=true`, undefined, 'staff')
    const set = await latest()
    const [said] = itemsOf((await get('/changes/')).text)
    assert.ok(
      /^staff (changed 1 polyset and deleted 1 polynym|deleted 1 polynym and changed 1 polyset)$/.test(said!),
      said,
    )
    const page = await get(`/changes/set/${set}/`, 'staff')
    assert.match(plain(page.text), /deleted the polynym pearl/)
    assert.match(plain(page.text), /changed polynyms of the polyset gems/)
    assert.ok(page.text.includes(`href="/changes/set/${set}/undo/">Undo</a>`))
    const asking = await get(`/changes/set/${set}/undo/`, 'staff')
    assert.match(plain(asking.text), /The polynym pearl comes back/)
    const done = await site.ask(`/changes/set/${set}/undo/`, { method: 'POST', as: 'staff', form: {} })
    assert.equal(done.headers['location'], `/changes/set/${await latest()}/`)
    assert.equal((await get(done.headers['location']!)).status, 200)
    assert.equal((await site.ask(`/api/polynym/${id}/`)).status, 200)
    for (const none of [`/changes/set/${set + 1}/`, '/changes/set/x/', '/changes/set/987654/'])
      assert.equal((await get(none)).status, 404, none)
  })

  test('{site.atom} the Atom feed tells the same, and is sent again only if something has changed', async () => {
    await polynym('<&"\u0007> ]]>', 'eve')
    const { status, headers, text } = await site.ask('/changes.atom?user=eve')
    assert.deepEqual([status, headers['content-type']], [200, 'application/atom+xml; charset=utf-8'])
    const address = `${site.base}/changes/set/${await latest()}/`
    const at = (await site.ask('/api/changes/recent/?limit=1')).json.results[0].changes[0].at
    assert.equal(headers['last-modified'], new Date(at).toUTCString())
    assert.ok(text.includes(`<link rel="self" type="application/atom+xml" href="${site.base}/changes.atom?user=eve"/>`))
    assert.ok(text.includes(`<entry>\n    <id>${address}</id>`))
    assert.ok(text.includes(`<updated>${at}</updated>`))
    assert.ok(text.includes('<title>eve created the polynym &lt;&amp;&quot;\ufffd&gt; ]]&gt;</title>'))
    assert.ok(text.includes('<author><name>eve</name></author>'))
    assert.equal(text.match(/<entry>/g)!.length, 1)
    const again = await site.ask('/changes.atom?user=eve', { headers: { 'if-none-match': headers['etag']! } })
    assert.deepEqual([again.status, again.text], [304, ''])
    assert.ok((await site.ask('/changes.atom')).text.match(/<entry>/g)!.length <= 50)
  })
})

describe('changes in a browser', () => {
  const { site, browser } = siteInBrowser({ sample: false })

  const send = async (method: string, path: string, json?: object) => {
    const reply = await site.ask(path, { method, as: 'gus', ...(json ? { json } : {}) })
    assert.ok(reply.status < 300, reply.text)
    return reply.json
  }
  const polynym = async (name: string): Promise<number> =>
    (await send('POST', '/api/polynym/', { name, mode: 'part', p1: 'source', p2: 'mouth' })).polynym_id

  test('new ones are counted as they are made, and shown on request; a filter narrows them', async () => {
    await polynym('first')
    const { page, complaints } = await openPage(browser, site.base)
    const follows = () => page.waitForRequest(/\/api\/changes\/\?.*since=/)
    const [request] = await Promise.all([follows(), page.goto('/changes/?kind=polynym')])
    await request.response()
    await send('POST', '/api/queue/', { name: 'wish' })
    await polynym('second')
    await page.getByRole('button', { name: 'Show 1 new change' }).waitFor()
    await polynym('third')
    const button = page.getByRole('button', { name: 'Show 2 new changes' })
    await button.waitFor()
    assert.equal(await page.locator('.timeline > li').count(), 1)
    await Promise.all([follows(), button.click()])
    assert.equal(await page.locator('.timeline > li').count(), 3)
    assert.match((await page.locator('.timeline > li').first().textContent())!, /gus created the polynym third/)
    await polynym('fourth')
    await page.getByRole('button', { name: 'Show 1 new change' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('all pages are accessible, light and dark, on a phone', async () => {
    const long = 'W'.repeat(150)
    const id = await polynym(`"><img src=x onerror="document.title='owned'">`)
    await send('PATCH', `/api/polynym/${id}/`, { name: long, wiki: long })
    await send('PATCH', `/api/polynym/${id}/`, { name: 'short' })
    const gone = await polynym('gone')
    await send('DELETE', `/api/polynym/${gone}/`)
    const { latest } = (await site.ask('/api/changes/recent/?limit=1')).json
    const history = `/polynym/${id}/history/`
    await lookAt(browser, site.base, [
      '/changes/',
      '/changes/?kind=story',
      `/changes/set/${latest}/`,
      history,
      `/polynym/${gone}/`,
      `/polynym/${gone}/history/`,
      `/polynym/${id}/`,
    ])
    const { text } = await site.ask(history, { headers: { accept: 'text/html' } })
    assert.ok(!text.includes('<img'))
  })

  test('an owner undoes a change without a script', async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await page.goto('/accounts/signup/')
    await page.getByLabel('User name').fill('pia')
    await page.getByLabel('Password').fill('a long enough secret')
    await page.getByLabel('Repeat it').fill('a long enough secret')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.goto('/make/queue/')
    await page.getByLabel('Word').fill('gondola')
    await page.locator('main form button[type=submit]').first().click()
    await page.getByRole('link', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.goto('/changes/')
    await page.getByRole('link', { name: 'History' }).first().click()
    await page.getByRole('link', { name: 'Bring back' }).click()
    await clickThrough(page, page.getByRole('button', { name: 'Bring back' }))
    assert.match((await page.locator('.timeline > li').first().textContent())!, /pia brought it back/)
    assert.match((await page.getByRole('status').textContent())!, /Undone/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})
