/** Requests within the limits that may be expensive: every address, with random values from the seed. */
import { catalogue } from '../../src/catalogue/index.ts'
import { collectionsOf } from '../../src/engine/index.ts'
import type { Chance } from '../../test/robust/chance.ts'
import type { Fixtures } from './fixtures.ts'
import { textOf } from './texts.ts'

export interface Input {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export type Make = (chance: Chance) => Input

const HTML = { accept: 'text/html' }
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
/** What fits into the request line. */
const LINE = 15_000
const BODY = 1_000_000

const get = (path: string, headers: Record<string, string> = {}): Input => ({
  name: `GET ${path.slice(0, 60)}${headers['accept'] ? ` (${headers['accept']})` : ''}`,
  method: 'GET',
  path,
  headers,
})
const post = (path: string, json: unknown): Input => ({
  name: `POST ${path}`,
  method: 'POST',
  path,
  headers: JSON_TYPE,
  body: JSON.stringify(json).slice(0, BODY),
})
const form = (path: string, pairs: readonly (readonly [string, string])[], headers = HTML): Input => ({
  name: `POST ${path} (form)`,
  method: 'POST',
  path,
  headers: { ...FORM_TYPE, ...headers },
  body: pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
    .slice(0, BODY),
})

export function inputsOn(fixtures: Fixtures): readonly Make[] {
  const { ids, quadranyms, phrases } = fixtures
  const enc = (text: string, most = LINE) => encodeURIComponent(text.toWellFormed()).slice(0, most).replace(/%.?$/, '')
  const lists = collectionsOf(catalogue).map(({ name }) => name)
  const kinds = lists.filter((name) => name !== 'quadranym-id')
  const free = (chance: Chance) => textOf(chance, chance.pick([20_000, 19_999, 10_000]))
  const some = (chance: Chance, from: readonly number[], most: number) =>
    Array.from({ length: 1 + chance.below(most) }, () => chance.pick(from))
  const accept = (chance: Chance) => chance.pick([{}, HTML, { accept: 'application/json; indent=8' }])
  const makes: Make[] = [
    (chance) => post('/api/qode/parse/', { qode: free(chance) }),
    (chance) => post('/api/qode/annotate/', { text: free(chance) }),
    (chance) => post('/api/qode/annotate/', { text: free(chance), quadranyms: some(chance, quadranyms, 50) }),
    (chance) => post('/api/qode/spin/', { qode: free(chance), quadranyms: some(chance, quadranyms, 50) }),
    (chance) => {
      const body = free(chance)
      return post('/api/qode/check/', {
        body,
        qode: chance.happens(2) ? body : free(chance),
        quadranyms: some(chance, quadranyms, 50),
      })
    },
    (chance) =>
      post('/api/qode/verse/', {
        phrases: some(chance, phrases, 100),
        quadranyms: some(chance, quadranyms, 50),
        by: chance.pick(['phrase', 'topic', 'zip']),
      }),
    (chance) => get(`/api/term/${enc(textOf(chance, 500)) || 'a'}/?limit=100`, accept(chance)),
    (chance) => get(`/word/${enc(textOf(chance, 500)) || 'a'}/`, HTML),
    (chance) => get(`/find/?q=${enc(textOf(chance, 400))}`, HTML),
    (chance) => get(`/find/suggest/?q=${enc(textOf(chance, 400))}`, HTML),
    (chance) => get(`/annotate/?text=${enc(textOf(chance, LINE))}`, HTML),
    (chance) =>
      form('/annotate/', [['text', textOf(chance, 20_000)], ...many(chance, 'quadranym', 40), ['step', 'suggest']]),
    (chance) => form('/annotate/words/', [['state', JSON.stringify({ text: textOf(chance, 40_000) })]]),
    (chance) =>
      form('/annotate/settle/', [
        [
          'state',
          JSON.stringify({
            text: textOf(chance, 20_000),
            topics: fixtures.topics.slice(0, 50),
            marks: marks(chance, fixtures),
          }),
        ],
      ]),
    (chance) =>
      get(
        `/api/compare/?${some(chance, ids['polyset']!, 10)
          .map((id) => `set=polyset:${id}`)
          .join('&')}`,
      ),
    (chance) =>
      get(
        `/api/compare/?${some(chance, ids['polynym']!, 10)
          .map((id) => `set=polynym:${id}`)
          .join('&')}`,
      ),
    () => get('/api/schema/'),
    () => get('/api/schema/', HTML),
    () => get('/api/docs/', HTML),
    () => get('/', HTML),
    () => get('/people/', HTML),
    () => get('/people/costs/', HTML),
    (chance) => get(`/people/${enc(textOf(chance, 1000)) || 'a'}/`, HTML),
    (chance) =>
      form('/accounts/login/', [
        ['username', textOf(chance, 300_000)],
        ['password', textOf(chance, 300_000)],
      ]),
    (chance) =>
      form('/accounts/signup/', [
        ['username', textOf(chance, 300_000)],
        ['password', textOf(chance, 300_000)],
      ]),
    (chance) => ({
      ...get('/api/polynym/'),
      name: 'GET with many Accept ranges',
      headers: { accept: 'a/b;q=0.5,'.repeat(1 + chance.below(1400)) },
    }),
    (chance) => ({
      ...get('/api/polynym/'),
      name: 'GET with many ETags',
      headers: { 'if-none-match': '"a",'.repeat(1 + chance.below(3500)) },
    }),
    (chance) => ({
      ...get('/api/polynym/'),
      name: 'GET with many cookies',
      headers: { cookie: 'a=b;'.repeat(1 + chance.below(3500)) },
    }),
    (chance) => ({
      ...get('/api/polynym/'),
      name: 'GET with Basic',
      headers: { authorization: `Basic ${Buffer.from(textOf(chance, 3000)).toString('base64').slice(0, 12_000)}` },
    }),
    (chance) => get(`/api/polynym/?${'a=b&'.repeat(chance.pick([999, 500]))}`, accept(chance)),
    (chance) => get(`/${'a/'.repeat(chance.below(7000))}`, HTML),
    (chance) => get(`/api/${'%41'.repeat(chance.below(5000))}/`, accept(chance)),
    (chance) => ({
      ...post('/api/polynym/', {}),
      name: 'POST deep JSON',
      body: '[{"a":'.repeat(chance.pick([31, 63, 100_000])),
    }),
    (chance) => ({
      ...post('/api/polynym/', {}),
      name: 'POST wide JSON',
      body: `{"polynyms":[${chance.pick(['1,', '[],', '{},', '"a",', '{"a":1},']).repeat(120_000)}1]}`,
    }),
    (chance) => ({
      ...post('/api/polyset/', {}),
      name: 'POST wide polyset',
      body: `{"name":"x","polynyms":[${chance.pick(['1,', '"1",', '{"polynym_id":1},']).repeat(60_000)}1]}`,
    }),
    (chance) =>
      form(
        '/api/polynym/',
        Array.from({ length: chance.pick([999, 1000]) }, (_, i) => [`m${i}`, 'x'.repeat(900)]),
        { accept: 'application/json' },
      ),
    (chance) => multipart('/api/polynym/', chance.pick([900, 990])),
    (chance) =>
      post('/api/story/', {
        name: `s ${chance.below(1e9)}`,
        lines: Array.from({ length: 1000 }, () => ({
          phrase: chance.pick(phrases),
          quadranym: chance.pick(quadranyms),
        })),
      }),
    (chance) =>
      post('/api/tale/', {
        name: `t ${chance.below(1e9)}`,
        fable: chance.pick(ids['fable']!),
        lines: Array.from({ length: 1000 }, () => chance.pick(quadranyms)),
      }),
    (chance) =>
      post('/api/fortune/', {
        body: textOf(chance, 4096),
        q1: some(chance, quadranyms, 200),
        q2: some(chance, quadranyms, 200),
      }),
    (chance) =>
      post('/api/fortune/', {
        body: textOf(chance, 4096),
        qode: textOf(chance, 8192),
        q1: some(chance, quadranyms, 50),
      }),
    (chance) => post('/api/quote/', { body: textOf(chance, 4096), src: 'x', quadranym: chance.pick(quadranyms) }),
    (chance) => post('/api/fable/', { name: `f ${chance.below(1e9)}`, qode: textOf(chance, 8192) }),
    (chance) => post('/api/polynym/', { name: textOf(chance, 200), mode: 'type', ...slots(chance, 'p', 12, 500) }),
    (chance) =>
      post('/api/polymap/', {
        name: `m ${chance.below(1e9)}`,
        pa: chance.pick(ids['polynym']!),
        pb: chance.pick(ids['polynym']!),
        ...slots(chance, 'r', 12, 1200),
      }),
    (chance) => post('/api/polyset/', { name: `p ${chance.below(1e9)}`, polynyms: some(chance, ids['polynym']!, 200) }),
    (chance) =>
      form('/make/story/', [
        ['name', 'x'],
        ...many(chance, 'line_phrase', 400),
        ...many(chance, 'line_quadranym', 400),
      ]),
    (chance) =>
      form('/make/polyset/', [
        ['name', 'x'],
        ['polynyms', Array.from({ length: 200 }, () => textOf(chance, 20)).join('\n')],
      ]),
    (chance) => form('/make/polynym/', [['name', textOf(chance, 200_000)], ...many(chance, 'p1', 300)]),
  ]
  for (const kind of kinds) {
    makes.push(
      (chance) =>
        get(
          `/api/${kind}/?page_size=${chance.pick([20, 100, 1000])}&page=${chance.pick(['1', 'last'])}`,
          accept(chance),
        ),
      (chance) => get(`/api/${kind}/${chance.pick(ids[kind] ?? [1])}/`, accept(chance)),
      (chance) => get(`/${kind}/${chance.pick(ids[kind] ?? [1])}/?${manyIds(chance, quadranyms)}`, HTML),
      (chance) => get(`/${kind}/?${conditions(chance, kind)}`, HTML),
      (chance) => get(`/api/${kind}/?${conditions(chance, kind)}`, accept(chance)),
      (chance) => get(`/api/${kind}/?search=${enc(textOf(chance, 400))}`, accept(chance)),
      (chance) => get(`/api/${kind}/random/?n=100&seed=${chance.below(1e6)}`, accept(chance)),
      (chance) => get(`/api/${kind}/daily/?tz=${enc(textOf(chance, 100))}`, accept(chance)),
      (chance) => get(`/make/${kind}/${chance.pick(ids[kind] ?? [1])}/`, HTML),
      (chance) => get(`/${kind}/${chance.pick(ids[kind] ?? [1])}.svg`, HTML),
      (chance) =>
        get(
          `/api/${kind}/${chance.pick(ids[kind] ?? [1])}/${chance.pick(['spin', 'tell', 'related', 'nested', 'check'])}/?depth=5&limit=100&${manyIds(chance, quadranyms)}`,
          accept(chance),
        ),
    )
  }
  return makes
}

function slots(chance: Chance, letter: string, count: number, length: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${letter}${i + 1}`, textOf(chance, length)]))
}

function many(chance: Chance, name: string, count: number): [string, string][] {
  return Array.from({ length: count }, () => [
    name,
    chance.happens(2) ? String(1 + chance.below(200)) : textOf(chance, 30),
  ])
}

function manyIds(chance: Chance, ids: readonly number[]): string {
  return Array.from({ length: chance.below(60) }, () => `quadranym=${chance.pick(ids)}`).join('&')
}

function conditions(chance: Chance, kind: string): string {
  const lookups = [
    'name__icontains',
    'name__startswith',
    'body__icontains',
    'src__icontains',
    'area',
    'realm__in',
    'term',
    'user',
    'depth__gte',
    'ordering',
    'voters',
  ]
  const pairs = Array.from({ length: 1 + chance.below(49) }, () => {
    const name = chance.pick(lookups)
    if (name === 'ordering') return `ordering=${chance.pick(['-likes', '-id', 'name', 'user'])}`
    if (name === 'depth__gte') return `depth__gte=${chance.below(9)}`
    return `${name}=${encodeURIComponent(textOf(chance, chance.pick([1, 20, 90])).toWellFormed())
      .slice(0, 280)
      .replace(/%.?$/, '')}`
  })
  return `${pairs.join('&')}&k=${kind}`.slice(0, LINE).replace(/%.?$/, '')
}

function marks(chance: Chance, { topics }: Fixtures): unknown[] {
  return Array.from({ length: 4096 }, (_, i) => ({
    offset: i * 4,
    length: 3,
    topic: chance.pick(topics).quadranym_id,
    slot: chance.pick(['n', 'e', 'r', 'o', 's']),
    tag: chance.pick(['NN', 'VBZ', 'JJR']),
  }))
}

function multipart(path: string, parts: number): Input {
  const part = (i: number) => `--x\r\nContent-Disposition: form-data; name="m${i}"\r\n\r\n${'y'.repeat(900)}\r\n`
  const body = `${Array.from({ length: parts }, (_, i) => part(i)).join('')}--x--\r\n`
  return {
    name: `POST ${path} (multipart)`,
    method: 'POST',
    path,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body,
  }
}
