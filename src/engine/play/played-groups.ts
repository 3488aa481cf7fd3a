/**
 * The groups of earlier boards: no two groups are nearly the same, and no set is used twice as long as there are others.
 */
import type { Board } from './board.ts'
import type { BoardIndex, PlaySet } from './board-index.ts'

/** A new group shares at most this many terms with a group that was played. */
const MOST_SHARED = 2
/** By the number of terms: about how many groups a set can give that share at most two terms with each other. */
const GROUPS_OF = new Map([
  [4, 1],
  [5, 1],
  [6, 2],
  [7, 3],
  [8, 6],
])
const MOST_OF_SET = 8

export class PlayedGroups {
  readonly #keyOf: (term: string) => string
  /** By the id of a set: how many groups it has given. */
  readonly #used = new Map<number, number>()
  /** By the key of a term: the numbers of the groups that had it. */
  readonly #groupsWith = new Map<string, number[]>()
  #count = 0
  #reusesSets = false

  constructor({ language }: BoardIndex, boards: readonly Board[] = []) {
    this.#keyOf = language.keyOf
    for (const board of boards) this.add(board)
  }

  add({ groups }: Board): void {
    for (const { id, terms } of groups) {
      this.#used.set(id, (this.#used.get(id) ?? 0) + 1)
      const number = this.#count++
      for (const key of terms.map(this.#keyOf)) {
        this.#groupsWith.set(key, [...(this.#groupsWith.get(key) ?? []), number])
      }
    }
  }

  /** From now on, a set may be used again, with other terms. */
  reuseSets(): void {
    this.#reusesSets = true
  }

  get reusesSets(): boolean {
    return this.#reusesSets
  }

  /** Whether the set cannot be used again. */
  has({ id, words }: Pick<PlaySet, 'id' | 'words'>): boolean {
    const used = this.#used.get(id) ?? 0
    return used >= (this.#reusesSets ? (GROUPS_OF.get(words.length) ?? MOST_OF_SET) : 1)
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
