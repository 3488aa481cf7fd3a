/** Compares sets: what they share, what only one of them has, which is part of which, and how much they repeat. */
import { type AnyRecord, type AnyResource, type Field, fieldsOf } from '../../declare/index.ts'
import { isTerm, termOf } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { findRecords } from '../load.ts'
import { type Problem, problems } from '../problem.ts'
import { type Product, productOf, type WantedProduct } from './product.ts'
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
  /** Its area, its source and the like, by member. */
  readonly labels: Readonly<Record<string, string>>
}

/** How much the sets repeat each other: without a repeat the rate is 0; if each value occurs twice, it is 1. */
interface Convergence {
  /** `terms`, or a member such as `area`. */
  readonly of: string
  readonly all: number
  readonly distinct: number
  readonly rate: number
}

type Relation = 'equal' | 'subset' | 'superset' | 'overlap' | 'disjoint'

export interface Comparison {
  readonly sets: readonly ComparedSet[]
  readonly shared: readonly string[]
  readonly union: readonly string[]
  readonly symmetric_difference: readonly string[]
  readonly jaccard: number
  /** Each term of the union, and the places of the sets that have it. */
  readonly terms: readonly { readonly term: string; readonly in: readonly number[] }[]
  readonly convergence: readonly Convergence[]
  readonly product: Product
  readonly pairs: readonly {
    readonly sets: readonly [string, string]
    readonly shared: readonly string[]
    /** The first set relative to the second. */
    readonly relation: Relation
    readonly jaccard: number
  }[]
}

export const FEWEST_SETS = 2
export const MOST_SETS = 20
/** Of all sets together, repeats included. */
const MOST_TERMS = 24_000
const MOST_BYTES = 8 * 1024 * 1024

/** Sets of terms, and named sets of such sets; a text, or a line of one, is not a set, although it embeds some. */
export function canCompare(resource: AnyResource): boolean {
  if (holdsSlots(resource)) return true
  const fields = fieldsOf(resource)
  if (resource.textIn || !fields.some(([, { searches }]) => searches === 'name')) return false
  return fields.some(([key, field]) => {
    const storage = field.storage(key)
    return (storage.in === 'links' || storage.in === 'reference') && holdsSlots(storage.to)
  })
}

/** Parses `polynym:3` and the like; a problem lists all faults. */
export function readSetAddresses({ catalogue }: Engine, given: readonly string[]): SetAddress[] {
  const comparable = catalogue.filter(canCompare)
  const distinct = [...new Set(given.map((each) => each.trim()))]
  if (distinct.length < FEWEST_SETS || distinct.length > MOST_SETS) {
    const example = comparable[0]?.name ?? 'collection'
    throw wrongSets([`Give ${FEWEST_SETS} to ${MOST_SETS} different sets, such as set=${example}:3.`])
  }
  const faults: string[] = []
  const addresses = distinct.flatMap((each): SetAddress[] => {
    const [, name, id] = /^([a-z-]+):([1-9][0-9]{0,14})$/.exec(each) ?? []
    const resource = comparable.find((known) => known.name === name)
    if (resource) return [{ resource, id: Number(id) }]
    faults.push(name ? `"${name}" is not a collection of sets.` : `"${each}" is not a collection, a colon and an id.`)
    return []
  })
  if (faults.length > 0) throw wrongSets(faults)
  return addresses
}

function wrongSets(messages: readonly string[]): Problem {
  return problems.invalid({ set: messages })
}

export function compareSets(
  { store }: Engine,
  addresses: readonly SetAddress[],
  product: WantedProduct,
): Promise<Comparison> {
  return store.readAt(function* () {
    const wanted = new Map<AnyResource, Set<number>>()
    for (const { resource, id } of addresses) {
      wanted.set(resource, new Set([...(wanted.get(resource) ?? []), id]))
    }
    const find = yield* findRecords(store, wanted)
    const missing: string[] = []
    const room = { left: MOST_TERMS }
    const found = addresses.flatMap(({ resource, id }): Found[] => {
      const set = `${resource.name}:${id}`
      const record = find(resource, id)
      if (record)
        return [
          {
            set,
            name: nameOf(resource, record),
            terms: termsIn(resource, record, room),
            labels: labelsIn(resource, record),
          },
        ]
      missing.push(`Invalid pk "${set}" - object does not exist.`)
      return []
    })
    if (missing.length > 0) throw wrongSets(missing)
    return comparisonOf(found, product)
  })
}

function nameOf(resource: AnyResource, record: AnyRecord): string {
  const [name] = fieldsOf(resource).flatMap(([key, field]) => field.searched(record[key], key).filter(isName))
  return name?.text ?? ''
}

const isName = ({ as }: { readonly as: string }) => as === 'name'

/** Folded term -> its first spelling. */
export type TermSet = ReadonlyMap<string, string>

/** Texts that many records share, and that people know by name. */
function labelsIn(resource: AnyResource, record: AnyRecord): Record<string, string> {
  const labels = fieldsOf(resource).flatMap(([key, field]): [string, string][] =>
    field.searches === 'area' || field.searches === 'text'
      ? field
          .searched(record[key], key)
          .flatMap(({ member, text }) => (isLabel(field, key) && text ? [[member, text]] : []))
      : [],
  )
  return Object.fromEntries(labels)
}

function isLabel(field: Field, key: string): boolean {
  const storage = field.storage(key)
  return storage.in === 'columns' && storage.columns.some(({ indexed }) => indexed)
}

/** How many terms may still be read. */
interface Room {
  left: number
}

/** Its own terms, and those of the sets it embeds. */
export function termsIn(resource: AnyResource, record: AnyRecord, room: Room = { left: MOST_TERMS }): TermSet {
  const terms = new Map<string, string>()
  addTerms(resource, record, terms, room)
  return terms
}

function addTerms(resource: AnyResource, record: AnyRecord, terms: Map<string, string>, room: Room): void {
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in === 'reference' || storage.in === 'links') {
      for (const embedded of [record[key]].flat()) addTerms(storage.to, embedded, terms, room)
      continue
    }
    for (const { as, text } of field.searched(record[key], key)) {
      if (as === 'term' && room.left-- <= 0)
        throw wrongSets([`The sets have more than ${MOST_TERMS} terms. Compare fewer.`])
      const term = as === 'term' ? termOf(text) : ''
      if (isTerm(term) && !terms.has(term)) terms.set(term, text)
    }
  }
}

interface Found {
  readonly set: string
  readonly name: string
  readonly terms: TermSet
  readonly labels: Readonly<Record<string, string>>
}

function comparisonOf(found: readonly Found[], product: WantedProduct): Comparison {
  const holders = new Map<string, { readonly term: string; readonly in: number[] }>()
  found.forEach(({ terms }, place) => {
    for (const [term, text] of terms) {
      const known = holders.get(term)
      if (known) known.in.push(place)
      else holders.set(term, { term: text, in: [place] })
    }
  })
  const all = [...holders.values()]
  const heldBy = (isWanted: (count: number) => boolean) =>
    all.filter(({ in: { length } }) => isWanted(length)).map(({ term }) => term)
  const shared = heldBy((count) => count === found.length)
  return bounded({
    sets: found.map(({ set, name, terms, labels }) => ({
      set,
      name,
      terms: [...terms.values()],
      only: [...terms].filter(([term]) => holders.get(term)?.in.length === 1).map(([, text]) => text),
      labels,
    })),
    shared,
    union: heldBy(() => true),
    symmetric_difference: heldBy((count) => count % 2 === 1),
    jaccard: ratio(shared.length, all.length),
    terms: all,
    convergence: convergenceOf(found, all.length),
    product: productOf(
      found.map(({ terms }) => [...terms.values()]),
      product,
    ),
    pairs: found.flatMap((a, i) => found.slice(i + 1).map((b) => pairOf(a, b))),
  })
}

/** Labels are compared like terms. */
function convergenceOf(found: readonly Found[], distinct: number): Convergence[] {
  const entry = (of: string, all: number, distinct: number) => {
    return { of, all, distinct, rate: distinct === 0 ? 0 : ratio(all - distinct, distinct) }
  }
  const labels = Map.groupBy(
    found.flatMap((each) => Object.entries(each.labels)),
    ([member]) => member,
  )
  return [
    entry(
      'terms',
      found.reduce((sum, { terms }) => sum + terms.size, 0),
      distinct,
    ),
    ...Array.from(labels, ([member, values]) =>
      entry(member, values.length, new Set(values.map(([, text]) => termOf(text))).size),
    ),
  ]
}

/** Twenty sets have 190 pairs, which may all share thousands of terms. */
function bounded(comparison: Comparison): Comparison {
  let length = 0
  for (const { shared } of comparison.pairs) for (const term of shared) length += term.length
  if (length > MOST_BYTES) throw wrongSets(['The response would have more than 8 MiB. Compare fewer sets.'])
  return comparison
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

/** To four places, for readability. Two sets without terms are equal. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000
}
