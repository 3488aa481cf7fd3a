/** Suggests quadranyms of a whole catalogue that fit a text, through an index of forms, without a scan. */
import { itemAt } from './at.ts'
import { isFunctionWord } from './closed-words.ts'
import { formsAmong, matchable } from './match.ts'
import type { Passage } from './passage.ts'
import type { Slot } from './qode.ts'
import { type Quadranym, SLOTS, termOf } from './quadranym.ts'
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

/** How much a slot counts after its first word. */
const REPEATED = 0.5
/** A word that is in hundreds of sets says little, and is skipped. */
const TOO_COMMON = 200

/** Best first: rare words count more than common ones, several slots more than one repeated word. */
export function suggest(
  text: string | Passage,
  index: FormIndex,
  { limit = 10 }: { limit?: number } = {},
): Suggestion[] {
  const hits = hitsIn(typeof text === 'string' ? splitWords(text) : text.words, index)
  const best = scoresOf(hits, index)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, limit)
  return withSlots(best, hits, index)
}

/** A place that has a word of the text. */
interface Scored {
  readonly place: number
  score: number
  /** A bit for each slot that has a word. */
  seen: number
}

function scoresOf(hits: readonly Hit[], { ranks }: FormIndex): Scored[] {
  const found: Scored[] = []
  for (const { entries, weight } of hits) {
    for (const entry of entries) {
      const place = Math.floor(entry / SLOTS.length)
      const bit = 1 << (entry % SLOTS.length)
      const known = found[(ranks[place] ?? 0) - 1]
      if (known) {
        known.score += (known.seen & bit) === 0 ? weight : weight * REPEATED
        known.seen |= bit
      } else ranks[place] = found.push({ place, score: weight, seen: bit })
    }
  }
  for (const { place } of found) ranks[place] = 0
  return found
}

/** The same score for the words that a quadranym really marks: what only looks like its words explains nothing. */
export function scoreOf(marked: readonly { readonly word: string; readonly slot: Slot }[], index: FormIndex): number {
  const seen = new Set<Slot>()
  return marked.reduce((score, { word, slot }) => {
    const { weight = 0 } = hitOf(word, index) ?? {}
    const counted = seen.has(slot) ? weight * REPEATED : weight
    seen.add(slot)
    return score + counted
  }, 0)
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

/** With the slots of the words of the text, in text order. */
function withSlots(best: readonly Scored[], hits: readonly Hit[], { ranks }: FormIndex): Suggestion[] {
  const slots = best.map((): Slot[] => [])
  best.forEach(({ place }, i) => {
    ranks[place] = i + 1
  })
  for (const { entries } of hits) {
    for (const entry of entries) {
      const found = slots[(ranks[Math.floor(entry / SLOTS.length)] ?? 0) - 1]
      if (found) found.push(itemAt(SLOTS, entry % SLOTS.length))
    }
  }
  for (const { place } of best) ranks[place] = 0
  return best.map(({ place, score }, i) => {
    const found = itemAt(slots, i)
    return { place, score, words: found.length, slots: found.join('') }
  })
}
