/** What the words of the catalogue have to do with the words of texts. */
import { forms } from '../language/index.ts'

/** Every form a term may have in a text. */
export function formsOf(term: string): string[] {
  return [...new Set([term, ...forms(term).map(({ form }) => form)])]
}
