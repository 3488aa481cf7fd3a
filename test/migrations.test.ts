/** Migrates databases of earlier versions, once, completely or not at all. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import SQLite from 'better-sqlite3'
import { checkDatabase } from '../src/cli/doctor/database.ts'
import { integer, resource, text } from '../src/declare/index.ts'
import { logId } from '../src/store/change-log.ts'
import { sourcesFingerprint } from '../src/store/fingerprint.ts'
import { type Database, migrate, openDatabase, openStore, type Step, Unusable, type Work } from '../src/store/index.ts'
import { runCommand } from './support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from './support/databases.ts'
import { Served } from './support/servers.ts'
import { databaseOfVersion, EARLIER_VERSIONS } from './support/versions.ts'

const shell = resource('shell', {
  does: 'A shell from the beach.',
  fields: { name: text({ max: 9 }) },
  derive: {},
  order: ['name'],
  unique: [['name']],
})

/** The shell after the steps have run. */
const heavyShell = resource('shell', {
  does: 'A shell from the beach.',
  fields: { name: text({ max: 9 }), weight: integer({ min: 0, max: 9 }) },
  derive: {},
  order: ['name'],
  unique: [['name']],
})

function* ask(sql: string): Work<readonly object[]> {
  return yield { sql, parameters: [] }
}

let runs = 0
const steps: readonly Step[] = [
  {
    number: 2,
    title: 'Shells have a weight',
    *run({ integer }) {
      runs++
      yield* ask(`ALTER TABLE shell ADD COLUMN weight ${integer} NOT NULL DEFAULT 7`)
    },
  },
  { number: 3, title: 'A table of beaches', run: () => beaches() },
]

function* beaches(): Work<void> {
  yield* ask('CREATE TABLE beach (name TEXT)')
}

for (const engine of ENGINES) {
  describe(`Migrations (${engine})`, () => {
    let fresh: FreshDatabase
    let database: Database
    before(async () => {
      fresh = await freshDatabase(engine, { sample: false })
      database = await openDatabase(fresh.url)
    })
    after(async () => {
      await database.close()
      await fresh.drop()
    })
    const read = (sql: string) => database.read(() => ask(sql))
    const versions = () => read('SELECT number, title FROM migration ORDER BY number')

    test('an empty database gets the tables of the declarations', async () => {
      await migrate(database, [shell], { steps: [] })
      assert.deepEqual(await versions(), [{ number: 1, title: 'The tables of the catalogue' }])
      assert.deepEqual(await read('SELECT name FROM shell'), [])
    })

    test('a changed index is made again, and the log keeps its id: no value has changed', async () => {
      const before = await database.read(logId)
      const definitions = async () => (await database.read(() => ask(database.dialect.indexes))) as { name: string }[]
      const wanted = await definitions()
      database.guardVersion(undefined)
      await database.write(function* () {
        yield* ask('DROP INDEX shell_order')
        yield* ask('CREATE INDEX shell_order ON shell (name)')
        yield* ask('DELETE FROM declaration')
      })
      assert.notDeepEqual(new Set(await definitions()), new Set(wanted))
      await migrate(database, [shell], { steps: [] })
      assert.deepEqual(new Set(await definitions()), new Set(wanted))
      assert.equal(await database.read(logId), before)
    })

    test('a step that fails changes nothing', async () => {
      const broken: Step = {
        number: 3,
        title: 'Broken',
        run: () => ask('ALTER TABLE nowhere ADD COLUMN x TEXT') as Work<never>,
      }
      await assert.rejects(migrate(database, [heavyShell], { steps: [steps[0]!, broken] }))
      assert.equal((await versions()).length, 1)
      await assert.rejects(read('SELECT weight FROM shell'))
    })

    test('the steps that a database has not seen run in order, once, however many processes start at the same time', async () => {
      runs = 0
      const others = await Promise.all([1, 2, 3].map(() => openDatabase(fresh.url)))
      await Promise.all([database, ...others].map((each) => migrate(each, [heavyShell], { steps })))
      await Promise.all(others.map((each) => each.close()))
      assert.equal(runs, 1)
      assert.deepEqual(
        (await versions()).map((row) => Object.values(row)[0]),
        [1, 2, 3],
      )
      assert.deepEqual(await read('SELECT weight FROM shell'), [])
      assert.deepEqual(await read('SELECT name FROM beach'), [])
    })

    test('a database of a newer version is refused', async () => {
      await assert.rejects(migrate(database, [shell], { steps: [] }), (error) => {
        return error instanceof Unusable && /has version 3, .* up to 1: use a newer Nymdex/.test(error.message)
      })
    })
  })
}

test('a check-out with other line ends, or compiled sources, has a fingerprint, too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-sources-'))
  const original = join(import.meta.dirname, '..', 'src')
  for (const name of ['declare', 'catalogue', 'language', 'store']) {
    mkdirSync(join(folder, name))
    for (const file of readdirSync(join(original, name)).filter((each) => each.endsWith('.ts'))) {
      const source = readFileSync(join(original, name, file), 'utf8')
      writeFileSync(join(folder, name, file), source.replaceAll('\n', '\r\n'))
      writeFileSync(join(folder, name, file.replace(/ts$/, 'js')), source)
    }
  }
  const ours = sourcesFingerprint(join(original, 'store'), '.ts')
  assert.equal(sourcesFingerprint(join(folder, 'store'), '.ts'), ours)
  assert.notEqual(sourcesFingerprint(join(folder, 'store'), '.js'), ours)
  appendFileSync(join(folder, 'language', 'words.ts'), '// changed\r\n')
  assert.notEqual(sourcesFingerprint(join(folder, 'store'), '.ts'), ours)
  rmSync(folder, { recursive: true })
})

test('a start waits for a process that writes, but only if it has to change the tables (SQLite)', async (t) => {
  const { url, drop } = await freshDatabase('SQLite', { sample: false })
  t.after(drop)
  await (await openStore(url, [shell])).close()
  const other = new SQLite(url.slice('sqlite:'.length))
  other.exec('BEGIN IMMEDIATE')
  await (await openStore(url, [shell])).close()
  const lines: string[] = []
  const report = (line: string) => {
    lines.push(line)
    if (other.inTransaction) other.exec('COMMIT')
  }
  await (await openStore({ url, report }, [heavyShell])).close()
  other.close()
  assert.deepEqual(lines, [
    'another process has locked the database: waiting up to 5 minutes before the tables are changed',
    'brought the tables in line with the declarations: added shell.weight',
  ])
})

test('a new database notes the steps it does not need as done', async () => {
  const { url, drop } = await freshDatabase('SQLite', { sample: false })
  const database = await openDatabase(url)
  runs = 0
  await migrate(database, [heavyShell], { steps })
  assert.equal(runs, 0)
  assert.equal((await database.read(() => ask('SELECT number FROM migration'))).length, 3)
  await database.close()
  await drop()
})

test('migrate creates no database', async () => {
  const { code, err } = await runCommand(['migrate'], { PATH: process.env['PATH'], DATABASE_URL: 'sqlite:no/such.db' })
  assert.deepEqual([code, err], [1, 'nymdex: there is no database no/such.db\n'])
})

for (const engine of ENGINES) {
  for (const version of EARLIER_VERSIONS) {
    test(`a database of version ${version} opens with all its data (${engine})`, async (t) => {
      const { url, drop } = await databaseOfVersion(engine, version)
      t.after(drop)
      const plan = () => runCommand(['migrate', '--plan'], { PATH: process.env['PATH'], DATABASE_URL: url })
      const { code, out, err } = await plan()
      assert.equal(code, 0, err)
      assert.match(out, /^step 12: Boards of the day, .*$/m)
      assert.match(out, /^add table play_board$/m)
      assert.match(out, /^check 4 records of polynym$/m)
      const served = await Served.on(url, { keeps: 'nothing' })
      t.after(() => served.stop())
      const names = async (path: string) => {
        const { status, text, json } = await served.ask(path)
        assert.equal(status, 200, text)
        return json.results.map(({ name, body }: { name?: string; body?: string }) => name ?? body)
      }
      for (const [path, expected] of [
        ['/api/polynym/', ['Crème brûlée', 'Fates', 'Thread of life', 'Two sides of a coin']],
        ['/api/polynym/?page_size=2&page=2', ['Thread of life', 'Two sides of a coin']],
        ['/api/polynym/?search=creme+sug', ['Crème brûlée']],
        ['/api/polynym/?term=clotho', ['Fates']],
        ['/api/polynym/?likes=2', ['Two sides of a coin']],
        ['/api/polynym/?user=MIRA&depth__gte=3&ordering=-name', ['Thread of life', 'Fates']],
        ['/api/polynym/?src__icontains=MOON', ['Crème brûlée']],
        ['/api/fortune/?search=golden', ['Silence is golden.']],
        ['/api/quadraset/', ['Quiet ones']],
      ] as const) {
        assert.deepEqual(await names(path), expected, path)
      }
      const set = (await served.ask('/api/polyset/1/')).json
      assert.deepEqual(
        set.polynyms.map(({ name }: { name: string }) => name),
        ['Thread of life', 'Two sides of a coin'],
      )
      assert.equal((await served.ask('/api/term/silence/')).status, 200)
      const made = await served.ask('/api/polynym/', {
        method: 'POST',
        as: 'mira',
        json: { name: 'Brood', mode: 'part', p1: 'hen', p2: 'egg' },
      })
      assert.deepEqual([made.status, made.json.polynym_id], [201, 5])
      assert.deepEqual(served.bugs, [])
      for await (const { level, says } of checkDatabase(url, 1)) assert.notEqual(level, 'fail', says)
      assert.equal((await plan()).out, 'nothing changes\n')
    })
  }
}
