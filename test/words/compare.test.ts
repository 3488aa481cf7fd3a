/** /api/compare/: compares sets. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { make, read } from '../writing/fixtures.ts'
import { assertRefused, type Refused, wrongMethods } from './refused.ts'

const HOW_MANY = { set: ['Give 2 to 10 different sets, such as set=polynym:3.'] }
const notAnAddress = (given: string) => `"${given}" is not a collection, a colon and an id.`

const REFUSED: readonly Refused[] = [
  { ask: '/api/compare/', status: 400, says: HOW_MANY },
  { ask: '/api/compare/?set=', status: 400, says: HOW_MANY },
  { ask: '/api/compare/?set=polynym:1', status: 400, says: HOW_MANY },
  { ask: '/api/compare/?set=polynym:1&set=polynym:1', status: 400, says: HOW_MANY },
  {
    ask: `/api/compare/?${Array.from({ length: 11 }, (_, i) => `set=polynym:${i + 1}`).join('&')}`,
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
        { set: warm, name: 'Warm', terms: ['Red', 'orange', 'yellow'], only: ['orange', 'yellow'] },
        { set: red, name: 'Red', terms: ['red', 'blue'], only: ['blue'] },
      ],
      shared: ['Red'],
      union: ['Red', 'orange', 'yellow', 'blue'],
      jaccard: 0.25,
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

  test('{compare.several} for up to ten sets, shared is what all have, only what no other has, and pairs are all pairs', async () => {
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
    const ten = await compare(...Array.from({ length: 10 }, (_, i) => `polynym:${i + 1}`))
    assert.deepEqual([ten.sets.length, ten.pairs.length], [10, 45])
  })

  test('{compare.sets-of-sets} a set of sets has the terms of all its sets', async () => {
    const { sets, pairs } = await compare('Both', 'Warm')
    assert.deepEqual(sets[0], { set: address['Both'], name: 'Both', terms: ['red', 'ORANGE', 'yellow'], only: [] })
    assert.equal(pairs[0].relation, 'equal')
    for (const name of ['polymap', 'polyset', 'quadraset', 'vectornym']) {
      assert.ok((await compare(`${name}:1`, 'Warm')).sets[0].terms.length > 1, name)
    }
  })

  test('{compare.refused} anything except two to ten different sets is refused, with all faults', async () => {
    for (const refused of REFUSED) await assertRefused(site, refused)
  })
})
