/** What an operator's settings change for readers. */
import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { BadSetting, readSettings } from '../../src/cli/settings.ts'
import { signUp } from '../accounts/browser.ts'
import { CachingProxy } from '../support/caching-proxy.ts'
import { onEachEngine, type Site } from '../support/site.ts'

const { baseUrl, pageSize } = readSettings({ NYMDEX_BASE_URL: 'https://Nymdex.example:8443/', NYMDEX_PAGE_SIZE: '3' })

onEachEngine('NYMDEX_BASE_URL and NYMDEX_PAGE_SIZE', { settings: { baseUrl, pageSize } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const BASE = 'https://nymdex.example:8443'

  test('{link.base-url} every link begins with it, whatever the request says', async () => {
    const headers = { host: 'inside:1', 'x-forwarded-host': 'other.example', 'x-forwarded-proto': 'http' }
    const { json, headers: answered } = await site.ask('/api/fable/?page=2', { headers })
    assert.deepEqual([json.previous, json.next], [`${BASE}/api/fable/?page=1`, `${BASE}/api/fable/?page=3`])
    assert.match(String(answered.link), /^<https:\/\/nymdex\.example:8443\/api\/fable\/\?page=1>; rel="first", </)
    assert.equal((await site.ask('/api/', { headers })).json.fable, `${BASE}/api/fable/`)
  })

  test('{link.base-url} it is scheme and host, without a path', () => {
    for (const value of [
      'https://nymdex.example/nymdex',
      'https://nymdex.example/?x',
      'ftp://nymdex.example',
      'nymdex',
    ]) {
      assert.throws(() => readSettings({ NYMDEX_BASE_URL: value }), BadSetting)
    }
  })

  test('{page.default-size} a page has as many records as NYMDEX_PAGE_SIZE says', async () => {
    for (const query of ['', '?page_size=', '?page_size=0', '?page_size=x']) {
      assert.equal((await site.ask(`/api/fable/${query}`)).json.results.length, 3)
    }
    assert.equal((await site.ask('/api/fable/?page_size=5')).json.results.length, 5)
  })
})

const forwarded = {
  'x-forwarded-host': 'first.example, nymdex.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-for': '192.0.2.7',
}

for (const [setting, trusted] of [
  ['off', false],
  ['192.0.2.0/24, 2001:db8::/32', false],
  ['loopback', true],
  ['192.0.2.1,127.0.0.0/8', true],
] as const) {
  const given = { NYMDEX_TRUST_PROXY: setting, NYMDEX_FORWARDED_HOST: 'on' }
  const { trustedProxies, forwardedHost } = readSettings(given)
  onEachEngine(
    `NYMDEX_TRUST_PROXY=${setting}`,
    { sample: false, settings: { trustedProxies, forwardedHost } },
    (site) => {
      test(`{link.forwarded} forwarded headers ${trusted ? 'count' : 'do not count'}`, async () => {
        const { json } = await site.ask('/api/', { headers: forwarded })
        assert.equal(json.fable, `${trusted ? 'https://nymdex.example' : site.base}/api/fable/`)
        const half = await site.ask('/api/', { headers: { 'x-forwarded-proto': 'https' } })
        assert.equal(half.json.fable, `${trusted ? site.base.replace('http:', 'https:') : site.base}/api/fable/`)
        const wrong = await site.ask('/api/', { headers: { 'x-forwarded-host': '<script>' } })
        assert.equal(wrong.status, trusted ? 400 : 200)
        assert.deepEqual(site.bugs, [])
      })
    },
  )
}

const HOSTS = { NYMDEX_HOSTS: 'Nymdex.example, *.words.example,[::1]', NYMDEX_TRUST_PROXY: 'loopback' }

onEachEngine('NYMDEX_HOSTS', { settings: hostSettings(HOSTS) }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))
  const asked = (headers: Record<string, string>, path = '/api/queue/') => site.ask(path, { headers })

  test('{host.allowed} a request may name a host of the list, in any letter case and with any port', async () => {
    for (const host of [
      'nymdex.example',
      'NYMDEX.example:8000',
      'nymdex.example.',
      'a.words.example',
      'a.b.words.example:1',
      '[::1]:80',
    ]) {
      const { status, json } = await asked({ host }, '/api/')
      assert.deepEqual([status, json.queue], [200, `http://${host}/api/queue/`])
    }
  })

  test('{host.allowed} any other host returns 400, also for cached answers', async () => {
    assert.equal((await asked({ host: 'nymdex.example' })).status, 200)
    for (const host of [
      'evil.example',
      'words.example',
      'nymdex.example.evil.example',
      'xwords.example',
      '[::2]',
      '127.0.0.1',
    ]) {
      for (const [path, method] of [
        ['/api/queue/', 'GET'],
        ['/', 'GET'],
        ['/accounts/login/', 'POST'],
        ['/nowhere', 'GET'],
      ] as const) {
        const reply = await site.ask(path, { method, headers: { host } })
        const detail = 'The Host header names a host that this server does not serve.'
        assert.deepEqual([reply.status, reply.json], [400, { detail }], `${host} ${path}`)
        assert.equal(reply.headers['set-cookie'], undefined)
      }
    }
  })

  test('{host.health} the health check works with any host', async () => {
    for (const path of ['/healthz', '/healthz?x=1', '/readyz'])
      assert.equal((await asked({ host: '10.1.2.3:8000' }, path)).status, 200)
    assert.equal((await asked({ host: '10.1.2.3' }, '/api/healthz')).status, 400)
  })

  test('{link.forwarded} X-Forwarded-Host of a trusted proxy does not count unless NYMDEX_FORWARDED_HOST is on', async () => {
    const headers = { host: 'nymdex.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    assert.equal((await asked(headers, '/api/')).json.queue, 'https://nymdex.example/api/queue/')
  })
})

// Without a proxy, cached answers are found in another way.
onEachEngine(
  'The hosts of NYMDEX_BASE_URL',
  { settings: hostSettings({ NYMDEX_BASE_URL: 'https://nymdex.example:8443' }) },
  (site) => {
    test('{host.default} with NYMDEX_BASE_URL requests may name its host and this machine', async () => {
      for (const host of ['nymdex.example', 'nymdex.example:8443', 'localhost:1', '127.0.0.1', '[::1]']) {
        assert.equal((await site.ask('/api/queue/', { headers: { host } })).status, 200, host)
      }
      assert.equal((await site.ask('/api/queue/', { headers: { host: 'evil.example' } })).status, 400)
      assert.equal(
        (await site.ask('/api/queue/', { headers: { host: 'evil.example', accept: 'text/html' } })).status,
        400,
      )
      assert.equal((await site.ask('/healthz', { headers: { host: 'evil.example' } })).status, 200)
      assert.deepEqual(site.bugs, [])
    })
  },
)

test('an invalid host name stops the start', () => {
  for (const value of ['nymdex.example:80', 'https://nymdex.example', 'a b', 'a.*', '*nymdex.example', ',', 'x,,y']) {
    assert.throws(() => readSettings({ NYMDEX_HOSTS: value }), BadSetting, value)
  }
  assert.equal(readSettings({}).hosts, undefined)
  assert.deepEqual(readSettings({ NYMDEX_HOSTS: '*', NYMDEX_BASE_URL: 'https://nymdex.example' }).hosts, ['*'])
})

function hostSettings(given: Readonly<Record<string, string>>) {
  const { hosts, forwardedHost, trustedProxies, baseUrl } = readSettings(given)
  return { hosts, forwardedHost, trustedProxies, baseUrl }
}

interface Packed {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

function fetchBytes(site: Site, path: string, headers: Record<string, string>, method = 'GET'): Promise<Packed> {
  return new Promise((answered, failed) => {
    const sent = httpRequest({ host: '127.0.0.1', port: site.port, path, method, headers, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => {
        answered({ status: reply.statusCode!, headers: reply.headers, bytes: Buffer.concat(chunks) })
      })
    })
    sent.on('error', failed)
    sent.end()
  })
}

onEachEngine(
  'NYMDEX_COMPRESS=on',
  { settings: { compress: readSettings({ NYMDEX_COMPRESS: 'on' }).compress } },
  (site) => {
    after(() => assert.deepEqual(site.bugs, []))

    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }

    test('{compress.on} large responses are compressed as the client prefers, and say so', async () => {
      const plain = await fetchBytes(site, '/api/polynym/', {})
      assert.equal(plain.headers.vary, 'Accept, Accept-Encoding')
      assert.equal(plain.headers['content-encoding'], undefined)
      for (const [accept, encoding] of [
        ['br', 'br'],
        ['gzip', 'gzip'],
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip;q=1, br;q=0.5', 'gzip'],
        ['br;q=0, *', 'gzip'],
        ['*', 'br'],
      ] as const) {
        const headers = { 'accept-encoding': accept }
        const { headers: answered, bytes } = await fetchBytes(site, '/api/polynym/', headers)
        assert.equal(answered['content-encoding'], encoding, accept)
        assert.deepEqual(unpack[encoding](bytes), plain.bytes)
        assert.equal(answered['content-length'], String(bytes.length))
        assert.equal(answered.vary, 'Accept, Accept-Encoding')
        const etag = plain.headers.etag!.replace(/"$/, `-${encoding}"`)
        assert.equal(answered.etag, etag)
        const again = await fetchBytes(site, '/api/polynym/', { ...headers, 'if-none-match': etag })
        assert.deepEqual([again.status, again.headers.vary, again.bytes.length], [304, 'Accept, Accept-Encoding', 0])
        const head = await fetchBytes(site, '/api/polynym/', headers, 'HEAD')
        assert.equal(head.headers['content-length'], answered['content-length'])
      }
    })

    test('{compress.on} responses of more than a megabyte are compressed while they are sent', async () => {
      const { json } = await site.ask('/api/polynym/?page_size=200&fields=polynym_id')
      const polynyms = json.results.map(({ polynym_id }: { polynym_id: number }) => polynym_id)
      for (let i = 0; i < 25; i++) {
        const made = await site.ask('/api/polyset/', {
          method: 'POST',
          as: 'ada',
          json: { name: `Long ${i}`, polynyms },
        })
        assert.equal(made.status, 201)
      }
      const path = '/api/polyset/?page_size=100'
      for (const turn of ['made', 'kept']) {
        const plain = await fetchBytes(site, path, {})
        assert.ok(plain.bytes.length > 1024 * 1024, turn)
        assert.equal(plain.headers['content-length'], String(plain.bytes.length))
        for (const encoding of ['br', 'gzip'] as const) {
          const { headers, bytes } = await fetchBytes(site, path, { 'accept-encoding': encoding })
          assert.equal(headers['content-encoding'], encoding, turn)
          assert.equal(headers.etag, plain.headers.etag!.replace(/"$/, `-${encoding}"`))
          assert.equal(unpack[encoding](bytes).equals(plain.bytes), true)
        }
      }
    })

    test('{compress.on} small responses, and those to clients that accept neither, are not compressed', async () => {
      for (const [path, accept] of [
        ['/api/queue/1/', 'br, gzip'],
        ['/api/polynym/', 'deflate, zstd'],
        ['/api/polynym/', 'identity'],
        ['/api/polynym/', 'br;q=0, gzip;q=0'],
      ] as const) {
        const { headers, bytes } = await fetchBytes(site, path, { 'accept-encoding': accept })
        assert.equal(headers['content-encoding'], undefined, accept)
        assert.equal(headers.vary, 'Accept, Accept-Encoding')
        assert.ok(JSON.parse(bytes.toString('utf8')))
      }
      const page = await fetchBytes(site, '/api/polynym/', { 'accept-encoding': 'gzip', accept: 'text/html' })
      assert.equal(page.headers.vary, 'Accept, Cookie, Accept-Encoding')
      assert.match(gunzipSync(page.bytes).toString('utf8'), /^<!doctype html>/)
    })
  },
)

/** If the machine has IPv6, the server listens on both kinds of address. */
const loopbacks = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
const host = loopbacks.some(({ address }) => address === '::1') ? '::' : '0.0.0.0'

onEachEngine(`HOST=${host}`, { sample: false, settings: { host } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  for (const [address, written] of [
    ['127.0.0.1', '127.0.0.1'],
    ...(host === '::' ? [['::1', '[::1]'] as const] : []),
  ] as const) {
    test(`{refuse.http10} links of a request without Host name ${written}, where it was reached`, async () => {
      const answer = await new Promise<string>((closed, failed) => {
        const socket = connect(site.port, address)
        let text = ''
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('error', failed)
        socket.on('close', () => closed(text))
        socket.write('GET /api/ HTTP/1.0\r\n\r\n')
      })
      const index = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
      assert.equal(index.fable, `http://${written}:${site.port}/api/fable/`)
    })
  }
})

const { sharedCache } = readSettings({ NYMDEX_SHARED_CACHE: '60,300' })

onEachEngine('NYMDEX_SHARED_CACHE=60,300', { settings: { sharedCache } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const OPEN = 'public, max-age=0, s-maxage=60, stale-while-revalidate=300'
  const html = { accept: 'text/html' }
  const SHARED = [
    ['/api/', {}, 'Accept'],
    ['/api/polynym/', {}, 'Accept'],
    ['/api/polynym/1/', {}, 'Accept'],
    ['/api/polynym/1/', { accept: 'application/json; indent=4' }, 'Accept'],
    ['/api/fortune/1/', { accept: 'text/plain' }, 'Accept'],
    ['/api/term/river/', {}, 'Accept'],
    ['/api/polynym/', html, 'Accept, Cookie, Authorization'],
    ['/', {}, 'Accept, Cookie, Authorization'],
    ['/polynym/1/', html, 'Accept, Cookie, Authorization'],
    ['/api/docs/', html, 'Accept, Cookie, Accept-Encoding, Authorization'],
  ] as const

  const sessionOf = async (name: string) => {
    const { headers } = await signUp(site, name)
    return headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ')
  }

  test('{shared.open} what is the same for everyone may be cached by proxies, and browsers ask again', async () => {
    // The page of a record says how many minutes ago it was made.
    site.clock = new Date()
    for (const [path, headers, vary] of SHARED) {
      for (const method of ['GET', 'GET', 'HEAD']) {
        const reply = await site.ask(path, { method, headers: { ...headers, cookie: 'other=1' } })
        assert.deepEqual([reply.status, reply.headers['cache-control'], reply.headers.vary], [200, OPEN, vary], path)
        const { etag } = reply.headers
        const known = etag && (await site.ask(path, { headers: { ...headers, 'if-none-match': etag } }))
        if (known) assert.deepEqual([known.status, known.headers['cache-control']], [304, OPEN], path)
      }
    }
    site.clock = undefined
    const { sharedCache } = readSettings({ NYMDEX_SHARED_CACHE: '86400' })
    assert.deepEqual(sharedCache, { seconds: 86_400, staleSeconds: 0 })
  })

  test('{shared.closed} never with credentials, nor what says otherwise, nor errors', async () => {
    const cookie = await sessionOf('shared-ivy')
    const authorization = `Token ${await site.tokenOf('gus')}`
    for (const [path, headers] of SHARED) {
      await site.ask(path, { headers })
      for (const own of [{ authorization }, { cookie }, { cookie: 'nymdex_session=of-nobody' }]) {
        const reply = await site.ask(path, { headers: { ...headers, ...own } })
        assert.equal(reply.status, 200)
        assert.doesNotMatch(String(reply.headers['cache-control']), /public|s-maxage/, path)
        assert.doesNotMatch(String(reply.headers.vary), /Authorization/, path)
      }
    }
    for (const [path, lasting, method = 'GET'] of [
      ['/api/polynym/0/', undefined],
      ['/api/polynym', undefined],
      ['/api/polynym/?page=0', undefined],
      ['/api/polynym/', undefined, 'OPTIONS'],
      ['/api/polynym/random/', 'no-store'],
      ['/api/changes/', 'no-cache'],
      ['/api/changes/recent/', 'no-cache'],
      ['/find/suggest/?q=a', 'private, no-cache'],
      ['/polynym/0/', 'private, no-cache'],
      ['/random/', 'private, no-cache, no-store'],
      ['/accounts/login/', 'private, no-cache, no-store'],
      ['/healthz', 'no-store'],
    ] as const) {
      const { headers } = await site.ask(path, { method, headers: path.startsWith('/api') ? {} : html })
      assert.equal(headers['cache-control'], lasting, path)
    }
  })

  test('{shared.closed} through a proxy that caches, everyone gets their own pages', async (t) => {
    const proxy = new CachingProxy(site)
    const base = await proxy.start()
    t.after(() => proxy.stop())
    const cookie = await sessionOf('shared-joy')
    const authorization = `Token ${await site.tokenOf('shared-kit')}`
    const ask = async (path: string, headers: Record<string, string>) => {
      const { status, text } = await site.ask(path, { headers })
      const reply = await fetch(base + path, { headers })
      assert.deepEqual([reply.status, await reply.text()], [status, text], path)
      return text
    }
    for (const path of ['/', '/polynym/1/', '/api/polynym/1/']) {
      for (let round = 0; round < 2; round++) {
        assert.doesNotMatch(await ask(path, html), /shared-/)
        assert.match(await ask(path, { ...html, cookie }), /shared-joy/)
        assert.match(await ask(path, { ...html, authorization }), /shared-kit/)
        await ask(path, { accept: 'application/json' })
      }
    }
    // Pages and JSON of visitors without credentials, each time but the first.
    assert.equal(proxy.hits, 6)
  })
})
