/** Synonyms from a WordNet dictionary, for search: words of the same synset, in the meanings in which texts use them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { phraseOf, type SynonymPair } from '../../store/index.ts'
import { FILES, SenseUses, synsetsOf } from './dictionary.ts'

/** More would be words of rare meanings. */
const MOST_OF_WORD = 8

/** In the order of the words; the same dictionary gives the same pairs. */
export function synonymsOf(folder: string): SynonymPair[] {
  const senses = new SenseUses(folder)
  const found = new Map<string, Map<string, number>>()
  for (const [file, types] of FILES) {
    if (!existsSync(join(folder, file))) continue
    for (const { offset, words } of synsetsOf(folder, file)) {
      if (words.length > 1) addAll(found, words, (word) => senses.of(types, offset, word))
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([word, others]) => pairsOf(word, others))
}

/** Words that search compares as one word: no phrases. */
function plainWord(word: string): string | undefined {
  const plain = phraseOf(word)
  return /^\p{L}{3,}$/u.test(plain) ? plain : undefined
}

function addAll(
  found: Map<string, Map<string, number>>,
  words: readonly string[],
  usesOf: (word: string) => number,
): void {
  const plain = words.flatMap((word) => {
    const text = plainWord(word)
    return text === undefined ? [] : [{ text, uses: usesOf(word) }]
  })
  for (const { text, uses } of plain) {
    for (const { text: other } of plain) {
      if (other === text) continue
      const others = found.get(text) ?? new Map<string, number>()
      found.set(text, others.set(other, Math.max(uses, others.get(other) ?? 0)))
    }
  }
}

/** In the meanings that texts use; if they use none, in any. */
function pairsOf(word: string, others: ReadonlyMap<string, number>): SynonymPair[] {
  const used = [...others].filter(([, uses]) => uses > 0)
  return (used.length > 0 ? used : [...others])
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_OF_WORD)
    .map(([other]) => [word, other])
}
