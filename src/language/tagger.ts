/**
 * Part-of-speech tags (Penn Treebank) by an averaged perceptron, greedily from left to right. Its weights are in
 * model/tagger.bin, which scripts/train-tagger.ts makes; they are read when the first words are tagged.
 */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { CONTEXT_KEYS, HISTORY_KEYS, type Lexicon, roleOf, Sentence, sentenceEnd } from './features.ts'

/**
 * The tag of each word. Words are as the Penn Treebank has them: "do" "n't", "it" "'s", signs by themselves.
 * Where `allowed` names tags, the tag is the best of these, and the words that follow are judged by it.
 */
export function tag(words: readonly string[], allowed?: (place: number) => readonly string[] | undefined): string[] {
  model ??= readModel(readFileSync(new URL('./model/tagger.bin', import.meta.url)))
  const tags: string[] = []
  for (let from = 0, to = 0; from < words.length; from = to) {
    to = sentenceEnd(words, from)
    tagSentence(model, words, from, to, allowed, tags)
  }
  return tags
}

let model: Model | undefined

interface Model {
  readonly tags: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
  readonly roles: Uint8Array
  readonly lexicon: Lexicon
  /** The tags a frequent word may have; those of any rare word for entry 0. */
  readonly choices: readonly (readonly number[])[]
  readonly choiceOf: ArrayLike<number>
  /** Where the weights of a key begin, from 1. */
  readonly starts: Table
  /** Each is the weight, the tag it speaks for (6 bits), and whether it is the last of its key (1 bit). */
  readonly weights: Int16Array
}

const sentence = new Sentence()
const contextKeys = new Int32Array(CONTEXT_KEYS)
const historyKeys = new Int32Array(HISTORY_KEYS)
const scores = new Int32Array(64)

function tagSentence(
  model: Model,
  words: readonly string[],
  from: number,
  to: number,
  allowed: ((place: number) => readonly string[] | undefined) | undefined,
  tags: string[],
): void {
  sentence.read(words, from, to, model.lexicon)
  let before = 0
  let secondBefore = 0
  let verb = 0
  for (let place = 0; place < to - from; place++) {
    const usual = model.choices[model.choiceOf[sentence.entry(place)]!]!
    const given = allowed?.(from + place)
    const choices = given && given.length > 0 ? narrow(model, usual, given) : usual
    let best = choices[0] ?? 0
    if (choices.length > 1) {
      scores.fill(0)
      sentence.contextKeys(place, contextKeys)
      addScores(model, contextKeys)
      sentence.historyKeys(place, before, secondBefore, verb, historyKeys)
      addScores(model, historyKeys)
      for (const choice of choices) if (scores[choice]! > scores[best]!) best = choice
    }
    tags.push(choices.length > 0 ? model.tags[best]! : given![0]!)
    verb = sentence.verbAfter(place, verb, model.roles[best]!)
    secondBefore = before
    before = best
  }
}

/** The given tags; of these only the usual ones of the word, if there are any. */
function narrow(model: Model, usual: readonly number[], given: readonly string[]): readonly number[] {
  // In the model's own order, so that a tie never hangs on the caller's.
  const known = given.flatMap((tag) => model.numbers.get(tag) ?? []).sort((a, b) => a - b)
  const both = known.filter((number) => usual.includes(number))
  return both.length > 0 ? both : known
}

function addScores({ starts, weights }: Model, keys: Int32Array): void {
  // First find them all, then add: so the processor need not wait for one before it looks for the next.
  for (let i = 0; i < keys.length; i++) keys[i] = starts.find(keys[i]!)
  for (let i = 0; i < keys.length; i++) {
    let at = keys[i]! - 1
    if (at < 0) continue
    for (let packed = 0; (packed & 1) === 0; at++) {
      packed = weights[at]!
      scores[(packed >> 1) & 63]! += packed >> 7
    }
  }
}

/** Numbers by key, 0 for none. The keys are hashes already; key and number stand side by side, for the cache. */
class Table {
  private readonly slots: Int32Array
  private readonly shift: number

  constructor(keys: Uint32Array, value: (place: number) => number) {
    const bits = Math.ceil(Math.log2(keys.length * 2 + 2))
    this.shift = 32 - bits
    // Keys come sorted and their first bits are their place, so this goes through the table once; some may run over the end.
    this.slots = new Int32Array(2 * (2 ** bits + 1000))
    const { slots, shift } = this
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place]!
      let slot = 2 * (key >>> shift)
      while (slots[slot + 1] !== 0) slot += 2
      slots[slot] = key
      slots[slot + 1] = value(place)
    }
  }

  find(key: number): number {
    const { slots } = this
    for (let slot = 2 * (key >>> this.shift); ; slot += 2) {
      const found = slots[slot + 1]!
      if (found === 0 || slots[slot] === key) return found
    }
  }
}

/** The file: Brotli; a number of sections, their lengths, the sections, nearly all of them numbers of 7 bits a byte. */
function readModel(file: Buffer): Model {
  const bytes = brotliDecompressSync(file)
  let at = 4 + 4 * bytes.readUInt32LE(0)
  let section = 4
  const next = () => {
    const length = bytes.readUInt32LE(section)
    section += 4
    at += length
    return bytes.subarray(at - length, at)
  }
  const text = next().toString()
  const [names, ...sets] = text.split('\n').map((line) => line.split(' '))
  const finite = next()
  const entries = new Table(sums(next()), (place) => place + 1)
  const [kinds, forms, clusters, classes, choiceOf] = [next(), next(), next(), next(), next()].map(
    (part) => new Uint16Array(numbersIn(part)),
  ) as [Uint16Array, Uint16Array, Uint16Array, Uint16Array, Uint16Array]
  const keys = sums(next())
  const counts = next()
  const weightTags = next()
  const signed = new Int8Array(next())
  const weights = new Int16Array(signed.length)
  for (let i = 0; i < weights.length; i++) weights[i] = (signed[i]! << 7) | (weightTags[i]! << 1)
  let end = 0
  const starts = new Table(keys, (place) => {
    const start = end
    end += counts[place]!
    weights[end - 1]! |= 1
    return start + 1
  })
  return {
    tags: names!,
    numbers: new Map(names!.map((name, number) => [name, number])),
    roles: Uint8Array.from(names!, roleOf),
    lexicon: { find: (lowerHash) => entries.find(lowerHash), kinds, forms, clusters, classes, finite },
    choices: sets.map((set) => set.map(Number)),
    choiceOf,
    starts,
    weights,
  }
}

function numbersIn(bytes: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(bytes.length)
  let count = 0
  let number = 0
  let shift = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    number |= (byte & 127) << shift
    shift += 7
    if (byte > 127) continue
    numbers[count++] = number
    number = 0
    shift = 0
  }
  return numbers.subarray(0, count)
}

/** Sorted keys are stored as the steps between them. */
function sums(bytes: Uint8Array): Uint32Array {
  const numbers = numbersIn(bytes).slice()
  for (let i = 1; i < numbers.length; i++) numbers[i]! += numbers[i - 1]!
  return numbers
}
