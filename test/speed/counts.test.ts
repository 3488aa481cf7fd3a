/** The cost of reading, in statements: counts that are the same on every machine. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { type AnyResource, fieldsOf } from '../../src/declare/index.ts'
import { collectionsOf } from '../../src/engine/index.ts'
import type { Database, Work } from '../../src/store/index.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { KEEPS, Served, said } from '../support/servers.ts'
import { addWinners } from '../support/winners.ts'

/** How many statements the database of a server ran, in any way. */
class Counter {
  statements = 0

  readonly watch = (database: Database): Database => {
    const { readNow } = database
    return {
      ...database,
      read: (work, seconds) => database.read(() => this.#counted(work()), seconds),
      readAt: (work, seconds) => database.readAt((moment) => this.#counted(work(moment)), seconds),
      ...(readNow ? { readNow: (work, seconds) => readNow((moment) => this.#counted(work(moment)), seconds) } : {}),
      write: (work) => database.write(() => this.#counted(work())),
    }
  };

  *#counted<T>(steps: Work<T>): Work<T> {
    let step = steps.next()
    while (!step.done) {
      const rows = yield step.value
      // One that was not sent has no answer.
      this.statements++
      step = steps.next(rows)
    }
    return step.value
  }
}

/** Every kind of record that these embed, directly or indirectly. */
function embeddedKinds(resource: AnyResource, kinds = new Set<string>()): Set<string> {
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    kinds.add(storage.to.name)
    embeddedKinds(storage.to, kinds)
  }
  return kinds
}

const COLLECTIONS = collectionsOf(catalogue).map(({ name, resource, only }) => ({
  name,
  kinds: only ? 0 : embeddedKinds(resource).size,
}))

for (const name of ENGINES) {
  describe(`The cost of reading (${name})`, () => {
    let fresh: FreshDatabase
    const servers: Served[] = []
    const start = async (keeps: keyof typeof KEEPS) => {
      const counter = new Counter()
      const server = await Served.on(fresh.url, { keeps, watch: counter.watch, mostInBlock: 16 })
      servers.push(server)
      /** The statements for a response, which must succeed. */
      const cost = async (path: string, headers: Record<string, string> = {}) => {
        counter.statements = 0
        const { status, text } = await server.ask(path.startsWith('/') ? path : `/api/${path}`, { headers })
        assert.ok(status === 200 || status === 304, `${path}: ${status} ${text}`)
        return counter.statements
      }
      return { server, cost }
    }
    before(async () => {
      fresh = await freshDatabase(name, { sample: true })
      // These servers use other blocks than those of the sample.
      const { server } = await start('nothing')
      const { store } = server
      await addWinners(server)
      await store.write(() => store.copies.rank(catalogue))
      const json = { name: '!é雨', mode: 'part', p1: 'a', p2: '😀' }
      assert.equal((await server.ask('/api/polynym/', { method: 'POST', json, as: 'gus' })).status, 201)
    })
    after(async () => {
      for (const server of servers) {
        await server.stop()
        assert.deepEqual(server.bugs, [])
      }
      await fresh.drop()
    })

    test('without caches, a page takes its place in the list, its rows and one statement for each kind it embeds', async () => {
      const { cost } = await start('nothing')
      for (const { name, kinds } of COLLECTIONS) {
        for (const size of [1, 3, 100]) {
          const statements = await cost(`${name}/?page_size=${size}`)
          // The blocks of the list, and the names of owners, are read once.
          assert.ok(statements <= 3 + kinds, `${statements} for ${size} of ${name}, which embeds ${kinds} kinds`)
        }
      }
    })

    test('the first page, one in the middle and the last one take the same number', async () => {
      const { cost } = await start('nothing')
      for (const list of ['polynym', 'quadranym-id', 'quote', 'polyset']) {
        // The blocks, and the names of the owners, are read once.
        await cost(`${list}/?page_size=1000`)
        const costs: number[] = []
        for (const page of [1, 4, 'last']) costs.push(await cost(`${list}/?page_size=10&page=${page}`))
        assert.equal(new Set(costs).size, 1, `${list}: ${costs.join(', ')}`)
      }
    })

    test('a page of which nothing is cached takes one more for each block it is in', async () => {
      for (const page of [1, 12, 'last']) {
        const { cost } = await start('records')
        const statements = await cost(`polynym/?page_size=10&page=${page}`)
        // The blocks, the ids of at most two of them, and the records.
        assert.ok(statements <= 4, `${statements} for page ${page}`)
      }
    })

    test('a page of cached records takes no statement, however they were read before', async () => {
      const { cost } = await start('records')
      for (const { name } of COLLECTIONS) {
        assert.ok((await cost(`${name}/?page_size=100`)) > 0, name)
        for (const query of ['page_size=100', 'page_size=3&page=2', 'page_size=7', '']) {
          assert.equal(await cost(`${name}/?${query}`), 0, `${name} ${query}`)
        }
      }
      await cost('polynym/300/')
      assert.equal(await cost('polynym/300/'), 0)
    })

    test('a cached response takes no statement, for any caller and rendering', async () => {
      const { server, cost } = await start('everything')
      const paths = [
        'polynym/?page_size=100',
        'polyset/',
        'quote/?page=3',
        'polyset/1/',
        'term/river/',
        'polynym/?search=river',
      ]
      for (const path of paths) {
        assert.ok((await cost(path)) > 0, path)
        const { headers } = await server.ask(`/api/${path}`)
        assert.equal(await cost(path), 0, path)
        assert.equal(await cost(path, { 'if-none-match': headers.etag! }), 0, path)
        assert.equal(await cost(path, { accept: 'application/json' }), 0, path)
      }
    })

    test('a cached page for people takes no statement, for visitors who are not signed in', async () => {
      const { server, cost } = await start('everything')
      const { json } = await server.ask('/api/changes/recent/?limit=1')
      // Its entries are read from the log each time.
      const path = `/changes/set/${json.results[0].set}/`
      assert.ok((await cost(path)) > 0)
      assert.equal(await cost(path), 0)
      const authorization = `Token ${await server.tokenOf('gus')}`
      assert.ok((await cost(path, { authorization })) > 0)
      // The token is new, and so is the account: any page could show it.
      assert.ok((await cost(path)) > 0)
      assert.equal(await cost(path), 0)
    })

    test('after a write, only what it has changed is read again', async () => {
      const { server, cost } = await start('records')
      const size = 'page_size=100'
      for (const list of ['polynym', 'polyset', 'quote', 'queue']) await cost(`${list}/?${size}`)
      const { json } = await server.ask(`/api/polyset/?${size}`)
      const { polynym_id } = json.results[0].polynyms[0]
      const change = { method: 'PATCH', json: { area: 'elsewhere' }, as: 'staff-gus' }
      assert.equal((await server.ask(`/api/polynym/${polynym_id}/`, change)).status, 200)
      // Which blocks have changed; the record, or those that embed it, and what they embed.
      assert.ok((await cost(`polynym/?${size}`)) <= 2, 'polynym')
      assert.ok((await cost(`polyset/?${size}`)) <= 2, 'polyset')
      assert.equal(await cost(`quote/?${size}`), 0, 'quote')
      assert.equal(
        (await server.ask('/api/queue/', { method: 'POST', json: { name: '!' }, as: 'staff-gus' })).status,
        201,
      )
      // The blocks, the ids of the one that has changed, and the record.
      assert.ok((await cost(`queue/?${size}`)) <= 3, 'queue')
      assert.equal(await cost(`polynym/?${size}`), 0, 'polynym again')
    })

    test('the bytes of a page are the same in whatever way it is made', async () => {
      const all: Served[] = []
      for (const keeps of Object.keys(KEEPS) as (keyof typeof KEEPS)[]) all.push((await start(keeps)).server)
      const paths = COLLECTIONS.flatMap(({ name }) => [`${name}/`, `${name}/?page_size=2&page=2`]).concat(
        'polynym/?page_size=100',
        'polyset/1/',
      )
      for (const path of paths) {
        let expected: object | undefined
        for (const server of all) {
          for (const way of ['cold', 'warm', 'warm again', 'for somebody']) {
            const reply = await server.ask(`/api/${path}`, way === 'for somebody' ? { as: 'gus' } : {})
            const { status, headers, text } = reply
            assert.equal(Number(headers['content-length']), Buffer.byteLength(text), path)
            expected ??= said(reply)
            assert.deepEqual([status, said(reply)], [200, expected], `${path}, ${way}`)
          }
        }
      }
    })
  })
}
