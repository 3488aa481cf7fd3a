/** `as_of`: the catalogue as it was, by comparison with what the same addresses returned then. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { collectionsOf, matchingIds, narrowingOf } from '../../src/engine/index.ts'
import { query } from '../../src/store/database.ts'
import { Chance } from '../robust/chance.ts'
import { NIGHTLY } from '../support/nightly.ts'
import { onEachEngine, type Site } from '../support/site.ts'

const SEED = 20261116
const WRITES = NIGHTLY ? 120 : 72
/** Most writes are to the newest records. */
const HOT = 8
const STAFF = 'staff-cyd'
const USERS = ['ada', 'ben', 'eve', STAFF]
const WORDS = ['river', 'brook', 'Éclair', 'door', 'ωσ', '😀 face', 'the end', 'Zebra', 'ape']

/** Several collections, orders, lookups and sizes. */
const LISTS = [
  '/api/polynym/?page_size=7',
  '/api/polynym/?page_size=5&page=last',
  '/api/polynym/?ordering=-likes,name&page_size=9',
  '/api/polynym/?ordering=user,-id&page_size=30&page=2',
  '/api/polynym/?search=river',
  '/api/polynym/?search=br&ordering=-name',
  '/api/polynym/?search=the+end',
  '/api/polynym/?term=mouth&page_size=4',
  '/api/polynym/?name__startswith=r&likes__gte=1',
  '/api/polynym/?name__icontains=%CF%83',
  '/api/polynym/?user=ada&page_size=6',
  '/api/polynym/?voters=eve',
  '/api/polynym/?voters__in=ada,ben&ordering=id&fields=name,likes,voters',
  '/api/polynym/?area=water&depth__gte=3',
  '/api/polynym/?ordering=-changed&page_size=10',
  '/api/polynym/?ordering=-created,-id&page_size=10',
  '/api/polynym/?changed__gte=2026-01-01&created__gt=2026-01-02&ordering=changed',
  '/api/polyset/?page_size=8',
  '/api/polyset/?embed=ids&page_size=100',
  '/api/vectornym/?page_size=100',
  '/api/quadranym-id/?page_size=50&page=2',
  '/api/quadranym/?search=door',
  '/api/story/?page_size=100',
  '/api/storyline/?page_size=100',
  '/api/winner/?page_size=100',
  '/api/winner/?ordering=-score',
  '/api/queue/?page_size=10',
]

onEachEngine('As of', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const latest = async (): Promise<number> => (await site.ask('/api/changes/?limit=1')).json.latest

  test('{moment.page} {moment.record} pages and records are as they were, whatever was done since', async () => {
    const chance = new Chance(SEED)
    const history = new History(site, chance)
    const seen: { readonly path: string; readonly seq: number; readonly status: number; readonly text: string }[] = []
    for (let i = 0; i < WRITES; i++) {
      await history.write()
      if (i % 3 > 0) continue
      const seq = await latest()
      for (const path of [...chance.some(LISTS, 4), ...history.places(3)]) {
        const { status, text } = await site.ask(path)
        seen.push({ path, seq, status, text })
      }
    }
    for (const { path, seq, status, text } of chance.shuffle(seen)) {
      const then = await site.ask(`${path}${path.includes('?') ? '&' : '?'}as_of=${seq}`)
      const story = `seed ${SEED}: ${path} as of ${seq}`
      assert.equal(then.text.replaceAll(`as_of=${seq}&`, ''), text, story)
      assert.equal(then.status, status, story)
    }
    assert.ok(seen.length > 100 && seen.some(({ status }) => status === 404))
  })

  const send = async (method: string, path: string, json?: object) => {
    const reply = await site.ask(path, { method, as: STAFF, ...(json ? { json } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const lines = (length: number) => Array.from({ length }, () => ({ phrase: 1, quadranym: 2 }))

  test('{moment.walk} {moment.stream} a frozen walk returns every record of its moment once', async () => {
    // A list of this length is read by its keys.
    const stories: number[] = []
    for (const name of ['a', 'b', 'c']) {
      stories.push((await send('POST', '/api/story/', { name: `long ${name}`, lines: lines(900) })).story_id)
    }
    const whole = await site.ask('/api/storyline.ndjson')
    const all: any[] = whole.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const found: object[] = []
    let address: string | null = `${site.base}/api/storyline/?as_of=latest&page_size=400`
    for (let page = 0; address !== null; page++) {
      const { json, headers } = await site.ask(address.slice(site.base.length))
      assert.equal(json.count, all.length)
      assert.match(json.next ?? '?as_of=', new RegExp(`\\?as_of=${page === 0 ? headers['nymdex-seq'] : ''}`))
      found.push(...json.results)
      address = json.next
      await send('DELETE', `/api/storyline/${all[page * 200].storyline_id}/`)
      await send('PATCH', `/api/storyline/${all[page * 200 + 1].storyline_id}/`, { rank: 2000 + page })
      if (page === 0) await send('PATCH', `/api/story/${stories[2]}/`, { lines: lines(1) })
    }
    assert.deepEqual(found, all)
    const seq = await latest()
    const paths = ['.ndjson?as_of=', '/?page=4&page_size=400&as_of=', '/?ordering=-rank&page_size=400&page=2&as_of=']
    for (const last of ['', '-rank,id', 'quadranym,-phrase']) {
      paths.push(`/?ordering=${last}&page=last&page_size=100&as_of=`, `/?ordering=${last}&story=${stories[0]}&as_of=`)
    }
    const read = async (asOf: number | '') => {
      const texts = paths.map(async (path) => (await site.ask(`/api/storyline${path}${asOf}`)).text)
      return (await Promise.all(texts)).map((text) => text.replaceAll(`as_of=${asOf}&`, ''))
    }
    const now = await read('')
    assert.notEqual(now[0], whole.text)
    await send('DELETE', `/api/story/${stories[1]}/?cascade=true`)
    await send('POST', '/api/story/', { name: 'another', lines: lines(900) })
    assert.deepEqual(await read(seq), now)
  })

  test('{moment.set} the changes of a request are seen together', async () => {
    const before = await latest()
    const { story_id: id } = await send('POST', '/api/story/', { name: 'whole', lines: lines(3) })
    const after = await latest()
    assert.equal(after, before + 4)
    for (let seq = before; seq < after; seq++) {
      assert.equal((await site.ask(`/api/story/${id}/?as_of=${seq}`)).status, 404, String(seq))
    }
    assert.equal((await site.ask(`/api/story/${id}/?as_of=${after}`)).json.length, 3)
  })

  test('which records match a filter, now and then', async () => {
    const { engine } = site
    const collection = collectionsOf(engine.catalogue).find(({ name }) => name === 'polynym')!
    const { resource } = collection
    const body = { mode: 'part', p1: 'lake', p2: 'shore' }
    const [a, b] = [
      await send('POST', '/api/polynym/', { ...body, name: 'm1' }),
      await send('POST', '/api/polynym/', { ...body, name: 'm2', area: 'myth' }),
    ]
    const ids: number[] = [a.polynym_id, b.polynym_id, 1]
    const asOf = await latest()
    await send('PATCH', `/api/polynym/${ids[0]}/`, { area: 'myth', p1: 'Lake' })
    await send('DELETE', `/api/polynym/${ids[1]}/`)
    await send('POST', `/api/polynym/${ids[0]}/vote/`, {})
    const matching = async (query: readonly [string, string], seq?: number) => {
      const narrowing = narrowingOf(collection, [query])!
      return [...(await matchingIds(engine, { resource, narrowing, ids, asOf: seq }))].sort((x, y) => x - y)
    }
    const cases = { area: 'myth', search: 'shore', term: 'lake', voters: STAFF, name__startswith: 'm', p1: 'lake' }
    const found = Object.entries(cases).map(async (query) => [await matching(query, asOf), await matching(query)])
    const [first, second] = ids
    assert.deepEqual(await Promise.all(found), [
      [[second], [first]],
      [[first, second], [first]],
      [[first, second], [first]],
      [[], [first]],
      [[first, second], [first]],
      [[first, second], []],
    ])
  })

  test('lists of a hundred values for several slots are compared as of a moment, too', async () => {
    const asOf = await latest()
    const { polynym_id } = await send('POST', '/api/polynym/', {
      name: 'm3',
      mode: 'part',
      p1: 'Lake',
      p2: 'Shore',
      p3: 'Lake',
      p4: 'Shore',
      p5: 'Lake',
    })
    const lists = [1, 2, 3, 4, 5].map(
      (slot) => `p${slot}__in=Lake,Shore,${Array.from({ length: 98 }, (_, i) => `T${slot}${i}`)}`,
    )
    const found = async (query: string) => {
      const { status, json, text } = await site.ask(`/api/polynym/?${query}`)
      assert.equal(status, 200, text)
      return json.results.map((each: { polynym_id: number }) => each.polynym_id)
    }
    assert.deepEqual(await found(lists.join('&')), [polynym_id])
    assert.deepEqual(await found(`${lists.join('&')}&as_of=${asOf}`), [])
    assert.deepEqual(await found(`p1__in=Lake,T1&p2__in=Shore,T2&name=m3&as_of=${asOf}`), [])
    const slots = Array.from({ length: 48 }, () => 'p1=Lake').join('&')
    assert.deepEqual(await found(`${slots}&name=m3`), [polynym_id])
    assert.deepEqual(await found(`${slots}&name=m3&as_of=${asOf}`), [])
  })

  test('{moment.cache} what is as of a number is immutable, and else like the present', async () => {
    const seq = await latest()
    for (const path of ['/api/polynym/', '/api/polynym/1/']) {
      const now = await site.ask(path)
      const then = await site.ask(`${path}?as_of=${seq}`)
      assert.equal(then.headers['cache-control'], 'public, max-age=86400, immutable')
      assert.equal(then.headers['nymdex-seq'], String(seq))
      assert.equal(then.headers.vary, now.headers.vary)
      assert.match(String(then.headers.etag), /^"[\w-]+"$/)
      const known = await site.ask(`${path}?as_of=${seq}`, { headers: { 'if-none-match': String(then.headers.etag) } })
      assert.equal(known.status, 304)
      const newest = await site.ask(`${path}?as_of=latest`)
      assert.deepEqual([newest.headers['cache-control'], newest.headers['nymdex-seq']], ['no-cache', String(seq)])
    }
    const [now, then] = [await site.ask('/api/polynym/1/'), await site.ask(`/api/polynym/1/?as_of=${seq}`)]
    assert.equal(then.headers.etag, now.headers.etag)
    assert.equal(then.headers['last-modified'], now.headers['last-modified'])
    const page = await site.ask(`/api/polynym/?as_of=${seq}`, { headers: { accept: 'text/html' } })
    assert.equal(page.headers['cache-control'], 'private, no-cache, no-store')
  })

  test('{moment.faults} other values return 400, and so do addresses that show only the present', async () => {
    const newest = await latest()
    const cases: Record<string, string> = {
      '/api/polynym/?as_of=x': 'A valid integer is required.',
      '/api/polynym/?as_of=-1': 'Ensure this value is greater than or equal to 0.',
      [`/api/polynym/1/?as_of=${newest + 1}`]: `Ensure this value is less than or equal to ${newest}.`,
      '/api/polynym/random/?as_of=1': 'This address shows only the present.',
      '/api/polynym/facets/?by=area&as_of=latest': 'This address shows only the present.',
    }
    for (const [path, message] of Object.entries(cases)) {
      const { status, json } = await site.ask(path)
      assert.deepEqual([status, json], [400, { as_of: [message] }], path)
    }
    assert.equal((await site.ask('/api/polynym/?as_of=')).status, 200)
  })

  test('{moment.bound} a moment that is too long ago returns 410 with the oldest one', async () => {
    const since = await latest()
    // Nothing but votes, taken back and given again, as far as the log tells.
    await site.engine.store.write(() =>
      query(`INSERT INTO change (seq, changeset, at, account, action, resource, record, old)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
      SELECT ${since} + i, ${since} + i, '2026-11-16T00:00:00.000Z', NULL, 'vote', 'polynym', 1, NULL FROM n`),
    )
    const detail = 'This moment is too many changes ago. Start again with as_of=latest.'
    for (const path of ['/api/polynym/', '/api/polynym/1/', '/api/polynym.ndjson']) {
      const { status, json } = await site.ask(`${path}?as_of=${since}`)
      assert.deepEqual([status, json], [410, { detail, oldest: since + 1 }])
      assert.equal((await site.ask(`${path}?as_of=${since + 1}`)).status, 200)
    }
    // As the retention of the log does.
    const gone = since + 5000
    await site.engine.store.write(() => query(`DELETE FROM change WHERE seq = ${gone}`))
    const newest = await latest()
    for (const path of ['/api/polynym/', '/api/polynym/1/', '/api/polynym.csv']) {
      const { status, json } = await site.ask(`${path}?as_of=${gone - 1}`)
      assert.deepEqual([status, json], [410, { detail, oldest: newest }])
      assert.equal((await site.ask(`${path}?as_of=${gone}`)).status, 200)
    }
  })
})

/** Writes of every kind, by several users. */
class History {
  readonly #site: Site
  readonly #chance: Chance
  /** The addresses of records that exist, or did. */
  readonly #places: string[] = []
  #made = 0

  constructor(site: Site, chance: Chance) {
    this.#site = site
    this.#chance = chance
  }

  /** Addresses of some records, also of deleted ones. */
  places(most: number): string[] {
    return this.#places.length === 0 ? [] : this.#chance.some(this.#places, most)
  }

  async write(): Promise<void> {
    const chance = this.#chance
    const way = chance.below(12)
    const hot = this.#places.slice(-HOT)
    if (hot.length === 0 || way < 3) return await this.#create()
    const place = chance.pick(hot)
    if (way < 6) return await this.#send('PATCH', place, this.#part(place))
    if (way < 7) return await this.#send('DELETE', `${place}?cascade=${chance.pick(['true', 'true', 'false'])}`)
    const voted = hot.findLast((each) => /polynym|polyset|story\//.test(each)) ?? place
    await this.#send(way < 10 ? 'POST' : 'DELETE', `${voted}vote/`, {}, chance.pick(USERS))
  }

  async #create(): Promise<void> {
    const kind = this.#chance.pick(['polynym', 'polynym', 'polyset', 'vectornym', 'story', 'winner', 'queue'])
    await this.#send('POST', `/api/${kind}/`, await this.#body(kind), this.#chance.pick(USERS))
  }

  #name(): string {
    return `${this.#chance.pick(WORDS)} ${++this.#made}`
  }

  #terms(): Record<string, string> {
    const terms = this.#chance.some(['source', 'mouth', 'delta', 'Sea', 'ocean'], 5)
    return Object.fromEntries([...terms, 'one', 'two'].map((term, i) => [`p${i + 1}`, term]))
  }

  async #ids(kind: string): Promise<number[]> {
    const { json } = await this.#site.ask(`/api/${kind}/?page_size=200&fields=id`)
    return json.results.map((record: any) => record[`${kind}_id`])
  }

  async #body(kind: string): Promise<object> {
    const [chance, name] = [this.#chance, this.#name()]
    const polynyms = async () => chance.some(await this.#ids('polynym'), 4)
    switch (kind) {
      case 'polynym':
        return { name, mode: 'part', ...this.#terms(), ...(chance.happens(2) ? { area: 'water' } : {}) }
      case 'polyset':
        return { name, polynyms: await polynyms() }
      case 'vectornym': {
        const [v1, v2, v3] = [...(await polynyms()), ...(await polynyms()), ...(await polynyms())]
        return { name, v1, v2, ...(v3 ? { v3 } : {}) }
      }
      case 'story': {
        const [phrases, quadranyms] = [await this.#ids('phrase'), await this.#ids('quadranym')]
        const line = () => ({ phrase: chance.pick(phrases), quadranym: chance.pick(quadranyms) })
        return { name, lines: Array.from({ length: chance.below(4) }, line) }
      }
      case 'winner':
        return { by: 'me', user: chance.pick(USERS), app: name, score: chance.below(9), round: 1 }
      default:
        return { name }
    }
  }

  #part(place: string): object {
    const chance = this.#chance
    if (place.includes('polynym'))
      return chance.pick([
        this.#terms(),
        { name: this.#name() },
        { p3: '', p4: '', p5: '', p6: '', p7: '' },
        { area: chance.pick(['', 'water', 'fire']), src: 'me' },
      ])
    if (place.includes('winner')) return { score: chance.below(99) }
    if (place.includes('vectornym')) return { v3: '' }
    if (place.includes('polyset') && chance.happens(2)) return { polynyms: chance.some([1, 2, 3, 4, 5], 3) }
    if (place.includes('story') && chance.happens(2)) return { lines: [{ phrase: 1, quadranym: 2 }] }
    return { name: this.#name() }
  }

  /** Some are refused, which is part of the history as well. */
  async #send(method: string, path: string, json?: object, as = STAFF): Promise<void> {
    const reply = await this.#site.ask(path, { method, as, ...(json ? { json } : {}) })
    assert.ok(reply.status < 500, `${method} ${path}: ${reply.text}`)
    if (reply.status === 201) this.#places.push(new URL(String(reply.headers['location'])).pathname)
  }
}
