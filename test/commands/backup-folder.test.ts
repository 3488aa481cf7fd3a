/** A folder of backups, as operators keep it: each is verified, old ones are deleted, and damage is noticed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import SQLite from 'better-sqlite3'
import { catalogue } from '../../src/catalogue/index.ts'
import { readKeep } from '../../src/cli/backup-times.ts'
import { engineOn } from '../../src/engine/index.ts'
import { openStore } from '../../src/store/index.ts'
import { backUpInto, backupState, keepBackups } from '../../src/transfer/index.ts'
import { BIN, type Ended, ended, runCommand } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let folder = ''
let database: FreshDatabase
/** It has no records, so that its backups are made and verified quickly. */
let empty: FreshDatabase
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nymdex-backups-'))
  database = await freshDatabase('SQLite', { sample: true })
  empty = await freshDatabase('SQLite', { sample: false, tables: true })
})
after(async () => {
  await Promise.all([database.drop(), empty.drop()])
  rmSync(folder, { recursive: true, force: true })
})

function nymdex(args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ''): Promise<Ended> {
  return runCommand(args, { PATH: process.env['PATH'], DATABASE_URL: empty.url, ...env }, input)
}

/** Runs the command, which must succeed, and returns what it printed. */
async function works(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, err } = await nymdex(args, env)
  assert.deepEqual({ code, err }, { code: 0, err: '' })
  return out
}

/** Runs the command, which must fail with one line. */
async function fails(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, err } = await nymdex(args, env)
  assert.equal(code, 1)
  assert.match(err, /^nymdex: [^\n]+\n$/)
  return err.slice('nymdex: '.length, -1)
}

const isWindows = process.platform === 'win32'
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const namesIn = (place: string) => readdirSync(place).toSorted()

describe('nymdex backup --to', () => {
  test('it restores each backup to verify it, keeps a record of it, and lets only its owner read both', async () => {
    const to = join(folder, 'new', 'backups')
    // What another user left among temporary files.
    const temporary = join(folder, 'temporary')
    const foreign = join(temporary, 'nymdex-verify-99999999-other')
    mkdirSync(join(foreign, 'inner'), { recursive: true })
    chmodSync(foreign, 0)
    if (process.getuid?.() === 0) chownSync(foreign, 1, 1)
    const said = await works(['backup', '--to', to], { DATABASE_URL: database.url, TMPDIR: temporary })
    assert.deepEqual(namesIn(temporary), ['nymdex-verify-99999999-other'])
    chmodSync(foreign, 0o700)
    const [, path = ''] =
      /^backed up 1\d{3} records, \d accounts and 0 tokens to (\S+) \(\d+\.\d kB\), and verified it, in [\d.]+ s\n$/.exec(
        said,
      ) ?? []
    const [name, recordOfIt] = namesIn(to)
    assert.deepEqual([path, recordOfIt, namesIn(to).length], [join(to, name!), `${name}.json`, 2])
    assert.match(name!, /^nymdex-\d{8}T\d{6}\.\d{3}Z\.backup$/)
    assert.deepEqual([modeOf(to), modeOf(path), modeOf(`${path}.json`)], ['700', '600', '600'])
    const { lastGood, good, damaged, failed, tooOpen } = await backupState(to)
    assert.deepEqual([good.length, damaged, failed, tooOpen], [1, [], [], []])
    assert.equal(lastGood?.sha256, createHash('sha256').update(readFileSync(path)).digest('hex'))
    assert.equal(lastGood.bytes, statSync(path).size)
    assert.ok(lastGood.sampled > 100 && lastGood.counts['account']! > 0)
    // The settings of servers are enough.
    const settings = { NYMDEX_BACKUP_TO: to, NYMDEX_BACKUP_EVERY: '1d' }
    assert.equal(await works(['backup', '--once'], settings), `no backup is due in ${to}\n`)
    assert.match(await works(['backup'], settings), /^backed up /)
    assert.match(await works(['restore', '--check', path]), /is whole: 1\d{3} records/)
  })

  test('old backups are deleted, and files that Nymdex did not make are not', async () => {
    const to = join(folder, 'old')
    await works(['backup', '--to', to])
    const [name = ''] = namesIn(to)
    const record = JSON.parse(readFileSync(join(to, `${name}.json`), 'utf8'))
    const put = (day: string, at: string, change = {}) => {
      const file = `nymdex-${at.slice(0, 4) || '2020'}01${day}T000000.000Z.backup`
      writeFileSync(join(to, file), readFileSync(join(to, name)))
      if (at) writeFileSync(join(to, `${file}.json`), JSON.stringify({ ...record, file, at, ...change }))
      return file
    }
    const old = [put('01', '2020-01-01T00:00:00.000Z'), put('02', '2020-01-02T00:00:00.000Z')]
    const last = put('03', '2020-01-03T00:00:00.000Z')
    const foreign = [put('04', ''), put('05', '2020-01-05T00:00:00.000Z', { nymdex: 'something else' })]
    // Their disk was away for a moment.
    const error = 'it cannot be read: EIO: i/o error, read'
    const away = ['11', '12', '13', '14'].map((day) => put(day, `2020-01-${day}T00:00:00.000Z`, { error }))
    // The clock was wrong for a moment.
    const wrong = '2099-01-06T00:00:00.000Z'
    const future = put('06', wrong, { checked: wrong })
    writeFileSync(join(to, 'notes.txt'), 'mine')
    writeFileSync(join(to, `${name}.unverified`), 'of a run that was killed')
    const [oddFolder, oddLink] = ['nymdex-20200121T000000.000Z.backup.unverified', 'nymdex-20200122T000000.000Z.backup']
    mkdirSync(join(to, oddFolder))
    symlinkSync(oddLink, join(to, oddLink))
    assert.equal(
      await works(['backup', '--to', to, '--every', '1h', '--once', '--keep', '24h,7d,4w']),
      `no backup is due in ${to}\ndeleted 2 old backups: ${old.toReversed().join(', ')}\n`,
    )
    assert.deepEqual(
      namesIn(to),
      [
        ...[...foreign, `${foreign[1]}.json`, last, `${last}.json`],
        ...[name, `${name}.json`, future, `${future}.json`, 'notes.txt'],
        ...[oddFolder, oddLink],
        ...away.flatMap((file) => [file, `${file}.json`]),
      ].toSorted(),
    )
    assert.notEqual(JSON.parse(readFileSync(join(to, `${future}.json`), 'utf8')).checked, wrong)
  })

  test('a damaged backup is noticed, and the last good one stays', async () => {
    const to = join(folder, 'damaged')
    for (let i = 0; i < 2; i++) await works(['backup', '--to', to])
    const [older = '', , newer = ''] = namesIn(to)
    assert.equal(await works(['backup', '--to', to, '--check']), `checked 2 backups in ${to}\n`)
    appendFileSync(join(to, newer), 'x')
    const bytes = statSync(join(to, newer)).size
    const words = `${join(to, newer)} is damaged: it has ${bytes} bytes, and had ${bytes - 1}`
    assert.equal(await fails(['backup', '--to', to, '--check']), words)
    const { lastGood, damaged } = await backupState(to)
    assert.deepEqual([lastGood?.file, damaged.map(({ file }) => file)], [older, [newer]])
    chmodSync(to, 0o755)
    const settings = { PORT: '0', NYMDEX_BACKUP_TO: to, NYMDEX_BACKUP_EVERY: '1m' }
    const diagnosis = (await nymdex(['doctor'], settings)).out
    assert.ok(
      diagnosis.includes(`ok    the last good backup is ${older}, 0 minutes old, of 1 good backup\n`),
      diagnosis,
    )
    assert.ok(diagnosis.includes(`fail  the backup ${newer} is damaged: it has `))
    assert.ok(diagnosis.includes(`warn  ${to} can be read or changed by others, `))
    // As it is three minutes later.
    const record = join(to, `${older}.json`)
    const told = JSON.parse(readFileSync(record, 'utf8'))
    const at = new Date(Date.now() - 180_000).toISOString()
    writeFileSync(record, JSON.stringify({ ...told, at }), { mode: 0o600 })
    const later = (await nymdex(['doctor'], settings)).out
    assert.ok(
      later.includes(`warn  the last good backup is ${older}, 3 minutes old, although one is due every minute: `),
      later,
    )
    // Servers report it once; an operator is told each time. The next backup is due although the damaged one is new.
    await works(['backup', '--to', to, '--check', '--once'])
    assert.equal(await fails(['backup', '--to', to, '--check']), words)
    rmSync(join(to, newer))
    const { code, err } = await nymdex(['backup', '--to', to, '--check'])
    assert.deepEqual([code, err], [0, `warning: ${join(to, newer)} was deleted, and not by Nymdex\n`])
  })

  test('a backup that is not like its source when it is restored is kept under another name', async () => {
    const sick = await freshDatabase('SQLite', { sample: true })
    // A computed value that is wrong: the restored record has the right one.
    new SQLite(sick.url.replace('sqlite:', '')).exec('UPDATE polynym SET depth = 99 WHERE id = 3').close()
    const to = join(folder, 'sick')
    await works(['backup', '--to', to])
    const [good = ''] = namesIn(to)
    const words = await fails(['backup', '--to', to], { DATABASE_URL: sick.url })
    const [, name] =
      new RegExp(
        `^${to}/(nymdex-\\S+\\.backup\\.failed) is not good: some records of polynym after id 0 differ from those of the source: `,
      ).exec(words) ?? assert.fail(words)
    const { lastGood, failed } = await backupState(to)
    assert.deepEqual([lastGood?.file, failed.map(({ file }) => file)], [good, [name]])
    assert.match(
      (await nymdex(['doctor'], { PORT: '0', NYMDEX_BACKUP_TO: to })).out,
      /fail {2}the backup \S+ could not be restored: /,
    )
    await sick.drop()
  })

  test('what cannot be done is reported in one line', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    assert.match(await fails(['backup', '--to', file]), /: (file already exists|not a directory)$/)
    assert.match(await fails(['backup']), /^give a file, such as nymdex\.backup, or a folder of backups: --to /)
    assert.match(await fails(['backup', 'x.backup', '--keep', '7d']), /^--keep is for a folder of backups: leave out /)
    assert.equal(
      await fails(['backup', '--to', folder, '--every', '1y']),
      '--every: "1y" is not a time from 1m to 4w, such as 30m, 1h or 1d',
    )
    assert.equal(
      await fails(['backup', '--to', folder, '--keep', '7']),
      '--keep: "7" is not all, or numbers of hours, days and weeks, such as 24h,7d,4w or 14d',
    )
    const busy = join(folder, 'busy')
    mkdirSync(busy)
    writeFileSync(join(busy, '.nymdex-backup.lock'), JSON.stringify({ host: 'other.example', pid: 7 }))
    const inUse = `process 7 on other.example makes a backup in ${busy} at the moment`
    assert.equal(await fails(['backup', '--to', busy]), inUse)
  })

  test('a disk that is full is reported in one line, and leaves nothing behind', { skip: isWindows }, async () => {
    const to = join(folder, 'full')
    // The system lets this process write files of up to 64 blocks, which is less than the backup has.
    const script = `trap '' XFSZ; ulimit -f 64; exec "$0" "$@"`
    const env = { PATH: process.env['PATH'], DATABASE_URL: database.url }
    const { code, err } = await ended(spawn('sh', ['-c', script, process.execPath, BIN, 'backup', '--to', to], { env }))
    assert.deepEqual([code, namesIn(to)], [1, []])
    assert.match(err, /^nymdex: .*file too large.*\n$/)
    // In /proc, where nobody can make a folder, the system says that there is none.
    const nowhere = spawn(process.execPath, [BIN, 'backup', '--to', '/proc/nymdex'], {
      env,
      timeout: 60_000,
      killSignal: 'SIGKILL',
    })
    const refused = await ended(nowhere)
    assert.deepEqual([refused.code, refused.err.split('\n').length], [1, 2], refused.err)
  })
})

describe('Encrypted backups', () => {
  let key = ''
  let publicKey = ''
  before(async () => {
    key = join(folder, 'key.txt')
    publicKey = join(folder, 'public.txt')
    const identity = await generateX25519Identity()
    const recipient = await identityToRecipient(identity)
    // As age-keygen writes it.
    const lines = ['# created: 2026-11-17T10:00:00Z', `# public key: ${recipient}`, identity, '']
    writeFileSync(key, lines.join('\n'), { mode: 0o600 })
    writeFileSync(publicKey, `${recipient}\n`)
  })

  /** Makes a backup, and returns its path. */
  async function backedUp(to: string, keyFile: string): Promise<string> {
    const said = await works(['backup', '--to', to, '--key', keyFile])
    return / to (\S+\.backup\.age) \(.*\), and verified it, /.exec(said)?.[1] ?? assert.fail(said)
  }

  test('they are verified and restored with the secret key, and age can read them', async () => {
    const { code } = await nymdex(['user', 'add', 'ada', '--password-stdin'], {}, 'a good password')
    assert.equal(code, 0)
    const path = await backedUp(join(folder, 'encrypted'), key)
    assert.deepEqual([modeOf(path), modeOf(`${path}.json`)], ['600', '600'])
    const decrypter = new Decrypter()
    decrypter.addIdentity(readFileSync(key, 'utf8').trimEnd().split('\n').at(-1)!)
    const plain = gunzipSync(await decrypter.decrypt(readFileSync(path))).toString('utf8')
    assert.match(plain, /^\{"nymdex":"backup",/)
    assert.ok(!readFileSync(path).includes('ada'))
    const restored = { DATABASE_URL: `sqlite:${join(folder, 'restored.db')}` }
    assert.match(
      await works(['restore', path, '--key', key], restored),
      /^restored 0 records, 1 account and 0 tokens, /,
    )
    assert.equal(await works(['user', 'list'], restored), 'ada\tuser\n')
    assert.match(
      await works(['restore', '--check', path], { NYMDEX_BACKUP_KEY: key }),
      / is whole: 0 records, 1 account /,
    )
    assert.match(
      await works(['doctor'], { PORT: '0', NYMDEX_BACKUP_TO: folder, NYMDEX_BACKUP_KEY: key }),
      /encrypts backups, and can read them/,
    )
  })

  test('with the public key alone, a machine can make them and not read them', async () => {
    const path = await backedUp(join(folder, 'encrypted'), publicKey)
    const closed = `${path} is encrypted: give the file with its secret key with --key`
    assert.equal(await fails(['restore', '--check', path]), closed)
    assert.equal(await fails(['restore', '--check', path, '--key', publicKey]), closed)
    const other = join(folder, 'other.txt')
    writeFileSync(other, await generateX25519Identity(), { mode: 0o600 })
    assert.equal(await fails(['restore', '--check', path, '--key', other]), `${path} is encrypted with another key`)
    const content = readFileSync(path)
    content[content.length - 20]! ^= 1
    const damaged = join(folder, 'damaged.age')
    writeFileSync(damaged, content)
    assert.equal(await fails(['restore', '--check', damaged, '--key', key]), `${damaged} is damaged`)
    writeFileSync(damaged, content.subarray(0, -100))
    assert.equal(await fails(['restore', '--check', damaged, '--key', key]), `${damaged} is damaged`)
    assert.match(await works(['restore', '--check', path, '--key', key]), / is whole: /)
  })

  test('a key that others can read, or that is not valid, is refused', async () => {
    chmodSync(key, 0o640)
    const open = `the key ${key} can be read or changed by others: chmod 600 ${key}`
    assert.equal(await fails(['backup', '--to', folder, '--key', key]), open)
    chmodSync(key, 0o600)
    const bad = join(folder, 'bad.txt')
    for (const text of ['', 'secret', 'AGE-SECRET-KEY-1XYZ']) {
      writeFileSync(bad, text, { mode: 0o600 })
      const said = await fails(['backup', '--to', folder, '--key', bad])
      assert.match(said, /bad\.txt has (no key: it needs lines with age1|a key that is not valid: make another one)/)
      assert.ok(text === '' || !said.includes(text))
    }
  })
})

for (const engine of ENGINES) {
  test(`over three days, backups are made and deleted when they should be (${engine})`, async () => {
    const source = await freshDatabase(engine, { sample: false, tables: true })
    const to = join(folder, `days-${engine}`)
    const start = Date.parse('2026-11-17T10:30:00Z')
    let now = start
    const store = await openStore(source.url, catalogue)
    const backedUp = engineOn(store, catalogue, { now: () => new Date(now) })
    const lock = join(to, '.nymdex-backup.lock')
    // A process with the same number was killed, as it happens in containers.
    mkdirSync(to)
    writeFileSync(lock, JSON.stringify({ host: hostname(), pid: process.pid }))
    const stopping = new AbortController()
    const failures: string[] = []
    const steps: string[] = []
    try {
      await keepBackups(
        {
          folder: to,
          every: 12 * HOUR,
          now: () => now,
          async wait(ms) {
            now += ms
            // Something changes a file.
            const { lastGood } = await backupState(to)
            if (now - start === 37 * HOUR && lastGood) appendFileSync(join(to, lastGood.file), 'x')
            if (now > start + 2.6 * DAY) stopping.abort()
          },
          async run(does) {
            steps.push(`${does} after ${(now - start) / HOUR}`)
            if (now - start === 25 * HOUR) {
              // Another machine, whose clock was wrong, has left this.
              writeFileSync(lock, JSON.stringify({ host: 'other.example', pid: 7 }))
              utimesSync(lock, new Date(), new Date('2099-01-01T00:00:00Z'))
            }
            // The disk is away for a while.
            if (now - start === 12 * HOUR) throw new Error('no disk')
            const { damaged } = await backUpInto(backedUp, {
              folder: to,
              keep: readKeep('2d') ?? 'all',
              every: 12 * HOUR,
            })
            if (damaged[0]) throw new Error(`${damaged[0].at} is damaged`)
          },
          failed: (error) => failures.push(String(error)),
        },
        stopping.signal,
      )
      const due = ['0', '12', '13', '25', '37', '49', '61']
      assert.deepEqual(
        steps,
        due.map((hours) => `backup after ${hours}`),
      )
      // The backup of hour 25 was checked again in hour 37.
      assert.deepEqual(failures, ['Error: no disk', 'Error: 2026-11-18T11:30:00.000Z is damaged'])
      const { good, damaged, failed } = await backupState(to)
      // One of each day, and the newest two.
      const hours = good.map(({ at }) => (Date.parse(at) - start) / HOUR)
      assert.deepEqual([hours, damaged.length, failed.length], [[61, 49, 37], 1, 0])
      assert.deepEqual(
        good.map(({ counts }) => counts['account']),
        [0, 0, 0],
      )
    } finally {
      await store.close()
      await source.drop()
    }
  })
}
