/** Whether two terms are the same to a player: letter case, accents, articles and the plural do not matter. */
import { PLURALS } from './irregular.ts'
import { plainWords } from './plain-words.ts'

const ARTICLE = /^(?:a|an|the) (?=.)/
/** Words that end in -s and are no plurals: glass, virus, iris. */
const NO_PLURAL = /(?:ss|us|is)$/
const SHORTEST_PLURAL = 4

const SINGULARS = new Map([...PLURALS].map(([singular, plural]) => [plural, singular]))

/** Equal terms have the same key: "The Leaves" and "leaf", "Cafés" and "cafe". A key need not be a word. */
export function termKey(term: string): string {
  return plainWords(term).replace(ARTICLE, '').split(' ').map(wordKey).join(' ')
}

function wordKey(word: string): string {
  const irregular = SINGULARS.get(word)
  if (irregular !== undefined) return withoutFinalE(irregular)
  const isPlural = word.endsWith('s') && word.length >= SHORTEST_PLURAL && !NO_PLURAL.test(word) && !PLURALS.has(word)
  return withoutFinalE(isPlural ? word.slice(0, -1) : word)
}

/** Spelling does not tell whether boxes come from "box" or "boxe", and ladies from "lady" or "ladie". */
function withoutFinalE(word: string): string {
  return word.replace(/(?<=x|z|ch|sh|ss)e$/, '').replace(/ie$/, 'y')
}
