/** Reading: a page of a collection, and one record. */
import { showRecord } from '../declare/index.ts'
import type { Narrowing, Store } from '../store/index.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { loadOne, loadRecords } from './load.ts'
import { readPatiently } from './patience.ts'
import { problems } from './problem.ts'

export interface Page {
  readonly count: number
  readonly number: number
  readonly last: number
  /** The records' JSON, in the order of the list. */
  readonly records: readonly string[]
}

export interface Wanted {
  readonly number: number | 'last'
  readonly size: number
  readonly narrowing?: Narrowing | undefined
}

/** `number` is which page, or 'last'; a page that does not exist is a problem. An empty collection has page 1. */
export function readPage(engine: Engine, collection: Collection, { narrowing, ...wanted }: Wanted): Promise<Page> {
  const { store } = engine
  return readPatiently(engine, function* () {
    const count = yield* store.records.count(collection, narrowing)
    const last = Math.max(1, Math.ceil(count / wanted.size))
    const number = wanted.number === 'last' ? last : wanted.number
    if (!(number >= 1 && number <= last)) throw problems.invalidPage()
    const span = { limit: wanted.size, offset: (number - 1) * wanted.size }
    const rows = yield* store.records.page(collection, span, narrowing)
    const records = yield* loadRecords(store, collection, rows)
    return { count, number, last, records: records.map(showRecord) }
  })
}

export function readRecord(
  store: Store,
  collection: Collection,
  id: number,
): Promise<{ readonly json: string; readonly plain: string | undefined; readonly owner: number }> {
  return store.read(function* () {
    const { record, owner } = yield* loadOne(store, collection, id)
    const plain = collection.only ? undefined : collection.resource.plain?.write(record as never)
    return { json: showRecord(record), plain, owner }
  })
}
