/** The addresses that are read below /api/: from the OpenAPI document, with values from the records themselves. */
import type { Comparison } from './comparison.ts'
import type { Call } from './pair.ts'

const SIZES = [7, 20, 100, 1000]
const SEARCHES = ['water', 'rivers of had', 'bechamel', 'dont', 'the', 'a', 'e', 'sun moon', '!!!', 'zzzz', 'ä', "o'"]
const TERMS = [
  'dark',
  'water',
  'rivr',
  'fire',
  'flow',
  'open',
  'béchamel',
  'first%20watch',
  'zzzzzz',
  '%2F',
  '%FF',
  '-',
]
const BAD = [
  'page=0',
  'page=abc',
  'page=9999',
  'page_size=0',
  'page_size=x',
  'page_size=5000',
  'format=zzz',
  'depth__gt=1',
]
const BAD_MORE = [
  'ordering=zzz',
  'fields=zzz',
  'omit=zzz',
  'embed=zzz',
  'search=%FF',
  `search=${'x+'.repeat(20)}`,
  'id=x',
  'unknown=1&page=2',
]
const HTML = { accept: 'text/html' }
const RANDOM_SEEDS = ['1', 'walk', 'ä']

type Json = Record<string, any>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Json
}

export interface Collection {
  readonly name: string
  readonly path: string
  readonly idName: string
  readonly records: readonly Json[]
}

/** The document as the server "before" sends it. It is compared like every other response. */
export async function readDocument(compare: Comparison): Promise<Json> {
  return JSON.parse((await compare.ask({ path: '/api/schema/' })).body)
}

export async function readCollections(compare: Comparison): Promise<Collection[]> {
  const index: Record<string, string> = JSON.parse((await compare.ask({ path: '/api/' })).body)
  const collections: Collection[] = []
  for (const name of Object.keys(index)) {
    const path = `/api/${name}/`
    const { results } = JSON.parse((await compare.ask({ path: `${path}?page_size=1000` })).body)
    const idName = Object.keys(results[0]).at(-1)!
    collections.push({ name, path, idName, records: results })
  }
  return collections
}

export function* readCalls(document: Json, collections: readonly Collection[]): Generator<Call> {
  yield* formats('/api/')
  for (const collection of collections) {
    yield* lists(collection, parametersOf(document, collection.path))
    yield* records(collection)
    yield* picks(collection, document)
    yield* questions(collection, document)
  }
  yield* words(collections)
  yield* free()
  yield* describing(document)
}

function* lists({ path, records, idName }: Collection, parameters: readonly Parameter[]): Generator<Call> {
  yield* formats(path)
  yield* formats(`${path}?page=2&page_size=7`)
  for (const size of SIZES) {
    for (let page = 1; page <= Math.ceil(records.length / size); page++)
      yield* thrice(`${path}?page=${page}&page_size=${size}`)
  }
  for (const query of ['page=last', 'format=ndjson', 'format=csv', 'embed=ids', ...BAD, ...BAD_MORE])
    yield { path: `${path}?${query}` }
  yield { path: `${path.slice(0, -1)}.csv` }
  yield { path: `${path.slice(0, -1)}.ndjson?embed=ids` }
  for (const words of SEARCHES) yield* thrice(`${path}?search=${encodeURIComponent(words)}`)
  const members = [...new Set(records.flatMap(Object.keys))]
  for (const member of members) {
    yield { path: `${path}?fields=${member}&page_size=5` }
    yield { path: `${path}?omit=${member}&page_size=5&embed=ids` }
  }
  const ordering = parameters.find(({ name }) => name === 'ordering')
  for (const member of namesIn(ordering?.schema['items']?.pattern)) {
    yield { path: `${path}?ordering=${member}&page_size=50&fields=${idName}` }
    yield { path: `${path}?ordering=-${member}&page_size=50&page=2&fields=${idName}` }
  }
  for (const parameter of parameters) yield* conditions(path, parameter, records)
}

function* conditions(path: string, { name }: Parameter, records: readonly Json[]): Generator<Call> {
  const [member = '', lookup] = name.split('__')
  if (/^(page|page_size|format|fields|omit|embed|search|ordering)$/.test(name)) return
  if (lookup === 'isnull') {
    for (const value of ['true', 'false', 'x']) yield { path: `${path}?${name}=${value}` }
    return
  }
  const values = valuesOf(member, records)
  const shaped = values.map((value) => {
    if (lookup === 'startswith' || lookup === 'icontains') return value.slice(0, 3)
    return value
  })
  if (lookup === 'in') shaped.splice(0, shaped.length, values.slice(0, 3).join(','), 'x')
  for (const value of [...shaped, 'x']) yield { path: `${path}?${name}=${encodeURIComponent(value)}` }
}

/** Three values that records have for a member; the ids of records that they embed. */
function valuesOf(member: string, records: readonly Json[]): string[] {
  const found = new Set<string>()
  for (const record of records) {
    const value =
      member === 'id' ? Object.values(record).at(-1) : (record[member] ?? record[`${member}1`] ?? record['name'])
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each === undefined || each === '') continue
      found.add(String(typeof each === 'object' ? Object.values(each).at(-1) : each))
    }
  }
  const all = [...found]
  return [...new Set([all[0], all[all.length >> 1], all.at(-1)])].filter((value) => value !== undefined)
}

function* records({ path, records: all, idName, name }: Collection): Generator<Call> {
  for (const record of all) {
    const address = `${path}${record[idName]}/`
    yield* thrice(address)
    yield { path: `${address}?embed=ids&omit=name` }
  }
  const [first] = all
  for (const record of [first!, all.at(-1)!]) yield* formats(`${path}${record[idName]}/`)
  for (const id of ['0', '01', '99999', 'x', '1.5', '%31']) yield { path: `${path}${id}/` }
  yield { path: `/api/${name}` }
  yield { path: `/api/${name}/${first![idName]}` }
  yield { method: 'POST', path: `/api/${name}?a=b`, json: {} }
}

function* picks({ path }: Collection, document: Json): Generator<Call> {
  for (const seed of RANDOM_SEEDS) {
    yield { path: `${path}random/?seed=${encodeURIComponent(seed)}` }
    yield { path: `${path}random/?n=5&seed=${encodeURIComponent(seed)}&embed=ids` }
    yield { path: `${path}random/?seed=${encodeURIComponent(seed)}&search=the`, headers: HTML }
  }
  for (const date of ['2026-01-01', '2026-02-28', '2030-12-31', '2026-02-30'])
    yield { path: `${path}daily/?date=${date}` }
  for (const query of ['n=0', 'n=101', 'n=x&seed=1', 'seed=1&search=zzzzzz', 'n=3&seed=1&search=zzzzzz'])
    yield { path: `${path}random/?${query}` }
  yield { path: `${path}daily/?tz=Nowhere` }
  yield { path: `${path}random.txt?seed=1` }
  const by = parametersOf(document, `${path}facets/`).find(({ name }) => name === 'by')
  for (const member of by?.schema['items']?.enum ?? []) yield* thrice(`${path}facets/?by=${member}`)
  for (const query of ['', '?by=zzz', '?by=name,user&search=the', '?by=user&limit=3'])
    yield { path: `${path}facets/${query}` }
  yield { path: `${path}facets/?by=user`, headers: HTML }
}

/** The questions about one record: spin, tell, check, related, nested. */
function* questions({ path, records: all, idName }: Collection, document: Json): Generator<Call> {
  for (const template of Object.keys(document['paths'])) {
    const [, question] = template.match(new RegExp(`^${path}\\{id\\}/([a-z]+)/$`)) ?? []
    if (!question || !document['paths'][template].get) continue
    for (const record of all) yield { path: `${path}${record[idName]}/${question}/` }
    const [first, last] = [all[0]!, all.at(-1)!]
    const queries = [
      'quadranym=1',
      'quadranym=1&quadranym=2',
      'quadranym=9999',
      'as=blanks',
      'as=zzz',
      'limit=1',
      'limit=0',
      'depth=5',
      'depth=9',
      'fields=name',
    ]
    for (const record of [first, last]) {
      for (const query of queries) yield { path: `${path}${record[idName]}/${question}/?${query}` }
      yield* formats(`${path}${record[idName]}/${question}/`)
    }
    yield { path: `${path}99999/${question}/` }
  }
}

function* words(collections: readonly Collection[]): Generator<Call> {
  for (const term of TERMS) {
    yield* formats(`/api/term/${term}/`)
    yield { path: `/api/term/${term}/?limit=1&fields=name` }
  }
  const polynyms = collections.find(({ name }) => name === 'polynym')!.records
  for (const { p1 } of polynyms.slice(0, 60)) yield { path: `/api/term/${encodeURIComponent(p1)}/?embed=ids` }
  const some = collections.map(({ name, records: [record], idName }) => `${name}:${record![idName]}`)
  for (const [i, one] of some.entries()) yield { path: `/api/compare/?set=${one}&set=${some[(i + 1) % some.length]}` }
  for (const query of [
    '',
    '?set=polynym:1',
    '?set=polynym:1&set=polynym:9999',
    '?set=polynym:193&set=polynym:244&set=polyset:1',
  ]) {
    yield* formats(`/api/compare/${query}`)
  }
}

/** Texts that are not stored. */
function* free(): Generator<Call> {
  const texts = [
    'Small streams make great rivers.',
    'The door opens.',
    'An q1n_NN may q1e_VB.',
    'Q1n_NN and q2e^JJ',
    '',
    'ä q1e',
  ]
  for (const text of texts) {
    yield { method: 'POST', path: '/api/qode/parse/', json: { qode: text } }
    yield { method: 'POST', path: '/api/qode/annotate/', json: { text } }
    yield { method: 'POST', path: '/api/qode/annotate/', json: { text, quadranyms: [1, 2, 151] } }
    for (const as of ['words', 'blanks', 'zzz']) {
      yield { method: 'POST', path: '/api/qode/spin/', json: { qode: text, quadranyms: [1, 2], as } }
    }
    yield { method: 'POST', path: '/api/qode/check/', json: { body: 'The door opens.', qode: text, quadranyms: [1] } }
  }
  for (const by of ['phrase', 'topic', 'zip', 'zzz']) {
    yield { method: 'POST', path: '/api/qode/verse/', json: { phrases: [1, 2, 3], quadranyms: [1, 2], by } }
  }
  for (const name of ['parse', 'annotate', 'spin', 'check', 'verse']) {
    yield { path: `/api/qode/${name}/` }
    yield { path: `/api/qode/${name}/`, headers: HTML }
    yield { method: 'POST', path: `/api/qode/${name}/`, json: [] }
    yield { method: 'POST', path: `/api/qode/${name}/`, body: '{', headers: { 'content-type': 'application/json' } }
  }
}

function* describing(document: Json): Generator<Call> {
  for (const path of ['/api/schema/', '/api/docs/']) {
    for (const accept of ['application/json', 'text/html', 'application/yaml', 'text/markdown', '*/*']) {
      yield { path, headers: { accept } }
    }
    for (const query of ['?collection=polynym', '?collection=zzz', '?format=yaml', '?format=md', '?format=zzz'])
      yield { path: path + query }
  }
  // Each route of the document with methods that it has and that it does not have.
  const [STAR, ID] = ['water', '1']
  for (const template of Object.keys(document['paths'])) {
    if (/random|healthz|readyz/.test(template)) continue
    const path = template.replace('{term}', STAR).replace('{id}', ID)
    yield { method: 'OPTIONS', path }
    yield { method: 'OPTIONS', path, headers: HTML }
    yield { method: 'HEAD', path }
    yield { method: 'HEAD', path, headers: HTML }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'FOO']) yield { method, path }
    yield { path, headers: { authorization: 'Basic eDp5' } }
    yield { path, headers: { authorization: 'Token zzz' } }
  }
  for (const path of [
    '/healthz',
    '/readyz',
    '/robots.txt',
    '/api',
    '/api/zzz/',
    '/API/',
    '/api//',
    '/zzz/',
    '/api/polynym/1/zzz/',
  ]) {
    yield { path }
    yield { path, headers: HTML }
  }
}

/** A page as JSON, indented, as HTML, as text, and refused. */
function* formats(path: string): Generator<Call> {
  const accepts = [
    '*/*',
    'application/json; indent=4',
    'text/html',
    'text/plain',
    'text/csv',
    'application/x-ndjson',
    'image/png',
  ]
  for (const accept of accepts) yield { path, headers: { accept } }
  const joint = path.includes('?') ? '&' : '?'
  for (const format of ['json', 'api', 'txt']) yield { path: `${path}${joint}format=${format}` }
  yield { path: `${path}${joint}format=api`, headers: HTML }
}

/** The second time from the cache; the third time the client has it. */
function* thrice(path: string): Generator<Call> {
  yield { path }
  yield { path }
  yield { path, headers: { 'if-none-match': '*' } }
}

function parametersOf(document: Json, path: string): Parameter[] {
  const { parameters = [] } = document['paths'][path]?.get ?? {}
  return parameters.map((each: Json) => {
    const name = each['$ref']?.split('/').at(-1)
    return name === undefined ? each : document['components'].parameters[name]
  })
}

/** The names in a pattern such as ^-?(name|user)$. */
function namesIn(pattern: string | undefined): string[] {
  return /\(([^)]*)\)/.exec(pattern ?? '')?.[1]?.split('|') ?? []
}
