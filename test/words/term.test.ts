/** /api/term/: where a word occurs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accountNamed, insertRecord } from '../../src/engine/index.ts'
import { onEachEngine } from '../support/site.ts'
import { make, read } from '../writing/fixtures.ts'
import { assertRefused, BAD_PATH, badNumbers, NOT_FOUND, type Refused, wrongMethods } from './refused.ts'

const ALLOW = 'GET, HEAD, OPTIONS'

const REFUSED: readonly Refused[] = [
  { ask: '/api/term/a%00b/', status: 400, says: { detail: 'The term contains a null character.' } },
  ...['____', '%20', '-'].map((term) => {
    return {
      ask: `/api/term/${term}/`,
      status: 400,
      says: { detail: 'The term has no letter, no digit and no symbol.' },
    }
  }),
  ...['%ff', '%', '%zz', '%E0%A4%A', 'a%'].map((term) => ({ ask: `/api/term/${term}/`, status: 400, says: BAD_PATH })),
  {
    ask: `/api/term/${'x'.repeat(201)}/`,
    status: 400,
    says: { detail: 'The term is longer than 200 characters: search for its words.' },
  },
  {
    ask: `/api/term/${'x'.repeat(501)}/`,
    status: 400,
    says: { detail: 'The term is longer than 500 characters.' },
  },
  ...badNumbers('/api/term/river/', 'limit', 100, 0),
  ...wrongMethods('/api/term/river/', ALLOW),
  { ask: '/api/term/', status: 404, says: NOT_FOUND },
  { ask: '/api/term/and/or/', status: 404, says: NOT_FOUND },
  { ask: '/api/term/river/?format=xml', status: 404, says: NOT_FOUND },
]

onEachEngine('Where a word occurs', { database: { quickMs: 0 } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const made: Record<string, any> = {}
  before(async () => {
    made['kinds'] = await make(site, 'polynym', {
      name: 'Kinds of zorb',
      mode: 'type',
      p1: 'plain  ZÖRB',
      p2: 'Zörb',
      p3: 'up/down',
      p4: 'zorb',
    })
    made['zorb'] = await make(site, 'quadranym', { name: 'zorb', e: 'glim', r: 'zorb', o: '____', s: '' })
    made['plural'] = await make(site, 'fortune', { body: 'Zorbs go on zorbing; plain zorb is rare.' })
    made['flower'] = await make(site, 'fortune', { body: 'A zorber thing, a plain and early zorbiest.' })
    made['phrase'] = await make(site, 'phrase', { name: 'zorb', qode: 'No zorb is a q1n_NN.' })
    // The word is in its name, or in its source, and not in its text.
    await make(site, 'phrase', { name: 'zorb', qode: 'q1n_NN and q1s_NN.' })
    const { quadranym_id } = await make(site, 'quadranym', { name: 'gate', e: 'lift', r: 'drop', o: 'bar', s: 'toll' })
    await make(site, 'quote', { body: 'Mind the gate.', src: 'Zorb Twain', quadranym: quadranym_id })
  })

  const term = (word: string, query = '') => read(site, `/api/term/${encodeURIComponent(word)}/${query}`)

  test('{term.members} a term has its forms, its places by slot, sets, texts and neighbours', async () => {
    assert.deepEqual(await term('zorb'), {
      term: 'zorb',
      forms: ['zorb', 'zorbs', 'zorbing'],
      count: 6,
      slots: { phrase: { name: 2 }, polynym: { p2: 1, p4: 1 }, quadranym: { name: 1, r: 1 } },
      sets: [
        { resource: 'phrase', slot: 'name', record: made['phrase'] },
        { resource: 'phrase', slot: 'name', record: (await read(site, '/api/phrase/?search=zorb')).results[1] },
        { resource: 'polynym', slot: 'p2', record: made['kinds'] },
        { resource: 'polynym', slot: 'p4', record: made['kinds'] },
        { resource: 'quadranym', slot: 'name', record: made['zorb'] },
        { resource: 'quadranym', slot: 'r', record: made['zorb'] },
      ],
      texts: {
        count: 2,
        results: [
          { resource: 'fortune', record: made['plural'] },
          { resource: 'phrase', record: made['phrase'] },
        ],
      },
      neighbours: [
        { term: 'glim', count: 1, text: 'glim' },
        { term: 'kinds of zorb', count: 1, text: 'Kinds of zorb' },
        { term: 'plain zorb', count: 1, text: 'plain  ZÖRB' },
        { term: 'up/down', count: 1, text: 'up/down' },
      ],
      did_you_mean: [],
    })
  })

  test('{term.compared} letter case, accents and doubled spaces are ignored, other characters are not', async () => {
    const zorb = await term('zorb')
    for (const word of ['ZORB', 'Zörb', '  zorb ', 'zo\u0308rb']) assert.deepEqual(await term(word), zorb, word)
    assert.deepEqual((await term('Plain   zorb')).slots, { polynym: { p1: 1 } })
    assert.deepEqual((await term('UP/DOWN')).slots, { polynym: { p3: 1 } })
    assert.deepEqual((await term('up-down')).slots, {})
  })

  test('{term.slash} a slash in a term is written %2F, and the slash at the end of the address is kept', async () => {
    const { status, json } = await site.ask('/api/term/up%2Fdown/')
    assert.deepEqual([status, json.term, json.count], [200, 'up/down', 1])
    const moved = await site.ask('/api/term/up%2Fdown')
    assert.deepEqual([moved.status, moved.headers.location], [301, '/api/term/up%2Fdown/'])
  })

  test('{term.forms} texts are found through the English forms of the word, which are listed', async () => {
    // A thing is not the-ing, a flower is not a comparative of flow, a twin is not "more" of anything.
    assert.deepEqual((await term('the')).forms, ['the'])
    for (const [word, forms] of [
      ['river', ['river', 'rivers']],
      ['dark', ['dark', 'darkest']],
      ['glitter', ['glitter', 'glitters']],
      ['gain', ['gain', 'gained']],
    ] as const) {
      assert.deepEqual((await term(word)).forms, forms)
    }
    await make(site, 'fortune', { body: 'Every flower wilts in its shower.' })
    for (const word of ['flow', 'show']) {
      const { texts } = await term(word, '?limit=100')
      for (const { record } of texts.results) assert.doesNotMatch(record.body ?? record.qode, /flower|shower/i)
    }
  })

  test('{term.texts} a word in a name, a source or a token is not in a text', async () => {
    assert.deepEqual((await term('twain')).texts, { count: 0, results: [] })
    assert.deepEqual((await term('nn')).texts, { count: 0, results: [] })
  })

  test('{term.several-words} a term of several words occurs in a text where they follow each other', async () => {
    assert.deepEqual(await term('plain zorb').then(({ texts, forms }) => [forms, texts.results]), [
      ['plain zorb'],
      [{ resource: 'fortune', record: made['plural'] }],
    ])
    assert.equal((await term('rare plain')).texts.count, 0)
    const shrugged = await make(site, 'fortune', { body: 'She shrugged off the rest; off with you, shrug.' })
    const { forms, texts } = await term('shrug off')
    assert.deepEqual(
      [forms, texts.results.map(({ record }: any) => record)],
      [['shrug off', 'shrugged off'], [shrugged]],
    )
  })

  test('{term.limit} limit sets the number of records, 20 by default, and the counts stay complete', async () => {
    const whole = await term('the')
    assert.equal(whole.texts.results.length, 20)
    assert.ok(whole.texts.count > 100)
    const { results: all } = (await term('the', '?limit=100')).texts
    assert.equal(all.length, 100)
    assert.deepEqual(all.slice(0, 20), whole.texts.results)
    const few = await term('zorb', '?limit=3')
    assert.deepEqual([few.count, few.sets.length, few.texts.count, few.texts.results.length], [6, 3, 2, 2])
    assert.deepEqual(await term('zorb', '?limit='), await term('zorb'))
    for (const { body } of all.map(({ record }: any) => ({ body: record.body ?? record.qode })))
      assert.match(body, /\bthe\b/i)
  })

  test('{term.counts} with limit=0 it only counts', async () => {
    for (const word of ['zorb', 'the', 'rivr']) {
      const { sets, texts, neighbours, ...counts } = await term(word, '?limit=0')
      const whole = await term(word)
      assert.deepEqual([sets, texts.results, neighbours], [[], [], []])
      assert.deepEqual({ ...whole, ...counts }, whole)
      assert.equal(texts.count, whole.texts.count)
    }
  })

  test('{term.many-texts} for a word in more than 200 texts of a kind, the count is that of the index', async () => {
    const { engine } = site
    const fortune = engine.catalogue.find(({ name }) => name === 'fortune')!
    await engine.store.write(function* () {
      const gus = yield* accountNamed(engine, 'gus')
      for (let i = 0; i < 205; i++) yield* insertRecord(engine, fortune, { body: `Quibble number ${i}.` }, gus)
    })
    const { texts, forms } = await term('quibble', '?limit=1')
    assert.deepEqual([texts.count, texts.results.length, forms], [205, 1, ['quibble']])
  })

  test('{term.neighbours} neighbours are the other terms of its sets, the most frequent first, 20 at most', async () => {
    const { neighbours } = await term('water')
    assert.deepEqual(neighbours.slice(0, 4), [
      { term: 'earth', count: 2, text: 'earth' },
      { term: 'elements', count: 2, text: 'Elements' },
      { term: 'fire', count: 2, text: 'fire' },
      { term: 'air', count: 1, text: 'air' },
    ])
    assert.ok(neighbours.length <= 20)
  })

  test('{term.did-you-mean} for an unknown word it suggests known ones that differ by a letter or two', async () => {
    for (const [typo, meant] of [
      ['rivr', ['river']],
      ['riverr', ['river', 'rivers']],
      ['rievr', ['river']],
      ['rivet', ['river']],
      ['beleeive', ['believe']],
      ['nothng', ['nothing']],
      ['zrob', ['zorb']],
      ['qqqqqqqq', []],
    ] as const) {
      const answer = await term(typo)
      assert.deepEqual([answer.count, answer.texts.count, answer.did_you_mean], [0, 0, meant], typo)
      assert.deepEqual(answer.forms, [typo])
    }
    assert.deepEqual((await term('nothing')).did_you_mean, [])
  })

  test('{words.list} {words.pages} all pages of the words have each word once, as the first record writes it', async () => {
    const late = { name: 'ZORB late', mode: 'part', p1: 'Zörbel', p2: 'late zorbel' }
    const later = { name: 'ZORB later', mode: 'part', p1: 'ZORBEL', p2: 'later zorbel' }
    const first = await make(site, 'polynym', late)
    await make(site, 'polynym', later)
    // PostgreSQL may read the record that was written last at the end.
    const change = { method: 'PATCH', as: 'staff', json: { area: 'orbs' } }
    assert.equal((await site.ask(`/api/polynym/${first.polynym_id}/`, change)).status, 200)
    const listed = async (resource: string) => {
      const words: string[] = []
      for (let path = `/api/words/?resource=${resource}&page_size=100`; path; ) {
        const { status, json } = await site.ask(path)
        assert.equal(status, 200)
        assert.equal(json.count, (await site.ask(`/api/${resource}/?page_size=1`)).json.count)
        words.push(...json.results)
        path = json.next?.replace(site.base, '') ?? ''
      }
      return words
    }
    const found = [...(await listed('polynym')), ...(await listed('quadranym'))]
    const keyOf = (word: string) =>
      word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim()
    assert.equal(new Set(found.map(keyOf)).size, found.length)
    assert.ok(found.includes('Zörbel') && found.includes('later zorbel') && !found.includes('ZORBEL'))
    const written = new Set<string>()
    for (const [kind, members] of [
      ['polynym', /^(name|p[0-9]+)$/],
      ['quadranym', /^(name|[eros])$/],
    ] as const) {
      const { text } = await site.ask(`/api/${kind}.ndjson`)
      for (const record of text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))) {
        for (const [member, value] of Object.entries<string>(record)) {
          if (members.test(member) && /[\p{L}\p{N}\p{S}]/u.test(value) && [...value].length <= 200)
            written.add(keyOf(value))
        }
      }
    }
    assert.deepEqual(new Set(found.map(keyOf)), written)
    assert.equal((await site.ask('/api/words/?resource=polynym&page=999')).status, 404)
  })

  test('{words.refused} the words are those of a collection of sets', async () => {
    for (const [query, says] of [
      ['', 'This field is required.'],
      ['?resource=fortune', '"fortune" is not a valid choice.'],
      ['?resource=nothing', '"nothing" is not a valid choice.'],
    ]) {
      const { status, json } = await site.ask(`/api/words/${query}`)
      assert.deepEqual([status, json], [400, { resource: [says] }])
    }
  })

  test('{term.refused} an invalid term or number is refused with the reason', async () => {
    for (const refused of REFUSED) {
      const { headers } = await assertRefused(site, refused)
      if (refused.status === 405) assert.equal(headers.allow, ALLOW)
    }
  })

  test('{term.reading} it is read like a record: HEAD, OPTIONS, ETag, pages for browsers', async () => {
    const { headers } = await site.ask('/api/term/zorb/')
    assert.equal(headers.allow, ALLOW)
    const again = await site.ask('/api/term/zorb/', { headers: { 'if-none-match': headers.etag! } })
    assert.equal(again.status, 304)
    assert.equal(
      (await site.ask('/api/term/zorb/', { method: 'HEAD' })).headers['content-length'],
      headers['content-length'],
    )
    const { json } = await site.ask('/api/term/zorb/', { method: 'OPTIONS' })
    assert.equal(json.name, 'Term')
    const page = await site.ask('/api/term/zorb/', { headers: { accept: 'text/html' } })
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  })
})
