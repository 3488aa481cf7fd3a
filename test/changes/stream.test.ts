/** The log of changes as a live stream. */
import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { after, afterEach, test } from 'node:test'
import { Round } from '../../src/engine/broadcast.ts'
import type { FeedEntry } from '../../src/engine/index.ts'
import { noteChange, renewLogId } from '../../src/store/change-log.ts'
import { shortLimits } from '../support/short-limits.ts'
import { onEachEngine } from '../support/site.ts'
import { Listener, type Listening } from './listener.ts'

const STREAMS = 20

/** Beats come quickly, so that no test waits for long. */
shortLimits({ beatMs: 50, stallMs: 1000 })

/** Clients of many addresses. */
const trustedProxies = new BlockList()
trustedProxies.addAddress('127.0.0.1')

onEachEngine('Live streams', { sample: false, settings: { streams: STREAMS, trustedProxies } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const opened: Listener[] = []
  const listen = async (listening: Listening = {}) => {
    const listener = await Listener.open(site.port, listening)
    opened.push(listener)
    return listener
  }
  afterEach(async () => {
    for (const listener of opened) listener.close()
    await Promise.all(opened.splice(0).map(({ ended }) => ended))
  })

  const feed = async (query = '') => (await site.ask(`/api/changes/?limit=1000${query}`)).json
  const latest = async (): Promise<number> => (await feed('&limit=1')).latest
  const idOf = async (seq: number) => `${(await site.ask('/api/changes/')).headers['nymdex-log']}:${seq}`
  const send = async (method: string, path: string, json?: object, as = 'gus') => {
    const reply = await site.ask(path, { method, as, ...(json ? { json } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  let made = 0
  const queue = (as?: string) => send('POST', '/api/queue/', { name: `queue ${++made}` }, as)
  const polynym = () => send('POST', '/api/polynym/', { name: `set ${++made}`, mode: 'part', p1: 'a', p2: 'b' })

  test('{live.events} what is committed arrives as an event, with the entry of the feed and its number', async () => {
    const since = await latest()
    const listener = await listen()
    const start = { event: 'checkpoint', id: await idOf(since), data: { next: since } }
    assert.deepEqual(await listener.next('checkpoint'), start)
    await polynym()
    await queue()
    const { results } = await feed(`&since=${since}`)
    for (const entry of results) {
      assert.deepEqual(await listener.next('change'), {
        event: 'change',
        id: await idOf(entry.seq),
        data: entry,
      })
    }
    assert.equal(listener.retry, 2000)
    const { headers } = listener
    assert.deepEqual(
      ['content-type', 'cache-control', 'x-accel-buffering', 'vary', 'access-control-allow-origin'].map(
        (name) => headers[name],
      ),
      ['text/event-stream', 'no-store', 'no', 'Accept', '*'],
    )
  })

  test('{live.resume} a client resumes after the last event that it has, or after since', async () => {
    const since = await latest()
    await polynym()
    await queue()
    await polynym()
    const { results } = await feed(`&since=${since}`)
    for (const listening of [
      { query: `?since=${since}` },
      { lastEventId: await idOf(since) },
      { query: '?since=0', lastEventId: await idOf(since) },
    ]) {
      const listener = await listen(listening)
      assert.deepEqual(await listener.changes(3), results)
    }
    const wrong = await site.ask('/api/changes/', { headers: { accept: 'text/event-stream', 'last-event-id': 'x' } })
    assert.deepEqual([wrong.status, wrong.json], [400, { 'Last-Event-ID': ['This is not the id of an event.'] }])
  })

  test('{live.long} a client that is far behind gets everything, in order', async () => {
    const slots = { e: 'open', r: 'close', o: 'gate', s: 'way' }
    const { quadranym_id: quadranym } = await send('POST', '/api/quadranym/', { name: 'door', ...slots })
    const { phrase_id: phrase } = await send('POST', '/api/phrase/', { name: 'way', qode: 'A q1o_NN.' })
    const lines = Array.from({ length: 1000 }, () => ({ phrase, quadranym }))
    const live = await listen()
    const since = await latest()
    await send('POST', '/api/story/', { name: 'long', lines })
    const last = since + 1001
    const seqs = (entries: any[]) => entries.map(({ seq }) => seq)
    assert.deepEqual(
      seqs(await live.upTo(last)),
      Array.from({ length: 1001 }, (_, i) => since + 1 + i),
    )
    const late = await listen({ query: '?since=0' })
    assert.deepEqual(
      seqs(await late.upTo(last)),
      Array.from({ length: last }, (_, i) => 1 + i),
    )
    const filtered = await listen({ query: '?since=0&resource=story' })
    assert.deepEqual(seqs(await filtered.upTo(last)), [since + 1])
  })

  test('{live.filters} {live.checkpoints} a filtered stream has only what matches, and still moves on', async () => {
    const { polynym_id: id } = await polynym()
    const filters = ['?resource=queue', '?user=IDA', `?resource=polynym&id=${id}`]
    const listeners = await Promise.all(filters.map((query) => listen({ query })))
    const { queue_id: first } = await queue()
    const { queue_id: second } = await queue('ida')
    await send('PATCH', `/api/polynym/${id}/`, { p1: 'c' })
    const { polynym_id: other } = await polynym()
    assert.notEqual(other, id)
    const last = await latest()
    const heard = await Promise.all(listeners.map((listener) => listener.upTo(last)))
    assert.deepEqual(
      heard.map((entries) => entries.map((entry) => `${entry.resource} ${entry.id}`)),
      [[`queue ${first}`, `queue ${second}`], [`queue ${second}`], [`polynym ${id}`]],
    )
  })

  test('{live.beats} a quiet stream has comments', async () => {
    const listener = await listen()
    while (listener.comments < 2) await listener.heard()
    assert.deepEqual(
      listener.events.map(({ event }) => event),
      ['checkpoint'],
    )
  })

  test('{live.gone} a number that the log does not have returns 410', async () => {
    const future = (await latest()) + 1
    for (const id of [await idOf(future), '0123456789ab:1']) {
      const headers = { accept: 'text/event-stream', 'last-event-id': id }
      const { status, json } = await site.ask('/api/changes/', { headers })
      assert.deepEqual([status, json.oldest], [410, 1])
    }
  })

  test('{live.reset} when the log is replaced, a stream says so and ends', async () => {
    const listener = await listen()
    await site.engine.store.write(function* () {
      yield* renewLogId()
      yield* noteChange('queue', { action: 'change', id: 1 })
    })
    const data = { oldest: 1, latest: await latest() }
    assert.deepEqual(await listener.next('reset'), { event: 'reset', data })
    await listener.ended
    const wrong = { accept: 'text/event-stream', 'last-event-id': String(listener.lastId) }
    assert.equal((await site.ask('/api/changes/', { headers: wrong })).status, 410)
    const again = await listen({ lastEventId: await idOf(data.latest) })
    const { queue_id: id } = await queue()
    assert.equal((await again.next('change')).data.id, id)
  })

  test('{live.faults} a stream has no end, and wrong parameters return 400', async () => {
    const headers = { accept: 'text/event-stream' }
    for (const name of ['until', 'wait', 'limit']) {
      const { status, json } = await site.ask(`/api/changes/?${name}=5`, { headers })
      assert.deepEqual([status, json], [400, { [name]: ['A live stream has no end.'] }])
    }
    assert.equal((await site.ask('/api/changes/?resource=word', { headers })).status, 400)
    const head = await site.ask('/api/changes/', { method: 'HEAD', headers })
    assert.deepEqual([head.status, head.headers['content-type'], head.text], [200, 'text/event-stream', ''])
    assert.equal((await site.ask('/api/queue/', { headers })).status, 406)
  })

  test('{live.limit} a process has a limited number of streams', async () => {
    const from = (i: number) => ({ headers: { 'x-forwarded-for': `192.0.2.${i}` } })
    const listeners = await Promise.all(Array.from({ length: STREAMS }, (_, i) => listen(from(i))))
    assert.deepEqual(new Set(listeners.map(({ status }) => status)), new Set([200]))
    const { status, headers } = await site.ask('/api/changes/', { headers: { accept: 'text/event-stream' } })
    assert.deepEqual([status, headers['retry-after']], [503, '2'])
    // The others are served as before.
    const entry = await queue()
    for (const listener of listeners) assert.equal((await listener.next('change')).data.id, entry.queue_id)
  })

  test('{live.share} an address has no more streams than it leaves to others', async () => {
    const ask = (address: string) =>
      site.ask('/api/changes/', { headers: { accept: 'text/event-stream', 'x-forwarded-for': address } })
    const listeners: Listener[] = []
    for (let i = 0; i < STREAMS / 2; i++) {
      // Addresses of the same network count together.
      listeners.push(await listen({ headers: { 'x-forwarded-for': `2001:db8:0:7::${i + 1}` } }))
    }
    assert.deepEqual(new Set(listeners.map(({ status }) => status)), new Set([200]))
    const { status, headers } = await ask('2001:db8:0:7::ffff')
    assert.deepEqual([status, headers['retry-after']], [429, '10'])
    const other = await listen({ headers: { 'x-forwarded-for': '2001:db8:0:8::1' } })
    assert.equal(other.status, 200)
    const left = [...listeners.splice(0, 2), other]
    for (const listener of left) listener.close()
    const id = (await queue()).queue_id
    for (const listener of listeners) assert.equal((await listener.next('change')).data.id, id)
    await Promise.all(left.map(({ ended }) => ended))
    let again = await listen({ headers: { 'x-forwarded-for': '2001:db8:0:7::1' } })
    // The server may not have noticed yet.
    while (again.status === 429) again = await listen({ headers: { 'x-forwarded-for': '2001:db8:0:7::1' } })
    assert.equal(again.status, 200)
  })

  test('{live.slow} a client that reads nothing is disconnected, and resumes without loss', async () => {
    const slow = await listen()
    await slow.next('checkpoint')
    slow.pause()
    const since = await latest()
    // More than the operating system takes for it.
    const old = JSON.stringify({ name: 'long '.repeat(150_000) })
    const isLogged = () => site.accessLog.some(({ url, bytes }) => url === '/api/changes/' && bytes > old.length)
    const { store } = site.engine
    for (let id = 1; id <= 30; id++) await store.write(() => noteChange('queue', { action: 'change', id, old }))
    while (!isLogged()) await site.ask('/healthz')
    slow.resume()
    await slow.ended
    const again = await listen({ lastEventId: slow.lastId })
    const last = await latest()
    const before = slow.events.filter(({ event, data }) => event === 'change' && data.seq > since)
    const entries = [...before.map(({ data }) => data), ...(await again.upTo(last))]
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      Array.from({ length: last - since }, (_, i) => since + 1 + i),
    )
  })
})

test('streams whose filters say the same share their bytes, however a name is spelt', () => {
  const entry: FeedEntry = {
    ...{ seq: 1, set: 1, at: '2026-11-16T05:00:00.000Z', user: 'Gus', action: 'create' },
    ...{ resource: 'queue', id: 1, old: null },
  }
  const round = new Round({ log: 'a', since: 0, next: 1, latest: 1, oldest: 1, results: [entry] })
  assert.deepEqual(round.select({ user: 'gus' }), [entry])
  assert.equal(round.select({ user: 'GUS' }), round.select({ user: 'gus' }))
})
