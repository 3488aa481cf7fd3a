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

/** The score of each tag of a word, and which two are the best. */
interface Scored {
  readonly scores: Int16Array
  readonly free: number
  readonly second: number
}

/** How far a sentence has been read: forwards up to a word, and backwards down to one. */
interface Sentence {
  readonly start: number
  readonly end: number
  forwardTo: number
  backwardTo: number
}

/**
 * A text whose words can be asked for again with other tags allowed. A sentence is read when first needed, and no further
 * than needed: for a word, the words before it are read forwards, those after it backwards.
 */
export class ScoredText {
  readonly #tagger = loadTagger()
  readonly #words: readonly string[]
  /** The sentence of each word. */
  readonly #sentences: readonly Sentence[]
  readonly #states: Int16Array
  readonly #scored: (Scored | undefined)[] = []

  constructor(words: readonly string[]) {
    this.#words = words
    this.#states = new Int16Array(words.length * READ_NUMBERS)
    const sentences: Sentence[] = []
    for (let start = 0; start < words.length; start = sentences.length) {
      const end = sentenceEnd(words, start, MOST_WORDS)
      const sentence = { start, end, forwardTo: start, backwardTo: end }
      while (sentences.length < end) sentences.push(sentence)
    }
    this.#sentences = sentences
  }

  /** The best tag of the word at this place, among those allowed. */
  best(place: number, allowed: readonly string[] = []): TaggedWord {
    const { tags, numbers } = this.#tagger
    const { scores, free, second } = this.#scoresAt(place)
    let best = allowed.length === 0 ? free : undefined
    for (const each of allowed) {
      const number = numbers.get(each)
      if (number !== undefined && (best === undefined || isBetter(scores, number, best))) best = number
    }
    if (best === undefined) return { tag: itemAt(allowed, 0), margin: 0 }
    const difference = numberAt(scores, best) - numberAt(scores, best === free ? second : free)
    return { tag: itemAt(tags, best), margin: Math.round((100 * difference) / 2 ** SCORE_BITS) / 100 }
  }

  /** The best of all tags for the word at this place. */
  free(place: number): string {
    return itemAt(this.#tagger.tags, this.#scoresAt(place).free)
  }

  #scoresAt(place: number): Scored {
    const known = this.#scored[place]
    if (known) return known
    const { network, tags } = this.#tagger
    this.#readAround(place)
    const states = this.#states.subarray(place * READ_NUMBERS, (place + 1) * READ_NUMBERS)
    const scores = network.score(itemAt(this.#words, place), states).slice()
    const [free, second] = twoBest(scores, tags.length)
    const made = { scores, free, second }
    this.#scored[place] = made
    return made
  }

  #readAround(place: number): void {
    const { network } = this.#tagger
    const sentence = itemAt(this.#sentences, place)
    const { start, end, forwardTo, backwardTo } = sentence
    if (place >= forwardTo) {
      network.readForwards(this.#words, this.#states, start, forwardTo, place + 1)
      sentence.forwardTo = place + 1
    }
    if (place < backwardTo) {
      network.readBackwards(this.#words, this.#states, end, place, backwardTo)
      sentence.backwardTo = place
    }
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
