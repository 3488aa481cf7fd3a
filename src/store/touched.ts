/** What a transaction changes: its statements say so, and caches, lists, counters and the log follow. */
import type { Cell, Row } from '../declare/index.ts'
import type { Author, Change, LoggedChange } from './change-log.ts'
import type { Statement, Work } from './database.ts'
import type { Generation } from './generations.ts'
import type { Trace } from './trace.ts'

/** What a statement changes: records of a resource, by their ids. */
export interface Touch {
  readonly resource: string
  readonly ids: readonly number[] | 'all'
  readonly moves?: Moves
  readonly counts?: CountChanges
  /** For the log. */
  readonly change?: Change
  /** Records as they are after it, for those who cache them. */
  readonly shown?: readonly ShownRecord[]
}

/** A record as the API sends it. */
export interface ShownRecord {
  readonly id: number
  readonly json: string
  readonly owner: number
  /** In milliseconds. */
  readonly changed: number
}

/** Where records are added to the list or removed from it. All moves of a transaction are applied at its end. */
export interface Moves {
  readonly list: readonly Move[]
  /** `generation` is the one that the transaction creates. */
  settle(moves: readonly Move[], generation: Generation): Work<Settled>
}

/** What changes in the counters. All changes of a transaction are applied at its end. */
export interface CountChanges {
  readonly list: readonly CountChange[]
  settle(changes: ReadonlyMap<string, number>): Work<void>
}

export type CountChange = readonly [counter: string, by: number]

/** What became of a list. */
export interface Settled {
  /** Whether its blocks were laid out again. */
  readonly isRelaid: boolean
  /** Called when the transaction is on disk. */
  committed?(): void
}

/** A record that is added at a place of its list (1) or removed from it (-1); the place is the list's sort key. */
export interface Move {
  readonly key: readonly Cell[]
  readonly by: 1 | -1
}

/** What a transaction has touched so far. */
export class Touched {
  /** For the log, in the order in which they happened. */
  readonly changes: { readonly resource: string; readonly change: Change }[] = []
  author: Author | undefined
  /** Of the request that writes. */
  readonly trace: Trace | undefined
  /** Entries of another log, in place of the changes. */
  entries: readonly LoggedChange[] | undefined
  #at: string | undefined
  readonly #ids = new Map<string, Set<number> | 'all'>()
  /** The records that the log will tell, by resource. */
  readonly #told = new Map<string, Set<number>>()
  readonly #shown = new Map<string, Map<number, ShownRecord>>()
  readonly #moves = new Map<string, Moves & { readonly list: Move[] }>()
  readonly #counts = new Map<string, Pick<CountChanges, 'settle'> & { readonly changes: Map<string, number> }>()

  constructor(trace?: Trace) {
    this.trace = trace
  }

  add({ resource, ids, moves, counts, change, shown }: Touch): void {
    // A record that was not written is what it was.
    if (shown && ids.length === 0 && !this.#ids.has(resource)) return
    if (change) {
      this.changes.push({ resource, change })
      this.#tell(resource, change.id)
    }
    if (moves) {
      const known = this.#moves.get(resource)
      if (known) for (const move of moves.list) known.list.push(move)
      else this.#moves.set(resource, { ...moves, list: [...moves.list] })
    }
    if (counts) this.#count(resource, counts)
    this.#show(resource, ids, shown)
    const known = this.#ids.get(resource)
    if (known === 'all') return
    if (ids === 'all') this.#ids.set(resource, 'all')
    else if (known) for (const id of ids) known.add(id)
    else this.#ids.set(resource, new Set(ids))
  }

  /** What was shown before is no longer true. */
  #show(resource: string, ids: Touch['ids'], shown: Touch['shown']): void {
    const known = this.#shown.get(resource)
    if (known && ids !== 'all') for (const id of ids) known.delete(id)
    if (!shown) return
    const records = known ?? new Map<number, ShownRecord>()
    for (const record of shown) records.set(record.id, record)
    if (!known) this.#shown.set(resource, records)
  }

  #count(resource: string, { list, settle }: CountChanges): void {
    const known = this.#counts.get(resource) ?? { changes: new Map<string, number>(), settle }
    for (const [counter, by] of list) known.changes.set(counter, (known.changes.get(counter) ?? 0) + by)
    this.#counts.set(resource, known)
  }

  /** The time of the write. */
  get at(): string {
    this.#at ??= this.author?.at ?? new Date().toISOString()
    return this.#at
  }

  /** What a statement says about itself. Returns rows for one that asks. */
  hear({ touches, author, entries, asksTime }: Statement): readonly Row[] | undefined {
    if (touches) this.add(touches)
    if (author) this.author = author
    if (entries) {
      this.entries = entries
      for (const { resource, id } of entries) this.#tell(resource, id)
    }
    return asksTime ? [{ time: Date.parse(this.at) }] : undefined
  }

  join(other: Touched): void {
    for (const touch of other.all()) this.add(touch)
    for (const [resource, ids] of other.#told) for (const id of ids) this.#tell(resource, id)
  }

  /** Whether the log tells all that was touched. */
  isTold(resource: string): boolean {
    const ids = this.#ids.get(resource)
    const told = this.#told.get(resource)
    return ids instanceof Set && told !== undefined && ids.isSubsetOf(told)
  }

  #tell(resource: string, id: number): void {
    const known = this.#told.get(resource)
    if (known) known.add(id)
    else this.#told.set(resource, new Set([id]))
  }

  all(): Touch[] {
    return Array.from(this.#ids, ([resource, ids]) => {
      const [moves, counts] = [this.#moves.get(resource), this.#counts.get(resource)]
      const shown = ids === 'all' ? undefined : this.#shown.get(resource)
      return {
        resource,
        ids: ids === 'all' ? ids : [...ids],
        ...(shown ? { shown: [...shown.values()] } : {}),
        ...(moves ? { moves } : {}),
        ...(counts ? { counts: { list: [...counts.changes], settle: counts.settle } } : {}),
      }
    })
  }
}
