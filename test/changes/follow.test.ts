/** A copy that follows another server: the same bytes, on either database. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { renewLogId } from '../../src/store/index.ts'
import { exportOrder, exportTogether, Follower } from '../../src/transfer/index.ts'
import { ENGINES, type EngineName, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { Served, said } from '../support/servers.ts'

const OTHER = { SQLite: 'PostgreSQL', PostgreSQL: 'SQLite' } as const
const STAFF = 'staff'
const PAGES = [
  '/api/',
  ...catalogue.flatMap(({ name }) => [`/api/${name}/?page_size=100`, `/api/${name}/?ordering=-changed`]),
  '/api/polynym/?ordering=created&page_size=50',
  '/api/polynym/?search=river',
  '/api/polynym/1/',
  '/api/changes/?limit=1000',
  '/api/changes/?since=1000&limit=1000',
  '/api/changes/recent/?limit=5',
  '/changes/',
  '/api/chart/growth/',
  '/api/chart/activity/',
]

async function exported({ engine }: Served): Promise<string> {
  let text = ''
  await exportTogether(engine, exportOrder(engine, engine.catalogue), 'ndjson', { write: (some) => (text += some) })
  return text
}

async function compare(source: Served, copy: Served): Promise<void> {
  assert.equal(await exported(copy), await exported(source))
  for (const path of PAGES) assert.deepEqual(said(await copy.ask(path)), said(await source.ask(path)), path)
}

for (const engine of ENGINES) {
  const other: EngineName = ENGINES.length === 1 ? engine : OTHER[engine]
  describe(`Following (${engine} to ${other})`, () => {
    const databases: FreshDatabase[] = []
    let source: Served
    let copy: Served
    /** Of the source, if a test has set it. */
    let clock: Date | undefined
    const notes: string[] = []
    const follow = async () => {
      const url = `http://127.0.0.1:${source.port}/`
      const follower = new Follower(copy.engine, url, { once: true, onNote: (line) => notes.push(line) })
      await follower.run()
      return follower.status
    }
    before(async () => {
      databases.push(await freshDatabase(engine, { sample: true }), await freshDatabase(other, { sample: false }))
      source = await Served.on(databases[0]!.url, { keeps: 'everything', now: () => clock ?? new Date() })
      copy = await Served.on(databases[1]!.url, { keeps: 'everything' })
    })
    after(async () => {
      for (const served of [source, copy]) {
        await served.stop()
        assert.deepEqual(served.bugs, [])
      }
      for (const { drop } of databases) await drop()
    })

    const send = async (method: string, path: string, json?: object, as = 'gus') => {
      const reply = await source.ask(path, { method, as, ...(json ? { json } : {}) })
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
      return reply.json as any
    }
    const polynym = (name: string) => send('POST', '/api/polynym/', { name, mode: 'part', p1: 'a', p2: 'b' })

    test('{follow.copy} the first copy has the same records, pages, ETags and log', async () => {
      await send('POST', '/api/queue/', { name: 'owned by somebody' })
      assert.deepEqual(await follow(), { isWhole: true, behind: 0 })
      await compare(source, copy)
    })

    test('{follow.copy} the copy shows the changes of a record that is gone when they arrive', async () => {
      const queue = await send('POST', '/api/queue/', { name: 'short-lived' })
      await send('DELETE', `/api/queue/${queue.queue_id}/`)
      await follow()
      await compare(source, copy)
    })

    test('{follow.copy} {follow.chain} the first copy continues after interruptions, while others write', async (t) => {
      const database = await freshDatabase(other, { sample: false })
      const late = await Served.on(database.url, { keeps: 'nothing' })
      t.after(async () => {
        await late.stop()
        await database.drop()
      })
      const url = `http://127.0.0.1:${source.port}/`
      const old = await polynym('old')
      let [before, steps] = [old.polynym_id, 0]
      /** A name that another record gives up, references to new records, and records that disappear. */
      const disturb = async () => {
        const { polynym_id: taken } = await polynym(`taken ${++steps}`)
        await send('PATCH', `/api/polynym/${before}/`, { name: `given up ${steps}` })
        await send('PATCH', `/api/polynym/${taken}/`, { name: steps === 1 ? 'old' : `taken ${steps - 1}` })
        await send('POST', '/api/polyset/', { name: `new ${steps}`, polynyms: [taken, before] })
        if (steps % 3 === 0) await send('DELETE', `/api/polynym/${before}/?cascade=true`, undefined, STAFF)
        await send('POST', `/api/polynym/${taken}/vote/`, {}, 'ida')
        before = taken
      }
      for (;;) {
        const stop = new AbortController()
        const onProgress = () => stop.abort()
        const follower = new Follower(late.engine, url, { once: true, signal: stop.signal, onProgress })
        await follower.run()
        if (follower.status.behind === 0) break
        if (follower.status.isWhole) continue
        // Another one cannot copy what is not there yet.
        const { status, headers } = await late.ask('/api/changes/records/?resource=polynym')
        assert.deepEqual([status, headers['retry-after']], [503, '2'])
        await disturb()
      }
      assert.ok(steps > 16, `${steps} interruptions`)
      await compare(source, late)
    })

    test('{follow.copy} two that begin at the same time do not begin twice', async (t) => {
      const database = await freshDatabase(engine, { sample: false })
      const late = await Served.on(database.url, { keeps: 'nothing' })
      // Another address of the source, whose log arrives when the first copy has begun.
      const begun = Promise.withResolvers<void>()
      const slow = createServer(async ({ url = '' }, reply) => {
        if (url.startsWith('/api/changes/?')) await begun.promise
        const { status, headers, text } = await source.ask(url)
        reply.writeHead(status, { 'nymdex-log': String(headers['nymdex-log']) }).end(text)
      })
      await new Promise<void>((listening) => slow.listen(0, '127.0.0.1', listening))
      t.after(async () => {
        slow.close()
        await late.stop()
        await database.drop()
      })
      const address = slow.address()
      const other = `http://127.0.0.1:${typeof address === 'object' && address?.port}/`
      const second = new Follower(late.engine, other, { once: true })
      const refused = assert.rejects(second.run(), /the database is a copy of http/)
      const url = `http://127.0.0.1:${source.port}/`
      const stop = new AbortController()
      await new Follower(late.engine, url, { signal: stop.signal, onProgress: () => stop.abort() }).run()
      begun.resolve()
      await refused
      await new Follower(late.engine, url, { once: true }).run()
      await compare(source, late)
    })

    test('{follow.changes} every change arrives: records, links, cascades, votes in their order, undo', async () => {
      const ids: number[] = []
      // Counters of days must not be those of the copy.
      clock = new Date('2026-01-05T10:00:00Z')
      for (const name of ['first', 'second', 'third', 'fourth']) ids.push((await polynym(name)).polynym_id)
      const [first, second, third, fourth] = ids
      const { polyset_id: set } = await send('POST', '/api/polyset/', { name: 'all', polynyms: ids })
      for (const as of ['ida', 'tom', 'eva', 'kim']) await send('POST', `/api/polynym/${first}/vote/`, {}, as)
      clock = undefined
      await follow()
      await compare(source, copy)
      // Names move from one record to another, and a record comes and goes.
      await send('PATCH', `/api/polynym/${first}/`, { name: 'none' })
      await send('PATCH', `/api/polynym/${second}/`, { name: 'first' })
      await send('PATCH', `/api/polynym/${first}/`, { name: 'second' })
      await send('DELETE', `/api/polynym/${(await polynym('brief')).polynym_id}/`)
      await send('DELETE', `/api/polynym/${first}/vote/`, undefined, 'tom')
      await send('PATCH', `/api/polyset/${set}/`, { polynyms: [fourth, first, third] })
      await send('DELETE', `/api/polynym/${third}/?cascade=true`, undefined, STAFF)
      const { latest } = (await source.ask('/api/changes/?limit=1')).json as any
      await send('DELETE', `/api/polynym/${first}/?cascade=true`, undefined, STAFF)
      await send('POST', `/api/changes/set/${latest + 1}/undo/`, {}, STAFF)
      const fable = ((await source.ask('/api/fable/?page_size=1')).json as any).results[0].fable_id
      const topics = ((await source.ask('/api/quadranym/?page_size=3')).json as any).results
      const lines = topics.map(({ quadranym_id }: any) => quadranym_id)
      for (const name of ['told', 'told again']) await send('POST', '/api/tale/', { name, fable, lines })
      const { tale_id: tale } = await send('POST', '/api/tale/', { name: 'untold', fable, lines })
      await send('PATCH', `/api/tale/${tale}/`, { lines: lines.slice(1) })
      await send('DELETE', `/api/tale/${tale}/`)
      assert.deepEqual(await follow(), { isWhole: true, behind: 0 })
      await compare(source, copy)
    })

    test('{follow.hidden} the log has what undo needs, so the copy can be promoted', async () => {
      const entries = async (served: Served) =>
        (await served.ask('/api/changes/?since=1900&limit=1000&hidden=true')).text
      assert.match(await entries(source), /"_place":1.*"_owner":"gus"/)
      assert.equal(await entries(copy), await entries(source))
    })

    test('{follow.writes} a copy accepts no changes of its own', async () => {
      const reply = await copy.ask('/api/queue/', { method: 'POST', as: 'gus', json: { name: 'mine' } })
      assert.equal(reply.status, 503)
      await compare(source, copy)
    })

    test('{follow.records} records as they were after an entry', async () => {
      const { polynym_id: id } = await polynym('as it was')
      const { latest } = (await source.ask('/api/changes/?limit=1')).json as any
      await send('PATCH', `/api/polynym/${id}/`, { name: 'as it is', p3: 'c' })
      await send('POST', `/api/polynym/${id}/vote/`, {}, 'ida')
      const address = `/api/changes/records/?resource=polynym&ids=${id},999999&until=`
      const then = async (until: number) => ((await source.ask(address + until)).json as any).results
      const [was] = await then(latest)
      assert.deepEqual([was.columns.name, was.columns.p3, was.voters, was.owner], ['as it was', '', [], 'gus'])
      const [is] = await then(latest + 2)
      assert.deepEqual([is.columns.name, is.columns.p3, is.voters], ['as it is', 'c', ['ida']])
      await send('DELETE', `/api/polynym/${id}/`)
      assert.deepEqual((await then(latest + 2))[0].columns.name, 'as it is')
      assert.deepEqual(await then(latest + 3), [])
      assert.deepEqual(await then(latest - 1), [])
    })

    test('{follow.faults} wrong parameters return 400, and another log 410', async () => {
      const ask = async (query: string) => {
        const { status, json } = await source.ask(`/api/changes/records/?${query}`)
        return [status, ...Object.keys(json as object)]
      }
      assert.deepEqual(await ask(''), [400, 'resource'])
      assert.deepEqual(await ask('resource=colour'), [400, 'resource'])
      assert.deepEqual(await ask('resource=polynym&ids=1'), [400, 'until'])
      assert.deepEqual(await ask('resource=polynym&ids=one&until=1'), [400, 'ids'])
      assert.deepEqual(await ask('resource=polynym&limit=0'), [400, 'limit'])
      assert.deepEqual(await ask('resource=polynym&log=other'), [410, 'detail', 'oldest'])
      assert.deepEqual(await ask('resource=polynym&ids=1&until=9999999'), [410, 'detail', 'oldest'])
    })

    test('{follow.replaced} after the log was replaced, everything is copied again', async () => {
      await source.store.write(function* () {
        yield* renewLogId()
      })
      await send('POST', '/api/queue/', { name: 'after the restore' })
      await follow()
      assert.match(notes.join(), /was replaced: copying everything again/)
      await compare(source, copy)
    })

    test('{follow.refused} a database with other records is not overwritten', async () => {
      const follower = new Follower(source.engine, `http://127.0.0.1:${copy.port}/`, { once: true })
      await assert.rejects(follower.run(), /holds \d+ records and is no copy of http/)
    })
  })
}
