/** Past records in the order of a list. The order is kept, because the next page of a walk needs it again. */
import type { Cell } from '../declare/index.ts'
import { compareKeys } from './compare-keys.ts'
import type { OrderedBy } from './narrow.ts'
import type { PastRecords } from './past.ts'
import type { PastRecord } from './past-rows.ts'

interface Placed {
  readonly record: PastRecord
  readonly key: readonly Cell[]
}

/** A column of `t`, in the order of a list. */
const COLUMN = /^t\."?(?<name>\w+)"?( COLLATE "C")?$/

/** By the list of records, which only grows, and the order. */
const known = new WeakMap<readonly PastRecord[], Map<string, Placed[]>>()

export class PastOrder {
  readonly #placed: readonly Placed[]
  readonly #directions: readonly number[]

  private constructor(placed: readonly Placed[], directions: readonly number[]) {
    this.#placed = placed
    this.#directions = directions
  }

  /** Undefined if the order is not by columns of the records. */
  static of({ existed }: PastRecords, order: readonly OrderedBy[]): PastOrder | undefined {
    const columns = order.flatMap(({ sql }) => COLUMN.exec(sql)?.groups?.['name'] ?? [])
    if (columns.length < order.length) return undefined
    const directions = order.map(({ descending }) => (descending ? -1 : 1))
    const orders = known.get(existed) ?? new Map<string, Placed[]>()
    known.set(existed, orders)
    const name = JSON.stringify(order)
    const placed = orders.get(name) ?? []
    orders.set(name, placed)
    if (placed.length < existed.length) {
      for (const record of existed.slice(placed.length))
        placed.push({ record, key: columns.map((column) => record.row[column] ?? null) })
      placed.sort((a, b) => compareKeys(a.key, b.key, directions))
    }
    return new PastOrder(placed, directions)
  }

  /** The first records, from a key on. */
  from(key: readonly Cell[] | undefined, most: number): PastRecord[] {
    const start = key ? this.#placeOf(key) : 0
    return this.#placed.slice(start, start + most).map(({ record }) => record)
  }

  last(most: number): PastRecord[] {
    return this.#placed.slice(-most).map(({ record }) => record)
  }

  /** How many are before the key. */
  #placeOf(key: readonly Cell[]): number {
    let [low, high] = [0, this.#placed.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const placed = this.#placed[middle]
      if (placed && compareKeys(placed.key, key, this.#directions) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
