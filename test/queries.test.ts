/** What a page costs: a fixed number of queries, however many records are on it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { catalogue } from '../src/catalogue/index.ts'
import { fieldsOf } from '../src/declare/index.ts'
import { collectionsOf } from '../src/engine/index.ts'
import { onEachEngine } from './support/site.ts'
import { StatementCounter } from './support/statements.ts'
import { addWinners } from './support/winners.ts'

const counter = new StatementCounter()

/** Every kind of record that these embed, directly or indirectly. */
function embeddedKinds(resource: (typeof catalogue)[number], kinds = new Set<string>()): Set<string> {
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    kinds.add(storage.to.name)
    embeddedKinds(storage.to as (typeof catalogue)[number], kinds)
  }
  return kinds
}

const nothingKept = { cache: { answers: 0, records: 0, check: false } }

onEachEngine('Queries', { watch: counter.watch, settings: nothingKept }, (site) => {
  before(() => addWinners(site))
  for (const { name, resource, only } of collectionsOf(catalogue)) {
    const kinds = only ? 0 : embeddedKinds(resource as (typeof catalogue)[number]).size
    test(`a page of ${name} takes the rows and ${kinds} kinds of embedded records; blocks and owners' names once`, async () => {
      counter.count = 0
      await site.ask(`/api/${name}/?page_size=100`)
      assert.ok(counter.count <= 3 + kinds, `${counter.count} at first`)
      for (const size of [1, 3, 100]) {
        counter.count = 0
        const { json } = await site.ask(`/api/${name}/?page_size=${size}`)
        assert.ok(json.results.length >= Math.min(size, 10), `${name} has only ${json.results.length} records`)
        // A record may happen to embed nothing; a page of a hundred does not.
        if (size < 100) assert.ok(counter.count <= 1 + kinds, `${counter.count} for ${size}`)
        else assert.equal(counter.count, 1 + kinds)
      }
    })
  }

  for (const query of ['fields=name,polynyms&embed=ids', 'fields=name,user', 'omit=polynyms,length,width,depth']) {
    test(`a page of polysets with ${query} reads no polynyms`, async () => {
      await site.ask('/api/polyset/?page_size=100')
      counter.count = 0
      await site.ask(`/api/polyset/?page_size=100&${query}`)
      // The ids of the list, and the rows.
      assert.equal(counter.count, 2)
    })
  }

  test('a search for a word that no record has looks for the word, and reads no records', async () => {
    counter.count = 0
    assert.equal((await site.ask('/api/polynym/?search=xylograph')).json.count, 0)
    assert.equal(counter.count, 2)
    // Areas, realms and sources are read once, until a record is written.
    await site.ask('/api/suggest/?q=music')
    counter.count = 0
    assert.deepEqual((await site.ask('/api/suggest/?q=xylograph')).json.values, [])
    // Several to find out which other words may be meant.
    assert.ok(counter.count <= 20, `${counter.count} for suggestions`)
  })

  test('an unknown word is looked up in the terms of all collections together, and in each that has texts', async () => {
    const texts = catalogue.filter((resource) => 'textIn' in resource && resource.textIn)
    counter.count = 0
    assert.deepEqual((await site.ask('/api/term/rivr/')).json.did_you_mean, ['river'])
    // The word among the terms, and the words that may be meant among terms and in texts.
    assert.equal(counter.count, texts.length + 3)
  })

  test('facets of a search read its records once, by however many members they are counted', async () => {
    const statementsFor = async (by: string) => {
      counter.count = 0
      const { facets } = (await site.ask(`/api/polynym/facets/?by=${by}&search=water`)).json
      assert.deepEqual(Object.keys(facets), by.split(','))
      return counter.count
    }
    assert.equal(await statementsFor('user,depth,area,mode'), await statementsFor('mode'))
  })

  test('requests that wait for changes look at new entries together', async () => {
    const WAITING = 60
    const { latest } = (await site.ask('/api/changes/?limit=1')).json
    await site.tokenOf('gus')
    counter.count = 0
    const address = `/api/changes/?since=${latest}&wait=1&resource=queue`
    const waiting = Array.from({ length: WAITING }, () => site.ask(address))
    const json = { name: 'not a queue', mode: 'part', p1: 'a', p2: 'b' }
    assert.equal((await site.ask('/api/polynym/', { method: 'POST', as: 'gus', json })).status, 201)
    for (const reply of waiting) assert.equal((await reply).json.next, latest + 1)
    // Two for each when it arrives; the rest is the write, and what they share.
    assert.ok(counter.count < 4 * WAITING, `${counter.count} counter.count`)
  })
})
