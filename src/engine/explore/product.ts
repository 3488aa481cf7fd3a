/** The product of sets: every combination of one term from each. It is never made as a whole. */

export interface Product {
  /** How many combinations there are. Twenty sets may have more than a number can hold exactly, so it is a text. */
  readonly count: string
  readonly results: readonly (readonly string[])[]
}

export interface WantedProduct {
  readonly limit: number
  readonly offset: number
}

/** In the order of the sets; the last set changes fastest. */
export function productOf(sets: readonly (readonly string[])[], { limit, offset }: WantedProduct): Product {
  const count = sets.reduce((product, { length }) => product * BigInt(length), 1n)
  const left = count - BigInt(offset)
  const shown = left <= 0n ? 0 : left < BigInt(limit) ? Number(left) : limit
  return {
    count: String(count),
    results: Array.from({ length: shown }, (_, i) => combination(sets, BigInt(offset + i))),
  }
}

/** Its number is written in digits of different sizes: each digit is a place in a set. */
function combination(sets: readonly (readonly string[])[], number: bigint): string[] {
  let rest = number
  return sets
    .toReversed()
    .map((terms) => {
      const size = BigInt(terms.length)
      const term = terms[Number(rest % size)] ?? ''
      rest /= size
      return term
    })
    .reverse()
}
