/** Readers of cached responses: everyone gets the same content, in the requested rendering, and nothing private. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { basic, PASSWORD } from '../accounts/browser.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { type BytesReply, HOST, Served, said } from '../support/servers.ts'

/** Long, short, with and without non-Latin letters, cached as bytes or as text. */
const PAGES = [
  '/api/polynym/?page_size=100',
  '/api/quadranym-id/?page_size=2',
  '/api/polynym/1/',
  '/api/term/river/',
  '/api/',
]

for (const name of ENGINES) {
  describe(`Readers of cached answers (${name})`, () => {
    let fresh: FreshDatabase
    let now = new Date('2026-03-01T12:00:00.000Z')
    const servers: Served[] = []
    /** One server with a cache, and one without. */
    let [keeping, other]: Served[] = []

    const start = async (options: Partial<Parameters<typeof Served.on>[1]> = {}) => {
      const server = await Served.on(fresh.url, { keeps: 'everything', now: () => now, ...options })
      servers.push(server)
      return server
    }
    before(async () => {
      fresh = await freshDatabase(name, { sample: true })
      keeping = await start()
      other = await start({ keeps: 'nothing' })
      const body = { name: '!é', mode: 'part', p1: '雨', p2: '😀' }
      assert.equal((await keeping.ask('/api/polynym/', { method: 'POST', json: body, as: 'gus' })).status, 201)
      for (const page of PAGES) await keeping.ask(page)
    })
    after(async () => {
      for (const server of servers) {
        await server.stop()
        assert.deepEqual(server.bugs, [])
      }
      await fresh.drop()
    })

    const bothSay = async (path: string, sent: Parameters<Served['ask']>[1], times = 2) => {
      const expected = said(await other!.ask(path, sent))
      for (let i = 0; i < times; i++) assert.deepEqual(said(await keeping!.ask(path, sent)), expected, path)
      return expected as BytesReply
    }

    /** The cookies of a new account. */
    const sessionOf = async (username: string) => {
      const sent = { method: 'POST', json: { username, password: PASSWORD } }
      const { headers } = await keeping!.ask('/accounts/signup/', sent)
      const cookie = headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ')
      assert.match(cookie, /nymdex_session=/)
      return cookie
    }

    test('a cached page is the same for every client, with any credentials', async () => {
      const cookie = await sessionOf('ivy')
      for (const path of PAGES) {
        const nobody = said(await other!.ask(path))
        const readers = [
          {},
          { authorization: `Token ${await keeping!.tokenOf('gus')}` },
          { authorization: `Bearer ${await keeping!.tokenOf('gus')}` },
          basic('ivy'),
          { cookie },
          { cookie: 'nymdex_session=of-nobody' },
          { cookie: 'other=1' },
        ]
        for (const given of readers) {
          assert.deepEqual(
            said(await keeping!.ask(path, { headers: given })),
            nobody,
            `${path} ${JSON.stringify(given)}`,
          )
        }
      }
    })

    test('wrong credentials are refused, although the page is cached', async () => {
      const wrong = [
        'Basic',
        basic('ivy', 'wrong').authorization,
        'Basic ?',
        'Token',
        'Token wrong',
        'Bearer wrong',
        'Token a b',
      ]
      for (const path of PAGES) {
        for (const authorization of wrong) {
          const { status } = await bothSay(path, { headers: { authorization } }, 1)
          assert.equal(status, 401, `${path} ${authorization}`)
        }
      }
    })

    test('private responses go only to their owner, whatever was requested before', async () => {
      const own = async (as: string) => (await keeping!.ask('/accounts/tokens/', { as })).text
      const [ada, bo] = [await own('ada'), await own('bo')]
      assert.notEqual(ada, bo)
      assert.deepEqual([await own('ada'), await own('bo')], [ada, bo])
      for (const path of ['/accounts/tokens/', '/accounts/']) {
        const replies = [await keeping!.ask(path), await keeping!.ask(path, { as: 'ada' }), await keeping!.ask(path)]
        assert.equal(replies[0]!.text, replies[2]!.text)
        assert.notEqual(replies[0]!.text, replies[1]!.text)
        for (const { headers } of replies.slice(1, 2)) assert.match(headers['cache-control'] ?? '', /no-store/)
      }
    })

    test('a page for people is cached for visitors who are not signed in, and for nobody else', async () => {
      const cookie = await sessionOf('joy')
      const pages = ['/', '/polynym/', '/polynym/1/', '/word/river/', '/make/', '/api/polynym/1/']
      for (const path of pages) {
        const accept = 'text/html'
        const nobody = said(await other!.ask(path, { headers: { accept } }))
        const asStranger = async (headers = {}) =>
          assert.deepEqual(said(await keeping!.ask(path, { headers: { accept, ...headers } })), nobody, path)
        for (let round = 0; round < 2; round++) {
          await asStranger()
          await asStranger({ cookie: 'nymdex_session=of-nobody' })
          await asStranger({ cookie: 'nymdex_csrf=x; other=1' })
          for (const [who, own] of [
            ['joy', { cookie }],
            ['gus', { authorization: `Token ${await keeping!.tokenOf('gus')}` }],
          ] as const) {
            const reply = await keeping!.ask(path, { headers: { accept, ...own } })
            assert.match(reply.text, new RegExp(`\\b${who}\\b`), path)
            const { etag, 'cache-control': lasting } = reply.headers
            assert.deepEqual([reply.status, etag, lasting], [200, undefined, 'private, no-cache'], path)
          }
        }
        const { status } = await keeping!.ask(path, { headers: { accept, authorization: 'Token wrong' } })
        assert.equal(status, 401)
      }
    })

    test('{site.etag} a visitor who is not signed in and has the page gets 304, until something is written', async () => {
      const cookie = await sessionOf('kit')
      for (const path of ['/', '/polynym/', '/polynym/1/']) {
        const { headers, text } = await bothSay(path, {})
        assert.match(headers.etag!, /^"[\w-]+"$/)
        const known = { 'if-none-match': headers.etag! }
        const again = await bothSay(path, { headers: known })
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', headers.etag])
        const signedIn = await keeping!.ask(path, { headers: { ...known, cookie } })
        assert.deepEqual([signedIn.status, signedIn.headers.etag], [200, undefined])
        const json = { name: `!${path}`, mode: 'part', p1: 'a', p2: 'b' }
        assert.equal((await other!.ask('/api/polynym/', { method: 'POST', json, as: 'gus' })).status, 201)
        await other!.ask('/api/polynym/1/vote/', { method: 'POST', as: `voter-${path.length}` })
        const changed = await bothSay(path, { headers: known })
        assert.equal(changed.status, 200)
        assert.notEqual(changed.text, text)
      }
      const api = await bothSay('/api/polynym/1/', { headers: { accept: 'text/html', 'if-none-match': '*' } })
      assert.deepEqual([api.status, api.headers.etag], [200, undefined])
    })

    test('a page that says how long ago something was, or what is picked today, is never late', async () => {
      const json = { name: 'timed', mode: 'part', p1: 'a', p2: 'b' }
      const made = await keeping!.ask('/api/polynym/', { method: 'POST', json, as: 'gus' })
      const record = `/polynym/${made.json.polynym_id}/`
      const begun = now.getTime()
      const seen = new Map<string, Set<string>>()
      const hours = (count: number) => count * 3600
      for (const passed of [
        0,
        1,
        59,
        59.999,
        60,
        119,
        120,
        3599,
        3600,
        hours(2),
        hours(23),
        hours(24),
        hours(26),
        hours(800),
        30,
      ]) {
        now = new Date(begun + passed * 1000)
        for (const path of ['/', '/texts/', '/changes/', `${record}history/`, record]) {
          const { text } = await bothSay(path, {})
          seen.set(path, (seen.get(path) ?? new Set()).add(text))
        }
      }
      now = new Date(begun)
      assert.deepEqual(
        Array.from(seen, ([path, texts]) => [path, texts.size > 1]),
        Array.from(seen, ([path]) => [path, true]),
      )
    })

    test('a request that arrives while a page asks its questions is answered before the page', async () => {
      const answered: string[] = []
      const ask = async (path: string) => {
        assert.equal((await other!.ask(path, { headers: { accept: 'text/html' } })).status, 200)
        answered.push(path)
      }
      await Promise.all([ask('/'), ask('/robots.txt')])
      assert.deepEqual(answered, ['/robots.txt', '/'])
    })

    test('random records differ each time, and with a seed they do not', async () => {
      const ask = async (query: string) => (await keeping!.ask(`/api/polynym/random/${query}`)).text
      const many = async (query: string) =>
        new Set(await Promise.all(Array.from({ length: 20 }, () => ask(query)))).size
      assert.ok((await many('')) > 1)
      assert.equal(await many('?seed=7'), 1)
    })

    test('the record of the day comes with the seconds that are left, and differs tomorrow', async () => {
      const ask = async () => (await bothSay('/api/polynym/daily/', {})) as BytesReply
      const today = await ask()
      assert.equal(today.headers['cache-control'], 'public, max-age=43200')
      now = new Date(now.getTime() + 1000)
      assert.equal((await ask()).headers['cache-control'], 'public, max-age=43199')
      const days = [today.text]
      for (let day = 1; day < 5; day++) {
        now = new Date(now.getTime() + 86_400_000)
        days.push((await ask()).text)
      }
      assert.ok(new Set(days).size > 1)
    })

    test('HEAD is answered like GET, without the body', async () => {
      for (const path of PAGES) {
        const { text: _, ...head } = said(await keeping!.ask(path)) as BytesReply
        assert.deepEqual(await bothSay(path, { method: 'HEAD' }), { ...head, text: '' })
      }
      // It may be the first request.
      assert.deepEqual(await bothSay('/api/queue/?page_size=4', { method: 'HEAD' }), {
        ...(await bothSay('/api/queue/?page_size=4', {})),
        text: '',
      })
    })

    test('a client that has the page gets 304, until something is written', async () => {
      for (const path of PAGES) {
        const { headers } = await keeping!.ask(path)
        const etag = headers.etag!
        for (const known of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
          const reply = await bothSay(path, { headers: { 'if-none-match': known } })
          assert.deepEqual([reply.status, reply.text, reply.headers.etag], [304, '', etag])
        }
        const reply = await bothSay(path, { headers: { 'if-none-match': '"x"' } })
        assert.deepEqual([reply.status, reply.headers.etag], [200, etag])
      }
      const [page] = PAGES
      const { headers } = await keeping!.ask(page!)
      const json = { name: '!first', mode: 'part', p1: 'a', p2: 'b' }
      assert.equal((await keeping!.ask('/api/polynym/', { method: 'POST', json, as: 'gus' })).status, 201)
      const reply = await bothSay(page!, { headers: { 'if-none-match': headers.etag! } })
      assert.equal(reply.status, 200)
    })

    test('links begin with the requested host name, and an invalid name is refused', async () => {
      const path = '/api/polynym/?page_size=3&page=2'
      for (const host of ['a.example', 'b.example:81', '[::1]:8000', 'a.example']) {
        const { headers, text } = await bothSay(path, { headers: { host } })
        assert.ok(text.includes(`"previous":"http://${host}/api/polynym/`))
        assert.ok(String(headers['link']).startsWith(`<http://${host}/api/polynym/`))
      }
      for (let i = 0; i < 20; i++) await bothSay(path, { headers: { host: `host-${i}.example` } }, 1)
      for (const host of ['a b', 'x/y']) {
        assert.equal((await bothSay(path, { headers: { host } })).status, 400, host)
      }
      for (const lines of [['Host: a.example', 'Host: b.example'], []]) {
        assert.match(await exchange(keeping!.port, [`GET ${path} HTTP/1.1`, ...lines]), /^HTTP\/1\.1 400 /)
      }
    })

    test('old clients, whole addresses and unexpected bodies get what they got before', async () => {
      const path = '/api/polynym/1/'
      const { text } = await keeping!.ask(path)
      const host = `Host: ${HOST}`
      const requests = [
        [`GET ${path} HTTP/1.0`],
        [`GET ${path} HTTP/1.0`, host],
        [`GET http://${HOST}${path} HTTP/1.1`, host],
        [`GET ${path} HTTP/1.1`, host, 'Content-Length: 0'],
      ]
      for (const lines of requests) {
        const answer = await exchange(keeping!.port, lines)
        assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
        assert.equal(answer.split('\r\n\r\n')[1], text)
      }
    })

    test('each rendering of an answer is cached separately', async () => {
      const ways = [
        undefined,
        '*/*',
        'application/json',
        'application/json; indent=4',
        'application/json; indent=2',
        'text/html',
        'text/plain',
        'text/html,application/xhtml+xml,*/*;q=0.8',
        'image/png',
        'application/json;q=0.1, text/html;q=0.9',
      ]
      const paths = [
        '/api/fortune/1/',
        '/api/polynym/?page_size=3',
        '/api/fortune/1.json',
        '/api/fortune/1/?format=txt',
      ]
      for (let round = 0; round < 2; round++) {
        for (const accept of round === 0 ? ways : ways.toReversed()) {
          for (const path of paths)
            await bothSay(path, { headers: { 'x-request-id': 'x', ...(accept ? { accept } : {}) } }, 1)
        }
      }
    })

    test('every request has an id: that of the client, if it is valid', async () => {
      const ids = new Set<string>()
      for (let i = 0; i < 5; i++) {
        for (const path of PAGES) ids.add(String((await keeping!.ask(path)).headers['x-request-id']))
      }
      assert.equal(ids.size, 5 * PAGES.length)
      for (const path of PAGES) {
        const asked = async (id: string) => (await keeping!.ask(path, { headers: { 'x-request-id': id } })).headers
        assert.equal((await asked('from.a-proxy_7'))['x-request-id'], 'from.a-proxy_7')
        assert.notEqual((await asked('not good'))['x-request-id'], 'not good')
      }
    })

    test('compressed answers are cached next to the others, each for clients that accept it', async () => {
      const settings = { compress: true }
      const [zipping, plain] = [await start({ settings }), await start({ settings, keeps: 'nothing' })]
      const ways = ['gzip', 'br', 'gzip, br', 'identity', undefined, '*', 'br;q=0.1, gzip', 'gzip;q=0', 'zstd']
      const [page] = PAGES
      const wanted = (await plain.ask(page!)).text
      const etags = new Map<unknown, unknown>()
      for (let round = 0; round < 3; round++) {
        for (const way of round === 1 ? ways.toReversed() : ways) {
          const headers: Record<string, string> = way === undefined ? {} : { 'accept-encoding': way }
          const [reply, expected] = [await zipping.ask(page!, { headers }), await plain.ask(page!, { headers })]
          assert.deepEqual(said(reply), said(expected), way)
          assert.equal(unpacked(reply), wanted)
          etags.set(reply.headers['content-encoding'], reply.headers.etag)
          const known = { ...headers, 'if-none-match': reply.headers.etag! }
          assert.deepEqual(
            said(await zipping.ask(page!, { headers: known })),
            said(await plain.ask(page!, { headers: known })),
          )
        }
      }
      assert.deepEqual([...etags.keys()].sort(), ['br', 'gzip', undefined])
      assert.equal(new Set(etags.values()).size, 3)
    })

    test('reads from the cache are counted like all others', async () => {
      const limits = { signIns: undefined, signUps: undefined, writes: undefined, reads: { count: 5, seconds: 60 } }
      let ticks = 0
      const limited = await start({ settings: { limits }, monotonic: () => ticks })
      const statuses: number[] = []
      for (let i = 0; i < 8; i++) statuses.push((await limited.ask('/api/queue/')).status)
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429])
      ticks += 61_000
      assert.equal((await limited.ask('/api/queue/')).status, 200)
    })
  })
}

function unpacked({ bytes, headers }: BytesReply): string {
  const encoding = headers['content-encoding']
  const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
  return plain.toString('utf8')
}

/** The whole response to a request that no usual client would send. */
function exchange(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((answered, failed) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write([...lines, 'Connection: close', '', ''].join('\r\n')))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', failed)
    socket.on('close', () => answered(Buffer.concat(chunks).toString('utf8')))
  })
}
