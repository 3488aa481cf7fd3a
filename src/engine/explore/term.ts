/** Where a word stands: in the names and slots of sets, and in texts, through its forms. */
import { type AnyRecord, type AnyResource, fieldsOf, showRecord } from '../../declare/index.ts'
import { hasTerms, phraseOf, termOf, type Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { loadRecords } from '../load.ts'
import { readPatiently } from '../patience.ts'
import { oneSlipAway, slipsBetween } from './spelling.ts'

export interface TermAnswer {
  readonly term: string
  readonly forms: readonly string[]
  /** How many places of sets it stands in, altogether and by member. */
  readonly count: number
  readonly slots: Readonly<Record<string, number>>
  readonly sets: readonly { readonly resource: string; readonly slot: string; readonly record: Shown }[]
  readonly texts: {
    readonly count: number
    readonly results: readonly { readonly resource: string; readonly record: Shown }[]
  }
  readonly neighbours: readonly { readonly term: string; readonly count: number }[]
  readonly didYouMean: readonly string[]
}

/** A record as JSON text. */
type Shown = string

const MOST_FORMS = 40
const MOST_NEIGHBOURS = 20
const MOST_SUGGESTIONS = 5
const MOST_LOOKED_AT = 5000

export function readTerm(engine: Engine, given: string, limit: number): Promise<TermAnswer> {
  const { store, catalogue } = engine
  const term = termOf(given)
  const forms = [...new Set([term, ...engine.formsOf(given.trim()).map(phraseOf)])].slice(0, MOST_FORMS)
  return readPatiently(engine, function* () {
    const slots: Record<string, number> = {}
    const sets: TermAnswer['sets'][number][] = []
    const neighbours = new Map<string, number>()
    for (const resource of catalogue.filter(hasTerms)) {
      for (const { member, count } of yield* store.terms.counts(resource, term)) {
        slots[member] = (slots[member] ?? 0) + count
      }
      const places = yield* store.terms.places(resource, term, limit - sets.length)
      const records = yield* recordsOf(
        engine,
        resource,
        places.map(({ id }) => id),
      )
      for (const { id, member } of places) {
        sets.push({ resource: resource.name, slot: member, record: showRecord(records.get(id)!) })
      }
      if (!holdsSlots(resource)) continue
      for (const each of yield* store.terms.neighbours(resource, term, MOST_NEIGHBOURS)) {
        neighbours.set(each.term, (neighbours.get(each.term) ?? 0) + each.count)
      }
    }
    const texts = yield* textsWith(engine, forms, limit)
    const count = Object.values(slots).reduce((sum, each) => sum + each, 0)
    return {
      term,
      forms,
      count,
      slots: Object.fromEntries(Object.entries(slots).sort(([a], [b]) => (a < b ? -1 : 1))),
      sets,
      texts,
      neighbours: mostFrequent(neighbours, MOST_NEIGHBOURS),
      didYouMean: count + texts.count > 0 ? [] : yield* meant(engine, term),
    }
  })
}

/** Has slots for terms, and not only a name. */
export function holdsSlots(resource: AnyResource): boolean {
  return fieldsOf(resource).some(([, { searches }]) => searches === 'term')
}

function* recordsOf({ store }: Engine, resource: AnyResource, ids: readonly number[]): Work<Map<number, AnyRecord>> {
  const rows = yield* store.records.byIds({ resource }, [...new Set(ids)])
  const records = yield* loadRecords(store, { resource }, rows)
  return new Map(records.map((record) => [record.id, record]))
}

function* textsWith(engine: Engine, forms: readonly string[], limit: number): Work<TermAnswer['texts']> {
  const { store, catalogue } = engine
  // A form of several words is looked for by its words only in searches.
  const words = forms.filter((form) => form !== '' && !form.includes(' '))
  const results: TermAnswer['texts']['results'][number][] = []
  let count = 0
  for (const resource of catalogue.filter(({ textIn }) => textIn)) {
    if (words.length === 0) break
    const found = yield* store.terms.texts(resource, words, limit)
    count += found.count
    const ids = found.ids.slice(0, limit - results.length)
    const records = yield* recordsOf(engine, resource, ids)
    results.push(...ids.map((id) => ({ resource: resource.name, record: showRecord(records.get(id)!) })))
  }
  return { count, results }
}

function mostFrequent(counts: ReadonlyMap<string, number>, most: number): { term: string; count: number }[] {
  return Array.from(counts, ([term, count]) => ({ term, count }))
    .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
    .slice(0, most)
}

/** Known terms that are one slip away, or two for longer words that begin alike; the most used first. */
function* meant({ store, catalogue }: Engine, term: string): Work<string[]> {
  const found = new Map<string, { slips: number; count: number }>()
  const near = oneSlipAway(term)
  for (const resource of catalogue.filter(hasTerms)) {
    const alike =
      term.length >= 4 ? yield* store.terms.beginning(resource, [...term].slice(0, 2).join(''), MOST_LOOKED_AT) : []
    for (const known of [...(yield* store.terms.known(resource, near)), ...alike]) {
      const slips = slipsBetween(term, known.term, 2)
      if (slips > 2) continue
      found.set(known.term, { slips, count: (found.get(known.term)?.count ?? 0) + known.count })
    }
  }
  const fewest = Math.min(...Array.from(found.values(), ({ slips }) => slips))
  return [...found]
    .filter(([, { slips }]) => slips === fewest)
    .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(([known]) => known)
}
