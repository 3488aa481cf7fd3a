/** Limits on writes: all of a user, and the records that a new account makes. */
import type { Actor } from '../../engine/index.ts'
import { type Limit, type MonotonicClock, Throttle } from './throttle.ts'

export interface WriteSettings {
  /** For each user. */
  readonly writes: Limit | undefined
  /** New records of each account that is younger than a day. */
  readonly newAccounts?: Limit | undefined
}

const NEW_MS = 24 * 60 * 60 * 1000

export class WriteLimits {
  readonly #writes: Throttle
  readonly #newAccounts: Throttle
  readonly #now: () => Date

  constructor({ writes, newAccounts }: WriteSettings, clock: MonotonicClock, now: () => Date) {
    this.#writes = new Throttle(writes, clock)
    this.#newAccounts = new Throttle(newAccounts, clock)
    this.#now = now
  }

  take({ id }: Pick<Actor, 'id'>): void {
    this.#writes.take(String(id))
  }

  /** Counts a new record, or throws if a new account made too many. The returned function takes the count back. */
  takeNew({ id, staff, joined }: Actor): () => void {
    const age = this.#now().getTime() - Date.parse(joined ?? '')
    return staff || !(age < NEW_MS) ? () => {} : this.#newAccounts.take(String(id))
  }

  /** The same for several records: all of them, or none. */
  takeSeveralNew(actor: Actor, count: number): () => void {
    const taken: (() => void)[] = []
    const takeBack = () => taken.forEach((each) => void each())
    try {
      for (let i = 0; i < count; i++) taken.push(this.takeNew(actor))
    } catch (error) {
      takeBack()
      throw error
    }
    return takeBack
  }
}
