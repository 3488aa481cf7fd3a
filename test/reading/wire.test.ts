/** Connections: pipelined requests, delayed bodies, whole URLs in the request line. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { AccountDesk, accountNamed } from '../../src/engine/index.ts'
import { onEachEngine, type Site } from '../support/site.ts'

const HOST = 'Host: nymdex.example\r\n'

/** A connection on which bytes are sent unchanged. */
class Wire {
  readonly #socket: Socket
  #heard = ''

  constructor(site: Site) {
    this.#socket = connect(site.port, '127.0.0.1').setEncoding('utf8')
    this.#socket.on('data', (text) => (this.#heard += text))
  }

  send(bytes: string): this {
    this.#socket.write(bytes)
    return this
  }

  /** Everything received, once it contains some text. */
  async hears(wanted: RegExp): Promise<string> {
    while (!wanted.test(this.#heard)) await once(this.#socket, 'data')
    return this.#heard
  }

  async ended(): Promise<string> {
    if (!this.#socket.closed) await once(this.#socket, 'close')
    return this.#heard
  }
}

const statuses = (heard: string) => Array.from(heard.matchAll(/HTTP\/1\.1 ([0-9]{3})/g), ([, status]) => Number(status))

onEachEngine('On the wire', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let credentials: string
  before(async () => {
    const { engine } = site
    const gus = await engine.store.write(() => accountNamed(engine, 'gus'))
    const { key } = await new AccountDesk(engine).createToken(gus, 'raw')
    credentials = `Authorization: Token ${key}\r\n`
  })

  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`
  const post = (body: string, more = credentials, length = body.length) =>
    `POST /api/queue/ HTTP/1.1\r\n${HOST}${more}Content-Type: application/json\r\nContent-Length: ${length}\r\n`

  test('{http.pipelined} a request after a write is carried out after it, and a write after the requests before it', async () => {
    for (const round of [1, 2, 3]) {
      const name = (i: number) => JSON.stringify({ name: `sent ahead ${round}.${i}` })
      const count = get('/api/queue/?page_size=1')
      const last = get('/api/queue/?page_size=1', 'Connection: close\r\n')
      const { count: start } = (await site.ask('/api/queue/')).json
      const write = (i: number) => `${post(name(i))}\r\n${name(i)}`
      const heard = await new Wire(site).send([count, write(1), count, count, write(2), last].join('')).ended()
      assert.deepEqual(statuses(heard), [200, 201, 200, 200, 201, 200])
      const counts = Array.from(heard.matchAll(/"count":([0-9]+)/g), ([, each]) => Number(each) - start)
      assert.deepEqual(counts, [0, 1, 1, 2])
    }
  })

  test('{http.pipelined} pipelined reads are answered in order', async () => {
    const paths = ['/api/queue/1/', '/api/', '/api/queue/2/', '/api/nothing/', '/healthz']
    const wire = new Wire(site).send(paths.map((path) => get(path)).join('') + get('/api/', 'Connection: close\r\n'))
    assert.deepEqual(statuses(await wire.ended()), [200, 200, 200, 404, 200, 200])
  })

  test('{http.continue} the server asks for a body that the client holds back', async () => {
    const body = JSON.stringify({ name: 'held back' })
    const wire = new Wire(site).send(`${post(body)}Expect: 100-continue\r\nConnection: close\r\n\r\n`)
    assert.equal(await wire.hears(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n')
    assert.deepEqual(statuses(await wire.send(body).ended()), [100, 201])
  })

  test('{http.continue} a request that its headers rule out is refused without asking for the body', async () => {
    for (const [request, status] of [
      [post('', '', 20), 401],
      [post('', 'Authorization: Token wrong\r\n', 20), 401],
      [post('', credentials, 2 ** 20 + 1), 413],
      [post('', credentials, 20).replace('POST', 'PUT'), 405],
      [post('', credentials, 20).replace('/queue/', '/nothing/'), 404],
    ] as const) {
      const heard = await new Wire(site).send(`${request}Expect: 100-continue\r\n\r\n`).ended()
      assert.deepEqual(statuses(heard), [status])
      assert.match(heard, /\r\nConnection: close\r\n/)
    }
  })

  test('{link.target} the host of a whole address in the request line counts, not the Host header', async () => {
    const ask = async (target: string, host = HOST, version = '1.1') => {
      const wire = new Wire(site).send(`GET ${target} HTTP/${version}\r\n${host}Connection: close\r\n\r\n`)
      const [head = '', text = '{}'] = (await wire.ended()).split('\r\n\r\n')
      return { status: statuses(head)[0], json: JSON.parse(text) }
    }
    for (const target of ['http://words.example:81/api/', 'HTTP://words.example:81/api/?x']) {
      assert.equal((await ask(target)).json.queue, 'http://words.example:81/api/queue/')
      assert.equal((await ask(target.replace('/api/', '/api/queue/'))).json.previous, null)
    }
    assert.equal((await ask('/api/')).json.queue, 'http://nymdex.example/api/queue/')
    assert.equal((await ask('http://[::1]:81/api/')).json.queue, 'http://[::1]:81/api/queue/')
    const wrong = 'The host of the request line is not valid.'
    for (const target of ['http:///api/', 'http://a:99999/api/', 'http://u@words.example/api/', 'http://a,b/api/']) {
      assert.deepEqual(await ask(target), { status: 400, json: { detail: wrong } }, target)
    }
    const detail = 'The Host header is missing.'
    assert.deepEqual(await ask('http://words.example/api/', ''), { status: 400, json: { detail } })
    const invalid = { status: 400, json: { detail: 'The Host header is not valid.' } }
    assert.deepEqual(await ask('http://words.example/api/', 'Host: a b\r\n'), invalid)
  })
})
