/** Which of some terms is nearest to a text, and why. */
import { isTerm, termOf, type Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { problems } from '../problem.ts'
import { readPatiently } from '../query-timeout.ts'
import { type NearTerm, nearTerms } from './nearness.ts'
import { checkedText } from './text-words.ts'

export const MOST_TERMS = 12
const LONGEST_TERM = 500

export interface Feeling {
  /** False if the words are the few that come with the server. */
  readonly imported: boolean
  readonly terms: readonly NearTerm[]
}

export function feel(engine: Engine, givenText: string | undefined, givenTerms: readonly string[]): Promise<Feeling> {
  const text = checkedText(givenText)
  const terms = checkedTerms(givenTerms)
  return readPatiently(engine, function* (): Work<Feeling> {
    const table = yield* engine.store.relatedWords.open()
    return { imported: table.isImported, terms: yield* nearTerms(engine, table, text, terms) }
  })
}

function checkedTerms(given: readonly string[]): string[] {
  const terms = [...new Set(given.map((term) => term.trim()).filter((term) => term !== ''))]
  const refused = (message: string) => problems.invalid({ term: [message] })
  if (terms.length === 0) throw refused('This field is required.')
  if (terms.length > MOST_TERMS) throw refused(`Ensure this field has no more than ${MOST_TERMS} elements.`)
  if (terms.some((term) => !isTerm(termOf(term)) || term.includes('\0') || !term.isWellFormed())) {
    throw refused('Not a valid string.')
  }
  if (terms.some((term) => [...term].length > LONGEST_TERM)) {
    throw refused(`Ensure this field has no more than ${LONGEST_TERM} characters.`)
  }
  return terms
}
