/**
 * Which tokens of a text are in capitals because the words next to them are: the rule of capitals.ts, for many sets of
 * tokens.
 */
import { firstWord, isShoutedWord, LOOK_ASIDE, lastWord, WORDS } from './capitals.ts'
import type { Word } from './words.ts'

/** What the nearest word on one side of a token is. */
const NONE = 0
const QUIET = 1
const SHOUTED = 2

export class Neighbours {
  readonly #body: string
  readonly #words: readonly Word[]
  /** Where each word of the text that the rule can see begins and ends, and whether it is shouted. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #kinds: number[] = []
  /** Without a shouted word, and without a word that the rule sees only in part, nothing is shouted. */
  readonly #canShout: boolean
  /** For each of `words`: the first of those that begins at it or later, and the first that begins behind it. */
  readonly #from: Int32Array
  readonly #behind: Int32Array

  constructor(body: string, words: readonly Word[]) {
    this.#body = body
    this.#words = words
    for (const match of body.matchAll(WORDS)) {
      this.#starts.push(match.index)
      this.#ends.push(match.index + match[0].length)
      this.#kinds.push(kindOf(match[0]))
    }
    const isLong = (start: number, i: number) => this.#ends[i]! - start > LOOK_ASIDE
    this.#canShout = this.#kinds.includes(SHOUTED) || this.#starts.some(isLong)
    this.#from = new Int32Array(words.length)
    this.#behind = new Int32Array(words.length)
    let next = 0
    words.forEach(({ text, offset }, place) => {
      while (this.#starts[next]! < offset) next++
      this.#from[place] = next
      while (this.#starts[next]! < offset + text.length) next++
      this.#behind[place] = next
    })
  }

  /** For each of these words whether it is shouted if they are all tokens: 1 or 0. The places ascend. */
  shouted(places: readonly number[]): Uint8Array {
    const shouted = new Uint8Array(places.length)
    if (!this.#canShout) return shouted
    const before = new Uint8Array(places.length)
    let known = NONE
    for (let i = 0; i < places.length; i++) {
      known = this.#lastBetween(places[i - 1], places[i]!) || known
      before[i] = known
    }
    known = NONE
    for (let i = places.length - 1; i >= 0; i--) {
      known = this.#firstBetween(places[i]!, places[i + 1]) || known
      // Both neighbours are shouted, or the only one there is.
      if (before[i] !== QUIET && known !== QUIET && before[i]! + known > 0) shouted[i] = 1
    }
    return shouted
  }

  /** The last word between two tokens, as far as the rule looks. */
  #lastBetween(left: number | undefined, right: number): number {
    const start = left === undefined ? 0 : this.#endOf(left)
    const end = this.#words[right]!.offset
    const found = this.#from[right]! - 1
    if (found < 0 || this.#starts[found]! < start) return NONE
    if (this.#starts[found]! >= end - LOOK_ASIDE) return this.#kinds[found]!
    return kindOf(lastWord(this.#body.slice(start, end)))
  }

  #firstBetween(left: number, right: number | undefined): number {
    const start = this.#endOf(left)
    const end = right === undefined ? this.#body.length : this.#words[right]!.offset
    const found = this.#behind[left]!
    if (found >= this.#starts.length || this.#starts[found]! >= end) return NONE
    if (this.#ends[found]! <= start + LOOK_ASIDE) return this.#kinds[found]!
    return kindOf(firstWord(this.#body.slice(start, end)))
  }

  #endOf(place: number): number {
    const { text, offset } = this.#words[place]!
    return offset + text.length
  }
}

function kindOf(word: string | undefined): number {
  return word === undefined ? NONE : isShoutedWord(word) ? SHOUTED : QUIET
}
