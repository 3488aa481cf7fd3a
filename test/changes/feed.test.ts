/** The log of changes, as /api/changes/ tells it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'

const STAFF = 'staff'

onEachEngine('Changes', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const feed = async (query = '') => (await site.ask(`/api/changes/?limit=1000${query}`)).json
  const latest = async (): Promise<number> => (await feed('&limit=1')).latest
  const send = async (method: string, path: string, json?: object, as = 'gus') => {
    const reply = await site.ask(path, { method, as, ...(json ? { json } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const polynym = (name: string, rest: object = {}) =>
    send('POST', '/api/polynym/', { name, mode: 'part', p1: 'source', p2: 'mouth', ...rest })

  /** What a task adds to the log, without numbers and times. */
  async function added(task: () => Promise<unknown>): Promise<any[]> {
    const since = await latest()
    await task()
    const { results } = await feed(`&since=${since}`)
    return results.map(({ seq: _, set: __, at: ___, ...entry }: any) => entry)
  }

  test('{changes.create} {changes.feed} a new record is an entry: who, when, what', async () => {
    const since = await latest()
    site.clock = new Date('2026-11-16T05:00:00.000Z')
    const { polynym_id: id } = await polynym('river')
    site.clock = undefined
    const { json, text, headers } = await site.ask(`/api/changes/?since=${since}`)
    const seq = since + 1
    const entry = { seq, set: seq, at: '2026-11-16T05:00:00.000Z', user: 'gus', action: 'create' }
    const results = [{ ...entry, resource: 'polynym', id, old: null }]
    assert.equal(text, JSON.stringify({ since, next: seq, latest: seq, oldest: 1, results }))
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(json.results.length, 1)
  })

  test('{changes.old} a change has the old values of the members that changed, and no others', async () => {
    const { polynym_id: id } = await polynym('brook', { area: 'water', p3: 'sea' })
    const address = `/api/polynym/${id}/`
    const change = { user: 'gus', action: 'change', resource: 'polynym', id }
    assert.deepEqual(await added(() => send('PATCH', address, { p2: 'delta' })), [{ ...change, old: { p2: 'mouth' } }])
    const replaced = { name: 'Brook', mode: 'part', p1: 'source', p2: 'delta', src: 'me' }
    const old = { name: 'brook', src: null, area: 'water', p3: 'sea' }
    assert.deepEqual(await added(() => send('PUT', address, replaced)), [{ ...change, old }])
    assert.deepEqual(await added(() => send('PATCH', address, { name: 'Brook' })), [])
  })

  test('{changes.ids} embedded records are ids, and a record that only shows a changed one is no entry', async () => {
    const ids: number[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await polynym(`part ${name}`)).polynym_id)
    const [a, b, c] = ids
    const { polyset_id: set } = await send('POST', '/api/polyset/', { name: 'parts', polynyms: [a, b] })
    const changed = await added(() => send('PATCH', `/api/polyset/${set}/`, { polynyms: [b, c, a] }))
    const entry = { user: 'gus', action: 'change', resource: 'polyset', id: set, old: { polynyms: [a, b] } }
    assert.deepEqual(changed, [entry])
    assert.equal((await added(() => send('PATCH', `/api/polynym/${a}/`, { p1: 'spring' }))).length, 1)
  })

  test('{changes.set} {changes.remove} a cascade is one set; a removed record is there with all members', async () => {
    const { polynym_id: gone } = await polynym('gone', { area: 'water' })
    const { polynym_id: stays } = await polynym('stays')
    const { polyset_id: set } = await send('POST', '/api/polyset/', { name: 'two', polynyms: [gone, stays] })
    for (const as of ['ida', 'tom']) await send('POST', `/api/polynym/${gone}/vote/`, {}, as)
    const since = await latest()
    await send('DELETE', `/api/polynym/${gone}/?cascade=true`, undefined, STAFF)
    const { results } = await feed(`&since=${since}`)
    assert.deepEqual(
      results.map(({ seq, set, user, action, resource, id }: any) => [seq, set, user, action, resource, id]),
      [
        [since + 1, since + 1, STAFF, 'change', 'polyset', set],
        [since + 2, since + 1, STAFF, 'remove', 'polynym', gone],
      ],
    )
    assert.deepEqual(results[0].old, { polynyms: [gone, stays] })
    const head = { name: 'gone', user: 'gus', area: 'water', voters: ['tom', 'ida'] }
    assert.deepEqual(results[1].old, { ...head, mode: 'part', p1: 'source', p2: 'mouth' })
  })

  test('{changes.votes} votes are entries of the voter, once', async () => {
    const { polynym_id: id } = await polynym('liked')
    const address = `/api/polynym/${id}/vote/`
    const votes = await added(async () => {
      for (const method of ['POST', 'POST', 'DELETE', 'DELETE']) await send(method, address, undefined, 'ida')
    })
    const entry = { user: 'ida', resource: 'polynym', id, old: null }
    assert.deepEqual(votes, [
      { ...entry, action: 'vote' },
      { ...entry, action: 'unvote' },
    ])
  })

  test('{changes.refused} {changes.order} refused writes leave nothing, and the numbers have no gaps', async () => {
    const since = await latest()
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const json = { name: i % 4 === 0 ? 'river' : `stream ${i}`, mode: 'part', p1: 'source', p2: 'mouth' }
        return site.ask('/api/polynym/', { method: 'POST', as: 'gus', json })
      }),
    )
    const made = replies.filter(({ status }) => status === 201).map(({ json }) => json.polynym_id)
    assert.equal(made.length, 30)
    const { results } = await feed(`&since=${since}`)
    assert.deepEqual(
      results.map(({ seq }: any) => seq),
      made.map((_, i) => since + 1 + i),
    )
    assert.deepEqual(
      results.map(({ id }: any) => id).sort((a: number, b: number) => a - b),
      made.sort((a, b) => a - b),
    )
  })

  test('{changes.filters} {changes.pages} a feed can be narrowed, and is read in pieces', async () => {
    const all = await feed()
    const seqs = (entries: any[]) => entries.map(({ seq }) => seq)
    const where = (matches: (entry: any) => boolean) => seqs(all.results.filter(matches))
    const { id } = all.results[0]
    assert.deepEqual(
      seqs((await feed('&resource=polyset')).results),
      where((each) => each.resource === 'polyset'),
    )
    const one = await feed(`&resource=polynym&id=${id}`)
    assert.deepEqual(
      seqs(one.results),
      where((each) => each.resource === 'polynym' && each.id === id),
    )
    assert.deepEqual(
      seqs((await feed('&user=IDA')).results),
      where(({ user }) => user === 'ida'),
    )
    assert.deepEqual((await feed('&user=nobody')).results, [])
    const read: number[] = []
    for (let since = 0, next = -1; since !== next; ) {
      const piece = (await site.ask(`/api/changes/?since=${since}&limit=7&resource=polynym`)).json
      read.push(...seqs(piece.results))
      next = since
      since = piece.next
    }
    assert.deepEqual(
      read,
      where((each) => each.resource === 'polynym'),
    )
  })

  test('{changes.wait} a request waits for the next entry that matches', async () => {
    const since = await latest()
    const waiting = site.ask(`/api/changes/?since=${since}&wait=30&resource=queue`)
    await polynym('not a queue')
    const { queue_id: id } = await send('POST', '/api/queue/', { name: 'first in line' })
    const { json } = await waiting
    assert.deepEqual([json.since, json.results.length, json.results[0].id], [since, 1, id])
    const nothing = await site.ask(`/api/changes/?since=${json.latest}&wait=1`)
    assert.deepEqual([nothing.status, nothing.json.results, nothing.json.next], [200, [], json.latest])
  })

  test('{changes.until} a range may have an end', async () => {
    const { json } = await site.ask('/api/changes/?since=2&until=4')
    assert.deepEqual(
      json.results.map(({ seq }: any) => seq),
      [3, 4],
    )
    assert.equal(json.next, 4)
    assert.deepEqual((await site.ask('/api/changes/?since=4&until=2')).json.results, [])
  })

  test('{changes.ndjson} NDJSON has an entry on each line, and all of them unless there is a limit', async () => {
    const slots = { e: 'open', r: 'close', o: 'gate', s: 'way' }
    const { quadranym_id: quadranym } = await send('POST', '/api/quadranym/', { name: 'door', ...slots })
    const { phrase_id: phrase } = await send('POST', '/api/phrase/', { name: 'way', qode: 'A q1o_NN.' })
    const lines = Array.from({ length: 1000 }, () => ({ phrase, quadranym }))
    await send('POST', '/api/story/', { name: 'long', lines })
    const { latest } = await feed()
    const all: any[] = []
    for (let since = 0; since < latest; ) {
      const { results, next } = await feed(`&since=${since}`)
      all.push(...results)
      since = next
    }
    const asText = (entries: any[]) => entries.map((each) => `${JSON.stringify(each)}\n`).join('')
    const headers = { accept: 'application/x-ndjson' }
    for (const path of ['/api/changes/?format=ndjson', '/api/changes.ndjson', '/api/changes/']) {
      const reply = await site.ask(path, path.endsWith('/') ? { headers } : {})
      assert.equal(reply.text, asText(all))
      assert.deepEqual([reply.headers['content-type'], reply.headers.vary], ['application/x-ndjson', 'Accept'])
      assert.equal(reply.headers['content-disposition'], 'attachment; filename="changes.ndjson"')
    }
    const following = ({ headers: { link } }: any) => /^<http:\/\/[^/]+([^>]+)>; rel="next"$/.exec(link)?.[1]
    const polysets = await site.ask('/api/changes/?format=ndjson&resource=polyset')
    assert.equal(polysets.text, asText(all.filter((each) => each.resource === 'polyset')))
    assert.equal(following(polysets), `/api/changes/?format=ndjson&resource=polyset&since=${latest}`)
    let text = ''
    let path = '/api/changes/?format=ndjson&limit=300'
    for (let rest = all.length; rest > 0; rest -= 300) {
      const reply = await site.ask(path)
      text += reply.text
      path = following(reply)!
    }
    assert.equal(text, asText(all))
    const nothing = await site.ask(path)
    assert.deepEqual([nothing.status, nothing.text], [200, ''])
    assert.equal((await site.ask('/api/changes.csv')).status, 404)
  })

  test('{changes.closed} a range that has ended is immutable', async () => {
    const last = await latest()
    const lasting = async (query: string) => (await site.ask(`/api/changes/?${query}`)).headers['cache-control']
    const immutable = 'public, max-age=86400, immutable'
    for (const format of ['json', 'ndjson']) {
      for (const [query, said] of [
        [`since=2&until=4`, immutable],
        [`until=${last}&since=${last - 3}`, immutable],
        [`until=${last + 1}&since=${last - 3}`, 'no-cache'],
        [`since=2&until=9&limit=3`, 'no-cache'],
        [`since=2`, 'no-cache'],
      ]) {
        assert.equal(await lasting(`${query}&format=${format}`), said, `${query} ${format}`)
      }
    }
    assert.equal((await site.ask('/api/changes/?since=2&until=4&format=ndjson')).headers.link, undefined)
  })

  test('{changes.gone} a number that the log does not have returns 410 with the oldest one', async () => {
    const { status, json } = await site.ask(`/api/changes/?since=${(await latest()) + 1}`)
    const detail = 'The log does not go back that far. Read everything again, then continue.'
    assert.deepEqual([status, json], [410, { detail, oldest: 1 }])
  })

  test('{changes.log} a client that says which log it follows gets 410 from another one', async () => {
    const { headers } = await site.ask('/api/changes/')
    const log = headers['nymdex-log']
    assert.match(String(log), /^[0-9a-f]{12}$/)
    assert.equal((await site.ask(`/api/changes/?log=${log}`)).status, 200)
    const other = await site.ask('/api/changes/?log=0123456789ab')
    assert.deepEqual([other.status, other.json.oldest], [410, 1])
  })

  test('{changes.faults} wrong parameters return 400', async () => {
    const cases: Record<string, object> = {
      'since=x': { since: ['A valid integer is required.'] },
      'since=-1': { since: ['Ensure this value is greater than or equal to 0.'] },
      'wait=31': { wait: ['Ensure this value is less than or equal to 30.'] },
      'limit=1001': { limit: ['Ensure this value is less than or equal to 1000.'] },
      'resource=word': { resource: ['"word" is not a valid choice.'] },
      'id=3': { resource: ['This field is required, because there is an id.'] },
    }
    for (const [query, errors] of Object.entries(cases)) {
      const { status, json } = await site.ask(`/api/changes/?${query}`)
      assert.deepEqual([status, json], [400, errors], query)
    }
  })
})
