/**
 * Is the file that we have open still the one at its path? Once it is deleted or replaced, SQLite goes on writing to a
 * file that nobody will find again, so a write must not be acknowledged.
 */
import { type Stats, statSync } from 'node:fs'
import { Unavailable } from './database.ts'

export class DatabaseFile {
  readonly #path: string
  readonly #known = new Map<string, string>()

  /** The file must be open. */
  constructor(path: string) {
    this.#path = path
    this.check()
  }

  /** Throws when the file or its log is gone. */
  check(): void {
    for (const path of [this.#path, `${this.#path}-wal`]) {
      const known = this.#known.get(path)
      const now = identityOf(statSync(path, { throwIfNoEntry: false }))
      if (known !== undefined && now !== known) {
        throw new Unavailable(
          `the database file was deleted or replaced while it was in use: restart the server (${path})`,
        )
      }
      // The log is made by the first transaction.
      if (now !== undefined) this.#known.set(path, now)
    }
  }
}

function identityOf(stats: Stats | undefined): string | undefined {
  // Windows does not let go of an open file.
  return stats && `${stats.dev} ${stats.ino}`
}
