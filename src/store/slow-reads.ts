/**
 * Reads on PostgreSQL that may be slow. They never take all connections, so that fast ones continue: only as many as
 * there are places run for longer than a moment.
 */
import { TooSlow } from './database.ts'
import { whilePaused } from './request.ts'
import { Semaphore } from './semaphore.ts'

/** How long a read that may be slow runs without a place. */
const QUICK_SECONDS = 0.25

/** How a read runs, and until when: waiting for a connection is included. */
export interface Lane {
  readonly isSlow: boolean
  readonly until: number | undefined
}

export function secondsLeft({ isSlow, until }: Lane): number | undefined {
  if (until === undefined) return undefined
  const left = Math.max(0.001, (until - performance.now()) / 1000)
  return isSlow ? left : Math.min(left, QUICK_SECONDS)
}

interface SlowReadSettings {
  /** How many connections read. */
  readonly readers: number
  /** How long a read waits for a place. */
  readonly waitMs: number
  /** Replicas answer quickly or not at all, so every read is first tried there. */
  readonly hasReplicas: boolean
}

export class SlowReads {
  readonly #places: Semaphore
  readonly #settings: SlowReadSettings

  constructor(settings: SlowReadSettings) {
    this.#settings = settings
    this.#places = new Semaphore(Math.max(1, Math.floor(settings.readers / 2)))
  }

  /**
   * Takes a place at once if one is free. Otherwise the read first runs like any other for a moment, and starts again
   * when it gets a place. Without `seconds`, it is never slow.
   */
  async run<T>(seconds: number | undefined, read: (lane: Lane) => Promise<T>): Promise<T> {
    if (seconds === undefined) return await read({ isSlow: false, until: undefined })
    const until = performance.now() + seconds * 1000
    const hasPlace = !this.#settings.hasReplicas && this.#places.tryEnter()
    if (!hasPlace) {
      try {
        return await read({ isSlow: false, until })
      } catch (error) {
        if (!(error instanceof TooSlow) || seconds <= QUICK_SECONDS) throw error
      }
    }
    return await whilePaused(async () => {
      if (!hasPlace) await this.#places.enter(Math.min(until - performance.now(), this.#settings.waitMs))
      try {
        return await read({ isSlow: true, until })
      } finally {
        this.#places.leave()
      }
    })
  }
}
