/** /related/ and /api/crossings/: sets that share terms with a set. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FrequentTerms } from '../../src/store/frequent-terms.ts'
import { onEachEngine } from '../support/site.ts'
import { make, read } from '../writing/fixtures.ts'
import {
  assertRefused,
  BAD_PATH,
  badNumbers,
  NO_INTEGER,
  NOT_FOUND,
  noSuch,
  type Refused,
  wrongMethods,
} from './refused.ts'

const REFUSED: readonly Refused[] = ['polynym', 'quadranym'].flatMap((name) => [
  ...['99999999', '0', '-1', 'abc', '1e9', '9'.repeat(30), '%00'].map((id) => {
    return { ask: `/api/${name}/${id}/related/`, status: 404, says: NOT_FOUND }
  }),
  { ask: `/api/${name}/%ff/related/`, status: 400, says: BAD_PATH },
  ...badNumbers(`/api/${name}/1/related/`, 'limit', 100),
  ...wrongMethods(`/api/${name}/1/related/`, 'GET, HEAD, OPTIONS'),
])

const ONE_SET = { polynym: ['Give one set: polynym=3 or quadranym=3.'] }
const UNCROSSED: readonly Refused[] = [
  ...['', '?polynym=', '?polynym=1&quadranym=1', '?polyset=1'].map((query) => {
    return { ask: `/api/crossings/${query}`, status: 400, says: ONE_SET }
  }),
  ...['x', '1.5', '%00'].map((id) => {
    return { ask: `/api/crossings/?quadranym=${id}`, status: 400, says: { quadranym: NO_INTEGER } }
  }),
  { ask: '/api/crossings/?polynym=99999999', status: 400, says: { polynym: noSuch(99999999) } },
  { ask: '/api/crossings/?polynym=193&page=99', status: 404, says: { detail: 'Invalid page.' } },
  ...wrongMethods('/api/crossings/', 'GET, HEAD, OPTIONS'),
]

/** A term as the server compares it, for words of the sample. */
const foldedTerm = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

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
    const sharing = (by: FrequentTerms, some: readonly string[], limit = 5) =>
      store.read(() => by.sharing(polynym, some, limit))
    let compared = 0
    for (const frequent of [1, 3]) {
      const [few, all] = [new FrequentTerms(dialect, { frequent }), store.frequentTerms]
      const first = new FrequentTerms(dialect, { frequent, mostShared: 2 })
      for (const some of terms) {
        const [found, expected] = [await sharing(few, some), await sharing(all, some)]
        assert.deepEqual(found, expected, `${some}`)
        // A term that is given twice counts once.
        assert.deepEqual(await sharing(few, [...some, ...some.slice(0, 4)]), expected, `${some}`)
        // Of the first records alone, others may be found, but with the right counts.
        const counts = new Map((await sharing(all, some, 1000)).map(({ id, count }) => [id, count]))
        for (const { id, count } of await sharing(first, some)) assert.equal(count, counts.get(id), `${some}`)
        if (expected.length === 5) compared++
      }
    }
    assert.ok(compared > 10, `${compared}`)
  })

  test('{related.limit} also if sets share a name or a text that is not looked up as a term', async () => {
    const long = 'z'.repeat(201)
    const alike = { area: 'long', mode: 'part', p1: 'zee', p2: long, p3: `${long}y` }
    const set = await make(site, 'polynym', { ...alike, name: 'First of the long', p4: 'zef' })
    await make(site, 'polynym', { ...alike, name: 'With other terms', p2: 'zef', p3: '' })
    const { results } = await read(site, `/api/polynym/${set.polynym_id}/related/?limit=1`)
    await make(site, 'polynym', { ...alike, name: 'With the long term' })
    const more = await read(site, `/api/polynym/${set.polynym_id}/related/?limit=1`)
    assert.deepEqual([results[0].record.name, more.results[0].record.name], ['With other terms', 'With the long term'])
  })

  test('{related.sample} for every set of the sample, the related sets do share those terms', async () => {
    for (const name of ['polynym', 'quadranym']) {
      for (const id of [1, 50, 100, 150, 200, 250]) {
        const { count, results } = await read(site, `/api/${name}/${id}/related/`)
        assert.equal(count, results.length)
        const few = await read(site, `/api/${name}/${id}/related/?limit=3`)
        assert.deepEqual(few.results, results.slice(0, 3))
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

  test('{crossings.members} {crossings.order} sets by the number of terms they share, page by page', async () => {
    const path = `/api/crossings/?quadranym=${zig.quadranym_id}`
    const first = await read(site, `${path}&page_size=2`)
    const next = `${site.base}/api/crossings/?page=2&page_size=2&quadranym=${zig.quadranym_id}`
    assert.deepEqual(first, {
      count: 24,
      next,
      previous: null,
      results: [
        { resource: 'quadranym', shared: ['zaa', 'zbb'], jaccard: 0.5, record: twin },
        { resource: 'polynym', shared: ['zaa'], jaccard: 0.1429, record: far },
      ],
    })
    const second = await read(site, next.slice(site.base.length))
    assert.deepEqual(second.results[0], { resource: 'polynym', shared: ['zaa'], jaccard: 0.2, record: near })
    const last = await read(site, `${path}&page=last&page_size=23`)
    assert.deepEqual([last.results.length, last.next], [1, null])
    const brief = await read(site, `${path}&page_size=1&fields=name`)
    assert.deepEqual(brief.results[0].record, { name: 'zag', quadranym_id: twin.quadranym_id })
  })

  test('{crossings.terms} only terms count, not names, so that a crossing shares what a comparison says', async () => {
    const { results } = await read(site, `/api/crossings/?polynym=${named.polynym_id}`)
    assert.deepEqual(results, [])
    const { results: elements } = await read(site, '/api/crossings/?polynym=193&page_size=5')
    for (const { resource, shared, jaccard, record } of elements) {
      const other = `${resource}:${record[`${resource}_id`]}`
      const compared = await read(site, `/api/compare/?set=polynym:193&set=${other}`)
      assert.deepEqual([compared.shared, compared.jaccard], [shared, jaccard], other)
    }
  })

  test('{crossings.sample} every set that shares a term is found, as a comparison with all sets finds it', async () => {
    const all = new Map<string, Set<string>>()
    for (const name of ['polynym', 'quadranym']) {
      for (const record of (await read(site, `/api/${name}/?page_size=1000`)).results) {
        const slots = Object.entries(record).filter(([member]) => /^(?:p\d+|[eros])$/.test(member))
        const terms = slots.map(([, text]) => foldedTerm(String(text))).filter((term) => /[\p{L}\p{N}]/u.test(term))
        all.set(`${name}=${record[`${name}_id`]}`, new Set(terms))
      }
    }
    let crossed = 0
    for (const [set, mine] of [...all].filter((_, i) => i % 23 === 0)) {
      const expected = [...all].flatMap(([other, theirs]): [string, number][] => {
        const shared = mine.intersection(theirs).size
        return other !== set && shared > 0 ? [[other, shared]] : []
      })
      const { count, results } = await read(site, `/api/crossings/?${set}&page_size=1000`)
      const found = results.map(({ resource, shared, record }: any): [string, number] => {
        return [`${resource}=${record[`${resource}_id`]}`, shared.length]
      })
      assert.deepEqual(found.toSorted(), expected.toSorted(), set)
      assert.equal(count, found.length)
      const counts = found.map(([, shared]: [string, number]) => shared)
      assert.deepEqual(
        counts,
        counts.toSorted((a: number, b: number) => b - a),
      )
      crossed += count
    }
    assert.ok(crossed > 20, `${crossed}`)
  })

  test('{crossings.frequent} of a term that many sets have, the first are looked at', async () => {
    const { store, catalogue } = site.engine
    const polynym = catalogue.find(({ name }) => name === 'polynym')
    assert.ok(polynym)
    const crossing = (each: number) =>
      store.read(() => store.frequentTerms.crossing(polynym, ['zdd', 'x1', 'zaa'], { each, limit: 100 }))
    const many = (await read(site, '/api/polynym/?p1=zdd&search=Many&ordering=id&page_size=30')).results
    const inOrder = [far, near].map(({ polynym_id: id }) => ({ id, count: 2 }))
    const others = many.map(({ polynym_id: id }: any) => ({ id, count: 1 }))
    assert.equal(others.length, 21)
    assert.deepEqual(await crossing(1000), [...inOrder, ...others])
    assert.deepEqual(await crossing(5), [...inOrder, ...others.slice(0, 5)])
    assert.deepEqual(await crossing(1), [inOrder[0], others[0]])
    assert.deepEqual(await store.read(() => store.frequentTerms.crossing(polynym, [], { each: 5, limit: 5 })), [])
  })

  test('{crossings.refused} anything but one set that exists is refused', async () => {
    for (const refused of UNCROSSED) await assertRefused(site, refused)
  })

  test('{related.refused} unknown records and invalid numbers are refused', async () => {
    for (const refused of REFUSED) await assertRefused(site, refused)
    for (const name of ['fortune', 'polyset', 'quadranym-id']) {
      await assertRefused(site, { ask: `/api/${name}/1/related/`, status: 404, says: NOT_FOUND })
    }
  })
})
