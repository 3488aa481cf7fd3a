/** Suggests quadranyms of a whole catalogue that fit a text, through an index of forms, without a scan. */
import { formsAmong, isFunctionWord, matchable } from './match.ts'
import type { Passage } from './passage.ts'
import type { Slot } from './qode.ts'
import { type Quadranym, SLOTS, termOf } from './spin.ts'
import { isWord, splitWords, type Word } from './words.ts'

/** An inverted index: lower-case form -> where it comes from. */
export class FormIndex {
  readonly #entries = new Map<string, number[]>()
  readonly #words: ReadonlySet<string> | undefined
  #size = 0
  #ranks = new Int32Array(0)

  /** With `words` (in lower case), only the forms among them are kept: enough for one text, and faster to build. */
  constructor(quadranyms: Iterable<Quadranym> = [], words?: ReadonlySet<string>) {
    this.#words = words
    for (const quadranym of quadranyms) this.add(quadranym)
  }

  get size(): number {
    return this.#size
  }

  /** A number for each place, all 0: `suggest` uses it, and resets it. */
  get ranks(): Int32Array {
    if (this.#ranks.length < this.#size) this.#ranks = new Int32Array(this.#size * 2)
    return this.#ranks
  }

  /** Its place is the number of those added before it. */
  add(quadranym: Quadranym): void {
    const place = this.#size++
    SLOTS.forEach((slot, i) => {
      for (const form of this.#formsOf(termOf(quadranym, slot))) {
        const entries = this.#entries.get(form)
        if (entries) entries.push(place * SLOTS.length + i)
        else this.#entries.set(form, [place * SLOTS.length + i])
      }
    })
  }

  #formsOf(term: string): string[] {
    return this.#words ? formsAmong(this.#words, term) : matchable(term).map(({ form }) => form)
  }

  /** The places and slots of a form, each pair as one number: place * SLOTS.length + the slot's index in SLOTS. */
  find(form: string): readonly number[] {
    return this.#entries.get(form) ?? []
  }
}

export interface Suggestion {
  /** The place of the quadranym in the index. */
  readonly place: number
  readonly score: number
  /** How many words of the text it would mark, and their slots, in text order. */
  readonly words: number
  readonly slots: string
}

/** A word that is in hundreds of sets says little, and is skipped. */
const TOO_COMMON = 200

/** Best first: rare words count more than common ones, several slots more than one repeated word. */
export function suggest(
  text: string | Passage,
  index: FormIndex,
  { limit = 10 }: { limit?: number } = {},
): Suggestion[] {
  const hits = hitsIn(typeof text === 'string' ? splitWords(text) : text.words, index)
  const { places, scores } = scoresOf(hits, index)
  const order = [...places.keys()].sort((a, b) => scores[b]! - scores[a]! || places[a]! - places[b]!).slice(0, limit)
  const slots = slotsOf(
    order.map((each) => places[each]!),
    hits,
    index,
  )
  return order.map((each, i) => {
    return { place: places[each]!, score: scores[each]!, words: slots[i]!.length, slots: slots[i]!.join('') }
  })
}

/** The places that have a word, and their scores. */
function scoresOf(
  hits: readonly Hit[],
  index: FormIndex,
): { readonly places: readonly number[]; readonly scores: readonly number[] } {
  const places: number[] = []
  const scores: number[] = []
  const seen: number[] = []
  const { ranks } = index
  for (const { entries, weight } of hits) {
    for (let i = 0; i < entries.length; i++) {
      const place = Math.floor(entries[i]! / SLOTS.length)
      const bit = 1 << (entries[i]! % SLOTS.length)
      const rank = ranks[place]! - 1
      if (rank < 0) {
        ranks[place] = places.push(place)
        scores.push(weight)
        seen.push(bit)
      } else {
        scores[rank]! += (seen[rank]! & bit) === 0 ? weight : weight * 0.5
        seen[rank]! |= bit
      }
    }
  }
  for (const place of places) ranks[place] = 0
  return { places, scores }
}

/** A word of a text, with its places in quadranyms and how much it counts. */
interface Hit {
  readonly entries: readonly number[]
  readonly weight: number
}

function hitsIn(words: readonly Word[], index: FormIndex): Hit[] {
  const known = new Map<string, Hit | undefined>()
  return words.flatMap(({ text }) => {
    if (!known.has(text)) known.set(text, hitOf(text, index))
    return known.get(text) ?? []
  })
}

function hitOf(text: string, index: FormIndex): Hit | undefined {
  const word = text.toLowerCase()
  const entries = isWord(word) ? index.find(word) : []
  if (entries.length === 0 || entries.length > TOO_COMMON) return undefined
  return { entries, weight: (isFunctionWord(word) ? 0.2 : 1) / Math.log2(1 + entries.length) }
}

/** The slots of the words of a text, for each of these places, in text order. */
function slotsOf(places: readonly number[], hits: readonly Hit[], { ranks }: FormIndex): Slot[][] {
  const slots = places.map((): Slot[] => [])
  places.forEach((place, i) => {
    ranks[place] = i + 1
  })
  for (const { entries } of hits) {
    for (let i = 0; i < entries.length; i++) {
      const rank = ranks[Math.floor(entries[i]! / SLOTS.length)]!
      if (rank > 0) slots[rank - 1]!.push(SLOTS[entries[i]! % SLOTS.length]!)
    }
  }
  for (const place of places) ranks[place] = 0
  return slots
}
