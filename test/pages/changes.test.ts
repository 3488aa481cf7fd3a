/** Histories, recent changes and undo, as pages. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'

onEachEngine('changes on pages', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const get = (path: string, as?: string) => site.ask(path, { headers: { accept: 'text/html' }, ...(as ? { as } : {}) })
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

  test('the page of a record says who changed it last, and when', async () => {
    site.clock = new Date('2026-11-16T05:00:00.000Z')
    const id = await polynym('river')
    const { fortune_id: saying } = await send('POST', '/api/fortune/', { body: 'All is well.' })
    site.clock = new Date('2026-11-16T05:03:20.000Z')
    const created = await get(`/polynym/${id}/`)
    assert.ok(plain(created.text).includes('created 3 minutes ago by gus · history'))
    assert.ok(plain((await get(`/fortune/${saying}/`)).text).includes('created 3 minutes ago by gus · history'))
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
})
