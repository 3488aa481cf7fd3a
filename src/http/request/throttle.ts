/**
 * Rate limits, counted in this process: a number of requests per window of time, then 429 until the oldest leaves it.
 */
import { createHash } from 'node:crypto'
import { problems } from '../../engine/index.ts'

export interface Limit {
  readonly count: number
  readonly seconds: number
}

/**
 * A monotonic clock in milliseconds. The time of day would not work: setting it back would make a limit last longer.
 */
export type MonotonicClock = () => number

const MOST_KEYS = 50_000

export class Throttle {
  readonly #limit: Limit | undefined
  readonly #clock: MonotonicClock
  readonly #times = new RecentKeys<number[]>(MOST_KEYS)

  /** Without a limit nothing is counted. */
  constructor(limit: Limit | undefined, clock: MonotonicClock) {
    this.#limit = limit
    this.#clock = clock
  }

  /** Counts one more, or throws if that is too many. The returned function takes the count back. */
  take(given: string): () => void {
    const seconds = this.wait(given)
    if (seconds > 0) throw problems.throttled(seconds)
    return this.count(given)
  }

  /** How many seconds to wait until one more is allowed; 0 if it is allowed now. */
  wait(given: string): number {
    const limit = this.#limit
    if (!limit) return 0
    const times = this.#recent(given, limit)
    if (times.length < limit.count) return 0
    return Math.max(1, Math.ceil((times[0]! + limit.seconds * 1000 - this.#clock()) / 1000))
  }

  /** Counts one more, without checking whether it is allowed. */
  count(given: string): () => void {
    const limit = this.#limit
    if (!limit) return () => {}
    const now = this.#clock()
    const times = this.#recent(given, limit)
    times.push(now)
    this.#times.set(given, times)
    return () => {
      const place = times.lastIndexOf(now)
      if (place >= 0) times.splice(place, 1)
    }
  }

  #recent(given: string, { seconds }: Limit): number[] {
    const times = this.#times.get(given)
    if (!times) return []
    const since = this.#clock() - seconds * 1000
    const old = times.findIndex((time) => time > since)
    if (old !== 0) times.splice(0, old < 0 ? times.length : old)
    return times
  }
}

const KEY_LENGTH = 22

/**
 * A bounded map that evicts the keys set longest ago: nobody can fill the memory, or make the server forget current
 * tries. Keys come from clients and may be long; only a short hash of each is kept.
 */
export class RecentKeys<Value> {
  readonly #values = new Map<string, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(given: string): Value | undefined {
    return this.#values.get(hashOf(given))
  }

  set(given: string, value: Value): void {
    const key = hashOf(given)
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value!)
  }
}

function hashOf(given: string): string {
  return createHash('sha256').update(given).digest('base64url').slice(0, KEY_LENGTH)
}
