/** A time limit for statements on SQLite, which has none of its own: it calls `in_time()` for each row it looks at. */
import type SQLite from 'better-sqlite3'
import { TooSlow } from './database.ts'

/** The clock is looked at for one row in so many: it costs more than the call. */
const LOOK_EVERY = 256

export class Deadline {
  #at: number | undefined

  constructor(connection: SQLite.Database) {
    let rows = 0
    connection.function('in_time', { deterministic: false }, () => {
      // What a function throws ends the statement.
      if (++rows % LOOK_EVERY === 0 && this.#at !== undefined && performance.now() > this.#at) throw new TooSlow()
      return 1
    })
  }

  /** From now on; undefined for no limit. */
  set(milliseconds: number | undefined): void {
    this.#at = milliseconds === undefined ? undefined : performance.now() + milliseconds
  }
}
