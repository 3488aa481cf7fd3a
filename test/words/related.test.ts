/** /related/: sets that share terms with a set. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FrequentTerms } from '../../src/store/frequent-terms.ts'
import { onEachEngine } from '../support/site.ts'
import { make, read } from '../writing/fixtures.ts'
import { assertRefused, BAD_PATH, badNumbers, NOT_FOUND, type Refused, wrongMethods } from './refused.ts'

const REFUSED: readonly Refused[] = ['polynym', 'quadranym'].flatMap((name) => [
  ...['99999999', '0', '-1', 'abc', '1e9', '9'.repeat(30), '%00'].map((id) => {
    return { ask: `/api/${name}/${id}/related/`, status: 404, says: NOT_FOUND }
  }),
  { ask: `/api/${name}/%ff/related/`, status: 400, says: BAD_PATH },
  ...badNumbers(`/api/${name}/1/related/`, 'limit', 100),
  ...wrongMethods(`/api/${name}/1/related/`, 'GET, HEAD, OPTIONS'),
])

onEachEngine('Related sets', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let zig: any, twin: any, near: any, far: any, named: any
  before(async () => {
    zig = await make(site, 'quadranym', { name: 'zig', e: 'zaa', r: 'zbb', o: 'zcc', s: 'zdd' })
    far = await make(site, 'polynym', { name: 'Far', mode: 'part', p1: 'ZAA', p2: 'x1', p3: 'x2', p4: 'x3' })
    near = await make(site, 'polynym', { name: 'Near', mode: 'part', p1: 'zäa', p2: 'x1' })
    named = await make(site, 'polynym', { name: 'Named', mode: 'part', p1: 'zig', p2: 'x4' })
    twin = await make(site, 'quadranym', { name: 'zag', e: 'zaa', r: 'zbb', o: '', s: '' })
    await make(site, 'quadranym', { name: 'other', e: '____', r: 'xx', o: '____', s: '' })
  })

  test('{related.members} {related.order} most shared terms first, then the most similar; with what they share', async () => {
    assert.deepEqual(await read(site, `/api/quadranym/${zig.quadranym_id}/related/`), {
      count: 4,
      results: [
        { resource: 'quadranym', shared: ['zaa', 'zbb'], jaccard: 0.3333, record: twin },
        // Equally similar: by id.
        { resource: 'polynym', shared: ['zaa'], jaccard: 0.1429, record: near },
        { resource: 'polynym', shared: ['zig'], jaccard: 0.1429, record: named },
        { resource: 'polynym', shared: ['zaa'], jaccard: 0.1111, record: far },
      ],
    })
  })

  test('{related.names} the name of a set counts as one of its terms', async () => {
    const { results } = await read(site, `/api/polynym/${named.polynym_id}/related/`)
    assert.deepEqual(results, [{ resource: 'quadranym', shared: ['zig'], jaccard: 0.1429, record: zig }])
  })

  test('{related.limit} limit sets the number of records, 20 by default', async () => {
    const whole = await read(site, `/api/quadranym/${zig.quadranym_id}/related/`)
    const two = await read(site, `/api/quadranym/${zig.quadranym_id}/related/?limit=2`)
    assert.deepEqual(two, { count: 2, results: whole.results.slice(0, 2) })
    for (let i = 0; i < 21; i++) {
      await make(site, 'polynym', { name: `Many ${i}`, mode: 'part', p1: 'zdd', p2: `y${i}` })
    }
    const path = `/api/quadranym/${zig.quadranym_id}/related/`
    assert.equal((await read(site, path)).results.length, 20)
    assert.equal((await read(site, `${path}?limit=100`)).results.length, 25)
  })

  test('{related.order} whether terms are frequent does not matter', async () => {
    const { store } = site.engine
    const { dialect } = store.records.rank
    const polynym = site.engine.catalogue.find(({ name }) => name === 'polynym')
    assert.ok(polynym)
    const { results } = await read(site, '/api/polynym/?page_size=30&ordering=-depth')
    const lists: string[][] = results.map((each: Record<string, string>) => {
      const slots = Object.entries(each).filter(([member]) => /^p\d+$/.test(member))
      return [...new Set([String(each['name']).toLowerCase(), ...slots.map(([, text]) => text.toLowerCase())])]
    })
    // Some of them together have frequent terms and rare ones.
    const terms = [...lists, ...lists.map((list, i) => [...new Set([...list, ...(lists[i + 1] ?? [])])])]
    const sharing = (by: FrequentTerms, some: readonly string[]) => store.read(() => by.sharing(polynym, some, 5))
    let compared = 0
    for (const frequent of [1, 3]) {
      const [few, all] = [new FrequentTerms(dialect, frequent), store.frequentTerms]
      for (const some of terms) {
        const [found, expected] = [await sharing(few, some), await sharing(all, some)]
        assert.deepEqual(found, expected, `${some}`)
        if (expected.length === 5) compared++
      }
    }
    assert.ok(compared > 10, `${compared}`)
  })

  test('{related.sample} for every set of the sample, the related sets do share those terms', async () => {
    for (const name of ['polynym', 'quadranym']) {
      for (const id of [1, 50, 100, 150, 200, 250]) {
        const { count, results } = await read(site, `/api/${name}/${id}/related/`)
        assert.equal(count, results.length)
        for (const { resource, record, shared } of results) {
          assert.ok(resource !== name || record[`${name}_id`] !== id)
          const texts = Object.values(record).map((value) => String(value).toLowerCase())
          assert.ok(shared.length > 0)
          for (const term of shared)
            assert.ok(texts.includes(term.toLowerCase()), `${term} in ${JSON.stringify(record)}`)
        }
      }
    }
  })

  test('{related.refused} unknown records and invalid numbers are refused', async () => {
    for (const refused of REFUSED) await assertRefused(site, refused)
    for (const name of ['fortune', 'polyset', 'quadranym-id']) {
      await assertRefused(site, { ask: `/api/${name}/1/related/`, status: 404, says: NOT_FOUND })
    }
  })
})
