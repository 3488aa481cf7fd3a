/** Spinning: tokens become words, inflected, capitalised, with the right article. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { articleFor, fitOf, fits, type Repair, spin, tokens, tokensInPlace, wordFor } from '../../src/language/index.ts'

const door = { name: 'door', e: 'open', r: 'close', o: 'barrier', s: 'passage' }
const river = { name: 'river', e: 'flow', r: 'dry', o: 'water', s: 'journey' }

const CASES: readonly (readonly [qode: string, text: string])[] = [
  ['q1e_VB the q1n_NN.', 'Open the door.'],
  ['They q1e_VBD every q1n_NN; q1r_VBG is not q1e_VBG.', 'They opened every door; closing is not opening.'],
  ['He said. q1n_NNS q1e_VBP.', 'He said. Doors open.'],
  ['An q1n_NN and a q1e_JJ q1n_NN', 'A door and an open door'],
  ['A q1e_JJ mind, AN q1n_NN', 'An open mind, A DOOR'],
  ['the q1n^NN of q1n_NNP', 'the Door of Door'],
  ['SHUT THAT q1n_NN NOW', 'SHUT THAT DOOR NOW'],
  ['He asked, "q1r_VB it?"', 'He asked, "Close it?"'],
  ['q2n_NN and q1n_NN', 'River and door'],
  ['q7n_NN and q3n_NN', 'River and door'],
  ['TELL A q1r_NN NOW, or a "q1e_NN"', 'TELL A CLOSE NOW, or an "open"'],
  ['no tokens, q0e_NN q1x_NN', 'no tokens, q0e_NN q1x_NN'],
  ['', ''],
]

test('tokens become the words of their quadranyms', () => {
  for (const [qode, text] of CASES) assert.equal(spin(qode, [door, river]).text, text, qode)
})

test('untagged tokens show the term unchanged, where they are tokens', () => {
  assert.equal(spin('from q1e to q1r', [door], { untagged: true }).text, 'from open to close')
  assert.equal(spin('from q1e to q1r', [door]).text, 'from q1e to q1r')
})

test('spans say where each word is and what it came from', () => {
  const { text, spans } = spin('An q1n_NN q1e_VBZ.', [door])
  assert.equal(text, 'A door opens.')
  assert.deepEqual(spans, [
    { offset: 2, length: 4, index: 1, slot: 'n', token: 'q1n_NN' },
    { offset: 7, length: 5, index: 1, slot: 'e', token: 'q1e_VBZ' },
  ])
})

test('repairs say what was changed beyond the tokens, and where', () => {
  const { text, spans, repairs } = spin('An q1n_NN of more q1e_JJR q1r_NNS.', [door])
  assert.equal(text, 'A door of more open closes.')
  assert.deepEqual(repairs, [
    { offset: 0, was: 'An', now: 'A', rule: 'a-or-an' },
    { offset: 10, was: 'more ', now: '', rule: 'comparison' },
  ])
  assert.deepEqual(
    spans.map(({ offset, length }) => text.slice(offset, offset + length)),
    ['door', 'more open', 'closes'],
  )
})

test('a strict filling corrects "a" and "an", and nothing else', () => {
  const { text, repairs } = spin('An q1n_NN is more q1e_JJR.', [door], { strict: true })
  assert.equal(text, 'A door is more more open.')
  assert.deepEqual(repairs, [{ offset: 0, was: 'An', now: 'A', rule: 'a-or-an' }])
})

test('a word that no form or derived word makes fit has a sign, and strict filling derives nothing', () => {
  const power = { name: 'gust', e: 'strong', r: 'weak', o: 'zorp', s: 'how' }
  const qode = 'It q1e_VBZ and q1r_VBZ q1n_RB q1o_RB q1s_IN it.'
  const { text, spans } = spin(qode, [power])
  assert.equal(text, 'It strengthens and weakens gust zorp how it.')
  assert.deepEqual(
    spans.map(({ fits }) => fits),
    [undefined, undefined, false, undefined, false],
  )
  assert.equal(spin(qode, [power], { strict: true }).text, 'It strongs and weaks gust zorp how it.')
})

test('how well a quadranym fits: its worst term decides', () => {
  const power = { name: 'gust', e: 'strong', r: 'weak', o: 'zorp', s: 'breeze' }
  const cases = {
    'q1e_JJ q1n_NN': 3,
    'q1e_JJ q1r_VB': 2,
    'q1o_NN q1e_VB': 1,
    'q1n_VB q1e_JJ': 1,
    'q1n_RB q1e_JJ': 0,
    'no token': 3,
  }
  for (const [qode, fit] of Object.entries(cases)) {
    assert.deepEqual([fitOf(tokens(qode), power), fits(tokens(qode), power)], [fit, fit > 1], qode)
  }
  assert.equal(fitOf(tokens('q1n_VB'), { ...power, pos: 'VB' }), 3)
})

test('every topic of every text of the sample has a quadranym that fits', () => {
  const sample = (kind: string): any[] =>
    readFileSync(`sample/${kind}.ndjson`, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  const quadranyms = sample('quadranym')
  for (const kind of ['fortune', 'quote', 'phrase', 'fable']) {
    for (const { qode } of sample(kind)) {
      const topics = Map.groupBy(
        tokensInPlace(qode, { untagged: kind === 'phrase' || kind === 'fable' }),
        (token) => token.index,
      )
      for (const [index, own] of topics)
        assert.ok(
          quadranyms.some((each) => fits(own, each)),
          `${index} of ${qode}`,
        )
    }
  }
})

test('under a tag that asks for no form, a term stays as it is', () => {
  for (const tag of ['NNX', 'VBXYZ', 'CD', 'PRP', 'X']) assert.equal(wordFor('strong', tag), 'strong', tag)
})

test('the table of derived words is small', () => {
  assert.ok(statSync('src/language/model/derived-words.json').size < 250_000)
})

test('the verb follows its subject, in the text and in another token', () => {
  const music = { name: 'music', e: 'play', r: 'rest', o: 'scissors', s: 'door' }
  const cases: readonly (readonly [string, string])[] = [
    ['These q1n_NNS q1e_VBP.', 'This music plays.'],
    ['The sounds of q1n_NNS are loud.', 'The sounds of music are loud.'],
    ['Songs and q1n_NNS are loud.', 'Songs and music are loud.'],
    ['When q1n_NNS aren’t loud', 'When music isn’t loud'],
    ['THE q1o_NN WAS OLD', 'THE SCISSORS WERE OLD'],
    ['The q1o_NN q1e_VBZ.', 'The scissors play.'],
    ['She said, "q1s_NN is shut."', 'She said, "The door is shut."'],
    ['EVERY q1n_NN IS LOUD', 'ALL MUSIC IS LOUD'],
    ['Many a q1n_NN is loud.', 'Many a music is loud.'],
    ['The q1n_NNS that are loud', 'The musics that are loud'],
    ['They speak of q1n_NNS of old.', 'They speak of music of old.'],
    ['q1n_NNS of a feather flock.', 'Musics of a feather flock.'],
    ['Many of the q1n_NNS are loud.', 'Much of the music is loud.'],
    ['Every one of the q1n_NNS is loud.', 'Every one of the musics is loud.'],
    ['Two q1n_NNS are loud.', 'Two musics are loud.'],
  ]
  for (const [qode, text] of cases) assert.equal(spin(qode, [music]).text, text, qode)
})

test('blanks leave room for the words', () => {
  assert.equal(spin('An q1n_NN q1e_VBZ.', [door], { blanks: true }).text, 'An _____ _____.')
})

test('a token without its quadranym stays a token', () => {
  assert.equal(spin('q1n_NN q2n_NN', [door]).text, 'Door q2n_NN')
})

test('empty and underscored terms stay unchanged', () => {
  assert.equal(spin('a q1e_NN, q1r_NNS.', [{ ...door, e: '', r: '____' }]).text, 'a , ____.')
})

const A = `
  BMW CD Eurasian European GPS NASA NATO Ouija PhD RAM ROM T-shirt U-turn UFO UK UNESCO UNICEF US Ukrainian Unix Utah Uighur ewe eulogy history hotel house once one one-way unanimous
  unicorn uniform union unique unisex unit university useful user usual utopia uranium year 1 10 12 100 110 118 180 1,100 1900 7 9
`
const AN = `
  AI ATM FBI HTML ID LED MP MRI EU HIV IQ MSc RSVP X X-ray apple eight eleven f-word heir honest honour hour mp3 nth oneiric onerous onion s-bend umbrella
  uncle unhappy unidentified unimportant urge urgent urn usher x-ray yttrium éclair 8 80 800 8,000 8th 11 11th 11.5 11,000 18 18-year-old 18th
  1100 1800 1812 18,000 $8
`

test('a or an follows the sound', () => {
  const wrong = (words: string, article: string) =>
    words
      .trim()
      .split(/\s+/)
      .filter((word) => articleFor(word) !== article)
  assert.deepEqual([wrong(A, 'a'), wrong(AN, 'an')], [[], []])
})

test('spans always point at their words, and repairs can be undone, whatever the text', () => {
  const terms = { name: 'the sea', e: 'listen', r: 'be', o: 'child', s: 'dark' }
  const nouns = { name: 'music', e: 'scissors', r: 'door', o: 'Rome', s: 'alms' }
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(..." |a |An |. |A |THE | more |I |they |of | him|the | are | is | who |every |'s|' toy".split('|')),
    fc.constantFrom('q1n_NN', 'q2e_VBG', 'q1r^NNS', 'q3s_JJR', 'q3n_NN', 'q3e_VB', 'q3r_VBP', 'q3r_VBD', 'q3o_NNS'),
    fc.constantFrom('q4n_NNS', 'q4n_NN', 'q4e_NN', 'q4r_NN', 'q4o_NN', 'q4s_NN'),
  )
  fc.assert(
    fc.property(fc.array(piece), (parts) => {
      const { text, spans, repairs } = spin(parts.join(''), [door, river, terms, nouns])
      for (const { offset, length } of spans) assert.ok(text.slice(offset, offset + length).length === length)
      for (const { offset, now } of repairs) assert.equal(text.slice(offset, offset + now.length), now)
      const strict = spin(parts.join(''), [door, river, terms, nouns], { strict: true })
      assert.equal(repairs.reduceRight(undo, text), strict.repairs.reduceRight(undo, strict.text))
    }),
  )
})

test('300 spun texts were judged twice and others once, each as good or with a class of fault', () => {
  const classes = new Set('good pos countability agreement article frame name other'.split(' '))
  const texts = new Set<string | undefined>()
  for (const [file, readings] of [
    ['fluency', 3],
    ['fluency-held-out', 1],
    ['fluency-changed', 1],
    ['fluency-turned', 1],
    ['fluency-turned-changed', 1],
    ['fluency-turned-held-out', 1],
  ] as const) {
    const [, ...lines] = readFileSync(`test/fixtures/${file}.tsv`, 'utf8').trimEnd().split('\n')
    for (const [kind, text, put, ...verdicts] of lines.map((line) => line.split('\t'))) {
      assert.ok(kind && text && put)
      assert.equal(verdicts.length, readings)
      for (const verdict of verdicts) assert.ok(classes.has(verdict), verdict)
      assert.ok(!texts.has(text), text)
      texts.add(text)
    }
    if (file === 'fluency') assert.equal(texts.size, 300)
  }
})

function undo(text: string, { offset, was, now }: Repair): string {
  return text.slice(0, offset) + was + text.slice(offset + now.length)
}
