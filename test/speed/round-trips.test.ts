/** What requests cost on PostgreSQL: a fixed number of round trips, however much is written and by how many clients. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { ENGINES } from '../support/databases.ts'
import { Gate } from '../support/gate.ts'
import { Site } from '../support/site.ts'
import { TripCounter } from '../support/trips.ts'

/** BEGIN with the lock is one; the others are what the write itself needs, with COMMIT. */
const MOST = 1 + 4
const MEMBERS = 50
const CLIENTS = 30

describe('Round trips (PostgreSQL)', { skip: !ENGINES.includes('PostgreSQL') && 'it needs PostgreSQL' }, () => {
  const counter = new TripCounter()
  const gate = new Gate()
  let direct = ''
  const through = (url: string) => {
    direct = url
    return counter.between(url)
  }
  const site = new Site('PostgreSQL', { through, watch: gate.watch })
  let number = 0
  const polynym = () => ({ name: `Trip ${++number}`, area: 'travel', mode: 'part', p1: 'a', p2: 'b' })
  const send = async (method: string, path: string, json: unknown, as = 'gus') => {
    const reply = await site.ask(path, { method, json, as })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const make = () => send('POST', '/api/polynym/', polynym())
  const ids = async (count: number): Promise<number[]> => {
    const { json } = await site.ask(`/api/polynym/?page_size=${count}&ordering=id`)
    return json.results.map((each: { polynym_id: number }) => each.polynym_id)
  }
  const set = async (count: number) =>
    send('POST', '/api/polyset/', { name: `Set ${++number}`, polynyms: await ids(count) })

  before(() => site.start())
  after(async () => {
    await site.stop()
    counter.close()
    assert.deepEqual(site.bugs, [])
  })

  /** The round trips of the second of two equal writes: the first makes the server read what it caches. */
  async function tripsOf(write: () => Promise<unknown>): Promise<number> {
    await write()
    const { transactions, trips } = await counter.during(write)
    assert.equal(transactions, 1)
    assert.ok(trips <= MOST, `${trips} round trips`)
    return trips
  }

  test('each write takes a few', async () => {
    await tripsOf(make)
    const { polynym_id: id } = await make()
    await tripsOf(() => send('PATCH', `/api/polynym/${id}/`, { area: `Area ${++number}` }))
    await tripsOf(() => send('PATCH', `/api/polynym/${id}/`, { name: `Name ${++number}` }))
    const made = [(await make()).polynym_id, (await make()).polynym_id]
    const likes = [...made]
    await tripsOf(() => send('POST', `/api/polynym/${likes.pop()}/vote/`, {}))
    await tripsOf(() => send('DELETE', `/api/polynym/${made.pop()}/`, undefined))
  })

  test('a record that is not cached takes one, with the question which moment it shows; a page one more for its owners', async () => {
    const path = `/api/polynym/${(await make()).polynym_id}/`
    assert.equal(await counter.ofReading(() => site.ask(path)), 1)
    assert.equal(await counter.ofReading(() => site.ask(path)), 0)
    await site.ask('/api/polynym/?page_size=3')
    assert.equal(await counter.ofReading(() => site.ask('/api/polynym/?page_size=3&page=2')), 2)
  })

  test('a set of fifty takes as many as a set of two', async () => {
    const created = await tripsOf(() => set(2))
    assert.equal(await tripsOf(() => set(MEMBERS)), created)
    const changed: number[] = []
    for (const count of [2, MEMBERS]) {
      const { polyset_id: id } = await set(count)
      const members = await ids(count)
      changed.push(
        await tripsOf(() => {
          members.reverse()
          return send('PATCH', `/api/polyset/${id}/`, { polynyms: [...members] })
        }),
      )
    }
    assert.equal(changed[0], changed[1])
  })

  test('clients that create at the same time share them', async () => {
    const alone = await tripsOf(make)
    gate.openAt(CLIENTS)
    const together = await counter.during(() => Promise.all(Array.from({ length: CLIENTS }, make)))
    assert.deepEqual(together, { transactions: 1, trips: alone })
  })

  test('of clients that create together, one whose record exists is told so, also again with the same key', async () => {
    const taken = polynym()
    await send('POST', '/api/polynym/', taken)
    const withKey = (json: object, key: string) =>
      site.ask('/api/polynym/', { method: 'POST', json, as: 'gus', headers: { 'idempotency-key': key } })
    const repeat = () => withKey(taken, 'taken')
    gate.openAt(CLIENTS)
    // All with keys, so that their records are inserted with one statement.
    const others = Array.from({ length: CLIENTS - 1 }, (_, i) => withKey(polynym(), `new-${i}`))
    const [repeated] = await Promise.all([repeat(), ...others])
    for (const { status, json } of [repeated, await repeat()]) {
      assert.equal(status, 400)
      assert.match(String(json.non_field_errors), /unique set/)
    }
  })

  test('a writer waits while another connection has locked the row that all writers lock', async () => {
    const other = new pg.Client({ connectionString: direct })
    await other.connect()
    try {
      await other.query('BEGIN; SELECT number FROM migration ORDER BY number LIMIT 1 FOR UPDATE')
      let isDone = false
      const made = make().finally(() => {
        isDone = true
      })
      for (let waiting = 0; waiting === 0; ) {
        const { rows } = await other.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        waiting = rows.length
      }
      assert.equal(isDone, false)
      await other.query('COMMIT')
      assert.ok((await made).polynym_id > 0)
    } finally {
      await other.end()
    }
  })
})
