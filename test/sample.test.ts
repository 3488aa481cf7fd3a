/** The sample catalogue, as a client sees it: large enough to browse, and with every case of the interface. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check, spin, tokens } from '../src/language/index.ts'
import { Site } from './support/site.ts'

type Json = Record<string, any>

const site = new Site('SQLite')
const lists = new Map<string, Json[]>()

/** At least this many of each; the first seven fill three pages and more. */
const COUNTS = {
  polynym: 500,
  quadranym: 220,
  polyset: 45,
  quadraset: 45,
  fortune: 130,
  quote: 130,
  'quadranym-id': 220,
  phrase: 60,
  fable: 15,
  tale: 10,
  story: 10,
  polymap: 20,
  vectornym: 12,
  queue: 25,
  storyline: 40,
  taleline: 20,
} as const

before(async () => {
  await site.start()
  for (const name of Object.keys(COUNTS)) {
    const { json } = await site.ask(`/api/${name}/?page_size=1000`)
    lists.set(name, json.results)
  }
})
after(() => site.stop())

const list = (name: keyof typeof COUNTS): Json[] => lists.get(name)!
const some = (name: keyof typeof COUNTS, what: string, holds: (record: Json) => boolean) =>
  assert.ok(list(name).some(holds), `no ${name} ${what}`)
const termsOf = (polynym: Json): string[] => Array.from({ length: polynym['depth'] }, (_, i) => polynym[`p${i + 1}`])
const fold = (text: string) => text.toLowerCase()

test('it has no winners: there are no games yet', async () => {
  assert.equal((await site.ask('/api/winner/')).json.count, 0)
})

test('there is enough of everything, by several people', () => {
  for (const [name, least] of Object.entries(COUNTS)) {
    const count = list(name as keyof typeof COUNTS).length
    assert.ok(count >= least, `${name}: ${count}`)
  }
  const people = new Set([...list('polynym'), ...list('quadranym'), ...list('phrase')].map(({ user }) => user))
  assert.ok(people.size >= 8)
  assert.ok(new Set(list('polynym').map(({ area }) => area)).size >= 25)
  const senses = Map.groupBy(list('quadranym'), ({ name }) => name)
  assert.ok([...senses.values()].filter((each) => each.length > 1).length >= 30)
})

test('the specified lists fill three pages, the last one shorter, with equal names across a page border', () => {
  for (const name of Object.keys(COUNTS).slice(0, 7) as (keyof typeof COUNTS)[]) {
    assert.ok(list(name).length > 40 && list(name).length % 20 !== 0, name)
  }
  const names = list('quadranym').map(({ name }) => name)
  assert.ok(names.some((name, i) => i > 0 && i % 20 === 0 && name === names[i - 1]))
})

test('names have mixed case and ids are out of order, and every way to sort them agrees', () => {
  for (const name of ['polynym', 'polyset', 'quadranym', 'quadraset', 'fortune', 'quote'] as const) {
    const keys = list(name).map((record) => String(record['name'] ?? record['body']))
    const ids = list(name).map((record) => record[`${name}_id`])
    assert.notDeepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    assert.deepEqual(keys.map(fold), keys.map(fold).toSorted())
    assert.deepEqual(keys.map(fold), keys.toSorted((a, b) => a.localeCompare(b, 'en')).map(fold), name)
    if (name === 'fortune' || name === 'quote') continue
    assert.notDeepEqual(keys, keys.toSorted(), `${name}: letter case decides nothing`)
  }
})

test('polynyms have all modes and depths, sentences, and none or all optional members', () => {
  for (let depth = 2; depth <= 12; depth++) some('polynym', `of depth ${depth}`, (each) => each['depth'] === depth)
  for (const mode of ['part', 'type', 'step']) some('polynym', mode, (each) => each['mode'] === mode)
  some('polynym', 'with a sentence', (each) => termsOf(each).some((term) => /^[A-Z].* .* .*\.$/.test(term)))
  const optional = ['src', 'area', 'wiki', 'voters']
  some('polynym', 'without options', (each) => optional.every((member) => !(member in each)))
  some('polynym', 'with all options', (each) => optional.every((member) => member in each))
})

test('sets have one or many members, and share members', () => {
  some('polyset', 'of one', ({ length }) => length === 1)
  some('polyset', 'of ten', ({ length }) => length >= 10)
  const members = list('polyset').flatMap(({ polynyms }) => polynyms.map((each: Json) => each['polynym_id']))
  assert.ok(new Set(members).size < members.length)
  assert.ok(list('quadraset').every((each) => !('likes' in each) && !('voters' in each)))
  for (const [set, member] of [
    ['polyset', 'polynym'],
    ['quadraset', 'quadranym'],
  ] as const) {
    const known = new Set(list(member).map((each) => each[`${member}_id`]))
    for (const each of list(set)) {
      const ids: number[] = each[`${member}s`].map((one: Json) => one[`${member}_id`])
      assert.equal(new Set(ids).size, each['length'], each['name'])
      for (const id of ids) assert.ok(known.has(id), `${set} ${each['name']} has ${member} ${id}`)
    }
  }
})

test('quadranyms have unfinished terms, all realms, tags, votes, and wiki as address and as remark', () => {
  for (const term of ['', '____']) some('quadranym', `with "${term}"`, ({ e, r, o, s }) => [e, r, o, s].includes(term))
  const realms = 'Spatial Emotional Volitional Temporal Social Perceptual Psychological Physical Dominion Energy'
  for (const realm of realms.split(' ')) some('quadranym', realm, (each) => each['realm'] === realm)
  for (const pos of ['NN', 'VB']) some('quadranym', pos, (each) => each['pos'] === pos)
  some('quadranym', 'with ADJ', ({ epos, rpos }) => epos === 'ADJ' || rpos === 'ADJ')
  some('quadranym', 'liked once', ({ likes }) => likes === 1)
  some('quadranym', 'liked often', ({ likes }) => likes > 2)
  some('quadranym', 'with an address', ({ wiki }) => /^https:\/\//.test(wiki ?? ''))
  some('quadranym', 'with a remark', ({ wiki }) => wiki !== undefined && !/^https?:/.test(wiki))
})

test('every wiki that looks like an address is one, over https', () => {
  for (const { wiki } of [...lists.values()].flat()) {
    if (!/^www\.|:\/\//.test(wiki ?? '')) continue
    assert.ok(URL.canParse(wiki), wiki)
    const { protocol, hostname, href } = new URL(wiki)
    assert.deepEqual([protocol, hostname.includes('.'), href], ['https:', true, wiki])
  }
})

test('fortunes have every kind of marks', () => {
  const of = (what: string, holds: (qode: string, fortune: Json) => boolean) =>
    some('fortune', what, (fortune) => holds(fortune['qode'], fortune))
  const slots = (qode: string) => tokens(qode).map(({ index, slot }) => `${index}${slot}`)
  of('plain', (qode, { q1, q2, subs, depth }) => qode === '' && q1.length + q2.length + subs.length + depth === 0)
  of('with one token', (qode) => slots(qode).length === 1)
  of('with a repeated token', (qode) => new Set(slots(qode)).size < slots(qode).length)
  of('with all five slots', (qode) => new Set(slots(qode).filter((slot) => slot.startsWith('1'))).size === 5)
  of('with three topics', (_, { depth }) => depth >= 3)
  of('with a caret', (qode) => tokens(qode).some(({ capital }) => capital))
  of('with q1 only', (_, { q1, q2 }) => q1.length > 0 && q2.length === 0)
  of('with q2 only', (_, { q1, q2 }) => q1.length === 0 && q2.length > 0)
  of('with both', (_, { q1, q2 }) => q1.length > 0 && q2.length > 0)
  of('with an author behind a dash', (_, { body }) => / -- [A-Z]/.test(body))
  of('with a contraction', (qode, { body }) => qode !== '' && /n't|'s /.test(body))
  assert.ok(list('fortune').filter(({ qode }) => qode !== '').length >= (2 * list('fortune').length) / 3 - 1)
})

test('quotes have line breaks, names, three tokens; all sixteen tags occur somewhere', () => {
  some('quote', 'with a line break', ({ body }) => body.includes('\n'))
  some('quote', 'with its topic in it', ({ subs }) => subs.includes('n'))
  some('quote', 'with three tokens', ({ width }) => width >= 3)
  const tags = new Set([...list('fortune'), ...list('quote')].flatMap(({ qode }) => tokens(qode).map(({ tag }) => tag)))
  const known = 'NN NNS NNP VB VBD VBG VBN VBP VBZ JJ JJS RB IN RP TO WRB'.split(' ')
  assert.deepEqual(
    known.filter((tag) => !tags.has(tag)),
    [],
  )
})

test('every marked text still matches its quadranyms, and told with them it is unchanged', () => {
  const marked = [
    ...list('fortune').map(({ body, qode, q1, q2 }) => ({ body, qode, quadranyms: [...q2, ...q1] })),
    ...list('quote').map(({ body, qode, quadranym }) => ({ body, qode, quadranyms: [quadranym] })),
  ].filter(({ qode }) => qode !== '')
  for (const { body, qode, quadranyms } of marked) {
    assert.deepEqual(check(body, qode, quadranyms), [], body)
    assert.equal(spin(qode, quadranyms).text, body)
  }
})

test('no two records are nearly the same', () => {
  const wordsOf = (text: string) => fold(text.replace(/ -- .*$/, '')).match(/[\p{L}\p{N}]+/gu) ?? []
  const texts = [...list('fortune'), ...list('quote')].map(({ body }) => wordsOf(body).join(' '))
  assert.deepEqual(
    texts.filter((text, i) => texts.indexOf(text) !== i),
    [],
  )
  const sameTerms = (name: 'polynym' | 'quadranym', terms: (record: Json) => string[]) => {
    const known = list(name).map((record) => ({ name: record['name'], terms: new Set(terms(record).map(fold)) }))
    return known.flatMap((a, i) =>
      known
        .slice(0, i)
        .filter((b) => a.terms.intersection(b.terms).size >= 0.8 * Math.max(a.terms.size, b.terms.size))
        .map((b) => `${name}: ${a.name} and ${b.name}`),
    )
  }
  assert.deepEqual(sameTerms('polynym', termsOf), [])
  assert.deepEqual(
    sameTerms('quadranym', ({ e, r, o, s }) => [e, r, o, s]),
    [],
  )
})

test('stories have four to twelve lines, tales one for each topic, and some topics of the queue are done', () => {
  for (const { name, length } of list('story')) assert.ok(length >= 4 && length <= 12, `${name}: ${length}`)
  const lines = Map.groupBy(list('taleline'), ({ tale }) => tale['tale_id'])
  for (const { tale_id, length } of list('tale')) assert.equal(lines.get(tale_id)?.length, length)
  const names = new Set(list('quadranym').map(({ name }) => name))
  const done = list('queue').filter(({ name }) => names.has(name)).length
  assert.ok(done > 0 && done < list('queue').length)
})
