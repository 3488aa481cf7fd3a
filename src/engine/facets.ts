/** How many records have each value of a member: what a panel of filters shows. */

import type { Cell } from '../declare/index.ts'
import type { Moment, Narrowing, Work } from '../store/index.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { LIMITS } from './limits.ts'
import { filtersOf, type NamedFilter } from './list-parameters.ts'
import { problems } from './problem.ts'
import { readNarrowed } from './query-timeout.ts'
import { marksOf } from './read.ts'

export interface Facets {
  readonly count: number
  readonly facets: Readonly<Record<string, readonly { readonly value: Cell; readonly count: number }[]>>
  /** For the members that were counted in some of the records: how many, of how many. */
  readonly sample?: Readonly<Record<string, { readonly read: number; readonly of: number }>>
}

/** How many records are counted one by one, and how many are read in place of more. Tests use small numbers. */
interface FacetBounds {
  readonly counted: number
  readonly read: number
}

const BOUNDS: FacetBounds = { counted: 20_000, read: 15_000 }
const EVERYTHING: Narrowing = { conditions: [] }

/** Members whose values several records can share. */
export function facetable(collection: Collection): NamedFilter[] {
  return filtersOf(collection).filter(
    ({ on, lookups }) => on !== 'id' && on !== 'links' && on !== 'voters' && lookups.includes('exact'),
  )
}

/** `by=area,mode`, or repeated. */
export function readFacets(
  engine: Engine,
  collection: Collection,
  by: readonly string[],
  narrowing: Narrowing = EVERYTHING,
  bounds = BOUNDS,
): Promise<Facets> {
  const wanted = membersNamed(collection, by)
  const name = `facets ${collection.name} ${wanted.map(({ member }) => member)} ${JSON.stringify(narrowing)}`
  const read = (moment: Moment) => countFacets(engine, collection, { wanted, narrowing, bounds }, moment)
  return readNarrowed(engine, collection, narrowing, read, name)
}

interface Counting {
  readonly wanted: readonly NamedFilter[]
  readonly narrowing: Narrowing
  readonly bounds: typeof BOUNDS
}

function* countFacets(
  engine: Engine,
  collection: Collection,
  { wanted, narrowing, bounds }: Counting,
  moment: Moment,
): Work<Facets> {
  const { store } = engine
  // A search is run once for all members, and not at all if its list was read before.
  const ids =
    narrowing.search === undefined
      ? undefined
      : (marksOf(engine)?.allIds(collection.resource, narrowing, moment) ??
        (yield* store.lists.idsFound(collection, narrowing)))
  const counted = ids ? { conditions: [], among: ids } : yield* store.lists.resolved(collection, narrowing)
  const count = ids?.length ?? (yield* store.lists.count(collection, counted))
  const sampled = () => takeSample(engine, collection, bounds.read)
  const found = yield* store.lists.facets(collection, wanted, counted, {
    limit: LIMITS.facetValues,
    ...(count > bounds.counted && { sampled }),
  })
  const facets: Record<string, Facets['facets'][string]> = {}
  const sample: Record<string, { read: number; of: number }> = {}
  for (const [{ member }, { values, read }] of found) {
    facets[member] = values
    if (read !== undefined && read < count) sample[member] = { read, of: count }
  }
  return Object.keys(sample).length > 0 ? { count, facets, sample } : { count, facets }
}

function* takeSample({ store }: Engine, collection: Collection, most: number) {
  return yield* store.samples.take(collection.resource, yield* store.records.count(collection), most)
}

function membersNamed(collection: Collection, by: readonly string[]): NamedFilter[] {
  const wrong = (message: string) => problems.invalid({ by: [message] })
  const names = [...new Set(by.map((name) => name.trim()))].filter((name) => name !== '')
  if (names.length === 0) throw wrong('This field is required.')
  if (names.length > LIMITS.facets) throw wrong(`Ensure this field has no more than ${LIMITS.facets} elements.`)
  const known = new Map(facetable(collection).map((filter) => [filter.member, filter]))
  return names.map((name) => {
    const filter = known.get(name)
    if (!filter) throw wrong(`"${name}" is not a valid choice.`)
    return filter
  })
}
