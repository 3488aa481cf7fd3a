/** How well people know a word, as far as the lexicon of the tagger tells. */
import { numberAt } from './at.ts'
import { hash } from './features.ts'
import { loadModel } from './model.ts'
import { plainWords } from './plain-words.ts'

export const MOST_FAMILIAR = 2

/** 2: texts use it; 1: dictionaries have it; 0: neither. The rarest word of a term decides. */
export function familiarityOf(term: string): number {
  const { lexicon } = loadModel()
  return Math.min(
    ...plainWords(term)
      .split(' ')
      .map((word) => {
        const entry = lexicon.find(hash(word))
        if (entry === 0) return 0
        return numberAt(lexicon.kinds, entry) > 0 ? MOST_FAMILIAR : 1
      }),
  )
}
