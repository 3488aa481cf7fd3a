/** Wakes requests that wait for a change, whichever process commits it. */
import type { Store } from '../store/index.ts'

/** How often other processes' commits are looked for while somebody waits. Our own are known at once. */
const LOOK_EVERY_MS = 50

export class ChangeWatch {
  readonly #store: Pick<Store, 'generations' | 'refresh'>
  readonly #waiting = new Set<() => void>()
  #looking: NodeJS.Timeout | undefined
  #isOver = false

  constructor(store: Pick<Store, 'generations' | 'refresh'>) {
    this.#store = store
    store.generations.listen(() => this.#wake())
  }

  /** Whether nobody should wait any longer, because the server stops. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Resolves after the next commit, at the latest after this many milliseconds, or when `signal` is aborted. */
  next(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isOver || signal.aborted) return Promise.resolve()
    return new Promise((woken) => {
      const wake = () => {
        clearTimeout(late)
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        if (this.#waiting.size === 0) this.#stopLooking()
        woken()
      }
      const late = setTimeout(wake, ms)
      signal.addEventListener('abort', wake)
      this.#waiting.add(wake)
      this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    })
  }

  /** Everybody who waits gets a response now. */
  stop(): void {
    this.#isOver = true
    this.#wake()
  }

  /** During an outage there is nothing to learn; the request itself reports it. */
  #look(): void {
    this.#store.refresh()?.catch(() => {})
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  #stopLooking(): void {
    clearInterval(this.#looking)
    this.#looking = undefined
  }
}
