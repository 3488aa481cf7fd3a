/** The log of changes for clients that keep a copy of a narrowed list. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { noteChange } from '../../src/store/change-log.ts'
import { Chance } from '../robust/chance.ts'
import { shortLimits } from '../support/short-limits.ts'
import { onEachEngine } from '../support/site.ts'
import { Listener } from './listener.ts'

/** Checkpoints come quickly, so that no test waits for long. */
shortLimits({ beatMs: 50 })

const STEPS = 50
const FILTERS = ['area=water', 'depth__gte=3', 'likes__gte=1', 'search=sea', 'user__exact=ida&area__isnull=false']

onEachEngine('Changes with lookups', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const feed = async (query = '') => (await site.ask(`/api/changes/?limit=1000${query}`)).json
  const latest = async (): Promise<number> => (await feed('&limit=1')).latest
  const send = async (method: string, path: string, json?: object, as = 'gus') => {
    const reply = await site.ask(path, { method, as, ...(json ? { json } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const terms = { mode: 'part', p1: 'source', p2: 'mouth' }
  const polynym = (name: string, rest: object = {}) => send('POST', '/api/polynym/', { name, ...terms, ...rest })
  /** A stream of everything after a number, whose first page has all entries up to another. */
  const streamOf = async (since: number, last: number, query: string, lastEventId?: string) => {
    const everything = await Listener.open(site.port, { query: `?since=${since}` })
    await everything.upTo(last)
    const listener = await Listener.open(site.port, { query: `?since=${since}&${query}`, lastEventId })
    everything.close()
    return listener
  }
  const told = (entries: any[]) => entries.map(({ action, id }) => `${action} ${id}`)

  test('{changes.lookups} lookups of the list narrow the feed, and a record that no longer matches leaves', async () => {
    const since = await latest()
    const { polynym_id: stays } = await polynym('river', { area: 'water' })
    const { polynym_id: other } = await polynym('hill', { area: 'land' })
    const { polynym_id: leaves } = await polynym('brook', { area: 'water' })
    const { polynym_id: removed } = await polynym('lake', { area: 'water' })
    const middle = await latest()
    await send('PATCH', `/api/polynym/${stays}/`, { p2: 'delta' })
    await send('PATCH', `/api/polynym/${leaves}/`, { p2: 'delta' })
    await send('PATCH', `/api/polynym/${leaves}/`, { area: 'land' })
    await send('PATCH', `/api/polynym/${other}/`, { p2: 'top' })
    await send('DELETE', `/api/polynym/${removed}/`)
    await send('POST', '/api/queue/', { name: 'another collection' })
    const last = await latest()
    const query = '&resource=polynym&area=water'
    const before = [`create ${stays}`, `create ${leaves}`, `create ${removed}`]
    const later = [`change ${stays}`, `leave ${leaves}`, `remove ${removed}`]
    const closed = await site.ask(`/api/changes/?since=${since}&until=${middle}${query}`)
    assert.deepEqual([told(closed.json.results), closed.json.next], [before, middle])
    assert.match(String(closed.headers['cache-control']), /immutable/)
    const rest = await feed(`&since=${middle}${query}`)
    assert.deepEqual([told(rest.results), rest.next], [later, last])
    assert.equal(rest.results[1].old, null)
    // What has come and gone in between is not told.
    assert.deepEqual(told((await feed(`&since=${since}${query}`)).results), [`create ${stays}`, `change ${stays}`])
    const lines = (await site.ask(`/api/changes/?since=${middle}${query}&format=ndjson`)).text.trim().split('\n')
    assert.deepEqual(told(lines.map((line) => JSON.parse(line))), later)
    const listener = await streamOf(middle, last, query)
    const [first, leave = '', remove] = later
    assert.deepEqual(told(await listener.upTo(last)), [first, leave, leave, remove])
    listener.close()
  })

  test('{changes.wait} requests with the same filter wait for an entry that it matches', async () => {
    const since = await latest()
    const address = `/api/changes/?since=${since}&wait=30&resource=polynym&area=ice`
    const waiting = [site.ask(address), site.ask(address)]
    await polynym('rock', { area: 'land' })
    const { polynym_id: id } = await polynym('floe', { area: 'ice' })
    for (const reply of waiting) {
      const { json } = await reply
      assert.deepEqual([json.since, told(json.results)], [since, [`create ${id}`]])
    }
  })

  test('{changes.lookups} what leaves in one request is told, wherever a page ends', async () => {
    const slots = { e: 'open', r: 'close', o: 'gate', s: 'way' }
    const quadranym = async (name: string): Promise<number> =>
      (await send('POST', '/api/quadranym/', { name, ...slots })).quadranym_id
    const [first, second] = [await quadranym('door'), await quadranym('gate')]
    const { phrase_id: phrase } = await send('POST', '/api/phrase/', { name: 'way', qode: 'A q1o_NN.' })
    const lines = (quadranym: number) => Array.from({ length: 250 }, () => ({ phrase, quadranym }))
    const { story_id: story } = await send('POST', '/api/story/', { name: 'long', lines: lines(first) })
    const since = await latest()
    await send('PATCH', `/api/story/${story}/`, { lines: lines(second) })
    const { results } = await feed(`&since=${since}`)
    assert.equal(new Set(results.map(({ set }: any) => set)).size, 1)
    const removed = told(results.filter(({ action }: any) => action === 'remove'))
    assert.equal(removed.length, 250)
    const query = `&resource=storyline&quadranym=${first}`
    const last = await latest()
    const heard: string[] = []
    for (let from = since; from < last; ) {
      const page = await feed(`&since=${from}${query}&limit=100`)
      heard.push(...told(page.results))
      from = page.next
    }
    assert.deepEqual(heard, removed)
    const listener = await Listener.open(site.port, { query: `?since=${since}${query}` })
    assert.deepEqual(told(await listener.upTo(last)), removed)
    listener.close()
  })

  test('{changes.lookups} a record of a request that a page has begun to tell is told when it leaves', async () => {
    const since = await latest()
    const records = ['fjord', 'firth'].map((name) => ({ name, ...terms, area: 'tide' }))
    const { ids } = await send('POST', '/api/batch/', { resource: 'polynym', records })
    const query = '&resource=polynym&area=tide'
    const page = await feed(`&since=${since}${query}&limit=1`)
    assert.deepEqual([told(page.results), page.next], [[`create ${ids[0]}`], since + 1])
    for (const id of ids) await send('PATCH', `/api/polynym/${id}/`, { area: 'land' })
    // The other one came and left.
    assert.deepEqual(told((await feed(`&since=${page.next}${query}`)).results), [`leave ${ids[0]}`])
  })

  test('{live.filters} a client that resumes after any event is told what leaves', async () => {
    const since = await latest()
    const { polynym_id: comes } = await polynym('marsh', { area: 'land' })
    const { polynym_id: returns } = await polynym('swamp', { area: 'bog' })
    await send('PATCH', `/api/polynym/${returns}/`, { area: 'land' })
    for (const id of [comes, returns]) await send('PATCH', `/api/polynym/${id}/`, { area: 'bog' })
    const query = 'resource=polynym&area=bog'
    const first = await streamOf(since, await latest(), query)
    const events = [await first.next('change'), await first.next('change'), await first.next('change')]
    first.close()
    assert.deepEqual(told(events.map(({ data }) => data)), [
      `create ${comes}`,
      `create ${returns}`,
      `change ${returns}`,
    ])
    await send('DELETE', `/api/polynym/${comes}/`)
    await send('PATCH', `/api/polynym/${returns}/`, { area: 'land' })
    const last = await latest()
    const resumed = await streamOf(since, last, query, events[2]!.id)
    const left = [`leave ${comes}`, `leave ${returns}`]
    assert.deepEqual(told(await resumed.upTo(last)), [...left, `remove ${comes}`, `leave ${returns}`])
    resumed.close()
  })

  test('{live.filters} a client that stops between two changes of a record was told that it leaves', async () => {
    const { polynym_id: leaves } = await polynym('mire', { area: 'peat' })
    const since = await latest()
    await send('PATCH', `/api/polynym/${leaves}/`, { area: 'land' })
    const { polynym_id: stays } = await polynym('moor', { area: 'peat' })
    await send('PATCH', `/api/polynym/${leaves}/`, { p2: 'delta' })
    const last = await latest()
    const listener = await streamOf(since, last, 'resource=polynym&area=peat')
    assert.deepEqual(told(await listener.upTo(last)), [`leave ${leaves}`, `create ${stays}`, `leave ${leaves}`])
    listener.close()
  })

  test('{changes.lookups} when the record of a filter is removed, its list is told to be empty', async () => {
    const [{ polynym_id: stays }, { polynym_id: goes }] = [await polynym('oak'), await polynym('elm')]
    const sets: number[] = []
    for (const name of ['trees', 'woods'])
      sets.push((await send('POST', '/api/polyset/', { name, polynyms: [stays, goes] })).polyset_id)
    const since = await latest()
    await send('DELETE', `/api/polynym/${goes}/?cascade=true`, undefined, 'staff')
    const query = `?since=${since}&resource=polyset&polynyms=${goes}`
    const left = sets.map((id) => `leave ${id}`)
    const { status, json } = await site.ask(`/api/changes/${query}`)
    assert.deepEqual([status, told(json.results)], [200, left])
    const listener = await Listener.open(site.port, { query })
    assert.deepEqual(told(await listener.upTo(await latest())), left)
    listener.close()
  })

  test('{changes.lookups} a copy of a narrowed list stays the same as the list', async () => {
    const chance = new Chance(3)
    const copies = FILTERS.map((filter) => ({ filter, ids: new Set<number>(), since: 0 }))
    const listeners = await Promise.all(
      FILTERS.map((filter) => Listener.open(site.port, { query: `?since=0&resource=polynym&${filter}` })),
    )
    const apply = (ids: Set<number>, entries: any[]) => {
      for (const { action, id } of entries) {
        if (action === 'leave' || action === 'remove') ids.delete(id)
        else ids.add(id)
      }
    }
    const follow = async (copy: (typeof copies)[number]) => {
      const { filter, ids, since } = copy
      const { results, next } = await feed(`&since=${since}&limit=6&resource=polynym&${filter}`)
      apply(ids, results)
      copy.since = next
      return next
    }
    const made: number[] = []
    const body = () => ({
      area: chance.pick(['water', 'land', null]),
      p3: chance.pick(['sea', null]),
    })
    for (let step = 0; step < STEPS; step++) {
      const as = chance.pick(['gus', 'ida'])
      const id = made.length > 0 ? chance.pick(made) : 0
      const what = made.length < 5 ? 0 : chance.below(6)
      if (what === 0)
        made.push((await send('POST', '/api/polynym/', { name: `n${step}`, ...terms, ...body() }, as)).polynym_id)
      else if (what < 3) await send('PATCH', `/api/polynym/${id}/`, body(), 'staff')
      else if (what === 3) await send(chance.pick(['POST', 'DELETE']), `/api/polynym/${id}/vote/`, undefined, as)
      else if (what === 4) await send('DELETE', `/api/polynym/${made.splice(made.indexOf(id), 1)}/`, undefined, 'staff')
      if (chance.happens(3)) await follow(chance.pick(copies))
    }
    const last = await latest()
    for (const [i, copy] of copies.entries()) {
      while ((await follow(copy)) < last);
      const { text } = await site.ask(`/api/polynym/?${copy.filter}&format=ndjson&fields=name`)
      const listed = text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line).polynym_id))
      const wanted = listed.sort((a, b) => a - b)
      assert.notEqual(wanted.length, 0)
      assert.deepEqual(
        [...copy.ids].sort((a, b) => a - b),
        wanted,
        copy.filter,
      )
      const heard = new Set<number>()
      apply(heard, await listeners[i]!.upTo(last))
      assert.deepEqual(
        [...heard].sort((a, b) => a - b),
        wanted,
        `${copy.filter}, live`,
      )
      listeners[i]!.close()
    }
  })

  test('{changes.lookup-faults} wrong lookups, and lookups without a collection, return 400', async () => {
    const cases: Record<string, object> = {
      'resource=polynym&depth__gt=3': { depth__gt: ['Unknown lookup. Did you mean depth__gte?'] },
      'resource=polynym&depth=x': { depth: ['A valid integer is required.'] },
      'resource=polynym&ordering=name': { ordering: ['Entries are in the order of the commits.'] },
      'resource=polyset&polynyms=99999': { polynyms: ['Invalid pk "99999" - object does not exist.'] },
      'depth__gte=3': { resource: ['This field is required, because there is depth__gte.'] },
      'search=river': { resource: ['This field is required, because there is search.'] },
    }
    for (const headers of [{}, { accept: 'text/event-stream' }]) {
      for (const [query, errors] of Object.entries(cases)) {
        const { status, json } = await site.ask(`/api/changes/?${query}`, { headers })
        assert.deepEqual([status, json], [400, errors], query)
      }
    }
    assert.equal((await site.ask('/api/changes/?colour=red')).status, 200)
  })

  test('{changes.lookup-bound} with lookups, a client may be up to 10,000 changes behind', async () => {
    const since = await latest()
    await site.engine.store.write(function* () {
      for (let id = 1; id <= 10_001; id++) yield* noteChange('queue', { action: 'create', id })
    })
    const { status, json } = await site.ask(`/api/changes/?since=${since}&resource=queue&name=x`)
    assert.deepEqual([status, json.oldest], [410, since + 2])
    const headers = { accept: 'text/event-stream' }
    assert.equal((await site.ask(`/api/changes/?since=${since}&resource=queue&name=x`, { headers })).status, 410)
    assert.equal((await site.ask(`/api/changes/?since=${since + 1}&resource=queue&name=x`)).status, 200)
  })
})
