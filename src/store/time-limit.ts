/** A limit for several statements, on a server that only has limits for single ones. */
import { TooSlow } from './database.ts'

export class TimeLimit {
  readonly #until: number
  #set: number

  constructor(seconds: number) {
    this.#set = seconds * 1000
    this.#until = performance.now() + this.#set
  }

  /** The limit to set for the next statement; undefined if the current one is good enough. */
  next(): number | undefined {
    const left = this.#until - performance.now()
    if (left <= 0) throw new TooSlow()
    if (left > this.#set / 2) return undefined
    this.#set = left
    return Math.ceil(left)
  }
}
