/** Parts of speech: the tags of plain sentences, tags restricted by the caller, and that no input breaks it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tag } from '../../src/language/index.ts'
import { RepeatedSentence, TaggerRoom } from '../../src/language/repeated.ts'

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
    const words = line.split(' ').map((pair) => pair.split('_')[0]!)
    const given = ['NN', 'VB', 'VBP', 'JJ', 'RB', 'NNS', 'VBZ']
    assert.deepEqual(
      tag(words, () => given),
      tag(words, () => given.toReversed()),
    )
  }
})

test('a given tag is the context of the words after it', () => {
  const after = (given: string) =>
    tag(['It', 'has', 'to', 'change', '.'], (place) => (place === 2 ? [given] : undefined))
  assert.equal(after('TO')[3], 'VB')
  assert.equal(after('IN')[3], 'NN')
})

test('a text that is tagged again has the same tags, whatever was allowed before', () => {
  const sentences = SENTENCES.map((line) => line.split(' ').map((pair) => pair.split('_')[0]!))
  const words = sentences.flat()
  const starts = [0]
  for (const sentence of sentences) starts.push(starts.at(-1)! + sentence.length)
  const room = new TaggerRoom(words.length, sentences.length)
  const repeated = sentences.map((_, i) => new RepeatedSentence(room, i, words, starts[i]!, starts[i + 1]!))
  const limit = fc.constantFrom(
    ['NN'],
    ['NN', 'VB', 'VBP'],
    ['NNS', 'VBZ'],
    ['JJ', 'VBN', 'VBD'],
    ['RP', 'IN', 'RB'],
    ['XYZ'],
  )
  const limits = fc.array(fc.option(limit, { freq: 2 }), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(fc.nat(sentences.length - 1), limits, (number, limits) => {
      const allowed = (place: number) => limits[place % 12] ?? undefined
      const places = [...sentences[number]!.keys()].filter(allowed)
      const tags = repeated[number]!.tag(
        places.map((place) => ({ place: starts[number]! + place, tags: allowed(place)! })),
      )
      const alone = tag(sentences[number]!, allowed)
      assert.deepEqual(
        tags,
        places.map((place) => alone[place]),
      )
    }),
    { numRuns: 500 },
  )
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
