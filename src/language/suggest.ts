/** Suggesting: which quadranyms of a whole catalogue fit a text, found through an index of forms, without a scan. */
import { isFunctionWord, matchable } from './match.ts'
import type { Slot } from './qode.ts'
import { type Quadranym, SLOTS, termOf } from './spin.ts'
import { isWord, splitWords } from './words.ts'

interface Entry {
  readonly place: number
  readonly slot: Slot
}

/** An inverted index: lower-case form -> where it comes from. */
export class FormIndex {
  readonly #entries = new Map<string, Entry[]>()
  #size = 0

  constructor(quadranyms: Iterable<Quadranym> = []) {
    for (const quadranym of quadranyms) this.add(quadranym)
  }

  get size(): number {
    return this.#size
  }

  /** Its place is the number of those added before it. */
  add(quadranym: Quadranym): void {
    const place = this.#size++
    for (const slot of SLOTS) {
      for (const { form } of matchable(termOf(quadranym, slot))) {
        const entries = this.#entries.get(form)
        if (entries) entries.push({ place, slot })
        else this.#entries.set(form, [{ place, slot }])
      }
    }
  }

  find(form: string): readonly Entry[] {
    return this.#entries.get(form) ?? []
  }
}

export interface Suggestion {
  /** The place of the quadranym in the index. */
  readonly place: number
  readonly score: number
  /** How many words of the text it would mark, and the slots they stand for, in the order of the text. */
  readonly words: number
  readonly slots: string
}

/** A word that stands in hundreds of sets says little, and is not looked at further. */
const TOO_COMMON = 200

/** The best first: rare words count more than common ones, several slots more than one word repeated. */
export function suggest(body: string, index: FormIndex, { limit = 10 }: { limit?: number } = {}): Suggestion[] {
  const found = new Map<number, { score: number; words: number; slots: string }>()
  for (const { text } of splitWords(body)) {
    const word = text.toLowerCase()
    if (!isWord(word)) continue
    const entries = index.find(word)
    if (entries.length > TOO_COMMON) continue
    const weight = (isFunctionWord(word) ? 0.2 : 1) / Math.log2(1 + entries.length)
    for (const { place, slot } of entries) {
      const known = found.get(place) ?? { score: 0, words: 0, slots: '' }
      const fresh = known.slots.includes(slot) ? 0.5 : 1
      found.set(place, {
        score: known.score + weight * fresh,
        words: known.words + 1,
        slots: known.slots + slot,
      })
    }
  }
  return Array.from(found, ([place, { score, words, slots }]) => ({ place, score, words, slots }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, limit)
}
