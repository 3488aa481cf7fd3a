/** nymdex doctor: says what is wrong with an installation, one line each, and changes nothing. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import SQLite from 'better-sqlite3'
import { startServer } from '../../src/cli/index.ts'
import { NEWEST_VERSION, openDatabase } from '../../src/store/index.ts'
import { runCommand } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'

interface Diagnosis {
  readonly code: number | null
  /** The lines, by their beginning. */
  readonly ok: readonly string[]
  readonly warn: readonly string[]
  readonly fail: readonly string[]
}

async function examine(url: string, settings: Readonly<Record<string, string>> = {}): Promise<Diagnosis> {
  const env = { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: url, ...settings }
  const { code, out, err } = await runCommand(['doctor'], env)
  assert.equal(err, '')
  const lines = out.trimEnd().split('\n')
  for (const line of lines) assert.match(line, /^(ok {2}|warn|fail) {2}\S/)
  const those = (level: string) => lines.filter((line) => line.startsWith(level)).map((line) => line.slice(6))
  return { code, ok: those('ok'), warn: those('warn'), fail: those('fail') }
}

async function tell(url: string, ...statements: string[]): Promise<void> {
  const database = await openDatabase(url)
  await database.write(function* () {
    for (const sql of statements) yield { sql, parameters: [], isTold: true }
  })
  await database.close()
}

/** Names and contents of all files in the folder. */
function traceOf(folder: string): Record<string, string> {
  const files = readdirSync(folder).map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ])
  return Object.fromEntries(files)
}

const MACHINE = ['a free port will be picked', 'the language model can be read']

for (const engine of ENGINES) {
  describe(`Doctor (${engine})`, () => {
    let database: FreshDatabase
    let path = ''
    before(async () => {
      database = await freshDatabase(engine, { sample: true })
      path = database.url.replace('sqlite:', '')
      await tell(database.url, "UPDATE account SET staff = 1, password = 'x' WHERE id = 1")
    })
    after(() => database.drop())

    test('what is right is listed, with exit code 0', async () => {
      const before = engine === 'SQLite' ? traceOf(dirname(path)) : {}
      const { code, ok, warn, fail } = await examine(database.url)
      assert.deepEqual({ code, warn, fail }, { code: 0, warn: [], fail: [] })
      const patterns =
        engine === 'SQLite'
          ? [/^\/.+ is writable$/, /^\d+ MB are free on the disk of /, /n\.db is whole$/, /^it uses a write-ahead log/]
          : [
              /^PostgreSQL \d+\S* answers$/,
              /^the encoding of the database is UTF8$/,
              /^the database takes writes$/,
              /^\d+ of \d+ connections are in use$/,
              /^of two connections that want to write, one waits$/,
            ]
      patterns.push(/^the database has version \d+, like this program$/)
      patterns.push(/^the tables follow the declarations$/)
      patterns.push(/^the stored keys of all \d{3,} records are correct$/)
      patterns.push(
        /^the search words, terms, votes and counters of all \d{3,} records are correct$/,
        /^there is a staff account$/,
      )
      assert.match(ok[0]!, /^Node 24\.\S+ runs this$/)
      assert.equal(ok[1], 'all settings are valid')
      const rest = ok.slice(2).filter((line) => ![...MACHINE, 'the sample catalogue can be read'].includes(line))
      assert.equal(rest.length, patterns.length, rest.join('\n'))
      patterns.forEach((pattern, i) => {
        assert.match(rest[i]!, pattern)
      })
      if (engine === 'SQLite') assert.deepEqual(traceOf(dirname(path)), before)
    })

    if (engine === 'PostgreSQL')
      test('the connections of all workers and of the writer count', async () => {
        const { code, warn } = await examine(database.url, { NYMDEX_WORKERS: '40', NYMDEX_PG_CONNECTIONS: '6' })
        assert.equal(code, 0)
        assert.match(
          warn.join(),
          /^\d+ of \d+ connections are in use, and a server with these settings takes up to 328: raise/,
        )
      })

    test('stored keys that do not match their records are counted, and missing staff is reported', async () => {
      const isSqlite = engine === 'SQLite'
      const sick = await freshDatabase(engine, { sample: true })
      await tell(
        sick.url,
        "UPDATE polynym SET name_key = 'wrong' WHERE id <= 2",
        'UPDATE polynym SET depth = 99 WHERE id = 3',
        "UPDATE queue SET unique_1 = 'wrong' WHERE id = 1",
        'DELETE FROM quadranym_words WHERE record = 1',
        isSqlite
          ? "INSERT INTO quadranym_words (record, word, place) VALUES (2, 'wrong', 0)"
          : "UPDATE quadranym_words SET words = words || '''wrong'':1A' WHERE record = 2",
        "UPDATE quadranym_terms SET term = 'wrong' WHERE record = 3",
        `UPDATE fortune_words SET ${isSqlite ? 'place = 9' : "words = setweight(words, 'A')"}
         WHERE record = (SELECT max(id) FROM fortune)`,
        'UPDATE polyset SET votes_count = votes_count + 1 WHERE id IN (1, 2)',
        'DELETE FROM polymap_facets WHERE value = (SELECT min(area) FROM polymap)',
        "INSERT INTO fit_cell (text, topic, grouped, yes, no, misfit) VALUES (1, 1, '', 1, 0, 0)",
        "UPDATE contribution SET count = count + 1 WHERE resource = '' AND account = 1",
        "INSERT INTO play_standing (account, game, rounds, points) VALUES (1, 'polypuzzle', 3, 9)",
      )
      const { code, warn, fail } = await examine(sick.url)
      assert.equal(code, 1)
      const others = fail.map((line) => line.replace(/ of \d+ /, ' of all '))
      const again = 'nymdex backup and then nymdex restore --force rebuild them'
      assert.deepEqual(others.sort(), [
        `1 of all records in fortune have wrong search words or terms: ${again}`,
        `1 of all records in queue have wrong stored keys: ${again}`,
        `2 of all records in polyset have a wrong count of votes: ${again}`,
        `3 of all records in polynym have wrong stored keys: ${again}`,
        `3 of all records in quadranym have wrong search words or terms: ${again}`,
        `the counters of judgements are wrong: ${again}`,
        `the counters of polymap are wrong: ${again}`,
        `the counters of polynym are wrong: ${again}`,
        `the counters of polyset are wrong: ${again}`,
        // The words of names are counted by the words of records.
        `the counters of quadranym are wrong: ${again}`,
        `the counters of what people contributed are wrong: ${again}`,
        `the rank index of polynym is wrong: ${again}`,
        `the standings of players differ from their rounds: ${again}`,
      ])
      assert.deepEqual(warn, [
        'there is no staff account, so nobody can correct the records of others: nymdex user add NAME --staff adds one',
      ])
      await sick.drop()
    })

    test('a database that is newer, or belongs to another program, is reported', async () => {
      const newer = await freshDatabase(engine, { sample: true })
      await tell(newer.url, "INSERT INTO migration VALUES (99, 'from the future', '')")
      const { code, fail } = await examine(newer.url)
      assert.deepEqual(fail, [
        `the database has version 99, and this program knows up to ${NEWEST_VERSION}: use a newer Nymdex`,
      ])
      assert.equal(code, 1)
      await newer.drop()

      const foreign = await freshDatabase(engine, { sample: false })
      if (engine === 'SQLite') {
        new SQLite(foreign.url.replace('sqlite:', '')).exec('CREATE TABLE account (x)').close()
        assert.match(
          (await examine(foreign.url)).fail[0]!,
          /n\.db is the database of another program: set DATABASE_URL to a file of its own$/,
        )
      } else {
        assert.deepEqual((await examine(foreign.url)).warn, ['the database is empty: nymdex serve creates the tables'])
        await tell(foreign.url, 'CREATE TABLE account (x TEXT)')
        assert.deepEqual((await examine(foreign.url)).fail, [
          'the database holds the table account of another program: give Nymdex its own database',
        ])
      }
      await foreign.drop()
    })

    test('a running server is found at its port, also while it is examined', async () => {
      const server = await startServer({ databaseUrl: database.url, port: 0 })
      const { port } = new URL(server.address)
      const { code, ok } = await examine(database.url, { PORT: port })
      assert.ok(ok.includes(`Nymdex runs at port ${port} on 127.0.0.1`), ok.join('\n'))
      assert.equal(code, 0)
      await server.close()
    })
  })
}

describe('Doctor', () => {
  let fresh: FreshDatabase
  let folder = ''
  before(async () => {
    fresh = await freshDatabase('SQLite', { sample: false })
    folder = dirname(fresh.url.replace('sqlite:', ''))
  })
  after(() => fresh.drop())

  test('a database that does not exist is not created', async () => {
    const path = join(folder, 'deep', 'n.db')
    const { code, warn } = await examine(`sqlite:${path}`)
    assert.deepEqual(warn, [`there is no database ${path} yet: nymdex serve creates it`])
    assert.equal(code, 0)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('every invalid setting is reported, not only the first', async () => {
    const { code, fail } = await examine('mysql://x', { PORT: 'eighty', NYMDEX_SIGNUP: 'maybe', LOG_LEVEL: 'loud' })
    assert.deepEqual(fail, [
      'PORT: "eighty" is not a whole number from 0 to 65535',
      'DATABASE_URL: "mysql://x" is not sqlite:PATH or postgres://...',
      'NYMDEX_SIGNUP: "maybe" is not open or closed',
      'LOG_LEVEL: "loud" is not one of fatal, error, warn, info, debug, trace and silent',
    ])
    assert.equal(code, 1)
  })

  test('suspicious settings are reported', async () => {
    const open = await examine(fresh.url, { HOST: '0.0.0.0', NYMDEX_TRUST_PROXY: '10.0.0.1' })
    assert.match(
      open.warn[0]!,
      /^anyone who reaches 0\.0\.0\.0 can create an account: NYMDEX_SIGNUP=closed prevents it/,
    )
    assert.match(open.warn[1]!, /^links use any host that a request names: set NYMDEX_BASE_URL/)
    const inside = await examine(fresh.url, { HOST: '0.0.0.0', NYMDEX_HOOKS: 'private' })
    assert.match(inside.warn[1]!, /^anyone who signs up can make the server connect to private addresses/)
    const { warn } = await examine(fresh.url, {
      HOST: '0.0.0.0',
      NYMDEX_SIGNUP: 'closed',
      NYMDEX_BASE_URL: 'https://nymdex.example',
    })
    assert.match(warn[0]!, /^behind a proxy that NYMDEX_TRUST_PROXY does not name, all clients have the same address/)
    const { warn: trusting } = await examine(fresh.url, { NYMDEX_TRUST_PROXY: '0.0.0.0/0' })
    assert.match(trusting[0]!, /^NYMDEX_TRUST_PROXY trusts every address/)
  })

  test('a database that every user of the machine can read is reported', async () => {
    const open = await freshDatabase('SQLite', { sample: true })
    const path = open.url.replace('sqlite:', '')
    chmodSync(path, 0o644)
    const { code, warn } = await examine(open.url)
    assert.equal(
      warn[0],
      `${path} can be read by every user of this machine, and it holds password hashes: chmod 600 ${path}`,
    )
    assert.equal(code, 0)
    await open.drop()
  })

  test('a port that another program uses, and an address that the machine does not have, are reported', async () => {
    const other = createServer((socket) => socket.resume().end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready))
    const { port } = other.address() as AddressInfo
    const { code, fail } = await examine(fresh.url, { PORT: String(port) })
    assert.deepEqual(fail, [`port ${port} on 127.0.0.1 is used by another program: stop it, or set PORT`])
    assert.equal(code, 1)
    await new Promise((closed) => other.close(closed))
    assert.match(
      (await examine(fresh.url, { PORT: String(port), HOST: '192.0.2.1' })).fail[0]!,
      /^HOST: this machine has no/,
    )
  })

  test('a PostgreSQL that does not respond is reported, without the password', async () => {
    const { fail } = await examine('postgres://me:secret@127.0.0.1:1/x')
    assert.deepEqual(fail, [
      'cannot reach PostgreSQL at postgres://me@127.0.0.1:1/x: nothing listens there: start PostgreSQL, or correct DATABASE_URL',
    ])
  })

  test('files that are damaged, or not a database, are reported', async () => {
    mkdirSync(join(folder, 'sick'))
    const text = join(folder, 'sick', 'text.db')
    writeFileSync(text, 'this is a letter, not a database, and it is long enough to be read as one'.repeat(20))
    assert.match(
      (await examine(`sqlite:${text}`)).fail[0]!,
      /text\.db is not an SQLite database: set DATABASE_URL to a /,
    )

    const sample = await freshDatabase('SQLite', { sample: true })
    const file = openSync(sample.url.replace('sqlite:', ''), 'r+')
    writeSync(file, Buffer.alloc(20_000, 0x5a), 0, 20_000, 40_000)
    const { code, fail } = await examine(sample.url)
    assert.match(
      fail[0]!,
      /(is damaged|cannot be read) .+: stop the server and restore the newest backup with nymdex restore/,
    )
    assert.equal(code, 1)
    await sample.drop()

    const dangling = await freshDatabase('SQLite', { sample: true })
    const raw = new SQLite(dangling.url.replace('sqlite:', ''))
    raw.pragma('foreign_keys = OFF')
    raw.exec('DELETE FROM account WHERE id = (SELECT owner FROM polynym LIMIT 1)')
    raw.close()
    assert.match(
      (await examine(dangling.url)).fail[0]!,
      /n\.db holds \d+ references to records that do not exist: stop /,
    )
    await dangling.drop()
  })
})

test('docs/operations.md shows the version that the database has', () => {
  const text = readFileSync('docs/operations.md', 'utf8')
  for (const shown of [
    `the database has version ${NEWEST_VERSION},`,
    `"format":1,"version":${NEWEST_VERSION},`,
    `this one knows versions up to ${NEWEST_VERSION}\n`,
  ]) {
    assert.ok(text.includes(shown), shown)
  }
})
