/** Rate limits, counted in this process: so many in a window of time, then 429 until the oldest falls out of it. */
import { problems } from '../engine/index.ts'

export interface Limit {
  readonly count: number
  readonly seconds: number
}

const MOST_KEYS = 50_000

export class Throttle {
  readonly #limit: Limit | undefined
  readonly #now: () => Date
  readonly #times = new Map<string, number[]>()

  /** Without a limit nothing is counted. */
  constructor(limit: Limit | undefined, now: () => Date) {
    this.#limit = limit
    this.#now = now
  }

  /** Counts one more, or throws when that would be too many. What it returns takes the count back. */
  take(key: string): () => void {
    const limit = this.#limit
    if (!limit) return () => {}
    const now = this.#now().getTime()
    const times = this.#recent(key, limit)
    if (times.length >= limit.count) {
      throw problems.throttled(Math.max(1, Math.ceil((times[0]! + limit.seconds * 1000 - now) / 1000)))
    }
    // An attacker must not fill the memory with names; forgetting all is rare and harmless.
    if (this.#times.size >= MOST_KEYS) this.#times.clear()
    times.push(now)
    this.#times.set(key, times)
    return () => {
      const place = times.lastIndexOf(now)
      if (place >= 0) times.splice(place, 1)
    }
  }

  #recent(key: string, { seconds }: Limit): number[] {
    const times = this.#times.get(key)
    if (!times) return []
    const since = this.#now().getTime() - seconds * 1000
    const old = times.findIndex((time) => time > since)
    if (old !== 0) times.splice(0, old < 0 ? times.length : old)
    return times
  }
}
