/**
 * A cache is never stale: after every kind of write, through this server or another one on the same database, it
 * returns for every address read before what a server without a cache returns.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { Served, said } from '../support/servers.ts'
import type { Sent } from '../support/site.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const TITLE = 'own'
const NO_SUCH = 987_654

/** The ids of the records that a run of writes uses. */
type Ids = Readonly<Record<string, number>>
type Write = readonly [method: string, path: string, json?: object | undefined, as?: string]

/** A name that is the first of its list, with characters of one, two, three and four bytes. */
const first = (title: string) => `!é雨😀 ${title}`

/** Each refers to those before it by their names here. */
const RECORDS: readonly (readonly [key: string, collection: string, body: (ids: Ids, title: string) => object])[] = [
  ['hand', 'polynym', (_, title) => ({ name: `${first(title)} hand`, mode: 'part', p1: 'palm', p2: 'thumb' })],
  ['palm', 'polynym', (_, title) => ({ name: 'palm', mode: 'type', p1: 'date', p2: 'oil', src: title })],
  ['lone', 'polynym', (_, title) => ({ name: `zzz ${title}`, mode: 'type', p1: 'date', p2: 'palm' })],
  ['polyset', 'polyset', ({ hand, palm }, title) => ({ name: first(title), polynyms: [hand, palm] })],
  ['polymap', 'polymap', ({ hand, palm }, title) => ({ name: first(title), pa: hand, pb: palm })],
  ['vectornym', 'vectornym', ({ hand, palm }, title) => ({ name: first(title), v1: hand, v2: palm })],
  ['cat', 'quadranym', (_, title) => ({ name: `${first(title)} cat`, e: 'purr', r: 'hiss', o: 'fur', s: 'nap' })],
  ['dog', 'quadranym', (_, title) => ({ name: `${first(title)} dog`, e: 'bark', r: 'whine', o: 'bone', s: 'walk' })],
  ['quadraset', 'quadraset', ({ cat, dog }, title) => ({ name: first(title), quadranyms: [cat, dog] })],
  ['fortune', 'fortune', ({ cat, dog }, title) => ({ body: `${title} purr bark.`, q1: [cat, dog] })],
  ['quote', 'quote', ({ cat }, title) => ({ body: `${title} they purr.`, src: 'Kay', quadranym: cat })],
  ['phrase', 'phrase', (_, title) => ({ name: first(title), qode: `${title} they q1e.` })],
  ['fable', 'fable', (_, title) => ({ name: first(title), qode: `${title} they q1e and q2r.` })],
  [
    'story',
    'story',
    ({ phrase, cat, dog }, title) => ({
      name: first(title),
      lines: [
        { phrase, quadranym: cat },
        { phrase, quadranym: dog },
      ],
    }),
  ],
  ['tale', 'tale', ({ fable, cat, dog }, title) => ({ name: first(title), fable, lines: [cat, dog] })],
  ['queue', 'queue', (_, title) => ({ name: first(title) })],
  ['winner', 'winner', (_, title) => ({ by: 'x', user: 'staff-gus', app: title, score: 5, round: 1 })],
]

const LISTS = `fable fortune phrase polynym polymap polyset quadranym quadranym-id quadraset queue quote story tale
  storyline taleline vectornym winner`.split(/\s+/)

/** Lists as they are, and records. */
const PLAIN = /^\/api\/[a-z-]+\/(\d+\/)?(\?page[^/]*)?$/

/** Every kind of address that can be cached. */
function addressesOf(ids: Ids, title: string): string[] {
  const q = encodeURIComponent
  return [
    '',
    ...LISTS.map((name) => `${name}/`),
    ...['polynym', 'polyset', 'storyline', 'quadranym-id'].map((name) => `${name}/?page_size=2&page=last`),
    ...Object.entries(ids).map(([key, id]) => `${RECORDS.find(([each]) => each === key)?.[1] ?? key}/${id}/`),
    `quadranym-id/${ids['cat']}/`,
    `polynym/?user=staff-gus&page_size=5`,
    `polynym/?user=new-${title}`,
    `polynym/?voters=voter-${title}`,
    'polynym/?likes__gte=1&ordering=-likes&page_size=5',
    'polynym/?term=palm',
    `polynym/?name__startswith=${q('!é雨')}`,
    `polynym/?search=${q('palm')}`,
    `polyset/?polynyms=${ids['hand']}`,
    `quadranym-id/?search=${q('purr')}`,
    `fortune/?q1=${ids['cat']}`,
    `quote/?quadranym=${ids['cat']}`,
    `storyline/?story=${ids['story']}`,
    'polynym/facets/?by=mode,depth,user',
    'polynym/random/?seed=2&n=9',
    'polyset/random/?seed=3',
    'polynym/daily/',
    'polyset/daily/?date=2026-01-01',
    `polynym/${ids['hand']}/related/`,
    `quadranym/${ids['cat']}/related/`,
    `polynym/${ids['hand']}/nested/?depth=3`,
    'term/palm/',
    'term/purr/',
    `compare/?set=polynym:${ids['hand']}&set=polynym:${ids['palm']}`,
    `fortune/${ids['fortune']}/check/`,
    `quote/${ids['quote']}/spin/?quadranym=${ids['dog']}`,
    `story/${ids['story']}/tell/`,
    `tale/${ids['tale']}/tell/`,
    `polynym/${ids['hand']}/history/`,
    'changes/recent/?limit=3',
  ].map((path) => `/api/${path}`)
}

/** Pages for people; those of the API only for clients that prefer HTML. */
function pagesOf(ids: Ids, title: string): string[] {
  return [
    '/',
    '/polyset/',
    '/sets/',
    `/polynym/${ids['hand']}/`,
    `/tale/${ids['tale']}/`,
    `/polynym/${ids['hand']}.svg`,
    `/quadranym/${ids['cat']}/history/`,
    '/word/palm/',
    `/people/new-${title}/`,
    '/changes/',
    `/api/polyset/${ids['polyset']}/?format=api`,
    '/api/polynym/?format=api&page_size=2',
  ]
}

/** One after the other: each begins with what the one before has left. */
function writesOf(ids: Ids, title: string): Readonly<Record<string, Write>> {
  const { hand, palm, lone, cat, dog, phrase } = ids
  const polynym = { name: `${title} made`, mode: 'step', p1: 'palm', p2: 'fist' }
  return {
    'a record is created': ['POST', 'polynym/', polynym],
    'a record is renamed, and with it all that embed it': ['PATCH', `polynym/${hand}/`, { name: `!! ${title} hand` }],
    'a record is replaced': ['PUT', `polynym/${palm}/`, { ...polynym, name: 'palm', src: title, p3: 'stretch' }],
    'an embedded record gets a vote': ['POST', `polynym/${hand}/vote/`, undefined, `voter-${title}`],
    'the vote is taken back': ['DELETE', `polynym/${hand}/vote/`, undefined, `voter-${title}`],
    'a set gets other members': ['PATCH', `polyset/${ids['polyset']}/`, { polynyms: [lone, hand, lone] }],
    'a row of polynyms gets another one': ['PATCH', `vectornym/${ids['vectornym']}/`, { v3: lone }],
    'a quadranym that texts, sets and lines embed is changed': ['PATCH', `quadranym/${cat}/`, { e: 'purr', s: 'doze' }],
    'a record is renamed through a view of it': ['PATCH', `quadranym-id/${cat}/`, { name: `!! ${title} cat` }],
    'a quadranym gets a vote': ['POST', `quadranym/${cat}/vote/`, undefined, `voter-${title}`],
    'a fable is changed, which tales embed, which talelines embed': [
      'PATCH',
      `fable/${ids['fable']}/`,
      { name: `!! ${title}`, qode: `${title} q1e, q2e and q3e.` },
    ],
    'a phrase is renamed': ['PATCH', `phrase/${phrase}/`, { name: `!! ${title}` }],
    'a line goes to another place': ['PATCH', `storyline/${ids['storyline']}/`, { rank: 77 }],
    'a story gets one more line': ['POST', 'storyline/', { story: ids['story'], rank: 78, phrase, quadranym: cat }],
    'a story gets other lines': [
      'PATCH',
      `story/${ids['story']}/`,
      { name: `!! ${title}`, lines: [{ phrase, quadranym: dog }] },
    ],
    'a tale gets its lines in another order': ['PATCH', `tale/${ids['tale']}/`, { lines: [dog, cat] }],
    'a score goes up': ['PATCH', `winner/${ids['winner']}/`, { score: 77 }],
    'somebody makes an account': [
      'POST',
      '/accounts/signup/',
      { username: `new-${title}`, password: 'a good password' },
    ],
    'the new account owns something': ['POST', 'polynym/', { ...polynym, name: `!!! ${title}` }, `new-${title}`],
    'a write is refused': ['PATCH', `polyset/${ids['polyset']}/`, { polynyms: [NO_SUCH] }],
    'a record is deleted': ['DELETE', `queue/${ids['queue']}/`],
    'a record is deleted with what holds it': ['DELETE', `polynym/${hand}/?cascade=true`],
    'a quadranym is deleted with what holds it': ['DELETE', `quadranym/${cat}/?cascade=true`],
    'a story is deleted with its lines': ['DELETE', `story/${ids['story']}/`],
  }
}

for (const name of ENGINES) {
  describe(`Caches (${name})`, () => {
    let fresh: FreshDatabase
    let keeping: Served
    let records: Served
    let keepsNothing: Served

    before(async () => {
      fresh = await freshDatabase(name, { sample: false, tables: true })
      const now = () => NOW
      keeping = await Served.on(fresh.url, { keeps: 'everything', now, mostInBlock: 4 })
      records = await Served.on(fresh.url, { keeps: 'records', now, mostInBlock: 4 })
      keepsNothing = await Served.on(fresh.url, { keeps: 'nothing', now, mostInBlock: 4 })
    })
    after(async () => {
      for (const server of [keeping, records, keepsNothing]) {
        await server.stop()
        assert.deepEqual(server.bugs, [])
      }
      await fresh.drop()
    })

    async function write(server: Served, [method, path, json, as = 'staff-gus']: Write): Promise<number> {
      const sent: Sent = { method, as, ...(json ? { json } : {}) }
      const isAccount = path.startsWith('/')
      const { status, text } = await server.ask(isAccount ? path : `/api/${path}`, isAccount ? { method, json } : sent)
      const expected = text.includes(`\\"${NO_SUCH}\\"`) ? [400] : [200, 201, 204]
      assert.ok(expected.includes(status), `${method} ${path}: ${status} ${text}`)
      return status
    }

    async function prepare(title: string): Promise<Ids> {
      const ids: Record<string, number> = {}
      for (const [key, collection, body] of RECORDS) {
        const sent = { method: 'POST', as: 'staff-gus', json: body(ids, title) }
        const { status, json, text } = await keepsNothing.ask(`/api/${collection}/`, sent)
        assert.equal(status, 201, text)
        ids[key] = json[`${collection}_id`]
      }
      const { json } = await keepsNothing.ask(`/api/storyline/?story=${ids['story']}`)
      return { ...ids, storyline: json.results[0].storyline_id }
    }

    /** All servers that have something to say return the same. */
    async function compare(addresses: readonly string[]): Promise<Map<string, object>> {
      const all = await Promise.all(
        addresses.map(async (path) => {
          const [expected, ...others] = await Promise.all(
            // Without cached answers, only lists and records use a cache.
            [keepsNothing, keeping, ...(PLAIN.test(path) ? [records] : [])].map((server) =>
              server.ask(path, { headers: { accept: 'application/json, text/html' } }),
            ),
          )
          assert.ok([200, 303, 400, 404].includes(expected!.status), `${path}: ${expected!.text}`)
          for (const reply of others) assert.deepEqual(said(reply), said(expected!), path)
          return [path, said(expected!)] as const
        }),
      )
      return new Map(all)
    }

    test('nothing that was read before is stale after any write, through this server or another', async () => {
      const ids = await prepare(TITLE)
      const addresses = [...addressesOf(ids, TITLE), ...pagesOf(ids, TITLE)]
      let before = await compare(addresses)
      for (const [i, [what, each]] of Object.entries(writesOf(ids, TITLE)).entries()) {
        const status = await write(i % 2 === 0 ? keeping : keepsNothing, each)
        const now = await compare(addresses)
        const changed = addresses.filter((path) => JSON.stringify(now.get(path)) !== JSON.stringify(before.get(path)))
        // Accounts cannot be read here.
        const isSeen = status < 400 && !each[1].startsWith('/')
        assert.equal(changed.length > 0, isSeen, `${what}: ${changed.length} answers have changed`)
        before = now
      }
    })
  })
}
