/** Everything that can be asked of a large catalogue: each kind of question with a maker of addresses. */
import { charts } from '../../src/catalogue/index.ts'
import type { Chance } from '../../test/robust/chance.ts'
import type { Size } from '../speed/records.ts'
import type { Words } from '../speed/words.ts'

export type Kinds = Readonly<Record<string, () => string>>

/** How far into the first half of a list a deep page is. */
const DEEP = 0.4

export function questionsFor(size: Size, words: Words, chance: Chance): Kinds {
  const { polynyms, users } = size
  // The most frequent words occur in far more records, the rarest in a few.
  const rare = () => words.all[500 + chance.below(8000)] ?? ''
  const common = () => words.all[chance.below(100)] ?? ''
  const id = () => 1 + chance.below(polynyms)
  const mode = () => chance.pick(['part', 'type', 'step'])
  const area = () => encodeURIComponent(chance.pick(words.areas))
  const source = () => encodeURIComponent(chance.pick(words.sources))
  const depth = () => 2 + chance.below(7)
  const user = () => `user${1 + chance.below(users)}`
  const day = () => `2026-01-${String(1 + chance.below(28)).padStart(2, '0')}`
  const list = (query: string) => `/api/polynym/?page_size=20&${query}`
  const deep = (share: number) => 1 + chance.below(Math.max(1, Math.floor((polynyms * share * DEEP) / 20)))
  return {
    // What the machine and the client take.
    nothing: () => `/healthz?${chance.below(1e6)}`,
    'page anywhere': () => list(`page=${1 + chance.below(polynyms / 20)}`),
    'one record': () => `/api/polynym/${id()}/`,
    area: () => list(`area=${area()}`),
    'deep page of an area': () => list(`area=${area()}&page=${deep(1 / 250)}`),
    mode: () => list(`mode=${mode()}`),
    'deep page of a mode': () => list(`mode=${mode()}&page=${deep(0.2)}`),
    depth: () => list(`depth=${depth()}`),
    'deep page of a depth': () => list(`depth=${depth()}&page=${deep(0.1)}`),
    'rare depth': () => list(`depth=${9 + chance.below(4)}`),
    'depth range': () => list(`depth__gte=${4 + chance.below(3)}&depth__lte=${8 + chance.below(4)}`),
    'area and mode': () => list(`area=${area()}&mode=${mode()}`),
    'mode and depth': () => list(`mode=${mode()}&depth=${depth()}`),
    'area, mode and depth': () => list(`area=${area()}&mode=${mode()}&depth=${depth()}`),
    src: () => list(`src=${source()}`),
    user: () => list(`user=${user()}`),
    'likes, none': () => list(`likes=0&page=${1 + chance.below(50)}`),
    'likes, some': () => list(`likes__gte=${1 + chance.below(2)}`),
    voters: () => list(`voters=${user()}`),
    'name, exact': () => list(`name=${rare()}`),
    'name, beginning': () => list(`name__startswith=${rare().slice(0, 5)}`),
    'name, inside': () => list(`name__icontains=${rare()}`),
    'src, inside': () => list(`src__icontains=${rare()}`),
    'term=': () => list(`term=${rare()}`),
    'p1, exact': () => list(`p1=${rare()}`),
    'changed since': () => list(`changed__gte=${day()}`),
    'ids, 20 of them': () => list(`id__in=${Array.from({ length: 20 }, id)}`),
    'ordering=-likes': () => list(`ordering=-likes&page=${1 + chance.below(50)}`),
    'ordering=-likes, deep page': () => list(`ordering=-likes&page=${deep(1)}`),
    'ordering=likes': () => list(`ordering=likes&page=${1 + chance.below(50)}`),
    'ordering=-likes of an area': () => list(`ordering=-likes&area=${area()}`),
    'ordering=-likes of a mode': () => list(`ordering=-likes&mode=${mode()}`),
    'ordering=-id': () => list(`ordering=-id&page=${deep(1)}`),
    'ordering=-name': () => list(`ordering=-name&page=${1 + chance.below(50)}`),
    'ordering=depth': () => list(`ordering=depth&page=${1 + chance.below(50)}`),
    'ordering=-depth': () => list(`ordering=-depth&page=${1 + chance.below(50)}`),
    'ordering=-area': () => list(`ordering=-area&page=${1 + chance.below(50)}`),
    'ordering=mode': () => list(`ordering=mode&page=${1 + chance.below(50)}`),
    'ordering=src': () => list(`ordering=src&page=${1 + chance.below(50)}`),
    'ordering=user': () => list(`ordering=user&page=${1 + chance.below(50)}`),
    'ordering=-changed': () => list(`ordering=-changed&page=${1 + chance.below(50)}`),
    'ordering=p1': () => list(`ordering=p1&page=${1 + chance.below(50)}`),
    'search, a word': () => list(`search=${rare()}`),
    'search, a frequent word': () => list(`search=${common()}`),
    'search, two words': () => list(`search=${rare()}%20${common()}`),
    'search, two letters': () => list(`search=${rare().slice(0, 2)}`),
    'search and mode': () => list(`search=${rare()}&mode=${mode()}`),
    facets: () => `/api/polynym/facets/?by=${chance.pick(['area', 'mode', 'depth', 'user', 'src', 'likes'])}`,
    'facets by mode of a depth': () => `/api/polynym/facets/?by=mode&depth=${depth()}`,
    'facets by area of a mode': () => `/api/polynym/facets/?by=area&mode=${mode()}`,
    'facets by user of an area': () => `/api/polynym/facets/?by=user&area=${area()}`,
    'facets by user of a mode': () => `/api/polynym/facets/?by=user&mode=${mode()}&depth__gte=${depth()}`,
    'facets of a search': () => `/api/polynym/facets/?by=area,mode&search=${rare()}`,
    'facets by name': () => `/api/polynym/facets/?by=name&area=${area()}`,
    'facets by name of all': () => `/api/polynym/facets/?by=name&depth__gte=${chance.below(3)}`,
    random: () => `/api/polynym/random/?seed=${chance.below(1e6)}`,
    'random of a mode': () => `/api/polynym/random/?mode=${mode()}&seed=${chance.below(1e6)}`,
    daily: () => `/api/polynym/daily/?date=${day()}`,
    'daily of an area': () => `/api/polynym/daily/?date=${day()}&area=${area()}`,
    'term/, rare': () => `/api/term/${rare()}/`,
    'term/, frequent': () => `/api/term/${common()}/`,
    'term/, misspelt': () => `/api/term/${rare()}x/`,
    related: () => `/api/polynym/${id()}/related/`,
    crossings: () => `/api/crossings/?polynym=${id()}`,
    nested: () => `/api/polynym/${id()}/nested/`,
    compare: () => `/api/compare/?set=polynym:${id()}&set=polynym:${id()}`,
    ...chartQuestions(chance),
    'recent changes': () => `/api/changes/recent/?limit=${1 + chance.below(50)}`,
    'HTML: list': () => `/polynym/?page=${1 + chance.below(Math.floor(polynyms / 24))}`,
    'HTML: list of a mode': () => `/polynym/?mode=${mode()}&page=${1 + chance.below(100)}`,
    'HTML: list of an area': () => `/polynym/?area=${area()}`,
    'HTML: list, most liked': () => `/polynym/?ordering=-likes&page=${1 + chance.below(50)}`,
    'HTML: search': () => `/polynym/?search=${rare()}`,
    'HTML: record': () => `/polynym/${id()}/`,
    'HTML: word': () => `/word/${rare()}/`,
    'HTML: find': () => `/find/?q=${rare()}`,
    'HTML: front page': () => `/?${chance.below(1e6)}`,
    'HTML: people': () => `/people/?${chance.below(1e6)}`,
    'HTML: a person': () => `/people/${user()}/`,
  }
}

/** Each chart, and its page. Parameters that nobody knows make each address a new one. */
function chartQuestions(chance: Chance): Kinds {
  const names = charts.map(({ name }) => name)
  const another = () => `?${chance.below(1e6)}`
  return Object.fromEntries([
    ...names.map((name) => [`chart: ${name}`, () => `/api/chart/${name}/${another()}`]),
    ...names.map((name) => [`HTML: chart: ${name}`, () => `/charts/${name}/${another()}`]),
  ])
}
