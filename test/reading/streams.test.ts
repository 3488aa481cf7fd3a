/** Whole lists as NDJSON and CSV: every record, in order, from one snapshot, sent while it is read. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { collectionsOf } from '../../src/engine/index.ts'
import type { Database, Snapshot } from '../../src/store/index.ts'
import { onEachEngine } from '../support/site.ts'

/** Called before a stream reads more than its first records. */
let meanwhile: (() => Promise<unknown>) | undefined

function interrupted(database: Database): Database {
  return {
    ...database,
    snapshot: async (): Promise<Snapshot> => {
      const snapshot = await database.snapshot()
      let reads = 0
      return {
        ...snapshot,
        read: async (work, seconds) => {
          if (reads++ === 1) await meanwhile?.()
          return await snapshot.read(work, seconds)
        },
      }
    },
  }
}

onEachEngine('Whole lists', { watch: interrupted, database: { waitSeconds: 1 } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const read = async (path: string, headers = {}) => {
    const { status, text } = await site.ask(path, { headers })
    assert.equal(status, 200, `${path}: ${text}`)
    return text
  }
  /** The same records, read page by page. */
  const paged = async (path: string) => {
    const records: unknown[] = []
    for (let next: string | null = `${path}${path.includes('?') ? '&' : '?'}page_size=100`; next; ) {
      const { results, next: following } = JSON.parse(await read(next.replace(/^http:\/\/[^/]+/, '')))
      records.push(...results)
      next = following
    }
    return records
  }
  const ndjson = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
  /** Says where they begin to differ; a comparison of all lines would take minutes. */
  const same = (given: string, wanted: string, what: string) => {
    const [ours, theirs] = [given.split('\n'), wanted.split('\n')]
    const line = ours.findIndex((each, i) => each !== theirs[i])
    assert.deepEqual([what, ours.length, line, ours[line]], [what, theirs.length, -1, undefined], theirs[line])
  }

  test('{stream.ndjson} {stream.order} each collection as NDJSON has the records of its pages, one by one', async () => {
    for (const { name } of collectionsOf(catalogue)) {
      same(await read(`/api/${name}/?format=ndjson`), ndjson(await paged(`/api/${name}/`)), name)
    }
  })

  test('{stream.filters} filters, searches, orders and projections work as on pages', async () => {
    for (const query of [
      'depth__gte=3&ordering=-depth,name',
      'search=the+light',
      'term=water',
      'user=mira&ordering=-polynym_id',
      'fields=name,depth&ordering=area',
      'name=there+is+none',
    ]) {
      const path = `/api/polynym/?${query}`
      same(await read(`${path}&format=ndjson`), ndjson(await paged(path)), query)
    }
    const sets = '/api/polyset/?embed=ids&omit=user'
    same(await read(`${sets}&format=ndjson`), ndjson(await paged(sets)), sets)
  })

  test('{stream.types} it is available by format, by suffix and by Accept; JSON stays the default', async () => {
    const [ndjson, csv] = [await read('/api/queue/?format=ndjson'), await read('/api/queue/?format=csv')]
    assert.equal(await read('/api/queue.ndjson'), ndjson)
    assert.equal(await read('/api/queue.csv'), csv)
    assert.equal(await read('/api/queue/', { Accept: 'application/x-ndjson' }), ndjson)
    assert.equal(await read('/api/queue/', { Accept: 'text/csv, */*;q=0.1' }), csv)
    assert.match(await read('/api/queue/', { Accept: '*/*' }), /^\{"count":/)
    const { headers, text } = await site.ask('/api/queue.csv')
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(headers['content-disposition'], 'attachment; filename="queue.csv"')
    assert.deepEqual([headers['vary'], headers['etag']], ['Accept', undefined])
    const log = site.accessLog.findLast(({ url }) => url === '/api/queue.csv')
    assert.equal(log.bytes, Buffer.byteLength(text))
    const head = await site.ask('/api/queue.csv', { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers['content-type'], head.text], [200, headers['content-type'], ''])
    assert.equal((await site.ask('/api/queue/1/', { headers: { Accept: 'text/csv' } })).status, 406)
  })

  test('{stream.csv} there is a row for each record, with ids instead of embedded records', async () => {
    const rows = (await read('/api/polyset/?format=csv&ordering=polyset_id')).split('\n')
    const { results } = JSON.parse(await read('/api/polyset/?ordering=polyset_id&embed=ids&page_size=1'))
    const members = 'name,user,src,area,wiki,likes,voters,polynyms,length,width,depth,polyset_id'
    assert.equal(rows[0], members)
    const cells = members.split(',').map((member) => [results[0][member] ?? ''].flat().join(' '))
    assert.equal(rows[1], cells.join(','))
    assert.equal(await read('/api/queue/?format=csv&fields=name&name=none'), 'name,queue_id\n')
  })

  test('{stream.pages} {stream.faults} page parameters are refused, and errors come before anything is sent', async () => {
    const refused = async (query: string) => {
      const { status, json } = await site.ask(`/api/polynym/?format=ndjson&${query}`)
      return [status, json]
    }
    const message = ['A list that is sent as a whole has no pages.']
    assert.deepEqual(await refused('page=2'), [400, { page: message }])
    for (const method of ['HEAD', 'GET']) {
      assert.equal((await site.ask('/api/storyline.ndjson?story=9999', { method })).status, 400)
    }
    const preflight = await site.ask('/api/polynym.csv', { method: 'OPTIONS' })
    assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [200, '*'])
    assert.deepEqual(await refused('page_size=10'), [400, { page_size: message }])
    assert.deepEqual(await refused('depth__gt=3'), [400, { depth__gt: ['Unknown lookup. Did you mean depth__gte?'] }])
    assert.deepEqual(await refused('fields=nothing'), [400, { fields: ['"nothing" is not a valid choice.'] }])
  })

  test('{stream.snapshot} it does not contain what is written meanwhile', async () => {
    const before = await read('/api/polynym/?format=ndjson')
    const [name] = before.split('\n').slice(-2)
    const id = JSON.parse(name!).polynym_id
    meanwhile = async () => {
      meanwhile = undefined
      const json = { name: 'Zzz', mode: 'type', p1: 'a', p2: 'b' }
      assert.equal((await site.ask('/api/polynym/', { method: 'POST', json, as: 'staff' })).status, 201)
      const change = { method: 'PATCH', json: { name: 'Aaa' }, as: 'staff' }
      assert.equal((await site.ask(`/api/polynym/${id}/`, change)).status, 200)
    }
    same(await read('/api/polynym/?format=ndjson'), before, 'before')
    assert.equal(meanwhile, undefined)
    const after = await read('/api/polynym/?format=ndjson')
    same(after, ndjson(await paged('/api/polynym/')), 'after')
    assert.ok(after !== before)
  })

  test('{stream.limit} a third stream at the same time gets 503, and other requests continue', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const { promise: bothBegun, resolve: begun } = Promise.withResolvers<void>()
    let waiting = 0
    meanwhile = () => {
      if (++waiting === 2) begun()
      return over
    }
    const two = [read('/api/polynym/?format=ndjson'), read('/api/polynym/?format=csv')]
    await bothBegun
    let isWaiting = true
    const further = Promise.all(Array.from({ length: 40 }, () => site.ask('/api/polynym/?format=ndjson')))
    void further.then(() => {
      isWaiting = false
    })
    assert.equal((await site.ask('/api/polynym/?depth=4')).status, 200)
    assert.ok(isWaiting)
    const statuses = (await further).map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)], [503])
    const third = await site.ask('/api/polynym/?format=ndjson')
    const detail = 'The server has too much to do. Try again in a moment.'
    assert.deepEqual([third.status, third.headers['retry-after'], third.json], [503, '2', { detail }])
    assert.deepEqual(site.outages, [])
    meanwhile = undefined
    end()
    await Promise.all(two)
    await read('/api/polynym/?format=ndjson')
  })

  test('{stream.broken} a client notices that the rest is missing', async () => {
    meanwhile = () => Promise.reject(new Error('the disk is gone'))
    await assert.rejects(site.ask('/api/polynym/?format=ndjson'), { code: 'ECONNRESET' })
    meanwhile = undefined
    assert.match(String(site.bugs.splice(0)), /the disk is gone/)
  })
})
