/** Wakes requests that wait for a change, whichever process commits it. */
import { outsideRequest, type Store } from '../store/index.ts'

/** How often other processes' commits are looked for while somebody waits. Our own are known at once. */
const LOOK_EVERY_MS = 50
/** How many may wait in a process; others get a response at once. */
const MOST_WAITING = 1000
/** How many are woken in a turn of the event loop, so that other requests get theirs. */
const WOKEN_AT_ONCE = 20

interface Waiting {
  wake(): void
  isGone(): boolean
}

export interface WaitOptions {
  readonly ms: number
  readonly signal: AbortSignal
  /** Whether the client has disconnected. */
  isGone(): boolean
}

export class ChangeWatch {
  readonly #store: Pick<Store, 'generations' | 'refresh'>
  readonly #waiting = new Set<Waiting>()
  readonly #followers = new Set<() => void>()
  #looking: NodeJS.Timeout | undefined
  #isOver = false
  #heard = 0

  /** Waits for writes to these resources. */
  constructor(store: Pick<Store, 'generations' | 'refresh'>, resources: readonly string[]) {
    this.#store = store
    const watched = new Set(resources)
    store.generations.listen(({ resource }) => {
      if (!watched.has(resource)) return
      this.#heard++
      wakeInTurns([...this.#waiting])
      for (const heard of this.#followers) heard()
    })
  }

  /** Grows with every commit: what was read since it grew is the newest that anybody has been woken for. */
  get heard(): number {
    return this.#heard
  }

  /** Whether nobody may wait: the server stops, or too many wait already. */
  get isFull(): boolean {
    return this.#isOver || this.#waiting.size >= MOST_WAITING
  }

  /** Resolves after the next commit, or when its time is over, the client is gone, or `signal` is aborted. */
  next({ ms, signal, isGone }: WaitOptions): Promise<void> {
    if (ms <= 0 || this.isFull || signal.aborted) return Promise.resolve()
    return new Promise((woken) => {
      const waiting: Waiting = {
        isGone,
        wake: () => {
          clearTimeout(late)
          signal.removeEventListener('abort', waiting.wake)
          this.#waiting.delete(waiting)
          this.#stopLooking()
          woken()
        },
      }
      const late = setTimeout(waiting.wake, ms)
      signal.addEventListener('abort', waiting.wake)
      this.#waiting.add(waiting)
      this.#startLooking()
    })
  }

  /** Calls it after every commit, until the returned function is called. */
  follow(heard: () => void): () => void {
    this.#followers.add(heard)
    this.#startLooking()
    return () => {
      this.#followers.delete(heard)
      this.#stopLooking()
    }
  }

  /** Everybody who waits gets a response now. */
  stop(): void {
    this.#isOver = true
    wakeInTurns([...this.#waiting])
  }

  #look(): void {
    for (const waiting of [...this.#waiting]) if (waiting.isGone()) waiting.wake()
    // During an outage there is nothing to learn; the request itself reports it.
    this.#store.refresh()?.catch(() => {})
  }

  #startLooking(): void {
    this.#looking ??= outsideRequest(() => setInterval(() => this.#look(), LOOK_EVERY_MS).unref())
  }

  #stopLooking(): void {
    if (this.#waiting.size + this.#followers.size > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }
}

function wakeInTurns(waiting: readonly Waiting[]): void {
  for (const { wake } of waiting.slice(0, WOKEN_AT_ONCE)) wake()
  if (waiting.length > WOKEN_AT_ONCE) setImmediate(wakeInTurns, waiting.slice(WOKEN_AT_ONCE))
}
