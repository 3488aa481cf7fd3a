/** A semaphore with a queue: waiting is limited in time and number. */
import { Overloaded, TooSlow } from './database.ts'

const MOST_WAITING = 200

export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  /** Whether a place was free. */
  tryEnter(): boolean {
    if (this.#free === 0) return false
    this.#free--
    return true
  }

  async enter(ms: number): Promise<void> {
    if (this.tryEnter()) return
    if (this.#waiting.length >= MOST_WAITING) throw new Overloaded('too many slow queries are waiting')
    let giveUp: NodeJS.Timeout | undefined
    await new Promise<void>((entered, failed) => {
      const enter = () => entered()
      this.#waiting.push(enter)
      giveUp = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        failed(new TooSlow())
      }, ms)
    }).finally(() => clearTimeout(giveUp))
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
