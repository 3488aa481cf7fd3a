/** Polynyms from the nouns: the parts, members and substances of a thing, and its types. */
import type { JsonObject } from '../../declare/index.ts'
import { NOUNS, type Pointer, synsetsOf } from './dictionary.ts'
import { type Background, fits, LONGEST_NAME, LONGEST_TERM, OWNER, type WordnetRecord } from './record.ts'

const MOST_TERMS = 12

/** Each relation makes its own polynym: ~i are the instances of a thing, such as rivers by name. */
const RELATIONS: readonly { mode: 'part' | 'type'; symbols: readonly string[] }[] = [
  { mode: 'part', symbols: ['%p'] },
  { mode: 'part', symbols: ['%m'] },
  { mode: 'part', symbols: ['%s'] },
  { mode: 'type', symbols: ['~', '~i'] },
]
const ALL_SYMBOLS = RELATIONS.flatMap(({ symbols }) => symbols)

/** The lexicographers' files of nouns, from number 3 on: noun.Tops, noun.act, and so on. */
const FIRST_AREA = 3
const AREAS =
  `Tops act animal artifact attribute body cognition communication event feeling food group location motive object
   person phenomenon plant possession process quantity relation shape state substance time`.split(/\s+/)

export function* polynymsOf(folder: string, background: Background): Generator<WordnetRecord> {
  const made = new Set<string>()
  for (const synset of synsetsOf(folder, NOUNS)) {
    const name = synset.words[0]
    if (!fits(name, LONGEST_NAME)) continue
    const area = AREAS[synset.lexfile - FIRST_AREA]
    const pointers = synset.pointers(...ALL_SYMBOLS)
    for (const { mode, symbols } of RELATIONS) {
      const related = pointers.filter(({ symbol }) => symbols.includes(symbol))
      const terms = termsOf(name, related, background)
      if (terms.length < 2) continue
      // A catalogue holds a name with the same terms once per area, whatever the mode.
      const key = JSON.stringify([name, area, terms])
      if (made.has(key)) continue
      made.add(key)
      const body: Record<string, JsonObject[string]> = { name, user: OWNER, src: background.src }
      if (area) body['area'] = area
      body['mode'] = mode
      terms.forEach((term, i) => {
        body[`p${i + 1}`] = term
      })
      yield { collection: 'polynym', file: NOUNS, line: synset.line, body }
    }
  }
}

/** In WordNet's order; if there are too many, the most used ones. */
function termsOf(name: string, pointers: readonly Pointer[], { nouns, uses }: Background): string[] {
  const usesOf = new Map<string, number>()
  for (const { offset } of pointers) {
    // A type may share the name of its parent; it then uses its next word.
    const term = nouns.words(offset)?.find((word) => word !== name)
    if (fits(term, LONGEST_TERM)) usesOf.set(term, (usesOf.get(term) ?? 0) + uses.ofNouns(offset))
  }
  const terms = [...usesOf.keys()]
  if (terms.length <= MOST_TERMS) return terms
  const kept = new Set(terms.toSorted((a, b) => usesOf.get(b)! - usesOf.get(a)!).slice(0, MOST_TERMS))
  return terms.filter((term) => kept.has(term))
}
