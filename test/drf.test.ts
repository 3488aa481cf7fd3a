/**
 * Responses recorded from Django REST framework, on our resources: what its clients rely on when they read. Where
 * Nymdex differs on purpose, docs/api.md says so, and the case has our response.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { polynym } from '../src/catalogue/polynym.ts'
import { accountNamed, insertRecord } from '../src/engine/index.ts'
import { onEachEngine, type Site } from './support/site.ts'

const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'eps']
const SORTED = ['alpha', 'beta', 'delta', 'eps', 'gamma']
const LIST = 'GET, POST, HEAD, OPTIONS'
const RECORD = 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'

const record = (name: string) => ({
  name,
  user: 'gus',
  mode: 'part',
  depth: 2,
  p1: `t${NAMES.indexOf(name)}`,
  p2: 'u',
  polynym_id: NAMES.indexOf(name) + 1,
})

interface PageCase {
  readonly query: string
  readonly next: string | null
  readonly previous: string | null
  readonly names: readonly string[]
}

const PAGES: readonly PageCase[] = [
  { query: '', next: '?page=2', previous: null, names: ['alpha', 'beta'] },
  { query: '?page=2', next: '?page=3', previous: '?page=1', names: ['delta', 'eps'] },
  { query: '?page=3', next: null, previous: '?page=2', names: ['gamma'] },
  { query: '?page=', next: '?page=2', previous: null, names: ['alpha', 'beta'] },
  { query: '?page=last', next: null, previous: '?page=2', names: ['gamma'] },
  { query: '?page=%202', next: '?page=3', previous: '?page=1', names: ['delta', 'eps'] },
  { query: '?page=2&page=3', next: null, previous: '?page=2', names: ['gamma'] },
  { query: '?page_size=3', next: '?page=2&page_size=3', previous: null, names: SORTED.slice(0, 3) },
  { query: '?page_size=0', next: '?page=2&page_size=0', previous: null, names: ['alpha', 'beta'] },
  { query: '?page_size=-1', next: '?page=2&page_size=-1', previous: null, names: ['alpha', 'beta'] },
  { query: '?page_size=x', next: '?page=2&page_size=x', previous: null, names: ['alpha', 'beta'] },
  { query: '?page_size=99', next: null, previous: null, names: SORTED },
  { query: '?page=2&empty=', next: '?empty=&page=3', previous: '?empty=&page=1', names: ['delta', 'eps'] },
  { query: '?page_size=1&t=1&t=2', next: '?page=2&page_size=1&t=1&t=2', previous: null, names: ['alpha'] },
  { query: '?unknown=1', next: '?page=2&unknown=1', previous: null, names: ['alpha', 'beta'] },
  {
    query: '?z=a,b&y=%C3%A9&x=(1)',
    next: '?page=2&x=%281%29&y=%C3%A9&z=a%2Cb',
    previous: null,
    names: ['alpha', 'beta'],
  },
  { query: '?format=json', next: '?format=json&page=2', previous: null, names: ['alpha', 'beta'] },
  { query: '?format=', next: '?format=&page=2', previous: null, names: ['alpha', 'beta'] },
]

interface RefusedCase {
  readonly ask: string
  readonly headers?: Record<string, string>
  readonly status: number
  readonly allow: string
  readonly detail: string
}

const REFUSED: readonly RefusedCase[] = [
  ...['0', '4', 'abc', '-1', '1.5', '1e1', '99999999999999999999'].map((page) => ({
    ask: `GET /api/polynym/?page=${page}`,
    status: 404,
    allow: LIST,
    detail: 'Invalid page.',
  })),
  { ask: 'GET /api/polynym/?format=xml', status: 404, allow: LIST, detail: 'Not found.' },
  { ask: 'GET /api/polynym.xml', status: 404, allow: LIST, detail: 'Not found.' },
  { ask: 'GET /api/polynym/abc/', status: 404, allow: RECORD, detail: 'Not found.' },
  { ask: 'GET /api/polynym/99/', status: 404, allow: RECORD, detail: 'Not found.' },
  { ask: 'PUT /api/polynym/', status: 405, allow: LIST, detail: 'Method "PUT" not allowed.' },
  { ask: 'PATCH /api/polynym/', status: 405, allow: LIST, detail: 'Method "PATCH" not allowed.' },
  { ask: 'POST /api/polynym/2/', status: 405, allow: RECORD, detail: 'Method "POST" not allowed.' },
  { ask: 'POST /api/', status: 405, allow: 'GET, HEAD, OPTIONS', detail: 'Method "POST" not allowed.' },
  ...['application/xml', 'garbage', 'application/json;q=0'].map((accept) => ({
    ask: 'GET /api/polynym/',
    headers: { accept },
    status: 406,
    allow: LIST,
    detail: 'Could not satisfy the request Accept header.',
  })),
]

/** Accept -> what comes back. */
const NEGOTIATED: readonly (readonly [accept: string, type: string])[] = [
  ['application/json', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['', 'application/json'],
  ['text/html', 'text/html; charset=utf-8'],
  ['text/*', 'text/html; charset=utf-8'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
  ['text/html, */*', 'text/html; charset=utf-8'],
  ['application/json;q=0.1, text/html;q=0.9', 'text/html; charset=utf-8'],
  ['application/json;q=0.9, text/html;q=0.1', 'application/json'],
  ['application/json, text/html', 'application/json'],
  ['text/html;q=0, */*', 'application/json'],
]

onEachEngine("Django REST framework's answers", { sample: false, settings: { pageSize: 2 } }, (site) => {
  before(() => fill(site))

  for (const { query, next, previous, names } of PAGES) {
    test(`a list with "${query}"`, async () => {
      const { status, headers, text } = await site.ask(`/api/polynym/${query}`)
      const link = (to: string | null) => to && `${site.base}/api/polynym/${to}`
      const page = { count: 5, next: link(next), previous: link(previous), results: names.map(record) }
      assert.equal(text, JSON.stringify(page))
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers.vary, 'Accept')
      assert.equal(headers.allow, LIST)
    })
  }

  for (const { ask, headers: sent = {}, status, allow, detail } of REFUSED) {
    test(`${ask} ${sent['accept'] ?? ''} is refused with ${status}`, async () => {
      const [method, path] = ask.split(' ') as [string, string]
      const reply = await site.ask(path, { method, headers: sent })
      assert.equal(reply.text, JSON.stringify({ detail }))
      assert.equal(reply.status, status)
      assert.equal(reply.headers['content-type'], 'application/json')
      assert.equal(reply.headers.vary, 'Accept')
      assert.equal(reply.headers.allow, allow)
    })
  }

  for (const [accept, type] of NEGOTIATED) {
    test(`Accept: ${accept} gets ${type}`, async () => {
      const { status, headers } = await site.ask('/api/polynym/', { headers: { accept } })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], type)
    })
  }

  test('Accept with an indent gets that indent, up to eight', async () => {
    for (const [indent, spaces] of [
      ['4', 4],
      ['1', 1],
      ['8', 8],
      ['9', 8],
      ['0', 0],
      ['x', 0],
    ] as const) {
      const accept = `application/json; indent=${indent}`
      const { text, headers } = await site.ask('/api/polynym/1/', { headers: { accept } })
      assert.equal(text, JSON.stringify(record('alpha'), null, spaces))
      assert.equal(headers['content-type'], 'application/json')
    }
  })

  test('a format suffix is the format parameter', async () => {
    assert.equal((await site.ask('/api/polynym/1.json')).text, JSON.stringify(record('alpha')))
    const { json } = await site.ask('/api/polynym.json')
    assert.equal(json.next, `${site.base}/api/polynym.json?page=2`)
  })

  test('the root index passes the format on', async () => {
    const { json } = await site.ask('/api/?format=json')
    assert.equal(json.polynym, `${site.base}/api/polynym/?format=json`)
  })

  test('a missing slash is added: 301 for reading, 308 for writing, the query kept', async () => {
    const cases = [
      ['GET', '/api/polynym', 301, '/api/polynym/'],
      ['HEAD', '/api/polynym', 301, '/api/polynym/'],
      ['GET', '/api/polynym?page=2', 301, '/api/polynym/?page=2'],
      ['GET', '/api', 301, '/api/'],
      ['GET', '/api/polynym/1', 301, '/api/polynym/1/'],
      ['POST', '/api/polynym', 308, '/api/polynym/'],
    ] as const
    for (const [method, path, status, location] of cases) {
      const reply = await site.ask(path, { method })
      assert.deepEqual([reply.status, reply.headers.location], [status, location])
      assert.equal(reply.headers['content-type'], 'application/json')
      assert.equal(reply.headers.vary, 'Accept')
    }
  })

  test('OPTIONS names, describes, and lists what is rendered and parsed', async () => {
    for (const [path, name, allow] of [
      ['/api/polynym/', 'Polynym List', LIST],
      ['/api/polynym/1/', 'Polynym Instance', RECORD],
    ] as const) {
      const { json, headers } = await site.ask(path, { method: 'OPTIONS' })
      assert.deepEqual(json, {
        name,
        description: polynym.does,
        renders: ['application/json', 'text/html'],
        parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
      })
      assert.equal(headers.allow, allow)
    }
  })

  test('HEAD of a page that does not exist returns 404 without a body', async () => {
    const { status, text, headers } = await site.ask('/api/polynym/?page=99', { method: 'HEAD' })
    assert.equal(status, 404)
    assert.equal(text, '')
    assert.equal(headers.allow, LIST)
  })
})

async function fill({ engine }: Site): Promise<void> {
  await engine.store.write(function* () {
    const gus = yield* accountNamed(engine, 'gus')
    for (const name of NAMES) {
      const { mode, p1, p2 } = record(name)
      yield* insertRecord(engine, polynym, { name, mode, p1, p2 }, gus)
    }
  })
}
