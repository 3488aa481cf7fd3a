/** Repeatable randomness: the seed decides everything (mulberry32). */
export class Chance {
  #state: number
  constructor(seed: number) {
    this.#state = seed
  }

  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count
  }

  happens(oneIn: number): boolean {
    return this.below(oneIn) === 0
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  shuffle<T>(list: readonly T[]): T[] {
    const keyed = list.map((each) => ({ each, at: this.below(1e9) }))
    return keyed.sort((a, b) => a.at - b.at).map(({ each }) => each)
  }

  /** Some of them, at least one, in any order. */
  some<T>(list: readonly T[], most: number): T[] {
    return this.shuffle(list).slice(0, 1 + this.below(most))
  }
}
