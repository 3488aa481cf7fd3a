/** A resource is added to an existing database, and changes: the tables follow, whatever created the database. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { catalogue } from '../src/catalogue/index.ts'
import { checkDatabase } from '../src/cli/doctor/database.ts'
import {
  type AnyResource,
  derived,
  integer,
  type JsonObject,
  many,
  one,
  owner,
  resource,
  text,
  votes,
} from '../src/declare/index.ts'
import { engineOn } from '../src/engine/index.ts'
import { migrate, Outdated, openDatabase, openStore, Unusable } from '../src/store/index.ts'
import { backUp, type Report, restore, runImport } from '../src/transfer/index.ts'
import { runCommand } from './support/command.ts'
import { copyOf, ENGINES, type EngineName, type FreshDatabase, freshDatabase } from './support/databases.ts'
import { Served } from './support/servers.ts'
import { backupOfVersion, databaseOfVersion, EARLIER_VERSIONS } from './support/versions.ts'

const polynym = catalogue.find(({ name }) => name === 'polynym')!

const first = {
  name: text({ max: 80, search: { as: 'name' } }),
  user: owner(),
  likes: votes(),
  answer: text({ max: 40, search: { as: 'term' } }),
  length: derived.integer(),
} as const

const riddle = resource('riddle', {
  does: 'A riddle.',
  fields: first,
  derive: { length: ({ name }) => name.length },
  order: ['name'],
  unique: [['name']],
})

/** A new field, new indexes, another order and another rule. */
const changed = resource('riddle', {
  does: 'A riddle.',
  fields: {
    ...first,
    answer: text({ max: 40, search: { as: 'term' }, inside: true, indexed: true }),
    mood: text({ max: 9, choices: ['merry', 'grave'], indexed: true }),
    about: many(polynym as AnyResource, { min: 0, max: 9 }),
    length: derived.integer({ indexed: true }),
  },
  derive: { length: ({ name }) => name.split(' ').length },
  order: ['-length', 'answer'],
  unique: [['name', 'answer']],
})

const withRiddle: readonly AnyResource[] = [...catalogue, riddle]
const withChanged: readonly AnyResource[] = [...catalogue, changed]

let folder = ''
before(() => (folder = mkdtempSync(join(tmpdir(), 'nymdex-riddle-'))))
after(() => rmSync(folder, { recursive: true, force: true }))

/** What a client of a server of this catalogue sees, for the duration of the work. */
async function serving(
  url: string,
  catalogue: readonly AnyResource[],
  work: (get: (path: string) => Promise<any>, served: Served) => Promise<void>,
): Promise<void> {
  const served = await Served.on(url, { keeps: 'checked', catalogue, mostInBlock: 2 })
  try {
    await work(async (path) => {
      const { status, text, json } = await served.ask(path)
      assert.equal(status, 200, `${path}: ${text}`)
      return json
    }, served)
    assert.deepEqual(served.bugs, [])
  } finally {
    await served.stop()
  }
}

/** Databases of version 3 that were brought up to this one, by engine. */
const upgrades = new Map<EngineName, FreshDatabase>()
after(async () => {
  for (const { drop } of upgrades.values()) await drop()
})

/** A copy, because to bring one up takes long. */
async function upgraded(engine: EngineName): Promise<FreshDatabase> {
  const made = upgrades.get(engine) ?? (await databaseOfVersion(engine, 3))
  if (!upgrades.has(engine)) await (await openStore(made.url, catalogue)).close()
  upgrades.set(engine, made)
  return await copyOf(engine, made)
}

const names = ({ results }: any) => results.map(({ name }: { name: string }) => name)

async function pose(served: Served, name: string, answer: string, more: object = {}): Promise<void> {
  const reply = await served.ask('/api/riddle/', { method: 'POST', as: 'ada', json: { name, answer, ...more } })
  assert.equal(reply.status, 201, reply.text)
}

/** The doctor finds no fault, and says these things. */
async function isHealthy(url: string, catalogue: readonly AnyResource[], ...words: RegExp[]): Promise<void> {
  const said: string[] = []
  for await (const { level, says } of checkDatabase(url, 1, catalogue)) {
    assert.notEqual(level, 'fail', says)
    said.push(says)
  }
  for (const each of [/the tables follow the declarations/, ...words]) assert.match(said.join('\n'), each)
}

const NOTHING_UNUSED = /^(?!.*no longer declared)/s

async function backedUp(url: string, catalogue: readonly AnyResource[], name: string): Promise<string> {
  const file = join(folder, name)
  const store = await openStore(url, catalogue)
  await backUp(engineOn(store, catalogue), file, { force: true })
  await store.close()
  return file
}

async function imported(
  url: string,
  catalogue: readonly AnyResource[],
  bodies: readonly JsonObject[],
): Promise<Report> {
  const store = await openStore(url, catalogue)
  const items = () => bodies.map((found, i) => ({ line: i + 1, end: i + 1, found }))
  const source = { name: 'riddle.ndjson', resource: catalogue.at(-1)!, size: bodies.length, items }
  const report = await runImport(engineOn(store, catalogue), [source])
  await store.close()
  return report
}

for (const engine of ENGINES) {
  for (const start of ['the sample', ...EARLIER_VERSIONS] as const) {
    const title = start === 'the sample' ? start : `a database of version ${start}`
    test(`a resource is added to ${title}, and changed (${engine})`, async (t) => {
      const { url, drop } = await (start === 'the sample'
        ? freshDatabase(engine, { sample: true })
        : databaseOfVersion(engine, start))
      t.after(drop)
      const older =
        start === 'the sample'
          ? await backedUp(url, catalogue, `${engine}-sample.backup`)
          : backupOfVersion(start, folder)
      await serving(url, withRiddle, async (get, served) => {
        assert.equal((await get('/api/riddle/')).count, 0)
        await pose(served, 'What has an eye and cannot see?', 'silence')
        await pose(served, 'What speaks when it is broken?', 'silence')
        assert.deepEqual(names(await get('/api/riddle/?search=broken')), ['What speaks when it is broken?'])
        assert.equal((await get('/api/riddle/?length=31')).count, 1)
        const places = await get('/api/term/silence/')
        assert.match(JSON.stringify(places), /riddle/)
      })
      await isHealthy(url, withRiddle)
      const newer = await backedUp(url, withRiddle, `${engine}-${start}.backup`)
      await restore({ url, catalogue: withRiddle, file: older, force: true })
      await serving(url, withRiddle, async (get) => {
        assert.equal((await get('/api/riddle/')).count, 0)
        assert.ok((await get('/api/polynym/')).count >= 4)
      })
      await restore({ url, catalogue: withRiddle, file: newer, force: true })
      await serving(url, withChanged, async (get, served) => {
        assert.deepEqual(
          (await get('/api/riddle/')).results.map(({ length, mood, about, answer }: any) => ({
            length,
            mood,
            about,
            answer,
          })),
          [
            { length: 7, mood: 'merry', about: [], answer: 'silence' },
            { length: 6, mood: 'merry', about: [], answer: 'silence' },
          ],
        )
        assert.equal((await get('/api/riddle/?mood=merry&length=6&answer__icontains=SIL')).count, 1)
        await pose(served, 'What speaks when it is broken?', 'a promise', { mood: 'grave' })
        assert.equal((await get('/api/riddle/')).count, 3)
      })
      await isHealthy(url, withChanged)
      // An older export: a new record gets the initial mood, an existing one keeps its own.
      const report = await imported(url, withChanged, [
        { name: 'What speaks when it is broken?', answer: 'a promise', user: 'import' },
        { name: 'What gets wet while it dries?', answer: 'a towel' },
        { name: 'No answer?', mood: 'grave' },
      ])
      assert.deepEqual([report.of('riddle').made, report.of('riddle').same, report.faults], [1, 1, 1])
      assert.deepEqual(
        Array.from(report.repairs.values(), ({ name, member, count }) => [name, member, count]),
        [['initial value', 'mood', 2]],
      )
      await serving(url, withChanged, async (get) => {
        const moods = (await get('/api/riddle/?answer__startswith=a+')).results.map(({ mood }: any) => mood)
        assert.deepEqual(moods, ['grave', 'merry'])
      })
      // Records of the backup are older than the new fields.
      await restore({ url, catalogue: withChanged, file: newer, force: true })
      await serving(url, withChanged, async (get) => {
        assert.equal((await get('/api/riddle/?mood=merry')).count, 2)
      })
      await isHealthy(url, withChanged)
    })
  }

  test(`what is no longer declared is put aside, and comes back (${engine})`, async (t) => {
    const { url, drop } = await upgraded(engine)
    t.after(drop)
    await serving(url, withChanged, async (_, served) => {
      await pose(served, 'Who spins?', 'a fate', { mood: 'grave', about: [2] })
    })
    const newer = await backedUp(url, withChanged, `${engine}-removed.backup`)
    // Fields are removed: their columns hinder no write.
    await serving(url, withRiddle, async (get, served) => {
      await pose(served, 'What is left?', 'the right')
      assert.equal((await get('/api/riddle/')).results[1].length, 10)
    })
    await isHealthy(url, withRiddle, /riddle.unused_mood, unused_riddle_about are no longer declared/)
    // They come back with their values, and nothing is left aside.
    await serving(url, withChanged, async (get) => {
      const [spins] = (await get('/api/riddle/?mood=grave')).results
      assert.deepEqual([spins.name, names({ results: spins.about })], ['Who spins?', ['Fates']])
    })
    await isHealthy(url, withChanged, NOTHING_UNUSED)
    await serving(url, withRiddle, async () => {})
    // The resource is removed: what it refers to can be deleted.
    await serving(url, catalogue, async (_, served) => {
      assert.equal((await served.ask('/api/riddle/')).status, 404)
      const gone = await served.ask('/api/polynym/4/', { method: 'DELETE', as: 'staff-gus' })
      assert.equal(gone.status, 204, gone.text)
    })
    await isHealthy(url, catalogue, /unused_riddle, unused_riddle_about, unused_riddle_votes are/)
    await serving(url, withChanged, async (get) => {
      assert.deepEqual(names(await get('/api/riddle/')), ['What is left?', 'Who spins?'])
      const [spins] = (await get('/api/riddle/?search=spins')).results
      assert.deepEqual([spins.mood, names({ results: spins.about })], ['grave', ['Fates']])
    })
    // A backup of a newer catalogue names what is unknown.
    const order = { url, catalogue, file: newer, force: true }
    await assert.rejects(restore(order), /holds riddle \(1 record\), which this version does not know: --skip-unknown/)
    const { skipped, counts } = await restore({ ...order, skipUnknown: true })
    assert.deepEqual([skipped, counts['polynym']], [{ riddle: 1 }, 4])
    const known = { ...order, catalogue: withRiddle }
    await assert.rejects(restore(known), /holds riddle.mood \(1 record\), riddle.about \(1 record\), which/)
  })

  test(`a list is reversed, and a field of several words is removed (${engine})`, async (t) => {
    const { url, drop } = await upgraded(engine)
    t.after(drop)
    const fields = { ...first, see_also: many(polynym as AnyResource, { min: 0, max: 9 }) }
    const linked = resource('riddle', { ...riddle, fields, order: ['name', 'answer'] })
    const turned = resource('riddle', { ...riddle, order: ['answer', '-name'] })
    await serving(url, [...catalogue, linked], async (_, served) => {
      for (const name of [...'badchgef']) await pose(served, name, 'same', { see_also: [4] })
    })
    await serving(url, [...catalogue, turned], async (get, served) => {
      for (const [i, name] of [...'hgfedcba'].entries()) {
        assert.deepEqual(names(await get(`/api/riddle/?page_size=1&page=${i + 1}`)), [name])
      }
      await pose(served, 'i', 'same')
      assert.deepEqual(names(await get('/api/riddle/')), [...'ihgfedcba'])
      const gone = await served.ask('/api/polynym/4/', { method: 'DELETE', as: 'staff-gus' })
      assert.equal(gone.status, 204, gone.text)
    })
    await isHealthy(url, [...catalogue, turned], /unused_riddle_see_also is no longer declared/)
  })

  test(`nymdex drop-unused lists what was put aside, and drops it when told to (${engine})`, async (t) => {
    const { url, drop } = await upgraded(engine)
    t.after(drop)
    await serving(url, withRiddle, (_, served) => pose(served, 'What is left?', 'the right'))
    const command = (...args: string[]) => {
      const env = { PATH: process.env['PATH'], DATABASE_URL: url }
      return runCommand(['drop-unused', ...args], env)
    }
    assert.match((await command()).err, /^nymdex: the tables do not follow this catalogue: start nymdex serve first\n$/)
    await serving(url, catalogue, async () => {})
    assert.match((await command()).out, /^unused: unused_riddle\nunused: unused_riddle_votes\nnymdex drop-unused --yes/)
    assert.equal((await command('--yes')).out, 'dropped unused_riddle\ndropped unused_riddle_votes\n')
    assert.equal((await command()).out, 'nothing is unused\n')
    await isHealthy(url, catalogue)
  })

  test(`records that break a new rule stop the start with one line (${engine})`, async (t) => {
    const { url, drop } = await upgraded(engine)
    t.after(drop)
    await serving(url, withRiddle, async (_, served) => {
      await pose(served, 'One?', 'same')
      await pose(served, 'Two?', 'same')
    })
    const broken = resource('riddle', { ...riddle, unique: [['name'], ['answer']] })
    await assert.rejects(openStore(url, [...catalogue, broken]), (error) => {
      return (
        error instanceof Unusable &&
        /^the records 1, 2 of riddle have the same answer, which no two/.test(error.message)
      )
    })
    const file = await backedUp(url, withRiddle, `${engine}-rules.backup`)
    const empty = await freshDatabase(engine, { sample: false })
    t.after(empty.drop)
    const restored = (other: AnyResource) =>
      restore({ url: empty.url, catalogue: [...catalogue, other], file, force: false })
    await assert.rejects(restored(broken), /two records of riddle have the same answer, which no two may share/)
    const { name, user } = first
    const numbered = resource('riddle', {
      does: 'A riddle.',
      fields: { name, user, answer: integer({ min: 0, max: 9 }) },
      derive: {},
      order: ['name'],
      unique: [['name']],
    })
    await assert.rejects(restored(numbered), /"answer" in riddle has another type in this catalogue/)
    const fields = { ...first, about: one(polynym as AnyResource) }
    const pointing = resource('riddle', { ...riddle, fields })
    await assert.rejects(
      openStore(url, [...catalogue, pointing]),
      /^Unusable|^Error: 2 records of riddle have no about/,
    )
    await isHealthy(url, withRiddle)
  })

  test(`processes with other declarations, and older ones, stop before they write (${engine})`, async (t) => {
    const { url, drop } = await upgraded(engine)
    t.after(drop)
    const old = await Served.on(url, { keeps: 'nothing', catalogue })
    const json = { name: 'Brood', mode: 'part', p1: 'hen', p2: 'egg' }
    const write = () => old.ask('/api/polynym/', { method: 'POST', as: 'ada', json })
    // Another process with the same declarations changes nothing.
    await (await openStore(url, catalogue)).close()
    assert.equal((await write()).status, 201)
    const database = await openDatabase(url)
    await migrate(database, withRiddle, { program: '99.0.0' })
    assert.equal((await write()).status, 503)
    const outdated = await old.store.outdated
    assert.ok(outdated instanceof Outdated)
    assert.match(outdated.message, /^another process has changed the tables for the catalogue of another Nymdex/)
    await old.stop()
    await assert.rejects(openStore(url, catalogue), /Nymdex 99.0.0 has changed the tables, and this is Nymdex \d/)
    await database.close()
  })
}

if (ENGINES.includes('PostgreSQL')) {
  test('a read that waits while another process changes its table returns 503 (PostgreSQL)', async (t) => {
    const { url, drop } = await upgraded('PostgreSQL')
    const old = await Served.on(url, { keeps: 'nothing' })
    const other = new pg.Client({ connectionString: url })
    t.after(async () => {
      await other.end()
      await old.stop()
      await drop()
    })
    await other.connect()
    await other.query('BEGIN; LOCK TABLE polynym IN ACCESS EXCLUSIVE MODE')
    const reading = old.ask('/api/polynym/')
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'polynym'::regclass"
    while ((await other.query(waiting)).rowCount === 0);
    await other.query(`ALTER TABLE polynym RENAME TO unused_polynym;
      UPDATE declaration SET fingerprint = 'another' WHERE resource = ''; COMMIT`)
    assert.equal((await reading).status, 503)
    assert.deepEqual(old.bugs, [])
  })
}
