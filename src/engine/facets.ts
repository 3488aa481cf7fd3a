/** How many records have each value of a member: what a panel of filters shows. */

import type { Cell } from '../declare/index.ts'
import type { Narrowing, Work } from '../store/index.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { LIMITS } from './limits.ts'
import { filtersOf, type NamedFilter } from './list-parameters.ts'
import { problems } from './problem.ts'
import { readNarrowed } from './query-timeout.ts'

export interface Facets {
  readonly count: number
  readonly facets: Readonly<Record<string, readonly { readonly value: Cell; readonly count: number }[]>>
}

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
): Promise<Facets> {
  const { store } = engine
  const wanted = membersNamed(collection, by)
  const count = function* (): Work<Facets> {
    // A search is run once for all members.
    const among = narrowing.search === undefined ? undefined : yield* store.lists.idsFound(collection, narrowing)
    const counted: Narrowing = among ? { conditions: [], among } : narrowing
    const facets: Record<string, readonly { readonly value: Cell; readonly count: number }[]> = {}
    for (const { member, key, on } of wanted) {
      facets[member] = yield* store.lists.facet(collection, { key, on }, counted, LIMITS.facetValues)
    }
    return { count: among?.length ?? (yield* store.lists.count(collection, narrowing)), facets }
  }
  const name = `facets ${collection.name} ${wanted.map(({ member }) => member)} ${JSON.stringify(narrowing)}`
  return readNarrowed(engine, collection, narrowing, count, name)
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
