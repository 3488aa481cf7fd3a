/**
 * Where a text has a term of several words: "they gave up". A token replaces one word, so such a term never becomes one;
 * but its words mean nothing of their own there.
 */
import { forms } from './inflect.ts'
import type { Passage } from './passage.ts'
import { type Quadranym, SLOTS, termOf } from './quadranym.ts'

/** "To begin" and "the sea" are one word with its article. */
const ONE_WORD = /^(?:(?:to|the|an?)\s+)?\S*$/i

/** The places of the words of such terms. */
export function placesInTerms(passage: Passage, quadranyms: readonly Quadranym[]): ReadonlySet<number> {
  const places = new Set<number>()
  for (const quadranym of quadranyms) {
    for (const slot of SLOTS) {
      const term = termOf(quadranym, slot)
      if (!ONE_WORD.test(term)) for (const place of placesOfTerm(passage, term)) places.add(place)
    }
  }
  return places
}

function placesOfTerm(passage: Passage, term: string): number[] {
  const written = new Set([term, ...forms(term).map(({ form }) => form)])
  return Array.from(written, (form) => form.toLowerCase().split(/\s+/)).flatMap((words) =>
    passage
      .placesOf(words[0] ?? '')
      .filter((place) => words.every((word, i) => passage.words[place + i]?.text.toLowerCase() === word))
      .flatMap((place) => words.map((_, i) => place + i)),
  )
}
