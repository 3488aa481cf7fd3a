/** Sets side by side: what they share, what only one of them has, which is part of which. */
import { type AnyRecord, type AnyResource, fieldsOf } from '../../declare/index.ts'
import { isTerm, termOf } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { findRecords } from '../load.ts'
import { problems } from '../problem.ts'
import { holdsSlots } from './term.ts'

/** polynym:3 */
export interface SetAddress {
  readonly resource: AnyResource
  readonly id: number
}

interface ComparedSet {
  readonly set: string
  readonly name: string
  readonly terms: readonly string[]
  /** Terms that none of the others has. */
  readonly only: readonly string[]
}

type Relation = 'equal' | 'subset' | 'superset' | 'overlap' | 'disjoint'

export interface Comparison {
  readonly sets: readonly ComparedSet[]
  readonly shared: readonly string[]
  readonly union: readonly string[]
  readonly jaccard: number
  readonly pairs: readonly {
    readonly sets: readonly [string, string]
    readonly shared: readonly string[]
    /** What the first is to the second. */
    readonly relation: Relation
    readonly jaccard: number
  }[]
}

export const FEWEST_SETS = 2
export const MOST_SETS = 10

/** Sets of terms, and sets of such sets. */
export function canCompare(resource: AnyResource): boolean {
  return (
    holdsSlots(resource) ||
    fieldsOf(resource).some(([key, field]) => {
      const storage = field.storage(key)
      return (storage.in === 'links' || storage.in === 'reference') && holdsSlots(storage.to) && !resource.textIn
    })
  )
}

/** `polynym:3`; a problem names what is wrong. */
export function readSetAddresses({ catalogue }: Engine, given: readonly string[]): SetAddress[] {
  const wrong = (message: string) => problems.invalid({ set: [message] })
  const distinct = [...new Set(given.map((each) => each.trim()))]
  if (distinct.length < FEWEST_SETS || distinct.length > MOST_SETS) {
    throw wrong(`Give ${FEWEST_SETS} to ${MOST_SETS} different sets, such as set=${nameOfSets(catalogue)}:3.`)
  }
  return distinct.map((each) => {
    const [, name, id] = /^([a-z-]+):([1-9][0-9]{0,14})$/.exec(each) ?? []
    if (!name) throw wrong(`"${each}" is not a collection, a colon and an id.`)
    const resource = catalogue.find((known) => known.name === name && canCompare(known))
    if (!resource) throw wrong(`"${name}" is not a collection of sets.`)
    return { resource, id: Number(id) }
  })
}

function nameOfSets(catalogue: readonly AnyResource[]): string {
  return catalogue.find(canCompare)?.name ?? 'collection'
}

export function compareSets({ store }: Engine, addresses: readonly SetAddress[]): Promise<Comparison> {
  return store.read(function* () {
    const wanted = new Map<AnyResource, Set<number>>()
    for (const { resource, id } of addresses) {
      wanted.set(resource, new Set([...(wanted.get(resource) ?? []), id]))
    }
    const find = yield* findRecords(store, wanted)
    const found = addresses.map(({ resource, id }) => {
      const record = find(resource, id)
      if (!record) throw problems.invalid({ set: [`Invalid pk "${id}" - object does not exist.`] })
      return { set: `${resource.name}:${id}`, name: String(record['name'] ?? ''), terms: termsIn(resource, record) }
    })
    return comparisonOf(found)
  })
}

/** Folded term -> as it is written first. */
type TermSet = ReadonlyMap<string, string>

/** Its own terms, and those of the sets it embeds. */
export function termsIn(resource: AnyResource, record: AnyRecord): TermSet {
  const terms = new Map<string, string>()
  const add = (text: string) => {
    const term = termOf(text)
    if (isTerm(term) && !terms.has(term)) terms.set(term, text)
  }
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in === 'reference' || storage.in === 'links') {
      for (const embedded of [record[key]].flat()) termsIn(storage.to, embedded).forEach(add)
    } else for (const { as, text } of field.searched(record[key], key)) if (as === 'term') add(text)
  }
  return terms
}

interface Found {
  readonly set: string
  readonly name: string
  readonly terms: TermSet
}

function comparisonOf(found: readonly Found[]): Comparison {
  const union = new Map(found.toReversed().flatMap(({ terms }) => [...terms]))
  const inOrder = [...new Set(found.flatMap(({ terms }) => [...terms.keys()]))]
  const holders = (term: string) => found.filter(({ terms }) => terms.has(term)).length
  const shared = inOrder.filter((term) => holders(term) === found.length)
  const written = (terms: readonly string[]) => terms.map((term) => union.get(term)!)
  return {
    sets: found.map(({ set, name, terms }) => ({
      set,
      name,
      terms: [...terms.values()],
      only: [...terms].filter(([term]) => holders(term) === 1).map(([, text]) => text),
    })),
    shared: written(shared),
    union: written(inOrder),
    jaccard: ratio(shared.length, inOrder.length),
    pairs: found.flatMap((a, i) => found.slice(i + 1).map((b) => pairOf(a, b))),
  }
}

function pairOf(a: Found, b: Found): Comparison['pairs'][number] {
  const shared = [...a.terms].filter(([term]) => b.terms.has(term))
  const union = a.terms.size + b.terms.size - shared.length
  return {
    sets: [a.set, b.set],
    shared: shared.map(([, text]) => text),
    relation: relationOf(a.terms.size, b.terms.size, shared.length),
    jaccard: ratio(shared.length, union),
  }
}

function relationOf(a: number, b: number, shared: number): Relation {
  if (shared === a && shared === b) return 'equal'
  if (shared === a) return 'subset'
  if (shared === b) return 'superset'
  return shared > 0 ? 'overlap' : 'disjoint'
}

/** To four places, so that both engines and all languages show the same. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000
}
