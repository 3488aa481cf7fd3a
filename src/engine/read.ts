/** Reading: a page of a collection, and one record. */
import { type JsonObject, showRecord } from '../declare/index.ts'
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

/** The answer to one of the questions that the resource declares. */
export function answerQuestion(store: Store, collection: Collection, id: number, name: string): Promise<JsonObject> {
  return store.read(function* () {
    const { record } = yield* loadOne(store, collection, id)
    return collection.resource.questions![name]!.answer(record)
  })
}

export function readRecord(
  store: Store,
  collection: Collection,
  id: number,
): Promise<{ readonly json: string; readonly owner: number }> {
  return store.read(function* () {
    const { record, owner } = yield* loadOne(store, collection, id)
    return { json: showRecord(record), owner }
  })
}
