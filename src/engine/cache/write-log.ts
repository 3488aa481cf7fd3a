/**
 * Which records were written, and when, as far as this process knows. It tells whether a cached record, or a record it
 * embeds, has been written since it was cached. Time is a clock that counts the writes.
 */
import type { Generations, Touch } from '../../store/index.ts'

/** How many ids each of the two generations holds. */
const MOST_IDS = 10_000

/** The writes to one resource. */
export class ResourceWrites {
  /** The last write. */
  #last = 0
  /** It is not known which records were written up to here. */
  #unknown = 0
  /** The last write to each id: the newest ids, and older ones. */
  #young = new Map<number, number>()
  #old = new Map<number, number>()

  /** Whether any record was written after `since`. */
  isWritten(since: number): boolean {
    return this.#last > since
  }

  /** Whether the record was, or may have been, written after `since`. */
  isRecordWritten(id: number, since: number): boolean {
    if (this.#last <= since) return false
    return this.#unknown > since || (this.#young.get(id) ?? this.#old.get(id) ?? 0) > since
  }

  note(ids: Touch['ids'], now: number): void {
    if (ids === 'all' || ids.length > MOST_IDS) {
      this.#young.clear()
      this.#old.clear()
      this.#unknown = now
    } else {
      if (this.#young.size + ids.length > MOST_IDS) this.#forgetOld()
      for (const id of ids) this.#young.set(id, now)
    }
    this.#last = now
  }

  #forgetOld(): void {
    for (const time of this.#old.values()) this.#unknown = Math.max(this.#unknown, time)
    this.#old = this.#young
    this.#young = new Map()
  }
}

export class WriteLog {
  readonly #resources = new Map<string, ResourceWrites>()
  /** Counts the writes. */
  clock = 1

  constructor(generations: Pick<Generations, 'listen'>) {
    generations.listen(({ resource, ids }) => {
      this.clock++
      this.of(resource).note(ids, this.clock)
    })
  }

  of(resource: string): ResourceWrites {
    const known = this.#resources.get(resource)
    if (known) return known
    const writes = new ResourceWrites()
    this.#resources.set(resource, writes)
    return writes
  }
}
