/** Records that another service allowed and Nymdex does not: a named repair corrects and counts them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import type { AnyResource } from '../../src/declare/index.ts'
import { GENERAL_REPAIRS } from '../../src/transfer/index.ts'
import { contents, ndjson, records, table, Workshop } from './commands.ts'

const shop = new Workshop()
after(() => shop.close())

interface Case {
  readonly says: string
  readonly collection: string
  readonly given: object
  /** The members that matter; all others are as in `given`. */
  readonly stored: object
  /** By name; the report says what each does. */
  readonly repairs: readonly string[]
}

const SET = { name: 'set', user: 'gus', p1: 'a', p2: 'b' }
const DOOR = { name: 'door', user: 'gus', e: 'open', r: 'close', o: 'barrier', s: 'passage', quadranym_id: 1 }
const LIGHT = { ...DOOR, name: 'light', e: 'lift', r: 'weigh', o: 'feather', s: 'ease', quadranym_id: 2 }

const cases: readonly Case[] = [
  {
    says: 'a blank mode becomes type',
    collection: 'polynym',
    given: { ...SET, name: 'blank mode', mode: '' },
    stored: { mode: 'type', p1: 'a' },
    repairs: ['mode unknown'],
  },
  {
    says: 'so does one that nobody knows',
    collection: 'polynym',
    given: { ...SET, name: 'unknown mode', mode: 'Kind' },
    stored: { mode: 'type' },
    repairs: ['mode unknown'],
  },
  {
    says: 'a mode in capitals is known',
    collection: 'polynym',
    given: { ...SET, name: 'capital mode', mode: 'PART' },
    stored: { mode: 'part' },
    repairs: ['mode unknown'],
  },
  {
    says: 'gaps between terms are closed, with other repairs of the same record',
    collection: 'polynym',
    given: { ...SET, name: 'gaps', p2: '', p3: 'c', p7: 'g' },
    stored: { mode: 'type', p1: 'a', p2: 'c', p3: 'g', depth: 3 },
    repairs: ['mode unknown', 'gaps closed'],
  },
  {
    says: 'a required member of an older export gets its initial value',
    collection: 'winner',
    given: { user: 'gus', app: 'older', score: 4 },
    stored: { round: 0, score: 4 },
    repairs: ['initial value "round"'],
  },
  {
    says: 'gaps between polynyms of a vectornym are closed',
    collection: 'vectornym',
    given: { name: 'gaps', user: 'gus', v2: 'capital mode', v5: 'blank mode' },
    stored: { length: 2, v3: undefined },
    repairs: ['gaps closed'],
  },
  {
    says: 'gaps between rows of a polymap are closed',
    collection: 'polymap',
    given: { name: 'gaps', user: 'gus', pa: 'capital mode', pb: 'blank mode', r3: 'a,IsA,b' },
    stored: { r1: 'a,IsA,b', r3: undefined },
    repairs: ['gaps closed'],
  },
  {
    says: 'a row that does not fit its polynyms is kept, for it may have when it was stored',
    collection: 'polymap',
    given: { name: 'stale', user: 'gus', pa: 'capital mode', pb: 'blank mode', r1: 'gone,IsA,b' },
    stored: { r1: 'gone,IsA,b' },
    repairs: ['kept as stored'],
  },
  {
    says: 'parts of speech become capitals',
    collection: 'quadranym',
    given: { name: 'tags', user: 'gus', e: 'x', pos: 'nn', epos: 'PRP$', rpos: '-', spos: 'VB' },
    stored: { pos: 'NN', epos: 'PRP', rpos: undefined, spos: 'VB' },
    repairs: ['parts of speech'],
  },
  {
    says: 'tags in small letters or with a sign become capitals alone',
    collection: 'fortune',
    given: { body: 'Open his door.', qode: 'q1e_vb q1s_PRP$ q1n_NN.', q1: [], q2: [1] },
    stored: { qode: 'q1e_VB q1s_PRP q1n_NN.', subs: 'esn' },
    repairs: ['odd tags'],
  },
  {
    says: 'in a phrase, too',
    collection: 'phrase',
    given: { name: 'odd', user: 'gus', qode: 'See the q1n_nn.' },
    stored: { name: 'odd', qode: 'See the q1n_NN.', subs: 'n' },
    repairs: ['odd tags'],
  },
  {
    says: 'and in a fable',
    collection: 'fable',
    given: { name: 'odd', user: 'gus', qode: 'See the Q1n_nn by q2o_nns.' },
    stored: { qode: 'See the q1n_NN by q2o_NNS.', length: 2 },
    repairs: ['odd tags'],
  },
  {
    says: 'indexes above 999 become the rank of the index',
    collection: 'fable',
    given: { name: 'far', user: 'gus', qode: 'See the q5000n_NN by q7o_NNS and q5000e_VB.' },
    stored: { qode: 'See the q2n_NN by q1o_NNS and q2e_VB.', length: 2 },
    repairs: ['large indexes'],
  },
  {
    says: 'in a phrase, too',
    collection: 'phrase',
    given: { name: 'far', user: 'gus', qode: 'Hear the q1000n_NN.' },
    stored: { qode: 'Hear the q1n_NN.' },
    repairs: ['large indexes'],
  },
  {
    says: 'in a fortune',
    collection: 'fortune',
    given: { body: 'Lift the door.', qode: 'Lift the q1000n_NN.', q1: [1], q2: [] },
    stored: { qode: 'Lift the q1n_NN.' },
    repairs: ['large indexes'],
  },
  {
    says: 'and in a quote',
    collection: 'quote',
    given: { body: 'Open that.', src: 'Anon', qode: 'q1000e_VB that.', quadranym: 1 },
    stored: { qode: 'q1e_VB that.' },
    repairs: ['large indexes'],
  },
  {
    says: 'a qode that does not fit its body is made again, and quadranyms without a word are dropped',
    collection: 'fortune',
    given: { body: 'Close the door.', qode: 'q1e_VB the window.', q1: [2], q2: [1] },
    stored: { qode: 'q1r_VB the q1n_NN.', q1: [], subs: 'rn' },
    repairs: ['annotated again', 'quadranyms without a word'],
  },
  {
    says: 'quadranyms that no token means go',
    collection: 'fortune',
    given: { body: 'Lift it.', qode: 'q1e_VB it.', q1: [2, 1], q2: [] },
    stored: { qode: 'q1e_VB it.', q2: [] },
    repairs: ['quadranyms without a word'],
  },
  {
    says: 'a quote with two topics is annotated again with its quadranym',
    collection: 'quote',
    given: { body: 'Open it, lift.', src: 'Anon', qode: 'q1e_VB it, q2e_VB.', quadranym: 1 },
    stored: { qode: 'q1e_VB it, lift.', width: 1 },
    repairs: ['annotated again'],
  },
  {
    says: 'a quote has odd tags',
    collection: 'quote',
    given: { body: 'Open it.', src: 'Anon', qode: 'q1e_vb it.', quadranym: 1 },
    stored: { qode: 'q1e_VB it.' },
    repairs: ['odd tags'],
  },
  {
    says: 'a phrase without a token is a break; its name is kept as its source',
    collection: 'phrase',
    given: { name: 'pause', user: 'gus', qode: '* * *' },
    stored: { name: '-', src: 'pause', qode: '* * *', width: 0 },
    repairs: ['no token'],
  },
  {
    says: 'where it has a source, that stays',
    collection: 'phrase',
    given: { name: 'pause', user: 'gus', src: 'a book', qode: '---' },
    stored: { name: '-', src: 'a book' },
    repairs: ['no token'],
  },
  {
    says: 'votes on quadrasets are left out',
    collection: 'quadraset',
    given: { name: 'liked', user: 'gus', likes: 2, voters: ['a', 'b'], quadranyms: [1] },
    stored: { likes: undefined, voters: undefined, length: 1 },
    repairs: ['votes left out'],
  },
  {
    says: 'likes without a voter are left out',
    collection: 'polyset',
    given: { name: 'liked', user: 'gus', likes: 5, voters: ['a', 'b'], polynyms: ['gaps'] },
    stored: { likes: 2, voters: ['a', 'b'] },
    repairs: ['likes without voters'],
  },
  {
    says: 'names that no user may have are changed, of owners and of voters',
    collection: 'story',
    given: { name: 'told', user: 'Mr. Z!', likes: 1, voters: ['GUS'] },
    stored: { user: 'Mr.-Z-', voters: ['gus'] },
    repairs: ['user renamed', 'user renamed'],
  },
  {
    says: 'a member that nobody knows is left out',
    collection: 'queue',
    given: { name: 'wanted', colour: 'red', nothing: '', none: null },
    stored: { colour: undefined },
    repairs: ['unknown member "colour"'],
  },
]

function doesOf(collection: string, repair: string): string {
  const name = repair.replace(/ ".*/, '')
  const resource: AnyResource = catalogue.find((each) => each.name === collection)!
  return resource.repairs?.[name]?.does ?? GENERAL_REPAIRS[name as keyof typeof GENERAL_REPAIRS]
}

describe('Repairs', () => {
  let database = ''
  let out = ''
  const input = [DOOR, LIGHT, ...cases.map(({ collection, given }, i) => ({ ...given, [`${collection}_id`]: 100 + i }))]
  before(async () => {
    database = await shop.database('SQLite')
    out = await shop.works(database, ['import', '-', '--keep-ids'], ndjson(input))
  })

  for (const [i, { says, collection, stored }] of cases.entries()) {
    test(`${collection}: ${says}`, async () => {
      const all = await records(database, collection)
      const record = all.find((each) => each[`${collection}_id`] === 100 + i)
      const told = Object.keys(stored).map((member) => [member, record?.[member]])
      assert.deepEqual(Object.fromEntries(told), stored)
    })
  }

  test('are counted by collection and name, each with what it does', () => {
    const counts = new Map<string, number>()
    for (const { collection, repairs } of cases) {
      for (const repair of repairs) {
        const key = `${collection}, ${repair}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    }
    const [, reported = ''] = out.split('\n\nRepaired:\n')
    assert.deepEqual(
      reported.trimEnd().split('\n').sort(),
      [...counts]
        .map(([key, count]) => {
          const [collection, repair] = key.split(', ') as [string, string]
          return `${key} (${count}): ${doesOf(collection, repair)}`
        })
        .sort(),
    )
  })

  test('are made once: the result is imported again, and from its own export, without any', async () => {
    const held = await contents(database)
    await shop.works(database, ['import', '-', '--keep-ids'], ndjson(input))
    assert.equal(await contents(database), held)
    const copy = await shop.database('SQLite')
    const again = await shop.works(copy, ['import', '-', '--keep-ids'], held)
    // Nothing shows that the row was right once, however often it is stored.
    assert.deepEqual(
      again.split('\n\nRepaired:\n')[1],
      `polymap, kept as stored (1): ${GENERAL_REPAIRS['kept as stored']}\n`,
    )
    assert.equal(await contents(copy), held)
  })

  test('cover everything that is declared, but not what is beyond repair', async () => {
    const tried = new Set(
      cases.flatMap(({ collection, repairs }) => repairs.map((each) => `${collection} ${each.replace(/ ".*/, '')}`)),
    )
    const general = new Set([...tried].map((each) => each.slice(each.indexOf(' ') + 1)))
    for (const { name, repairs } of catalogue as readonly AnyResource[]) {
      for (const repair of Object.keys(repairs ?? {})) assert.ok(tried.has(`${name} ${repair}`), `${name}, ${repair}`)
    }
    for (const repair of Object.keys(GENERAL_REPAIRS)) assert.ok(general.has(repair), repair)

    const beyond = [
      { ...SET, p2: '', polynym_id: 1 },
      { body: 'Nothing here.', src: 'Anon', qode: '', quadranym: 1, quote_id: 1 },
      { name: 'empty', user: 'gus', qode: '', phrase_id: 1 },
      { name: 'two', user: 'gus', qode: 'q1n and q2n', phrase_id: 2 },
    ]
    const { code, err, out } = await shop.run(database, ['import', '-'], ndjson([DOOR, ...beyond]))
    assert.equal(code, 1)
    assert.deepEqual(err.trimEnd().split('\n'), [
      'standard-input:2: p2: This field may not be blank.',
      'standard-input:3: quadranym: Quadranym 1, "door", has no word in the text.',
      'standard-input:4: qode: This field may not be blank.',
      'standard-input:5: qode: Too many topics!',
    ])
    assert.ok(!out.includes('Repaired'))
  })
})

test('duplicate fortunes are imported once, and both are counted', async () => {
  const database = await shop.database('SQLite')
  const twins = [
    { body: 'Twice.', qode: '', q1: [], q2: [], subs: '', depth: 0, fortune_id: 8 },
    { body: 'Twice.', qode: '', q1: [], q2: [], subs: '', depth: 0, fortune_id: 9 },
  ]
  const out = await shop.works(database, ['import', '-', '--keep-ids'], ndjson(twins))
  assert.deepEqual(table(out), { fortune: { read: 2, made: 1, doubled: 1 } })
  assert.deepEqual(
    (await records(database, 'fortune')).map((each) => each.fortune_id),
    [8],
  )
})

test('nothing in the sample catalogue is repaired', async () => {
  const full = await shop.database('SQLite', { sample: true })
  const held = await contents(full)
  const copy = await shop.database('SQLite')
  assert.doesNotMatch(await shop.works(copy, ['import', '-', '--keep-ids'], held), /Repaired|doubled|embedded|bad/)
  assert.equal(await contents(copy), held)
})

test('docs/operations.md lists every repair, with its name and what it does', () => {
  const rows = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
  const documented = new Set(
    rows.flatMap(([collections = '', name, does]) =>
      collections.split(', ').map((each) => `${each} | ${name} | ${does}`),
    ),
  )
  const all = (catalogue as readonly AnyResource[]).flatMap((resource) => {
    return Object.entries(resource.repairs ?? {}).map(([name, { does }]) => `${resource.name} | ${name} | ${does}`)
  })
  const general = Object.entries(GENERAL_REPAIRS).map(([name, does]) => `any | ${name} | ${does}`)
  for (const row of [...all, ...general]) assert.ok(documented.has(row), row)
})
