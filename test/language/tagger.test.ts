/** Parts of speech: how often tags are right, tags restricted by the caller, and that no input breaks it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { inflect, tag, tagWithMargins, useTaggerModel } from '../../src/language/index.ts'
import { wasmKernel } from '../../src/language/kernel.ts'
import { matchable } from '../../src/language/match.ts'
import { Network, READ_NUMBERS } from '../../src/language/network.ts'
import { plainKernel } from '../../src/language/plain-kernel.ts'
import { ScoredText } from '../../src/language/tagger.ts'
import { readModel } from '../../src/language/tagger-model.ts'

/** Sentences as `word_TAG`; a word without a tag may have any. */
const SENTENCES = `
The_DT old_JJ dog_NN sleeps_VBZ by_IN the_DT door_NN ._.
She_PRP has_VBZ written_VBN three_CD long_JJ letters_NNS ._.
They_PRP wrote_VBD a_DT letter_NN yesterday .
We_PRP want_VBP to_TO leave_VB now_RB ._.
He_PRP will_MD never_RB forget_VB the_DT winter_NN ._.
The_DT windows_NNS were_VBD broken_VBN by_IN the_DT storm_NN ._.
I_PRP do_VBP n't_RB know_VB where_WRB he_PRP lives_VBZ ._.
It_PRP 's_VBZ a_DT very_RB small_JJ town_NN ._.
The_DT king_NN 's_POS daughter_NN was_VBD singing_VBG ._.
Do_VB not_RB open_VB that_DT box_NN !_.
Why_WRB did_VBD they_PRP run_VB away ?_.
Mary_NNP lives_VBZ in_IN London_NNP with_IN her_PRP$ brothers_NNS ._.
This_DT road_NN is_VBZ longer_JJR than_IN the_DT other_JJ one .
It_PRP was_VBD the_DT oldest_JJS house_NN in_IN the_DT village_NN ._.
The_DT children_NNS are_VBP playing_VBG in_IN the_DT garden_NN ._.
Give_VB me_PRP the_DT book_NN ,_, please .
You_PRP must_MD give_VB up_RP smoking .
Her_PRP$ answer_NN surprised_VBD everyone_NN ._.
They_PRP answer_VBP every_DT question_NN ._.
He_PRP can_MD answer_VB the_DT question_NN ._.
Nobody_NN knows_VBZ the_DT price_NN of_IN silence_NN ._.
The_DT men_NNS had_VBD gone_VBN home .
When_WRB it_PRP rains_VBZ ,_, we_PRP stay_VBP inside .
A_DT good_JJ friend_NN is_VBZ better_JJR than_IN money_NN ._.
She_PRP quickly_RB closed_VBD the_DT door_NN ._.
Paris_NNP and_CC Rome_NNP are_VBP old_JJ cities_NNS ._.
He_PRP walks_VBZ to_TO|IN the_DT station_NN every_DT morning_NN ._.
Their_PRP$ walks_NNS were_VBD long_JJ ._.
The_DT thieves_NNS stole_VBD my_PRP$ watch_NN ._.
We_PRP watch_VBP the_DT birds_NNS ._.
I_PRP have_VBP seen_VBN the_DT sea_NN twice_RB ._.
There_EX is_VBZ a_DT light_NN in_IN the_DT kitchen_NN ._.
Cooking_VBG|NN takes_VBZ time_NN ._.
Wise_JJ men_NNS say_VBP little .
`
  .trim()
  .split('\n')

const wordsOf = (line: string) => line.split(' ').map((pair) => pair.split('_')[0]!)

test('plain sentences get the tags that a reader would give', () => {
  const wrong: string[] = []
  for (const line of SENTENCES) {
    const pairs = line.split(' ').map((pair) => pair.split('_') as [string, string?])
    const tags = tag(pairs.map(([word]) => word))
    pairs.forEach(([word, gold], i) => {
      if (gold !== undefined && !gold.split('|').includes(tags[i]!)) wrong.push(`${word}_${tags[i]} in: ${line}`)
    })
  }
  assert.deepEqual(wrong, [])
})

test('a capital at the start, or everywhere, does not make a name', () => {
  assert.equal(tag(['Dogs', 'bark', '.'])[0], 'NNS')
  assert.equal(tag(['"', 'Water', 'is', 'wet', '.', '"'])[1], 'NN')
  assert.equal(tag(['He', 'left', '.', 'Water', 'was', 'short', '.'])[3], 'NN')
})

test('each sentence of a text is tagged by itself', () => {
  const first = ['He', 'left', 'the', 'house', '.']
  const second = ['"', 'Run', '!', '"']
  const third = ['Time', 'flies', '.']
  assert.deepEqual(
    tag([...first, ...second, ...third]),
    [first, second, third].flatMap((words) => tag(words)),
  )
})

test('if tags are given, the tag is one of them', () => {
  const words = ['The', 'light', 'answers', 'fear', '.']
  for (const only of ['NN', 'VB', 'VBP', 'JJ', 'NNP']) {
    assert.equal(tag(words, (place) => (place === 1 ? [only] : undefined))[1], only)
  }
  for (const two of [
    ['NNS', 'VBZ'],
    ['VBZ', 'NNS'],
  ]) {
    assert.ok(two.includes(tag(words, (place) => (place === 2 ? two : undefined))[2]!))
  }
  assert.deepEqual(
    tag(words, () => undefined),
    tag(words),
  )
})

test('the order in which tags are given does not matter', () => {
  for (const line of SENTENCES) {
    const words = wordsOf(line)
    const given = ['NN', 'VB', 'VBP', 'JJ', 'RB', 'NNS', 'VBZ']
    assert.deepEqual(
      tag(words, () => given),
      tag(words, () => given.toReversed()),
    )
  }
})

test('a text that is asked again has the same tags, whatever was asked before', () => {
  const words = SENTENCES.flatMap(wordsOf)
  const text = new ScoredText(words)
  const tags = fc.constantFrom(undefined, ['NN'], ['NN', 'VB', 'VBP'], ['NNS', 'VBZ'], ['RP', 'IN', 'RB'], ['XYZ'])
  fc.assert(
    fc.property(fc.nat(words.length - 1), tags, (place, allowed) => {
      const alone = tagWithMargins(words, (each) => (each === place ? allowed : undefined))
      assert.deepEqual(text.best(place, allowed), alone[place])
    }),
    { numRuns: 100 },
  )
})

test('the margin says how sure a tag is: it is low where the sentence is ambiguous, and below 0 where it is wrong', () => {
  const margin = (line: string, place: number, allowed?: string[]) =>
    tagWithMargins(line.split(' '), (each) => (each === place ? allowed : undefined))[place]!.margin
  assert.ok(margin('The old dog sleeps by the door .', 2) > 5)
  assert.ok(margin('Visiting relatives can be boring .', 0) < margin('The old dog sleeps by the door .', 2))
  assert.ok(margin('The old dog sleeps by the door .', 2, ['VB', 'VBP']) < -5)
  assert.equal(margin('The old dog sleeps .', 2, ['XYZ']), 0)
  for (const line of SENTENCES) {
    for (const { margin } of tagWithMargins(wordsOf(line))) assert.ok(margin >= 0)
  }
})

const HAND = readFileSync('test/fixtures/hand.txt', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' ').map((pair) => /^(.+)_(.+)$/.exec(pair)!.slice(1) as [word: string, tag: string]))
const COUNTED = new Set('NN NNS NNP VB VBD VBG VBN VBP VBZ JJ JJR JJS RB IN RP TO WRB'.split(' '))

/** How many of the words with a tag that annotating uses get it, in percent. "To" is TO or IN, as the corpus has it. */
function accuracy(allowed: (word: string, gold: string) => readonly string[] | undefined): number {
  let [right, all] = [0, 0]
  for (const sentence of HAND) {
    const tags = tag(
      sentence.map(([word]) => word),
      (place) => allowed(...sentence[place]!),
    )
    sentence.forEach(([word, gold], i) => {
      if (!COUNTED.has(gold) || !/^[A-Za-z]+$/.test(word)) return
      all++
      if (tags[i] === gold || (/^to$/i.test(word) && /^(?:TO|IN)$/.test(tags[i]!))) right++
    })
  }
  return (100 * right) / all
}

test('of proverb-like sentences, at least 97 % of the tags are right', (t) => {
  const free = accuracy(() => undefined)
  t.diagnostic(`tags: ${free.toFixed(2)} %`)
  assert.ok(free >= 97)
})

test('among the tags that a term can have there, at least 97.5 % are right', (t) => {
  const terms = new Set(HAND.flat().map(([word]) => word.toLowerCase()))
  for (const term of [...terms]) terms.add(term.replace(/(?:s|es|d|ed|ing)$/, ''))
  const constrained = accuracy((word, gold) => {
    const term = [...terms].find((each) => inflect(each, gold) === word.toLowerCase()) ?? word
    const tags = matchable(gold === 'NNP' ? word : term).find(({ form }) => form === word.toLowerCase())?.tags
    return tags?.includes(gold as never) ? tags : undefined
  })
  t.diagnostic(`tags among those of a term: ${constrained.toFixed(2)} %`)
  assert.ok(constrained >= 97.5)
})

test('WebAssembly and plain TypeScript compute the same numbers', () => {
  const model = readModel(readFileSync('src/language/model/tagger.bin'))
  const fast = new Network(model, (bytes) => wasmKernel(bytes)!)
  const plain = new Network(model, plainKernel)
  const sentences = [...SENTENCES.slice(0, 12).map(wordsOf), ['', '😀', 'İ', 'naïve-ish', '1,234', 'x'.repeat(300)]]
  for (const words of sentences) {
    const [states, others] = [fast, plain].map((network) => {
      const found = new Int16Array(words.length * READ_NUMBERS)
      network.readForwards(words, found, 0, 0, words.length)
      network.readBackwards(words, found, words.length, 0, words.length)
      return found
    })
    assert.deepEqual(others, states)
    const last = states!.slice(-READ_NUMBERS)
    assert.deepEqual(plain.score(words.at(-1)!, last), fast.score(words.at(-1)!, last))
  }
})

test('the order in which words are asked for does not matter', () => {
  const words = SENTENCES.slice(0, 6).flatMap(wordsOf)
  const places = words.map((_, place) => place)
  const inOrder = (order: readonly number[]) => {
    const text = new ScoredText(words)
    const found = new Map(order.map((place) => [place, text.best(place)]))
    return places.map((place) => found.get(place))
  }
  const expected = inOrder(places)
  assert.deepEqual(inOrder(places.toReversed()), expected)
  assert.deepEqual(inOrder(places.toSorted((a, b) => (a % 7) - (b % 7) || b - a)), expected)
})

test('a file that is no model of the tagger is refused', () => {
  const file = readFileSync('src/language/model/tagger.bin')
  assert.throws(() => useTaggerModel(file.subarray(1)), /no model of the tagger/)
  assert.throws(() => useTaggerModel(new Uint8Array()), /no model of the tagger/)
  useTaggerModel(new Uint8Array([0, ...file]).subarray(1))
})

test('an empty list of tags leaves a word free, and unknown tags are accepted', () => {
  const words = ['We', 'sleep', '.']
  assert.deepEqual(
    tag(words, () => []),
    tag(words),
  )
  assert.deepEqual(tag(words, (place) => (place === 1 ? ['XYZ'] : undefined)).slice(1, 2), ['XYZ'])
})

test('every word gets a tag, and the same one each time', () => {
  assert.deepEqual(tag([]), [])
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant('.')), { maxLength: 20 }),
      (words) => {
        const tags = tag(words)
        assert.equal(tags.length, words.length)
        for (const name of tags) assert.match(name, /^\S+$/)
        assert.deepEqual(tag(words), tags)
      },
    ),
  )
  for (const word of ['', ' ', '\ud800', 'İ', 'ﬁ', '👩‍👩‍👧', 'constructor', '__proto__', 'x'.repeat(10_000)]) {
    assert.equal(tag([word, word]).length, 2)
  }
})

test('a sentence may be ten thousand words long', () => {
  const words = Array.from({ length: 10_000 }, (_, i) => ['the', 'dog', 'sees', 'a', 'cat', 'and'][i % 6]!)
  const tags = tag(words)
  assert.equal(tags.length, 10_000)
  assert.deepEqual(tags.slice(9_000, 9_006), ['DT', 'NN', 'VBZ', 'DT', 'NN', 'CC'])
})
