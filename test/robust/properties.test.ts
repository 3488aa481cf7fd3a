/**
 * Random bodies made from the declarations: valid ones are stored and returned exactly, all others are refused under a
 * member of the body. The judge below knows only the documented rules, not the code that applies them.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import { catalogue } from '../../src/catalogue/index.ts'
import { RELATIONS } from '../../src/catalogue/polymap.ts'
import { type AnyResource, fieldsOf, type Json, type MemberDescription } from '../../src/declare/index.ts'
import { NIGHTLY } from '../support/nightly.ts'
import { onEachEngine, type Reply, type Sent, type Site } from '../support/site.ts'
import { slots, UNIQUE } from './rules.ts'

const SEED = 20260725
const RUNS = NIGHTLY ? 40 : 12
const WRITER = 'staff-prop'
const PLAYERS = ['ada', 'Ben', WRITER]

/** Members that are undefined are not sent. */
type Body = Record<string, Json | undefined>
type RecordJson = Record<string, any>
/** Records that bodies may refer to, by resource. */
type Pool = Map<string, RecordJson[]>

interface Draft {
  readonly body: Body
  /** For a text made with tokens: the members it was made from, and the result. */
  readonly text?: { readonly given: Body; readonly comesOut: RecordJson | 'refused' }
}

/** Shown even if empty; other optional texts are then omitted. */
const SHOWN_EMPTY = new Set(['quadranym.e', 'quadranym.r', 'quadranym.o', 'quadranym.s', 'winner.by', 'fortune.qode'])

onEachEngine('Random bodies', { sample: false }, (site) => {
  const pool: Pool = new Map()
  const taken = new Set<string>()
  before(() => fill(site, pool))
  after(() => assert.deepEqual(site.bugs, []))

  for (const resource of catalogue) {
    test(`{record.optional} {record.embedded} a body for ${resource.name} comes back exactly, or is refused by member`, async () => {
      const outcomes = { made: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(drafts(resource, pool), fc.constantFrom('json', 'json', 'form', 'multipart'), (draft, way) =>
          check(site, resource, { draft, way, pool, taken, outcomes }),
        ),
        { seed: SEED, numRuns: RUNS },
      )
      assert.ok(outcomes.made >= RUNS / 5, `only ${outcomes.made} of ${RUNS} were made`)
      assert.ok(outcomes.refused >= RUNS / 20, `only ${outcomes.refused} of ${RUNS} were refused`)
    })
  }

  test('a body for quadranym-id creates a quadranym, and writing its entry back changes nothing', async () => {
    const quadranym = catalogue.find(({ name }) => name === 'quadranym')!
    await fc.assert(
      fc.asyncProperty(drafts(quadranym, pool), async ({ body }) => {
        const made = await ask(site, '/api/quadranym-id/', { method: 'POST', json: body })
        if (made.status === 400) return checkRefusal(made, quadranym)
        assert.equal(made.status, 201, made.text)
        const id = made.json.quadranym_id
        const full = await ask(site, `/api/quadranym/${id}/`)
        taken.add(identityOf(quadranym, full.json))
        assert.equal(made.text, JSON.stringify({ name: full.json.name, quadranym_id: id }))
        assert.equal(made.headers.location, `${site.base}/api/quadranym-id/${id}/`)
        const put = await ask(site, `/api/quadranym-id/${id}/`, { method: 'PUT', json: made.json })
        assert.deepEqual([put.status, put.text], [200, made.text])
        assert.equal((await ask(site, `/api/quadranym/${id}/`)).text, full.text)
        assert.equal((await ask(site, `/api/quadranym-id/${id}/`)).text, made.text)
      }),
      { seed: SEED, numRuns: RUNS / 2 },
    )
  })
})

interface Trial {
  readonly draft: Draft
  readonly way: string
  readonly pool: Pool
  /** The identities of the records made so far. */
  readonly taken: Set<string>
  readonly outcomes: { made: number; refused: number }
}

async function check(site: Site, resource: AnyResource, trial: Trial): Promise<void> {
  const { draft, way, pool, taken, outcomes } = trial
  const { name } = resource
  const made = await ask(site, `/api/${name}/`, { method: 'POST', ...encoded(draft.body, resource, way) })
  const expected = judge(resource, draft, pool)
  if ('wrong' in expected || ('unknown' in expected && made.status === 400)) {
    outcomes.refused++
    assert.equal(made.status, 400, made.text)
    checkRefusal(made, resource)
    if ('wrong' in expected) expected.wrong(Object.keys(made.json))
    return
  }
  if ('record' in expected) {
    const record = await embedding(site, resource, expected.record, pool)
    if (taken.has(identityOf(resource, record))) {
      outcomes.refused++
      assert.deepEqual([made.status, made.json], [400, notUnique(name)])
      return
    }
    assert.equal(made.status, 201, made.text)
    assert.equal(made.text, JSON.stringify({ ...record, [`${name}_id`]: made.json[`${name}_id`] }))
  }
  assert.equal(made.status, 201, made.text)
  outcomes.made++
  taken.add(identityOf(resource, made.json))
  const address = `/api/${name}/${made.json[`${name}_id`]}/`
  assert.equal(made.headers.location, site.base + address)
  const put = await ask(site, address, { method: 'PUT', json: made.json })
  assert.deepEqual([put.status, put.text], [200, made.text])
  const got = await ask(site, address)
  assert.deepEqual([got.status, got.text], [200, made.text])
}

function ask(site: Site, path: string, sent: Sent = {}): Promise<Reply> {
  return site.ask(path, { ...sent, as: WRITER })
}

/** Every error is about a member that the body may have, with a message. */
function checkRefusal({ json, text }: Reply, resource: AnyResource): void {
  const known = new Set([...writable(resource).map(({ member }) => member), 'non_field_errors'])
  assert.ok(Object.keys(json).length > 0, text)
  for (const [member, messages] of Object.entries(json)) {
    assert.ok(known.has(member), text)
    assert.ok(Array.isArray(messages) && messages.length > 0, text)
    for (const message of messages) assert.ok(typeof message === 'string' && message !== '', text)
  }
}

function notUnique(name: string): object {
  const members = UNIQUE[name]!
  if (members.length === 1) return { [members[0]!]: ['This field must be unique.'] }
  return { non_field_errors: [`The fields ${members.join(', ')} must make a unique set.`] }
}

function identityOf({ name }: AnyResource, record: RecordJson): string {
  const values = UNIQUE[name]!.map((member) => record[member]?.[`${member}_id`] ?? record[member] ?? '')
  return JSON.stringify([name, ...values])
}

/** As a form if a form can express it, otherwise as JSON. */
function encoded(body: Body, resource: AnyResource, way: string): Sent {
  const lists = new Set(fieldsOf(resource).flatMap(([key, field]) => (field.repeats ? field.members(key) : [])))
  const isPlain = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value.isWellFormed())
  const entries = Object.entries(body).filter(([, value]) => value !== undefined)
  const fits = entries.every(([member, value]) => {
    if (!/^\w+$/.test(member) || member === 'lines') return false
    return lists.has(member) ? Array.isArray(value) && value.length > 0 && value.every(isPlain) : isPlain(value)
  })
  if (way === 'json' || !fits) return { json: body }
  const pairs = entries.flatMap(([member, value]) =>
    [value].flat().map((each): [string, string] => [member, String(each)]),
  )
  if (way === 'form') {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return { headers: type, body: new URLSearchParams(pairs).toString() }
  }
  const parts = pairs.map(
    ([member, value]) => `--edge\r\nContent-Disposition: form-data; name="${member}"\r\n\r\n${value}\r\n`,
  )
  return { headers: { 'content-type': 'multipart/form-data; boundary=edge' }, body: `${parts.join('')}--edge--\r\n` }
}

interface Writable {
  readonly member: string
  readonly description: MemberDescription
  /** The resource it refers to. */
  readonly target?: string
  /** All the numbered members that belong together. */
  readonly slots?: readonly string[]
}

/** The members a client may give, as the declarations describe them. */
function writable(resource: AnyResource): Writable[] {
  const members: Writable[] = fieldsOf(resource).flatMap(([key, field]) => {
    const storage = field.storage(key)
    const names = field.members(key)
    return Object.entries(field.describe(key))
      .filter(([, description]) => !description.read_only)
      .map(([member, description]) => ({
        member,
        description,
        ...(storage.in === 'reference' || storage.in === 'links' ? { target: storage.to.name } : {}),
        ...(names.length > 1 ? { slots: names } : {}),
      }))
  })
  const common = { read_only: false, label: '' }
  if (resource.staffOnly) members.push({ member: 'user', description: { ...common, type: 'string', required: true } })
  if (resource.lines) members.push({ member: 'lines', description: { ...common, type: 'list', required: false } })
  return members
}

// What should happen.

type Expected =
  | { readonly record: RecordJson }
  | { readonly wrong: (members: string[]) => void }
  /** The server decides about a text without its qode. */
  | { readonly unknown: true }

/** A value that is stored (undefined: omitted), one that cannot be parsed, or a reference to nothing. */
type Verdict = { readonly kept: Json | undefined } | 'unreadable' | 'nowhere'

const exactly = (members: readonly string[]): Expected => ({
  wrong: (found) => assert.deepEqual(found.sort(), [...members].sort()),
})
/** If some slots cannot be parsed, none is looked up; every other reference to nothing is reported at once. */
const atLeast = (members: readonly string[], more: readonly string[]): Expected => ({
  wrong(found) {
    const looked = more.filter((member) => !/^v\d$/.test(member) || !members.some((other) => /^v\d$/.test(other)))
    assert.deepEqual(found.sort(), [...members, ...looked].sort())
  },
})
const someOf = (members: readonly string[]): Expected => ({
  wrong: (found) =>
    assert.ok(
      found.every((member) => members.includes(member)),
      found.join(),
    ),
})

function judge(resource: AnyResource, draft: Draft, pool: Pool): Expected {
  const { body } = draft
  const verdicts = new Map(writable(resource).map((each) => [each.member, judgeMember(resource, each, body, pool)]))
  const faulty = (fault: Verdict) => [...verdicts].filter(([, verdict]) => verdict === fault).map(([member]) => member)
  const unreadable = faulty('unreadable')
  const gaps = gapsOf(resource, body)
  const nowhere = faulty('nowhere')
  if (gaps.length > 0) return someOf([...unreadable, ...gaps, ...nowhere])
  // Lines are checked last, when the record itself is valid.
  const early = unreadable.filter((member) => member !== 'lines')
  if (early.length > 0) return atLeast(early, nowhere)
  if (nowhere.length > 0) return exactly(nowhere)
  if (unreadable.length > 0) return someOf(['lines', ...UNIQUE[resource.name]!])
  const kept = Object.fromEntries([...verdicts].map(([member, verdict]) => [member, (verdict as { kept: Json }).kept]))
  return judgeWhole(resource, draft, kept, pool)
}

function judgeMember(resource: AnyResource, each: Writable, body: Body, pool: Pool): Verdict {
  const { member, description, target } = each
  const given = body[member]
  if (member === 'lines') return judgeLines(resource, given, pool)
  if (member === 'user') return judgePlayer(given)
  if (each.slots && isEmpty(given)) return description.required ? 'unreadable' : { kept: undefined }
  switch (description.type) {
    case 'integer':
      return judgeInteger(given, description)
    case 'choice':
      return judgeChoice(given, description)
    case 'list':
      return judgeList(given, target!, description, pool)
    case 'field':
      return judgeReference(given, target!, pool)
    default: {
      const stays = SHOWN_EMPTY.has(`${resource.name}.${member}`) || member === 'qode'
      const verdict = judgeText(given, description, { nullable: !description.required && !stays })
      if (typeof verdict === 'string') return verdict
      if (/^[eros]?pos$/.test(member) && !/^[A-Z]*$/.test(String(verdict.kept))) return 'unreadable'
      return { kept: verdict.kept === '' && !stays ? undefined : verdict.kept }
    }
  }
}

function isEmpty(given: Json | undefined): boolean {
  return given === undefined || given === null || (typeof given === 'string' && given.trim() === '')
}

function judgeText(
  given: Json | undefined,
  { required, max_length }: MemberDescription,
  { nullable }: { readonly nullable: boolean },
): Verdict {
  if (given === undefined || (given === null && nullable)) return required ? 'unreadable' : { kept: '' }
  if (typeof given !== 'string' && typeof given !== 'number') return 'unreadable'
  const text = String(given).trim()
  if (text === '') return required ? 'unreadable' : { kept: '' }
  const storable = text.isWellFormed() && !text.includes('\0') && [...text].length <= max_length!
  return storable ? { kept: text } : 'unreadable'
}

function judgeInteger(given: Json | undefined, { min_value, max_value }: MemberDescription): Verdict {
  const readable = typeof given === 'number' || (typeof given === 'string' && /^\s*[+-]?\d+(\.0*)?\s*$/.test(given))
  const value = readable ? Number(given) : Number.NaN
  return Number.isInteger(value) && value >= min_value! && value <= max_value! ? { kept: value } : 'unreadable'
}

function judgeChoice(given: Json | undefined, { choices }: MemberDescription): Verdict {
  const chosen = typeof given === 'string' ? given.trim() : undefined
  return choices!.some(({ value }) => value === chosen) ? { kept: chosen } : 'unreadable'
}

function judgePlayer(given: Json | undefined): Verdict {
  const name = typeof given === 'string' ? given.trim().toLowerCase() : undefined
  const player = PLAYERS.find((each) => each.toLowerCase() === name)
  return player === undefined ? 'unreadable' : { kept: player }
}

/** The id of a reference; undefined if it has none. */
function idOf(given: Json | undefined, target: string): number | undefined {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  const id = isObject ? (given as Body)[`${target}_id`] : given
  if (typeof id === 'string') return /^\s*\d{1,15}\s*$/.test(id) ? Number(id) : undefined
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

function judgeReference(given: Json | undefined, target: string, pool: Pool): Verdict {
  const id = idOf(given, target)
  if (id === undefined) return 'unreadable'
  return pool.get(target)!.some((record) => record[`${target}_id`] === id) ? { kept: id } : 'nowhere'
}

function judgeList(given: Json | undefined, target: string, { required }: MemberDescription, pool: Pool): Verdict {
  if (given === undefined && !required) return { kept: [] }
  if (!Array.isArray(given) || (required && given.length === 0)) return 'unreadable'
  const ids = [...new Set(given.map((item) => idOf(item, target)))]
  if (ids.includes(undefined) || ids.length > 200) return 'unreadable'
  return ids.every((id) => judgeReference(id, target, pool) !== 'nowhere') ? { kept: ids as number[] } : 'nowhere'
}

/** How many lines there are. A line of a tale may be the quadranym itself. */
function judgeLines({ lines }: AnyResource, given: Json | undefined, pool: Pool): Verdict {
  if (given === undefined) return { kept: 0 }
  if (!Array.isArray(given)) return 'unreadable'
  const right = given.every((line) =>
    (lines!.shorthand ? [lines!.shorthand] : ['phrase', 'quadranym']).every((member) => {
      const holds = typeof line === 'object' && line !== null && member in line
      const reference = holds ? (line as Body)[member] : lines!.shorthand ? line : undefined
      return typeof judgeReference(reference, member, pool) === 'object'
    }),
  )
  return right ? { kept: given.length } : 'unreadable'
}

/** Filled slots after an empty one. */
function gapsOf(resource: AnyResource, body: Body): string[] {
  return writable(resource)
    .filter(({ member, slots, description }) => {
      if (!slots || description.required || isEmpty(body[member])) return false
      return slots.slice(0, slots.indexOf(member)).some((name) => isEmpty(body[name]))
    })
    .map(({ member }) => member)
}

/** Rules between members. */
function judgeWhole({ name }: AnyResource, { body, text }: Draft, kept: RecordJson, pool: Pool): Expected {
  if (name === 'polymap') {
    const terms = (id: number) => {
      const polynym = pool.get('polynym')!.find((each) => each['polynym_id'] === id)!
      return slots('p', polynym['depth']).map((slot) => polynym[slot])
    }
    const [from, to] = [terms(kept['pa']), terms(kept['pb'])]
    const admitted = new Set(from.flatMap((a) => to.flatMap((b) => [...RELATIONS].map((r) => `${a},${r},${b}`))))
    const wrong = slots('r', 12).filter((row) => kept[row] !== undefined && !admitted.has(kept[row]))
    return wrong.length > 0 ? exactly(wrong) : { record: kept }
  }
  if (!text) return { record: kept }
  const asMade = Object.entries(text.given).every(([m, value]) => JSON.stringify(value) === JSON.stringify(body[m]))
  if (!asMade) return { unknown: true }
  return text.comesOut === 'refused' ? exactly(['qode']) : { record: { ...kept, ...text.comesOut } }
}

/** The record in the order of its members, with what it embeds and what follows from that. */
async function embedding(site: Site, resource: AnyResource, kept: RecordJson, pool: Pool): Promise<RecordJson> {
  const whole: RecordJson = { user: WRITER, ...kept }
  for (const { member, target } of writable(resource)) {
    if (!target || whole[member] === undefined) continue
    const find = async (id: number) =>
      // Its length grows while lines are created.
      target === 'story'
        ? (await site.ask(`/api/story/${id}/`)).json
        : pool.get(target)!.find((record) => record[`${target}_id`] === id)
    const ids = [whole[member]].flat()
    const records = await Promise.all(ids.map(find))
    whole[member] = Array.isArray(whole[member]) ? records : records[0]
  }
  const filled = (prefix: string, count: number) =>
    slots(prefix, count).flatMap((slot) => (whole[slot] === undefined ? [] : [whole[slot]]))
  const sums = (polynyms: RecordJson[]) => ({
    length: polynyms.length,
    width: polynyms.reduce((sum, { depth }) => sum + depth, 0),
    depth: Math.max(...polynyms.map(({ depth }) => depth)),
  })
  const follows: Readonly<Record<string, () => object>> = {
    polynym: () => ({ depth: filled('p', 12).length }),
    polyset: () => sums(whole['polynyms']),
    vectornym: () => sums(filled('v', 9)),
    quadraset: () => ({ length: whole['quadranyms'].length }),
    story: () => ({ length: whole['lines'] }),
    tale: () => ({ length: whole['fable'].length }),
  }
  Object.assign(whole, follows[resource.name]?.())
  const members = fieldsOf(resource).flatMap(([key, field]) => field.members(key))
  return Object.fromEntries(members.filter((m) => whole[m] !== undefined).map((m) => [m, whole[m]]))
}

// Bodies.

const ODD_TEXTS: readonly Json[] = [
  null,
  true,
  [],
  ['x'],
  {},
  { toString: 1 },
  '',
  ' \n',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\udbffx',
]
const ODD_NUMBERS: readonly Json[] = [null, true, '', 'x', '7.5', 7.5, 1e300, '1e3', -1e15, 99999999999, [], {}, '٣']
const ODD_REFERENCES: readonly Json[] = [
  null,
  true,
  '',
  'x',
  '1.5',
  1.5,
  1e300,
  '-1',
  [],
  {},
  { id: 1 },
  '1'.repeat(16),
]
const NOWHERE: readonly Json[] = [0, -1, 987654, '987654', 2 ** 53 - 1]

/** Mostly the valid ones. Undefined is a missing member. */
function mostly<T>(good: Arbitrary<T>, ...odd: readonly Arbitrary<T>[]): Arbitrary<T> {
  return fc.oneof({ weight: 30, arbitrary: good }, ...odd.map((arbitrary) => ({ weight: 1, arbitrary })))
}

const padded = (text: Arbitrary<string>): Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', '', '', ' ', '\n\t', '\u00a0'), text, fc.constantFrom('', '', ' \r\n', '\ufeff\u3000'))
    .map((parts) => parts.join(''))

/** Any code points that can be stored and that the text may have; up to its maximum length. */
function texts(max: number): Arbitrary<Json> {
  const words = fc.constantFrom(
    'sun',
    'Moon',
    'été',
    '雨',
    'naïve',
    '😀',
    'a-b',
    "o'clock",
    'e\u0301',
    'x,y',
    '-',
    '<b>"&',
  )
  return fc.oneof(
    { weight: 6, arbitrary: padded(fc.array(words, { minLength: 1, maxLength: 3 }).map((all) => all.join(' '))) },
    {
      weight: 3,
      arbitrary: padded(
        fc
          .string({ unit: 'binary', minLength: 1, maxLength: Math.min(max, 30) })
          .map((text) => text.replaceAll('\0', '\u0001')),
      ),
    },
    { weight: 1, arbitrary: padded(fc.constantFrom('x', 'é', '😀').map((letter) => letter.repeat(max))) },
    { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.constantFrom(0.5, 1e15, -7)) },
  )
}

function memberValues({ member, description, target }: Writable, pool: Pool): Arbitrary<Json | undefined> {
  const missing = fc.constant(undefined)
  const { type, required, max_length = 0, choices = [], min_value = 0, max_value = 0 } = description
  const sometimes = (good: Arbitrary<Json>): Arbitrary<Json | undefined> => (required ? good : fc.oneof(good, missing))
  if (type === 'integer') {
    const whole = fc.oneof(fc.integer({ min: min_value, max: max_value }), fc.constantFrom(min_value, max_value))
    const good = fc.oneof(
      whole,
      whole.map(String),
      whole.map((value) => ` ${value}.0 `),
    )
    const beyond = fc.constantFrom<Json>(min_value - 1, max_value + 1)
    return mostly<Json | undefined>(good, missing, beyond, fc.constantFrom(...ODD_NUMBERS))
  }
  if (type === 'choice') {
    const good = padded(fc.constantFrom(...choices.map(({ value }) => value)))
    return mostly<Json | undefined>(good, missing, fc.constantFrom(...ODD_TEXTS, 'PART', 'x'))
  }
  if (type === 'field') return references(target!, pool)
  if (type === 'list') {
    const items = references(target!, pool).filter((given) => given !== undefined)
    const tooMany = fc.constant(Array.from({ length: 201 }, (_, i) => i + 1))
    return mostly<Json | undefined>(
      fc.array(items as Arbitrary<Json>, { minLength: 1, maxLength: 4 }),
      missing,
      tooMany,
      fc.constantFrom<Json>([], null, 'x', 7, {}),
    )
  }
  if (/^[eros]?pos$/.test(member)) {
    const good = fc.constantFrom('NN', 'VB', 'ADJ', 'ABCDEFGH', ' NN ')
    return mostly<Json | undefined>(sometimes(good), fc.constantFrom(...ODD_TEXTS, 'nn', 'N N', 'ABCDEFGHI', 'É', 7))
  }
  const tooLong = fc.constantFrom('x', '😀').map((letter) => letter.repeat(max_length + 1))
  return mostly<Json | undefined>(sometimes(texts(max_length)), missing, tooLong, fc.constantFrom(...ODD_TEXTS))
}

/** As an id, as a form sends it, as an object that has the id, and as GET gives it. */
function references(target: string, pool: Pool): Arbitrary<Json | undefined> {
  const known = fc.constantFrom(...pool.get(target)!)
  const id = `${target}_id`
  const good = fc.oneof(
    known.map((record): Json => record[id]),
    known.map((record): Json => ` ${record[id]} `),
    known.map((record): Json => ({ [id]: record[id] })),
    known.map((record): Json => ({ ...record, name: 'ignored' })),
  )
  return mostly<Json | undefined>(good, fc.constantFrom(...ODD_REFERENCES, undefined), fc.constantFrom(...NOWHERE))
}

function drafts(resource: AnyResource, pool: Pool): Arbitrary<Draft> {
  const members = writable(resource)
  const single = members.filter(({ member, slots }) => !slots && member !== 'lines' && member !== 'user')
  const parts: Arbitrary<Body>[] = [
    fc.record(Object.fromEntries(single.map((each) => [each.member, memberValues(each, pool)]))),
    extras(resource),
  ]
  const [first] = members.filter(({ slots }) => slots)
  if (first && resource.name !== 'polymap') parts.push(filledSlots(members, first.slots!, pool))
  if (resource.name === 'polymap') parts.push(rows(pool))
  if (resource.staffOnly) {
    const odd = fc.constantFrom<Json | undefined>(undefined, null, '', 7, {}, 'nobody', 'a\0b', '\ud800')
    parts.push(fc.record({ user: fc.oneof(fc.constantFrom(...PLAYERS), fc.constantFrom(...PLAYERS, ' ADA '), odd) }))
  }
  if (resource.lines) parts.push(fc.record({ lines: lines(resource, pool) }))
  const bodies = fc
    .tuple(...parts)
    .map((given): Body => Object.fromEntries(given.flatMap((part) => Object.entries(part))))
  const text = textsWithTokens(resource, pool)
  if (!text) return bodies.map((body) => ({ body }))
  // Sometimes a member of the text is not what it was made with.
  const spoil = fc.constantFrom('', '', '', '', '', '', 'body', 'qode', 'q1', 'q2', 'quadranym')
  return fc.tuple(bodies, text, spoil).map(([body, made, spoiled]) => ({
    body: { ...body, ...made.given, ...(spoiled in made.given ? { [spoiled]: body[spoiled] } : {}) },
    text: made,
  }))
}

/** Members that the server decides, and unknown members: all are ignored. */
function extras(resource: AnyResource): Arbitrary<Body> {
  const given = new Set(writable(resource).map(({ member }) => member))
  const decided = fieldsOf(resource).flatMap(([key, field]) => field.members(key))
  const names = [...decided, `${resource.name}_id`, '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'p13', '']
  const free = names.filter((name) => !given.has(name))
  return fc
    .array(fc.tuple(fc.constantFrom(...free), fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 2 }))), { maxLength: 3 })
    .map((pairs) => Object.fromEntries(pairs) as Body)
}

/** Filled from the first; sometimes with blanks after the last, with a gap, or with something odd in between. */
function filledSlots(members: readonly Writable[], names: readonly string[], pool: Pool): Arbitrary<Body> {
  const first = members.find(({ member }) => member === names[0])!
  const least = members.filter(({ slots, description }) => slots && description.required).length
  const hole = fc.record({
    at: fc.constantFrom(...names),
    value: fc.constantFrom<Json | undefined>(undefined, null, '', ' '),
  })
  const holes = mostly<readonly { at: string; value: Json | undefined }[]>(fc.constant([]), fc.tuple(hole))
  return fc
    .tuple(fc.array(memberValues(first, pool), { minLength: least, maxLength: names.length }), holes)
    .map(([values, odd]) =>
      Object.fromEntries([...values.map((value, i) => [names[i], value]), ...odd.map(({ at, value }) => [at, value])]),
    )
}

/** Rows of a polymap, for all the polynyms there are; pa and pb are named again so that most rows fit. */
function rows(pool: Pool): Arbitrary<Body> {
  const polynyms = pool.get('polynym')!
  const polynym = fc.constantFrom(...polynyms)
  const term = ({ depth, ...rest }: RecordJson, place: number) => rest[`p${(place % depth) + 1}`]
  return fc.tuple(polynym, polynym).chain(([pa, pb]) => {
    const row = fc
      .tuple(fc.nat(11), fc.constantFrom(...RELATIONS), fc.nat(11))
      .map(([a, relation, b]): Json => `${term(pa, a)},${relation},${term(pb, b)}`)
    const odd = fc.constantFrom<Json>('x', 'a,b,c', ',,', 7, true, 'x'.repeat(1201), 'sun,IsA,moon')
    return fc.array(mostly(row, odd), { maxLength: 4 }).map((given) => ({
      pa: pa['polynym_id'],
      pb: pb['polynym_id'],
      ...Object.fromEntries(given.map((each, i) => [`r${i + 1}`, each])),
    }))
  })
}

function lines(resource: AnyResource, pool: Pool): Arbitrary<Json | undefined> {
  const quadranym = references('quadranym', pool) as Arbitrary<Json>
  const line = resource.lines!.shorthand
    ? fc.oneof(quadranym, fc.record({ quadranym }))
    : fc.record({ phrase: references('phrase', pool) as Arbitrary<Json>, quadranym })
  const good = fc.array(line, { maxLength: 3 }) as Arbitrary<Json>
  return mostly<Json | undefined>(
    fc.oneof(good, fc.constant(undefined)),
    fc.constantFrom<Json>(null, 'x', {}, [7, 'x'], [null]),
  )
}

interface Word {
  readonly word: string
  readonly after: string
  /** What it is replaced with, if it is. */
  readonly topic: number | undefined
  readonly slot: string
  readonly tag: string | undefined
  readonly mark: string
  /** Spacing of the qode that the body does not have. */
  readonly space: string
}

function words(topics: number, { untagged }: { readonly untagged: boolean }): Arbitrary<Word[]> {
  const tags = ['NN', 'VBZ', 'JJ', 'NNP', 'X']
  const word = fc.record({
    word: fc.constantFrom(
      'time',
      'Été',
      '雨',
      'x1',
      'e\u0301t',
      "don't",
      'well-known',
      '𝔘b',
      'Q',
      untagged ? 'p1e' : 'q1e',
    ),
    after: fc.constantFrom(' ', ' ', ', ', '. ', ' — ', '\n', '! 😀 '),
    topic: fc.oneof(fc.nat(topics - 1), fc.constant(undefined)),
    slot: fc.constantFrom(...'neros'),
    tag: fc.constantFrom(...tags, ...(untagged ? [undefined, undefined] : [])),
    mark: fc.constantFrom('_', '_', '^', 'Q'),
    space: fc.constantFrom('', '', ' ', '\n'),
  })
  return fc.array(word, { minLength: 1, maxLength: 10 })
}

const bodyOf = (all: readonly Word[]) => all.map(({ word, after }) => word + after).join('')

/** The text with its tokens numbered like this, as a user may spell it or as it is stored. */
function qodeOf(all: readonly Word[], numberOf: (topic: number) => number, spelling: 'any' | 'stored'): string {
  const token = ({ topic, slot, tag, mark }: Word) => {
    const old = mark === 'Q' && (spelling === 'any' || tag === undefined)
    const head = `${old ? 'Q' : 'q'}${numberOf(topic!)}${slot}`
    return tag === undefined ? head : `${head}${mark === '_' || old ? '_' : '^'}${tag}`
  }
  return all.map((each) => each.space + (each.topic === undefined ? each.word : token(each)) + each.after).join('')
}

/** Texts whose tokens are known, because they were put there. */
function textsWithTokens(resource: AnyResource, pool: Pool): Arbitrary<NonNullable<Draft['text']>> | undefined {
  const subsOf = (all: readonly Word[]) => all.map(({ topic, slot }) => (topic === undefined ? '' : slot)).join('')
  switch (resource.name) {
    case 'fable':
    case 'phrase': {
      const isFable = resource.name === 'fable'
      return words(isFable ? 4 : 1, { untagged: true }).map((all) => {
        const subs = subsOf(all)
        const highest = Math.max(0, ...all.map(({ topic }) => (topic ?? -1) + 1))
        const qode = qodeOf(all, (topic) => topic + 1, 'stored').trim()
        const record = { qode, subs, ...(isFable ? { length: highest } : {}), width: subs.length }
        return { given: { qode: qodeOf(all, (topic) => topic + 1, 'any') }, comesOut: subs ? record : 'refused' }
      })
    }
    case 'quote': {
      const quadranym = fc.constantFrom(...pool.get('quadranym')!.map((record) => record['quadranym_id'] as number))
      return fc.tuple(words(1, { untagged: false }), quadranym).map(([all, id]) => {
        const subs = subsOf(all)
        const qode = qodeOf(all, () => 1, 'stored').trim()
        return {
          given: { body: bodyOf(all), qode: qodeOf(all, () => 1, 'any'), quadranym: id },
          comesOut: subs ? { body: bodyOf(all).trim(), qode, subs, width: subs.length } : 'refused',
        }
      })
    }
    case 'fortune': {
      const ids = pool.get('quadranym')!.map((record) => record['quadranym_id'] as number)
      const chosen = fc.shuffledSubarray(ids, { minLength: 3, maxLength: 3 })
      return fc
        .tuple(words(3, { untagged: false }), chosen, fc.nat(3), fc.constantFrom(1, 2, 5))
        .map(([all, order, cut, step]) => fortuneOf(all, order, cut, step, subsOf(all)))
    }
    default:
      return undefined
  }
}

/** The quadranyms may come in either list and with gaps in their numbers; they are sorted by how many words they have. */
function fortuneOf(all: readonly Word[], order: number[], cut: number, step: number, subs: string) {
  const used = [...new Set(all.flatMap(({ topic }) => (topic === undefined ? [] : [topic])))].sort()
  const given = order.slice(0, used.length)
  const often = (topic: number) => all.filter((each) => each.topic === topic).length > 1
  const sorted = [...used.filter(often), ...used.filter((topic) => !often(topic))]
  const idsOf = (topics: number[]) => topics.map((topic) => given[used.indexOf(topic)]!)
  const number = (topic: number) => (used.indexOf(topic) + 1) * step
  return {
    given: {
      body: bodyOf(all),
      qode: qodeOf(all, number, 'any'),
      q2: given.slice(0, cut),
      q1: given.slice(cut),
    },
    comesOut: {
      body: bodyOf(all).trim(),
      qode: used.length > 0 ? qodeOf(all, (topic) => sorted.indexOf(topic) + 1, 'stored').trim() : '',
      q1: idsOf(used.filter((topic) => !often(topic))),
      q2: idsOf(used.filter(often)),
      subs,
      depth: used.length,
    },
  }
}

/** Some records to refer to. */
async function fill(site: Site, pool: Pool): Promise<void> {
  for (const player of PLAYERS) await site.ask('/api/', { as: player })
  const make = async (resource: string, ...bodies: object[]) => {
    const records = []
    for (const json of bodies) {
      const made = await ask(site, `/api/${resource}/`, { method: 'POST', json })
      assert.equal(made.status, 201, made.text)
      records.push(made.json)
    }
    pool.set(resource, records)
    return records
  }
  await make(
    'polynym',
    { name: 'pool one', mode: 'part', p1: 'a, b', p2: 'c' },
    { name: 'pool two', mode: 'step', p1: 'c', p2: 'b,IsA,c', p3: 'été', src: 'us' },
    { name: 'pool three', mode: 'type', ...Object.fromEntries(slots('p', 12).map((slot) => [slot, `t ${slot}`])) },
  )
  await make(
    'quadranym',
    ...['one', 'two', 'three', 'four'].map((word) => ({ name: `pool ${word}`, e: word, pos: 'NN' })),
  )
  await make('phrase', { name: 'pool', qode: 'pool q1e' }, { name: '-', qode: '-' })
  const [, fable] = await make('fable', { name: 'pool', qode: 'pool q1e' }, { name: 'pool', qode: 'pool q3e q1n' })
  await make('story', { name: 'pool one' }, { name: 'pool two' })
  await make('tale', { name: 'pool', fable: fable!.fable_id })
}
