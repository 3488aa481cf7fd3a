/**
 * Reads from a standby: every response is as new as the primary, whatever happens to the standby; and a server on a
 * standby alone only reads. The long version is `npm run bench -- replicas`.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { BIN, ended, listening, runCommand } from '../support/command.ts'
import { ENGINES } from '../support/databases.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { ReadProxy } from '../support/read-proxy.ts'
import { Served } from '../support/servers.ts'
import { caughtUp, startStandby } from '../support/standby.ts'

const SOON = { timeout: 60_000 }

describe('Replicas', { skip: !ENGINES.includes('PostgreSQL') }, () => {
  let primary: TestPostgres
  let standby: TestPostgres
  let admin: pg.Client
  let onStandby: pg.Client
  let served: Served
  let other: Served
  /** The name of the replica in lines of the log. */
  let name = ''
  const proxy = new ReadProxy()
  const lines: string[] = []
  /** Waits for a line. On a busy machine there may be others: a replica that is slow is left out for a moment. */
  const hears = async (line: string) => {
    await until(() => lines.some((each) => each.startsWith(line)))
    lines.splice(0, lines.findIndex((each) => each.startsWith(line)) + 1)
  }
  const ofNothingButSlowness = () => lines.every((line) => / is used again$| in time$/.test(line))
  let count = 0

  const connect = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await new Promise((later) => setTimeout(later, 5))
  }

  before(async () => {
    primary = await startPostgres()
    admin = await connect(primary.url)
    // Its reads obey the policies of tables, with which tests make statements fail.
    await admin.query("CREATE ROLE reader LOGIN PASSWORD 'geheim' IN ROLE pg_read_all_data")
    other = await Served.on({ url: primary.url }, { keeps: 'everything' })
    standby = await startStandby(primary)
    onStandby = await connect(standby.url)
    const replica = new URL(await proxy.between(standby.url))
    Object.assign(replica, { username: 'reader', password: 'geheim' })
    name = `replica ${replica.href.replace(':geheim@', '@')}`
    const report = (line: string) => lines.push(line)
    served = await Served.on(
      { url: primary.url, replicas: [replica.href], waitSeconds: 5, report },
      { keeps: 'checked', settings: { databaseSeconds: 5 } },
    )
  })
  after(async () => {
    await served.stop()
    await other.stop()
    proxy.close()
    await Promise.all([admin, onStandby].map((client) => client.end().catch(() => {})))
    await standby.stop()
    await primary.stop()
    assert.deepEqual([...served.bugs, ...other.bugs], [])
  })

  const create = async (server: Served) => {
    const { status, json } = await server.ask('/api/queue/', {
      method: 'POST',
      as: 'ada',
      json: { name: `replica ${++count}` },
    })
    assert.equal(status, 201)
    return json
  }
  /** The record and the list, as new as the write. */
  const assertShown = async ({ queue_id, name }: { readonly queue_id: number; readonly name: string }) => {
    const [record, list] = await Promise.all([
      served.ask(`/api/queue/${queue_id}/`),
      served.ask(`/api/queue/?name=${encodeURIComponent(name)}`),
    ])
    assert.deepEqual([record.status, record.json?.name], [200, name])
    assert.deepEqual([list.status, list.json?.count], [200, 1])
  }
  /** A list that no cache holds. */
  const readCold = async () => {
    const { status } = await served.ask(`/api/queue/?name=cold${++count}`)
    assert.equal(status, 200)
  }
  const answersAgain = () =>
    until(async () => {
      const before = proxy.reads
      await readCold()
      return proxy.reads > before
    })

  test('reads go to a standby that shows the newest moment, and no response is older than a write', SOON, async () => {
    await create(served)
    await answersAgain()
    const before = proxy.reads
    for (let i = 0; i < 20; i++) {
      await assertShown(await create(i % 2 ? served : other))
      await readCold()
    }
    await caughtUp(admin, onStandby)
    await answersAgain()
    assert.ok(proxy.reads > before)
    assert.ok(ofNothingButSlowness(), lines.join('\n'))
    const { json } = await served.ask('/api/queue/999999/')
    assert.deepEqual(json, { detail: 'Not found.' })
  })

  test('a standby that is behind answers nothing until it has caught up', SOON, async () => {
    await onStandby.query('SELECT pg_wal_replay_pause()')
    await create(other)
    const before = proxy.reads
    for (let i = 0; i < 20; i++) {
      await assertShown(await create(i % 2 ? served : other))
      await readCold()
    }
    assert.equal(proxy.reads, before)
    await hears(`${name} is left out: it is behind`)
    await onStandby.query('SELECT pg_wal_replay_resume()')
    await hears(`${name} is used again`)
    await answersAgain()
  })

  test('a standby that hangs is left out, and the primary answers those who asked it', SOON, async () => {
    await proxy.silent(async () => {
      await Promise.all(Array.from({ length: 6 }, readCold))
      await hears(`${name} is left out: it does not answer in time`)
      await assertShown(await create(served))
    })
    await answersAgain()
    await hears(`${name} is used again`)
  })

  test('a standby that is stopped is left out, and used again when it is back', SOON, async () => {
    await onStandby.end()
    await standby.restart(async () => {
      await readCold()
      await assertShown(await create(served))
      await hears(`${name} is left out: `)
      const { json } = await served.ask('/api/staff/', { as: 'staff' })
      assert.deepEqual(json.health.replicas, [{ name: name.replace('replica ', ''), used: false }])
    })
    onStandby = await connect(standby.url)
    await answersAgain()
    await hears(`${name} is used again`)
  })

  test('a query that the standby cancels, or that takes it long, is answered by the primary', SOON, async () => {
    await admin.query(`CREATE FUNCTION fails() RETURNS bool LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'conflict with recovery' USING ERRCODE = '40001'; END $$`)
    await admin.query(`CREATE FUNCTION waits() RETURNS bool LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(5); RETURN true; END $$`)
    for (const way of ['fails', 'waits']) {
      await admin.query(`ALTER TABLE queue ENABLE ROW LEVEL SECURITY; CREATE POLICY ${way} ON queue USING (${way}())`)
      const record = await create(other)
      await caughtUp(admin, onStandby)
      await answersAgain()
      const before = proxy.reads
      await assertShown(record)
      assert.equal(proxy.reads, before)
      await admin.query(`ALTER TABLE queue DISABLE ROW LEVEL SECURITY; DROP POLICY ${way} ON queue`)
      await caughtUp(admin, onStandby)
      await answersAgain()
    }
    assert.ok(ofNothingButSlowness(), lines.join('\n'))
  })

  test('a copy of another database is never used', SOON, async () => {
    await admin.query('CREATE DATABASE another')
    const at = (url: string) => url.replace(/\/postgres$/, '/another')
    const said: string[] = []
    await (await Served.on({ url: at(primary.url) }, { keeps: 'nothing' })).stop()
    await caughtUp(admin, onStandby)
    const mistaken = await Served.on(
      { url: primary.url, replicas: [at(standby.url)], report: (line) => said.push(line) },
      { keeps: 'nothing' },
    )
    await until(() => said.length > 0)
    assert.equal((await mistaken.ask('/api/queue/')).status, 200)
    await mistaken.stop()
    const redacted = at(standby.url).replace(':postgres@', '@')
    assert.deepEqual(said, [`replica ${redacted} is left out: it is far behind, or a copy of another database`])
  })

  describe('the program', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nymdex-replicas-'))
    after(() => rmSync(folder, { recursive: true }))
    const environment = (url: string) => ({ PATH: process.env['PATH'], DATABASE_URL: url, PORT: '0' })
    test('nymdex doctor says how each replica is, without secrets', SOON, async () => {
      await caughtUp(admin, onStandby)
      const nobody = 'postgres://ada:sesam@127.0.0.1:1/postgres'
      const { out } = await runCommand(['doctor'], {
        ...environment(primary.url),
        NYMDEX_REPLICA_URLS: `${standby.url}, ${nobody} ${standby.url.replace(/postgres$/, 'another')}`,
      })
      const at = (url: string) => url.replace(/:\w+@/, '@')
      const found = out.split('\n').filter((line) => line.includes('replica'))
      assert.deepEqual(found, [
        `ok    the replica ${at(standby.url)} is a standby, and shows what the database shows`,
        `fail  a replica cannot be used: cannot reach PostgreSQL at ${at(nobody)}: nothing listens there`,
        `fail  the replica ${at(standby.url).replace(/postgres$/, 'another')} is a standby of another database, or far behind: correct NYMDEX_REPLICA_URLS`,
      ])
      assert.ok(!out.includes('sesam'))
    })

    test('bad replicas are refused with one line, without secrets', SOON, async () => {
      const refused = async (url: string, replicas: string) =>
        (await runCommand(['serve'], { ...environment(url), NYMDEX_REPLICA_URLS: replicas })).err
      const lines = await Promise.all([
        refused(primary.url, 'mysql://ada:sesam@db/x'),
        refused(primary.url, 'postgres://ada:1,sesam,2@db/x'),
        refused('sqlite:n.db', 'postgres://ada:sesam@db/x'),
      ])
      assert.deepEqual(lines, [
        'nymdex: NYMDEX_REPLICA_URLS: "mysql://ada@db/x" is not postgres://...\n',
        'nymdex: NYMDEX_REPLICA_URLS: "..." is not postgres://...\n',
        'nymdex: NYMDEX_REPLICA_URLS: "postgres://ada@db/x" is not a copy of sqlite:n.db: set DATABASE_URL to the primary server\n',
      ])
    })

    test(
      '{outage.read-only} a server on a standby alone reads, and refuses changes until the standby is promoted',
      SOON,
      async (t) => {
        const record = await create(served)
        const token = await served.tokenOf('ada')
        await caughtUp(admin, onStandby)
        const server = spawn(process.execPath, [BIN, 'serve'], { env: environment(standby.url) })
        t.after(() => server.kill('SIGKILL'))
        const log = ended(server)
        const base = await listening(server)
        const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
        const read = await fetch(`${base}api/queue/${record.queue_id}/`, { headers })
        assert.deepEqual([read.status, (await read.json()).name], [200, record.name])
        assert.equal((await fetch(`${base}queue/`, { headers: { accept: 'text/html' } })).status, 200)
        const post = (name: string) =>
          fetch(`${base}api/queue/`, { method: 'POST', headers, body: JSON.stringify({ name }) })
        const refused = await post('refused')
        assert.deepEqual(
          [refused.status, refused.headers.get('retry-after'), await refused.json()],
          [503, '2', { detail: 'This server can only read at the moment: its database takes no changes.' }],
        )
        const health = await (await fetch(`${base}healthz`)).json()
        assert.deepEqual(health, { status: 'ok', database: 'ok', writes: 'the database is read-only' })

        // Everything can be taken out of a standby, and nothing put in.
        const file = join(folder, 'standby.backup')
        const [exported, original, backup, removed, doctor] = await Promise.all([
          runCommand(['export'], environment(standby.url)),
          runCommand(['export'], environment(primary.url)),
          runCommand(['backup', file], environment(standby.url)),
          runCommand(['user', 'remove', 'ada'], environment(standby.url)),
          runCommand(['doctor'], environment(standby.url)),
        ])
        assert.deepEqual(exported, original)
        assert.deepEqual([exported.code, backup.code, backup.err], [0, 0, ''])
        const records = exported.out.split('\n').length - 1
        assert.match(backup.out, new RegExp(`^backed up ${records} records, \\d+ accounts? and \\d+ tokens? to `))
        assert.equal(
          removed.err,
          'nymdex: the database is read-only, or a standby: set DATABASE_URL to the primary server\n',
        )
        assert.match(doctor.out, /^warn {2}the database is a standby: a server on it only reads$/m)

        await onStandby.query('SELECT pg_promote()')
        await until(async () => (await post(`promoted ${++count}`)).status === 201)
        // What was promoted goes its own way.
        await readCold()
        await hears(`${name} is left out: it is not a standby`)
        await assertShown(await create(other))
        server.kill('SIGINT')
        const said = (await log).out
        assert.match(said, /the database is read-only, or a standby: this server only reads/)
      },
    )
  })
})
