/** Addresses, methods, and the headers of every response. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { onEachEngine, type Reply } from '../support/site.ts'
import { addWinners } from '../support/winners.ts'

const ROOT = 'GET, HEAD, OPTIONS'
const LIST = 'GET, POST, HEAD, OPTIONS'
const RECORD = 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'

/** Every status that reading can return, with its Allow header. */
const ANSWERS: readonly (readonly [
  status: number,
  ask: string,
  allow: string | undefined,
  headers?: Record<string, string>,
])[] = [
  [200, 'GET /api/', ROOT],
  [200, 'OPTIONS /api/', ROOT],
  [405, 'POST /api/', ROOT],
  [404, 'GET /api/?format=xml', ROOT],
  [406, 'GET /api/', ROOT, { accept: 'image/png' }],
  [301, 'GET /api', ROOT],
  [200, 'GET /api/polynym/', LIST],
  [200, 'OPTIONS /api/polynym/', LIST],
  [304, 'GET /api/polynym/', LIST, { 'if-none-match': '*' }],
  [404, 'GET /api/polynym/?page=0', LIST],
  [405, 'DELETE /api/polynym/', LIST],
  [401, 'POST /api/polynym/', LIST],
  [401, 'GET /api/polynym/', LIST, { authorization: 'Token wrong' }],
  [406, 'GET /api/polynym/', LIST, { accept: 'image/png' }],
  [301, 'GET /api/polynym', LIST],
  [308, 'POST /api/polynym', LIST],
  [200, 'GET /api/polynym/1/', RECORD],
  [200, 'OPTIONS /api/polynym/1/', RECORD],
  [304, 'GET /api/polynym/1/', RECORD, { 'if-none-match': '*' }],
  [404, 'GET /api/polynym/0/', RECORD],
  [404, 'OPTIONS /api/polynym/999999/', RECORD],
  [405, 'POST /api/polynym/1/', RECORD],
  [401, 'PUT /api/polynym/1/', RECORD],
  [301, 'GET /api/polynym/1', RECORD],
  [308, 'PATCH /api/polynym/1', RECORD],
  [404, 'GET /api/nothing/', undefined],
  [404, 'POST /api/nothing/', undefined],
  [404, 'GET /api/polynym/1/2/', undefined],
  [404, 'OPTIONS /api/nothing/', undefined],
  [400, 'GET /api/%ff/', undefined],
]

onEachEngine('Headers', {}, (site) => {
  before(() => addWinners(site))
  after(() => assert.deepEqual(site.bugs, []))

  const ask = (request: string, headers: Record<string, string> = {}) => {
    const [method, path] = request.split(' ') as [string, string]
    return site.ask(path, { method, headers })
  }
  /** Every response of the table above, and what must hold for it. */
  async function everywhere(check: (reply: Reply, allow: string | undefined, request: string) => void): Promise<void> {
    for (const [status, request, allow, headers] of ANSWERS) {
      const reply = await ask(request, headers)
      assert.equal(reply.status, status, request)
      check(reply, allow, request)
    }
  }

  test('{json.headers} JSON is application/json and varies by exactly Accept, whatever the status', async () => {
    await everywhere(({ headers }) => {
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers.vary, 'Accept')
    })
  })

  test('{allow.known} {allow.unknown} Allow lists the methods of an address, also on errors and redirects', async () => {
    await everywhere(({ headers }, allow) => assert.equal(headers.allow, allow))
    for (const { name } of catalogue) {
      assert.equal((await ask(`HEAD /api/${name}/`)).headers.allow, LIST)
      assert.equal((await ask(`HEAD /api/${name}/1/`)).headers.allow, RECORD)
    }
    assert.equal((await ask('GET /api/quadranym-id/')).headers.allow, LIST)
    assert.equal((await ask('GET /api/quadranym-id/1/')).headers.allow, RECORD)
  })

  test('{http.nosniff} {id.every} every response forbids sniffing and has its own id', async () => {
    const ids = new Set<unknown>()
    const check = ({ headers }: Reply) => {
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['x-request-id']), /^[A-Za-z0-9._-]{1,64}$/)
      assert.ok(!ids.has(headers['x-request-id']))
      ids.add(headers['x-request-id'])
    }
    await everywhere(check)
    for (const path of ['/', '/healthz', '/static/look.css', '/nothing']) check(await site.ask(path))
    check(await site.ask('/api/', { headers: { accept: 'text/html' } }))
  })

  test("{id.kept} a request's own id is kept if it is usable", async () => {
    for (const id of ['a', 'A-9_z.0', 'x'.repeat(64)]) {
      for (const request of ['GET /api/', 'GET /api/nothing/', 'GET /healthz', 'PUT /api/']) {
        assert.equal((await ask(request, { 'x-request-id': id })).headers['x-request-id'], id)
      }
    }
    for (const id of ['', 'x'.repeat(65), 'a b', 'a,b', 'é', '"a"', '<a>']) {
      const { headers } = await ask('GET /api/', { 'x-request-id': id })
      assert.match(String(headers['x-request-id']), /^[A-Za-z0-9_-]+$/)
      assert.notEqual(headers['x-request-id'], id)
    }
    const twice = await site.ask('/api/', { headers: { 'x-request-id': ['one', 'two'] } })
    assert.doesNotMatch(String(twice.headers['x-request-id']), /one|two/)
  })

  test('{cors.origin} {cors.expose} scripts of other sites may read, errors too, never with credentials', async () => {
    await everywhere(({ headers }) => {
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(
        headers['access-control-expose-headers'],
        'ETag, Link, Location, Nymdex-Log, Nymdex-Seq, Retry-After, X-Request-Id',
      )
      assert.equal(headers['access-control-allow-credentials'], undefined)
    })
    for (const path of ['/', '/healthz', '/nothing', '/static/look.css']) {
      assert.equal((await site.ask(path)).headers['access-control-allow-origin'], undefined)
    }
  })

  test('{cors.preflight} OPTIONS allows the methods of Allow and the usual headers, for a day', async () => {
    const preflight = { origin: 'https://other.example', 'access-control-request-method': 'PUT' }
    for (const [path, allow] of [
      ['/api/', ROOT],
      ['/api/polynym/', LIST],
      ['/api/polynym/1/', RECORD],
    ] as const) {
      const { status, headers } = await ask(`OPTIONS ${path}`, preflight)
      assert.equal(status, 200)
      assert.equal(headers['access-control-allow-methods'], allow)
      assert.equal(
        headers['access-control-allow-headers'],
        'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Requested-With',
      )
      assert.equal(headers['access-control-max-age'], '86400')
      assert.equal((await ask(`GET ${path}`, preflight)).headers['access-control-allow-methods'], undefined)
    }
  })

  test('{compress.off} nothing is compressed, whatever Accept-Encoding says', async () => {
    const plain = await site.ask('/api/polynym/')
    const { headers, text } = await site.ask('/api/polynym/', { headers: { 'accept-encoding': 'br, gzip, deflate' } })
    assert.equal(text, plain.text)
    assert.equal(headers['content-encoding'], undefined)
    assert.deepEqual([headers.vary, headers.etag], [plain.headers.vary, plain.headers.etag])
  })

  test("{head.get} HEAD has GET's status and headers, and no body", async () => {
    const passing = new Set(['date', 'x-request-id'])
    const lasting = ({ headers }: Reply) => Object.entries(headers).filter(([name]) => !passing.has(name))
    const reads = ANSWERS.filter(([, request]) => request.startsWith('GET ')).map(([, request, , headers]) => {
      return [request.slice('GET '.length), headers] as const
    })
    const html = { accept: 'text/html' }
    const pages = ['/api/', '/api/polynym/', '/api/polynym/1/', '/api/polynym/0/', '/api/nothing/']
    const others = ['/', '/healthz', '/static/look.css', '/api/polynym.json', '/api/polyset/?format=api']
    for (const [path, sent = {}] of [
      ...reads,
      ...pages.map((path) => [path, html] as const),
      ...others.map((path) => [path, {}] as const),
    ]) {
      const headers = { ...sent }
      const [get, head] = [await site.ask(path, { headers }), await site.ask(path, { method: 'HEAD', headers })]
      assert.equal(head.status, get.status)
      assert.equal(head.text, '')
      assert.deepEqual(lasting(head), lasting(get), path)
      const length = get.status === 304 ? undefined : String(Buffer.byteLength(get.text))
      assert.equal(head.headers['content-length'], length)
    }
  })

  test('{options.describe} OPTIONS has name and description, and lists what is rendered and parsed', async () => {
    const names: Record<string, string> = { 'quadranym-id': 'Quadranym Id' }
    const views = [{ name: 'quadranym-id', does: catalogue.find(({ name }) => name === 'quadranym')!.does }]
    for (const { name, does } of [...catalogue, ...views]) {
      const hasText = name === 'fortune' || name === 'quote'
      const title = names[name] ?? name.charAt(0).toUpperCase() + name.slice(1)
      for (const [path, kind] of [
        [`/api/${name}/`, 'List'],
        [`/api/${name}/1/`, 'Instance'],
      ]) {
        const { status, text } = await site.ask(path!, { method: 'OPTIONS' })
        const described = {
          name: `${title} ${kind}`,
          description: does,
          renders: ['application/json', 'text/html', ...(hasText && kind === 'Instance' ? ['text/plain'] : [])],
          parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
        }
        assert.equal(text, JSON.stringify(described))
        assert.equal(status, 200)
      }
    }
  })

  test('{limit.idle} a connection that stays open says for how long', async () => {
    const { headers } = await site.ask('/api/', { headers: { connection: 'keep-alive' } })
    assert.equal(headers['keep-alive'], 'timeout=65')
  })

  test('{slash.get} {slash.others} without its slash an address returns 301, for other methods 308', async () => {
    for (const [path, to] of [
      ['/api', '/api/'],
      ['/api/polynym', '/api/polynym/'],
      ['/api/quadranym-id', '/api/quadranym-id/'],
      ['/api/polynym/1', '/api/polynym/1/'],
      ['/api/polynym?page=2&x=%20y&x', '/api/polynym/?page=2&x=%20y&x'],
      ['/api/%70olynym?format=xml', '/api/%70olynym/?format=xml'],
    ] as const) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const reads = method === 'GET' || method === 'HEAD'
        const headers = { accept: 'image/png', authorization: 'Token wrong' }
        const { status, headers: answered, text } = await site.ask(path, { method, headers })
        assert.deepEqual([status, answered.location], [reads ? 301 : 308, to])
        assert.equal(text, method === 'HEAD' ? '' : JSON.stringify({ detail: `Moved to ${to}` }))
        assert.equal(answered['content-type'], 'application/json')
      }
    }
    for (const path of ['/api/nothing', '/nothing', '/api/polynym/1/2']) {
      assert.equal((await site.ask(path)).status, 404)
    }
  })

  test('{path.encoded} percent-encoding in a path is decoded before comparing', async () => {
    const { text } = await site.ask('/api/polynym/1/')
    for (const path of ['/api/%70olynym/1/', '/%61%70%69/polynym/%31/']) {
      assert.equal((await site.ask(path)).text, text)
    }
  })

  test('{path.exact} letter case matters, and paths are not normalised', async () => {
    for (const path of [
      '/API/',
      '/api/Polynym/',
      '/api//polynym/',
      '//api/',
      '/api/polynym//',
      '/api/./polynym/',
      '/api/queue/../polynym/',
      '/api/%2e%2e/api/',
      '/api%2Fpolynym/',
      '/api/polynym%2F1/',
      '/api/polynym/1/%20/',
      '/api/polynym;x/',
    ]) {
      const { status, text } = await site.ask(path)
      assert.deepEqual([status, text], [404, '{"detail":"Not found."}'], path)
    }
    for (const path of ['/api/polynym/1%20/', '/api/polynym/%00/']) assert.equal((await site.ask(path)).status, 404)
  })

  test('{options.star} OPTIONS * returns 404', async () => {
    const { status, text, headers } = await site.ask('*', { method: 'OPTIONS' })
    assert.deepEqual([status, text, headers.allow], [404, '{"detail":"Not found."}', undefined])
  })

  test('{record.id-form} an id is a decimal number without leading zeros', async () => {
    for (const id of ['0', '01', '-1', '+1', '1.0', '1e0', '0x1', 'abc', '1_0', '%D9%A1', '1%0A', 'null', '1,2']) {
      const { status, text } = await site.ask(`/api/polynym/${id}/`)
      assert.deepEqual([status, text], [404, '{"detail":"Not found."}'], id)
    }
    for (const id of ['2147483648', '9'.repeat(15), '9'.repeat(16), '9223372036854775808', '9'.repeat(400)]) {
      for (const collection of ['polynym', 'quadranym-id', 'fortune']) {
        assert.equal((await site.ask(`/api/${collection}/${id}/`)).status, 404, id)
      }
    }
  })
})
