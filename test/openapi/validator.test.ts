/** The validator itself: it catches responses that do not match the document. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Exchange, Validator } from '../support/openapi.ts'
import { Site } from '../support/site.ts'

const site = new Site('SQLite')
let validator: Validator
let good: Exchange
before(async () => {
  await site.start()
  validator = new Validator((await site.ask('/api/schema/')).json)
  const { status, headers, text } = await site.ask('/api/polynym/1/')
  const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [titled(name), value]))
  good = { method: 'GET', target: '/api/polynym/1/', status, headers: shown, body: Buffer.from(text) }
})
after(() => site.stop())

/** As the server writes them. */
function titled(name: string): string {
  const special: Record<string, string> = { etag: 'ETag' }
  return special[name] ?? name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

const faults = (changes: Partial<Exchange>) => validator.check({ ...good, ...changes }).faults
const withBody = (change: (record: any) => object) => {
  return faults({ body: Buffer.from(JSON.stringify(change(JSON.parse(good.body.toString())))) })
}

test('a correct response has no fault', () => {
  assert.deepEqual(validator.check(good), { operation: 'GET /api/polynym/{id}/', faults: [] })
})

test('an extra, missing or mistyped member is a fault', () => {
  assert.match(withBody((record) => ({ ...record, colour: 'red' }))[0]!, /unevaluated properties/)
  assert.match(withBody(({ depth: _, ...record }) => record)[0]!, /'depth'/)
  assert.match(withBody((record) => ({ ...record, depth: '2' }))[0]!, /depth must be integer/)
  assert.match(withBody((record) => ({ ...record, src: null }))[0]!, /src must be string/)
})

test('an unlisted status, header or type is a fault, and so is a missing header', () => {
  assert.match(faults({ status: 418 })[0]!, /418 is not listed/)
  assert.match(faults({ headers: { ...good.headers, 'X-Powered-By': 'us' } })[0]!, /x-powered-by is not listed/)
  assert.match(faults({ headers: { ...good.headers, 'Content-Type': 'text/csv' } })[0]!, /"text\/csv" is not listed/)
  const { Vary: _, ...headers } = good.headers
  assert.deepEqual(faults({ headers }), ['the header Vary is missing'])
  assert.match(faults({ headers: { ...good.headers, Allow: 'GET' } })[0]!, /Allow says GET/)
  assert.match(faults({ headers: { ...good.headers, ETag: 'x' } })[0]!, /the header ETag does not fit/)
})

test('an unlisted method is a fault, and so is an address without its slash that is not redirected', () => {
  assert.match(faults({ method: 'POST' })[0]!, /not listed/)
  assert.match(faults({ target: '/api/polynym/1' })[0]!, /in place of 301/)
})
