/**
 * Which tokens of a text are in capitals because the words next to them are: the rule of capitals.ts, for many sets of
 * tokens.
 */
import { itemAt, numberAt } from './at.ts'
import { firstWord, isShoutedWord, LOOK_ASIDE, lastWord, WORDS } from './capitals.ts'
import type { Word } from './words.ts'

/** What the nearest word on one side of a token is. */
const NONE = 0
const QUIET = 1
const SHOUTED = 2

/** Where a word begins and ends, and whether it is shouted. */
interface SeenWord {
  readonly start: number
  readonly end: number
  readonly kind: number
}

export class Neighbours {
  readonly #body: string
  readonly #words: readonly Word[]
  /** The words of the text that the rule can see. */
  readonly #seen: readonly SeenWord[]
  /** Without a shouted word, and without a word that the rule sees only in part, nothing is shouted. */
  readonly #canShout: boolean
  /** For each of `words`: the first of those that begins at it or later, and the first that begins behind it. */
  readonly #from: Int32Array
  readonly #behind: Int32Array

  constructor(body: string, words: readonly Word[]) {
    this.#body = body
    this.#words = words
    const seen = Array.from(body.matchAll(WORDS), ({ index, 0: word }) => {
      return { start: index, end: index + word.length, kind: kindOf(word) }
    })
    this.#seen = seen
    this.#canShout = seen.some(({ start, end, kind }) => kind === SHOUTED || end - start > LOOK_ASIDE)
    this.#from = new Int32Array(words.length)
    this.#behind = new Int32Array(words.length)
    let next = 0
    const skipTo = (offset: number) => {
      for (let word = seen[next]; word && word.start < offset; word = seen[next]) next++
    }
    words.forEach(({ text, offset }, place) => {
      skipTo(offset)
      this.#from[place] = next
      skipTo(offset + text.length)
      this.#behind[place] = next
    })
  }

  /** For each of these words whether it is shouted if they are all tokens: 1 or 0. The places ascend. */
  shouted(places: readonly number[]): Uint8Array {
    const shouted = new Uint8Array(places.length)
    if (!this.#canShout) return shouted
    const before = new Uint8Array(places.length)
    let known = NONE
    places.forEach((place, i) => {
      known = this.#lastBetween(places[i - 1], place) || known
      before[i] = known
    })
    known = NONE
    for (let i = places.length - 1; i >= 0; i--) {
      known = this.#firstBetween(itemAt(places, i), places[i + 1]) || known
      // Both neighbours are shouted, or the only one there is.
      if (before[i] !== QUIET && known !== QUIET && (before[i] !== NONE || known !== NONE)) shouted[i] = 1
    }
    return shouted
  }

  /** The last word between two tokens, as far as the rule looks. */
  #lastBetween(left: number | undefined, right: number): number {
    const start = left === undefined ? 0 : this.#endOf(left)
    const end = itemAt(this.#words, right).offset
    const found = this.#seen[numberAt(this.#from, right) - 1]
    if (!found || found.start < start) return NONE
    if (found.start >= end - LOOK_ASIDE) return found.kind
    return kindOf(lastWord(this.#body.slice(start, end)))
  }

  #firstBetween(left: number, right: number | undefined): number {
    const start = this.#endOf(left)
    const end = right === undefined ? this.#body.length : itemAt(this.#words, right).offset
    const found = this.#seen[numberAt(this.#behind, left)]
    if (!found || found.start >= end) return NONE
    if (found.end <= start + LOOK_ASIDE) return found.kind
    return kindOf(firstWord(this.#body.slice(start, end)))
  }

  #endOf(place: number): number {
    const { text, offset } = itemAt(this.#words, place)
    return offset + text.length
  }
}

function kindOf(word: string | undefined): number {
  return word === undefined ? NONE : isShoutedWord(word) ? SHOUTED : QUIET
}
