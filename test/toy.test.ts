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
      for (const { id } of [ada, bo]) yield* engine.store.votes.vote(shell, cone, id)
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

  const open = (path: string, sent: object = {}) => site.ask(path, { headers: { accept: 'text/html' }, ...sent })

  test('has pages for kinds that the explorer has no file for: front page, lists, search, forms', async () => {
    const front = await open('/')
    assert.match(
      front.text,
      /<a href="\/shell\/"><b>Shells<\/b> <span class="number">2<\/span><small>A shell from the beach\./,
    )
    assert.match(
      front.text,
      /<nav class="parts"[^>]*><a href="\/shell\/">Shells<\/a><a href="\/box\/">Boxes<\/a><a [^>]*>Make<\/a><a [^>]*>Learn<\/a><\/nav>/,
    )
    const shells = await open('/shell/')
    assert.equal(shells.status, 200)
    assert.match(shells.text, /<h1>Shells<\/h1><p class="does">A shell from the beach\.<\/p>/)
    assert.match(
      shells.text,
      /<h3><a class="open" href="\/shell\/1\/">Whelk<\/a><\/h3><p class="gist">turns 5, marks 1, stripe<\/p>/,
    )
    assert.match(shells.text, /2 likes.*by <a href="\/people\/ada\/">ada<\/a>/)
    const making = await open('/make/')
    assert.match(making.text, /<a [^>]*href="\/make\/box\/"><h3>Box<\/h3><p>A box of shells\.<\/p>/)
    for (const path of ['/find/?q=Whelk', '/people/', '/people/ada/', '/random/', '/word/dot/', '/api/']) {
      assert.ok((await open(path)).status < 400, path)
    }
    assert.equal((await open('/quadranym/')).status, 404)
    const learn = await open('/learn/')
    assert.match(learn.text, /<dt><a href="\/shell\/">Shells<\/a><\/dt><dd>A shell from the beach\.<\/dd>/)
    assert.doesNotMatch(learn.text, /quadranym/)
    const help = await open('/help/')
    assert.match(help.text, /curl .*\/api\/shell\//)
    assert.doesNotMatch(help.text, /\/annotate\/|\/queue\//)
  })

  test('has a page for each record: its members, the records it embeds, and where it is used', async () => {
    const box = await open('/box/1/')
    assert.equal(box.status, 200)
    assert.match(box.text, /<h1 dir="auto">July<\/h1>/)
    assert.match(box.text, /<dt>Turns<\/dt><dd>12<\/dd>/)
    assert.match(box.text, /<h2>Shells <span class="soft">2<\/span><\/h2>/)
    assert.match(box.text, /href="\/shell\/2\/">cone<\/a>/)
    const shell = await open('/shell/2/')
    assert.match(shell.text, /<dt>Colour<\/dt><dd>tan<\/dd>/)
    assert.match(shell.text, /<dt>M<\/dt><dd>dot, line<\/dd>/)
    assert.match(shell.text, /by <a href="\/people\/ada\/">ada<\/a>/)
    assert.match(shell.text, /<h2>In boxes <span class="soft">1<\/span><\/h2>.*href="\/box\/1\/">July<\/a>/)
    assert.equal((await open('/shell/9/')).status, 404)
  })

  test('has forms that make, change and delete records', async () => {
    assert.equal((await open('/make/shell/')).status, 401)
    const form = await open('/make/box/', { as: 'bo' })
    assert.equal(form.status, 200)
    assert.match(form.text, /<label for="label">Label<\/label>/)
    assert.match(form.text, /<textarea id="shells"/)
    const post = (path: string, form: object) => open(path, { method: 'POST', as: 'bo', form })
    const made = await post('/make/shell/', { name: 'Limpet', turns: '3', m1: 'ridge' })
    assert.equal(made.status, 303, made.text)
    assert.equal(made.headers.location, '/shell/3/')
    assert.deepEqual((await site.ask('/api/shell/3/')).json, {
      name: 'Limpet',
      finder: 'bo',
      turns: 3,
      marks: 1,
      m1: 'ridge',
      shell_id: 3,
    })
    const boxed = await post('/make/box/', { label: 'August', shells: 'Limpet\n#1' })
    assert.equal(boxed.headers.location, '/box/2/')
    assert.deepEqual(
      (await site.ask('/api/box/2/')).json.shells.map(({ name }: { name: string }) => name),
      ['Limpet', 'Whelk'],
    )
    const change = await open('/make/box/2/', { as: 'bo' })
    assert.match(change.text, /<h1>Change August<\/h1>/)
    assert.match(change.text, />Limpet\nWhelk<\/textarea>/)
    const wrong = await post('/make/shell/', { name: '', turns: 'many' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /id="turns-wrong">Enter a whole number\./)
    assert.equal((await post('/box/2/delete/', {})).headers.location, '/box/')
    assert.equal((await post('/shell/3/vote/', { vote: 'give' })).headers.location, '/shell/3/#like')
    assert.equal((await post('/shell/3/delete/', {})).headers.location, '/shell/')
    assert.equal((await site.ask('/api/shell/3/')).status, 404)
  })

  test('has a page for people', async () => {
    const { text } = await site.ask('/api/shell/', { headers: { accept: 'text/html' } })
    assert.match(text, /<h1>Shell List<\/h1>/)
    assert.match(text, /A shell from the beach\./)
    assert.match(text, /"Whelk"/)
    assert.match(text, /name="turns__gte"/)
  })
})

test('A declaration that cannot work is refused at once, with the names of the resource and the field', () => {
  const name = text({ max: 9 })
  const good = { does: '', fields: { name }, derive: {}, order: ['name'], unique: [] }
  // What types refuse if they know the fields is checked again if they do not.
  const declare = (called: string, wrong: object) => resource(called, { ...good, ...wrong } as never)
  const faults: readonly (readonly [called: string, wrong: object, fault: RegExp])[] = [
    ['account', {}, /reserved/],
    ['two_words', {}, /its name may hold/],
    ['pearl', { order: [] }, /its order is empty/],
    ['pearl', { order: ['nam'] }, /order names "nam"/],
    ['pearl', { order: ['name', '-name'] }, /order names "name" twice/],
    ['pearl', { fields: { name, user: owner() }, order: ['user'] }, /ordered by the field "user"/],
    ['pearl', { fields: { name, votes: votes() }, order: ['-votes'] }, /ordered by the field "votes"/],
    ['pearl', { fields: { t: slots('t', { from: 1, to: 9, max: 9 }) }, order: ['t'] }, /ordered by the field "t"/],
    ['pearl', { fields: { name, pearl_id: name } }, /"pearl_id", which belongs to the id/],
    [
      'pearl',
      { fields: { name, t: slots('x', { from: 1, to: 3, max: 9 }), x2: name } },
      /"x2", which belongs to the field "t"/,
    ],
    [
      'pearl',
      { fields: { name, lines: name }, lines: { resource: 'a', parent: 'b', rank: 'c' } },
      /belongs to the lines/,
    ],
    ['pearl', { fields: { name, owner: name } }, /column "owner", whose name is reserved/],
    ['declaration', {}, /its name is reserved for a table/],
    ['pearl', { fields: { name, unused_name: name } }, /column "unused_name", whose name is reserved/],
    ['pearl', { fields: { name, words: many(shell, { min: 0, max: 1 }) } }, /"words" needs a table whose name is/],
    ['pearl', { fields: { name, name_key: name } }, /column "name_key", whose name is reserved/],
    ['pearl', { unique: [['nam']] }, /a unique rule names "nam"/],
    ['pearl', { unique: [[]] }, /a unique rule names no field/],
    ['pearl', { views: { 'pearl-id': ['nam'] } }, /the view "pearl-id" names "nam"/],
    ['pearl', { derive: { n: () => 1 } }, /a rule of derive names "n"/],
  ]
  for (const [called, wrong, fault] of faults) {
    assert.throws(
      () => declare(called, wrong),
      (error: Error) => {
        assert.match(error.message, fault)
        assert.ok(error.message.startsWith(`the resource "${called}" cannot be declared: `), error.message)
        return true
      },
    )
  }
  assert.equal(declare('pearl', {}).name, 'pearl')
})
