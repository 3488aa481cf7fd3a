/**
 * Whether a text reads well with another quadranym: its terms, or words derived from them, must have the parts of speech
 * of the tokens.
 */
import { type Fit, fitOf as fitOfTerm } from './derive.ts'
import { type TaggedQuadranym, tagStart } from './match.ts'
import type { Token } from './qode.ts'
import { termOf } from './spin.ts'

const DEGREES: Readonly<Record<Fit, number>> = { own: 3, derived: 2, unsure: 1, no: 0 }
export const BEST_FIT = DEGREES.own

/**
 * How well the terms fit these tokens, from 0 to `BEST_FIT`: the worst one decides. 3 if all terms have the right part of
 * speech, 2 if a word derived from a term has, 1 if a term is not known, 0 if one cannot be such a word.
 */
export function fitOf(tokens: readonly Pick<Token, 'slot' | 'tag'>[], quadranym: TaggedQuadranym): number {
  return Math.min(BEST_FIT, ...tokens.map((token) => degreeOf(token, quadranym)))
}

function degreeOf({ slot, tag }: Pick<Token, 'slot' | 'tag'>, quadranym: TaggedQuadranym): number {
  if (tag === undefined) return BEST_FIT
  const start = tagStart(quadranym, slot)
  if (start !== undefined && tag.startsWith(start)) return BEST_FIT
  const degree = DEGREES[fitOfTerm(termOf(quadranym, slot), tag)]
  // The quadranym means another word: "close" as a verb, where the text has the adjective.
  return start === undefined ? degree : Math.min(degree, DEGREES.derived)
}

/** Whether the text would read well: nothing is unknown, and every word is of the right kind. */
export function fits(tokens: readonly Pick<Token, 'slot' | 'tag'>[], quadranym: TaggedQuadranym): boolean {
  return fitOf(tokens, quadranym) >= DEGREES.derived
}
