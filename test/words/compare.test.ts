/** /api/compare/: compares sets. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { make, read } from '../writing/fixtures.ts'
import { assertRefused, NO_INTEGER, type Refused, tooMuch, wrongMethods } from './refused.ts'

const HOW_MANY = { set: ['Give 2 to 20 different sets, such as set=polynym:3.'] }
const NEGATIVE = ['Ensure this value is greater than or equal to 0.']
const notAnAddress = (given: string) => `"${given}" is not a collection, a colon and an id.`

const REFUSED: readonly Refused[] = [
  { ask: '/api/compare/', status: 400, says: HOW_MANY },
  { ask: '/api/compare/?set=', status: 400, says: HOW_MANY },
  { ask: '/api/compare/?set=polynym:1', status: 400, says: HOW_MANY },
  { ask: '/api/compare/?set=polynym:1&set=polynym:1', status: 400, says: HOW_MANY },
  {
    ask: `/api/compare/?${Array.from({ length: 21 }, (_, i) => `set=polynym:${i + 1}`).join('&')}`,
    status: 400,
    says: HOW_MANY,
  },
  {
    ask: '/api/compare/?set=polynym:1&set=polynym:99999999&set=quadranym:88888888',
    status: 400,
    says: {
      set: [
        'Invalid pk "polynym:99999999" - object does not exist.',
        'Invalid pk "quadranym:88888888" - object does not exist.',
      ],
    },
  },
  {
    ask: '/api/compare/?set=polynym&set=7&set=polynym:x&set=polynym:1e9&set=%00&set=polynym:0',
    status: 400,
    says: { set: ['polynym', '7', 'polynym:x', 'polynym:1e9', '\0', 'polynym:0'].map(notAnAddress) },
  },
  {
    ask: `/api/compare/?set=polynym:1&set=polynym:${'9'.repeat(30)}`,
    status: 400,
    says: { set: [notAnAddress(`polynym:${'9'.repeat(30)}`)] },
  },
  ...['fortune', 'quote', 'storyline', 'taleline', 'story', 'queue', 'quadranym-id', 'nonsense'].map((name) => ({
    ask: `/api/compare/?set=polynym:1&set=${name}:1`,
    status: 400,
    says: { set: [`"${name}" is not a collection of sets.`] },
  })),
  ...Object.entries({
    'limit=101': tooMuch(100),
    'limit=-1': NEGATIVE,
    'limit=x': NO_INTEGER,
    'offset=-1': NEGATIVE,
  }).map(([given, messages]) => {
    const says = { [given.split('=')[0] ?? '']: messages }
    return { ask: `/api/compare/?set=polynym:1&set=polynym:2&${given}`, status: 400, says }
  }),
  ...wrongMethods('/api/compare/', 'GET, HEAD, OPTIONS'),
]

onEachEngine('Comparing sets', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const address: Record<string, string> = {}
  before(async () => {
    const polynym = async (name: string, ...terms: string[]) => {
      const slots = Object.fromEntries(terms.map((term, i) => [`p${i + 1}`, term]))
      const { polynym_id } = await make(site, 'polynym', { name, mode: 'type', ...slots })
      address[name] = `polynym:${polynym_id}`
      return polynym_id
    }
    const warm = await polynym('Warm', 'Red', 'orange', 'yellow')
    const flag = await polynym('Flag', 'red', 'ORANGE')
    await polynym('Cool', 'blue', 'green', 'blue')
    await polynym('Rēd again', 'Rēd', 'orange', 'Yellow')
    const { quadranym_id } = await make(site, 'quadranym', { name: 'Red', e: 'red', r: 'blue', o: '____', s: '' })
    address['Red'] = `quadranym:${quadranym_id}`
    const { quadranym_id: blank } = await make(site, 'quadranym', { name: 'blank', o: '____' })
    address['blank'] = `quadranym:${blank}`
    const { quadranym_id: void_ } = await make(site, 'quadranym', { name: 'void' })
    address['void'] = `quadranym:${void_}`
    const { polyset_id } = await make(site, 'polyset', { name: 'Both', polynyms: [flag, warm] })
    address['Both'] = `polyset:${polyset_id}`
  })

  const compare = (...names: string[]) => {
    return read(site, `/api/compare/?${names.map((name) => `set=${address[name] ?? name}`).join('&')}`)
  }

  test('{compare.members} two sets: their terms, what only one has, what they share, the union, their similarity', async () => {
    const [warm, red] = [address['Warm'], address['Red']]
    assert.deepEqual(await compare('Warm', 'Red'), {
      sets: [
        { set: warm, name: 'Warm', terms: ['Red', 'orange', 'yellow'], only: ['orange', 'yellow'], labels: {} },
        { set: red, name: 'Red', terms: ['red', 'blue'], only: ['blue'], labels: {} },
      ],
      shared: ['Red'],
      union: ['Red', 'orange', 'yellow', 'blue'],
      symmetric_difference: ['orange', 'yellow', 'blue'],
      jaccard: 0.25,
      terms: [
        { term: 'Red', in: [0, 1] },
        { term: 'orange', in: [0] },
        { term: 'yellow', in: [0] },
        { term: 'blue', in: [1] },
      ],
      convergence: [{ of: 'terms', all: 5, distinct: 4, rate: 0.25 }],
      product: {
        count: '6',
        results: ['Red', 'orange', 'yellow'].flatMap((a) => ['red', 'blue'].map((b) => [a, b])),
      },
      pairs: [{ sets: [warm, red], shared: ['Red'], relation: 'overlap', jaccard: 0.25 }],
    })
  })

  test('{compare.terms} terms are compared ignoring letter case and accents; a repeat and a filler do not count', async () => {
    const { sets, jaccard } = await compare('Warm', 'Rēd again')
    assert.deepEqual([jaccard, sets[1].terms], [1, ['Rēd', 'orange', 'Yellow']])
    assert.deepEqual(
      (await compare('Cool', 'blank')).sets.map(({ terms }: any) => terms),
      [['blue', 'green'], []],
    )
  })

  test('{compare.relation} each pair says how the first relates to the second', async () => {
    for (const [a, b, relation, jaccard] of [
      ['Warm', 'Rēd again', 'equal', 1],
      ['Flag', 'Warm', 'subset', 0.6667],
      ['Warm', 'Flag', 'superset', 0.6667],
      ['Warm', 'Red', 'overlap', 0.25],
      ['Warm', 'Cool', 'disjoint', 0],
      ['blank', 'Warm', 'subset', 0],
      ['blank', 'void', 'equal', 1],
    ] as const) {
      const { pairs } = await compare(a, b)
      assert.deepEqual(pairs.length, 1)
      assert.deepEqual([pairs[0].relation, pairs[0].jaccard], [relation, jaccard], `${a} ${b}`)
    }
  })

  test('{compare.several} for up to twenty sets, shared is what all have, only what no other has, and pairs are all pairs', async () => {
    const three = await compare('Warm', 'Flag', 'Red')
    assert.deepEqual(three.shared, ['Red'])
    assert.deepEqual(
      three.sets.map(({ only }: any) => only),
      [['yellow'], [], ['blue']],
    )
    assert.deepEqual(three.jaccard, 0.25)
    assert.deepEqual(
      three.pairs.map(({ relation, shared }: any) => [relation, shared]),
      [
        ['superset', ['Red', 'orange']],
        ['overlap', ['Red']],
        ['overlap', ['red']],
      ],
    )
    const twenty = await compare(...Array.from({ length: 20 }, (_, i) => `polynym:${i + 1}`))
    assert.deepEqual([twenty.sets.length, twenty.pairs.length], [20, 190])
  })

  test('{compare.difference} the symmetric difference is what an odd number of the sets has', async () => {
    assert.deepEqual((await compare('Warm', 'Flag')).symmetric_difference, ['yellow'])
    // Red is in all three, orange in two, yellow and blue in one.
    assert.deepEqual((await compare('Warm', 'Flag', 'Red')).symmetric_difference, ['Red', 'yellow', 'blue'])
  })

  test('{compare.convergence} areas, sources and realms of the sets are labels, and count how often they repeat', async () => {
    const compared = await compare('polynym:193', 'polynym:244', 'quadranym:1')
    assert.deepEqual(
      compared.sets.map(({ labels }: any) => labels),
      [{ src: 'Empedocles', area: 'philosophy' }, { src: 'Wu Xing', area: 'philosophy' }, { realm: 'Spatial' }],
    )
    assert.deepEqual(compared.convergence, [
      { of: 'terms', all: 13, distinct: 10, rate: 0.3 },
      { of: 'src', all: 2, distinct: 2, rate: 0 },
      { of: 'area', all: 2, distinct: 1, rate: 1 },
      { of: 'realm', all: 1, distinct: 1, rate: 0 },
    ])
    const [none] = (await compare('blank', 'void')).convergence
    assert.deepEqual(none, { of: 'terms', all: 0, distinct: 0, rate: 0 })
  })

  test('{compare.product} the product is counted exactly, and a part of it is listed', async () => {
    const product = async (names: string[], query: string) => {
      const sets = names.map((name) => `set=${address[name] ?? name}`).join('&')
      return (await read(site, `/api/compare/?${sets}&${query}`)).product
    }
    const whole = await product(['Warm', 'Cool', 'Flag'], 'limit=100')
    assert.deepEqual([whole.count, whole.results.length], ['12', 12])
    assert.deepEqual(whole.results[7], ['orange', 'green', 'ORANGE'])
    const part = await product(['Warm', 'Cool', 'Flag'], 'limit=2&offset=7')
    assert.deepEqual(part, { count: '12', results: whole.results.slice(7, 9) })
    for (const query of ['limit=0', 'offset=12', 'offset=999999999999999']) {
      assert.deepEqual(await product(['Warm', 'Cool', 'Flag'], query), { count: '12', results: [] })
    }
    assert.deepEqual(await product(['Warm', 'void'], ''), { count: '0', results: [] })
    // More than a number can hold exactly.
    const names = Array.from({ length: 20 }, (_, i) => `polynym:${i + 1}`)
    const { sets, product: huge } = await compare(...names)
    const count = sets.reduce((all: bigint, { terms }: any) => all * BigInt(terms.length), 1n)
    assert.deepEqual([huge.count, huge.results.length], [String(count), 20])
    assert.ok(count > BigInt(Number.MAX_SAFE_INTEGER))
  })

  test('{compare.large} sets with more than 24,000 terms are not compared', async () => {
    const slots = (i: number) => Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`p${n + 1}`, `t${i}.${n}`]))
    const batch = async (resource: string, records: readonly object[]): Promise<number[]> => {
      const { json } = await site.ask('/api/batch/', { method: 'POST', as: 'ada', json: { resource, records } })
      return json.ids
    }
    const polynyms = await batch(
      'polynym',
      Array.from({ length: 200 }, (_, i) => ({ name: `Part ${i}`, mode: 'part', ...slots(i) })),
    )
    const polysets = Array.from({ length: 11 }, (_, i) => ({ name: `Large ${i}`, polynyms }))
    const large = (await batch('polyset', polysets)).map((id) => `polyset:${id}`)
    const { sets, pairs } = await compare(...large.slice(0, 10))
    assert.deepEqual([sets[0].terms.length, pairs[44].relation], [2400, 'equal'])
    const ask = `/api/compare/?${large.map((each) => `set=${each}`).join('&')}`
    const says = { set: ['The sets have more than 24000 terms. Compare fewer.'] }
    await assertRefused(site, { ask, status: 400, says })
  })

  test('{compare.sets-of-sets} a set of sets has the terms of all its sets', async () => {
    const { sets, pairs } = await compare('Both', 'Warm')
    const terms = ['red', 'ORANGE', 'yellow']
    assert.deepEqual(sets[0], { set: address['Both'], name: 'Both', terms, only: [], labels: {} })
    assert.equal(pairs[0].relation, 'equal')
    for (const name of ['polymap', 'polyset', 'quadraset', 'vectornym']) {
      assert.ok((await compare(`${name}:1`, 'Warm')).sets[0].terms.length > 1, name)
    }
  })

  test('{compare.refused} anything except two to twenty different sets is refused, with all faults', async () => {
    for (const refused of REFUSED) await assertRefused(site, refused)
  })
})
