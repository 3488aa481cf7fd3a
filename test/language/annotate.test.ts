/** Annotating: the right words become tokens, and spinning returns the text byte for byte. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  annotate,
  annotatedTokens,
  FormIndex,
  Passage,
  parse,
  spin,
  suggest,
  type TaggedQuadranym,
} from '../../src/language/index.ts'

const door = { name: 'door', e: 'open', r: 'close', o: 'barrier', s: 'passage' }
const river = { name: 'river', e: 'flow', r: 'dry up', o: 'water', s: '____' }
const rome = { name: 'Rome', e: 'up', r: 'down', o: '', s: 'build' }
const ALL = [door, river, rome]

function spunBack(body: string, quadranyms: readonly TaggedQuadranym[]): string {
  const { qode } = annotate(body, quadranyms)
  return qode === '' ? body : spin(qode, quadranyms).text
}

const CASES: readonly (readonly [body: string, qode: string])[] = [
  ['Open the door.', 'q1e_VB the q1n_NN.'],
  ['She opened the doors and closed them.', 'She q1e_VBD the q1n_NNS and q1r_VBD them.'],
  ['An open door is a passage.', 'An q1e_JJ q1n_NN is a q1s_NN.'],
  ['The river flows; the waters flowed.', 'The q2n_NN q2e_VBZ; the q2o_NNS q2e_VBD.'],
  ["Don't open it: it's a door's passage.", "Don't q1e_VB it: it's a q1n_NN's q1s_NN."],
  ['They called it the Door of doors.', 'They called it the q1n^NN of q1n_NNS.'],
  ["Rome wasn't built in a day.", "q3n_NNP wasn't q3s_VBN in a day."],
  ['DO NOT CLOSE THE DOOR NOW', 'DO NOT q1r_VB THE q1n_NN NOW'],
  ['NEVER SEE A RIVER TWICE', 'NEVER SEE A q2n_NN TWICE'],
  ['an "open" (door)', 'an "q1e_JJ" (q1n_NN)'],
  ['the q1e of a door', 'the q1e of a q1n_NN'],
  ['Nothing here.', ''],
  ['A door, and q1e_NN already.', ''],
  ['an open-door policy, indoors', ''],
  ['', ''],
]

test('words that are forms of the terms become tokens, everything else stays unchanged', () => {
  for (const [body, qode] of CASES) {
    assert.equal(annotate(body, ALL).qode, qode, body)
    assert.equal(spunBack(body, ALL), body)
  }
})

test('an index is the position in the given list, and the result says what matched once, more often and never', () => {
  const other = { ...door, name: 'x', e: 'y', r: 'z', o: 'w', s: 'v' }
  const { qode, q1, q2, unmatched, tokens } = annotate('Rivers flow to the door.', [door, other, river])
  assert.equal(qode, 'q3n_NNS q3e_VBP to the q1n_NN.')
  assert.deepEqual({ q1, q2, unmatched }, { q1: [door], q2: [river], unmatched: [other] })
  const { margin, ...first } = tokens[0]!
  assert.deepEqual(first, { word: 'Rivers', offset: 0, index: 3, slot: 'n', tag: 'NNS' })
  assert.ok(Math.abs(margin) < 5)
  // With the whole list, or with just what it needs in the order of the indexes.
  assert.equal(spin(qode, [door, other, river]).text, 'Rivers flow to the door.')
  assert.equal(spin(qode, [door, river]).text, 'Rivers flow to the door.')
})

test('a word that fits two goes to the first quadranym, and to the first of n e r o s', () => {
  assert.equal(annotate('a door', [river, { ...river, name: 'door' }, door]).qode, 'a q2n_NN')
  assert.equal(annotate('a door', [{ ...door, o: 'door', s: 'door' }]).qode, 'a q1n_NN')
})

test('parts of speech narrow the tags', () => {
  const plain = { name: 'light', e: '', r: '', o: '', s: '' }
  assert.equal(annotate('They must light the light.', [{ ...plain, pos: 'VB' }]).qode, 'They must q1n_VB the light.')
  assert.equal(annotate('They must light the light.', [{ ...plain, pos: 'NN' }]).qode, 'They must light the q1n_NN.')
})

test('a word is marked only if its sentence uses it as the term is meant', () => {
  const marked = (body: string, term: string, pos: string) =>
    annotate(body, [{ name: term, pos, e: '', r: '', o: '', s: '' }]).tokens.map(({ word, tag }) => `${word}_${tag}`)
  assert.deepEqual(marked("I'd love to go. Love is blind.", 'love', 'NOUN'), ['Love_NN'])
  assert.deepEqual(marked('When in doubt, tell the truth. I doubt it.', 'doubt', 'VERB'), ['doubt_VBP'])
  assert.deepEqual(marked('He was part of my dream. Friends must part.', 'part', 'VERB'), ['part_VB'])
  assert.deepEqual(marked('I saw a saw. The rose rose.', 'see', ''), ['saw_VBD'])
  assert.deepEqual(marked('He fell on stony ground.', 'grind', ''), [])
  assert.deepEqual(marked('Beware of Greeks bearing gifts.', 'bearing', 'NOUN'), [])
  assert.deepEqual(marked('The rising of the sun.', 'rise', 'VERB'), ['rising_VBG'])
  assert.deepEqual(marked('The world owes you a living. We live in a quiet beginning.', 'live', 'VERB'), ['live_VBP'])
  assert.deepEqual(marked('The door is closed. He closed it.', 'close', 'VERB'), ['closed_VBN', 'closed_VBD'])
  assert.deepEqual(marked('Give me liberty. They sold their Liberty.', 'liberty', 'NOUN'), ['liberty_NN', 'Liberty_NN'])
  assert.deepEqual(marked('We are one. One is none.', 'one', ''), ['one_NN', 'One_NN'])
})

test('small words are marked only where they mean their terms', () => {
  const marked = (body: string, name: string, e: string, r = '') =>
    annotate(body, [{ name, e, r, o: '', s: '' }]).tokens.map(({ word }) => word)
  for (const [body, name, e, r, words] of [
    ['Earth to earth, ashes to ashes.', 'travel', 'to', 'from', ''],
    ['To err is human.', 'travel', 'to', 'from', ''],
    ['They walk from door to door.', 'travel', 'to', 'from', 'from to'],
    ['From the heart comes what goes to the heart.', 'travel', 'to', 'from', 'From to'],
    ['A friend in need is a friend indeed.', 'boundary', 'out', 'in', ''],
    ['When the wine is in, the wit is out.', 'boundary', 'out', 'in', 'in out'],
    ['The fashion wears out more apparel than the man.', 'boundary', 'out', 'in', ''],
    ['Never give up.', 'way', 'up', 'down', ''],
    ['He climbed up and saw the sea.', 'way', 'up', 'down', 'up'],
    ['What goes up must come down.', 'way', 'up', 'down', 'up down'],
    ['The light is on, but he goes on.', 'switch', 'on', 'off', 'on'],
    ['I do not know what to do.', 'action', 'do', 'undo', 'do'],
    ['What does the Lord ask of you?', 'action', 'do', 'undo', ''],
    ['Men come and men go, but I go on for ever.', 'visit', 'come', 'go', 'come go'],
    ['It is going to rain when dreams come true.', 'visit', 'come', 'go', ''],
    ['If anything can go wrong, it will.', 'visit', 'come', 'go', ''],
    ['She gives a gift and gives up.', 'gift', 'give', 'receive', 'gives gift'],
    ['They have gone and have a house.', 'wealth', 'have', 'lack', 'have'],
    ['The nail gets hammered, and he got a letter.', 'trade', 'get', 'lose', 'got'],
    ['Most men talk more easily than the most polite ones.', 'quantity', 'many', 'few', 'Most'],
    ['You had better read a better book.', 'virtue', 'good', 'bad', 'better'],
    ['They tend to sleep when they tend a garden.', 'garden', 'tend', 'neglect', 'tend garden'],
    ['A flag stands for a land, and he stands still.', 'balance', 'stand', 'fall', 'stands'],
    ['The wall was built by Larry Wall.', 'wall', 'build', 'breach', 'wall built'],
    ['We do as the Romans do, and so do I.', 'action', 'do', 'undo', 'do do'],
    ['She does what he did; we know it as they do.', 'action', 'do', 'undo', 'does did'],
    ['Near the church, far from God.', 'distance', 'far', 'near', 'Near far'],
    ['You will be singled out for work in your town.', 'boundary', 'out', 'in', ''],
    ['Better go home. Better men are better.', 'virtue', 'good', 'bad', 'Better better'],
    ['We want no more taxes, and I can no more.', 'quantity', 'many', 'few', 'more'],
    ['Any very advanced machine advanced.', 'progress', 'advance', 'retreat', 'advanced'],
    ['As matters stand, I can’t stand him. A divided house cannot stand.', 'balance', 'stand', 'fall', 'stand'],
    ['Keep in mind that you keep a secret.', 'secret', 'reveal', 'keep', 'keep secret'],
    ['“Day of the Dove” is on the day. -- Bob "Day" Beck', 'day', 'dawn', 'set', 'day'],
    ['It is of Time magazine that time tells.', 'time', 'save', 'spend', 'time'],
    ['Hubble’s Law is a law.', 'law', 'permit', 'forbid', 'Law law'],
  ] as const) {
    const expected = words.split(' ').filter((word) => word !== '')
    assert.deepEqual(marked(body, name, e, r).toSorted(), expected.toSorted(), body)
  }
})

test('nothing is marked inside addresses, names of people, tags and paths', () => {
  const stays = [
    'https://example.com/open/door?close=1&open',
    'www.door.com',
    'door.org/open',
    '(ftp://open.door)',
    'open@door.com',
    '<open@door.com>',
    '#open',
    '“@door',
    '/open/door.txt',
    '~/door',
    './open',
    '../close',
    'C:\\door\\open',
    '<a href="door" title="open close">',
    '</door>',
    '&open;',
    'open_door',
  ]
  for (const text of stays) assert.equal(annotate(`They ${text} it.`, [door]).qode, '', text)
  const marked = [
    'open/close',
    '<b>door</b>',
    'a < door > b',
    'open: close',
    '(door)',
    '*open*',
    'open.Close',
    '-door-',
  ]
  for (const text of marked) assert.notEqual(annotate(`They ${text} it.`, [door]).qode, '', text)
})

test('a word that is not meant by the first quadranym goes to the next', () => {
  const terms = { e: '', r: '', o: '', s: '' }
  const [thing, deed] = [
    { ...terms, name: 'light', pos: 'NN' },
    { ...terms, name: 'dark', e: 'light', epos: 'VB' },
  ]
  assert.equal(annotate('They light a light.', [thing, deed]).qode, 'They q2e_VBP a q1n_NN.')
})

test('a form that spinning would write otherwise stays text, and is no other form', () => {
  const prove = { name: 'proof', e: 'prove', r: 'travel', o: 'fish', s: '' }
  const body = 'He has proved that fishes travelled. He proved it.'
  assert.equal(annotate(body, [prove]).qode, 'He has proved that fishes travelled. He q1e_VBD it.')
})

const read = (name: string) =>
  readFileSync(`sample/${name}.ndjson`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const quadranyms: TaggedQuadranym[] = read('quadranym')
const index = new FormIndex(quadranyms)
const bodies: string[] = [...read('fortune'), ...read('quote')].map(({ body }) => body)

test('every text of the sample catalogue comes back', () => {
  for (const body of bodies) {
    const chosen = suggest(body, index, { limit: 5 }).map(({ place }) => quadranyms[place]!)
    assert.equal(spunBack(body, chosen), body)
  }
})

test('quadranyms that are tried on one text, one after the other, mark what each marks alone', () => {
  for (let i = 0; i < bodies.length; i += 10) {
    const body = bodies.slice(i, i + 10).join(' ')
    const passage = new Passage(body)
    const found = suggest(passage, index, { limit: 12 })
    assert.deepEqual(found, suggest(body, new FormIndex(quadranyms, passage.distinctWords), { limit: 12 }))
    const chosen = found.map(({ place }) => quadranyms[place]!)
    for (const [k, quadranym] of chosen.entries()) {
      const alone = annotate(body, [quadranym])
      assert.deepEqual(annotate(passage, [quadranym]), alone)
      assert.deepEqual(annotatedTokens(passage, [quadranym]), alone.tokens)
      const several = chosen.slice(0, k + 1)
      assert.deepEqual(annotate(passage, several), annotate(body, several))
    }
  }
})

test('suggestions are ranked: rare words and several slots count more', () => {
  const index = new FormIndex([river, door, { ...door, name: 'gate', o: 'wall' }])
  const [best, second] = suggest('Close the doors; they are barriers.', index)
  assert.deepEqual([best!.place, best!.slots, second!.place], [1, 'rno', 2])
  assert.deepEqual(suggest('Nothing fits.', index), [])
  assert.equal(index.size, 3)
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 10_000, size: 'max' }),
  fc
    .array(
      fc.constantFrom(
        'door',
        'Doors',
        'DOOR',
        ' ',
        'an ',
        'A ',
        '. ',
        '"',
        "n't",
        "'s",
        '\n',
        'q1e_NN',
        '-',
        '^',
        '😀',
        'open',
      ),
      { maxLength: 2500, size: 'max' },
    )
    .map((parts) => parts.join('').slice(0, 10_000)),
)

test('no text makes it throw, and nothing outside the tokens changes', () => {
  fc.assert(
    fc.property(anyText, (body) => {
      const { qode, tokens } = annotate(body, ALL)
      assert.equal(spunBack(body, ALL), body)
      // With its words back in place of the tokens, the qode is the body.
      const words = tokens.map(({ word }) => word)
      const restored = parse(qode).map((piece) => (piece.kind === 'text' ? piece.text : words.shift()))
      if (qode !== '') assert.equal(restored.join(''), body)
    }),
    { numRuns: 60 },
  )
})

/** How many characters regular expressions read while `run` works. */
function workOf(run: () => unknown): number {
  const { exec } = RegExp.prototype
  let work = 0
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.lastIndex
    const match = exec.call(this, text)
    const goesOn = this.global || this.sticky
    work += match
      ? goesOn
        ? this.lastIndex - from
        : match.index + match[0].length
      : String(text).length - (goesOn ? from : 0)
    return match
  }
  try {
    run()
    return work
  } finally {
    RegExp.prototype.exec = exec
  }
}

test('twice the text takes at most twice the work, whatever the text', () => {
  const units = [
    'open door, ',
    'a ',
    'An ',
    'DOOR ',
    '"',
    "'",
    '- ',
    '-',
    '\n',
    '...',
    'q',
    'open-',
    'x’t ',
    'Door. ',
    'a a-a ',
    '((((',
    '1,',
    ' ',
  ]
  for (const unit of units) {
    const work = [1, 2, 4].map((times) => {
      const body = unit.repeat(Math.ceil((2000 * times) / unit.length))
      return workOf(() => spunBack(body, ALL))
    })
    assert.ok(work[1]! < 2.5 * work[0]! + 1000 && work[2]! < 2.5 * work[1]! + 1000, `${JSON.stringify(unit)}: ${work}`)
  }
})
