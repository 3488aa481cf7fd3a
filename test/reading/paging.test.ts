/** Pages of a collection and the links between them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { quadranym } from '../../src/catalogue/quadranym.ts'
import { queue } from '../../src/catalogue/queue.ts'
import { accountNamed, insertRecord } from '../../src/engine/index.ts'
import { onEachEngine } from '../support/site.ts'

onEachEngine('Pages', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let all: any[] = []
  before(async () => {
    const { engine } = site
    await engine.store.write(function* () {
      const gus = yield* accountNamed(engine, 'gus')
      for (let i = 1; i <= 63; i++) yield* insertRecord(engine, queue, { name: `topic ${i}` }, gus)
      for (let i = 0; i <= 1000; i++) yield* insertRecord(engine, quadranym, { name: `topic ${i}` }, gus)
    })
    all = (await site.ask('/api/queue/?page_size=1000')).json.results
    assert.equal(all.length, 63)
  })
  const address = (query: string) => `${site.base}/api/queue/${query}`
  const page = (from: number, to: number, next: string | null, previous: string | null) => ({
    count: all.length,
    next: next && address(next),
    previous: previous && address(previous),
    results: all.slice(from, to),
  })
  async function sees(query: string, expected: object): Promise<void> {
    const { status, text } = await site.ask(`/api/queue/${query}`)
    assert.equal(text, JSON.stringify(expected), query)
    assert.equal(status, 200)
  }

  test('{page.members} {page.ends} {page.default-size} {link.page} pages of 20, from the first to the last', async () => {
    await sees('', page(0, 20, '?page=2', null))
    await sees('?page=1', page(0, 20, '?page=2', null))
    await sees('?page=2', page(20, 40, '?page=3', '?page=1'))
    await sees('?page=3', page(40, 60, '?page=4', '?page=2'))
    await sees('?page=4', page(60, 63, null, '?page=3'))
  })

  test('{page.first} {page.last} page may be missing or blank, and may be last', async () => {
    for (const query of ['?', '?page=', '?page', '?page=%20']) await sees(query, page(0, 20, '?page=2', null))
    await sees('?page=last', page(60, 63, null, '?page=3'))
    await sees('?page=last&page_size=63', page(0, 63, null, null))
  })

  test('{page.size} page_size sets the number of records', async () => {
    await sees('?page_size=1', page(0, 1, '?page=2&page_size=1', null))
    await sees('?page_size=62&page=2', page(62, 63, null, '?page=1&page_size=62'))
    await sees('?page_size=63', page(0, 63, null, null))
    await sees('?page_size=21&page=3', page(42, 63, null, '?page=2&page_size=21'))
  })

  test('{page.size-bad} an invalid page_size means the default', async () => {
    for (const size of ['', '0', '-1', '00', '1.5', '1e2', 'x', '٣', '5 5']) {
      const given = new URLSearchParams({ page_size: size }).toString()
      await sees(`?${given}`, page(0, 20, `?page=2&${given}`, null))
    }
  })

  test('{page.spaces} spaces around page and page_size do not matter', async () => {
    await sees('?page=%202+&page_size=+30%20', page(30, 60, '?page=3&page_size=+30+', '?page=1&page_size=+30+'))
    await sees('?page=%09last', page(60, 63, null, '?page=3'))
  })

  test('{page.invalid} a page that does not exist returns 404', async () => {
    const pages = ['0', '5', '-1', 'abc', '1.5', '1e1', '0x1', 'LAST', 'first', 'null', '%D9%A2', '1+2', '%00']
    for (const given of [...pages, '9'.repeat(15), '9'.repeat(16), '9'.repeat(400)]) {
      const { status, text, headers } = await site.ask(`/api/queue/?page=${given}`)
      assert.equal(text, '{"detail":"Invalid page."}', given)
      assert.equal(status, 404)
      assert.equal(headers.link, undefined)
    }
    assert.equal((await site.ask('/api/queue/?page=2&page_size=1000')).status, 404)
  })

  test('{query.repeated} the last of a repeated parameter counts', async () => {
    await sees(
      '?page=9&page=2&page_size=5&page_size=30',
      page(30, 60, '?page=3&page_size=5&page_size=30', '?page=1&page_size=5&page_size=30'),
    )
    await sees('?format=xml&format=json', page(0, 20, '?format=xml&format=json&page=2', null))
  })

  test('{query.unknown} unknown parameters change nothing', async () => {
    for (const [query, next] of [
      ['colour=red', 'colour=red&page=2'],
      ['nothing__icontains=9', 'nothing__icontains=9&page=2'],
      ['x=y', 'page=2&x=y'],
    ]) {
      await sees(`?${query}`, page(0, 20, `?${next}`, null))
    }
  })

  test('{link.kept} {link.sorted} links keep every parameter, sorted by key, repeats in their order', async () => {
    await sees(
      '?z=2&B=1&page=2&z=1&a=&z&format=json&page=2&page_size=30',
      page(
        30,
        60,
        '?B=1&a=&format=json&page=3&page_size=30&z=2&z=1&z=',
        '?B=1&a=&format=json&page=1&page_size=30&z=2&z=1&z=',
      ),
    )
    await sees('?format=&page=2', page(20, 40, '?format=&page=3', '?format=&page=1'))
    await sees('?x%=1&page=2', page(20, 40, '?page=3&x%25=1', '?page=1&x%25=1'))
    await sees('?page=4&a=1&&=2', page(60, 63, null, '?=2&a=1&page=3'))
  })

  test('{link.encoding} in links a space is a plus, and only letters, digits and _.-~ stay bare', async () => {
    const query =
      "?page_size=50&%7e%5F%2e%2D=%61B0&k%20k=a b&x=(1)*!'/?:@,;$[]%25&y=%C3%A9&z=%F0%9F%98%80&q=a%2Bb&w=%ff"
    await sees(
      query.replace(' ', '+'),
      page(
        0,
        50,
        '?k+k=a+b&page=2&page_size=50&q=a%2Bb&w=%EF%BF%BD&x=%281%29%2A%21%27%2F%3F%3A%40%2C%3B%24%5B%5D%25&y=%C3%A9&z=%F0%9F%98%80&~_.-=aB0',
        null,
      ),
    )
  })

  test('{link.header} the Link header has first, prev, next and last', async () => {
    const link = async (query: string, method = 'GET') =>
      (await site.ask(`/api/queue/${query}`, { method })).headers.link
    const to = (page: number, rel: string, rest = '') => `<${address(`?page=${page}${rest}`)}>; rel="${rel}"`
    assert.equal(await link(''), [to(1, 'first'), to(2, 'next'), to(4, 'last')].join(', '))
    const middle = [to(1, 'first'), to(2, 'prev'), to(4, 'next'), to(4, 'last')].join(', ')
    assert.equal(await link('?page=3'), middle)
    assert.equal(await link('?page=3', 'HEAD'), middle)
    assert.equal(await link('?page=last'), [to(1, 'first'), to(3, 'prev'), to(4, 'last')].join(', '))
    const only = '&page_size=99&t=%3E'
    assert.equal(await link('?t=>&page_size=99'), [to(1, 'first', only), to(1, 'last', only)].join(', '))
    assert.equal((await site.ask('/api/queue/1/')).headers.link, undefined)
    assert.ok(!String((await site.ask('/api/')).headers.link).includes('rel="first"'))
  })

  test('{link.host} links begin with http and the Host of the request', async () => {
    for (const host of ['nymdex.example', 'NYMDEX.example:8080', '[2001:db8::1]:80', '192.0.2.7']) {
      const { json, headers } = await site.ask('/api/queue/?page=2', { headers: { host } })
      assert.equal(json.next, `http://${host}/api/queue/?page=3`)
      assert.equal(json.previous, `http://${host}/api/queue/?page=1`)
      assert.ok(String(headers.link).startsWith(`<http://${host}/api/queue/?page=1>; rel="first", `))
      assert.equal((await site.ask('/api/', { headers: { host } })).json.fable, `http://${host}/api/fable/`)
    }
  })

  test('{page.walk} following next from the first page returns every record once, in order', async () => {
    for (const size of [1, 4, 20, 62, 63]) {
      const there: unknown[] = []
      let last = ''
      for (let path = `/api/queue/?page_size=${size}`; path; ) {
        const { json } = await site.ask(path)
        there.push(...json.results)
        last = path
        path = json.next?.slice(site.base.length)
      }
      assert.deepEqual(there, all)
      const back: unknown[] = []
      for (let path = last; path; ) {
        const { json } = await site.ask(path)
        back.unshift(...json.results)
        path = json.previous?.slice(site.base.length)
      }
      assert.deepEqual(back, all)
    }
  })

  test('{page.size} no page has more than 1000 records', async () => {
    for (const size of ['1000', '1001', '99999999999999999999', '9'.repeat(400)]) {
      const { json } = await site.ask(`/api/quadranym/?page_size=${size}`)
      assert.equal(json.results.length, 1000)
      assert.equal(json.count, 1001)
      assert.equal(json.next, `${site.base}/api/quadranym/?page=2&page_size=${size}`)
      const rest = await site.ask(`/api/quadranym/?page=last&page_size=${size}`)
      assert.deepEqual([rest.json.results.length, rest.json.next], [1, null])
    }
  })

  test('{page.empty} an empty collection has one page', async () => {
    for (const query of ['', '?page=1', '?page=last', '?page_size=5']) {
      const { status, text } = await site.ask(`/api/polynym/${query}`)
      assert.equal(text, '{"count":0,"next":null,"previous":null,"results":[]}')
      assert.equal(status, 200)
    }
    assert.equal((await site.ask('/api/polynym/?page=2')).text, '{"detail":"Invalid page."}')
  })
})
