/** A slow query affects only its own request: others are answered meanwhile, and all its parts share one limit. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import SQLite from 'better-sqlite3'
import { sqliteDialect } from '../../src/store/dialect.ts'
import { type SlowQuery, TooSlow, type Work } from '../../src/store/index.ts'
import { statement } from '../support/servers.ts'
import { onEachEngine } from '../support/site.ts'

const SOON = { timeout: 30_000 }

/** A query that runs until it is stopped. PostgreSQL sleeps, so that its processes leave the processor to other requests. */
const ENDLESS = {
  SQLite:
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i > 0 AND in_time()) SELECT count(*) AS c FROM n',
  PostgreSQL: 'SELECT pg_sleep(600)',
}

function* endless(sql: string): Work<readonly object[]> {
  return yield { sql, parameters: [] }
}

test('the time of a statement on SQLite is checked for one record in 64, whichever ids it reads', async () => {
  const file = new SQLite(':memory:')
  const isChecked = `NOT ${sqliteDialect.inTime('i').replace('in_time()', 'FALSE')}`
  for (const step of [1, 2, 3, 64, 1000]) {
    const ids = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + ${step} FROM n LIMIT 64000)`
    const checks = Number(file.prepare(`${ids} SELECT count(*) FROM n WHERE ${isChecked}`).pluck().get())
    assert.ok(checks > 500 && checks < 2000, `${checks} of 64,000 ids, every ${step}`)
  }
  file.close()
})

onEachEngine('No reading threads', { database: { threads: 0, quickMs: 0 }, querySeconds: 1 }, (site) => {
  test('every list is read on the main thread', async () => {
    for (const query of ['', '?mode=part', '?search=water']) {
      const { status, json } = await site.ask(`/api/polynym/${query}`)
      assert.ok(status === 200 && json.count > 0, query)
    }
    assert.deepEqual(site.bugs, [])
  })
})

const logged: SlowQuery[] = []
const watch = { slowMs: 0, slow: (query: SlowQuery) => void logged.push(query) }

// On SQLite, the main thread gives up whatever has not ended at the first look at the clock.
onEachEngine('Slow queries', { querySeconds: 5, database: { watch, quickMs: 0.001 } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const slow = () => site.engine.store.readAt(() => endless(ENDLESS[site.database]), 5)

  test('{overload.slow} other requests are answered while one runs, writes too', SOON, async () => {
    let isOver = false
    const running = Array.from({ length: 6 }, () =>
      slow().finally(() => {
        isOver = true
      }),
    )
    const settled = Promise.allSettled(running)
    assert.equal((await site.ask('/api/polynym/?page=1')).status, 200)
    assert.equal((await site.ask('/api/queue/', { method: 'POST', as: 'ada', json: { name: 'n1' } })).status, 201)
    assert.equal((await site.ask('/api/polynym/?mode=part&page_size=1')).status, 200)
    assert.equal(isOver, false)
    for (const each of await settled) assert.ok(each.status === 'rejected' && each.reason instanceof TooSlow)
  })

  test('the log of slow queries has their texts, times, rows and requests, and no values', SOON, async () => {
    assert.ok(logged.some(({ sql, ms, rows }) => sql === ENDLESS[site.database] && ms > 100 && rows === undefined))
    logged.length = 0
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` }
    const found = await site.ask('/api/polynym/?search=flowing&area=hidden+value', { headers })
    const made = await site.ask('/api/queue/', { method: 'POST', as: 'ada', json: { name: 'another hidden value' } })
    assert.deepEqual([found.status, made.status], [200, 201])
    const of = (reply: typeof found) => logged.filter(({ id }) => id === reply.headers['x-request-id'])
    const searched = of(found).find(({ sql }) => sql.includes('polynym_words'))
    assert.equal(searched?.trace, trace)
    assert.match(searched?.sql ?? '', site.database === 'SQLite' ? /= \?| \?\)/ : /\$\d/)
    assert.ok((searched?.ms ?? -1) >= 0 && (searched?.rows ?? -1) >= 0)
    assert.ok(of(made).some(({ sql }) => sql.startsWith('INSERT INTO "queue"')))
    for (const { sql } of logged) assert.ok(!/hidden value|flowing/.test(sql), sql)
  })

  test('a read of a term that many records have in a slot leaves the main thread', SOON, async () => {
    const body = { name: 'overcrowded', mode: 'part', p1: 'crowded', p2: 'empty' }
    const { polynym_id: id } = (await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json: body })).json
    const records = `WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i`
    await site.engine.store.write(() =>
      statement(`INSERT INTO polynym_terms (record, member, term) ${records}, 'p1', 'crowded' FROM n`),
    )
    logged.length = 0
    const { status, json } = await site.ask(`/api/polynym/${id}/nested/`)
    assert.equal(status, 200)
    assert.deepEqual(json.nested[0], { slot: 'p1', term: 'crowded', records: [] })
    const read = logged.filter(({ sql }) => sql.includes('polynym_terms')).map(({ rows }) => rows)
    assert.deepEqual(read, site.database === 'SQLite' ? [undefined, 0] : [0])
  })

  test('a search finds the forms of its word in the index alone', SOON, async () => {
    logged.length = 0
    assert.ok((await site.ask('/api/polynym/?search=walking')).json.count > 0)
    const searches = logged.filter(({ sql }) => sql.includes('polynym_words'))
    assert.ok(searches.length > 0)
    // PostgreSQL has an index of whole records.
    for (const { sql } of site.database === 'SQLite' ? searches : []) {
      const explained = `EXPLAIN QUERY PLAN ${sql.replaceAll('?', "'1'")}`
      const plan = await site.engine.store.read(() => statement(explained))
      assert.ok(!plan.some(({ detail }) => detail === 'MULTI-INDEX OR'), sql)
    }
  })

  test('afterwards the connections can be used for other queries', SOON, async () => {
    const { status, json } = await site.ask('/api/polynym/?search=water')
    assert.equal(status, 200)
    assert.ok(json.count > 0)
  })
})
