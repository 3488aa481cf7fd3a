/** Group commit: writes that arrive together are committed together, and each gets its own response. */
import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import SQLite from 'better-sqlite3'
import { countWrongCounts, type Database } from '../../src/store/index.ts'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { Gate } from '../support/gate.ts'
import { Served, statement } from '../support/servers.ts'
import { onEachEngine, type Reply } from '../support/site.ts'

const MANY = 60
const NO_SUCH = 987_654
const polynym = (name: string) => ({ name, mode: 'part', p1: 'a', p2: 'b' })
const post = (path: string, json: object, as = 'gus') => [path, { method: 'POST', json, as }] as const

const gates: Gate[] = []
const watch = (database: Database): Database => {
  const gate = new Gate()
  gates.push(gate)
  return gate.watch(database)
}

onEachEngine('Writers that arrive together', { sample: false, watch }, (site) => {
  let gate: Gate
  before(async () => {
    gate = gates.at(-1)!
    await site.ask('/api/', { as: 'gus' })
  })
  after(() => assert.deepEqual(site.bugs, []))

  /** The number of rows in the tables themselves: lists are counted by the rank index. */
  const rows = (...tables: readonly string[]) =>
    Promise.all(
      tables.map(async (table) => {
        const { store } = site.engine
        const [row] = await store.read(() => statement(`SELECT count(*) AS count FROM "${table}"`))
        return Number(row!['count'])
      }),
    )

  test('each gets its own response: the good ones are stored, the others leave nothing behind', async () => {
    const phrase = (await site.ask(...post('/api/phrase/', { name: 'they', qode: 'they q1e.' }))).json.phrase_id
    const quadranym = (await site.ask(...post('/api/quadranym/', { name: 'cat' }))).json.quadranym_id
    const line = { phrase, quadranym }
    const wanted = [
      ...Array.from({ length: MANY / 3 }, (_, i) => ({ path: 'polynym', body: polynym(`good ${i}`), status: 201 })),
      ...Array.from({ length: MANY / 6 }, (_, i) => ({ path: 'polynym', body: { name: `bad ${i}` }, status: 400 })),
      ...Array.from({ length: MANY / 6 }, () => ({ path: 'queue', body: { name: 'once' }, status: undefined })),
      ...Array.from({ length: MANY / 6 }, (_, i) => ({
        path: 'story',
        // Its first line is valid, and is undone with the second.
        body: { name: `story ${i}`, lines: [line, { ...line, phrase: NO_SUCH }] },
        status: 400,
      })),
      ...Array.from({ length: MANY / 6 }, () => ({
        path: 'polyset',
        body: { name: 'x', polynyms: [NO_SUCH] },
        status: 400,
      })),
    ]
    const mixed = wanted.map((_, i) => wanted[(i * 7) % wanted.length]!)
    assert.equal(new Set(mixed).size, wanted.length)
    const replies = await Promise.all(mixed.map(({ path, body }) => site.ask(...post(`/api/${path}/`, body))))
    for (const [i, { path, body, status }] of mixed.entries()) {
      if (status === undefined) continue
      assert.equal(replies[i]!.status, status, replies[i]!.text)
      if (status === 201) assert.equal(replies[i]!.json.name, body.name, path)
    }
    const once = replies.filter((_, i) => mixed[i]!.status === undefined)
    assert.equal(once.filter(({ status }) => status === 201).length, 1)
    for (const { status, json } of once) {
      if (status !== 201) assert.deepEqual([status, json], [400, { name: ['This field must be unique.'] }])
    }
    const counts = ['polynym', 'queue', 'story', 'storyline', 'polyset'].map(async (name) => {
      const { json } = await site.ask(`/api/${name}/?page_size=100`)
      assert.equal(json.results.length, json.count)
      return json.count
    })
    assert.deepEqual(await Promise.all(counts), [MANY / 3, 1, 0, 0, 0])
    assert.deepEqual(await rows('polynym', 'queue', 'story', 'storyline', 'polyset'), [MANY / 3, 1, 0, 0, 0])
    const ids = replies.flatMap(({ status, json }) => (status === 201 ? [json.polynym_id ?? 0] : []))
    assert.equal(new Set(ids).size, MANY / 3 + 1)
  })

  test('a write that is refused halfway leaves no row, and those that share its commit keep theirs', async () => {
    const phrase = (await site.ask(...post('/api/phrase/', { name: 'halfway', qode: 'halfway they q1e.' }))).json
      .phrase_id
    const quadranym = (await site.ask(...post('/api/quadranym/', { name: 'dog' }))).json.quadranym_id
    const line = { phrase, quadranym }
    const broken = [line, { ...line, phrase: NO_SUCH }]
    for (const group of [
      [[line], broken],
      [broken, [line]],
      [[line], broken, [line, line]],
    ]) {
      const [stories, lines] = await rows('story', 'storyline')
      gate.openAt(group.length)
      const replies = await Promise.all(
        group.map((lines, i) => site.ask(...post('/api/story/', { name: `halfway ${i} of ${stories}`, lines }))),
      )
      assert.deepEqual(
        replies.map(({ status }) => status),
        group.map((lines) => (lines === broken ? 400 : 201)),
        replies.map(({ text }) => text).join(),
      )
      const good = group.filter((lines) => lines !== broken)
      assert.deepEqual(await rows('story', 'storyline'), [stories! + good.length, lines! + good.flat().length])
    }
  })

  test('each gets its own response if one breaks a rule when it is written, while others wait for it', async () => {
    const [taken, victim] = await Promise.all(
      ['taken', 'victim'].map((name) => site.ask(...post('/api/polynym/', polynym(name)))),
    )
    const path = `/api/polynym/${victim!.json.polynym_id}/`
    const names = ['good a', 'good b', 'good c']
    gate.openAt(2 * names.length)
    // Of changes to one record, one shares the commit, and the others wait.
    const replies = await Promise.all([
      ...names.map((name) => site.ask(...post('/api/polynym/', polynym(name)))),
      ...names.map(() => site.ask(path, { method: 'PATCH', json: { name: taken!.json.name }, as: 'gus' })),
    ])
    assert.deepEqual(
      replies.map(({ status, json }) => json.name ?? status),
      [...names, 400, 400, 400],
    )
  })

  test('records of one kind that are changed in one commit are then read with their new values', async () => {
    const made = await Promise.all(
      ['one', 'two', 'three'].map((name) => site.ask(...post('/api/polynym/', polynym(`together ${name}`)))),
    )
    const paths = made.map(({ json }) => `/api/polynym/${json.polynym_id}/`)
    const list = '/api/polynym/?page_size=100'
    // Now the server has cached them.
    for (const path of [...paths, list, ...paths, list]) assert.equal((await site.ask(path)).status, 200)
    gate.openAt(paths.length)
    const changed = await Promise.all(
      paths.map((path) => site.ask(path, { method: 'PATCH', json: { p1: 'changed' }, as: 'gus' })),
    )
    for (const [i, path] of paths.entries()) {
      assert.equal(changed[i]!.json.p1, 'changed')
      assert.deepEqual((await site.ask(path)).json, changed[i]!.json)
    }
    const { results } = (await site.ask(list)).json
    const listed = results.filter(({ name }: { name: string }) => name.startsWith('together'))
    assert.deepEqual(
      listed.map(({ p1 }: { p1: string }) => p1),
      ['changed', 'changed', 'changed'],
    )
  })

  test('of writers that change one record at the same time, each sees what the one before has written', async () => {
    const { json } = await site.ask(...post('/api/polynym/', polynym('one')))
    const path = `/api/polynym/${json.polynym_id}/`
    const etag = (await site.ask(path)).headers.etag!
    const change = (i: number): Promise<Reply> =>
      site.ask(path, { method: 'PATCH', json: { p3: `${i}` }, as: 'gus', headers: { 'if-match': etag } })
    const replies = await Promise.all(Array.from({ length: MANY }, (_, i) => change(i)))
    const [done, ...others] = replies.filter(({ status }) => status === 200)
    assert.deepEqual(others, [])
    assert.equal(replies.filter(({ status }) => status === 412).length, MANY - 1)
    assert.deepEqual((await site.ask(path)).json, done!.json)
  })
})

describe('One file of SQLite', () => {
  let fresh: FreshDatabase
  let served: Served
  before(async () => {
    fresh = await freshDatabase('SQLite', { sample: false })
    served = await Served.on(fresh.url, { keeps: 'everything' })
    await served.tokenOf('gus')
  })
  after(async () => {
    await served.stop()
    await fresh.drop()
  })

  const file = () => fresh.url.slice('sqlite:'.length)
  const create = (name: string) => served.ask(...post('/api/polynym/', polynym(name)))
  const together = (title: string) => Promise.all(Array.from({ length: MANY }, (_, i) => create(`${title} ${i}`)))
  /** As another program sees it. */
  const inFile = (sql: string): any[] => {
    const other = new SQLite(file(), { readonly: true })
    try {
      return other.prepare(sql).all()
    } finally {
      other.close()
    }
  }
  const names = () => inFile('SELECT name FROM polynym ORDER BY id').map(({ name }) => name)

  test('a write that got 201 is in the file for every later reader', async () => {
    await Promise.all(
      Array.from({ length: MANY }, async (_, i) => {
        const { status, json } = await create(`durable ${i}`)
        assert.equal(status, 201)
        assert.deepEqual(inFile(`SELECT name FROM polynym WHERE id = ${json.polynym_id}`), [{ name: `durable ${i}` }])
      }),
    )
    const other = new SQLite(file(), { readonly: true })
    assert.equal(other.pragma('journal_mode', { simple: true }), 'wal')
    other.close()
  })

  test('while writes go on, what was committed moves from the log of SQLite into the file', async () => {
    const copy = join(dirname(file()), 'copy.db')
    const isInFile = (name: string) => {
      copyFileSync(file(), copy)
      const alone = new SQLite(copy)
      try {
        return alone.prepare('SELECT 1 FROM polynym WHERE name = ?').get(name) !== undefined
      } catch (error) {
        // At first even the tables are in the log alone, and a copy may be made while SQLite writes the file.
        assert.match((error as Error).message, /no such table|malformed/)
        return false
      } finally {
        alone.close()
      }
    }
    assert.equal((await create('moved')).status, 201)
    assert.ok(!isInFile('moved'))
    let round = 0
    while (round < 20 && !isInFile('moved')) await together(`more ${round++}`)
    assert.ok(round < 20)
  })

  test('when the database is full, refused writers leave nothing behind, and afterwards writing continues', async () => {
    const pragma = async (sql: string) => Object.values((await served.store.write(() => statement(sql)))[0]!)[0]
    const most = await pragma('PRAGMA max_page_count')
    const before = names()
    const listBefore = (await served.ask('/api/polynym/?page_size=1000')).json
    assert.equal(listBefore.count, before.length)
    await pragma(`PRAGMA max_page_count = ${await pragma('PRAGMA page_count')}`)
    // The free space of the last pages holds some of them.
    const replies = [...(await together('full')), ...(await together('fuller'))]
    // The last one finds no space.
    do replies.push(await create(`fullest ${replies.length}`))
    while (replies.at(-1)?.status === 201)
    const done = replies.filter(({ status }) => status === 201).map(({ json }) => json.name)
    const failed = replies.filter(({ status }) => status !== 201)
    assert.ok(failed.length > 0)
    for (const { status, json, headers } of failed) {
      assert.deepEqual([status, headers['retry-after']], [503, '2'])
      assert.equal(json.detail, 'The database cannot be used at the moment. Try again later.')
    }
    assert.deepEqual(served.bugs, [])
    assert.deepEqual([...new Set(served.outages)], ['the disk is full'])
    assert.equal((await served.ask('/healthz')).json.writes, 'the disk is full')
    assert.deepEqual(names().sort(), [...before, ...done].sort())
    const list = (await served.ask('/api/polynym/?page_size=1000')).json
    assert.deepEqual(
      [list.count, list.results.map(({ name }: { name: string }) => name).sort()],
      [before.length + done.length, [...before, ...done].sort()],
    )

    await pragma(`PRAGMA max_page_count = ${most}`)
    for (const { status, text } of await together('again')) assert.equal(status, 201, text)
    assert.equal((await served.ask('/healthz')).json.writes, 'ok')
    const { store } = served
    for (const resource of served.engine.catalogue) {
      assert.equal(await store.read(() => store.records.rank.untrue(resource)), 0, resource.name)
      assert.equal(await store.read(() => countWrongCounts(store.records, resource)), 0, resource.name)
    }
    assert.deepEqual(inFile('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
    assert.equal((await served.ask('/api/polynym/')).json.count, names().length)
  })

  test('a work that ends the whole transaction fails with all writes of its group, and the next ones succeed', async () => {
    served.bugs.length = 0
    const before = names()
    // What SQLite does by itself after an I/O error.
    const broken = served.store.write(function* () {
      yield* statement(
        "INSERT INTO account (name, name_key, password, staff, removed, joined) VALUES ('x', 'x', '', 0, 0, '')",
      )
      yield* statement('ROLLBACK')
      yield* statement('SELECT nothing FROM nowhere')
    })
    const replies = await Promise.all([
      ...Array.from({ length: MANY }, (_, i) => create(`beside ${i}`)),
      broken.catch(() => undefined),
    ])
    await assert.rejects(broken)
    const done = replies.filter((reply) => reply?.status === 201).map((reply) => reply!.json.name)
    assert.deepEqual(names().sort(), [...before, ...done].sort())
    assert.deepEqual(inFile("SELECT id FROM account WHERE name = 'x'"), [])
    assert.equal((await create('after')).status, 201)
    assert.equal((await served.ask('/api/polynym/')).json.count, names().length)
    served.bugs.length = 0
  })

  test('while another program writes, writers wait for it, readers do not, and nobody is refused', async () => {
    const other = new SQLite(file())
    other.exec('BEGIN IMMEDIATE')
    const waiting = together('waiting')
    for (let i = 0; i < 20; i++) assert.equal((await served.ask('/api/polynym/?page_size=3')).status, 200)
    other.exec('COMMIT')
    other.close()
    for (const { status, text } of await waiting) assert.equal(status, 201, text)
    assert.deepEqual(served.bugs, [])
  })
})
