/** The groups of earlier boards: no set is used twice, and no two groups are nearly the same. */
import type { Board } from './board.ts'
import type { BoardIndex } from './board-index.ts'

/** A new group shares at most this many terms with a group that was played. */
const MOST_SHARED = 2

export class PlayedGroups {
  readonly #keyOf: (term: string) => string
  readonly #ids = new Set<number>()
  /** By the key of a term: the numbers of the groups that had it. */
  readonly #groupsWith = new Map<string, number[]>()
  #count = 0

  constructor({ language }: BoardIndex, boards: readonly Board[] = []) {
    this.#keyOf = language.keyOf
    for (const board of boards) this.add(board)
  }

  add({ groups }: Board): void {
    for (const { id, terms } of groups) {
      this.#ids.add(id)
      const number = this.#count++
      for (const key of terms.map(this.#keyOf)) {
        this.#groupsWith.set(key, [...(this.#groupsWith.get(key) ?? []), number])
      }
    }
  }

  has(id: number): boolean {
    return this.#ids.has(id)
  }

  /** Whether a group of these terms would be nearly the same as one that was played. */
  repeats(keys: readonly string[]): boolean {
    const shared = new Map<number, number>()
    for (const number of keys.flatMap((key) => this.#groupsWith.get(key) ?? [])) {
      const times = (shared.get(number) ?? 0) + 1
      if (times > MOST_SHARED) return true
      shared.set(number, times)
    }
    return false
  }
}
