/** nymdex backup and nymdex restore: everything comes back, on either database, and nothing is lost. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { catalogue } from '../../src/catalogue/index.ts'
import { startServer } from '../../src/cli/index.ts'
import { engineOn } from '../../src/engine/index.ts'
import { NEWEST_VERSION, openStore } from '../../src/store/index.ts'
import { BadBackup, backUp, checkBackup } from '../../src/transfer/index.ts'
import { BIN, type Ended, runCommand } from '../support/command.ts'
import { ENGINES, type EngineName, type FreshDatabase, freshDatabase } from '../support/databases.ts'

const PASSWORD = 'a good password'
const OTHER = { SQLite: 'PostgreSQL', PostgreSQL: 'SQLite' } as const
const BASE = 'http://nymdex.example'

let folder = ''
before(() => (folder = mkdtempSync(join(tmpdir(), 'nymdex-backup-'))))
after(() => rmSync(folder, { recursive: true, force: true }))

function start(database: FreshDatabase, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], { env: environmentOf(database) })
}

function environmentOf({ url }: FreshDatabase) {
  return { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: url, NYMDEX_BASE_URL: BASE }
}

function nymdex(database: FreshDatabase, args: readonly string[], input = ''): Promise<Ended> {
  return runCommand(args, environmentOf(database), input)
}

/** Runs the command, which must succeed, and returns what it printed. */
async function works(database: FreshDatabase, args: readonly string[], input?: string): Promise<string> {
  const { code, out, err } = await nymdex(database, args, input)
  assert.deepEqual({ code, err }, { code: 0, err: '' })
  return out
}

/** Runs the command, which must fail with one line and exit code 1. */
async function fails(database: FreshDatabase, args: readonly string[]): Promise<string> {
  const { code, out, err } = await nymdex(database, args)
  assert.deepEqual({ code, out }, { code: 1, out: '' })
  assert.match(err, /^nymdex: [^\n]+\n$/)
  return err.slice('nymdex: '.length, -1)
}

/** A running server, for the duration of the work. */
async function served<T>(database: FreshDatabase, work: (url: string) => Promise<T>): Promise<T> {
  const settings = { NYMDEX_PAGE_SIZE: '1000', NYMDEX_BASE_URL: BASE }
  const server = await startServer({ databaseUrl: database.url, port: 0, sample: false, settings })
  try {
    return await work(server.address)
  } finally {
    await server.close()
  }
}

async function withDatabase<T>(
  engine: EngineName,
  sample: boolean,
  work: (database: FreshDatabase) => Promise<T>,
): Promise<T> {
  const database = await freshDatabase(engine, { sample })
  try {
    return await work(database)
  } finally {
    await database.drop()
  }
}

const linesOf = (file: string) => gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
const fileOf = ({ url }: FreshDatabase) => url.slice('sqlite:'.length)

/** Everything except the first line, which has the time, and the last, which has its checksum. */
const contentsOf = (file: string) => linesOf(file).slice(1, -1)

/** The content of a database, as a backup has it. */
async function held({ url }: { readonly url: string }): Promise<string[]> {
  const file = join(mkdtempSync(join(folder, 'held-')), 'held.backup')
  const store = await openStore(url, catalogue)
  await backUp(engineOn(store, catalogue), file, { force: true })
  await store.close()
  return contentsOf(file)
}

async function logOf({ url }: { readonly url: string }): Promise<string> {
  const store = await openStore(url, catalogue)
  try {
    return (await store.read(() => store.changes.bounds())).log
  } finally {
    await store.close()
  }
}

async function send(url: string, path: string, authorization: string, body: object, headers = {}) {
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: reply.status, json: (await reply.json()) as any }
}

/** All records of each collection, as they are sent. */
async function pagesOf(url: string): Promise<Record<string, string>> {
  const get = async (path: string) => await (await fetch(`${url}${path}`)).text()
  const index: Record<string, string> = JSON.parse(await get('api/'))
  const names = [...Object.keys(index), ...catalogue.map(({ name }) => name), 'changes', 'fit/results']
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await get(`api/${name}/`)])))
}

const term = (name: string) => ({ name, mode: 'part', p1: 'sleeve', p2: 'collar' })

// Most of the time goes into starting programs, and there is more than one core.
describe('Backup and restore', { concurrency: 2 }, () => {
  for (const engine of ENGINES) {
    const other = OTHER[engine]

    describe(`${engine} to ${other}`, { concurrency: 1 }, () => {
      let database: FreshDatabase
      let ada = ''
      before(async () => {
        database = await freshDatabase(engine, { sample: true })
        await works(database, ['user', 'add', 'ada', '--staff', '--password-stdin'], PASSWORD)
        ada = `Token ${(await works(database, ['token', 'create', 'ada', '--name', 'test'])).trim()}`
      })
      after(() => database.drop())

      test('{times.backup} {fit.backup} {play.backup} a restore on the other engine has the same pages, users, judgements, rounds, tokens, hooks, votes, stored responses and ids', async () => {
        const file = join(folder, `${engine}.backup`)
        const basic = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`
        const keyed = { 'idempotency-key': 'once' }
        const hooksAt = async (url: string) =>
          await (await fetch(`${url}api/hook/`, { headers: { authorization: ada } })).text()
        const roundsAt = async (url: string) =>
          await (await fetch(`${url}api/play/polypuzzle/`, { headers: { authorization: ada } })).text()
        const { pages, hooks, rounds, kept, gone, cookie } = await served(database, async (url) => {
          const made = await send(url, 'api/polynym/', ada, term('kept'), keyed)
          assert.equal(made.status, 201)
          assert.equal((await send(url, `api/polynym/${made.json.polynym_id}/vote/`, ada, {})).status, 200)
          const login = await fetch(`${url}accounts/login/`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ username: 'ada', password: PASSWORD }),
          })
          const cookie = login.headers.getSetCookie()[0]!.split(';', 1)[0]!
          assert.equal((await fetch(`${url}accounts/`, { headers: { cookie } })).status, 200)
          const last = (await send(url, 'api/polynym/', ada, term('gone'))).json.polynym_id
          await fetch(`${url}api/polynym/${last}/`, { method: 'DELETE', headers: { authorization: ada } })
          const judged = { phrase: 1, quadranym: 1, fits: false }
          assert.equal((await send(url, 'api/fit/', ada, judged)).status, 201)
          assert.equal((await send(url, 'api/play/polypuzzle/', ada, {})).status, 201)
          const hook = { url: 'https://receiver.example/', active: false }
          assert.equal((await send(url, 'api/hook/', ada, hook)).status, 201)
          const said = await works(database, ['backup', file])
          assert.match(said, /^backed up \d{3,} records, \d+ accounts and 1 token to .+\.backup \(\d+\.\d kB\)\n$/)
          const rounds = (await roundsAt(url)).replaceAll(url, '')
          return {
            pages: await pagesOf(url),
            hooks: await hooksAt(url),
            rounds,
            kept: made,
            gone: last as number,
            cookie,
          }
        })
        assert.equal(statSync(file).mode & 0o777, 0o600)
        assert.equal(existsSync(`${file}.partial`), false)

        await withDatabase(other, false, async (restored) => {
          const said = await works(restored, ['restore', file])
          assert.match(
            said,
            /^restored \d{3,} records, \d+ accounts and 1 token, as they were at [0-9TZ:.-]{24}\nrestored 1 staff account: ada\n$/,
          )
          assert.deepEqual(await held(restored), contentsOf(file))
          await served(restored, async (url) => {
            assert.deepEqual(await pagesOf(url), pages)
            assert.equal(await hooksAt(url), hooks)
            assert.equal((await roundsAt(url)).replaceAll(url, ''), rounds)
            for (const authorization of [basic, ada]) {
              const whoami = await (await fetch(`${url}accounts/`, { headers: { authorization } })).text()
              assert.equal(whoami, '{"username":"ada","staff":true}')
            }
            assert.equal((await fetch(`${url}accounts/`, { headers: { cookie } })).status, 401)
            assert.deepEqual(await send(url, 'api/polynym/', ada, term('kept'), keyed), kept)
            assert.equal((await send(url, 'api/polynym/', ada, term('after'))).json.polynym_id, gone + 1)
          })
        })
      })

      test('a backup made while others write shows one moment', async () => {
        const file = join(folder, `${engine}-busy.backup`)
        const WRITERS = ['w1', 'w2', 'w3']
        await served(database, async (url) => {
          let stop = false
          const write = async (name: string) => {
            const { json } = await send(url, 'api/polynym/', ada, term(name))
            const set = { name, polynyms: [json.polynym_id] }
            assert.equal((await send(url, 'api/polyset/', ada, set)).status, 201)
          }
          const keepWriting = async (writer: string) => {
            for (let i = 1; !stop; i++) {
              await write(`${writer} ${i}`)
              // As fast as they can, they would take the processor from the backup.
              await setTimeout(5)
            }
          }
          for (const writer of WRITERS) await write(`${writer} 0`)
          const writing = WRITERS.map(keepWriting)
          await works(database, ['backup', file])
          stop = true
          await Promise.all(writing)
        })
        const rows = contentsOf(file).map((line) => JSON.parse(line))
        const named = (table: string, writer: string) =>
          rows
            .filter((row) => row.in === table && row.columns.name.startsWith(`${writer} `))
            .map((row) => row.columns.name)
        for (const writer of WRITERS) {
          const [polynyms, polysets] = [named('polynym', writer), named('polyset', writer)]
          assert.ok(polynyms.length > 0)
          // Each writer wrote one record after the other, so a moment has all of them up to one.
          assert.deepEqual(
            polynyms,
            polynyms.map((_, i) => `${writer} ${i}`),
          )
          assert.deepEqual(polysets, polynyms.slice(0, polysets.length))
          assert.ok(polynyms.length - polysets.length <= 1)
        }
        await withDatabase(other, false, async (restored) => {
          // Every reference leads somewhere, or the restore would fail.
          await works(restored, ['restore', file])
          assert.deepEqual(await held(restored), contentsOf(file))
        })
      })

      test('only --force replaces a database that has records, and the old one is kept', async () => {
        const empty = join(folder, `${engine}-empty.backup`)
        await withDatabase(engine, false, async (fresh) => {
          // Tables without records are nothing to lose.
          await held(fresh)
          await works(fresh, ['backup', empty])
          assert.match(await works(fresh, ['restore', empty]), /^restored 0 records, 0 accounts and 0 tokens/)
        })
        const full = join(folder, `${engine}-full.backup`)
        await works(database, ['backup', full])
        assert.equal(await fails(database, ['backup', full]), `${full} exists; --force replaces it`)
        await works(database, ['backup', full, '--force'])

        const refusal = await fails(database, ['restore', empty])
        if (engine === 'SQLite') {
          assert.match(refusal, /n\.db exists and holds \d+ records; --force replaces it and keeps the old file$/)
          await served(database, async () => {
            const message = await fails(database, ['restore', empty, '--force'])
            assert.equal(message, `${fileOf(database)} is in use: stop the server first`)
          })
        } else {
          assert.match(refusal, /^the database holds \d+ records; --force replaces them and first backs them up$/)
        }
        assert.deepEqual(await held(database), contentsOf(full))

        // Like a database from before files were for their owner only.
        if (engine === 'SQLite') chmodSync(fileOf(database), 0o644)
        const [, kept] = (await works(database, ['restore', empty, '--force'])).split('\n')
        // No id is used twice, even if the backup does not know of it.
        assert.deepEqual(await held(database), [contentsOf(full).at(-1)])
        const [, path] = /^(?:the old database is|the old content is in) (.+)$/.exec(kept!)!
        if (engine === 'SQLite') {
          assert.match(path!, /\.before-restore-\d{8}T\d{6}\.\d{3}Z$/)
          for (const each of [path!, fileOf(database)]) assert.equal(statSync(each).mode & 0o777, 0o600)
          assert.deepEqual(await held({ url: `sqlite:${path}` }), contentsOf(full))
        } else {
          assert.equal(dirname(path!), folder)
          assert.deepEqual(contentsOf(path!), contentsOf(full))
        }
        const log = await logOf(database)
        await works(database, ['restore', full, '--force'])
        // Clients that followed the log must read everything again.
        assert.notEqual(await logOf(database), log)
        assert.deepEqual(await held(database), contentsOf(full))
      })

      test('a restore that is killed leaves the database unchanged, and the next one works', async () => {
        const place = mkdtempSync(join(folder, 'killed-'))
        const file = join(place, 'many.backup')
        writeFileSync(file, backupOf(4000))
        await withDatabase(engine, false, async (victim) => {
          await works(victim, ['user', 'add', 'ada', '--password-stdin'], PASSWORD)
          const begun =
            engine === 'SQLite'
              ? appears(dirname(fileOf(victim)), /\.restoring$/)
              : appears(place, /^nymdex-before-restore-.*\.backup$/)
          const child = start(victim, ['restore', file, '--force'])
          const killed = new Promise((exited) => child.once('exit', (_, signal) => exited(signal)))
          await begun
          child.kill('SIGKILL')
          assert.equal(await killed, 'SIGKILL')
          assert.equal(await works(victim, ['user', 'list']), 'ada\tuser\n')
          // What a restore leaves when it is ended at its very last step: a second name for the database.
          if (engine === 'SQLite') linkSync(fileOf(victim), `${fileOf(victim)}.before-restore-interrupted`)
          assert.match(await works(victim, ['restore', file, '--force']), /^restored 0 records, 4000 accounts /)
          if (engine === 'SQLite') {
            const left = readdirSync(dirname(fileOf(victim))).sort()
            assert.match(left.join(' '), /^n\.db n\.db\.before-restore-2\S+Z$/)
          }
        })
      })
    })
  }
})

/** Whether a file of this name exists. */
function appears(place: string, name: RegExp): Promise<void> {
  return new Promise((seen) => {
    const watcher = watch(place, (_, changed) => {
      if (!name.test(changed ?? '') || !existsSync(join(place, changed!))) return
      watcher.close()
      seen()
    })
  })
}

/** A backup made by hand, with this many accounts. */
function backupOf(accounts: number, header: object = {}, password = ''): Buffer {
  const at = '2026-01-02T03:04:05.678Z'
  const rows = Array.from({ length: accounts }, (_, i) => {
    const columns = { id: i + 1, name: `n${i}`, password, staff: 0, removed: 0, joined: at }
    return { in: 'account', columns }
  })
  const lines = [
    { nymdex: 'backup', format: 1, version: NEWEST_VERSION, at, ...header },
    ...rows,
    { ids: { account: accounts } },
  ]
  const counts = { account: accounts, token: 0, kept_answer: 0 }
  const none = Object.fromEntries(catalogue.map(({ name }) => [name, 0]))
  return packedLines(lines, { ...counts, ...none })
}

/** The lines of a backup with the last one, compressed like a backup. */
function packedLines(lines: readonly object[], counts: object): Buffer {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  const end = JSON.stringify({ end: true, counts, sha256 })
  return Buffer.concat([gzipSync(text), gzipSync(`${end}\n`)])
}

describe('An invalid backup', () => {
  const whole = backupOf(3)
  const nowhere: FreshDatabase = { url: 'sqlite:/nowhere/n.db', drop: async () => {} }
  const given = (name: string, content: Buffer | string) => {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }

  test('restore --check says what a file contains, and needs no database', async () => {
    const file = given('whole.backup', whole)
    const said = await works(nowhere, ['restore', '--check', file])
    assert.match(
      said,
      /is whole: 0 records, 3 accounts and 0 tokens, as they were at 2026-01-02T03:04:05.678Z\naccount\t3\n/,
    )
    // Compressed again, it is the same.
    const repacked = given('repacked.backup', gzipSync(gunzipSync(whole), { level: 9 }))
    assert.deepEqual(checkBackup(repacked, catalogue), checkBackup(file, catalogue))
  })

  test('the command says in one line what is wrong, and leaves the database unchanged', async () => {
    await withDatabase('SQLite', false, async (database) => {
      const file = given('cut.backup', whole.subarray(0, whole.length - 20))
      assert.equal(await fails(database, ['restore', file]), `${file} is cut short`)
      const missing = join(folder, 'missing.backup')
      assert.equal(await fails(database, ['restore', missing]), `${missing}: no such file or directory`)
      assert.equal(await fails(database, ['backup', missing]), `there is no database ${fileOf(database)}`)
      assert.deepEqual(readdirSync(dirname(fileOf(database))), [])
      writeFileSync(fileOf(database), 'not a database, but somebody may want it')
      const good = given('good.backup', whole)
      const refusal = await fails(database, ['restore', good])
      assert.match(refusal, /n\.db is not an SQLite database; --force replaces it and keeps the old file$/)
      const [, kept] = /the old database is (.+)\n/.exec(await works(database, ['restore', good, '--force']))!
      assert.equal(readFileSync(kept!, 'utf8'), 'not a database, but somebody may want it')
      assert.equal(
        await works(database, ['user', 'list']),
        'n0\tcannot sign in\nn1\tcannot sign in\nn2\tcannot sign in\n',
      )
    })
  })

  test('the restore names the staff, and texts that are longer than the rules allow', async () => {
    await withDatabase('SQLite', true, async (database) => {
      for (const name of ['mira', 'kenji']) await works(database, ['user', 'staff', name, 'on'])
      const good = join(folder, 'staff.backup')
      await works(database, ['backup', good])
      assert.match(await works(nowhere, ['restore', '--check', good]), /\nit holds 2 staff accounts: \S+, \S+\n$/)
      const lines = linesOf(good).map((line) => JSON.parse(line))
      const { counts } = lines.pop()
      const long = lines.filter((line) => line.in === 'polynym').slice(0, 2)
      long[0].columns.name = 'n'.repeat(201)
      long[1].columns.p2 = '𝒹'.repeat(501)
      const file = given('long.backup', packedLines(lines, counts))
      const { code, out, err } = await nymdex(database, ['restore', '--force', file])
      assert.equal(code, 0)
      assert.match(
        out,
        /^restored [\d,]+ records.*\nthe old database is .*\nrestored 2 staff accounts: (mira, kenji|kenji, mira)\n$/,
      )
      assert.equal(
        err,
        `warning: 2 records have texts longer than the rules allow: polynym ${long[0].id} (name), polynym ${long[1].id} (p2)\n`,
      )
    })
  })

  test('a line that is too long for the memory is refused, however it is compressed', async () => {
    const header = gzipSync('{"nymdex":"backup","format":1,"version":1,"at":"2026-01-02T03:04:05.678Z"}\n{"in":"')
    const mebibyte = Buffer.alloc(2 ** 20, 'a')
    const many = Buffer.concat([header, ...Array<Buffer>(17).fill(gzipSync(mebibyte))])
    const one = Buffer.concat([header, gzipSync(Buffer.alloc(200 * 2 ** 20, 'a'))])
    for (const content of [many, one]) {
      const file = given('long-line.backup', content)
      const words = await fails(nowhere, ['restore', '--check', file])
      assert.equal(words, `${file} cannot be restored: line 2 is longer than 16 MiB`)
    }
  })

  /** Accounts with long lines, because many lines take longer. */
  const LARGE = 16_000

  test('a large backup that was compressed again as one piece is read, and its faults are found', () => {
    const text = gunzipSync(backupOf(LARGE, {}, 'x'.repeat(1000)))
    assert.ok(text.length > 16 * 2 ** 20)
    const packed = gzipSync(text)
    assert.equal(checkBackup(given('large.backup', packed), catalogue).counts['account'], LARGE)
    const refused = (content: Buffer, words: RegExp) =>
      assert.throws(() => checkBackup(given('large.backup', content), catalogue), { name: 'Error', message: words })
    for (const length of [9, 5000, packed.length >> 1])
      refused(packed.subarray(0, packed.length - length), /is cut short/)
    refused(packed.subarray(0, packed.length - 3), /is cut short/)
    const damaged = Buffer.from(packed)
    damaged[packed.length - 6]! ^= 1
    refused(damaged, /is damaged/)
    refused(Buffer.concat([packed, Buffer.alloc(20)]), /is damaged/)
    refused(text, /is not a Nymdex backup/)
  })

  test('each fault has its own message', () => {
    const [first, last] = [whole.subarray(0, whole.lastIndexOf(Buffer.from([0x1f, 0x8b]))), backupOf(2)]
    const wordsFor = (content: Buffer | string) => {
      const file = given('bad.backup', content)
      try {
        checkBackup(file, catalogue)
      } catch (error) {
        assert.ok(error instanceof BadBackup, String(error))
        return error.message.replace(`${file} `, '')
      }
      return 'good'
    }
    const cases: readonly (readonly [Buffer | string, string])[] = [
      [whole, 'good'],
      ['', 'is empty'],
      ['{"nymdex":"backup"}\n', 'is not a Nymdex backup'],
      [gzipSync('{"name":"coat"}\n'), 'is not a Nymdex backup'],
      [first, 'is cut short: its last line is missing'],
      [whole.subarray(0, 40), 'is cut short'],
      [Buffer.concat([whole, whole]), 'is damaged: it continues after its end'],
      [Buffer.concat([whole, Buffer.from('more of something else')]), 'is damaged'],
      [Buffer.concat([whole, Buffer.alloc(20)]), 'is damaged'],
      [
        Buffer.concat([first, last.subarray(last.lastIndexOf(Buffer.from([0x1f, 0x8b])))]),
        'is damaged: its checksum is wrong',
      ],
      [backupOf(1, { format: 2 }), 'was made by a newer Nymdex: its format is 2, this one reads 1'],
      [
        backupOf(1, { version: 99 }),
        `was made by a newer Nymdex: its version is 99, this one knows versions up to ${NEWEST_VERSION}`,
      ],
    ]
    for (const [content, words] of cases) assert.equal(wordsFor(content), words)
    // Every lost or changed byte is reported; in a header, only the parts that matter.
    for (let i = 0; i < whole.length; i++) {
      assert.match(wordsFor(whole.subarray(0, i)), /^is (cut short|empty)/, `cut at ${i}`)
      const changed = Buffer.from(whole)
      changed[i]! ^= 0x10
      const verdict = wordsFor(changed)
      if (verdict === 'good') assert.deepEqual(gunzipSync(changed), gunzipSync(whole), `changed at ${i}`)
    }
  })
})
