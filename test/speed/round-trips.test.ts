/** What requests cost on PostgreSQL: a fixed number of round trips, however much is written and by how many clients. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { Engine } from '../../src/engine/index.ts'
import { rareQuery } from '../../src/store/database.ts'
import { ENGINES } from '../support/databases.ts'
import { Gate } from '../support/gate.ts'
import { Served } from '../support/servers.ts'
import { type Reply, Site } from '../support/site.ts'
import { TripCounter } from '../support/trips.ts'

/** BEGIN with the lock is one, for a new record with the record itself; the others are what the write needs, with COMMIT. */
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
  const create = (json: object) => site.ask('/api/polynym/', { method: 'POST', json, as: 'gus' })
  const ids = async (count: number): Promise<number[]> => {
    const { json } = await site.ask(`/api/polynym/?page_size=${count}&ordering=id`)
    return json.results.map((each: { polynym_id: number }) => each.polynym_id)
  }
  const accountCalled = async (name: string) => {
    const { store } = site.engine
    return (await store.read(() => store.accounts.byKey(name)))!.id
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
    assert.equal(await tripsOf(make), 2)
    const { polynym_id: id } = await make()
    await tripsOf(() => send('PATCH', `/api/polynym/${id}/`, { area: `Area ${++number}` }))
    await tripsOf(() => send('PATCH', `/api/polynym/${id}/`, { name: `Name ${++number}` }))
    const made = [(await make()).polynym_id, (await make()).polynym_id]
    const likes = [...made]
    await tripsOf(() => send('POST', `/api/polynym/${likes.pop()}/vote/`, {}))
    await tripsOf(() => send('DELETE', `/api/polynym/${made.pop()}/`, undefined))
  })

  test('a write with a token asks nothing before its transaction', async () => {
    const { polynym_id: id } = await make()
    for (const write of [make, () => send('PATCH', `/api/polynym/${id}/`, { area: `Area ${++number}` })]) {
      assert.equal((await counter.during(write)).questions, 0)
    }
  })

  test('PostgreSQL keeps its plans of pages and of records', async () => {
    const { store, catalogue } = site.engine
    const resource = catalogue.find(({ name }) => name === 'polynym')!
    await store.write(() => rareQuery('ANALYZE polynym', []))
    const plans = await store.readAt(function* (moment) {
      for (let i = 0; i < 20; i++) {
        yield* store.records.page({ resource }, { offset: i, limit: 1 }, moment)
        yield* store.records.byIds({ resource }, [i + 1])
        yield* store.records.stored(resource, i + 1)
      }
      const ofRecords = `SELECT custom_plans AS custom FROM pg_prepared_statements WHERE statement LIKE '%FROM "polynym" AS t%'`
      return (yield* rareQuery(ofRecords, [])).map((row) => Number(row['custom']))
    })
    // The first five are for their values alone; then it compares what such plans cost with one for all values.
    assert.deepEqual(plans, [5, 5, 5])
  })

  test('the stack of an error of PostgreSQL leads to the code that asked', async () => {
    const { store } = site.engine
    async function whoAsked(): Promise<unknown> {
      return await store.read(() => rareQuery('SELECT nothing FROM polynym', []))
    }
    await assert.rejects(whoAsked(), ({ stack }: Error) => /whoAsked/.test(stack ?? ''))
  })

  test('a process that only writes learns what others have written', async () => {
    const other = await Served.on(direct, { keeps: 'everything' })
    const known = ({ store }: Engine) => store.generations.now.get('polynym')?.number
    try {
      // At first, this process has to look for the new account.
      for (const _ of [1, 2, 3]) {
        const { status } = await other.ask('/api/polynym/', { method: 'POST', json: polynym(), as: 'mina' })
        assert.equal(status, 201)
        await make()
      }
      await other.ask('/api/polynym/?page_size=1')
      const wanted = known(other.engine)!
      // The first of them sees it with the lock, and looks while it is written.
      for (let i = 0; i < CLIENTS && known(site.engine)! < wanted; i++) await make()
      assert.ok(known(site.engine)! >= wanted)
    } finally {
      await other.stop()
    }
  })

  test('a record that is not cached takes one, with the question which moment it shows; a page one more for its owners', async () => {
    const path = `/api/polynym/${(await make()).polynym_id}/`
    assert.equal(await counter.ofReading(() => site.ask(path)), 1)
    assert.equal(await counter.ofReading(() => site.ask(path)), 0)
    await site.ask('/api/polynym/?page_size=3')
    assert.equal(await counter.ofReading(() => site.ask('/api/polynym/?page_size=3&page=2')), 2)
  })

  test('twenty random records of a block take three: for their places, for them, and for what they embed', async () => {
    const draw = () => site.ask('/api/fortune/random/?n=20')
    // They are few enough for one block.
    const { json } = await site.ask('/api/fortune/?page_size=1')
    assert.ok(json.count > 20 && json.count <= 200)
    await draw()
    assert.equal(await counter.ofReading(draw), 3)
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
    // One for the lock, and one for all records.
    assert.deepEqual(together, { transactions: 1, trips: alone, answers: 2, questions: 0 })
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

  /** What becomes of a create while another connection locks the row that all writers lock, and then does something. */
  async function whileLocked<T>(create: () => Promise<T>, act: (other: pg.Client) => Promise<unknown>): Promise<T> {
    const other = new pg.Client({ connectionString: direct })
    await other.connect()
    try {
      await other.query('BEGIN; SELECT number FROM migration ORDER BY number LIMIT 1 FOR UPDATE')
      let isDone = false
      const made = create().finally(() => {
        isDone = true
      })
      for (let waiting = 0; waiting === 0; ) {
        const { rows } = await other.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        waiting = rows.length
      }
      assert.equal(isDone, false)
      await act(other)
      await other.query('COMMIT')
      return await made
    } finally {
      await other.end()
    }
  }

  test('a writer waits while another connection has locked the row that all writers lock', async () => {
    assert.ok((await whileLocked(make, async () => {})).polynym_id > 0)
  })

  test('a user who is blocked while a write waits for the lock writes nothing', async () => {
    const json = polynym()
    const create = () => site.ask('/api/polynym/', { method: 'POST', json, as: 'hal' })
    await site.ask('/api/polynym/', { method: 'POST', json: polynym(), as: 'hal' })
    const setBlocked = (value: 0 | 1) => `UPDATE account SET blocked = ${value} WHERE name = 'hal';
      UPDATE generation SET number = number + 1 WHERE resource = 'account'`
    const { status } = await whileLocked(create, (other) => other.query(setBlocked(1)))
    assert.equal(status, 401)
    assert.equal((await site.ask(`/api/polynym/?name=${encodeURIComponent(json.name)}`)).json.count, 0)
  })

  test('a change that waits while another process renames its user returns and caches the new name', async () => {
    const [{ polynym_id: id }, account] = [await make(), await accountCalled('gus')]
    const path = `/api/polynym/${id}/`
    await send('GET', path, undefined)
    const { status, json } = await whileLocked(
      () => site.ask(path, { method: 'PATCH', json: { area: 'renamed' }, as: 'gus' }),
      async (other) => {
        await other.query(`UPDATE account SET name = 'augustus', name_key = 'augustus' WHERE id = ${account};
          INSERT INTO generation (resource, number, layout, moved) VALUES ('account name', 1, 0, 0), ('polynym', 1, 0, 0)
          ON CONFLICT (resource) DO UPDATE SET number = generation.number + 1;
          UPDATE generation SET number = number + 1 WHERE resource = 'account'`)
      },
    )
    assert.deepEqual([status, json.user, json.area], [200, 'augustus', 'renamed'])
    assert.equal((await site.ask(path)).json.user, 'augustus')
  })

  /**
   * Creates a record whose INSERT waits until the others have come, and whose COMMIT waits for `then`: the transaction of
   * the others was sent with it. `beside` is in its group.
   */
  async function whileCommitting<T>(
    others: () => T,
    then: (admin: pg.Client) => Promise<unknown>,
    beside: readonly (() => Promise<Reply>)[] = [],
  ) {
    const admin = new pg.Client({ connectionString: direct })
    await admin.connect()
    const waits = async (key: number) => {
      const { rows } = await admin.query(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = $1",
        [key],
      )
      return rows.length > 0
    }
    const until = async (isTrue: () => Promise<boolean>) => {
      while (!(await isTrue())) await new Promise(setImmediate)
    }
    try {
      await admin.query(`
        SELECT pg_advisory_lock(1), pg_advisory_lock(2);
        CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.name LIKE 'Held %' THEN PERFORM pg_advisory_xact_lock(TG_ARGV[0]::int); END IF; RETURN NULL; END $$;
        CREATE TRIGGER at_insert AFTER INSERT ON polynym FOR EACH ROW EXECUTE FUNCTION hold(1);
        CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON polynym DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION hold(2)`)
      const json = { ...polynym(), name: `Held ${++number}` }
      gate.openAt(1 + beside.length)
      const held = Promise.all([create(json), ...beside.map((send) => send())])
      await until(() => waits(1))
      const came = others()
      await until(async () => site.engine.store.load().waitingWrites > 0)
      await admin.query('SELECT pg_advisory_unlock(1)')
      await until(() => waits(2))
      await then(admin)
      return { held: (await held).map(({ status }) => status), came: await came }
    } finally {
      await admin.query('SELECT pg_advisory_unlock_all(); DROP FUNCTION hold CASCADE')
      await admin.end()
    }
  }

  test('a group that waits is written if the connection breaks during the commit before it', async () => {
    const { held, came } = await whileCommitting(
      () => Promise.all([create(polynym()), create(polynym())]),
      (admin) => admin.query('SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND objid = 2'),
    )
    const statuses = came.map(({ status }) => status)
    assert.deepEqual([held[0], ...statuses], [503, 201, 201])
  })

  test('writes that must run by themselves do so before the group that waits, which has the lock already', async () => {
    const taken = polynym()
    await send('POST', '/api/polynym/', taken)
    const waiting = [polynym(), polynym(), polynym()]
    const { held, came } = await whileCommitting(
      () => Promise.all(waiting.map(create)),
      (admin) => admin.query('SELECT pg_advisory_unlock(2)'),
      [() => create(taken), () => create(taken)],
    )
    assert.deepEqual(held, [201, 400, 400])
    assert.deepEqual(
      came.map(({ json }) => json.name),
      waiting.map(({ name }) => name),
    )
    const other = new pg.Client({ connectionString: direct })
    await other.connect()
    await other.query("SET lock_timeout = '5s'; SELECT pg_advisory_lock(hashtext('nymdex writes'))")
    await other.end()
  })
})
