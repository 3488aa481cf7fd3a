/** Sets that share terms with a set, and sets whose names are its terms. */
import { type AnyRecord, type AnyResource, fieldsOf, showRecord } from '../../declare/index.ts'
import { hasTerms, termOf, type Work } from '../../store/index.ts'
import type { Collection } from '../collection.ts'
import type { Engine } from '../engine.ts'
import { loadOne, loadRecords } from '../load.ts'
import { readPatiently } from '../patience.ts'
import { ratio, termsIn } from './compare.ts'
import { holdsSlots } from './term.ts'

export interface Related {
  readonly resource: string
  readonly shared: readonly string[]
  readonly jaccard: number
  readonly json: string
}

/** The best are chosen from so many that share the most. */
const LOOKED_AT = 200

/** Most shared terms first, then the more alike. */
export function readRelated(engine: Engine, collection: Collection, id: number, limit: number): Promise<Related[]> {
  const { store, catalogue } = engine
  return readPatiently(engine, function* () {
    const { record } = yield* loadOne(store, collection, id)
    const mine = allTerms(collection.resource, record)
    const found: (Related & { readonly id: number })[] = []
    for (const resource of catalogue.filter(holdsSlots)) {
      const sharing = yield* store.terms.sharing(resource, [...mine.keys()], LOOKED_AT)
      const others = sharing.filter((other) => resource !== collection.resource || other.id !== id)
      const rows = yield* store.records.byIds(
        { resource },
        others.map((other) => other.id),
      )
      for (const other of yield* loadRecords(store, { resource }, rows)) {
        const theirs = allTerms(resource, other)
        const shared = [...mine].filter(([term]) => theirs.has(term))
        found.push({
          id: other.id,
          resource: resource.name,
          shared: shared.map(([, text]) => text),
          jaccard: ratio(shared.length, mine.size + theirs.size - shared.length),
          json: showRecord(other),
        })
      }
    }
    return found
      .sort((a, b) => b.shared.length - a.shared.length || b.jaccard - a.jaccard || a.id - b.id)
      .slice(0, limit)
  })
}

/** Its terms and its name, which is a term where others hold it. */
function allTerms(resource: AnyResource, record: AnyRecord): ReadonlyMap<string, string> {
  const named = fieldsOf(resource).flatMap(([key, field]) =>
    field.searched(record[key], key).filter(({ as }) => as === 'name'),
  )
  return new Map([...named.map(({ text }) => [termOf(text), text] as const), ...termsIn(resource, record)])
}

export interface Nested {
  readonly id: number
  readonly name: string
  readonly nested: readonly { readonly slot: string; readonly term: string; readonly records: readonly Nested[] }[]
  /** It stands further up already, and is not unfolded again. */
  readonly repeated: boolean
}

const MOST_NESTED = 500

/** The records of the same kind whose names are the terms of this one, and so on, `depth` levels down. */
export function readNested(engine: Engine, collection: Collection, id: number, depth: number): Promise<Nested> {
  const { store } = engine
  const { resource } = collection
  const nameMember = fieldsOf(resource).find(([, { searches }]) => searches === 'name')![0]
  let left = MOST_NESTED
  function* unfold(record: AnyRecord, above: readonly number[], levels: number): Work<Nested> {
    const own = fieldsOf(resource).flatMap(([key, field]) =>
      field.searched(record[key], key).filter(({ as }) => as === 'term'),
    )
    const repeated = above.includes(record.id)
    const nested: Nested['nested'][number][] = []
    if (!repeated && levels > 0) {
      const folded = (yield* store.terms.of(resource, [record.id])).get(record.id) ?? []
      const termOfMember = new Map(folded.map(({ member, term }) => [member, term]))
      const called = yield* store.terms.called(resource, nameMember, [...termOfMember.values()], left)
      const rows = yield* store.records.byIds(
        { resource },
        called.map((each) => each.id),
      )
      const records = new Map((yield* loadRecords(store, { resource }, rows)).map((each) => [each.id, each]))
      for (const { member, text } of own) {
        const here = called.filter(({ term }) => term === termOfMember.get(member)).slice(0, left)
        left -= here.length
        const inner: Nested[] = []
        for (const each of here) {
          inner.push(yield* unfold(records.get(each.id)!, [...above, record.id], levels - 1))
        }
        nested.push({ slot: member, term: text, records: inner })
      }
    }
    return { id: record.id, name: String(record[nameMember]), nested, repeated }
  }
  return readPatiently(engine, function* () {
    const { record } = yield* loadOne(store, collection, id)
    return yield* unfold(record, [], depth)
  })
}

/** Has a name that can be a term of another one. */
export function nests(resource: AnyResource): boolean {
  return (
    hasTerms(resource) && holdsSlots(resource) && fieldsOf(resource).some(([, { searches }]) => searches === 'name')
  )
}
