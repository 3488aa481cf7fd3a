/** How well people know a word, as far as the words that the tagger knows tell. */
import { plainWords } from './plain-words.ts'
import { rankOf } from './tagger.ts'

export const MOST_FAMILIAR = 2
/** The tagger knows 30,000 words. */
const FREQUENT = 15_000

/** 2: a frequent word; 1: a word that the tagger knows; 0: neither. The rarest word of a term decides. */
export function familiarityOf(term: string): number {
  return Math.min(
    ...plainWords(term)
      .split(' ')
      .map((word) => {
        const rank = rankOf(word)
        if (rank === undefined) return 0
        return rank < FREQUENT ? MOST_FAMILIAR : 1
      }),
  )
}
