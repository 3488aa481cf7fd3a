/** Sets that share terms with a set, and sets whose names are its terms. */
import { type AnyRecord, type AnyResource, fieldsOf, showRecord } from '../../declare/index.ts'
import { hasTerms, type Store, storedTerm, termOf, type Work } from '../../store/index.ts'
import type { Collection } from '../collection.ts'
import type { Engine } from '../engine.ts'
import { loadOne, loadRecords } from '../load.ts'
import type { Projection } from '../project.ts'
import { readPatiently } from '../query-timeout.ts'
import { showByIds } from '../show.ts'
import { ratio, type TermSet, termsIn } from './compare.ts'
import { holdsSlots } from './term.ts'

export interface Related {
  readonly resource: string
  readonly shared: readonly string[]
  readonly jaccard: number
  readonly json: string
}

/** The best are chosen from this many that share the most. */
const LOOKED_AT = 200

/** Most shared terms first, then the more similar. */
export function readRelated(
  engine: Engine,
  collection: Collection,
  id: number,
  { limit, projection }: { readonly limit: number; readonly projection?: Projection | undefined },
): Promise<Related[]> {
  const { store, catalogue } = engine
  return readPatiently(engine, function* () {
    const { record } = yield* loadOne(store, collection, id)
    const mine = allTerms(collection.resource, record)
    const found: (Related & { readonly id: number })[] = []
    for (const resource of catalogue.filter(holdsSlots)) {
      const sharing = yield* store.frequentTerms.sharing(resource, [...mine.keys()], LOOKED_AT)
      const others = sharing.filter((other) => resource !== collection.resource || other.id !== id)
      const ids = contenders(others, mine, limit).map((other) => other.id)
      found.push(...(yield* sharedBy(engine, resource, ids, { mine, termsOf: allTerms })))
    }
    const best = found
      .sort((a, b) => b.shared.length - a.shared.length || b.jaccard - a.jaccard || a.id - b.id)
      .slice(0, limit)
    return projection ? yield* projected(engine, best, projection) : best
  })
}

/** Those that can be among the best of a list, the most shared terms first. Only these are read. */
function contenders<T extends { readonly count: number }>(sharing: readonly T[], mine: TermSet, limit: number) {
  // Two sets may share more than was counted: some names, and long texts, are not stored as terms.
  const areAllCounted = [...mine.values()].every((text) => storedTerm(text) !== undefined)
  const least = (areAllCounted && sharing[limit - 1]?.count) || 0
  return sharing.filter(({ count }) => count >= least)
}

interface Compared {
  readonly mine: TermSet
  /** The terms of another record that count. */
  termsOf(resource: AnyResource, record: AnyRecord): TermSet
}

/** Records, and what they share with a set. */
export function* sharedBy(
  { store }: Engine,
  resource: AnyResource,
  ids: readonly number[],
  { mine, termsOf }: Compared,
): Work<(Related & { readonly id: number })[]> {
  const rows = yield* store.records.byIds({ resource }, ids)
  return (yield* loadRecords(store, { resource }, rows)).map((other) => {
    const theirs = termsOf(resource, other)
    const shared = [...mine].filter(([term]) => theirs.has(term))
    return {
      id: other.id,
      resource: resource.name,
      shared: shared.map(([, text]) => text),
      jaccard: ratio(shared.length, mine.size + theirs.size - shared.length),
      json: showRecord(other),
    }
  })
}

export function relatedJson({ resource, shared, jaccard, json }: Related): string {
  return `{"resource":${JSON.stringify(resource)},"shared":${JSON.stringify(shared)},"jaccard":${jaccard},"record":${json}}`
}

/** The same with the wanted members. */
export function* projected(
  { store, catalogue }: Engine,
  found: readonly (Related & { readonly id: number })[],
  projection: Projection,
): Work<Related[]> {
  const texts = new Map<string, string>()
  for (const resource of catalogue.filter(holdsSlots)) {
    const ids = found.filter((each) => each.resource === resource.name).map((each) => each.id)
    for (const { id, json } of yield* showByIds(store, { resource }, ids, projection)) {
      texts.set(`${resource.name} ${id}`, json)
    }
  }
  return found.map((each) => ({ ...each, json: texts.get(`${each.resource} ${each.id}`)! }))
}

/** Its terms and its name, which is a term if others hold it. */
function allTerms(resource: AnyResource, record: AnyRecord): TermSet {
  const named = fieldsOf(resource).flatMap(([key, field]) =>
    field.searched(record[key], key).filter(({ as }) => as === 'name'),
  )
  return new Map([...named.map(({ text }) => [termOf(text), text] as const), ...termsIn(resource, record)])
}

export interface Nested {
  readonly id: number
  readonly name: string
  readonly nested: readonly { readonly slot: string; readonly term: string; readonly records: readonly Nested[] }[]
  /** It already occurs higher up, and is not expanded again. */
  readonly repeated: boolean
}

const MOST_NESTED = 500

/** A record in the tree, while its children are still being looked up. */
interface Branch extends Nested {
  readonly record: AnyRecord
  readonly above: ReadonlySet<number>
  readonly nested: { readonly slot: string; readonly term: string; readonly records: Branch[] }[]
}

/**
 * The records of the same resource whose names are the terms of this one, and so on, `depth` levels down. Each level is
 * looked up as a whole; the tree has at most 500 records, upper levels first.
 */
export function readNested(engine: Engine, collection: Collection, id: number, depth: number): Promise<Nested> {
  const { store } = engine
  const { resource } = collection
  const nameMember = fieldsOf(resource).find(([, { searches }]) => searches === 'name')![0]
  const branchOf = (record: AnyRecord, above: ReadonlySet<number>): Branch => ({
    id: record.id,
    name: String(record[nameMember]),
    nested: [],
    repeated: above.has(record.id),
    record,
    above,
  })
  return readPatiently(engine, function* () {
    const root = branchOf((yield* loadOne(store, collection, id)).record, new Set())
    let left = MOST_NESTED
    let level = [root]
    for (let levels = 0; levels < depth && level.length > 0; levels++) {
      const slots = level.flatMap((branch) => slotsOf(resource, branch))
      const called = yield* calledBy(store, resource, nameMember, [...new Set(slots.map(({ folded }) => folded))])
      const next: Branch[] = []
      for (const { branch, slot, term, folded } of slots) {
        const above = new Set([...branch.above, branch.id])
        const records = (called.get(folded) ?? []).slice(0, left).map((record) => branchOf(record, above))
        left -= records.length
        branch.nested.push({ slot, term, records })
        next.push(...records.filter(({ repeated }) => !repeated))
      }
      level = next
    }
    return root
  })
}

function slotsOf(resource: AnyResource, branch: Branch) {
  return fieldsOf(resource).flatMap(([key, field]) =>
    field
      .searched(branch.record[key], key)
      .filter(({ as }) => as === 'term')
      .map(({ member, text }) => ({ branch, slot: member, term: text, folded: termOf(text) })),
  )
}

/** Records by their folded name. */
function* calledBy(
  store: Store,
  resource: AnyResource,
  nameMember: string,
  terms: readonly string[],
): Work<Map<string, AnyRecord[]>> {
  const called = yield* store.terms.called(resource, nameMember, terms, MOST_NESTED)
  const rows = yield* store.records.byIds(
    { resource },
    called.map((each) => each.id),
  )
  const records = new Map((yield* loadRecords(store, { resource }, rows)).map((each) => [each.id, each]))
  const byName = new Map<string, AnyRecord[]>()
  for (const each of called) byName.set(each.term, [...(byName.get(each.term) ?? []), records.get(each.id)!])
  return byName
}

/** Whether it has a name that can be a term of another record. */
export function nests(resource: AnyResource): boolean {
  return (
    hasTerms(resource) && holdsSlots(resource) && fieldsOf(resource).some(([, { searches }]) => searches === 'name')
  )
}
