/** Long narrowed lists: a reader who pages through them, from either end, or jumps, sees each record once, in order. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type AnyResource, integer, resource, text } from '../../src/declare/index.ts'
import {
  accountNamed,
  type Collection,
  type Engine,
  engineOn,
  narrowingOf,
  pickRandom,
  RecordCache,
  readFacets,
  readPage,
  readSuggestions,
} from '../../src/engine/index.ts'
import { copiedTables, migrate, openDatabase, replaceSynonyms, storeOn } from '../../src/store/index.ts'
import { Chance } from '../robust/chance.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { statement } from '../support/servers.ts'
import { StatementCounter } from '../support/statements.ts'

/** More than are sorted at once. */
const MANY = 4500
const SIZE = 300
const NAMES = ['a', 'A', 'b', 'é', '雨', '\uff5e', '😀', 'zz', '0']

const pebble = resource('pebble', {
  does: 'A pebble.',
  fields: {
    name: text({ max: 20, search: { as: 'name' } }),
    size: integer({ min: -99, max: 99 }),
    serial: integer({ min: 0, max: 1e9 }),
    shelf: text({ max: 20, blank: true, search: { as: 'area' }, indexed: true }),
  },
  derive: {},
  order: ['name', '-size'],
  unique: [['serial']],
}) as unknown as AnyResource
const collection: Collection = { name: 'pebble', resource: pebble }

const LISTS = [
  ['size__gte=-2', 'name_key, size DESC, id'],
  ['size__gte=-2&ordering=size', 'size, id'],
  ['size__gte=-2&ordering=-size,name', 'size DESC, name_key, id'],
  ['size__gte=-2&ordering=-name', 'name_key DESC, id'],
  ['size__gte=-2&ordering=changed', 'changed, id'],
  ['size__gte=-2&ordering=-changed', 'changed DESC, id'],
] as const

for (const name of ENGINES) {
  describe(`Walks through narrowed lists (${name})`, () => {
    let fresh: FreshDatabase
    let engine: Engine
    let owner = 0
    const chance = new Chance(8)
    const statements = new StatementCounter()

    before(async () => {
      fresh = await freshDatabase(name, { sample: false, tables: true })
      const database = await openDatabase(fresh.url)
      await migrate(database, [pebble])
      const store = storeOn(statements.watch(database))
      engine = { ...engineOn(store, [pebble]), cache: new RecordCache(store.generations, 2 ** 22) }
      owner = (await store.write(() => accountNamed(engine, 'ada'))).id
      const [table] = copiedTables([pebble]).filter((each) => each.name === 'pebble')
      const copies = Array.from({ length: MANY }, (_, i) => ({
        id: i + 1,
        owner,
        columns: {
          name: chance.pick(NAMES),
          size: chance.below(9) - 4,
          serial: i,
          shelf: `shelf${i}`,
          changed: chance.below(99),
        },
      }))
      await store.write(function* () {
        yield* store.copies.insert(table!, copies)
        yield* store.copies.rank([pebble])
        yield* store.records.keepIds(pebble)
      })
    })

    after(async () => {
      await engine.store.close()
      await fresh.drop()
    })

    async function expected(order: string): Promise<number[]> {
      const sql = `SELECT id FROM pebble WHERE size >= -2 ORDER BY ${order}`
      return (await engine.store.read(() => statement(sql))).map(({ id }) => Number(id))
    }

    async function pageOf(query: string, number: number) {
      const narrowing = narrowingOf(collection, [...new URLSearchParams(query)])
      const page = await readPage(engine, collection, { narrowing, number, size: SIZE })
      const records = JSON.parse(`[${page.parts.map(({ text }) => text).join(',')}]`)
      return { count: page.count, ids: records.map((record: { pebble_id: number }) => record.pebble_id) }
    }

    async function check(query: string, order: string, numbers: (last: number) => readonly number[]) {
      const ids = await expected(order)
      for (const number of numbers(Math.ceil(ids.length / SIZE))) {
        const here = { count: ids.length, ids: ids.slice((number - 1) * SIZE, number * SIZE) }
        assert.deepEqual(await pageOf(query, number), here, `page ${number} of ${query}`)
      }
    }

    const forwards = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

    for (const [query, order] of LISTS) {
      test(`${query}: forwards, backwards, and by jumps, also after a record has moved`, async () => {
        assert.ok((await expected(order)).length > 2000, 'too few to walk')
        await check(query, order, forwards)
        await check(query, order, (last) => forwards(last).reverse())
        await check(query, order, (last) => chance.shuffle(forwards(last)))
        const { store } = engine
        await store.write(function* () {
          const values = { name: 'aa', size: 3, serial: MANY + chance.below(1e6), shelf: '' }
          yield* store.records.update(pebble, 1 + chance.below(MANY), { values, owner })
          yield* store.records.insert(pebble, { values: { ...values, serial: values.serial + 1e6 }, owner })
        })
        await check(query, order, forwards)
      })
    }

    test('an order that no index has is not sorted again for each page', async () => {
      const query = 'size__gte=-2&ordering=size'
      // The records are cached now, and so are the pages around this one.
      await check(query, 'size, id', forwards)
      await pageOf(query, 3)
      statements.count = 0
      for (const number of [1, 2, 4]) await pageOf(query, number)
      assert.equal(statements.count, 0)
    })

    test('a search runs once for its pages and its facets, until a record is written', async () => {
      const { count, ids } = await pageOf('search=a', 1)
      assert.ok(count > SIZE && ids.length === SIZE, `${count} found`)
      await pageOf('size__gte=-9', 1)
      statements.count = 0
      const facets = async () =>
        await readFacets(engine, collection, ['size'], narrowingOf(collection, [['search', 'a']]))
      assert.equal((await facets()).count, count)
      assert.equal(statements.count, 1, 'the facet')
      const { store } = engine
      await store.write(function* () {
        yield* store.records.insert(pebble, { values: { name: 'a', size: 0, serial: 1e9, shelf: '' }, owner })
      })
      assert.equal((await facets()).count, count + 1)
      assert.equal((await pageOf('search=a', 2)).count, count + 1)
    })

    test('a label that few of very many records have is suggested', async () => {
      const { values } = await readSuggestions(engine, 'SHELF 4321')
      assert.deepEqual(values, [])
      assert.deepEqual((await readSuggestions(engine, 'SHELF4321')).values, [
        { member: 'shelf', value: 'shelf4321', count: 1, collections: { pebble: 1 } },
      ])
    })

    test('one random record of a list is the first of several with the same seed', async () => {
      const narrowing = narrowingOf(collection, [...new URLSearchParams('size__gte=-2')])
      for (const seed of Array.from({ length: 40 }, (_, i) => `seed ${i}`)) {
        const one = await pickRandom(engine, collection, { narrowing, seed, many: 1 })
        const several = await pickRandom(engine, collection, { narrowing, seed, many: 3 })
        assert.deepEqual(one, { count: several.count, records: several.records.slice(0, 1) })
      }
    })

    test('a search finds records with synonyms if no record has the word, also if they are many', async () => {
      const { store } = engine
      const pairs = ['a', 'b', 'zz', '0'].map((name) => ['stone', name] as const)
      await store.write(() => replaceSynonyms([pebble], pairs))
      assert.equal((await pageOf('search=stone', 1)).count, 2000)
    })
  })
}
