/** Errors: their shape, their order, and requests that are refused before the address is examined. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { AccountDesk, accountNamed } from '../../src/engine/index.ts'
import { onEachEngine, type Site } from '../support/site.ts'

let broken = false

interface RawReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

/** Sends bytes unchanged, and reads until the server closes. */
function sendRaw(site: Site, bytes: string, signal?: AbortSignal): Promise<RawReply> {
  return new Promise((answered, failed) => {
    const socket = connect({ port: site.port, host: '127.0.0.1', ...(signal ? { signal } : {}) })
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', failed)
    socket.on('close', () => {
      const [head = '', text = ''] = Buffer.concat(chunks)
        .toString('utf8')
        .split(/\r\n\r\n(.*)/s)
      const [first = '', ...lines] = head.split('\r\n')
      const headers = lines.map((line) => line.split(/: (.*)/s) as [string, string])
      answered({
        status: Number(first.split(' ')[1]),
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        text,
      })
    })
    socket.write(bytes)
  })
}

const CLOSE = 'Connection: close\r\n'
const HOST = 'Host: nymdex.example\r\n'
const detail = (text: string) => JSON.stringify({ detail: text })

onEachEngine(
  'Errors',
  {
    watch: (database) => ({
      ...database,
      readAt: (work) => (broken ? Promise.reject(new Error('secret: the disk is gone')) : database.readAt(work)),
    }),
  },
  (site) => {
    after(() => assert.deepEqual(site.bugs.map(String), Array(4).fill('Error: secret: the disk is gone')))

    const LIST = 'GET, POST, HEAD, OPTIONS'
    const RECORD = 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'

    test('{error.detail} {error.not-found} an unknown address or record returns 404', async () => {
      for (const path of [
        '/api/nothing/',
        '/api/queue/999999/',
        '/api/queue/x/',
        '/nothing',
        '/api/queue/1/x/',
        '/apix/',
      ]) {
        const { status, text } = await site.ask(path)
        assert.deepEqual([status, text], [404, detail('Not found.')])
      }
    })

    test('{error.bad-path} a path that is not percent-encoded UTF-8 returns 400', async () => {
      for (const path of ['/api/%ff/', '/api/queue/%', '/api/%c3%28/1/', '/api/%zz', '/%e0%a4%a']) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const { status, text, headers } = await site.ask(path, { method })
          assert.deepEqual([status, text], [400, detail('The path is not valid percent-encoded UTF-8.')])
          assert.equal(headers.allow, undefined)
        }
      }
    })

    test('{error.method} a method that is not in Allow returns 405', async () => {
      for (const [method, path, allow] of [
        ['POST', '/api/', 'GET, HEAD, OPTIONS'],
        ['DELETE', '/api/', 'GET, HEAD, OPTIONS'],
        ['PUT', '/api/queue/', LIST],
        ['PATCH', '/api/queue/', LIST],
        ['TRACE', '/api/queue/', LIST],
        ['POST', '/api/queue/1/', RECORD],
        ['POST', '/api/queue/999999/', RECORD],
        ['PROPFIND', '/api/queue/1/', RECORD],
        ['POST', '/healthz', 'GET, HEAD'],
      ] as const) {
        const { status, text, headers } = await site.ask(path, { method })
        assert.deepEqual([status, text], [405, detail(`Method "${method}" not allowed.`)])
        assert.equal(headers.allow, allow)
      }
    })

    test('{error.unknown-method} an unknown method returns 405 like any other', async () => {
      for (const method of ['FOO', 'get', 'X-READ']) {
        const { status, headers, text } = await sendRaw(site, `${method} /api/queue/?x HTTP/1.1\r\n${HOST}\r\n`)
        assert.deepEqual([status, text], [405, detail(`Method "${method}" not allowed.`)])
        assert.deepEqual([headers['allow'], headers['vary']], [LIST, 'Accept'])
        assert.equal(headers['content-type'], 'application/json')
      }
      assert.equal((await sendRaw(site, `FOO /api/nothing/ HTTP/1.1\r\n${HOST}\r\n`)).status, 404)
      const { status, headers } = await sendRaw(site, `FOO /api/queue?x HTTP/1.1\r\n${HOST}\r\n`)
      assert.deepEqual([status, headers['location']], [308, '/api/queue/?x'])
    })

    test('{error.order} address, slash, format and Accept, method, credentials, record: the first fault is reported', async () => {
      const faults = { accept: 'image/png', authorization: 'Token wrong' }
      const { accept, authorization } = faults
      for (const [request, headers, status] of [
        ['PUT /api/nothing/?format=xml', faults, 404],
        ['GET /api/nothing/', { accept }, 404],
        ['PUT /api/queue?format=xml', faults, 308],
        ['PUT /api/queue/?format=xml', faults, 404],
        ['PUT /api/queue/', faults, 406],
        ['PUT /api/queue/', { authorization }, 405],
        ['POST /api/queue/999999/', { authorization }, 405],
        ['GET /api/queue/999999/', { authorization }, 401],
        ['GET /api/queue/?page=0', { authorization }, 401],
        ['OPTIONS /api/queue/999999/', { authorization }, 401],
        ['PUT /api/queue/999999/', {}, 401],
        ['PUT /api/queue/x/', {}, 401],
        ['GET /api/queue/999999/', {}, 404],
      ] as const) {
        const [method, path] = request.split(' ') as [string, string]
        assert.equal((await site.ask(path, { method, headers })).status, status, request)
      }
    })

    test('{auth.wrong} wrong credentials return 401 for reads, too', async () => {
      const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
      for (const [authorization, message] of [
        ['Token wrong', 'Invalid token.'],
        ['Bearer wrong', 'Invalid token.'],
        [basic('nobody:at all'), 'Invalid username/password.'],
      ] as const) {
        for (const path of ['/api/', '/api/queue/', '/api/queue/1/', '/api/queue/999999/']) {
          const { status, text, headers } = await site.ask(path, { headers: { authorization } })
          assert.deepEqual([status, text], [401, detail(message)])
          assert.equal(headers['www-authenticate'], 'Basic realm="api"')
          assert.equal(headers.etag, undefined)
        }
      }
      const { text } = await site.ask('/api/queue/')
      assert.equal((await site.ask('/api/queue/', { as: 'gus' })).text, text)
    })

    test('{error.bug} a bug returns 500 without details', async () => {
      broken = true
      // Nobody has sent these requests before.
      const json = await site.ask('/api/queue/?page_size=3', { headers: { 'x-request-id': 'the-one' } })
      const record = await site.ask('/api/queue/3/')
      const page = await site.ask('/api/queue/', { headers: { accept: 'text/html' } })
      const document = await site.ask('/api/schema/')
      broken = false
      for (const { status, text } of [json, record, document]) {
        assert.deepEqual([status, text], [500, detail('A server error occurred.')])
      }
      assert.deepEqual([json.headers['x-request-id'], json.headers.allow], ['the-one', LIST])
      assert.deepEqual([json.headers.vary, json.headers.etag], ['Accept', undefined])
      assert.equal(page.status, 500)
      assert.match(page.text, /A server error occurred\./)
      assert.doesNotMatch(page.text, /secret/)
      // Afterwards nothing remembers it.
      for (const path of ['/api/queue/', '/api/schema/']) assert.equal((await site.ask(path)).status, 200)
    })

    /** What never becomes a request: the error is JSON as well, whatever the address. */
    async function refuses(bytes: string, status: number, message: string): Promise<void> {
      const reply = await sendRaw(site, bytes)
      assert.deepEqual([reply.status, reply.text], [status, detail(message)], bytes.slice(0, 200))
      const { headers } = reply
      assert.match(headers['x-request-id']!, /^[A-Za-z0-9_-]+$/)
      const { date, connection, 'x-request-id': _, ...rest } = headers
      assert.deepEqual(rest, {
        'content-type': 'application/json',
        vary: 'Accept',
        'x-content-type-options': 'nosniff',
        'content-length': String(reply.text.length),
      })
      assert.equal(connection, 'close')
    }

    test('{refuse.no-host} {refuse.headers} HTTP/1.1 without Host returns 400', async () => {
      await refuses(`GET /api/ HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'The Host header is missing.')
      await refuses(
        `GET /api/nothing HTTP/1.1\r\nAccept: text/html\r\n${CLOSE}\r\n`,
        400,
        'The Host header is missing.',
      )
    })

    test('{refuse.bad-host} {refuse.headers} an invalid Host, or more than one, returns 400', async () => {
      const hosts = [
        '',
        'a b',
        'nymdex.example/x',
        'nymdex.example:port',
        'nymdex.example:65536',
        'user@nymdex.example',
      ]
      for (const host of [...hosts, '[::1', '[nymdex]', '"', '<script>', 'a,b', 'a:1:2', 'é.example']) {
        await refuses(`GET /api/ HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}\r\n`, 400, 'The Host header is not valid.')
      }
      await refuses(`GET /api/ HTTP/1.1\r\n${HOST}${HOST}${CLOSE}\r\n`, 400, 'The Host header is not valid.')
      await refuses(`GET /api/ HTTP/1.1\r\n${HOST}Host: other\r\n${CLOSE}\r\n`, 400, 'The Host header is not valid.')
    })

    test('{refuse.not-http} {refuse.headers} what is not HTTP returns 400', async () => {
      for (const bytes of [
        'hello\r\n\r\n',
        `GET /api/ HTTP/9.9\r\n${HOST}\r\n`,
        `GET  HTTP/1.1\r\n${HOST}\r\n`,
        `GET /api/ HTTP/1.1\r\n${HOST}no colon\r\n\r\n`,
        `GET /api/ HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`,
        `GET /api/?x=é HTTP/1.1\r\n${HOST}\r\n`,
        `POST /api/queue/ HTTP/1.1\r\n${HOST}Content-Length: x\r\n\r\n`,
        `POST /api/queue/ HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      ]) {
        await refuses(bytes, 400, 'This is not a valid HTTP request.')
      }
    })

    test('{refuse.expect} {refuse.headers} an Expect that cannot be met returns 417', async () => {
      const request = `POST /api/queue/ HTTP/1.1\r\n${HOST}Expect: wonders\r\nContent-Length: 2\r\n\r\n{}`
      await refuses(request, 417, 'The Expect header cannot be satisfied.')
    })

    test('{limit.header-bytes} {limit.header-lines} {refuse.headers} headers that are too large or too many return 431', async () => {
      const message = 'The request headers are too large, or too many.'
      const request = (lines: string) => `GET /api/queue/1/ HTTP/1.1\r\n${HOST}${CLOSE}${lines}\r\n`
      const many = (count: number) => Array.from({ length: count }, (_, i) => `x${i}: y\r\n`).join('')
      await refuses(request(`x: ${'y'.repeat(17 * 1024)}\r\n`), 431, message)
      await refuses(`GET /api/?${'x'.repeat(17 * 1024)} HTTP/1.1\r\n${HOST}\r\n`, 431, message)
      await refuses(request(many(199)), 431, message)
      assert.equal((await sendRaw(site, request(many(198)))).status, 200)
      assert.equal((await sendRaw(site, request(`x: ${'y'.repeat(15 * 1024)}\r\n`))).status, 200)
    })

    test('{refuse.http10} HTTP/1.0 may omit Host; links name the address that was reached', async () => {
      const { status, text } = await sendRaw(site, 'GET /api/ HTTP/1.0\r\n\r\n')
      assert.equal(status, 200)
      assert.equal(text, (await site.ask('/api/')).text)
      const named = await sendRaw(site, `GET /api/ HTTP/1.0\r\n${HOST}\r\n`)
      assert.equal(JSON.parse(named.text).queue, 'http://nymdex.example/api/queue/')
    })

    test('{refuse.connect} CONNECT returns 405, without an address', async () => {
      const { status, text, headers } = await sendRaw(site, `CONNECT other.example:443 HTTP/1.1\r\n${HOST}\r\n`)
      assert.deepEqual([status, text], [405, detail('Method "CONNECT" not allowed.')])
      assert.equal(headers['allow'], undefined)
    })

    /** A body is read when the write begins; if it breaks off, the write fails at once. */
    async function startWrite(): Promise<string> {
      const { engine } = site
      const gus = await engine.store.write(() => accountNamed(engine, 'gus'))
      const { key } = await new AccountDesk(engine).createToken(gus, 'raw')
      const credentials = `Authorization: Token ${key}\r\nContent-Type: application/json\r\n`
      return `POST /api/queue/ HTTP/1.1\r\n${HOST}${credentials}Transfer-Encoding: chunked\r\n\r\n`
    }

    for (const [marks, chunk, status, message] of [
      ['{refuse.chunks}', `1;${'x'.repeat(17 * 1024)}\r\n{\r\n`, 413, 'The chunk extensions are too large.'],
      ['{refuse.not-http}', '1\r\n{\r\nno number\r\n', 400, 'This is not a valid HTTP request.'],
    ] as const) {
      test(`${marks} a body with an invalid chunk returns ${status}`, { timeout: 5000 }, async ({ signal }) => {
        const { headers, ...reply } = await sendRaw(site, (await startWrite()) + chunk, signal)
        assert.deepEqual(reply, { status, text: detail(message) })
        assert.deepEqual([headers['content-type'], headers['vary']], ['application/json', 'Accept'])
        assert.match(headers['x-request-id']!, /^[A-Za-z0-9_-]+$/)
      })
    }
  },
)
