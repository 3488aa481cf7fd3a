/**
 * Which sets speak of a text, in layers. Particular: the name of the set, or several of its words, are in the text. Near:
 * one of its words is. General: it has a word that words of the text are kinds of.
 */
import { type AnyResource, fieldsOf } from '../../declare/index.ts'
import { phraseOf, type Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { readPatiently } from '../query-timeout.ts'
import { holdsSlots } from './term.ts'
import { checkedText, wordsOfText } from './text-words.ts'

const MOST_WORDS = 60
/** Of two or three words: longer terms are rarely in a text. */
const MOST_PHRASES = 240
/** How many sets are looked at for each word, and how many are shown in each layer. */
const MOST_OF_WORD = 40
const MOST_OF_LAYER = 12

export interface FoundSet {
  readonly resource: string
  readonly id: number
  readonly name: string
  /** The words of the text that it speaks of. */
  readonly words: readonly string[]
}

export interface Orientation {
  /** False if the words are the few that come with the server. */
  readonly imported: boolean
  readonly general: readonly FoundSet[]
  readonly near: readonly FoundSet[]
  readonly particular: readonly FoundSet[]
}

interface Candidate {
  readonly resource: AnyResource
  readonly id: number
  readonly words: Set<string>
  isNamed: boolean
}

export function orient(engine: Engine, given: string | undefined): Promise<Orientation> {
  const text = checkedText(given)
  const all = wordsOfText(engine, text)
  const words = all.slice(0, MOST_WORDS)
  const own = new Map([
    ...phrasesOf(text, new Set(all.map(({ word }) => word))).map((phrase) => [phrase, phrase] as const),
    ...words.flatMap(({ word, bases }) => bases.map((base) => [base, word] as const)),
  ])
  return readPatiently(engine, function* (): Work<Orientation> {
    const table = yield* engine.store.relatedWords.open()
    const found = yield* candidates(engine, own)
    const related = yield* table.of(words.flatMap(({ bases }) => bases))
    const kinds = new Map<string, string>()
    for (const { word, bases } of words) {
      for (const other of bases.flatMap((base) => related.get(base)?.others ?? [])) {
        if (other.how === 'kind' && !own.has(other.word) && !kinds.has(other.word)) kinds.set(other.word, word)
      }
    }
    const wider = yield* candidates(engine, new Map([...kinds].slice(0, MOST_WORDS)))
    const known = new Set(found.map(({ resource, id }) => `${resource.name} ${id}`))
    const general = wider.filter(({ resource, id }) => !known.has(`${resource.name} ${id}`))
    const isParticular = ({ isNamed, words: some }: Candidate) => isNamed || some.size > 1
    return {
      imported: table.isImported,
      general: yield* shown(engine, general),
      near: yield* shown(
        engine,
        found.filter((each) => !isParticular(each)),
      ),
      particular: yield* shown(engine, found.filter(isParticular)),
    }
  })
}

/** Two or three words in a row, of which at least one tells something. */
function phrasesOf(text: string, telling: ReadonlySet<string>): string[] {
  const words = phraseOf(text).split(' ')
  const phrases = words.flatMap((_, i) =>
    [2, 3].flatMap((length) => {
      const some = words.slice(i, i + length)
      return some.length === length && some.some((word) => telling.has(word)) ? [some.join(' ')] : []
    }),
  )
  return [...new Set(phrases)].slice(0, MOST_PHRASES)
}

/** The sets that have one of the terms. The value of each term is the word of the text that it is for. */
function* candidates({ store, catalogue }: Engine, terms: ReadonlyMap<string, string>): Work<Candidate[]> {
  const found = new Map<string, Candidate>()
  for (const resource of catalogue.filter(holdsSlots)) {
    const name = nameOf(resource)
    for (const { id, member, term } of yield* store.terms.placesOfEach(resource, [...terms.keys()], MOST_OF_WORD)) {
      const key = `${resource.name} ${id}`
      const candidate = found.get(key) ?? { resource, id, words: new Set<string>(), isNamed: false }
      candidate.words.add(terms.get(term) ?? term)
      candidate.isNamed ||= member === name
      found.set(key, candidate)
    }
  }
  return [...found.values()]
}

function nameOf(resource: AnyResource): string {
  return fieldsOf(resource).find(([, { searches }]) => searches === 'name')?.[0] ?? 'name'
}

/** Those with the most words first. */
function* shown({ store }: Engine, candidates: readonly Candidate[]): Work<FoundSet[]> {
  const first = candidates
    .toSorted((a, b) => b.words.size - a.words.size || Number(b.isNamed) - Number(a.isNamed) || a.id - b.id)
    .slice(0, MOST_OF_LAYER)
  const sets: FoundSet[] = []
  for (const [resource, some] of Map.groupBy(first, ({ resource }) => resource)) {
    const name = nameOf(resource)
    const rows = yield* store.records.byIds(
      { resource, only: [name] },
      some.map(({ id }) => id),
    )
    const names = new Map(rows.map((row) => [Number(row['id']), String(row[name])]))
    for (const { id, words } of some) {
      sets.push({ resource: resource.name, id, name: names.get(id) ?? '', words: [...words].sort() })
    }
  }
  const place = new Map(first.map(({ resource, id }, i) => [`${resource.name} ${id}`, i]))
  return sets.sort((a, b) => (place.get(`${a.resource} ${a.id}`) ?? 0) - (place.get(`${b.resource} ${b.id}`) ?? 0))
}
