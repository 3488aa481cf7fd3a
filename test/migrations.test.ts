/** Migrates databases of earlier versions, once, completely or not at all. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '../src/catalogue/index.ts'
import { type AnyResource, integer, optionalText, owner, resource, slots, text, votes } from '../src/declare/index.ts'
import { collectionsOf, engineOn, narrowingOf, readPage } from '../src/engine/index.ts'
import { sqliteDialect } from '../src/store/dialect.ts'
import { type Database, migrate, openDatabase, openStore, type Step, Unusable, type Work } from '../src/store/index.ts'
import { filterIndexes, findingColumns } from '../src/store/schema.ts'
import { isStoredShown } from '../src/store/shown.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from './support/databases.ts'

const shell = resource('shell', {
  does: 'A shell from the beach.',
  fields: { name: text({ max: 9 }) },
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
      await migrate(database, [shell], [])
      assert.deepEqual(await versions(), [{ number: 1, title: 'The tables of the catalogue' }])
      assert.deepEqual(await read('SELECT name FROM shell'), [])
    })

    test('a step that fails leaves everything as it was', async () => {
      const broken: Step = {
        number: 3,
        title: 'Broken',
        run: () => ask('ALTER TABLE nowhere ADD COLUMN x TEXT') as Work<never>,
      }
      await assert.rejects(migrate(database, [shell], [steps[0]!, broken]))
      assert.equal((await versions()).length, 1)
      await assert.rejects(read('SELECT weight FROM shell'))
    })

    test('the steps that are new to a database run in their order, once, however many start at the same time', async () => {
      runs = 0
      const others = await Promise.all([1, 2, 3].map(() => openDatabase(fresh.url)))
      await Promise.all([database, ...others].map((each) => migrate(each, [shell], steps)))
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
      await assert.rejects(migrate(database, [shell], []), (error) => {
        return error instanceof Unusable && /has version 3, .* up to 1: use a newer Nymdex/.test(error.message)
      })
    })
  })
}

test('a new database notes the steps it does not need as done', async () => {
  const { url, drop } = await freshDatabase('SQLite', { sample: false })
  const database = await openDatabase(url)
  runs = 0
  await migrate(database, [shell], steps)
  assert.equal(runs, 0)
  assert.equal((await database.read(() => ask('SELECT number FROM migration'))).length, 3)
  await database.close()
  await drop()
})

/** What version 1 made for a toy resource, as it stood in the file, and three records. */
function versionOne({
  identity,
  integer,
  sortKey,
  end,
}: Record<'identity' | 'integer' | 'sortKey' | 'end', string>): string[] {
  return [
    `CREATE TABLE migration (number ${integer} PRIMARY KEY, title TEXT NOT NULL, at TEXT NOT NULL)`,
    `INSERT INTO migration VALUES (1, 'The tables of the catalogue', '2026-01-01T00:00:00.000Z')`,
    `CREATE TABLE "account" (id ${identity}, name TEXT NOT NULL, name_key ${sortKey} NOT NULL UNIQUE,
       password TEXT NOT NULL, staff ${integer} NOT NULL, removed ${integer} NOT NULL, joined TEXT NOT NULL)${end}`,
    `INSERT INTO account (name, name_key, password, staff, removed, joined) VALUES ('Ada', 'ada', '', 0, 0, ''), ('bo', 'bo', '', 0, 0, '')`,
    `CREATE TABLE "pearl" (id ${identity}, owner ${integer} NOT NULL REFERENCES account (id), "name" TEXT NOT NULL,
       "src" TEXT NOT NULL, "size" ${integer} NOT NULL, "m1" TEXT NOT NULL, "m2" TEXT NOT NULL,
       "name_key" ${sortKey} NOT NULL, unique_1 TEXT NOT NULL)${end}`,
    'CREATE INDEX "pearl_owner" ON "pearl" ("owner")',
    `CREATE TABLE "pearl_votes" (id ${identity}, record ${integer} NOT NULL REFERENCES "pearl" (id) ON DELETE CASCADE,
       account ${integer} NOT NULL REFERENCES account (id), UNIQUE (record, account))${end}`,
    'CREATE INDEX "pearl_votes_account" ON "pearl_votes" ("account")',
    'CREATE UNIQUE INDEX "pearl_unique_1" ON "pearl" ("unique_1")',
    'CREATE INDEX "pearl_order" ON "pearl" ("name_key", id)',
    `INSERT INTO pearl (owner, name, src, size, m1, m2, name_key, unique_1) VALUES
       (1, 'Crème Moon', 'Lake Biwa', 7, 'white', '', 'crème moon', 'a'),
       (2, 'Night', '', 9, 'Black Moon', 'round', 'night', 'b'),
       (1, 'Baroque', 'the MOON', 3, 'odd', '', 'baroque', 'c')`,
    'INSERT INTO pearl_votes (record, account) VALUES (2, 1), (2, 2), (3, 1)',
  ]
}

const DIALECTS = {
  SQLite: { identity: 'INTEGER PRIMARY KEY AUTOINCREMENT', integer: 'INTEGER', sortKey: 'TEXT', end: ' STRICT' },
  PostgreSQL: {
    identity: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
    integer: 'BIGINT',
    sortKey: 'TEXT COLLATE "C"',
    end: '',
  },
} as const

const pearl = resource('pearl', {
  does: 'A pearl.',
  fields: {
    name: text({ max: 20, search: { as: 'name' }, inside: true }),
    finder: owner(),
    src: optionalText({ max: 20, search: { as: 'text' }, inside: true, indexed: true }),
    likes: votes(),
    size: integer({ min: 0, max: 99 }),
    m: slots('m', { from: 1, to: 2, max: 20, search: { as: 'term' } }),
  },
  derive: {},
  order: ['name'],
  unique: [['name']],
})

for (const engine of ENGINES) {
  test(`everything in a database of version 1 can be found after the upgrade (${engine})`, async () => {
    const { url, drop } = await freshDatabase(engine, { sample: false })
    const old = await openDatabase(url)
    await old.write(function* () {
      for (const sql of versionOne(DIALECTS[engine])) yield* ask(sql)
    })
    await old.close()
    const store = await openStore(url, [pearl])
    const [collection] = collectionsOf([pearl])
    const names = async (query: string) => {
      const narrowing = narrowingOf(collection!, [...new URLSearchParams(query)])
      const page = await readPage(engineOn(store, [pearl]), collection!, { narrowing, number: 1, size: 20 })
      const records = JSON.parse(`[${page.parts.map(({ text }) => text).join(',')}]`)
      return records.map(({ name }: { name: string }) => name)
    }
    for (const [query, expected] of [
      ['', ['Baroque', 'Crème Moon', 'Night']],
      ['search=moon', ['Crème Moon', 'Night', 'Baroque']],
      ['search=creme', ['Crème Moon']],
      ['search=lakes+mo', ['Crème Moon']],
      ['term=black+moon', ['Night']],
      ['likes=2', ['Night']],
      ['likes__gte=1&ordering=likes', ['Baroque', 'Night']],
      ['finder=ADA', ['Baroque', 'Crème Moon']],
      ['src__icontains=MOON', ['Baroque']],
      ['src__isnull=true', ['Night']],
      ['size__gte=7', ['Crème Moon', 'Night']],
    ] as const) {
      assert.deepEqual(await names(query), expected, query)
    }
    await store.close()
    await drop()
  })

  test(`the upgrade of the sample catalogue leaves what a new database has (${engine})`, async () => {
    const { url, drop } = await freshDatabase(engine, { sample: true })
    const database = await openDatabase(url)
    const rows = (sql: string) => database.read(() => ask(sql))
    const tables = ['polynym', 'quadranym', 'fortune', 'quote', 'winner', 'queue']
    const all = async () => {
      const kept: unknown[] = []
      for (const table of tables) {
        kept.push(await rows(`SELECT * FROM ${table} ORDER BY id`))
        kept.push(await rows(`SELECT record, word, place FROM ${table}_words ORDER BY record, word`))
        kept.push(await rows(`SELECT sum(count) AS count FROM ${table}_blocks`))
      }
      for (const table of ['polynym', 'quadranym', 'queue']) {
        kept.push(await rows(`SELECT record, member, term FROM ${table}_terms ORDER BY record, member`))
      }
      return kept
    }
    const before = await all()
    await database.write(() => takeBack(catalogue))
    await assert.rejects(rows('SELECT word FROM polynym_words'))
    await migrate(database, catalogue)
    assert.deepEqual(await all(), before)
    await database.close()
    await drop()
  })
}

/** Takes away what steps 2 and 3 add. */
function* takeBack(resources: readonly AnyResource[]): Work<void> {
  for (const resource of resources) {
    for (const { name } of filterIndexes(resource)) yield* ask(`DROP INDEX ${name}`)
    const added = [
      ...findingColumns(resource, sqliteDialect).map(({ name }) => name),
      ...(isStoredShown(resource) ? ['shown'] : []),
    ]
    for (const name of added) yield* ask(`ALTER TABLE "${resource.name}" DROP COLUMN "${name}"`)
    for (const rest of ['words', 'terms', 'blocks']) yield* ask(`DROP TABLE IF EXISTS "${resource.name}_${rest}"`)
  }
  yield* ask('DROP TABLE generation')
  yield* ask('DELETE FROM migration WHERE number > 1')
}
