/**
 * A text to annotate. It computes once, when first needed, everything that does not depend on the quadranyms, so that
 * many quadranyms can be tried on a long text: words, sentences, the context before a word, the tagger's scores.
 */
import { addressesIn } from './addresses.ts'
import { type ArticleBefore, articleBefore } from './article.ts'
import { itemAt } from './at.ts'
import { endsBeforeSentence, LOOK_BACK } from './capitals.ts'
import { Neighbours } from './neighbours.ts'
import { tokens } from './qode.ts'
import { ScoredText, type TaggedWord } from './tagger.ts'
import { isWord, splitWords, type Word } from './words.ts'

export class Passage {
  readonly body: string
  readonly words: readonly Word[]
  #holdsToken: boolean | undefined
  #placesByWord: Map<string, number[]> | undefined
  #scored: ScoredText | undefined
  readonly #beginsSentence: boolean[] = []
  readonly #articles: (ArticleBefore | 'none')[] = []
  #neighbours: Neighbours | undefined
  readonly #remembered = new Map<string, unknown>()

  constructor(body: string) {
    this.body = body
    this.words = splitWords(body)
  }

  /** In lower case, each once. */
  get distinctWords(): ReadonlySet<string> {
    return new Set(this.words.map(({ text }) => text.toLowerCase()))
  }

  get holdsToken(): boolean {
    this.#holdsToken ??= tokens(this.body).length > 0
    return this.#holdsToken
  }

  /** The places of a lower-case word, as indexes of `words`, where it can become a token. */
  placesOf(word: string): readonly number[] {
    this.#placesByWord ??= this.#findPlaces()
    return this.#placesByWord.get(word) ?? []
  }

  #findPlaces(): Map<string, number[]> {
    const places = new Map<string, number[]>()
    const addresses = addressesIn(this.body)
    let next = 0
    this.words.forEach((word, place) => {
      while (word.offset >= (addresses[next]?.end ?? Number.POSITIVE_INFINITY)) next++
      if (word.offset >= (addresses[next]?.start ?? Number.POSITIVE_INFINITY) || !standsAlone(this.body, word)) return
      const lower = word.text.toLowerCase()
      const known = places.get(lower)
      if (known) known.push(place)
      else places.set(lower, [place])
    })
    return places
  }

  /** The best of these tags for the word at this place. */
  bestTag(place: number, tags: readonly string[]): TaggedWord {
    return this.#tagged.best(place, tags)
  }

  /** The best of all tags for it. */
  freeTag(place: number): string {
    return this.#tagged.free(place)
  }

  get #tagged(): ScoredText {
    this.#scored ??= new ScoredText(this.words.map(({ text }) => text))
    return this.#scored
  }

  /** Only signs and spaces decide this, so it does not matter which earlier words are tokens. */
  beginsSentence(place: number): boolean {
    const { offset } = itemAt(this.words, place)
    this.#beginsSentence[place] ??= endsBeforeSentence(this.body.slice(Math.max(0, offset - LOOK_BACK), offset))
    return this.#beginsSentence[place]
  }

  articleBefore(place: number): ArticleBefore | undefined {
    this.#articles[place] ??= articleBefore(this.body, itemAt(this.words, place).offset) ?? 'none'
    const known = this.#articles[place]
    return known === 'none' ? undefined : known
  }

  /** Memoised by key. */
  remember<T>(key: string, make: () => T): T {
    if (!this.#remembered.has(key)) this.#remembered.set(key, make())
    return this.#remembered.get(key) as T
  }

  /** For each of these words whether it is shouted if they are all tokens: 1 or 0. */
  shouted(places: readonly number[]): Uint8Array {
    this.#neighbours ??= new Neighbours(this.body, this.words)
    return this.#neighbours.shouted(places)
  }
}

/** A token must not run into its neighbour: "do" of "don't" stays text. */
function standsAlone(body: string, { text, offset }: Word): boolean {
  return (
    isWord(text) &&
    !JOINED_BEFORE.test(body.slice(Math.max(0, offset - 2), offset)) &&
    !JOINED_AFTER.test(body.slice(offset + text.length, offset + text.length + 2))
  )
}

const JOINED_BEFORE = /[\p{L}\p{M}\p{N}_]$/u
const JOINED_AFTER = /^[\p{L}\p{M}\p{N}_]/u
