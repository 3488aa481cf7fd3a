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
  /** Whether there may be one more stream. */
  demandStream(network: string): Verdict | Promise<Verdict>
  /** A stream has begun, or has ended. */
  countStream(network: string, change: 1 | -1): void
}

/** When a client that has many streams may try again, in seconds. */
const RETRY_SECONDS = 10

export class MachineCounts implements Counts {
  readonly #reads: Throttle
  readonly #mostStreams: number
  readonly #streams = new Map<string, number>()
  #allStreams = 0

  constructor({ reads, streams }: { reads: Limit | undefined; streams: number }, clock: MonotonicClock) {
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
    const free = Math.max(0, this.#mostStreams - this.#allStreams)
    if (free === 0) return 'full'
    return (this.#streams.get(network) ?? 0) >= free ? RETRY_SECONDS : 0
  }

  countStream(network: string, change: 1 | -1): void {
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
