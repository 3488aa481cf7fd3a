/** How long the log is kept: old entries go, the oldest first, and old votes are compacted. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { keepLog, keepLogDaily, type Retention } from '../../src/engine/index.ts'
import { runCommand } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { Served, statement } from '../support/servers.ts'

const NOTHING: Retention = { entries: undefined, votes: undefined }

for (const engine of ENGINES) {
  describe(`The log is kept (${engine})`, () => {
    let database: FreshDatabase
    let served: Served
    let now = new Date()
    let id = 0
    before(async () => {
      database = await freshDatabase(engine, { sample: false, tables: true })
      served = await Served.on(database.url, { keeps: 'everything', now: () => now })
    })
    after(async () => {
      assert.deepEqual(served.bugs, [])
      await served.stop()
      await database.drop()
    })

    const on = (date: string) => {
      now = new Date(`${date}T12:00:00Z`)
    }
    const send = async (method: string, path: string, as: string, json?: object): Promise<any> => {
      const reply = await served.ask(path, { method, as, ...(json ? { json } : {}) })
      assert.ok(reply.status < 300, reply.text)
      return reply.json
    }
    const polynym = async (name: string): Promise<number> =>
      (await send('POST', '/api/polynym/', 'gus', { name, mode: 'part', p1: 'source', p2: 'mouth' })).polynym_id
    const vote = (as: string, way = 'POST', record = id) => send(way, `/api/polynym/${record}/vote/`, as)
    const feed = async (query = ''): Promise<any> => (await served.ask(`/api/changes/?${query}`)).json
    const log = async (): Promise<string[]> => {
      const { results } = await feed(`since=${(await feed()).oldest - 1}`)
      return results.map(({ seq, user, action }: any) => `${seq} ${user} ${action}`)
    }

    test('{changes.compacted} of the old votes of a user on a record the last one stays, and the numbers of the others are left out', async () => {
      on('2026-01-01')
      id = await polynym('a')
      const other = await polynym('b')
      for (const way of ['POST', 'DELETE', 'POST']) await vote('ida', way)
      await vote('tom')
      await vote('ida', 'POST', other)
      await vote('tom', 'DELETE')
      on('2026-02-15')
      await vote('ida', 'DELETE')
      await vote('ida')
      const whole = await log()
      assert.equal(whole.length, 10)
      on('2026-01-20')
      assert.deepEqual(await keepLog(served.engine, { ...NOTHING, votes: 30 }), { removed: 0, compacted: 0 })
      on('2026-02-20')
      assert.deepEqual(await keepLog(served.engine, { ...NOTHING, votes: 30 }), { removed: 0, compacted: 3 })
      const left = ['1 gus create', '2 gus create', '5 ida vote', '7 ida vote', '8 tom unvote']
      assert.deepEqual(await log(), [...left, '9 ida unvote', '10 ida vote'])
      // A client that reads on finds everything, wherever it stopped.
      const { next, results } = await feed('since=3&limit=2')
      assert.deepEqual([results.map(({ seq }: any) => seq), next], [[5, 7], 7])
      assert.deepEqual([(await feed('since=2&until=4')).results, (await feed('since=2&until=4')).next], [[], 4])
      // What the votes were before is no longer known.
      const asOf = async (seq: number) => (await served.ask(`/api/polynym/${id}/?as_of=${seq}`)).status
      assert.deepEqual([await asOf(2), await asOf(7), await asOf(8)], [410, 200, 200])
      const voted = async (seq: number) =>
        (await served.ask(`/api/changes/?since=${seq}&resource=polynym&voters=tom`)).status
      assert.deepEqual([await voted(2), await voted(7), await voted(8)], [410, 200, 200])
      on('2026-04-01')
      assert.deepEqual(await keepLog(served.engine, { ...NOTHING, votes: 30 }), { removed: 0, compacted: 2 })
      assert.deepEqual(await log(), [...left.filter((each) => !each.startsWith('5')), '10 ida vote'])
      assert.deepEqual((await served.ask(`/api/polynym/${id}/`)).json.voters, ['ida'])
    })

    test('{changes.retention} {history.times} entries that are too old go, whole sets at a time, and the newest set stays', async () => {
      on('2026-04-02')
      const { oldest, latest } = await feed()
      assert.equal(oldest, 1)
      await polynym('c')
      assert.deepEqual(await keepLog(served.engine, { ...NOTHING, entries: 60 }), { removed: 4, compacted: 0 })
      assert.deepEqual(await log(), [`${latest} ida vote`, `${latest + 1} gus create`])
      assert.equal((await feed(`since=${latest - 1}`)).oldest, latest)
      const gone = await served.ask('/api/changes/?since=1')
      assert.deepEqual([gone.status, gone.json.oldest], [410, latest])
      const { created, results } = (await served.ask(`/api/polynym/${id}/history/`)).json
      assert.deepEqual([created, results.length], ['2026-01-01T12:00:00.000Z', 1])
      on('2026-06-01')
      assert.deepEqual(await keepLog(served.engine, { entries: 1, votes: 1 }), { removed: 1, compacted: 0 })
      assert.deepEqual(await log(), [`${latest + 1} gus create`])
      await polynym('d')
      assert.deepEqual((await log()).at(-1), `${latest + 2} gus create`)
    })

    test('{changes.retention} what the entries of a hidden record told goes with them', async () => {
      on('2026-06-02')
      const hidden = async () => (await served.ask('/api/hidden/', { as: 'staff' })).json.count
      const gone = await polynym('e')
      await send('DELETE', `/api/polynym/${gone}/`, 'gus')
      await send('PUT', '/api/hidden/', 'staff', { resource: 'polynym', id: gone, hidden: true })
      assert.equal(await hidden(), 1)
      on('2026-06-20')
      await polynym('f')
      await keepLog(served.engine, { ...NOTHING, entries: 10 })
      assert.equal(await hidden(), 0)
      const rows = await served.store.read(() => statement('SELECT * FROM hidden'))
      assert.deepEqual(rows, [])
      await polynym('g')
    })

    test('a server does it by itself, and stops when it is told to', async () => {
      on('2026-07-01')
      const kept = Promise.withResolvers<unknown>()
      const schedule = { firstMs: 0, done: kept.resolve, failed: kept.reject }
      const stop = keepLogDaily(served.engine, { ...NOTHING, entries: 1 }, schedule)
      assert.deepEqual(await kept.promise, { removed: 1, compacted: 0 })
      await stop()
      assert.equal((await log()).length, 1)
    })

    test('nymdex compact does it at once', async () => {
      on('2026-01-01')
      await polynym('e')
      for (const way of ['POST', 'DELETE', 'POST']) await vote('zoe', way)
      await vote('tom')
      const env = { PATH: process.env['PATH'], DATABASE_URL: database.url }
      const compact = (more: object) => runCommand(['compact'], { ...env, ...more })
      assert.equal(
        (await compact({})).out,
        'removed 0 entries from the log of changes, and 2 entries of earlier votes\n',
      )
      assert.equal(
        (await compact({ NYMDEX_LOG_DAYS: '1' })).out,
        'removed 3 entries from the log of changes, and 0 entries of earlier votes\n',
      )
      assert.match((await compact({ NYMDEX_LOG_DAYS: '0' })).err, /^nymdex: NYMDEX_LOG_DAYS: "0" is not off or/)
    })
  })
}
