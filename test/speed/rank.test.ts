/**
 * The rank index: whatever is written, each page holds what counting from the start would give. Blocks are small here,
 * so that they split and merge all the time.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalogue as wholeCatalogue } from '../../src/catalogue/index.ts'
import { type AnyResource, integer, resource, text } from '../../src/declare/index.ts'
import { accountNamed, type Collection, type Engine, engineOn, RecordCache, readPage } from '../../src/engine/index.ts'
import { copiedTables, migrate, openDatabase, openStore, storeOn, undoable, type Work } from '../../src/store/index.ts'
import { Chance } from '../robust/chance.ts'
import { runCommand } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { NIGHTLY } from '../support/nightly.ts'
import { Served, statement } from '../support/servers.ts'

const SEED = 20_260_101
const BATCHES = NIGHTLY ? 24 : 8
const SIZES = [1, 3, 7, 100]

const fields = () => ({
  name: text({ max: 20 }),
  size: integer({ min: -99, max: 99 }),
  serial: integer({ min: 0, max: 1e9 }),
})
const listed = (name: string, order: any): AnyResource =>
  resource(name, { does: 'Something.', fields: fields(), derive: {}, order, unique: [['serial']] }) as AnyResource

/** Each order as in a declaration, and as SQL. */
const ORDERS: readonly (readonly [resource: AnyResource, sql: string])[] = [
  [listed('rising', ['name']), 'name_key, id'],
  [listed('risingtwice', ['name', 'size']), 'name_key, size, id'],
  [listed('falling', ['-size']), 'size DESC, id'],
  [listed('fallingtext', ['-name']), 'name_key DESC, id'],
  [listed('mixed', ['name', '-size']), 'name_key, size DESC, id'],
  [listed('mixedback', ['-name', 'size']), 'name_key DESC, size, id'],
]
const catalogue = ORDERS.map(([each]) => each)
/** Few, so that many are equal; some sort differently by letter case or by UTF-16 unit. */
const NAMES = ['a', 'A', 'b', 'é', 'É', '雨', '\uff5e', '😀', 'zz', 'Zz', '~', '0']

class Undone extends Error {}

for (const name of ENGINES) {
  describe(`The n-th record (${name})`, () => {
    let fresh: FreshDatabase
    const stops: (() => Promise<void>)[] = []
    /** One that writes, one with a cache, and one without; each with its own store. */
    let [writer, keeper, reader]: (Engine | undefined)[] = []
    let owner = 0
    let serial = 0
    const chance = new Chance(SEED)

    before(async () => {
      fresh = await freshDatabase(name, { sample: false, tables: true })
      const [first, second, third] = [await open(), await open(), await open()]
      writer = first
      keeper = keeping(second)
      reader = third
      owner = (await first.store.write(() => accountNamed(first, 'ada'))).id
    })
    after(async () => {
      for (const stop of stops) await stop()
      await fresh.drop()
    })

    async function open(): Promise<Engine> {
      const database = await openDatabase(fresh.url)
      await migrate(database, catalogue)
      const store = storeOn(database, { mostInBlock: 4 })
      stops.push(() => store.close())
      return engineOn(store, catalogue)
    }
    const keeping = (engine: Engine) => ({ ...engine, cache: new RecordCache(engine.store.generations, 2 ** 20) })

    const values = () => ({ name: chance.pick(NAMES), size: chance.below(9) - 4, serial: ++serial })
    const idsOf = async (resource: AnyResource, order: string) => {
      const rows = await reader!.store.read(() => statement(`SELECT id FROM ${resource.name} ORDER BY ${order}`))
      return rows.map(({ id }) => Number(id))
    }

    async function pageOf(engine: Engine, resource: AnyResource, number: number | 'last', size: number) {
      const collection: Collection = { name: resource.name, resource }
      const page = await readPage(engine, collection, { number, size })
      const records = JSON.parse(`[${page.parts.map(({ text }) => text).join(',')}]`)
      const ids: number[] = records.map((record: Record<string, number>) => record[`${resource.name}_id`])
      return { count: page.count, last: page.last, number: page.number, ids }
    }

    async function check([resource, order]: (typeof ORDERS)[number], sizes: readonly number[], most: number) {
      const ids = await idsOf(resource, order)
      for (const size of sizes) {
        const last = Math.max(1, Math.ceil(ids.length / size))
        const all = Array.from({ length: last }, (_, i) => i + 1)
        for (const engine of [writer!, keeper!, reader!]) {
          for (const number of last <= most ? all : [1, last, ...chance.some(all, most - 2)]) {
            const found = await pageOf(engine, resource, number, size)
            const expected = { count: ids.length, last, number, ids: ids.slice((number - 1) * size, number * size) }
            assert.deepEqual(found, expected, `page ${number} of ${size}, ${resource.name}, seed ${SEED}`)
          }
        }
      }
      const { records } = writer!.store
      assert.equal(await writer!.store.read(() => records.rank.count(resource)), ids.length)
      assert.equal(await writer!.store.read(() => records.rank.untrue(resource)), 0, resource.name)
    }

    /** Some writes as one transaction. */
    function* batch(resource: AnyResource, ids: readonly number[], grows: boolean, by = writer!): Work<void> {
      const { records } = by.store
      const left = [...ids]
      for (let i = chance.below(9); i >= 0; i--) {
        const kind = chance.below(4)
        if (left.length === 0 || kind === 0 || (kind === 1 && grows)) {
          left.push(yield* records.insert(resource, { values: values(), owner }))
        } else if (kind === 3) {
          yield* records.update(resource, chance.pick(left), { values: values(), owner })
        } else yield* records.delete(resource, left.splice(chance.below(left.length), 1)[0]!)
      }
    }

    /** What a work tries and undoes, like an import does with an invalid record. */
    function* undonePart(resource: AnyResource, ids: readonly number[]): Work<void> {
      try {
        yield* undoable(function* () {
          yield* batch(resource, ids, true)
          throw new Undone()
        })
      } catch (error) {
        if (!(error instanceof Undone)) throw error
      }
    }

    test('every page is what ORDER BY and OFFSET return, after any writes, for every reader and cache state', async () => {
      for (let i = 0; i < BATCHES; i++) {
        const [resource, order] = ORDERS[i % ORDERS.length]!
        for (let round = 0; round < 5; round++) {
          const ids = await idsOf(resource, order)
          const isUndone = chance.happens(6)
          // Processes write in turns, so each finds blocks that the other has changed.
          const by = chance.pick([writer!, reader!])
          const work = function* (): Work<void> {
            yield* batch(resource, ids, i < BATCHES / 2, by)
            if (isUndone) throw new Undone()
          }
          if (isUndone) await assert.rejects(by.store.write(work), Undone)
          else await by.store.write(work)
          if (round % 2 === 0) await check([resource, order], [chance.pick(SIZES)], 4)
        }
      }
      for (const each of ORDERS) await check(each, SIZES, 100)
    })

    test('blocks are split in time by processes that only write', async () => {
      const [resource, order] = ORDERS[0]!
      for (let i = 0; i < 150; i++) {
        const { store } = i % 3 === 0 ? writer! : reader!
        await store.write(() => store.records.insert(resource, { values: values(), owner }))
      }
      const sizes = await reader!.store.read(() => statement(`SELECT max(count) AS most FROM ${resource.name}_blocks`))
      assert.ok(Number(sizes[0]!['most']) <= 24, `${sizes[0]!['most']} records in a block`)
      await check([resource, order], [7], 4)
    })

    test('what a work undoes does not count, and the rest does', async () => {
      for (const [resource, order] of ORDERS) {
        for (let round = 0; round < 3; round++) {
          const ids = await idsOf(resource, order)
          await writer!.store.write(function* () {
            yield* undonePart(resource, ids)
            yield* batch(resource, ids, true)
            yield* undonePart(resource, [])
          })
          await check([resource, order], [chance.pick(SIZES)], 4)
        }
      }
    })

    test('records that are inserted in bulk, with their own ids, are ranked like the others', async () => {
      for (const [resource, order] of ORDERS) {
        const [table] = copiedTables([resource]).filter(({ name }) => name === resource.name)
        const copies = Array.from({ length: 30 }, (_, i) => ({ id: 1000 + i, owner, columns: values() }))
        await writer!.store.write(function* () {
          yield* writer!.store.copies.insert(table!, copies)
          yield* writer!.store.copies.rank([resource])
        })
        await check([resource, order], SIZES, 100)
      }
    })

    test('a process that starts after all rank indexes were rebuilt shows later writes', async () => {
      await writer!.store.write(() => writer!.store.copies.rank(catalogue))
      keeper = keeping(await open())
      for (const [resource, order] of ORDERS) {
        await check([resource, order], SIZES, 5)
        await writer!.store.write(() => writer!.store.records.insert(resource, { values: values(), owner }))
        await check([resource, order], [3, 100], 100)
      }
    })

    test('when everything is deleted there is one empty page, and the next record is on it', async () => {
      for (const [resource, order] of ORDERS) {
        for (const id of chance.shuffle(await idsOf(resource, order))) {
          await writer!.store.write(() => writer!.store.records.delete(resource, id))
        }
        await check([resource, order], SIZES, 100)
        await writer!.store.write(() => writer!.store.records.insert(resource, { values: values(), owner }))
        await check([resource, order], SIZES, 100)
        assert.equal((await pageOf(keeper!, resource, 'last', 3)).number, 1)
      }
    })

    test('a block with a wrong count is found', async () => {
      const { store } = writer!
      for (const [resource, order] of ORDERS) {
        for (let i = 0; i < 20; i++) {
          await store.write(() => store.records.insert(resource, { values: values(), owner }))
        }
        const untrue = () => store.read(() => store.records.rank.untrue(resource))
        const blocks = `${resource.name}_blocks`
        const [first, second] = await store.read(() =>
          statement(`SELECT id FROM ${blocks} WHERE count > 0 ORDER BY ${order}`.replace(', id', ', first')),
        )
        const grow = (id: unknown, by: number) =>
          store.write(() => statement(`UPDATE ${blocks} SET count = count + ${by} WHERE id = ${id}`))
        await grow(first!['id'], 1)
        assert.ok((await untrue()) > 0, 'one holds more than it says')
        // The sum equals the number of records.
        await grow(second!['id'], -1)
        assert.ok((await untrue()) > 0, 'two are wrong, and their sum is right')
        await grow(first!['id'], -1)
        await grow(second!['id'], 1)
        assert.equal(await untrue(), 0)
      }
    })
  })

  test(`nymdex doctor reports lists whose records are counted wrong (${name})`, async () => {
    const { url, drop } = await freshDatabase(name, { sample: true })
    try {
      const examine = () => {
        const env = { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: url }
        return runCommand(['doctor'], env)
      }
      assert.doesNotMatch((await examine()).out, /rank index/)
      const database = await openDatabase(url)
      await database.write(() => statement('UPDATE polynym_blocks SET count = count + 1'))
      await database.close()
      const { code, out } = await examine()
      assert.equal(code, 1)
      assert.match(out, /^fail {2}the rank index of polynym is wrong: /m)
      assert.equal(out.match(/rank index of /g)?.length, 1)
    } finally {
      await drop()
    }
  })

  test(`a server that is started after a restore or an upgrade has ranked its lists shows what is written first (${name})`, async () => {
    const { url, drop } = await freshDatabase(name, { sample: true })
    const ranking = await openStore(url, wholeCatalogue)
    await ranking.write(() => ranking.copies.rank(wholeCatalogue))
    await ranking.close()
    const served = await Served.on(url, { keeps: 'everything' })
    try {
      for (const [collection, json] of Object.entries({
        queue: { name: '!' },
        polynym: { name: '!', mode: 'part', p1: 'a', p2: 'b' },
      })) {
        const before = await served.ask(`/api/${collection}/`)
        assert.equal(before.status, 200)
        assert.equal((await served.ask(`/api/${collection}/`, { method: 'POST', json, as: 'gus' })).status, 201)
        const now = await served.ask(`/api/${collection}/`)
        assert.deepEqual([now.json.count, now.json.results[0].name], [before.json.count + 1, '!'])
      }
    } finally {
      await served.stop()
      await drop()
    }
  })
}
