/** Reading: a page of a collection, and one record. */
import { type Row, showRecord } from '../declare/index.ts'
import type { Narrowing, Store, Work } from '../store/index.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { loadOne, loadRecords } from './load.ts'
import { readNarrowed } from './patience.ts'
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
  const spanOf = (number: number) => ({ limit: wanted.size, offset: (number - 1) * wanted.size })
  return readNarrowed(engine, collection, narrowing, function* () {
    if (narrowing?.search !== undefined && wanted.number !== 'last' && wanted.number >= 1) {
      const { count, rows } = yield* store.lists.found(collection, spanOf(wanted.number), narrowing)
      // Beyond the first page, no rows may mean that there is no such page.
      if (rows.length > 0 || wanted.number === 1) return yield* shown(wanted.number, count, rows)
    }
    const count = yield* narrowing ? store.lists.count(collection, narrowing) : store.records.count(collection)
    const number = wanted.number === 'last' ? lastPage(count, wanted.size) : wanted.number
    if (!(number >= 1 && number <= lastPage(count, wanted.size))) throw problems.invalidPage()
    const rows = yield* narrowing
      ? store.lists.page(collection, spanOf(number), { by: narrowing, count })
      : store.records.page(collection, spanOf(number))
    return yield* shown(number, count, rows)
  })

  function* shown(number: number, count: number, rows: readonly Row[]): Work<Page> {
    const records = yield* loadRecords(store, collection, rows)
    return { count, number, last: lastPage(count, wanted.size), records: records.map(showRecord) }
  }
}

function lastPage(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size))
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
