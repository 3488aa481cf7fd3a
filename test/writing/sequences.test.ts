/** Ids of new records on PostgreSQL, where a person can set the sequence of a table, and another process can hold the lock. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { ADVISORY_LOCK, ROW_LOCK } from '../../src/store/postgres-lock.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { Served } from '../support/servers.ts'

/** Longer than the second for which writers are careful after a record existed already. */
const HELD_SECONDS = 1.2

describe('Ids (PostgreSQL)', { skip: !ENGINES.includes('PostgreSQL') && 'it needs PostgreSQL' }, () => {
  let fresh: FreshDatabase
  let server: Served
  let admin: pg.Client
  let number = 0
  const create = (name: string) => server.ask('/api/queue/', { method: 'POST', json: { name }, as: 'staff-gus' })
  const make = async (): Promise<number> => {
    const { status, json, text } = await create(`made ${++number}`)
    assert.equal(status, 201, text)
    return json.queue_id
  }

  before(async () => {
    fresh = await freshDatabase('PostgreSQL', { sample: true })
    server = await Served.on(fresh.url, { keeps: 'everything' })
    admin = new pg.Client({ connectionString: fresh.url })
    await admin.connect()
  })
  after(async () => {
    await admin.end()
    await server.stop()
    await fresh.drop()
    assert.deepEqual(server.bugs, [])
  })

  test('they go on from where a person has set the sequence, and deleted ones are not given again', async () => {
    const [first, second, third] = [await make(), await make(), await make()]
    assert.deepEqual([second, third], [first + 1, first + 2])
    for (const id of [first, second]) {
      const { status } = await server.ask(`/api/queue/${id}/`, { method: 'DELETE', as: 'staff-gus' })
      assert.equal(status, 204)
    }
    assert.equal(await make(), first + 3)
    await admin.query("SELECT setval('queue_id_seq', (SELECT max(id) + 1 FROM queue), false)")
    assert.deepEqual([await make(), await make()], [first + 4, first + 5])
    await admin.query('ALTER TABLE queue ALTER COLUMN id RESTART WITH 1000')
    assert.deepEqual([await make(), await make()], [1000, 1001])
    await admin.query("SELECT setval('queue_id_seq', 2000)")
    assert.deepEqual([await make(), await make()], [2001, 2002])
  })

  test('a sequence that is behind its records is raised, also by a server that has just started', async () => {
    await admin.query("SELECT setval('queue_id_seq', 3)")
    assert.deepEqual([await make(), await make()], [2003, 2004])
    await admin.query("SELECT setval('queue_id_seq', 3)")
    await server.stop()
    server = await Served.on(fresh.url, { keeps: 'everything' })
    assert.deepEqual([await make(), await make()], [2005, 2006])
  })

  test('so it is for a batch, and for creates after one of a record that exists', async () => {
    const behind = () => admin.query("SELECT setval('queue_id_seq', 3)")
    await server.stop()
    server = await Served.on(fresh.url, { keeps: 'everything' })
    await behind()
    const records = [{ name: 'in a batch' }, { name: 'in the same batch' }]
    const batch = { method: 'POST', json: { resource: 'queue', records }, as: 'staff-gus' }
    assert.equal((await server.ask('/api/batch/', batch)).status, 200)
    await behind()
    assert.equal((await create('in a batch')).status, 400)
    await behind()
    assert.deepEqual([await make(), await make()], [2009, 2010])
  })

  test('it goes on at the smallest number that a sequence may give', async () => {
    await admin.query('ALTER SEQUENCE queue_id_seq MINVALUE 5000 START 5000 RESTART')
    assert.deepEqual([await make(), await make()], [5000, 5001])
  })

  test('what else is taken stops no other write: words of a record that a person has deleted, and a round of a game', async () => {
    const { json } = await create('orphan')
    await admin.query(`DELETE FROM queue WHERE id = ${json.queue_id}`)
    await admin.query(`SELECT setval('queue_id_seq', ${json.queue_id - 1})`)
    assert.equal((await create('orphan')).status, 500)
    assert.equal(server.bugs.splice(0).length, 1)
    const begin = () => server.ask('/api/play/sets/', { method: 'POST', json: {}, as: 'player' })
    for (const { status, text } of await Promise.all([begin(), begin(), begin()])) assert.ok(status < 300, text)
    const polynym = { name: 'elsewhere', mode: 'type', p1: 'a', p2: 'b' }
    assert.equal((await server.ask('/api/polynym/', { method: 'POST', json: polynym, as: 'player' })).status, 201)
  })

  test('a record that exists is refused while another process holds the lock for long, again and again', async () => {
    await create('taken')
    const hold = () => admin.query(`BEGIN; ${ADVISORY_LOCK}; ${ROW_LOCK}; SELECT pg_sleep(${HELD_SECONDS}); COMMIT`)
    let isOver = false
    const holding = (async () => {
      while (!isOver) await hold()
    })()
    try {
      assert.equal((await create('taken')).status, 400)
    } finally {
      isOver = true
      await holding
    }
  })
})
