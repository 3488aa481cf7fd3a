/** The requests of the random load: every kind of write, and every kind of address. */
import type { Chance } from '../robust/chance.ts'
import type { Asked } from './load.ts'

/** The ids of records that may exist, by resource. */
export type Known = Record<string, number[]>

const STAFF = 'staff-load'
const VOTERS = ['ana', 'ben', 'cy']
const WORDS = ['sun', 'Moon', 'été', '雨', 'river', 'palm', 'hand', 'root', '😀', 'Zebra', 'aardvark', 'middle']
const VOTED = ['polynym', 'polyset', 'quadranym', 'polymap', 'vectornym', 'fable', 'phrase', 'story', 'tale']
const LISTS = `fable fortune phrase polynym polymap polyset quadranym quadranym-id quadraset queue quote story tale
  storyline taleline vectornym winner`.split(/\s+/)
/** Up to this many records of a kind are created. */
const MANY = 60

export function commands(chance: Chance, known: Known): (() => Asked)[] {
  const pick = (name: string) => chance.pick(known[resourceOf(name)]!)
  const some = (name: string) => chance.some(known[name]!, 5)
  const name = () => `${chance.pick(WORDS)} ${chance.below(1e6)}`
  const asked = (kind: string, method: string, path: string, json?: object, as = STAFF): Asked => ({
    kind,
    method,
    path: `/api/${path}`,
    json,
    as,
  })
  const create = (resource: string, body: () => object) => () =>
    known[resource]!.length < MANY
      ? asked('create', 'POST', `${resource}/`, body())
      : asked('delete', 'DELETE', `${resource}/${pick(resource)}/`)
  const change = (resource: string, body: () => object) => () =>
    asked('change', 'PATCH', `${resource}/${pick(resource)}/`, body())
  const remove =
    (resource: string, query = '') =>
    () =>
      asked('delete', 'DELETE', `${resource}/${pick(resource)}/${query}`)
  const vote = (method: string) => () => {
    const resource = chance.pick(VOTED)
    return asked('vote', method, `${resource}/${pick(resource)}/vote/`, undefined, chance.pick(VOTERS))
  }
  const line = () => ({ phrase: pick('phrase'), quadranym: pick('quadranym') })
  const polynym = () => ({ name: name(), mode: 'part', p1: chance.pick(WORDS), p2: chance.pick(WORDS) })
  const quadranym = () => ({ name: name(), e: 'purr', r: chance.pick(WORDS), o: 'fur', s: 'nap' })
  const text = () => ({ body: `${name()} purr.`, qode: `${name()} q1e_VB.` })
  return [
    create('polynym', polynym),
    create('polynym', polynym),
    create('quadranym', quadranym),
    create('quadranym', quadranym),
    create('polyset', () => ({ name: name(), polynyms: some('polynym') })),
    create('polymap', () => ({ name: name(), pa: pick('polynym'), pb: pick('polynym') })),
    create('vectornym', () => ({ name: name(), v1: pick('polynym'), v2: pick('polynym') })),
    create('quadraset', () => ({ name: name(), quadranyms: some('quadranym') })),
    create('quote', () => ({ body: `${name()} purr.`, src: chance.pick(WORDS), quadranym: pick('quadranym') })),
    create('fortune', () => ({ body: `${name()} purr.`, q1: [pick('quadranym')] })),
    create('fortune', text),
    create('phrase', () => ({ name: name(), qode: `${name()} q1e.` })),
    create('fable', () => ({ name: name(), qode: `${name()} q1e and q2r.` })),
    create('story', () => ({ name: name(), lines: [line(), line()] })),
    create('tale', () => ({ name: name(), fable: pick('fable'), lines: some('quadranym') })),
    create('queue', () => ({ name: name() })),
    create('storyline', () => ({ story: pick('story'), rank: chance.below(100), ...line() })),
    create('winner', () => ({ by: 'x', user: chance.pick(VOTERS), app: name(), score: chance.below(99), round: 1 })),
    ...['polynym', 'polynym', 'quadranym', 'quadranym', 'polyset', 'story', 'tale', 'fable', 'phrase', 'queue'].map(
      (resource) => change(resource, () => ({ name: name() })),
    ),
    change('quadranym-id', () => ({ name: name() })),
    change('polynym', () => ({ p3: chance.happens(2) ? chance.pick(WORDS) : '' })),
    change('quadranym', () => ({ s: chance.pick(WORDS), realm: chance.pick(WORDS) })),
    change('polyset', () => ({ polynyms: some('polynym') })),
    change('polyset', () => ({ polynyms: some('polynym') })),
    change('vectornym', () => ({ v3: chance.happens(2) ? pick('polynym') : null })),
    change('quadraset', () => ({ quadranyms: some('quadranym') })),
    change('story', () => ({ lines: [line(), line(), line()] })),
    change('tale', () => ({ lines: some('quadranym') })),
    change('storyline', () => ({ rank: chance.below(100) })),
    change('winner', () => ({ score: chance.below(1000) - 500 })),
    change('fable', () => ({ qode: `${name()} q1e and q2r.` })),
    remove('polynym'),
    remove('polynym', '?cascade=true'),
    remove('quadranym', '?cascade=true'),
    remove('polyset'),
    remove('story'),
    remove('tale'),
    remove('storyline'),
    remove('quote'),
    ...Array.from({ length: 6 }, () => vote('POST')),
    vote('DELETE'),
    vote('DELETE'),
  ]
}

/** A view has the ids of its resource. */
const resourceOf = (collection: string) => collection.replace(/-id$/, '')

export function reads(chance: Chance, ids: Known, etags: ReadonlyMap<string, string>): (() => Asked)[] {
  const pick = (name: string) => chance.pick(ids[resourceOf(name)]!)
  const q = () => encodeURIComponent(chance.pick(WORDS))
  const get = (kind: string, path: string, headers: Record<string, string> = {}): Asked => ({
    kind,
    path,
    // Pages show the id of their request.
    headers: { 'x-request-id': 'load', ...headers },
  })
  const api = (kind: string, path: () => string) => () => get(kind, `/api/${path()}`)
  const list = () => chance.pick(LISTS)
  const record = () => {
    const name = list()
    return `${name}/${pick(name)}/`
  }
  const page = () => `page_size=${chance.pick([1, 3, 7, 20])}&page=${chance.pick([1, 1, 2, 5, 'last'])}`
  const again = (headers: (etag: string) => Record<string, string>) => () => {
    const path = etags.size > 0 ? chance.pick([...etags.keys()].slice(-40)) : '/api/'
    return get('asked again', path, headers(etags.get(path) ?? '"x"'))
  }
  return [
    api('list', () => `${list()}/?${page()}`),
    api('list', () => `${list()}/?${page()}`),
    api('list', () => `${list()}/`),
    api('list', () => `${chance.pick(['polynym', 'polyset', 'quadranym', 'quote'])}/`),
    api('record', record),
    api('record', record),
    api('record', record),
    api('filter', () => `polynym/?user=${STAFF}&${page()}`),
    api('filter', () => `polynym/?mode=part&ordering=-likes&${page()}`),
    api('filter', () => `polyset/?polynyms=${pick('polynym')}`),
    api('filter', () => `${chance.pick(['fortune/?q1', 'quote/?quadranym'])}=${pick('quadranym')}`),
    api('filter', () => `storyline/?story=${pick('story')}`),
    api('filter', () => `polynym/?voters=${chance.pick(VOTERS)}`),
    api('filter', () => `${chance.pick(['polynym', 'quadranym-id'])}/?term=${q()}`),
    api('search', () => `${chance.pick(['polynym', 'quote', 'quadranym-id', 'polyset'])}/?search=${q()}&${page()}`),
    api('facets', () => `polynym/facets/?by=mode,depth,user`),
    api('facets', () => `quadranym/facets/?by=realm&search=${q()}`),
    api('chance', () => `${list()}/random/?seed=${chance.below(9)}`),
    api('chance', () => `${list()}/random/?seed=${chance.below(9)}&n=3`),
    api('chance', () => `${list()}/daily/`),
    () => ({ ...get('chance', `/api/${list()}/random/`), varies: true }),
    api('words', () => `term/${q()}/?limit=5`),
    api('words', () => `polynym/${pick('polynym')}/related/?limit=5`),
    api('words', () => `quadranym/${pick('quadranym')}/related/?limit=5`),
    api('words', () => `polynym/${pick('polynym')}/nested/`),
    api('words', () => `compare/?set=polynym:${pick('polynym')}&set=polynym:${pick('polynym')}`),
    api('question', () => `story/${pick('story')}/tell/`),
    api('question', () => `tale/${pick('tale')}/tell/`),
    api('question', () => `quote/${pick('quote')}/spin/?quadranym=${pick('quadranym')}`),
    api('question', () => `fortune/${pick('fortune')}/check/`),
    () =>
      get('rendered', `/api/${record()}`, {
        accept: chance.pick(['text/html', 'text/plain, */*;q=0.5', 'application/json; indent=4']),
      }),
    () => get('rendered', `/${chance.pick(['polynym', 'quadranym', 'polyset'])}/`, { accept: 'text/html' }),
    () => ({ ...get('signed in', `/api/${list()}/?${page()}`), as: chance.pick(VOTERS) }),
    () => ({ ...get('HEAD', `/api/${list()}/`), method: 'HEAD' }),
    () => get('other name', `/api/${list()}/?page_size=3&page=2`, { host: chance.pick(['a.example', 'b.example']) }),
    again((etag) => ({ 'if-none-match': etag })),
    again(() => ({})),
    again(() => ({})),
    again(() => ({})),
  ]
}
