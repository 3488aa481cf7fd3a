/**
 * Stamps. Every cached value carries one, and the cache asks it one question: does the value still hold? Nothing has to
 * be invalidated: a value whose stamp does not hold is not returned.
 */

/** `At` is what the stamp is compared with: a moment of the database, the log of writes, the version of a source. */
export interface Stamp<At> {
  holds(at: At): boolean
}

/** How often each resource had been written to, by name; a resource that is missing was never written to. */
export type Moment = ReadonlyMap<string, { readonly number: number }>

/** The names of resources, or all there are: accounts and sessions too. */
export type Dependencies = readonly string[] | 'all'

/** Holds until one of the resources it depends on is written to, by any process. */
export class GenerationStamp implements Stamp<Moment> {
  readonly #resources: Dependencies
  /** The last moment at which the stamp held. */
  #moment: Moment

  constructor(resources: Dependencies, moment: Moment) {
    this.#resources = resources
    this.#moment = moment
  }

  holds(now: Moment): boolean {
    if (now === this.#moment) return true
    // No resource is ever taken out of a moment.
    for (const name of this.#resources === 'all' ? now.keys() : this.#resources) {
      if (numberOf(this.#moment, name) !== numberOf(now, name)) return false
    }
    // The next check at this moment is a single comparison.
    this.#moment = now
    return true
  }
}

/** For values that are never wrong. */
export const ALWAYS: Stamp<unknown> = { holds: () => true }

function numberOf(moment: Moment, resource: string): number {
  return moment.get(resource)?.number ?? 0
}
