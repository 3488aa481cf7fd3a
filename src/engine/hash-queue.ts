/**
 * Limits concurrent password hashing. Each hash takes a thread and a processor for about 40 ms; without a limit, a few
 * clients that try passwords would make everyone else wait for seconds.
 */
import { availableParallelism } from 'node:os'
import { whilePaused } from '../store/index.ts'
import { problems } from './problem.ts'

/** Node has four threads for such work; one is left for files and compression. */
const AT_ONCE = Math.min(3, availableParallelism())
/** With two processors, the last in the queue waits about a third of a second. */
const MOST_WAITING = 16
const RETRY_SECONDS = 1

export class HashQueue {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** Runs the task when it is its turn; 429 if too many are already waiting. */
  run<T>(task: () => Promise<T>): Promise<T> {
    // Other requests continue meanwhile: the main thread is free.
    return whilePaused(() => this.#runInTurn(task))
  }

  async #runInTurn<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < AT_ONCE) this.#running++
    else {
      if (this.#waiting.length >= MOST_WAITING) throw problems.throttled(RETRY_SECONDS)
      // A finished task hands over its place, so the number of running tasks stays.
      await new Promise<void>((turn) => this.#waiting.push(turn))
    }
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
