/** Compares sets: what they share, what only one of them has, and which is part of which. */
import { type AnyRecord, type AnyResource, fieldsOf } from '../../declare/index.ts'
import { isTerm, termOf } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { findRecords } from '../load.ts'
import { type Problem, problems } from '../problem.ts'
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
    /** The first set relative to the second. */
    readonly relation: Relation
    readonly jaccard: number
  }[]
}

export const FEWEST_SETS = 2
export const MOST_SETS = 10

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

export function compareSets({ store }: Engine, addresses: readonly SetAddress[]): Promise<Comparison> {
  return store.readAt(function* () {
    const wanted = new Map<AnyResource, Set<number>>()
    for (const { resource, id } of addresses) {
      wanted.set(resource, new Set([...(wanted.get(resource) ?? []), id]))
    }
    const find = yield* findRecords(store, wanted)
    const missing: string[] = []
    const found = addresses.flatMap(({ resource, id }): Found[] => {
      const set = `${resource.name}:${id}`
      const record = find(resource, id)
      if (record) return [{ set, name: nameOf(resource, record), terms: termsIn(resource, record) }]
      missing.push(`Invalid pk "${set}" - object does not exist.`)
      return []
    })
    if (missing.length > 0) throw wrongSets(missing)
    return comparisonOf(found)
  })
}

function nameOf(resource: AnyResource, record: AnyRecord): string {
  const [name] = fieldsOf(resource).flatMap(([key, field]) => field.searched(record[key], key).filter(isName))
  return name?.text ?? ''
}

const isName = ({ as }: { readonly as: string }) => as === 'name'

/** Folded term -> its first spelling. */
type TermSet = ReadonlyMap<string, string>

/** Its own terms, and those of the sets it embeds. */
export function termsIn(resource: AnyResource, record: AnyRecord): TermSet {
  const terms = new Map<string, string>()
  addTerms(resource, record, terms)
  return terms
}

function addTerms(resource: AnyResource, record: AnyRecord, terms: Map<string, string>): void {
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in === 'reference' || storage.in === 'links') {
      for (const embedded of [record[key]].flat()) addTerms(storage.to, embedded, terms)
      continue
    }
    for (const { as, text } of field.searched(record[key], key)) {
      const term = as === 'term' ? termOf(text) : ''
      if (isTerm(term) && !terms.has(term)) terms.set(term, text)
    }
  }
}

interface Found {
  readonly set: string
  readonly name: string
  readonly terms: TermSet
}

function comparisonOf(found: readonly Found[]): Comparison {
  const union = new Map<string, string>()
  const holders = new Map<string, number>()
  for (const { terms } of found) {
    for (const [term, text] of terms) {
      if (!union.has(term)) union.set(term, text)
      holders.set(term, (holders.get(term) ?? 0) + 1)
    }
  }
  const inOrder = [...union.keys()]
  const shared = inOrder.filter((term) => holders.get(term) === found.length)
  const written = (terms: readonly string[]) => terms.map((term) => union.get(term)!)
  return {
    sets: found.map(({ set, name, terms }) => ({
      set,
      name,
      terms: [...terms.values()],
      only: [...terms].filter(([term]) => holders.get(term) === 1).map(([, text]) => text),
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

/** To four places, for readability. Two sets without terms are equal. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000
}
