/** A resource is one declaration: a made-up catalogue gets tables, routes, JSON, OPTIONS and pages. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  derived,
  gathered,
  integer,
  many,
  optionalText,
  owner,
  resource,
  slots,
  text,
  votes,
} from '../src/declare/index.ts'
import { accountNamed, insertRecord } from '../src/engine/index.ts'
import { onEachEngine } from './support/site.ts'

const shell = resource('shell', {
  does: 'A shell from the beach.',
  fields: {
    name: text({ max: 20 }),
    finder: owner(),
    colour: optionalText({ max: 10 }),
    likes: votes(),
    turns: integer({ min: 0, max: 99 }),
    marks: derived.integer(),
    m: slots('m', { from: 1, to: 3, max: 10 }),
  },
  derive: { marks: ({ m }) => m.length },
  order: ['-turns', 'name'],
  unique: [['name', 'colour']],
})

const box = resource('box', {
  does: 'A box of shells.',
  fields: { label: text({ max: 20 }), shells: many(shell, { min: 1, max: 9 }), turns: gathered.integer() },
  derive: { turns: ({ shells }) => shells.reduce((sum, { turns }) => sum + turns, 0) },
  order: ['label'],
  unique: [['label']],
  views: { 'box-label': ['label'] },
})

const catalogue = [shell, box]

onEachEngine('A toy catalogue', { catalogue, sample: false }, (site) => {
  before(async () => {
    const { engine } = site
    await engine.store.write(function* () {
      const ada = yield* accountNamed(engine, 'ada')
      const bo = yield* accountNamed(engine, 'bo')
      const whelk = yield* insertRecord(engine, shell, { name: 'Whelk', turns: 5, m: 'x', m1: 'stripe' }, ada)
      const cone = yield* insertRecord(
        engine,
        shell,
        { name: 'cone', colour: 'tan', turns: '7', m1: 'dot', m2: 'line', m3: '' },
        ada,
      )
      yield* engine.store.votes.insert(shell, cone, [ada.id, bo.id])
      yield* insertRecord(engine, box, { label: 'July', shells: [cone, { shell_id: whelk }, cone] }, ada)
    })
  })

  const whelk = { name: 'Whelk', finder: 'ada', turns: 5, marks: 1, m1: 'stripe', shell_id: 1 }
  const cone = {
    name: 'cone',
    finder: 'ada',
    colour: 'tan',
    likes: 2,
    voters: ['bo', 'ada'],
    turns: 7,
    marks: 2,
    m1: 'dot',
    m2: 'line',
    shell_id: 2,
  }
  const july = { label: 'July', shells: [cone, whelk], turns: 12, box_id: 1 }

  test('is listed in its root index', async () => {
    const { text } = await site.ask('/api/')
    const url = (name: string) => `${site.base}/api/${name}/`
    assert.equal(text, JSON.stringify({ shell: url('shell'), box: url('box'), 'box-label': url('box-label') }))
  })

  test('has lists in its order, records, and views', async () => {
    const page = (results: unknown[]) => JSON.stringify({ count: results.length, next: null, previous: null, results })
    assert.equal((await site.ask('/api/shell/')).text, page([cone, whelk]))
    assert.equal((await site.ask('/api/box/')).text, page([july]))
    assert.equal((await site.ask('/api/box-label/')).text, page([{ label: 'July', box_id: 1 }]))
    assert.equal((await site.ask('/api/box/1/')).text, JSON.stringify(july))
    assert.equal((await site.ask('/api/box/2/')).status, 404)
  })

  test('describes itself', async () => {
    const { json } = await site.ask('/api/box-label/', { method: 'OPTIONS' })
    assert.equal(json.name, 'Box Label List')
    assert.equal(json.description, 'A box of shells.')
  })

  test('has a page for people', async () => {
    const { text } = await site.ask('/api/shell/', { headers: { accept: 'text/html' } })
    assert.match(text, /<h1>Shell List<\/h1>/)
    assert.match(text, /A shell from the beach\./)
    assert.match(text, /&quot;Whelk&quot;/)
    assert.match(text, /name="turns__gte"/)
  })
})
