/** /api/feel/ and /api/orient/: what a text is near to, and which sets speak of it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nearness } from '../../src/engine/index.ts'
import { type Related, type Relation, relatedRow, replaceRelatedWords } from '../../src/store/index.ts'
import { onEachEngine } from '../support/site.ts'
import { make } from '../writing/fixtures.ts'
import { assertRefused, REQUIRED, wrongMethods } from './refused.ts'

const related = (word: string, how: Relation, rarity = 9): Related => ({ word, how, rarity })
const TABLE: Readonly<Record<string, readonly Related[]>> = {
  ocean: [related('water', 'kind', 3)],
  cry: [related('sadness', 'told'), related('tear', 'told')],
  sadness: [related('sorrow', 'same')],
  sorrow: [related('sadness', 'same'), related('grief', 'like')],
  anger: [related('rage', 'same')],
  oak: [related('tree', 'kind'), related('wood', 'part')],
}

onEachEngine('Feeling a text', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const ask = async (path: string, query: Readonly<Record<string, string | readonly string[]>>) => {
    const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
    const reply = await site.ask(`${path}?${new URLSearchParams(pairs as [string, string][])}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.json
  }
  const feel = (text: string, ...term: string[]) => ask('/api/feel/', { text, term })
  const orient = (text: string) => ask('/api/orient/', { text })
  const fill = async (table: typeof TABLE) => {
    const rows = Object.entries(table).map(([word, others]) => relatedRow({ word, rarity: 9, others }))
    await site.engine.store.write(() => replaceRelatedWords(rows))
    // Cached responses end with any change; an import makes many.
    await make(site, 'queue', { name: `changed ${++changes}` })
  }
  let changes = 0
  const someWords = (count: number) =>
    Array.from({ length: count }, (_, i) => `word${String.fromCharCode(97 + (i % 26), 97 + i / 26)}`)

  const ids: Record<string, number> = {}
  const SETS: Readonly<Record<string, readonly [resource: string, name: string]>> = {
    door: ['quadranym', 'door'],
    plants: ['polynym', 'Plants'],
    house: ['polynym', 'House'],
    place: ['polynym', 'Place'],
  }
  const set = (key: string, ...words: string[]) => {
    const [resource, name] = SETS[key]!
    return { resource, id: ids[key], name, words }
  }
  before(async () => {
    const terms = { e: 'open', r: 'close', o: 'barrier', s: 'passage' }
    ids['door'] = (await make(site, 'quadranym', { name: 'door', ...terms })).quadranym_id
    ids['plants'] = (await make(site, 'polynym', { name: 'Plants', mode: 'type', p1: 'tree', p2: 'herb' })).polynym_id
    ids['house'] = (
      await make(site, 'polynym', { name: 'House', mode: 'part', p1: 'roof', p2: 'door', p3: 'window' })
    ).polynym_id
    ids['place'] = (
      await make(site, 'polynym', { name: 'Place', mode: 'type', p1: 'open air', p2: 'indoors' })
    ).polynym_id
  })

  test('{feel.imported} before an import, the server knows common words', async () => {
    assert.deepEqual(await feel('A ship on the ocean', 'fire', 'water'), {
      imported: false,
      terms: [
        { term: 'water', nearness: 0.6, because: [{ word: 'ocean', says: '“ocean” is a kind of “water”.' }] },
        { term: 'fire', nearness: 0, because: [] },
      ],
    })
    const [first] = (await feel('She wept at the grave', 'joy', 'anger', 'sadness', 'disgust')).terms
    assert.deepEqual(first.because[0], {
      word: 'wept',
      says: '“wept” is a form of “weep”; the definition of “weep” has “sadness”.',
    })
    assert.equal(first.term, 'sadness')
    const { imported, general } = await orient('An oak')
    assert.deepEqual([imported, general], [false, [set('plants', 'oak')]])
  })

  test('words are near by meaning, in both directions', async () => {
    const near = async (one: string, other: string) => {
      const [there, back] = await Promise.all([nearness(site.engine, one, other), nearness(site.engine, other, one)])
      assert.equal(there.nearness, back.nearness)
      return there.nearness
    }
    for (const [one, other, least] of [
      ['cat', 'cats', 1],
      ['run', 'running', 1],
      ['ran', 'running', 1],
      ['car', 'automobile', 0.9],
      ['oak', 'tree', 0.5],
      ['cat', 'kitten', 0.4],
      ['happy', 'joy', 0.3],
    ] as const) {
      assert.ok((await near(one, other)) >= least, `${one} and ${other}: ${await near(one, other)}`)
    }
    for (const [one, other] of [
      ['cat', 'democracy'],
      ['hammer', 'love'],
      ['banana', 'justice'],
      ['', 'cat'],
      ['zzxq', 'cat'],
    ] as const) {
      assert.equal(await near(one, other), 0, `${one} and ${other}`)
    }
    assert.deepEqual((await nearness(site.engine, 'cat', 'kitten')).because, [
      { word: 'kitten', says: 'The definition of “kitten” has “cat”.' },
    ])
  })

  test('{feel.imported} {feel.order} {feel.because} {feel.steps} the nearest term comes first, with reasons', async () => {
    await fill(TABLE)
    assert.deepEqual(await feel('He cried over the ocean', 'anger', 'sadness', 'water', 'grief'), {
      imported: true,
      terms: [
        { term: 'water', nearness: 0.6, because: [{ word: 'ocean', says: '“ocean” is a kind of “water”.' }] },
        {
          term: 'sadness',
          nearness: 0.45,
          because: [{ word: 'cried', says: '“cried” is a form of “cry”; the definition of “cry” has “sadness”.' }],
        },
        { term: 'anger', nearness: 0, because: [] },
        { term: 'grief', nearness: 0, because: [] },
      ],
    })
    // Two steps from the term, one from the word: cry, sadness, sorrow.
    const [far] = (await feel('a cry', 'sorrow')).terms
    assert.deepEqual(far.because, [
      { word: 'cry', says: 'The definition of “cry” has “sadness”; “sadness” means the same as “sorrow”.' },
    ])
    assert.ok(far.nearness > 0.06 && far.nearness < 0.45)
    // What is more general is less near: water need not be an ocean.
    assert.deepEqual((await feel('water', 'ocean')).terms[0].because, [
      { word: 'water', says: '“ocean” is a kind of “water”.' },
    ])
    assert.equal((await feel('water', 'ocean')).terms[0].nearness, 0.45)
  })

  test('{feel.words} {feel.long} a term in the text is as near as can be, one of its words less, and five words count', async () => {
    const terms = async (text: string, ...some: string[]) =>
      Object.fromEntries((await feel(text, ...some)).terms.map(({ term, nearness: near }: any) => [term, near]))
    const bile = await feel('Black cats and black bile', 'black bile', 'yellow bile', 'up')
    assert.deepEqual(bile.terms, [
      { term: 'black bile', nearness: 1, because: [{ word: 'black bile', says: '“black bile” is in the text.' }] },
      {
        term: 'yellow bile',
        nearness: 0.6,
        because: [{ word: 'bile', says: '“bile” is a word of “yellow bile”.' }],
      },
      { term: 'up', nearness: 0, because: [] },
    ])
    // A word of grammar can be a term.
    assert.deepEqual(await terms('Cheer up, Ox!', 'down', 'UP', 'ox'), { UP: 1, ox: 1, down: 0 })
    assert.deepEqual(await terms('oceans', 'ocean', 'Océan'), { ocean: 1, Océan: 1 })
    await fill(Object.fromEntries(Array.from('abcdefg', (letter) => [`wet${letter}`, [related('water', 'told')]])))
    const { water } = await terms('weta wetb wetc wetd wete wetf wetg', 'water')
    assert.equal(water, Math.round(1000 * (1 - 0.55 ** 5)) / 1000)
    const [most, tooMany] = [`${someWords(149).join(' ')} oceans`, `${someWords(150).join(' ')} oceans`]
    assert.deepEqual([await terms(most, 'ocean'), await terms(tooMany, 'ocean')], [{ ocean: 1 }, { ocean: 0 }])
    await fill(TABLE)
  })

  test('{orient.layers} {orient.members} {orient.words} sets speak of a text in layers', async () => {
    const { imported, general, near, particular } = await orient('Under an oak she opened the doors.')
    assert.equal(imported, true)
    assert.deepEqual(particular, [set('door', 'doors', 'opened')])
    assert.deepEqual(near, [set('house', 'doors')])
    assert.deepEqual(general, [set('plants', 'oak')])
    assert.deepEqual((await orient('An open air museum')).near, [set('door', 'open'), set('place', 'open air')])
  })

  test('{orient.most} a layer has twelve sets, and sixty words count', async () => {
    for (let i = 0; i < 14; i++) {
      await make(site, 'polynym', { name: `Box ${i}`, mode: 'part', p1: 'lid', p2: `thing ${i}` })
    }
    assert.equal((await orient('a lid')).near.length, 12)
    const many = someWords(60)
    assert.deepEqual((await orient(`${many.join(' ')} door`)).particular, [])
    assert.equal((await orient(`${many.slice(1).join(' ')} door`)).particular.length, 1)
  })

  test('{feel.refused} texts and terms that are missing, too long or too many are refused', async () => {
    const tooLong = ['Ensure this field has no more than 2000 characters.']
    for (const path of ['/api/feel/?term=a&', '/api/orient/?']) {
      for (const [text, says] of [
        ['', REQUIRED],
        ['%20', REQUIRED],
        ['%00', ['Not a valid string.']],
        ['%ff', ['Not a valid string.']],
        ['a'.repeat(2001), tooLong],
      ] as const) {
        await assertRefused(site, { ask: `${path}text=${text}`, status: 400, says: { text: says } })
      }
    }
    const terms = Array.from({ length: 13 }, (_, i) => `term=t${i}`).join('&')
    for (const [query, says] of [
      ['', REQUIRED],
      ['term=', REQUIRED],
      ['term=__', ['Not a valid string.']],
      [terms, ['Ensure this field has no more than 12 elements.']],
    ] as const) {
      await assertRefused(site, { ask: `/api/feel/?text=a&${query}`, status: 400, says: { term: says } })
    }
    for (const path of ['/api/feel/', '/api/orient/']) {
      for (const refused of wrongMethods(path, 'GET, HEAD, OPTIONS')) await assertRefused(site, refused)
    }
  })
})
