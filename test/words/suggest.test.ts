/** /api/suggest/: what a search may mean. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rareQuery } from '../../src/store/database.ts'
import { wordVectors } from '../../src/store/word-vectors.ts'
import { onEachEngine } from '../support/site.ts'

onEachEngine('suggestions', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const give = async (collection: string, json: object, as = 'mira') => {
    const { status, text, json: made } = await site.ask(`/api/${collection}/`, { method: 'POST', as, json })
    assert.equal(status, 201, text)
    return made
  }
  const polynym = (name: string, more: object = {}, as = 'mira') =>
    give('polynym', { name, mode: 'part', p1: 'x', p2: 'y', ...more }, as)
  const suggest = async (q: string) => {
    const { status, text, json } = await site.ask(`/api/suggest/?q=${encodeURIComponent(q)}`)
    assert.equal(status, 200, text)
    return json
  }
  const valuesOf = async (q: string) =>
    (await suggest(q)).values.map(({ member, value, count }: any) => `${member} ${value} ${count}`)

  before(async () => {
    await polynym('Orchestra', { area: 'music', src: 'Ada Lovelace, Notes' })
    await polynym('Tempo', { area: 'Music' })
    await polynym('Modes', { area: 'music' }, 'miro')
    await polynym('Score', { area: 'film music', src: 'Ada Lovelace' })
    await give('quadranym', {
      name: 'sound',
      e: 'loud',
      r: 'quiet',
      o: 'wave',
      s: 'tone',
      area: 'music',
      realm: 'Musical',
    })
    await polynym('Rainbow', { p1: 'violet' })
  })

  test('{suggest.values} areas, realms and sources that have all words, with how many records have them', async () => {
    const { values } = await suggest('music')
    assert.deepEqual(values[0], { member: 'area', value: 'music', count: 3, collections: { polynym: 2, quadranym: 1 } })
    assert.deepEqual(await valuesOf('lovelace ada'), ['src Ada Lovelace 1', 'src Ada Lovelace, Notes 1'])
    assert.deepEqual(await valuesOf('quotes by lovelace'), ['src Ada Lovelace 1', 'src Ada Lovelace, Notes 1'])
    assert.deepEqual(await valuesOf('lovelace music'), [])
    assert.deepEqual(await valuesOf('rainbow'), [])
  })

  test('{suggest.order} values that are the whole text come first, then the most frequent', async () => {
    assert.deepEqual(await valuesOf('MUSIC'), ['area music 3', 'area Music 1', 'area film music 1', 'realm Musical 1'])
  })

  test('{suggest.users} users are suggested by the beginning of their names, if they have records', async () => {
    assert.deepEqual(await valuesOf('mir'), ['user mira 5', 'user miro 1'])
    assert.deepEqual(await valuesOf('MIRO'), ['user miro 1'])
    await site.ask('/api/polynym/', { method: 'POST', as: 'miriam', json: {} })
    assert.deepEqual(await valuesOf('miri'), [])
  })

  test('{suggest.spelling} an unknown word is replaced by a known one with a similar spelling', async () => {
    for (const [typed, meant] of [
      ['musik', 'music'],
      ['ranibow', 'rainbow'],
      ['rainbwo violet', 'rainbow violet'],
      ['lovelase', 'lovelace'],
      ['orchestar', 'orchestra'],
      ['orkestra', 'orchestra'],
      ['rainbo', 'rainbow'],
    ] as const) {
      assert.deepEqual((await suggest(typed)).did_you_mean, [meant], typed)
    }
    for (const known of ['music', 'rainbow violet', 'qq', '12', 'zzzzzzzz']) {
      assert.deepEqual((await suggest(known)).did_you_mean, [], known)
    }
    // Known, but its neighbour is in ten times as many records.
    await polynym('Plant')
    for (let i = 0; i < 10; i++) await polynym(`Planet ${i}`)
    assert.deepEqual((await suggest('plant')).did_you_mean, ['planet'])
    assert.deepEqual((await suggest('planet')).did_you_mean, [])
  })

  test('PostgreSQL reads a small table once, however many spellings are tried', async () => {
    if (site.database === 'SQLite') return
    const { store, catalogue } = site.engine
    const spellings = Array.from({ length: 1000 }, (_, i) => `spelling${i}`)
    const { sql, parameters } = wordVectors.counts([catalogue.find(({ name }) => name === 'polynym')!], spellings, 10)
    await store.write(() => rareQuery('ANALYZE polynym_words', []))
    const [row] = await store.read(() => rareQuery(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, parameters))
    const loops = JSON.stringify(row!['QUERY PLAN']).matchAll(/"Seq Scan".*?"Actual Loops":(\d+)/g)
    assert.ok(Array.from(loops, ([, count]) => Number(count)).every((count) => count <= 1))
  })

  test('{suggest.fresh} suggestions follow every change', async () => {
    const { polynym_id: id } = await polynym('Zither', { area: 'strings' })
    assert.deepEqual((await suggest('zithre')).did_you_mean, ['zither'])
    assert.deepEqual(await valuesOf('strings'), ['area strings 1'])
    await site.ask(`/api/polynym/${id}/`, { method: 'DELETE', as: 'mira' })
    assert.deepEqual((await suggest('zithre')).did_you_mean, [])
    assert.deepEqual(await valuesOf('strings'), [])
  })

  test('{suggest.wrong} a blank text, and one that is too long for a search, is refused', async () => {
    for (const [given, message] of [
      ['', 'This field is required.'],
      ['%20', 'This field is required.'],
      ['a%00b', 'Null characters are not allowed.'],
      ['x'.repeat(401), 'Ensure this field has no more than 400 characters.'],
      [Array.from({ length: 17 }, (_, i) => `w${i}`).join('+'), 'Search for no more than 16 words.'],
    ] as const) {
      const { status, json } = await site.ask(`/api/suggest/?q=${given}`)
      assert.deepEqual([status, json], [400, { q: [message] }])
    }
    assert.equal((await site.ask('/api/suggest/')).status, 400)
    assert.deepEqual(await suggest('...'), { q: '...', values: [], did_you_mean: [] })
  })
})
