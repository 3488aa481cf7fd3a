/** Search: what people type, and the record they look for. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AccountDesk, accountNamed } from '../../src/engine/index.ts'
import { note, replaceSynonyms } from '../../src/store/index.ts'
import { ENGINES } from '../support/databases.ts'
import { statement } from '../support/servers.ts'
import { onEachEngine, type Site } from '../support/site.ts'
import { QUERIES } from './typical-queries.ts'

const titleOf = (record: any): string => record.name ?? record.app ?? record.body

async function titles(site: Site, path: string): Promise<string[]> {
  const { status, json, text } = await site.ask(path)
  assert.equal(status, 200, text)
  return json.results.map(titleOf)
}

// On SQLite every search runs on a reading thread, like a slow one.
onEachEngine('Search in the sample catalogue', { database: { quickMs: 0 } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{search.means} for 114 of 120 queries the expected record comes first, and for all it is among the first three', async () => {
    assert.equal(QUERIES.length, 120)
    const places: number[] = []
    for (const [collection, query, meant] of QUERIES) {
      const search = (words: string) => titles(site, `/api/${collection}/?search=${encodeURIComponent(words)}`)
      let found = await search(query)
      if (found.length === 0) {
        const { json } = await site.ask(`/api/suggest/?q=${encodeURIComponent(query)}`)
        found = await search(json.did_you_mean[0] ?? '-')
      }
      const place = found.findIndex((title) => title.startsWith(meant))
      assert.ok(place >= 0 && place < 3, `${collection} ${query}: ${found.slice(0, 5).join(', ')}`)
      places.push(place)
    }
    assert.ok(places.filter((place) => place === 0).length >= 114, String(places))
  })

  test('{search.links} pages of a search keep its words in their links, and have every match once', async () => {
    const whole = (await site.ask('/api/polynym/?search=of+the&page_size=1000')).json
    assert.ok(whole.count > 10)
    const walked: unknown[] = []
    let path = '/api/polynym/?search=of+the&page_size=4'
    for (let page = 2; path; page++) {
      const { json } = await site.ask(path)
      assert.equal(json.count, whole.count)
      walked.push(...json.results)
      if (json.next) assert.equal(json.next, `${site.base}/api/polynym/?page=${page}&page_size=4&search=of+the`)
      path = json.next?.slice(site.base.length)
    }
    assert.deepEqual(walked, whole.results)
    const last = (await site.ask('/api/polynym/?search=of+the&page_size=4&page=last')).json
    assert.deepEqual(last.results, whole.results.slice(-last.results.length))
    for (const page of [0, 999, '9'.repeat(15)]) {
      const { status, json } = await site.ask(`/api/polynym/?search=of+the&page=${page}`)
      assert.deepEqual([status, json], [404, { detail: 'Invalid page.' }])
    }
  })

  test('{search.everywhere} storylines and talelines have no text to search, so search changes nothing there', async () => {
    for (const collection of ['storyline', 'taleline']) {
      const [plain, searched] = [await site.ask(`/api/${collection}/`), await site.ask(`/api/${collection}/?search=x`)]
      assert.equal(searched.json.count, plain.json.count)
    }
    for (const collection of [
      'fable',
      'fortune',
      'phrase',
      'polymap',
      'polyset',
      'quadraset',
      'quote',
      'story',
      'tale',
      'vectornym',
      'winner',
    ]) {
      assert.equal((await site.ask(`/api/${collection}/?search=qqqqq`)).json.count, 0)
    }
  })
})

onEachEngine('The rules of search', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const ids = new Map<string, number>()
  const give = async (collection: string, json: object, as = 'ada') => {
    const { status, text, json: made } = await site.ask(`/api/${collection}/`, { method: 'POST', as, json })
    assert.equal(status, 201, text)
    ids.set(titleOf(made), made[`${collection}_id`])
    return made
  }
  const search = (words: string, collection = 'polynym') =>
    titles(site, `/api/${collection}/?search=${encodeURIComponent(words)}`)
  const polynym = (name: string, p1: string, p2: string, more: object = {}) =>
    give('polynym', { name, mode: 'part', p1, p2, ...more })

  before(async () => {
    await polynym('zz text', 'x', 'y', { src: 'a word on owl' })
    await polynym('zy term', 'owl', 'y')
    await polynym('an owl', 'x', 'y')
    await polynym('Owl tower', 'x', 'y')
    await polynym('owl', 'x', 'y')
    await polynym('zx owlish term', 'owlet', 'y')
    await polynym('Öwl', 'x', 'z')
  })

  test('{search.rank} best is the whole name, then its beginning, then a word of it, a term, other text', async () => {
    assert.deepEqual(await search('OWL'), ['owl', 'Öwl', 'Owl tower', 'an owl', 'zx owlish term', 'zy term', 'zz text'])
  })

  test('{search.rank-list} equally good matches keep the order of the list', async () => {
    for (const name of ['delta two', 'delta Three', 'delta one']) await polynym(name, 'x', 'y')
    assert.deepEqual(await search('delta'), ['delta one', 'delta Three', 'delta two'])
  })

  test('{search.rank-whole} a whole word comes before a longer word that begins with it', async () => {
    await polynym('a wheelwright', 'x', 'y')
    await polynym('b wheel', 'x', 'y')
    assert.deepEqual(await search('wheel'), ['b wheel', 'a wheelwright'])
  })

  test('{search.all-words} all words must match, in any order and in any members', async () => {
    await polynym('Harbour', 'mole', 'quay', { src: 'Ferry handbook' })
    for (const words of ['harbour quay', 'quay harbour', 'ferry mole', 'handbook harbour mole quay']) {
      assert.deepEqual(await search(words), ['Harbour'], words)
    }
    assert.deepEqual(await search('harbour railway'), [])
  })

  test('{search.prefix} the last word may be a prefix, the others may not', async () => {
    assert.deepEqual(await search('harbour qu'), ['Harbour'])
    assert.deepEqual(await search('harb quay'), [])
  })

  test('{search.accents} accents, letter case and apostrophes are ignored', async () => {
    await polynym('Crème brûlée', 'Straße', 'Łódź', { src: "L'Œuvre" })
    for (const words of ['creme brulee', 'CRÈME', 'strasse', 'lodz', 'oeuvre', 'l’œuvre', 'lœuvre', 'cre\u0300me']) {
      assert.deepEqual(await search(words), ['Crème brûlée'], words)
    }
    await polynym('ΟΔΟΣ', '北京 大学', 'x')
    for (const words of ['οδος', 'ΟΔΟΣ', 'οδοσ', '大学', '学 北京'])
      assert.deepEqual(await search(words), ['ΟΔΟΣ'], words)
  })

  test('{search.forms} a plural finds the singular, and a singular finds the plural', async () => {
    await polynym('Boxes and berries', 'knives', 'glass')
    for (const words of ['box knife', 'berry box', 'glasses', 'knife glass', 'boxes berry']) {
      assert.deepEqual(await search(words), ['Boxes and berries'], words)
    }
    // The form that was typed comes first.
    await polynym('a ferries', 'x', 'y')
    await polynym('b ferry', 'x', 'y')
    assert.deepEqual((await search('ferry')).slice(0, 3), ['b ferry', 'a ferries', 'Harbour'])
  })

  test('{search.forms} a word finds its other forms: of a verb, irregular ones, and the noun of an adjective', async () => {
    await polynym('Bonfire', 'firing', 'happiness')
    await polynym('Nest', 'mice', 'patience')
    for (const words of ['fires bonfire', 'fired', 'happy', 'fire happy']) {
      assert.deepEqual(await search(words), ['Bonfire'], words)
    }
    for (const words of ['mouse', 'patient nest', 'nests patience'])
      assert.deepEqual(await search(words), ['Nest'], words)
    // These only look like forms of another word.
    for (const words of ['mic', 'patienter']) assert.deepEqual(await search(`${words} nest`), [], words)
    await polynym('Keep', 'tower', 'thing')
    for (const words of ['tow keep', 'the keep moat']) assert.deepEqual(await search(words), [], words)
  })

  test('{search.spellings} British and American spellings find each other', async () => {
    await polynym('Palette', 'colour', 'gray')
    await polynym('Playbill', 'theater', 'organisation')
    for (const words of ['color palette', 'colors', 'grey', 'coloured palette']) {
      assert.deepEqual(await search(words), ['Palette'], words)
    }
    for (const words of ['theatre', 'theatres playbill', 'organization']) {
      assert.deepEqual(await search(words), ['Playbill'], words)
    }
  })

  test('{search.rank} the area comes after the name and before terms; longer areas, realms and owners come last', async () => {
    await polynym('d area', 'x', 'y', { area: 'Quilting' })
    await polynym('c term', 'quilting', 'y')
    await polynym('b quilting', 'x', 'y')
    await polynym('a longer area', 'x', 'y', { area: 'patchwork quilting' })
    assert.deepEqual(await search('quilting'), ['b quilting', 'd area', 'c term', 'a longer area'])
    await give('quadranym', { name: 'kiln', e: 'heat', r: 'cool', o: 'brick', s: 'glow', realm: 'Pottery' })
    assert.deepEqual(await search('pottery', 'quadranym'), ['kiln'])
  })

  test('{search.owner} the whole user name of the owner finds records, also a new one', async () => {
    const made = await give('polynym', { name: 'Sampan', mode: 'part', p1: 'oar', p2: 'mat' }, 'mary-ann')
    await give('polynym', { name: 'Junk', mode: 'part', p1: 'oar', p2: 'sail' }, 'bo')
    for (const words of ['Mary-Ann', 'mary-ann oar', 'sampan mary-ann']) {
      assert.deepEqual(await search(words), ['Sampan'], words)
    }
    for (const words of ['mary-an', 'mary', 'bo sampan']) assert.deepEqual(await search(words), [], words)
    const account = await site.engine.store.read(() => accountNamed(site.engine, 'mary-ann'))
    await new AccountDesk(site.engine).rename(account, 'annabel')
    assert.deepEqual(await search('mary-ann'), [])
    assert.deepEqual(await search('annabel'), ['Sampan'])
    await site.ask(`/api/polynym/${made.polynym_id}/`, { method: 'DELETE', as: 'staff' })
    assert.deepEqual(await search('annabel'), [])
  })

  test('{search.ignored} words that tell little are ignored if no record has all words', async () => {
    await polynym('Thistle', 'prickle', 'down')
    for (const words of [
      'the thistle',
      'what is a thistle',
      'prickle and down',
      'types of thistle',
      'thistle of the',
    ]) {
      assert.deepEqual(await search(words), ['Thistle'], words)
    }
    assert.deepEqual(await search('of the'), [])
    // They count as soon as one record has them all.
    await polynym('Parts of the thistle', 'x', 'y')
    assert.deepEqual(await search('parts of thistle'), ['Parts of the thistle'])
    assert.deepEqual(await search('types of thistle'), ['Thistle', 'Parts of the thistle'])
  })

  test('{search.synonyms} if few records match, those with synonyms follow', async () => {
    await polynym('Garage', 'car', 'door')
    await polynym('Workshop', 'automobile', 'lift')
    assert.deepEqual(await search('automobile'), ['Workshop'])
    const { store, catalogue } = site.engine
    const pairs = [
      ['automobile', 'car'],
      ['lift', 'hoist'],
      ['wheel', 'kestrel'],
    ] as const
    await store.write(() => replaceSynonyms(catalogue, pairs))
    assert.deepEqual(await search('automobile'), ['Workshop', 'Garage'])
    assert.deepEqual(await search('automobiles'), ['Workshop', 'Garage'])
    assert.deepEqual(await search('automobile door'), ['Garage'])
    // Not the other way round, if nobody said so.
    assert.deepEqual(await search('car'), ['Garage'])
    for (let i = 0; i < 9; i++) await polynym(`automobile ${i}`, 'x', 'y')
    assert.equal((await search('automobile')).length, 10)
    await store.write(() => replaceSynonyms(catalogue, []))
    assert.deepEqual(await search('automobile door'), [])
  })

  test('{search.nothing} a search without a letter or digit finds nothing; a blank one is ignored', async () => {
    const { count } = (await site.ask('/api/polynym/')).json
    for (const words of ['...', '%F0%9F%98%80', '-'])
      assert.equal((await site.ask(`/api/polynym/?search=${words}`)).json.count, 0)
    for (const words of ['', '+', '%20%09'])
      assert.equal((await site.ask(`/api/polynym/?search=${words}`)).json.count, count)
  })

  test('{search.texts} fortunes and quotes are found by their text; its beginning counts as a name', async () => {
    const { quadranym_id: quadranym } = await give('quadranym', {
      name: 'bell',
      e: 'ring',
      r: 'hush',
      o: 'bronze',
      s: 'alarm',
    })
    await give('fortune', { body: 'A clear bell is heard far.' })
    await give('fortune', { body: 'Bell the cat.' })
    await give('quote', { body: 'The bell rings.', quadranym, src: 'Ada Lövelace' })
    assert.deepEqual(await search('bell', 'fortune'), ['Bell the cat.', 'A clear bell is heard far.'])
    assert.deepEqual(await search('lovelace bell', 'quote'), ['The bell rings.'])
    assert.deepEqual(await search('bronze', 'quote'), [])
  })

  test('{search.tokens} tokens of a phrase or fable are not searched as words', async () => {
    await give('phrase', { name: 'Turn', qode: 'The tide q1e_VBZ at noon.' })
    assert.deepEqual(await search('tide noon', 'phrase'), ['Turn'])
    for (const words of ['q1e', 'vbz', 'q1e_VBZ']) assert.deepEqual(await search(words, 'phrase'), [], words)
  })

  test('{search.fresh} search follows every change of a record', async () => {
    const { polynym_id: id } = await polynym('Kestrel', 'talon', 'beak')
    const path = `/api/polynym/${id}/`
    assert.deepEqual(await search('kestrel'), ['Kestrel'])
    await site.ask(path, { method: 'PATCH', as: 'ada', json: { name: 'Merlin', p2: 'wing' } })
    assert.deepEqual(await search('kestrel'), [])
    assert.deepEqual(await search('beak'), [])
    assert.deepEqual(await search('merlin talon wing'), ['Merlin'])
    await site.ask(`${path}vote/`, { method: 'POST', as: 'bo' })
    assert.deepEqual(await titles(site, '/api/polynym/?search=merlin&likes=1'), ['Merlin'])
    await site.ask(`${path}vote/`, { method: 'DELETE', as: 'bo' })
    assert.deepEqual(await titles(site, '/api/polynym/?search=merlin&likes=1'), [])
    await site.ask(path, { method: 'PUT', as: 'ada', json: { name: 'Hobby', mode: 'part', p1: 'x', p2: 'y' } })
    assert.deepEqual(await search('merlin'), [])
    assert.deepEqual(await titles(site, '/api/polynym/?term=talon'), [])
    await site.ask(path, { method: 'DELETE', as: 'ada' })
    assert.deepEqual(await search('hobby'), [])
  })

  test('{search.fresh} records deleted by a cascade are no longer found', async () => {
    const { quadranym_id: quadranym } = await give('quadranym', {
      name: 'anvil',
      e: 'strike',
      r: 'rest',
      o: 'iron',
      s: 'patience',
    })
    await give('fortune', { body: 'The anvil fears no hammer.', q1: [quadranym] })
    await give('quote', { body: 'Better anvil than hammer.', quadranym, src: 'Smith' })
    assert.deepEqual(await titles(site, `/api/fortune/?q1=${quadranym}`), ['The anvil fears no hammer.'])
    await site.ask(`/api/quadranym/${quadranym}/?cascade=true`, { method: 'DELETE', as: 'staff' })
    assert.deepEqual(await search('anvil', 'quote'), [])
    assert.deepEqual(await search('anvil', 'quadranym'), [])
    assert.deepEqual(await search('anvil', 'fortune'), ['The anvil fears no hammer.'])
    assert.deepEqual(await titles(site, '/api/fortune/?search=anvil&depth=1'), [])
  })

  test('{search.most} more than 16 words, or 400 characters, are too many', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(',')
    assert.equal((await site.ask(`/api/polynym/?search=${words(16)}`)).status, 200)
    for (const [given, message] of [
      [words(17), 'Search for no more than 16 words.'],
      [encodeURIComponent('中文'.repeat(9)), 'Search for no more than 16 words.'],
      ['x'.repeat(401), 'Ensure this field has no more than 400 characters.'],
      ['a%00b', 'Null characters are not allowed.'],
    ] as const) {
      const { status, json } = await site.ask(`/api/polynym/?search=${given}`)
      assert.deepEqual([status, json], [400, { search: [message] }])
    }
  })
})

onEachEngine('A search that too many records match', { sample: false }, (site) => {
  test('counts records, not words: one with many words that begin alike hides no other', async () => {
    const words = (from: number) => Array.from({ length: 70 }, (_, i) => `yk${from + i + 1000}`).join(' ')
    for (let i = 0; i < 6; i++) {
      const slots = Array.from({ length: 12 }, (_, k) => [`p${k + 1}`, words(i * 1000 + k * 70)])
      const json = { name: `full ${i}`, mode: 'part', ...Object.fromEntries(slots) }
      assert.equal((await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json })).status, 201)
    }
    await site.ask('/api/polynym/', {
      method: 'POST',
      as: 'ada',
      json: { name: 'ykzz', mode: 'part', p1: 'a', p2: 'b' },
    })
    const { json } = await site.ask('/api/polynym/?search=yk')
    assert.deepEqual([json.count, json.results[0].name], [7, 'ykzz'])
  })

  const [things, items, most] = [2_400, 2_800, 2_000]

  test('{search.bound} finds 2,000 of them, and those with the words in their names come first', async () => {
    await site.ask('/api/queue/', { method: 'POST', as: 'ada', json: { name: 'first' } })
    // The first 2,400 have the words in another text, as it were.
    const isThing = `i <= ${things}`
    const numbers = `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${items}) SELECT`
    const name = `CASE WHEN ${isThing} THEN 'thing ' ELSE 'an item ' END || i`
    const rows = `${numbers} i, 'item', CASE WHEN ${isThing} THEN 2 ELSE 0 END FROM n
      UNION ALL SELECT i, 'items', 2 FROM n WHERE i % 3 = 0 UNION ALL SELECT i, 'common', 2 FROM n`
    const lexemes = `CASE WHEN ${isThing} THEN '''item'':1C' ELSE '''item'':1A ''=item'':1A' END
      || CASE WHEN i % 3 = 0 THEN ' ''items'':1C' ELSE '' END || ' ''common'':1C'`
    await site.engine.store.write(function* () {
      yield* statement(`INSERT INTO queue (id, owner, name, name_key, unique_1, name_fold, name_words)
        ${numbers} i, 1, ${name}, ${name}, ${name}, ${name}, ${name} FROM n`)
      yield* site.database === 'PostgreSQL'
        ? statement(`INSERT INTO queue_words ${numbers} i, CAST(${lexemes} AS tsvector) FROM n`)
        : statement(`INSERT INTO queue_words (record, word, place) ${rows}`)
      yield* note({ resource: 'queue', ids: 'all' })
    })
    for (const [search, count] of [
      ['item', most],
      ['it', most],
      ['common item', most],
      ['items', most],
      ['thing', 0],
    ] as const) {
      const { json } = await site.ask(`/api/queue/?search=${encodeURIComponent(search)}&page_size=1000`)
      assert.equal(json.count, count, search)
      if (search === 'items' || count === 0) continue
      const named = json.results.filter(({ name }: any) => name.startsWith('an item'))
      assert.equal(named.length, search === 'common item' ? 0 : items - things, search)
    }
    // Pages do not say that there are no more.
    assert.match((await site.ask('/queue/?search=item')).text, /<p class="kind">2,000 or more wanted topics</)
    const page = (await site.ask('/find/?q=item')).text
    assert.match(page, /<p class="kind">2,0[0-9]{2} or more results</)
    assert.match(page, />2,000 or more</)
    assert.match(page, />More wanted topics</)
    // The others are those with the lowest ids.
    const found: number[] = []
    for (const page of [1, 2]) {
      const { json } = await site.ask(`/api/queue/?search=item&page_size=1000&page=${page}`)
      found.push(...json.results.map(({ queue_id }: any) => queue_id))
    }
    const others = most - (items - things)
    const expected = Array.from({ length: items }, (_, i) => i + 1).filter(
      (id) => id > things || (id > 1 && id <= others + 1),
    )
    assert.deepEqual(
      found.toSorted((a, b) => a - b),
      expected,
    )
  })
})

test('{search.same} both engines find the same records in the same order', async () => {
  const answers: string[][] = []
  const { Site } = await import('../support/site.ts')
  for (const engine of ENGINES) {
    const site = new Site(engine)
    await site.start()
    const texts: string[] = []
    for (const words of ['a', 'e s', 'the of', 'of the a', 'm', 'one', 'in', '1', 'ra', 'the man'].map(
      encodeURIComponent,
    )) {
      for (const collection of ['polynym', 'quadranym-id', 'fortune', 'quote', 'polyset', 'phrase']) {
        for (const more of ['', '&ordering=-id']) {
          const { text } = await site.ask(`/api/${collection}/?search=${words}&page_size=1000${more}`)
          texts.push(text.replaceAll(site.base, ''))
        }
      }
    }
    answers.push(texts)
    await site.stop()
    assert.deepEqual(site.bugs, [])
  }
  for (const other of answers) assert.deepEqual(other, answers[0])
})
