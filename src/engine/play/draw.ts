/** Chance that is the same for the same seed on every machine: the generator sfc32, started from a hash of the seed. */
import { createHash } from 'node:crypto'

export class Draw {
  readonly #state: Uint32Array

  constructor(seed: string) {
    const digest = createHash('sha256').update(seed).digest()
    this.#state = Uint32Array.from([0, 4, 8, 12], (at) => digest.readUInt32LE(at))
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor((this.#next() / 2 ** 32) * limit)
  }

  one<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list]
    return list.flatMap(() => left.splice(this.below(left.length), 1))
  }

  #next(): number {
    const [a = 0, b = 0, c = 0, count = 0] = this.#state
    const sum = (a + b + count) >>> 0
    this.#state.set([b ^ (b >>> 9), c + (c << 3), ((c << 21) | (c >>> 11)) + sum, count + 1])
    return sum
  }
}
