/** What parts of speech the terms of a quadranym can have, and which do not match those that it gives. */
import { fitOfTerm } from './derive.ts'
import { entryOf } from './derived-words.ts'
import type { Slot } from './qode.ts'
import { SLOTS, type TaggedQuadranym, tagStart, termOf } from './quadranym.ts'

const TAGS: readonly (readonly [kind: string, tag: string])[] = [
  ['n', 'NN'],
  ['v', 'VB'],
  ['a', 'JJ'],
  ['r', 'RB'],
]

/** What texts use a term as: NN, VB, JJ or RB. Empty for a term that the table does not know. */
export function partsOfSpeech(term: string): string[] {
  const kinds = entryOf(term)?.kinds ?? ''
  return TAGS.flatMap(([kind, tag]) => (kinds.includes(kind) ? [tag] : []))
}

export interface OddTerm {
  readonly slot: Slot
  readonly term: string
  /** The member that gives its part of speech, and what it gives. */
  readonly member: 'pos' | `${'e' | 'r' | 'o' | 's'}pos`
  readonly given: string
  /** What it is instead. */
  readonly is: readonly string[]
}

/** The terms that no text and no dictionary uses as the part of speech that the quadranym gives. */
export function oddTerms(quadranym: TaggedQuadranym): OddTerm[] {
  return SLOTS.flatMap((slot): OddTerm[] => {
    const member: OddTerm['member'] = slot === 'n' ? 'pos' : `${slot}pos`
    const start = tagStart(quadranym, slot)
    const term = termOf(quadranym, slot)
    const is = partsOfSpeech(term)
    if (start === undefined || is.length === 0) return []
    const fit = fitOfTerm(term, start)
    return fit === 'no' || fit === 'derived' ? [{ slot, term, member, given: quadranym[member] ?? '', is }] : []
  })
}
