/**
 * Every record of the sample catalogue, exactly as a client gets it. The expected records are built here from the
 * sample's files: members in the documented order, references replaced by whole records, derived members computed
 * again.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { onEachEngine, type Site } from '../support/site.ts'
import { addWinners, WINNERS } from '../support/winners.ts'

type Members = Record<string, any>

const files = new Map<string, Members[]>()
const records = new Map<string, Members[]>()
const ofFile = (resource: string) => files.get(resource)!
const all = (collection: string) => records.get(collection)!

/** Records are stored in the order of their file, so the n-th has id n. JSON.stringify omits what is undefined. */
function expect(resource: string, build: (given: Members) => Members): void {
  const lines = () => readFileSync(`sample/${resource}.ndjson`, 'utf8').trimEnd().split('\n')
  files.set(resource, resource === 'winner' ? [...WINNERS] : lines().map((line) => JSON.parse(line)))
  number(resource, ofFile(resource).map(build))
}

function number(resource: string, built: readonly Members[]): void {
  const numbered = built.map((members, i) => ({ ...members, [`${resource}_id`]: i + 1 }))
  records.set(resource, JSON.parse(JSON.stringify(numbered)))
}

/** The sample refers to a record by its name, or by some of its members. */
function find(resource: string, reference: string | Members): Members {
  const wanted = Object.entries(typeof reference === 'string' ? { name: reference } : reference)
  const at = ofFile(resource).findIndex((given) => wanted.every(([member, value]) => given[member] === value))
  return all(resource)[at]!
}

const named = ({ name, user, src, area, wiki }: Members) => ({ name, user, src, area, wiki })
const head = (given: Members) => ({ ...named(given), likes: given['voters']?.length, voters: given['voters'] })
const slots = (given: Members, letter: string) =>
  Object.entries(given).filter(([member]) => new RegExp(`^${letter}[0-9]+$`).test(member))
const total = (polynyms: readonly Members[]) => polynyms.reduce((sum, { depth }) => sum + depth, 0)
const deepest = (polynyms: readonly Members[]) => Math.max(...polynyms.map(({ depth }) => depth))

/** [index, slot] of each token; in phrases and fables a token may lack its tag. */
const TAGGED = /\bq([1-9][0-9]*)([neros])[_^][A-Z]+\b/g
const UNTAGGED = /\bq([1-9][0-9]*)([neros])(?:[_^][A-Z]+)?\b/g
const tokens = (qode: string, grammar = TAGGED) =>
  Array.from(qode.matchAll(grammar), ([, index, slot]) => [Number(index), slot] as const)
const subs = (qode: string, grammar = TAGGED) =>
  tokens(qode, grammar)
    .map(([, slot]) => slot)
    .join('')
const highest = (qode: string, grammar = TAGGED) => Math.max(0, ...tokens(qode, grammar).map(([index]) => index))

expect('polynym', (given) => {
  const terms = slots(given, 'p')
  return { ...head(given), mode: given['mode'], depth: terms.length, ...Object.fromEntries(terms) }
})
expect('quadranym', (given) => {
  const { e, r, o, s, pos, epos, rpos, opos, spos, realm } = given
  return { ...head(given), e, r, o, s, pos, epos, rpos, opos, spos, realm }
})
expect('polyset', (given) => {
  const polynyms = given['polynyms'].map((each: string) => find('polynym', each))
  const sums = { length: polynyms.length, width: total(polynyms), depth: deepest(polynyms) }
  return { ...head(given), polynyms, ...sums }
})
expect('quadraset', (given) => {
  const quadranyms = given['quadranyms'].map((each: string) => find('quadranym', each))
  return { ...named(given), quadranyms, length: quadranyms.length }
})
expect('fortune', ({ body, qode = '', q1 = [], q2 = [] }) => {
  const found = (names: string[]) => names.map((name) => find('quadranym', name))
  return { body, qode, q1: found(q1), q2: found(q2), subs: subs(qode), depth: highest(qode) }
})
expect('quote', ({ body, qode, quadranym, src }) => {
  const slots = subs(qode)
  return { body, qode, quadranym: find('quadranym', quadranym), subs: slots, width: slots.length, src }
})
expect('fable', (given) => {
  const { qode, realm } = given
  const slots = subs(qode, UNTAGGED)
  return { ...head(given), qode, subs: slots, length: highest(qode, UNTAGGED), width: slots.length, realm }
})
expect('phrase', (given) => {
  const { qode, realm } = given
  const slots = subs(qode, UNTAGGED)
  return { ...head(given), qode, subs: slots, width: slots.length, realm }
})
expect('polymap', (given) => {
  const { pa, pb } = given
  const rows = Object.fromEntries(slots(given, 'r'))
  return { ...head(given), pa: find('polynym', pa), pb: find('polynym', pb), ...rows }
})
expect('queue', ({ name }) => ({ name }))
expect('story', (given) => ({ ...head(given), length: given['lines'].length, realm: given['realm'] }))
expect('tale', (given) => {
  const fable = find('fable', given['fable'])
  return { ...head(given), length: fable['length'], fable }
})
expect('vectornym', (given) => {
  const filled = slots(given, 'v').map(([member, name]) => [member, find('polynym', name)] as const)
  const polynyms = filled.map(([, polynym]) => polynym)
  const sums = { length: polynyms.length, width: total(polynyms), depth: deepest(polynyms) }
  return { ...head(given), ...sums, ...Object.fromEntries(filled), realm: given['realm'] }
})
expect('winner', ({ by, user, app, score, round }) => ({ by, user, app, score, round }))
number(
  'storyline',
  ofFile('story').flatMap(({ lines }, i) =>
    lines.map(({ phrase, quadranym }: Members, rank: number) => {
      return { rank, story: all('story')[i], phrase: find('phrase', phrase), quadranym: find('quadranym', quadranym) }
    }),
  ),
)
number(
  'taleline',
  ofFile('tale').flatMap(({ lines }, i) =>
    lines.map((quadranym: string, rank: number) => {
      return { rank, tale: all('tale')[i], quadranym: find('quadranym', quadranym) }
    }),
  ),
)
records.set(
  'quadranym-id',
  all('quadranym').map(({ name, quadranym_id }) => ({ name, quadranym_id })),
)

/** The collections, the marks that their records prove, and the order of their lists. */
const COLLECTIONS: Record<string, { marks: string; order: string[] }> = {
  polynym: { marks: '{polynym.members} {polynym.slots}', order: ['name', 'src'] },
  polyset: { marks: '{polyset.members} {polyset.sums}', order: ['name'] },
  quadranym: { marks: '{quadranym.members}', order: ['name'] },
  'quadranym-id': { marks: '{quadranym-id.members}', order: ['name'] },
  quadraset: { marks: '{quadraset.members} {quadraset.length}', order: ['name'] },
  fortune: { marks: '{fortune.members} {qode.subs} {qode.depth}', order: ['body'] },
  quote: { marks: '{quote.members} {qode.subs} {qode.width}', order: ['body'] },
  fable: { marks: '{own.members} {fable.length} {qode.width}', order: ['name'] },
  phrase: { marks: '{own.members} {qode.width}', order: ['name'] },
  polymap: { marks: '{own.members}', order: ['name'] },
  queue: { marks: '{own.members}', order: ['name'] },
  story: { marks: '{own.members} {story.length}', order: ['name'] },
  storyline: { marks: '{own.members} {line.rank}', order: ['story.story_id', 'rank'] },
  tale: { marks: '{own.members} {tale.length}', order: ['name'] },
  taleline: { marks: '{own.members} {line.rank}', order: ['tale.tale_id', 'rank'] },
  vectornym: { marks: '{own.members} {vectornym.slots} {vectornym.sums}', order: ['name'] },
  winner: { marks: '{own.members}', order: ['app', '-score'] },
}

/** UTF-8 bytes compare like code points. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const bytes = (text: unknown) => Buffer.from([...String(text).toLowerCase()].slice(0, 200).join(''))
  return Buffer.compare(bytes(a), bytes(b))
}

function sorted(list: readonly Members[], order: readonly string[]): Members[] {
  const value = (record: Members, path: string) => path.split('.').reduce((at, key) => at[key] ?? '', record) as any
  return list.toSorted((a, b) => {
    for (const key of [...order, Object.keys(a).at(-1)!]) {
      const path = key.replace(/^-/, '')
      const difference = compare(value(a, path), value(b, path))
      if (difference !== 0) return key === path ? difference : -difference
    }
    return 0
  })
}

const whole = async (site: Site, collection: string): Promise<Members[]> =>
  (await site.ask(`/api/${collection}/?page_size=1000`)).json.results

onEachEngine('Records', {}, (site) => {
  before(() => addWinners(site))
  after(() => assert.deepEqual(site.bugs, []))

  for (const [collection, { marks, order }] of Object.entries(COLLECTIONS)) {
    test(`${marks} every ${collection} has exactly its members, in their order`, async () => {
      const results = sorted(all(collection), order)
      assert.ok(results.length > 10)
      const { status, text, json } = await site.ask(`/api/${collection}/?page_size=1000`)
      // One by one first: a difference in a whole list is hard to see.
      results.forEach((record, i) => {
        assert.equal(JSON.stringify(json.results[i]), JSON.stringify(record))
      })
      assert.equal(text, JSON.stringify({ count: results.length, next: null, previous: null, results }))
      assert.equal(status, 200)
    })
  }

  test('{record.get} the address of a record returns what its list shows, to the byte', async () => {
    for (const collection of Object.keys(COLLECTIONS)) {
      for (const record of all(collection).filter((_, i) => i % 20 === 0)) {
        const { text, status } = await site.ask(`/api/${collection}/${Object.values(record).at(-1)}/`)
        assert.equal(text, JSON.stringify(record))
        assert.equal(status, 200)
      }
    }
  })

  test('{record.id} the last member of every record is its id, a positive integer', async () => {
    for (const collection of Object.keys(COLLECTIONS)) {
      for (const record of await whole(site, collection)) {
        const [member, id] = Object.entries(record).at(-1)!
        assert.equal(member, `${collection === 'quadranym-id' ? 'quadranym' : collection}_id`)
        assert.ok(Number.isInteger(id) && id > 0)
      }
    }
  })

  test('{record.optional} {record.likes} optional members are omitted, never null or empty', async () => {
    const optional = /^(src|area|wiki|likes|voters|[eros]?pos|realm|[prv][0-9]+)$/
    const seen = { with: new Set<string>(), without: 0 }
    const check = (record: Members) => {
      assert.equal(record['likes'], record['voters']?.length)
      for (const [member, value] of Object.entries(record)) {
        assert.notEqual(value, null)
        if (optional.test(member)) {
          seen.with.add(member)
          for (const empty of ['', 0, []]) assert.notDeepEqual(value, empty)
        }
        if (Array.isArray(value)) value.filter((each) => typeof each === 'object').forEach(check)
        else if (typeof value === 'object') check(value)
      }
      if (!('src' in record)) seen.without++
    }
    for (const collection of Object.keys(COLLECTIONS)) (await whole(site, collection)).forEach(check)
    for (const member of 'src area wiki likes voters pos epos rpos opos spos realm p12 r12 v4'.split(' ')) {
      assert.ok(seen.with.has(member), `the sample has no ${member}`)
    }
    assert.ok(seen.without > 0)
  })

  test('{record.embedded} an embedded record is what its own address shows', async () => {
    const embedded = new Map<string, string>()
    const gather = (value: any) => {
      if (typeof value !== 'object') return
      for (const inner of Object.values(value).flat() as any[]) {
        if (typeof inner !== 'object') continue
        const [id] = Object.entries(inner).at(-1)!
        const path = `/api/${id.slice(0, -'_id'.length)}/${inner[id]}/`
        const text = JSON.stringify(inner)
        assert.equal(embedded.get(path) ?? text, text)
        embedded.set(path, text)
        gather(inner)
      }
    }
    for (const collection of Object.keys(COLLECTIONS)) (await whole(site, collection)).forEach(gather)
    assert.ok(embedded.size > 300)
    for (const [path, text] of embedded) assert.equal((await site.ask(path)).text, text)
  })

  test('{json.compact} JSON has no white space and escapes no letter', async () => {
    const { text } = await site.ask('/api/polynym/?page_size=1000')
    assert.equal(text, JSON.stringify(JSON.parse(text)))
    assert.match(text, /[À-ž]/)
    assert.doesNotMatch(text, /\\u/)
  })

  test('{quadranym.shared-name} quadranyms may share a name', async () => {
    const names = (await whole(site, 'quadranym')).map(({ name }) => name)
    assert.ok(names.filter((name) => name === 'door').length > 1)
  })

  test('{quadranym-id.same} quadranym-id has an entry for each quadranym, in the same order', async () => {
    const entries = (await whole(site, 'quadranym')).map(({ name, quadranym_id }) => ({ name, quadranym_id }))
    assert.deepEqual(await whole(site, 'quadranym-id'), entries)
  })

  test('{fortune.plain} a fortune without tokens has this in every member', async () => {
    const plain = (await whole(site, 'fortune')).filter(({ qode }) => qode === '')
    assert.ok(plain.length > 0)
    for (const { body, fortune_id, ...rest } of plain) {
      assert.deepEqual(rest, { qode: '', q1: [], q2: [], subs: '', depth: 0 })
    }
  })

  test('{fortune.q1-q2} q2 has the quadranyms of several tokens, q1 those of one, found by index', async () => {
    let both = 0
    for (const { qode, q1, q2 } of await whole(site, 'fortune')) {
      const indexes = tokens(qode).map(([index]) => index)
      const used = [...new Set(indexes)].sort((a, b) => a - b)
      const often = used.map((index) => indexes.filter((each) => each === index).length > 1)
      // The k-th index means the k-th of q2 followed by q1.
      assert.deepEqual(often, [...q2.map(() => true), ...q1.map(() => false)])
      if (q1.length > 0 && q2.length > 0) both++
    }
    assert.ok(both > 0)
  })

  test('{phrase.break} the phrase named - has no token', async () => {
    const [dash] = (await whole(site, 'phrase')).filter(({ name }) => name === '-')
    assert.deepEqual([dash?.['qode'], dash?.['subs'], dash?.['width']], ['-', '', 0])
  })

  test('{phrase.one-topic} the tokens of a phrase all have index 1', async () => {
    for (const { qode } of await whole(site, 'phrase')) {
      for (const [index] of tokens(qode, UNTAGGED)) assert.equal(index, 1)
    }
  })

  test('{polymap.rows} a row of a polymap is a term of pa, a relation and a term of pb', async () => {
    for (const polymap of await whole(site, 'polymap')) {
      const terms = (polynym: Members) => slots(polynym, 'p').map(([, term]) => term)
      const [starts, ends] = [terms(polymap['pa']), terms(polymap['pb'])]
      const rows = slots(polymap, 'r')
      rows.forEach(([member, row], i) => {
        assert.equal(member, `r${i + 1}`)
        assert.ok(
          starts.some((a) =>
            ends.some((b) => row.startsWith(`${a},`) && /^,\w+,$/.test(row.slice(a.length, -b.length))),
          ),
          row,
        )
      })
    }
  })

  test('{record.voters} {record.likes} voters begins with the newest vote; without votes both are omitted', async () => {
    const vote = (as: string, method: string) => site.ask('/api/tale/1/vote/', { method, as })
    const { voters } = (await site.ask('/api/tale/1/')).json
    await vote('gus', 'POST')
    await vote('ann', 'POST')
    const after = (await site.ask('/api/tale/1/')).json
    assert.deepEqual([after.likes, after.voters], [voters.length + 2, ['ann', 'gus', ...voters]])
    for (const voter of after.voters) await vote(voter, 'DELETE')
    const { likes, voters: _, ...rest } = after
    assert.equal((await site.ask('/api/tale/1/')).text, JSON.stringify(rest))
  })

  test('{page.walk} pages follow each other without a gap or a repeat', async () => {
    for (const collection of Object.keys(COLLECTIONS)) {
      const list = await whole(site, collection)
      const walked: Members[] = []
      for (let path = `/api/${collection}/?page_size=9`; path; ) {
        const { json } = await site.ask(path)
        walked.push(...json.results)
        path = json.next?.slice(site.base.length)
      }
      assert.deepEqual(walked, list)
    }
  })
})
