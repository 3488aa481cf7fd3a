/**
 * Watches the event loop. A request that blocks it for too long makes everyone else wait: it is logged with its id, and
 * clients whose headers could not be read meanwhile get their time back.
 */

const BEAT_MS = 20

export interface Held {
  /** The request that blocked the loop; undefined if it was none. */
  readonly id: string | undefined
  readonly ms: number
}

export class EventLoopWatch {
  readonly #limitMs: number
  readonly #held: (held: Held) => void
  readonly #beating: NodeJS.Timeout
  #lastBeat = performance.now()
  #running: string | undefined
  #since = 0

  /** `held` is called after each block of more than `limitMs`. */
  constructor(limitMs: number, held: (held: Held) => void) {
    this.#limitMs = limitMs
    this.#held = held
    this.#beating = setInterval(() => this.#beat(), BEAT_MS).unref()
  }

  /** The request with this id runs now, until another one is marked or the loop continues. */
  readonly mark = (id: string | undefined): void => {
    if (id === undefined) return
    const now = performance.now()
    this.#report(now)
    this.#running = id
    this.#since = now
  }

  stop(): void {
    clearInterval(this.#beating)
  }

  /** The loop is free: no earlier request blocks it. */
  #beat(): void {
    const now = performance.now()
    const ms = now - this.#lastBeat - BEAT_MS
    const isReported = this.#report(now)
    if (!isReported && this.#running === undefined && ms > this.#limitMs)
      this.#held({ id: undefined, ms: Math.round(ms) })
    this.#running = undefined
    this.#lastBeat = performance.now()
  }

  #report(now: number): boolean {
    const ms = now - this.#since
    if (this.#running === undefined || ms <= this.#limitMs) return false
    this.#held({ id: this.#running, ms: Math.round(ms) })
    return true
  }
}
