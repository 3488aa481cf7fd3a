/** Lookups, search, order and facets of a made-up catalogue. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  integer,
  many,
  one,
  optionalText,
  owner,
  recordSlots,
  resource,
  slots,
  text,
  votes,
} from '../../src/declare/index.ts'
import { onEachEngine, type Site } from '../support/site.ts'

const idOf = (record: any): number => record[Object.keys(record).at(-1)!]

async function read(site: Site, path: string): Promise<any[]> {
  const { status, json, text } = await site.ask(`${path}${path.includes('?') ? '&' : '?'}page_size=1000`)
  assert.equal(status, 200, `${path}: ${text}`)
  assert.equal(json.count, json.results.length)
  return json.results
}

const shell = resource('shell', {
  does: 'A shell.',
  fields: {
    label: text({ max: 300, search: { as: 'name' }, inside: true }),
    finder: owner(),
    colour: optionalText({ max: 10, indexed: true }),
    votes: votes(),
    turns: integer({ min: 0, max: 99 }),
    m: slots('m', { from: 1, to: 3, max: 20, search: { as: 'term' } }),
  },
  derive: {},
  order: ['-turns', 'label'],
  unique: [['label']],
})
const box = resource('box', {
  does: 'A box of shells.',
  fields: {
    best: one(shell),
    shells: many(shell, { min: 0, max: 9 }),
    k: recordSlots('k', shell, { from: 1, to: 3 }),
  },
  derive: {},
  order: ['best'],
  unique: [],
  views: { 'box-best': ['best'] },
})

onEachEngine('Lookups of a toy catalogue', { catalogue: [shell, box], sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{lookup.kinds} lookups, search, order and facets come from the kinds of the fields', async () => {
    const post = async (path: string, json: object) => {
      const { status, text } = await site.ask(path, { method: 'POST', as: 'ada', json })
      assert.equal(status, 201, text)
    }
    for (const [label, turns, colour] of [
      ['Whelk', 5, 'tan'],
      ['cone', 7, ''],
      ['Conch', 5, 'tan'],
    ] as const) {
      await post('/api/shell/', { label, turns, colour, m1: `${label} mark` })
    }
    await post('/api/box/', { best: 2, shells: [1, 2], k1: 3 })
    await post('/api/box/', { best: 1, shells: [], k1: 2, k2: 3 })
    const ids = async (path: string) => (await read(site, path)).map(idOf)
    for (const [path, expected] of [
      ['/api/shell/?search=con', [2, 3]],
      ['/api/shell/?search=mark', [2, 3, 1]],
      ['/api/shell/?term=whelk+mark', [1]],
      ['/api/shell/?finder=ADA&turns=5', [3, 1]],
      ['/api/shell/?colour__isnull=true', [2]],
      ['/api/shell/?ordering=label', [3, 2, 1]],
      ['/api/shell/?ordering=-shell_id', [3, 2, 1]],
      ['/api/box/?shells=2', [1]],
      ['/api/box/?shells=1&shells=2', [1]],
      ['/api/box/?k=3', [1, 2].reverse()],
      ['/api/box/?k__in=2,1', [2]],
      ['/api/box-best/?best=1', [2]],
    ] as const) {
      assert.deepEqual(await ids(path), expected, path)
    }
    assert.deepEqual((await site.ask('/api/shell/facets/?by=colour,turns&search=con')).json, {
      count: 2,
      facets: {
        colour: [
          { value: '', count: 1 },
          { value: 'tan', count: 1 },
        ],
        turns: [
          { value: 5, count: 1 },
          { value: 7, count: 1 },
        ],
      },
    })
  })
})
