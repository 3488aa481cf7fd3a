/** A time limit for statements on SQLite, which has none of its own: it calls `in_time()` for some of the rows it reads. */
import type SQLite from 'better-sqlite3'
import { TooSlow } from './database.ts'

/** Reads the clock once in this many calls, because the clock costs more than the call. */
const LOOK_EVERY = 4

export class Deadline {
  #at: number | undefined

  constructor(connection: SQLite.Database) {
    let calls = 0
    connection.function('in_time', { deterministic: false }, () => {
      // An exception thrown by a function ends the statement.
      if (++calls % LOOK_EVERY === 0 && this.#at !== undefined && performance.now() > this.#at) throw new TooSlow()
      return 1
    })
  }

  /** From now on; undefined for no limit. */
  set(milliseconds: number | undefined): void {
    this.#at = milliseconds === undefined ? undefined : performance.now() + milliseconds
  }
}
