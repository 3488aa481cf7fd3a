/**
 * PostgreSQL fails in every way it can, under load: every response is 2xx or 503 with Retry-After, the server stays up,
 * acknowledged writes exist once, and it recovers without a restart. The long version is `npm run bench -- outage`.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { BIN, listening } from '../support/command.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type BytesReply, Served } from '../support/servers.ts'

const SECONDS = 1
const UNAVAILABLE = 'The database cannot be used at the moment. Try again later.'

describe('An outage of PostgreSQL', () => {
  let postgres: TestPostgres
  let served: Served
  let admin: pg.Client
  let count = 0
  const made = new Set<string>()

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: postgres.url })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  before(async () => {
    postgres = await startPostgres({ durable: true })
    served = await Served.on(
      { url: postgres.url, waitSeconds: SECONDS },
      { keeps: 'everything', settings: { databaseSeconds: SECONDS } },
    )
    await served.tokenOf('ada')
    admin = await connect()
  })
  after(async () => {
    await admin.end().catch(() => {})
    await served.stop()
    await postgres.stop()
    assert.deepEqual(served.bugs, [])
  })

  const create = async (): Promise<BytesReply> => {
    const name = `outage ${++count}`
    const reply = await served.ask('/api/queue/', { method: 'POST', as: 'ada', json: { name } })
    if (reply.status === 201) made.add(name)
    return reply
  }
  const read = () => served.ask(`/api/queue/?page_size=${1 + (++count % 50)}`)

  /** The statuses of readers and writers that continue until the task is done, and a while longer. */
  const underLoad = async (task: () => Promise<void>): Promise<Map<string, number>> => {
    const seen = new Map<string, number>()
    let isDone = false
    const client = async (method: string, ask: () => Promise<BytesReply>) => {
      while (!isDone) {
        const { status, headers, json } = await ask()
        const key = status === 503 ? `${method} 503 ${headers['retry-after']} ${json.detail}` : `${method} ${status}`
        seen.set(key, (seen.get(key) ?? 0) + 1)
        if (status === 503) await new Promise((turn) => setTimeout(turn, 5))
      }
    }
    const clients = [read, read, read].map((ask) => client('GET', ask))
    clients.push(...[create, create, create].map((ask) => client('POST', ask)))
    try {
      await task()
    } finally {
      isDone = true
      await Promise.all(clients)
    }
    return seen
  }

  const assertOnlyGoodOr503 = (seen: ReadonlyMap<string, number>) => {
    for (const key of seen.keys()) {
      assert.match(
        key,
        /^(GET 200|POST 201|(GET|POST) 503 2 The database (cannot be used at the moment|did not say).*)$/,
      )
    }
  }

  /** Until requests succeed again; the time limit of the test ends it. */
  const back = async () => {
    while ((await read()).status !== 200 || (await create()).status !== 201) await new Promise(setImmediate)
    assert.equal((await served.ask('/healthz')).status, 200)
    // Broken connections are not kept next to the new ones.
    const client = await connect()
    const { rows } = await client.query("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'nymdex'")
    await client.end()
    assert.ok(Number(rows[0].count) <= 10, `${rows[0].count} connections`)
  }

  const assertNothingLostOrDoubled = async () => {
    const client = await connect()
    const { rows } = await client.query('SELECT name FROM queue')
    await client.end()
    const names = rows.map(({ name }) => name as string)
    assert.equal(new Set(names).size, names.length)
    assert.deepEqual(
      [...made].filter((name) => !names.includes(name)),
      [],
    )
    assert.equal((await served.ask('/api/queue/')).json.count, names.length)
  }

  for (const way of ['restart', 'crash'] as const) {
    test(`{outage.database} {health.failing} it is away after a ${way}: 503 with Retry-After, and back without a restart`, {
      timeout: 60_000,
    }, async () => {
      const seen = await underLoad(async () => {
        await postgres[way](async () => {
          const { status, json, headers } = await read()
          assert.deepEqual([status, json, headers['retry-after']], [503, { detail: UNAVAILABLE }, '2'])
          const health = await served.ask('/healthz')
          assert.deepEqual([health.status, health.json.status], [503, 'failing'])
          assert.equal(health.json.database, 'PostgreSQL cannot be reached')
          assert.equal((await served.ask('/readyz')).status, 503)
          // What needs no database still works.
          assert.equal((await served.ask('/api/')).status, 200)
          assert.equal((await served.ask('/', { headers: { accept: 'text/html' } })).status, 503)
        })
        await back()
      })
      assertOnlyGoodOr503(seen)
      assert.ok(seen.get('GET 200')! > 0 && seen.get('POST 201')! > 0)
      await assertNothingLostOrDoubled()
      admin = await connect()
    })
  }

  test('{outage.hang} it hangs: no request waits longer than the limit, health checks included', {
    timeout: 60_000,
  }, async () => {
    const seen = await underLoad(async () => {
      await postgres.pause(async () => {
        const replies = await Promise.all([read(), read(), create(), served.ask('/healthz'), served.ask('/readyz')])
        assert.deepEqual(
          replies.map(({ status }) => status),
          [503, 503, 503, 503, 503],
        )
      })
      await back()
    })
    assertOnlyGoodOr503(seen)
    await assertNothingLostOrDoubled()
  })

  test('connections that the server ends are replaced, and no request fails', { timeout: 60_000 }, async () => {
    const seen = await underLoad(async () => {
      for (let i = 0; i < 10; i++) {
        await admin.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nymdex' AND pid <> pg_backend_pid()",
        )
        await read()
      }
    })
    assertOnlyGoodOr503(seen)
    await back()
    await assertNothingLostOrDoubled()
  })

  test('{outage.read-only} a read-only database can be read, and writes return 503', { timeout: 60_000 }, async () => {
    const name = new URL(postgres.url).pathname.slice(1)
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nymdex'")
    const reply = await create()
    const detail = 'This server can only read at the moment: its database takes no changes.'
    assert.deepEqual([reply.status, reply.json, reply.headers['retry-after']], [503, { detail }, '2'])
    assert.equal((await read()).status, 200)
    const health = await served.ask('/healthz')
    assert.deepEqual(
      [health.status, health.json.database, health.json.writes],
      [200, 'ok', 'the database is read-only'],
    )
    await admin.query('SET default_transaction_read_only = off')
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = off`)
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nymdex'")
    await back()
  })

  test('{outage.lock} writers give up in time if another program holds a lock, and do not write later', {
    timeout: 60_000,
  }, async () => {
    const holder = await connect()
    await holder.query("BEGIN; SELECT pg_advisory_xact_lock(hashtext('nymdex writes'))")
    const replies = await Promise.all([create(), create(), create(), read()])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [503, 503, 503, 200],
    )
    await holder.query('COMMIT')
    await holder.end()
    await back()
    await assertNothingLostOrDoubled()
  })

  test('a writer that joins another that waits for the lock has a time limit of its own', {
    timeout: 60_000,
  }, async () => {
    const holder = await connect()
    await holder.query("BEGIN; SELECT pg_advisory_xact_lock(hashtext('nymdex writes'))")
    const first = create()
    const waitsLong = `SELECT 1 FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '0.7 s'`
    while ((await admin.query(waitsLong)).rows.length === 0) await new Promise(setImmediate)
    const second = create()
    assert.equal((await first).status, 503)
    await holder.query('COMMIT')
    await holder.end()
    assert.equal((await second).status, 201)
    await assertNothingLostOrDoubled()
  })

  test('{outage.commit} the connection breaks during a commit: the response says that the outcome is unknown', {
    timeout: 60_000,
  }, async () => {
    await admin.query(`
      CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON queue DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION break_off()`)
    const { status, headers, json } = await create()
    await admin.query('DROP TRIGGER at_commit ON queue; DROP FUNCTION break_off')
    const detail =
      'The database did not say whether the change was saved. Look before you try again, or use an Idempotency-Key.'
    assert.deepEqual([status, headers['retry-after'], json], [503, '2', { detail }])
    await back()
    await assertNothingLostOrDoubled()
  })

  test('a role with few connections makes requests wait, not fail, and one that may not sign in is told by 503', {
    timeout: 60_000,
  }, async () => {
    await admin.query("CREATE ROLE few LOGIN PASSWORD 'few' CONNECTION LIMIT 4")
    await admin.query(
      'GRANT ALL ON ALL TABLES IN SCHEMA public TO few; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO few',
    )
    await admin.query('GRANT CREATE ON SCHEMA public TO few')
    const url = new URL(postgres.url)
    Object.assign(url, { username: 'few', password: 'few' })
    const poor = await Served.on(
      { url: url.href, waitSeconds: 5 },
      { keeps: 'nothing', settings: { databaseSeconds: 5 } },
    )
    try {
      const replies = await Promise.all(
        Array.from({ length: 40 }, (_, i) => poor.ask(`/api/queue/?page_size=${i + 1}`)),
      )
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      // A refused login is an outage like others.
      await admin.query(
        "ALTER ROLE few NOLOGIN; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'few'",
      )
      const refused = await poor.ask('/api/queue/')
      assert.deepEqual([refused.status, refused.json], [503, { detail: UNAVAILABLE }])
      assert.equal((await poor.ask('/healthz')).json.database, 'PostgreSQL refuses the connection')
      await admin.query('ALTER ROLE few LOGIN')
      while ((await poor.ask('/api/queue/')).status !== 200) await new Promise(setImmediate)
      assert.deepEqual(poor.bugs, [])
    } finally {
      await poor.stop()
    }
  })

  test('the server stops in time while the database hangs', { timeout: 60_000 }, async () => {
    const other = await Served.on(
      { url: postgres.url, waitSeconds: SECONDS },
      { keeps: 'nothing', settings: { databaseSeconds: SECONDS } },
    )
    const env = { ...process.env, DATABASE_URL: postgres.url, PORT: '0', NYMDEX_SAMPLE: 'off' }
    const program = spawn(process.execPath, [BIN, 'serve'], { env })
    await listening(program)
    const exited = once(program, 'exit')
    await postgres.pause(async () => {
      const waiting = fetch(`http://127.0.0.1:${other.port}/api/queue/`)
      await other.ask('/readyz')
      await other.stop()
      assert.equal((await waiting).status, 503)
      program.kill('SIGINT')
      assert.deepEqual(await exited, [0, null])
    })
  })

  test('{outage.version} once another process has migrated the tables, nothing more is written', async () => {
    const counted = async () => Number((await admin.query('SELECT count(*) FROM queue')).rows[0].count)
    const before = await counted()
    await admin.query("INSERT INTO migration VALUES (999, 'A newer program', '2026-01-01')")
    assert.equal((await create()).status, 503)
    assert.equal((await served.ask('/healthz')).status, 503)
    assert.equal(await counted(), before)
  })
})
