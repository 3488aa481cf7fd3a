/** Reading: a page of a collection, and one record. */
import type { Moment, Narrowing, Span, Work } from '../store/index.ts'
import { EVERYTHING, FROZEN, listAsOf, readAsOf, recordAsOf } from './as-of.ts'
import { PageBudget } from './budget.ts'
import { type KeysetMarks, spanAround, wholeList } from './cache/keyset-marks.ts'
import { type Part, partsOf } from './cache/page-parts.ts'
import type { CachedRecord } from './cache/record-cache.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { withLines } from './lines.ts'
import { checkReferences } from './list-parameters.ts'
import { lastPage, placeOf, type WantedPage } from './page-place.ts'
import type { Projection } from './project.ts'
import { readNarrowed } from './query-timeout.ts'
import { type Shown, showByIds, showOne, showRows } from './show.ts'

export interface Page {
  readonly count: number
  readonly number: number
  readonly last: number
  /** The records' JSON, in list order. */
  readonly parts: readonly Part[]
}

/** Records read at once; a long page is built in several steps, and stops when it is too large. */
const AT_ONCE = 100

export interface Wanted extends WantedPage {
  /** How many records a page has by default. */
  readonly defaultSize?: number
  readonly narrowing?: Narrowing | undefined
  /** Which members of the records; all when undefined. */
  readonly projection?: Projection | undefined
  /** The number of an entry of the log: the page as it was after it. */
  readonly asOf?: number | undefined
}

/** `number` is the page, or 'last'; a page that does not exist is a problem. An empty collection has page 1. */
export function readPage(engine: Engine, collection: Collection, wanted: Wanted): Promise<Page> {
  if (wanted.asOf !== undefined) return readPageAsOf(engine, collection, wanted, wanted.asOf)
  return readNarrowed(engine, collection, wanted.narrowing, (moment) => page(engine, collection, wanted, moment))
}

function readPageAsOf(engine: Engine, collection: Collection, wanted: Wanted, asOf: number): Promise<Page> {
  return readAsOf(engine, listAsOf(engine, collection, asOf), (then) => frozenPage(then, collection, wanted))
}

function* frozenPage(then: Engine, collection: Collection, wanted: Wanted): Work<Page> {
  const narrowing = wanted.narrowing ?? EVERYTHING
  yield* checkReferences(then.store, collection, narrowing)
  return yield* page(then, collection, { ...wanted, narrowing }, FROZEN)
}

/** Synchronously, from the cache; undefined if that is not enough, or something is wrong. */
export function readPageNow(engine: Engine, collection: Collection, wanted: Wanted): Page | undefined {
  if (wanted.narrowing || wanted.projection) return undefined
  return readNow(engine, (moment) => page(engine, collection, wanted, moment))
}

function* page(engine: Engine, collection: Collection, wanted: Wanted, moment: Moment): Work<Page> {
  const { store, cache } = engine
  const { narrowing, projection } = wanted
  if (narrowing?.search !== undefined) return yield* pageFound(engine, collection, wanted, narrowing, moment)
  const few = narrowing && (yield* pageOfFew(engine, collection, wanted, narrowing, moment))
  if (few) return few
  const count = yield* narrowing
    ? countNarrowed(engine, collection, narrowing, moment)
    : store.records.count(collection, moment)
  const { number, last, offset } = placeOf(count, wanted)
  const span = { limit: wanted.size, offset }
  if (!narrowing && !cache && !projection) {
    const existing = { ...span, limit: Math.min(span.limit, count - span.offset) }
    return { count, number, last, parts: yield* stored(engine, collection, wanted, existing, moment) }
  }
  const ids = narrowing
    ? yield* narrowedIds(engine, collection, span, { by: narrowing, count }, moment)
    : yield* idsOf(engine, collection, span, moment)
  return { count, number, last, parts: yield* shown(engine, collection, ids, moment, wanted) }
}

function spanOf({ size }: Wanted, number: number): Span {
  return { limit: size, offset: (number - 1) * size }
}

function budgetOf({ defaultSize }: Wanted): PageBudget {
  return new PageBudget('page_size', defaultSize)
}

/** A page of search results. All of them are found at once, because they have to be sorted for each page. */
function* pageFound(
  engine: Engine,
  collection: Collection,
  wanted: Wanted,
  narrowing: Narrowing,
  moment: Moment,
): Work<Page> {
  const found = marksOf(engine)?.allIds(collection.resource, narrowing, moment)
  const ids = found ?? (yield* engine.store.lists.found(collection, narrowing))
  if (!found) marksOf(engine)?.set(collection.resource, narrowing, wholeList(ids), moment)
  const { number, last, offset } = placeOf(ids.length, wanted)
  const parts = yield* shown(engine, collection, ids.slice(offset, offset + wanted.size), moment, wanted)
  return { count: ids.length, number, last, parts }
}

/** A page of a list with conditions that have to read everything: count and records from one pass. */
function* pageOfFew(
  engine: Engine,
  collection: Collection,
  wanted: Wanted,
  narrowing: Narrowing,
  moment: Moment,
): Work<Page | undefined> {
  const { number, size } = wanted
  const { resource } = collection
  const marks = marksOf(engine)
  if (number === 'last' || number < 1 || marks?.countOf(resource, narrowing, moment) !== undefined) return undefined
  const found = yield* engine.store.lists.fewFound(collection, spanOf(wanted, number), narrowing)
  if (!found) return undefined
  marks?.set(resource, narrowing, { count: found.count }, moment)
  // Beyond the first page, no records may mean that there is no such page.
  if (!found.ids || (found.ids.length === 0 && number > 1)) return undefined
  const parts = yield* shown(engine, collection, found.ids, moment, wanted)
  return { count: found.count, number, last: lastPage(found.count, size), parts }
}

/** A page straight from the tables, for servers without a cache. */
function* stored(
  { store }: Engine,
  collection: Collection,
  wanted: Wanted,
  span: Span,
  moment: Moment,
): Work<readonly Part[]> {
  const budget = budgetOf(wanted)
  const texts: string[] = []
  for (const some of slicesOf(span)) {
    const records = yield* showRows(store, collection, (wanted) => store.records.page(wanted, some, moment))
    for (const { json } of records) {
      budget.add(json)
      texts.push(json)
    }
  }
  return budget.check(partsOf(texts))
}

function* slicesOf({ offset, limit }: Span): Generator<Span> {
  const end = offset + limit
  for (let at = offset; at < end; at += AT_ONCE) yield { offset: at, limit: Math.min(AT_ONCE, end - at) }
}

export function* countNarrowed(engine: Engine, collection: Collection, by: Narrowing, moment: Moment): Work<number> {
  const known = marksOf(engine)?.countOf(collection.resource, by, moment)
  return known ?? (yield* engine.store.lists.count(collection, by))
}

export function marksOf({ marks, cache }: Engine): KeysetMarks | undefined {
  return marks ?? cache?.marks
}

/** The ids of a span of a narrowed list, from the nearest row before it that is known. */
export function* narrowedIds(
  engine: Engine,
  collection: Collection,
  span: Span,
  { by, count }: { readonly by: Narrowing; readonly count: number },
  moment: Moment,
): Work<readonly number[]> {
  const { resource } = collection
  const { lists } = engine.store
  const marks = marksOf(engine)
  const known = marks?.idsOn(resource, by, span, moment)
  if (known) return known
  if (marks && lists.sortsEachPage(collection, { by, count })) {
    const { offset, limit } = spanAround(span)
    const { ids } = yield* lists.page(collection, { offset, limit }, { by, count, hasEnd: false })
    marks.set(resource, by, { count, ahead: { offset, ids } }, moment)
    return ids.slice(span.offset - offset, span.offset - offset + span.limit)
  }
  const from = marks?.markBefore(resource, by, span.offset, moment)
  const { ids, end } = yield* lists.page(collection, span, { by, count, from })
  marks?.set(resource, by, { count, ...(end && { end }) }, moment)
  return ids
}

/** The ids of a page of the whole list, and its place. */
export function* idsOnPage(
  engine: Engine,
  collection: Collection,
  wanted: WantedPage,
  moment: Moment,
): Work<Omit<Page, 'parts'> & { readonly ids: readonly number[] }> {
  const count = yield* engine.store.records.count(collection, moment)
  const { number, last, offset } = placeOf(count, wanted)
  return { count, number, last, ids: yield* idsOf(engine, collection, { limit: wanted.size, offset }, moment) }
}

/** The ids of a span of the list; those of a block that is not known are read all at once. */
function* idsOf({ store, cache }: Engine, collection: Collection, span: Span, moment: Moment): Work<readonly number[]> {
  const found: number[][] = []
  for (const { block, skip, count } of yield* store.records.pieces(collection, span, moment)) {
    let ids = cache?.ids(collection.resource, block)
    if (!ids) {
      ids = yield* store.records.idsOf(collection, block)
      cache?.setIds(collection.resource, block, ids)
    }
    found.push(ids.slice(skip, skip + count))
  }
  return found.length === 1 ? found[0]! : found.flat()
}

/** Records by their ids, in that order; only those that are not cached are read. */
function* shown(
  { store, cache }: Engine,
  collection: Collection,
  ids: readonly number[],
  moment: Moment,
  wanted: Wanted,
): Work<readonly Part[]> {
  const { projection } = wanted
  const budget = budgetOf(wanted)
  // Clients can ask for too many combinations of members to cache them all.
  const caching = projection ? undefined : cache
  const records: (CachedRecord | undefined)[] = caching ? caching.getMany(collection, ids, moment) : []
  const missing = caching && !records.includes(undefined) ? [] : ids.filter((_, i) => !records[i])
  // Up to AT_ONCE cached records may be joined before their bytes are counted; more are counted first.
  if (ids.length > AT_ONCE) for (const known of records) if (known) budget.add(known.json)
  if (caching && missing.length === 0) return budget.check(caching.join(collection, records as CachedRecord[]))
  const made = new Map<number, Shown>()
  for (let i = 0; i < missing.length; i += AT_ONCE) {
    for (const record of yield* showByIds(store, collection, missing.slice(i, i + AT_ONCE), projection)) {
      budget.add(record.json)
      made.set(record.id, caching ? caching.set(collection, record, moment) : record)
    }
  }
  if (!caching) return budget.check(partsOf(ids.map((id) => made.get(id)!.json)))
  for (const [i, id] of ids.entries()) records[i] ??= made.get(id) as CachedRecord
  return budget.check(caching.join(collection, records as CachedRecord[]))
}

export function readRecord(
  engine: Engine,
  collection: Collection,
  id: number,
  { projection, asOf }: Pick<Wanted, 'projection' | 'asOf'> = {},
): Promise<Shown> {
  const { store } = engine
  if (asOf !== undefined) {
    const moment = recordAsOf(engine, collection, asOf)
    return readAsOf(engine, moment, (then) => showOne(then.store, collection, id, projection))
  }
  return store.readAt((moment) =>
    projection ? showOne(store, collection, id, projection) : record(engine, collection, id, moment),
  )
}

/** The record, and its lines after its members. */
export function readWithLines(
  engine: Engine,
  collection: Collection,
  id: number,
  { projection }: Pick<Wanted, 'projection'> = {},
): Promise<Shown> {
  return engine.store.readAt((moment) => recordWithLines(engine, collection, id, { projection, moment }))
}

function* recordWithLines(
  engine: Engine,
  collection: Collection,
  id: number,
  { projection, moment }: Pick<Wanted, 'projection'> & { readonly moment: Moment },
): Work<Shown> {
  const shown = yield* projection
    ? showOne(engine.store, collection, id, projection)
    : record(engine, collection, id, moment)
  const { plain, owner, changed, embedded } = shown
  return { id, plain, owner, changed, embedded, json: yield* withLines(engine, collection, id, shown.json) }
}

export function readRecordNow(engine: Engine, collection: Collection, id: number): Shown | undefined {
  return readNow(engine, (moment) => record(engine, collection, id, moment))
}

function* record({ store, cache }: Engine, collection: Collection, id: number, moment: Moment): Work<Shown> {
  const known = cache?.get(collection, id, moment)
  if (known) return known
  const found = yield* showOne(store, collection, id)
  return cache ? cache.set(collection, found, moment) : found
}

function readNow<T>({ store, querySeconds }: Engine, work: (moment: Moment) => Work<T>): T | undefined {
  try {
    return store.readNow?.(work, querySeconds)
  } catch {
    // The regular path reports what is wrong.
    return undefined
  }
}
