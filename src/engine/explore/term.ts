/** Where a word occurs: in the names and slots of sets, and in texts, through its forms. */

import { type AnyResource, fieldsOf } from '../../declare/index.ts'
import { hasTerms, isTerm, phraseOf, termOf, type Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { LIMITS } from '../limits.ts'
import { loadRecords } from '../load.ts'
import { problems } from '../problem.ts'
import type { Projection } from '../project.ts'
import { readPatiently } from '../query-timeout.ts'
import { showByIds } from '../show.ts'
import { alikeTerms } from './near-words.ts'
import { oneSlipAway, slipsBetween } from './spelling.ts'

export interface TermAnswer {
  /** As terms are compared: in lower case, without accents. */
  readonly term: string
  /** The term, and its other forms that occur in texts. */
  readonly forms: readonly string[]
  /** How many places of records hold it, in total, and for each resource by member. */
  readonly count: number
  readonly slots: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly sets: readonly { readonly resource: string; readonly slot: string; readonly record: Shown }[]
  readonly texts: {
    readonly count: number
    readonly results: readonly { readonly resource: string; readonly record: Shown }[]
  }
  /** `text` is the term as a set writes it. */
  readonly neighbours: readonly { readonly term: string; readonly count: number; readonly text: string }[]
  readonly didYouMean: readonly string[]
}

/** A record as JSON text. */
type Shown = string

const MOST_NEIGHBOURS = 20
const MOST_SUGGESTIONS = 5
/** More records make a word no better known. */
const WELL_KNOWN = 1000
/** How many texts of a resource are read to see which forms occur in them. */
const MOST_READ = 200

export interface TermOptions {
  /** How many sets, and how many texts. With 0, there are no neighbours either: everything is only counted. */
  readonly limit: number
  /** Which members of the records; all when undefined. */
  readonly projection?: Projection | undefined
}

export function readTerm(engine: Engine, given: string, options: TermOptions): Promise<TermAnswer> {
  const term = termOf(given)
  if (!isTerm(term)) throw problems.badRequest('The term has no letter, no digit and no symbol.')
  if ([...term].length > LIMITS.termLength) {
    throw problems.badRequest(`The term is longer than ${LIMITS.termLength} characters: search for its words.`)
  }
  const forms = new Set(
    [term, ...engine.formsOf(given.trim().toLowerCase())].map(phraseOf).filter((form) => form !== ''),
  )
  return readPatiently(engine, function* () {
    const { slots, sets, neighbours } = yield* standingInSets(engine, term, options)
    const texts = yield* standingInTexts(engine, [...forms], options)
    const count = Object.values(slots).reduce((sum, members) => sum + total(members), 0)
    return {
      term,
      forms: [...new Set([term, ...texts.forms])],
      count,
      slots,
      sets,
      texts: { count: texts.count, results: texts.results },
      neighbours: yield* spelled(engine, mostFrequent(neighbours, MOST_NEIGHBOURS)),
      didYouMean: count + texts.count > 0 || forms.size === 0 ? [] : yield* meant(engine, term),
    }
  })
}

/** Whether it has slots for terms, and not only a name. */
export function holdsSlots(resource: AnyResource): boolean {
  return fieldsOf(resource).some(([, { searches }]) => searches === 'term')
}

interface Standing extends Pick<TermAnswer, 'slots' | 'sets'> {
  readonly neighbours: ReadonlyMap<string, Neighbour>
}

interface Neighbour {
  readonly term: string
  readonly count: number
  /** A record that holds it. */
  readonly resource: AnyResource
  readonly record: number
}

function* standingInSets(engine: Engine, term: string, { limit, projection }: TermOptions): Work<Standing> {
  const { store, catalogue } = engine
  const slots: Record<string, Record<string, number>> = {}
  const sets: TermAnswer['sets'][number][] = []
  const neighbours = new Map<string, Neighbour>()
  for (const [resource, counts] of yield* store.terms.counts(catalogue.filter(hasTerms), term)) {
    if (counts.size === 0) continue
    const members = fieldsOf(resource).flatMap(([key, field]) => field.members(key))
    slots[resource.name] = Object.fromEntries(members.flatMap((member) => pairIn(counts, member)))
    const places = limit > sets.length ? yield* store.terms.places(resource, term, limit - sets.length) : []
    const records = yield* recordsOf(
      engine,
      resource,
      places.map(({ id }) => id),
      projection,
    )
    for (const { id, member } of places) {
      sets.push({ resource: resource.name, slot: member, record: records.get(id)! })
    }
    if (!holdsSlots(resource) || limit === 0) continue
    // More than are shown, because those of several resources are added up.
    for (const each of yield* store.frequentTerms.neighbours(resource, term, MOST_NEIGHBOURS * 10)) {
      const { count = 0, ...first } = neighbours.get(each.term) ?? {}
      neighbours.set(each.term, { resource, ...each, ...first, count: count + each.count })
    }
  }
  return { slots, sets, neighbours }
}

function pairIn(counts: ReadonlyMap<string, number>, member: string): [string, number][] {
  const count = counts.get(member)
  return count === undefined ? [] : [[member, count]]
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0)
}

function* recordsOf(
  { store }: Engine,
  resource: AnyResource,
  ids: readonly number[],
  projection: Projection | undefined,
): Work<Map<number, Shown>> {
  const records = yield* showByIds(store, { resource }, [...new Set(ids)], projection)
  return new Map(records.map(({ id, json }) => [id, json]))
}

interface InTexts {
  readonly count: number
  readonly forms: readonly string[]
  readonly results: TermAnswer['texts']['results']
}

function* standingInTexts(engine: Engine, forms: readonly string[], { limit, projection }: TermOptions): Work<InTexts> {
  const results: InTexts['results'][number][] = []
  const seen = new Set<string>()
  let count = 0
  // Texts are found by words, and symbols are none.
  const searched = forms.length > 0 ? engine.catalogue.filter(({ textIn }) => textIn) : []
  for (const resource of searched) {
    const found = yield* textsWith(engine, resource, forms)
    count += found.count
    for (const form of found.forms) seen.add(form)
    const ids = found.ids.slice(0, limit - results.length)
    const records = yield* recordsOf(engine, resource, ids, projection)
    results.push(...ids.map((id) => ({ resource: resource.name, record: records.get(id)! })))
  }
  return { count, forms: forms.filter((form) => seen.has(form)), results }
}

/**
 * The index knows records by all their words; the text itself is read, because names and sources are not part of it.
 */
function* textsWith(
  { store }: Engine,
  resource: AnyResource,
  forms: readonly string[],
): Work<{ count: number; ids: number[]; forms: ReadonlySet<string> }> {
  const words = new Set(forms.flatMap((form) => form.split(' ')))
  const fewest = Math.min(...forms.map((form) => new Set(form.split(' ')).size))
  const holding = yield* store.terms.holding(resource, [...words], fewest, MOST_READ)
  const key = resource.textIn!
  const textOnly = { resource, only: [key] }
  const rows = yield* store.records.byIds(textOnly, holding.ids)
  const seen = new Set<string>()
  const ids: number[] = []
  for (const record of yield* loadRecords(store, textOnly, rows)) {
    const [text] = resource.fields[key].searched(record[key], key)
    const phrase = ` ${phraseOf(text?.text ?? '')} `
    const here = forms.filter((form) => phrase.includes(` ${form} `))
    if (here.length > 0) ids.push(record.id)
    for (const form of here) seen.add(form)
  }
  const isWhole = holding.ids.length === holding.count
  return { count: isWhole ? ids.length : holding.count, ids: ids.sort((a, b) => a - b), forms: seen }
}

function mostFrequent(neighbours: ReadonlyMap<string, Neighbour>, most: number): Neighbour[] {
  return [...neighbours.values()].sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1)).slice(0, most)
}

/** The index has folded terms only: how they are written is in the records. */
export function* spelled({ store }: Engine, neighbours: readonly Neighbour[]): Work<TermAnswer['neighbours']> {
  const texts = new Map<string, string>()
  for (const resource of new Set(neighbours.map((each) => each.resource))) {
    const here = neighbours.filter((each) => each.resource === resource)
    const rows = yield* store.records.byIds({ resource }, [...new Set(here.map(({ record }) => record))])
    for (const record of yield* loadRecords(store, { resource }, rows)) {
      const written = fieldsOf(resource).flatMap(([key, field]) => field.searched(record[key], key))
      const spellings = new Map(written.toReversed().map(({ text }) => [termOf(text), text]))
      for (const { term } of here.filter((each) => each.record === record.id))
        texts.set(term, spellings.get(term) ?? term)
    }
  }
  return neighbours.map(({ term, count }) => ({ term, count, text: texts.get(term) ?? term }))
}

/**
 * Known terms and words that are one slip away; if there are none, terms two slips away with the same beginning. The most
 * used come first.
 */
function* meant({ store, catalogue }: Engine, term: string): Work<string[]> {
  const found = new Map<string, { slips: number; count: number }>()
  const consider = (all: Iterable<{ term: string; count: number }>) => {
    for (const known of all) {
      const slips = slipsBetween(term, known.term, 2)
      if (slips > 2) continue
      found.set(known.term, { slips, count: (found.get(known.term)?.count ?? 0) + known.count })
    }
  }
  const fewestSlips = () => Math.min(...Array.from(found.values(), ({ slips }) => slips))
  const near = oneSlipAway(term)
  const withTerms = catalogue.filter(hasTerms)
  consider(yield* store.terms.known(withTerms, near))
  const texts = catalogue.filter(({ textIn }) => textIn)
  consider(yield* store.terms.words(texts, near, WELL_KNOWN))
  if (fewestSlips() > 1 && [...term].length >= 4) {
    for (const resource of withTerms) {
      const distant = (yield* alikeTerms(store, resource, term)).filter((known) => slipsBetween(term, known, 2) === 2)
      consider(yield* store.terms.known([resource], distant))
    }
  }
  const fewest = fewestSlips()
  return [...found]
    .filter(([, { slips }]) => slips === fewest)
    .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(([known]) => known)
}
