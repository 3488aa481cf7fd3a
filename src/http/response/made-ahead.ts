/**
 * Pages that clients read again and again while others write. Such a page is made again directly after a write, while the
 * writer's response is on its way, so the next reader does not wait for it. A page that nobody has read since the write before
 * is not made, so at least every second one is read.
 */
import type { Asked } from './answer-cache.ts'

/** How many pages are made after one write, each in a turn of the event loop of its own. */
const MOST_PAGES = 4

export class MadeAhead {
  /** By target, in the order in which they were first made again for a reader. */
  readonly #pages = new Map<string, Asked>()
  readonly #make: (asked: Asked) => boolean
  #isWaiting = false

  /** `make` makes one again if it has to be; false if nobody has read it since it was last made ahead. */
  constructor(make: (asked: Asked) => boolean) {
    this.#make = make
  }

  /** A reader had to wait for this one. */
  note(asked: Asked): void {
    if (this.#pages.has(asked.target)) return
    if (this.#pages.size === MOST_PAGES) this.#pages.delete(this.#pages.keys().next().value!)
    this.#pages.set(asked.target, asked)
  }

  /** Something was written. */
  wake(): void {
    if (this.#isWaiting || this.#pages.size === 0) return
    this.#isWaiting = true
    setImmediate(() => this.#next([...this.#pages.values()]))
  }

  #next([asked, ...others]: readonly Asked[]): void {
    if (!asked) {
      this.#isWaiting = false
      return
    }
    if (!this.#make(asked)) this.#pages.delete(asked.target)
    setImmediate(() => this.#next(others))
  }
}
