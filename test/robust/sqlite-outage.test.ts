/** The SQLite file is locked, deleted or of another version: requests that need it get 503, and no write is lost. */
import assert from 'node:assert/strict'
import { renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, test } from 'node:test'
import SQLite from 'better-sqlite3'
import { Outdated } from '../../src/store/index.ts'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { Served } from '../support/servers.ts'

const SOON = { timeout: 20_000 }
const UNAVAILABLE = { detail: 'The database cannot be used at the moment. Try again later.' }

describe('An outage of SQLite', () => {
  let fresh: FreshDatabase
  let served: Served
  let file: string
  beforeEach(async () => {
    fresh = await freshDatabase('SQLite', { sample: false })
    file = fresh.url.slice('sqlite:'.length)
    served = await Served.on(fresh.url, { keeps: 'everything', settings: { databaseSeconds: 0.3 } })
    await served.tokenOf('ada')
  })
  afterEach(async () => {
    await served.stop()
    await fresh.drop()
    assert.deepEqual(served.bugs, [])
  })

  const create = (name: string) => served.ask('/api/queue/', { method: 'POST', as: 'ada', json: { name } })
  const names = () => {
    const other = new SQLite(file, { readonly: true })
    const found = other.prepare('SELECT name FROM queue ORDER BY id').pluck().all()
    other.close()
    return found
  }

  test('a writer gives up in time while another program holds the lock, and does not begin later', SOON, async () => {
    // Writes the time of the token's last use, so that later the first to wait is the write of a client.
    assert.equal((await served.ask('/accounts/tokens/', { as: 'ada' })).status, 200)
    const other = new SQLite(file)
    other.exec('BEGIN IMMEDIATE')
    const replies = await Promise.all([create('one'), create('two'), served.ask('/api/queue/')])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [503, 503, 200],
    )
    assert.deepEqual([replies[0].json, replies[0].headers['retry-after']], [UNAVAILABLE, '2'])
    // Forms keep what was written.
    for (const [path, json] of [
      ['/make/queue/', { name: 'kept' }],
      ['/make/quadranym/table/', { table: 'Name\tExpansive\nkept\topen', action: 'save' }],
      ['/annotate/', { text: 'kept', marked: 'kept', step: 'save' }],
    ] as const) {
      const sent = { method: 'POST', as: 'ada', json, headers: { accept: 'text/html' } }
      const { status, text } = await served.ask(path, sent)
      assert.equal(status, 503, path)
      assert.match(text, /<p class="note bad" role="alert">\s*The database cannot be used at the moment\./, path)
      assert.match(text, /value="kept"|>kept<|\nkept\t/, path)
    }
    other.exec('COMMIT')
    other.close()
    assert.equal((await create('three')).status, 201)
    assert.deepEqual(names(), ['three'])
  })

  test('a token that was not used for long does not wait for the lock twice', SOON, async () => {
    const other = new SQLite(file)
    other.exec("UPDATE token SET last_used = '2020-01-01T00:00:00.000Z'; UPDATE generation SET number = number + 1")
    other.exec('BEGIN IMMEDIATE')
    // Reading waits for nothing.
    assert.equal((await served.ask('/api/queue/', { as: 'ada' })).status, 200)
    other.exec('COMMIT')
    other.close()
    const { json } = await served.ask('/accounts/tokens/', { as: 'ada' })
    assert.notEqual(json[0].last_used, '2020-01-01T00:00:00.000Z')
  })

  for (const [what, harm] of [
    ['file', () => rmSync(file)],
    ['log', () => rmSync(`${file}-wal`)],
    ['file, which another one replaces,', () => renameSync(`${file}-shm`, file)],
  ] as const) {
    test(`{outage.file} the ${what} is deleted: no write is acknowledged, and health says so`, SOON, async () => {
      assert.equal((await create('before')).status, 201)
      harm()
      const { status, json } = await create('after')
      assert.deepEqual([status, json], [503, UNAVAILABLE])
      const health = await served.ask('/healthz')
      assert.equal(health.status, 503)
      assert.equal(health.json.database, 'the database file was deleted or replaced while it was in use')
      assert.equal((await served.ask('/readyz')).status, 503)
    })
  }

  test('{outage.version} once another process has migrated the tables, nothing more is written', SOON, async () => {
    const other = new SQLite(file)
    other.exec("INSERT INTO migration VALUES (999, 'A newer program', '2026-01-01')")
    other.close()
    assert.equal((await create('late')).status, 503)
    const outdated = await served.store.outdated
    assert.ok(outdated instanceof Outdated)
    assert.match(
      outdated.message,
      /^another process has migrated the database to version 999, and this program knows \d+: /,
    )
    assert.deepEqual(names(), [])
  })

  test('{outage.version} a process that only reads notices it, too', SOON, async () => {
    const other = new SQLite(file)
    other.exec("INSERT INTO migration VALUES (999, 'A newer program', '2026-01-01')")
    other.close()
    assert.equal((await served.ask('/api/polynym/')).status, 503)
    assert.ok((await served.store.outdated) instanceof Outdated)
  })
})
