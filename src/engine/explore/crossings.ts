/** Crossings: the sets that share terms with a set, those that share the most first, page by page. */
import type { AnyResource } from '../../declare/index.ts'
import type { Work } from '../../store/index.ts'
import { PageBudget } from '../budget.ts'
import { partsOf } from '../cache/page-parts.ts'
import type { Engine } from '../engine.ts'
import { LIMITS } from '../limits.ts'
import { findRecords } from '../load.ts'
import { placeOf, type WantedPage } from '../page-place.ts'
import { problems } from '../problem.ts'
import type { Projection } from '../project.ts'
import { readPatiently } from '../query-timeout.ts'
import type { Page } from '../read.ts'
import { type SetAddress, type TermSet, termsIn } from './compare.ts'
import { projected, type Related, relatedJson, sharedBy } from './related.ts'
import { holdsSlots } from './term.ts'

/** Of each resource. */
const MOST_CROSSINGS = 1000
/** How many records of each term are looked at. */
const LOOKED_AT = 1000

interface Crossing {
  readonly resource: AnyResource
  readonly id: number
  readonly count: number
}

export interface WantedCrossings extends WantedPage {
  readonly defaultSize: number
  readonly projection?: Projection | undefined
}

/** Most shared terms first, then in the order of the catalogue, then those with lower ids. */
export function readCrossings(engine: Engine, { resource, id }: SetAddress, wanted: WantedCrossings): Promise<Page> {
  const { store } = engine
  return readPatiently(engine, function* () {
    const find = yield* findRecords(store, new Map([[resource, new Set([id])]]))
    const record = find(resource, id)
    if (!record) throw problems.invalid({ [resource.name]: [`Invalid pk "${id}" - object does not exist.`] })
    // Longer ones are not in the index.
    const terms: TermSet = new Map(
      [...termsIn(resource, record)].filter(([, { length }]) => length <= LIMITS.termLength),
    )
    const all = yield* crossingsOf(engine, [...terms.keys()], { resource, id })
    const { number, last, offset } = placeOf(all.length, wanted)
    const shown = yield* described(engine, all.slice(offset, offset + wanted.size), terms, wanted.projection)
    const budget = new PageBudget('page_size', wanted.defaultSize)
    const texts = shown.map((each) => {
      const json = relatedJson(each)
      budget.add(json)
      return json
    })
    return { count: all.length, number, last, parts: budget.check(partsOf(texts)) }
  })
}

function* crossingsOf(
  { store, catalogue }: Engine,
  terms: readonly string[],
  { resource: own, id: ownId }: SetAddress,
): Work<Crossing[]> {
  const all: Crossing[] = []
  for (const resource of catalogue.filter(holdsSlots)) {
    const found = yield* store.frequentTerms.crossing(resource, terms, { each: LOOKED_AT, limit: MOST_CROSSINGS + 1 })
    const others = found.filter(({ id }) => resource !== own || id !== ownId)
    all.push(...others.slice(0, MOST_CROSSINGS).map((each) => ({ resource, ...each })))
  }
  return all.sort((a, b) => b.count - a.count)
}

/** The records of a page, in its order. */
function* described(
  engine: Engine,
  page: readonly Crossing[],
  terms: TermSet,
  projection: Projection | undefined,
): Work<Related[]> {
  const found = new Map<string, Related & { readonly id: number }>()
  for (const [resource, some] of Map.groupBy(page, (each) => each.resource)) {
    const ids = some.map(({ id }) => id)
    for (const each of yield* sharedBy(engine, resource, ids, { mine: terms, termsOf: termsIn })) {
      found.set(`${resource.name} ${each.id}`, each)
    }
  }
  const inOrder = page.flatMap(({ resource, id }) => found.get(`${resource.name} ${id}`) ?? [])
  return projection ? yield* projected(engine, inOrder, projection) : inOrder
}
