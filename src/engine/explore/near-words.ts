/** "Did you mean": the query with unknown words replaced by known ones that are spelled almost the same. */
import { type AnyResource, fieldsOf } from '../../declare/index.ts'
import { hasTerms, phraseOf, type Store, type Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { oneSlipAway, slipsBetween } from './spelling.ts'

const MOST_SUGGESTED = 5
/** A query with more words is a text, not a search. */
const MOST_WORDS = 8
/** Shorter words are too much like others. */
const SHORTEST = 3
/** From this length on, two slips are likely to be slips. */
const LONG = 6
/** In how many places terms with the same beginning are looked for. */
const MOST_COMPARED = 20_000
/** More records make a word no better known. */
const WELL_KNOWN = 100
/** A word that has a neighbour which is so much more common may be a slip too. */
const MORE_COMMON = 10

interface NearWord {
  readonly word: string
  readonly slips: number
  readonly count: number
}

/** Whole queries, the best first. */
export function* nearQueries(engine: Engine, text: string): Work<string[]> {
  const words = phraseOf(text)
    .split(' ')
    .filter((word) => word !== '')
  if (words.length === 0 || words.length > MOST_WORDS) return []
  const { store, catalogue } = engine
  // Most words of a search are frequent terms, which is quicker to see than in how many records they occur as words.
  const frequent = yield* store.terms.frequent(catalogue.filter(hasTerms), words, WELL_KNOWN / MORE_COMMON)
  const others = [...new Set(words)].filter((word) => !frequent.has(word))
  const known = yield* commonness(engine, others)
  const near = new Map<string, readonly NearWord[]>()
  for (const word of others) {
    const found = yield* nearWords(engine, word, known.get(word) ?? 0)
    if (found.length > 0) near.set(word, found)
  }
  if (near.size === 0) return []
  const withPlace = (place: number) => words.map((word) => near.get(word)?.[near.size === 1 ? place : 0]?.word ?? word)
  const most = near.size === 1 ? Math.max(...Array.from(near.values(), ({ length }) => length)) : 1
  return Array.from({ length: Math.min(most, MOST_SUGGESTED) }, (_, place) => withPlace(place).join(' '))
}

/** Known words that a word may be a slip for, the most likely first. */
function* nearWords(engine: Engine, word: string, count: number): Work<readonly NearWord[]> {
  if ([...word].length < SHORTEST || /^\p{N}+$/u.test(word)) return []
  // Of a word that is not rare, it is not known whether another one is much more common.
  if (count * MORE_COMMON > WELL_KNOWN) return []
  const one = yield* wordsAmong(engine, oneSlipAway(word), word)
  if (count > 0) return one.filter((near) => near.count >= count * MORE_COMMON)
  if (one.length > 0 || [...word].length < LONG) return one
  return yield* twoSlipsAway(engine, word)
}

function* wordsAmong(engine: Engine, candidates: readonly string[], word: string): Work<readonly NearWord[]> {
  const known = yield* commonness(engine, candidates)
  return likeliest(
    word,
    Array.from(known, ([near, count]) => ({ word: near, slips: 1, count })),
  )
}

/** Terms that begin like a word, and are about as long: no others are looked up two slips away. */
export function alikeTerms(store: Store, resource: AnyResource, word: string): Work<string[]> {
  const letters = [...word]
  const [shortest, longest] = [letters.length - 2, letters.length + 2]
  return store.terms.beginning(resource, letters.slice(0, 2).join(''), { shortest, longest, places: MOST_COMPARED })
}

/** Among the terms that begin the same: others cannot be looked up. */
function* twoSlipsAway({ store, catalogue }: Engine, word: string): Work<readonly NearWord[]> {
  const counts = new Map<string, number>()
  for (const resource of catalogue.filter(hasTerms)) {
    const alike = (yield* alikeTerms(store, resource, word)).filter(
      (term) => !term.includes(' ') && slipsBetween(word, term, 2) <= 2 && phraseOf(term) === term,
    )
    for (const { term, count } of yield* store.terms.known([resource], alike)) {
      counts.set(term, Math.min((counts.get(term) ?? 0) + count, WELL_KNOWN))
    }
  }
  return likeliest(
    word,
    Array.from(counts, ([near, count]) => ({ word: near, slips: 2, count })),
  )
}

/** People seldom mistake the first letter. */
function likeliest(word: string, near: readonly NearWord[]): readonly NearWord[] {
  const isOther = (other: string) => Number([...other][0] !== [...word][0])
  return near
    .toSorted(
      (a, b) =>
        isOther(a.word) - isOther(b.word) || a.slips - b.slips || b.count - a.count || (a.word < b.word ? -1 : 1),
    )
    .slice(0, MOST_SUGGESTED)
}

/** In how many records of any kind each word is; those that are in none are left out. */
function* commonness({ store, catalogue }: Engine, words: readonly string[]): Work<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { term, count } of yield* store.terms.words(catalogue.filter(isSearched), words, WELL_KNOWN)) {
    counts.set(term, Math.min((counts.get(term) ?? 0) + count, WELL_KNOWN))
  }
  return counts
}

export function isSearched(resource: AnyResource): boolean {
  return fieldsOf(resource).some(([, { searches }]) => searches !== undefined)
}
