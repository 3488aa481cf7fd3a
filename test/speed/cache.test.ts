/** The cache itself: neither its values nor their memory take more bytes than allowed, and a stamp decides whether a value still holds. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ALWAYS, CacheMemory, GenerationStamp } from '../../src/cache/index.ts'
import { PrometheusMetrics } from '../../src/http/metrics/site-metrics.ts'
import { ENGINES } from '../support/databases.ts'
import { metricsIn, metricValue } from '../support/metrics.ts'
import { Site } from '../support/site.ts'

const MANY = 10_000

test('values take no more bytes than the limit, and recently used ones stay', () => {
  const bytes = 2 ** 20
  const size = 1000
  const memory = new CacheMemory(bytes)
  const caches = [memory.cache<number, string, undefined>(), memory.cache<number, string, undefined>()]
  const found = () => caches.flatMap((cache) => Array.from({ length: MANY }, (_, i) => i).filter((i) => cache.peek(i)))
  for (let i = 0; i < MANY; i++) {
    caches[i % 2]!.set(i, `value ${i}`, ALWAYS, size)
    assert.equal(caches[0]!.get(0, undefined), 'value 0')
  }
  const left = found()
  assert.ok(left.length * size <= bytes, `${left.length} values are left`)
  // At least half of the memory is used.
  assert.ok(left.length * size > bytes / 4, `${left.length} values are left`)
  assert.ok(left.includes(0) && left.includes(MANY - 1) && !left.includes(1))
})

test('a value that would evict most others is not cached, and replaces the previous one', () => {
  const cache = new CacheMemory(2 ** 24).cache<string, string, undefined>()
  cache.set('small', 'small', ALWAYS, 10)
  cache.set('page', 'small', ALWAYS, 10)
  cache.set('page', 'large', ALWAYS, 2 ** 23)
  assert.equal(cache.get('page', undefined), undefined)
  assert.equal(cache.get('small', undefined), 'small')
})

test('a value holds until a resource it depends on is written to, in any order of moments', () => {
  const at = (numbers: Record<string, number>) =>
    new Map(Object.entries(numbers).map(([name, number]) => [name, { number }]))
  const cache = new CacheMemory(1000).cache<string, string, ReturnType<typeof at>>()
  cache.set('page', 'value', new GenerationStamp(['pebble', 'shell'], at({ pebble: 2 })), 10)
  assert.equal(cache.get('page', at({ pebble: 2 })), 'value')
  assert.equal(cache.get('page', at({ pebble: 2, feather: 9 })), 'value')
  assert.equal(cache.get('page', at({ pebble: 2, shell: 1 })), undefined)
  assert.equal(cache.get('page', at({ pebble: 3 })), undefined)
  // A reader of an older snapshot neither gets the value nor spoils it for others.
  assert.equal(cache.get('page', at({ pebble: 1 })), undefined)
  assert.equal(cache.get('page', at({ pebble: 2 })), 'value')
})

describe('Cached pages (SQLite)', () => {
  const site = new Site('SQLite')
  before(() => site.start())
  after(() => site.stop())

  /** What buffers take after a collection of garbage, with everything that shares their memory. */
  function takenByBuffers(): number {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    collect()
    return process.memoryUsage().arrayBuffers
  }

  test('they take little more memory than their bytes, and those of their parts', async () => {
    await site.ask('/api/polynym/?page_size=100')
    const before = takenByBuffers()
    let bytes = 0
    for (let size = 60; size <= 100; size++) bytes += (await site.ask(`/api/polynym/?page_size=${size}`)).text.length
    const taken = takenByBuffers() - before
    assert.ok(taken < 1.5 * bytes, `${bytes} bytes of pages take ${taken}`)
  })
})

for (const engine of ENGINES) {
  describe(`Pages that are made ahead (${engine})`, () => {
    const metrics = new PrometheusMetrics('test')
    const cache = { answers: 2 ** 24, records: 2 ** 24, check: false }
    const site = new Site(engine, { metrics, settings: { cache } })
    before(() => site.start())
    after(() => site.stop())

    test('a page that is read between writes is made after each of them; one that is no longer read is not', async () => {
      const path = '/api/polynym/?page_size=5'
      const { polynym_id: id, user } = (await site.ask(path)).json.results[2]
      let number = 0
      const write = async () => {
        const { status } = await site.ask(`/api/polynym/${id}/`, {
          method: 'PATCH',
          as: user,
          json: { area: `area ${++number}` },
        })
        assert.equal(status, 200)
      }
      const read = async () => {
        const { headers, json } = await site.ask(path)
        assert.equal(json.results[2].area, `area ${number}`)
        return headers['etag']
      }
      const madeAhead = async () => {
        const family = metricsIn(await metrics.asText()).get('nymdex_cache_made_ahead_total')
        return [metricValue(family, { result: 'read' }), metricValue(family, { result: 'unread' })]
      }
      await write()
      await read()
      assert.deepEqual(await madeAhead(), [0, 0], 'the reader has waited for it')
      await write()
      const etag = await read()
      assert.equal(await read(), etag)
      assert.deepEqual(await madeAhead(), [1, 0])
      for (let i = 0; i < 3; i++) await write()
      assert.deepEqual(await madeAhead(), [1, 1], 'only after the first of them')
      await read()
      assert.deepEqual(await madeAhead(), [1, 1])
    })
  })
}
