/** Rate limits, counted in this process: so many in a window of time, then 429 until the oldest falls out of it. */
import { createHash } from 'node:crypto'
import { problems } from '../engine/index.ts'

export interface Limit {
  readonly count: number
  readonly seconds: number
}

const MOST_KEYS = 50_000
const KEY_LENGTH = 22

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
  take(given: string): () => void {
    const limit = this.#limit
    if (!limit) return () => {}
    // Names come from outside and may be long; what is kept of them is short.
    const key = createHash('sha256').update(given).digest('base64url').slice(0, KEY_LENGTH)
    const now = this.#now().getTime()
    const times = this.#recent(key, limit)
    if (times.length >= limit.count) {
      throw problems.throttled(Math.max(1, Math.ceil((times[0]! + limit.seconds * 1000 - now) / 1000)))
    }
    times.push(now)
    this.#keep(key, times)
    return () => {
      const place = times.lastIndexOf(now)
      if (place >= 0) times.splice(place, 1)
    }
  }

  /** The longest unused go when there are too many: nobody can fill the memory, or make us forget who tries now. */
  #keep(key: string, times: number[]): void {
    this.#times.delete(key)
    this.#times.set(key, times)
    if (this.#times.size <= MOST_KEYS) return
    for (const oldest of this.#times.keys()) {
      this.#times.delete(oldest)
      if (this.#times.size <= MOST_KEYS) return
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
