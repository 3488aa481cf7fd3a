/** When records were created and changed: to order and filter lists by, and as Last-Modified. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { resource, text, timeIn } from '../../src/declare/index.ts'
import { migrate, openDatabase, storeOn } from '../../src/store/index.ts'
import { ENGINES, freshDatabase } from '../support/databases.ts'
import { Served, statement } from '../support/servers.ts'
import { onEachEngine } from '../support/site.ts'
import { databaseOfVersion } from '../support/versions.ts'

onEachEngine('Times', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  /** Sends a request at a time of this day. */
  async function at(time: string, method: string, path: string, json?: object, as = 'gus'): Promise<any> {
    site.clock = new Date(`2026-03-01T${time}Z`)
    const reply = await site.ask(path, { method, as, ...(json ? { json } : {}) })
    site.clock = undefined
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const polynym = async (time: string, name: string): Promise<number> =>
    (await at(time, 'POST', '/api/polynym/', { name, mode: 'part', p1: 'source', p2: 'mouth' })).polynym_id
  const names = async (query: string, path = '/api/polynym/'): Promise<string> => {
    const { status, json, text } = await site.ask(`${path}?${query}`)
    assert.equal(status, 200, text)
    return json.results.map(({ name }: any) => name).join(' ')
  }
  const lastModified = async (path: string) => (await site.ask(path)).headers['last-modified']
  const ids: Record<string, number> = {}

  test('{times.ordering} lists are ordered by when records were created or changed', async () => {
    for (const [time, name] of [
      ['10:00', 'b'],
      ['11:00', 'a'],
      ['12:00', 'd'],
      ['13:00', 'c'],
    ] as const)
      ids[name] = await polynym(time, name)
    assert.equal(await names('ordering=created'), 'b a d c')
    assert.equal(await names('ordering=-created'), 'c d a b')
    assert.equal(await names('ordering=-changed'), 'c d a b')
    await at('14:00', 'PATCH', `/api/polynym/${ids['a']}/`, { p1: 'spring' })
    assert.equal(await names('ordering=-changed'), 'a c d b')
    assert.equal(await names('ordering=changed'), 'b d c a')
    assert.equal(await names('ordering=-created'), 'c d a b')
  })

  test('{times.changed} a vote is a change; a write that changes nothing, or an embedded record, is not', async () => {
    const { polyset_id: set } = await at('14:30', 'POST', '/api/polyset/', {
      name: 's',
      polynyms: [ids['b'], ids['c']],
    })
    await at('15:00', 'POST', `/api/polynym/${ids['b']}/vote/`, undefined, 'ida')
    assert.equal(await names('ordering=-changed'), 'b a c d')
    await at('15:10', 'POST', `/api/polynym/${ids['b']}/vote/`, undefined, 'ida')
    await at('15:20', 'PATCH', `/api/polynym/${ids['c']}/`, { name: 'c' })
    assert.equal(await names('ordering=-changed'), 'b a c d')
    assert.equal(await lastModified(`/api/polynym/${ids['b']}/`), 'Sun, 01 Mar 2026 15:00:00 GMT')
    assert.equal(await lastModified(`/api/polyset/${set}/`), 'Sun, 01 Mar 2026 14:30:00 GMT')
    await at('15:30', 'PATCH', `/api/polyset/${set}/`, { polynyms: [ids['c'], ids['b']] })
    assert.equal(await lastModified(`/api/polyset/${set}/`), 'Sun, 01 Mar 2026 15:30:00 GMT')
    await at('16:00', 'DELETE', `/api/polynym/${ids['b']}/vote/`, undefined, 'ida')
    assert.equal(await lastModified(`/api/polynym/${ids['b']}/`), 'Sun, 01 Mar 2026 16:00:00 GMT')
    // The log tells the same.
    const { results } = (await site.ask(`/api/changes/?resource=polynym&id=${ids['b']}`)).json
    assert.equal(results.at(-1).at, '2026-03-01T16:00:00.000Z')
  })

  test('{times.lookups} conditions select by time, with others, in pages, whole lists and other addresses', async () => {
    const noon = '2026-03-01T12:00:00Z'
    for (const [query, found] of [
      [`created__gte=${noon}`, 'c d'],
      [`created__gt=${noon}`, 'c'],
      [`created__lte=${noon}`, 'a b d'],
      [`created__lt=${noon}`, 'a b'],
      [`changed__gt=${noon}&created__lt=${noon}`, 'a b'],
      [`changed__gte=2026-03-01T14:00&ordering=-changed&name__in=a,b`, 'b a'],
      [`changed__gte=2026-03-01T14:00&p1=spring`, 'a'],
      ['search=mouth&changed__lt=2026-03-01T13:00:01', 'c d'],
      ['changed__lt=2026-03-01', ''],
    ] as const)
      assert.equal(await names(query), found, query)
    const first = (await site.ask('/api/polynym/?ordering=-changed&page_size=3')).json
    assert.equal(new URL(first.next).search, '?ordering=-changed&page=2&page_size=3')
    assert.equal(await names(new URL(first.next).search.slice(1)), 'd')
    const whole = await site.ask('/api/polynym/?format=ndjson&ordering=-changed&changed__gt=2026-03-01T13:00')
    assert.deepEqual(
      whole.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
      ['b', 'a'],
    )
    assert.equal((await site.ask(`/api/polynym/facets/?by=mode&created__gte=${noon}`)).json.count, 2)
    assert.equal((await site.ask('/api/polynym/random/?created__lt=2026-03-01T10:30')).json.name, 'b')
  })

  test('{times.values} values are dates and times with or without a zone; others return 400', async () => {
    for (const [value, found] of [
      ['2026-03-01', 'a b c d'],
      ['2026-03-02', ''],
      ['2026-03-01T13', undefined],
      ['2026-03-01T13:00', 'c'],
      ['2026-03-01t13:00:00.000z', 'c'],
      ['2026-03-01 13:00:00,000999', 'c'],
      ['2026-03-01T15:00:00+02:00', 'c'],
      ['2026-03-01T08:00:00-0500', 'c'],
      ['2026-03-01T13:00:00.001', ''],
      ['2026-02-30', undefined],
      ['2026-03-01T24:00', undefined],
      ['2026-03-01T13:00+24:00', undefined],
      ['yesterday', undefined],
      ['1772370000', undefined],
      ['2026-03-01T13:00Z; DROP TABLE polynym', undefined],
    ] as const) {
      const reply = await site.ask(`/api/polynym/?created__gte=${encodeURIComponent(value)}`)
      if (found !== undefined) assert.equal(reply.json.results.map(({ name }: any) => name).join(' '), found, value)
      else {
        assert.equal(reply.status, 400, value)
        assert.match(reply.json.created__gte[0], /^Datetime has wrong format\./)
      }
    }
    // A client that does not encode the sign.
    assert.equal(await names('created__gte=2026-03-01T15:00:00+02:00'), 'c')
    const unknown = await site.ask('/api/polynym/?changed__in=2026-03-01')
    assert.match(unknown.json.changed__in[0], /^Unknown lookup\./)
  })

  test('{times.moment} a frozen list has the times of then, and a restored record its own', async () => {
    const { latest } = (await site.ask('/api/changes/?limit=1')).json
    const frozen = (query: string) => names(`${query}&as_of=${latest}`)
    const queries = [
      'ordering=-changed',
      'ordering=-created',
      'changed__lt=2026-03-01T14:00',
      'created__gte=2026-03-01T11:30',
    ]
    const then = await Promise.all(queries.map((query) => names(query)))
    const e = await polynym('18:00', 'e')
    await at('18:10', 'PATCH', `/api/polynym/${ids['d']}/`, { p2: 'delta' })
    await at('18:20', 'DELETE', `/api/polynym/${e}/`)
    await at('18:30', 'POST', `/api/polynym/${ids['c']}/vote/`, undefined, 'ida')
    await at('18:40', 'DELETE', `/api/polynym/${ids['a']}/`)
    for (const [i, query] of queries.entries()) assert.equal(await frozen(query), then[i], query)
    const { latest: gone } = (await site.ask('/api/changes/?limit=1')).json
    for (const seq of [gone, gone - 1, gone - 3])
      await at('18:50', 'POST', `/api/changes/${seq}/undo/`, undefined, 'staff')
    assert.equal(await names('ordering=-created'), 'c d a b')
    assert.equal(await names('created__lt=2026-03-01T11:30'), 'a b')
    for (const [i, query] of queries.entries()) assert.equal(await frozen(query), then[i], query)
  })

  test('{times.last-modified} a record has Last-Modified, which changes with it; the ETag alone decides', async () => {
    const path = `/api/polynym/${ids['d']}/`
    await at('18:55', 'PATCH', path, { p1: 'rain' })
    const modified = 'Sun, 01 Mar 2026 18:55:00 GMT'
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { headers } = await site.ask(path, { method })
      assert.deepEqual([headers['last-modified'], headers['cache-control']], [modified, 'no-cache'])
    }
    assert.equal(await lastModified(`${path}?fields=name`), modified)
    const { headers } = await site.ask(path, { headers: { 'if-modified-since': modified } })
    const same = await site.ask(path, { headers: { 'if-none-match': headers.etag! } })
    assert.deepEqual([same.status, same.headers['last-modified']], [304, modified])
    assert.equal((await site.ask(path, { headers: { 'if-modified-since': modified } })).status, 200)
    assert.equal(await lastModified('/api/polynym/'), undefined)
    const page = await site.ask(path, { headers: { accept: 'text/html' } })
    assert.deepEqual([page.headers['last-modified'], page.headers['cache-control']], [undefined, 'private, no-cache'])
    await at('19:00', 'PATCH', path, { p1: 'spring' })
    for (const _ of [1, 2]) assert.equal(await lastModified(path), 'Sun, 01 Mar 2026 19:00:00 GMT')
  })
})

test('no resource may have a member with the name of a time', () => {
  const declare = () =>
    resource('shell', {
      does: 'A shell.',
      fields: { name: text({ max: 9 }), changed: text({ max: 9 }) },
      derive: {},
      order: ['name'],
      unique: [],
    })
  assert.throws(declare, /the member "changed", which belongs to the times of the record/)
})

test('times are read to the millisecond', () => {
  assert.equal(timeIn('2026-03-01T12:30:05.250+02:00'), Date.UTC(2026, 2, 1, 10, 30, 5, 250))
  assert.equal(timeIn('0001-01-01'), Date.parse('0001-01-01'))
})

const shell = resource('shell', {
  does: 'A shell.',
  fields: { name: text({ max: 9 }) },
  derive: {},
  order: ['name'],
  unique: [],
})

for (const engine of ENGINES) {
  describe(`Times of older records (${engine})`, () => {
    test('{times.unknown} records from before the log have no times, and get one with their next change', async () => {
      const fresh = await databaseOfVersion(engine, 3)
      const served = await Served.on(fresh.url, { keeps: 'checked' })
      try {
        const list = async (query: string): Promise<number[]> =>
          (await served.ask(`/api/polynym/?${query}`)).json.results.map(({ polynym_id: id }: any) => id)
        const ids = await list('ordering=id')
        const last = ids.at(-1)!
        const path = `/api/polynym/${last}/`
        assert.ok(ids.length > 1)
        for (const query of ['ordering=-changed', 'ordering=created']) assert.deepEqual(await list(query), ids)
        for (const query of ['changed__lte=9999-01-01', 'changed__gt=0001-01-01', 'created__gte=1970-01-01'])
          assert.deepEqual(await list(query), [], query)
        assert.equal((await served.ask(path)).headers['last-modified'], undefined)
        await served.ask(`${path}vote/`, { method: 'POST', as: 'ida' })
        assert.ok((await served.ask(path)).headers['last-modified'])
        assert.deepEqual(await list('ordering=-changed'), [last, ...ids.slice(0, -1)])
        assert.deepEqual(await list('ordering=changed'), ids)
        assert.deepEqual(await list('changed__gt=2026-01-01'), [last])
        assert.deepEqual(served.bugs, [])
      } finally {
        await served.stop()
        await fresh.drop()
      }
    })

    test('tables without times get them from the log', async () => {
      const fresh = await freshDatabase(engine, { sample: false, tables: true })
      const database = await openDatabase(fresh.url)
      try {
        await migrate(database, [shell])
        const { accounts, records, write } = storeOn(database)
        const times = () => database.read(() => statement('SELECT id, created, changed FROM shell ORDER BY id'))
        const owner = await write(() => accounts.insert('ada', 'ada', '', false, ''))
        for (const name of ['a', 'b']) await write(() => records.insert(shell, { values: { name }, owner }))
        await write(() => records.update(shell, 2, { values: { name: 'c' }, owner }))
        const before = await times()
        database.guardVersion(undefined)
        await database.write(function* () {
          for (const time of ['created', 'changed']) {
            yield* statement(`DROP INDEX shell_${time}`)
            yield* statement(`ALTER TABLE shell DROP COLUMN ${time}`)
          }
          yield* statement('DELETE FROM declaration')
        })
        await migrate(database, [shell])
        assert.deepEqual(await times(), before)
      } finally {
        await database.close()
        await fresh.drop()
      }
    })
  })
}
