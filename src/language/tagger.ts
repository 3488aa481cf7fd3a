/**
 * Part-of-speech tags (Penn Treebank) by a small neural network, whose weights are in model/tagger.bin. Each word is
 * judged by its whole sentence.
 */
import { itemAt, numberAt } from './at.ts'
import { MOST_WORDS, Network, READ_NUMBERS, SCORE_BITS } from './network.ts'
import { sentenceEnd } from './sentences.ts'
import { readModel } from './tagger-model.ts'

export interface TaggedWord {
  readonly tag: string
  /**
   * How much better the tag scores than the best other tag, as the natural logarithm of how many times as likely it is,
   * rounded to hundredths: 3 means about 20 times. Below 0 the sentence asks for a tag that was not allowed. 0 if the
   * tagger does not know the tag.
   */
  readonly margin: number
}

/** The tags that the word at a place may have; it may have any if there are none. */
export type AllowedTags = (place: number) => readonly string[] | undefined

/** The tag of each word. Words are split as in the Penn Treebank: "do" "n't", "it" "'s", signs by themselves. */
export function tag(words: readonly string[], allowed?: AllowedTags): string[] {
  return tagWithMargins(words, allowed).map((each) => each.tag)
}

/** The same, and how sure each tag is. */
export function tagWithMargins(words: readonly string[], allowed?: AllowedTags): TaggedWord[] {
  const text = new ScoredText(words)
  return words.map((_, place) => text.best(place, allowed?.(place)))
}

/** A text whose words can be asked for again with other tags allowed. A sentence is read when first needed. */
export class ScoredText {
  readonly #tagger = loadTagger()
  readonly #words: readonly string[]
  readonly #sentenceEnds: readonly number[]
  /** The sentence of each word. */
  readonly #sentences: Uint32Array
  readonly #isRead: Uint8Array
  readonly #read: Int16Array
  readonly #scores: (Int16Array | undefined)[] = []

  constructor(words: readonly string[]) {
    this.#words = words
    this.#read = new Int16Array(words.length * READ_NUMBERS)
    const ends: number[] = []
    this.#sentences = new Uint32Array(words.length)
    for (let from = 0, to = 0; from < words.length; from = to) {
      to = sentenceEnd(words, from, MOST_WORDS)
      this.#sentences.fill(ends.length, from, to)
      ends.push(to)
    }
    this.#sentenceEnds = ends
    this.#isRead = new Uint8Array(ends.length)
  }

  /** The best tag of the word at this place, among those allowed. */
  best(place: number, allowed: readonly string[] = []): TaggedWord {
    const { tags, numbers } = this.#tagger
    const scores = this.#scoresAt(place)
    const [free, second] = twoBest(scores, tags.length)
    const known = allowed.flatMap((each) => numbers.get(each) ?? [])
    if (allowed.length > 0 && known.length === 0) return { tag: itemAt(allowed, 0), margin: 0 }
    const best = known.length === 0 ? free : known.reduce((one, other) => (isBetter(scores, other, one) ? other : one))
    const difference = numberAt(scores, best) - numberAt(scores, best === free ? second : free)
    return { tag: itemAt(tags, best), margin: Math.round((100 * difference) / 2 ** SCORE_BITS) / 100 }
  }

  /** The best of all tags for the word at this place. */
  free(place: number): string {
    const { tags } = this.#tagger
    return itemAt(tags, twoBest(this.#scoresAt(place), tags.length)[0])
  }

  #scoresAt(place: number): Int16Array {
    const known = this.#scores[place]
    if (known) return known
    this.#readSentence(numberAt(this.#sentences, place))
    const { network } = this.#tagger
    const made = network.score(this.#read.subarray(place * READ_NUMBERS, (place + 1) * READ_NUMBERS)).slice()
    this.#scores[place] = made
    return made
  }

  #readSentence(sentence: number): void {
    if (this.#isRead[sentence] === 1) return
    this.#isRead[sentence] = 1
    const from = sentence === 0 ? 0 : itemAt(this.#sentenceEnds, sentence - 1)
    const read = this.#tagger.network.read(this.#words, from, itemAt(this.#sentenceEnds, sentence))
    this.#read.set(read, from * READ_NUMBERS)
  }
}

/** The two tags with the highest of the first `count` scores. */
function twoBest(scores: Int16Array, count: number): [best: number, second: number] {
  let [best, second] = isBetter(scores, 1, 0) ? [1, 0] : [0, 1]
  for (let number = 2; number < count; number++) {
    if (!isBetter(scores, number, second)) continue
    second = number
    if (isBetter(scores, second, best)) [best, second] = [second, best]
  }
  return [best, second]
}

/** Whether one tag scores higher than another. Of equals, the first in the model does, whatever the caller's order. */
function isBetter(scores: Int16Array, one: number, other: number): boolean {
  const difference = (scores[one] ?? 0) - (scores[other] ?? 0)
  return difference > 0 || (difference === 0 && one < other)
}

/** How many of the words that the model knows are more frequent than this one; undefined if it does not know it. */
export function rankOf(word: string): number | undefined {
  return loadTagger().network.rankOf(word)
}

interface Tagger {
  readonly network: Network
  readonly tags: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
}

let tagger: Tagger | undefined

/** Uses these bytes of a model file. In a browser a page must call this before it tags or annotates. */
export function useTaggerModel(file: Uint8Array): void {
  const model = readModel(file)
  tagger = {
    network: new Network(model),
    tags: model.tags,
    numbers: new Map(model.tags.map((name, number) => [name, number])),
  }
}

/** Node reads the model when it is first needed. */
function loadTagger(): Tagger {
  if (!tagger) useTaggerModel(readModelFile())
  if (!tagger) throw new Error('The tagger has no model.')
  return tagger
}

function readModelFile(): Uint8Array {
  // Asked for here, and not imported, because a browser has no such module.
  const files = globalThis.process?.getBuiltinModule?.('node:fs')
  if (!files) throw new Error('The tagger has no model: give it the bytes of tagger.bin with useTaggerModel.')
  return files.readFileSync(new URL('./model/tagger.bin', import.meta.url))
}
