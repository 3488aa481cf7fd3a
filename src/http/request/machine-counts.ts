/**
 * What is counted for all processes of a server together: reads by address, and live streams. A server of one process
 * counts by itself; the workers of a larger one ask the process that started them.
 */
import { problems } from '../../engine/index.ts'
import { type Limit, type MonotonicClock, Throttle } from './throttle.ts'

/** 0 if it is allowed; otherwise how many seconds to wait, or that there is no place for anybody. */
export type Verdict = number | 'full'

export interface Counts {
  /** Counts one more read, if it is allowed. */
  takeRead(network: string): Verdict | Promise<Verdict>
  /** Whether there may be one more stream. If so, it has a place for the moment. */
  demandStream(network: string): Verdict | Promise<Verdict>
  countStream(network: string, change: StreamChange): void
}

/** A stream has begun, has ended, or will not begin. */
export type StreamChange = 1 | -1 | 0

/** When a client that has many streams may try again, in seconds. */
const RETRY_SECONDS = 10

/** How long a stream has its place before it begins. */
const PROMISED_MS = 10_000

export class MachineCounts implements Counts {
  readonly #clock: MonotonicClock
  readonly #reads: Throttle
  readonly #mostStreams: number
  readonly #streams = new Map<string, number>()
  #allStreams = 0
  /** Places of streams that have not begun, oldest first. */
  #promised: { readonly network: string; readonly until: number }[] = []

  constructor({ reads, streams }: { reads: Limit | undefined; streams: number }, clock: MonotonicClock) {
    this.#clock = clock
    this.#reads = new Throttle(reads, clock)
    this.#mostStreams = streams
  }

  takeRead(network: string): Verdict {
    const seconds = this.#reads.wait(network)
    if (seconds === 0) this.#reads.count(network)
    return seconds
  }

  /** An address may have as many as are left for others, so that no few of them take all. */
  demandStream(network: string): Verdict {
    const now = this.#clock()
    this.#promised = this.#promised.filter(({ until }) => until > now)
    const free = Math.max(0, this.#mostStreams - this.#allStreams - this.#promised.length)
    if (free === 0) return 'full'
    const promised = this.#promised.filter((each) => each.network === network).length
    if ((this.#streams.get(network) ?? 0) + promised >= free) return RETRY_SECONDS
    this.#promised.push({ network, until: now + PROMISED_MS })
    return 0
  }

  countStream(network: string, change: StreamChange): void {
    if (change >= 0) {
      const place = this.#promised.findIndex((each) => each.network === network)
      if (place >= 0) this.#promised.splice(place, 1)
    }
    this.#allStreams += change
    const taken = (this.#streams.get(network) ?? 0) + change
    if (taken > 0) this.#streams.set(network, taken)
    else this.#streams.delete(network)
  }
}

export function demand(verdict: Verdict): void {
  if (verdict === 'full') throw problems.overloaded()
  if (verdict > 0) throw problems.throttled(verdict)
}
