/** Random and daily records, and fortunes as plain text. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ENGINES } from '../support/databases.ts'
import { onEachEngine, Site } from '../support/site.ts'

const SEEDS = ['1', 'fortune', 'ÄÖ', '%00', '']

onEachEngine('Random', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{random.one} it returns one record, as its own address does', async () => {
    for (const collection of ['polynym', 'quadranym-id', 'storyline', 'queue', 'quote']) {
      const { json } = await site.ask(`/api/${collection}/random/`)
      const id = json[Object.keys(json).at(-1)!]
      assert.deepEqual((await site.ask(`/api/${collection}/${id}/`)).json, json)
    }
  })

  test('{random.seed} a seed returns the same record again', async () => {
    for (const seed of SEEDS) {
      const [one, two] = [
        await site.ask(`/api/fortune/random/?seed=${seed}`),
        await site.ask(`/api/fortune/random/?seed=${seed}`),
      ]
      assert.equal(one.text, two.text)
    }
    const all = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => (await site.ask(`/api/fortune/random/?seed=${i}`)).text),
    )
    assert.ok(new Set(all).size > 6)
  })

  test('{random.cache} without a seed the response is not cached', async () => {
    assert.equal((await site.ask('/api/fortune/random/')).headers['cache-control'], 'no-store')
    assert.equal((await site.ask('/api/fortune/random/?seed=7')).headers['cache-control'], undefined)
  })

  test('{random.n} n returns this many different records, or all there are, and the count', async () => {
    const { json } = await site.ask('/api/fortune/random/?n=40&seed=3')
    assert.deepEqual(Object.keys(json), ['count', 'results'])
    assert.equal(json.count, (await site.ask('/api/fortune/')).json.count)
    assert.equal(new Set(json.results.map(({ fortune_id }: any) => fortune_id)).size, 40)
    const [first] = (await site.ask('/api/fortune/random/?n=1&seed=3')).json.results
    assert.deepEqual(json.results[0], first)
    assert.deepEqual((await site.ask('/api/fortune/random/?seed=3')).json, first)
    const few = (await site.ask('/api/story/random/?n=100')).json
    assert.equal(few.results.length, few.count)
    assert.equal(new Set(few.results.map(({ story_id }: any) => story_id)).size, few.count)
  })

  test('{random.narrowed} filters and a search apply', async () => {
    const { results, count } = (await site.ask('/api/polynym/?mode=part&search=the&page_size=1000')).json
    const picked = (await site.ask('/api/polynym/random/?mode=part&search=the&n=100')).json
    assert.equal(picked.count, count)
    const ids = (records: any[]) => records.map(({ polynym_id }) => polynym_id).sort()
    assert.deepEqual(ids(picked.results), ids(results))
    const [many, one] = [
      (await site.ask('/api/polynym/random/?mode=part&seed=3&n=20')).json.results,
      (await site.ask('/api/polynym/random/?mode=part&seed=3&n=1')).json.results,
    ]
    assert.deepEqual(many.slice(0, 1), one)
    const none = await site.ask('/api/polynym/random/?search=qqqqq')
    assert.deepEqual([none.status, none.json], [404, { detail: 'Not found.' }])
    assert.deepEqual((await site.ask('/api/polynym/random/?search=qqqqq&n=5')).json, { count: 0, results: [] })
  })

  test('{random.bad} {daily.bad} invalid values return 400 with the reason', async () => {
    for (const [path, body] of [
      ['random/?n=1e9', { n: ['A valid integer is required.'] }],
      ['random/?n=1000000000', { n: ['Ensure this value is less than or equal to 100.'] }],
      ['random/?n=0', { n: ['Ensure this value is greater than or equal to 1.'] }],
      ['random/?n=-5', { n: ['Ensure this value is greater than or equal to 1.'] }],
      ['random/?n=%00', { n: ['A valid integer is required.'] }],
      ['daily/?tz=Mars/Olympus', { tz: ['"Mars/Olympus" is not a valid choice.'] }],
      ['daily/?tz=%00', { tz: ['"\0" is not a valid choice.'] }],
      ...['2026-13-01', '2026-02-30', 'today', '20260101', '2026-1-1', '%00'].map((date): [string, object] => [
        `daily/?date=${date}`,
        { date: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'] },
      ]),
    ] as const) {
      const { status, json } = await site.ask(`/api/fortune/${path}`)
      assert.deepEqual([status, json], [400, body], path)
    }
    const post = await site.ask('/api/fortune/random/', { method: 'POST', as: 'ada' })
    assert.deepEqual([post.status, post.headers['allow']], [405, 'GET, HEAD, OPTIONS'])
    assert.equal((await site.ask('/api/fortune/random/1/')).status, 404)
  })

  test('{query.encoding} a value that is not percent-encoded UTF-8 returns 400 under its parameter', async () => {
    for (const [path, member] of [
      ['?search=%ff', 'search'],
      ['?search=%zz', 'search'],
      ['?name=%E0%A4', 'name'],
      ['random/?area=%C3', 'area'],
      ['facets/?by=area&user=%', 'user'],
    ] as const) {
      const { status, json } = await site.ask(`/api/polynym/${path}`)
      assert.deepEqual([status, json], [400, { [member]: ['Not a valid string.'] }], path)
    }
    assert.equal((await site.ask('/api/polynym/?unknown=%ff')).status, 200)
  })
})

onEachEngine('The record of the day', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const daily = async (query = '', collection = 'fortune') => await site.ask(`/api/${collection}/daily/${query}`)

  test('{daily.same} it is the same for everybody on that day, and differs on other days', async () => {
    site.clock = new Date('2026-03-01T00:00:00Z')
    const first = (await daily()).text
    site.clock = new Date('2026-03-01T23:59:59Z')
    assert.equal((await daily()).text, first)
    assert.equal((await daily('?date=2026-03-01')).text, first)
    const days = await Promise.all(
      Array.from({ length: 28 }, async (_, i) => (await daily(`?date=2026-02-${String(i + 1).padStart(2, '0')}`)).text),
    )
    assert.ok(new Set(days).size > 14)
  })

  test('{daily.zone} {daily.cache} the day is that of the zone, and the response may be cached until its midnight', async () => {
    site.clock = new Date('2026-03-01T22:30:00Z')
    for (const [query, day, age] of [
      ['', '2026-03-01', 5400],
      ['?tz=UTC', '2026-03-01', 5400],
      ['?tz=Asia/Tokyo', '2026-03-02', 59400],
      ['?tz=america/new_york', '2026-03-01', 23400],
      ['?tz=Asia/Kathmandu', '2026-03-02', 70_200 + 900],
    ] as const) {
      const { text, headers } = await daily(query)
      assert.equal(text, (await daily(`?date=${day}`)).text, query)
      assert.equal(headers['cache-control'], `public, max-age=${age}`, query)
    }
    site.clock = new Date('2026-03-01T23:59:59.500Z')
    assert.equal((await daily()).headers['cache-control'], 'public, max-age=1')
    assert.equal((await daily('?date=2026-03-01')).headers['cache-control'], 'public, max-age=1')
    assert.equal((await daily('?date=2026-02-01')).headers['cache-control'], 'no-cache')
  })

  test('{daily.narrowed} filters apply; without a match it returns 404', async () => {
    for (const date of ['2026-01-01', '2026-01-02', '2026-12-31']) {
      const { json } = await daily(`?date=${date}&mode=step&depth__gte=8`, 'polynym')
      assert.equal(json.mode, 'step')
      assert.ok(json.depth >= 8)
    }
    const { status, json } = await daily('?search=qqqqq', 'polynym')
    assert.deepEqual([status, json], [404, { detail: 'Not found.' }])
  })

  test('{daily.stable} new records change few days, and changes of other records none', async () => {
    const days = Array.from({ length: 30 }, (_, i) => `?date=2026-04-${String(i + 1).padStart(2, '0')}`)
    const read = async () => await Promise.all(days.map(async (day) => (await daily(day, 'queue')).json.queue_id))
    const before = await read()
    await site.ask('/api/queue/', { method: 'POST', as: 'ada', json: { name: 'aardvark' } })
    const after = await read()
    const moved = after.filter((id, i) => id !== before[i])
    assert.ok(moved.length <= 6, String(moved))
    assert.equal(new Set(moved).size <= 1, true)
  })
})

onEachEngine('Plain text', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const ask = (path: string, accept?: string) => site.ask(path, accept === undefined ? {} : { headers: { accept } })
  const TEXT = 'text/plain; charset=utf-8'

  test('{text.fortune} {text.quote} a fortune is its text, a quote its text and its author', async () => {
    const fortune = (await ask('/api/fortune/random/?seed=5')).json
    const plain = await ask('/api/fortune/random/?seed=5', 'text/plain')
    assert.deepEqual([plain.status, plain.headers['content-type']], [200, TEXT])
    assert.equal(plain.text, `${fortune.body}\n`)
    const quote = (await ask('/api/quote/daily/?date=2026-01-01')).json
    assert.equal(
      (await ask('/api/quote/daily/?date=2026-01-01', 'text/plain')).text,
      `${quote.body}\n\t\t-- ${quote.src}\n`,
    )
    assert.equal((await ask(`/api/fortune/${fortune.fortune_id}/`, 'text/plain')).text, `${fortune.body}\n`)
  })

  test('{text.printable} it contains no control characters for terminals or text direction', async () => {
    const body = 'a\u001b]0;x\u0007b\tc\r\nd\u0008e\u007ff\u009b2Jg\u202eh\u2066i\u2069j\u200ek\u200fl\u061cm é ש'
    const made = await site.ask('/api/fortune/', {
      method: 'POST',
      as: 'gus',
      json: { body, qode: '', q1: [], q2: [] },
    })
    assert.deepEqual([made.status, made.json.body], [201, body])
    const path = `/api/fortune/${made.json.fortune_id}/`
    const plain = await ask(path, 'text/plain')
    assert.equal(plain.text, 'a]0;xb\tc\ndef2Jghijklm é ש\n')
    assert.equal(
      (await site.ask(path, { headers: { accept: 'text/plain', 'if-none-match': plain.headers.etag! } })).status,
      304,
    )
    assert.equal((await ask(`${path}spin/`, 'text/plain')).text, plain.text)
    assert.equal((await site.ask(path, { method: 'DELETE', as: 'gus' })).status, 204)
  })

  test('{text.several} several are separated by a line with %, as in fortune files', async () => {
    const { results } = (await ask('/api/fortune/random/?seed=5&n=3')).json
    const { text } = await ask('/api/fortune/random/?seed=5&n=3', 'text/plain')
    assert.equal(text, `${results.map(({ body }: any) => body).join('\n%\n')}\n`)
  })

  test('{text.accept} only a client that names text/plain and prefers it gets it', async () => {
    const path = '/api/fortune/random/?seed=5'
    for (const accept of ['text/plain', 'text/plain, */*', 'text/plain;q=0.9, application/json;q=0.5', 'TEXT/PLAIN']) {
      assert.equal((await ask(path, accept)).headers['content-type'], TEXT, accept)
    }
    for (const accept of [
      undefined,
      '*/*',
      'application/json, text/plain, */*',
      'application/json',
      'text/plain;q=0.5, application/json',
    ]) {
      assert.equal((await ask(path, accept)).headers['content-type'], 'application/json', String(accept))
    }
    for (const accept of ['text/html, text/plain', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
      assert.match(String((await ask(path, accept)).headers['content-type']), /^text\/html/, accept)
    }
  })

  test('{text.format} format=txt and the suffix .txt select it, whatever Accept says', async () => {
    for (const [path, accept] of [
      ['/api/fortune/random/?seed=5&format=txt', 'application/json'],
      ['/api/fortune/random.txt?seed=5', undefined],
    ] as const) {
      const { text, headers } = await ask(path, accept)
      assert.equal(headers['content-type'], TEXT)
      assert.equal(text, (await ask('/api/fortune/random/?seed=5', 'text/plain')).text)
    }
  })

  test('{text.only} text/plain is refused where there is no text', async () => {
    for (const path of ['/api/polynym/random/', '/api/quadranym-id/daily/', '/api/fortune/', '/api/']) {
      assert.equal((await ask(path, 'text/plain')).status, 406, path)
    }
    assert.equal((await ask('/api/polynym/random/?format=txt')).status, 404)
  })

  test('{text.errors} errors are plain text, too', async () => {
    const { status, headers, text } = await ask('/api/fortune/random/?search=qqqqq', 'text/plain')
    assert.deepEqual([status, headers['content-type'], text], [404, TEXT, 'Not found.\n'])
    const bad = await ask('/api/fortune/random/?n=x', 'text/plain')
    assert.deepEqual([bad.status, bad.headers['content-type']], [400, TEXT])
    assert.match(bad.text, /^n: A valid integer is required\.\n$/)
  })

  test('{text.vary} Vary tells caches that it depends on Accept; HEAD has only the headers', async () => {
    const got = await ask('/api/fortune/random/?seed=5', 'text/plain')
    assert.equal(got.headers['vary'], 'Accept')
    const head = await site.ask('/api/fortune/random/?seed=5', { method: 'HEAD', headers: { accept: 'text/plain' } })
    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', got.headers['content-length']])
    assert.equal(head.headers['content-type'], TEXT)
  })
})

test('{random.same} {daily.same-engine} both engines pick the same', async () => {
  const answers: string[][] = []
  for (const engine of ENGINES) {
    const site = new Site(engine)
    await site.start()
    const texts: string[] = []
    for (const path of [
      ...SEEDS.map((seed) => `fortune/random/?seed=${seed}`),
      'polynym/random/?seed=x&n=50&mode=part',
      'quadranym-id/random/?seed=y&n=9&search=e',
      'quote/random/?seed=y&ordering=-id',
      ...Array.from({ length: 9 }, (_, i) => `polynym/daily/?date=2026-05-0${i + 1}&area__isnull=false`),
    ]) {
      texts.push((await site.ask(`/api/${path}`)).text)
    }
    answers.push(texts)
    await site.stop()
    assert.deepEqual(site.bugs, [])
  }
  for (const other of answers) assert.deepEqual(other, answers[0])
})
