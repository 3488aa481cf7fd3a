/**
 * Checks whether the open file is still the one at its path. After it is deleted or replaced, SQLite keeps writing to a
 * file that nobody will find again, so such a write must not be acknowledged.
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

  /** Throws if the file or its log is gone. */
  check(): void {
    for (const path of [this.#path, `${this.#path}-wal`]) {
      const known = this.#known.get(path)
      const now = identityOf(statSync(path, { throwIfNoEntry: false }))
      if (known !== undefined && now !== known) {
        throw new Unavailable(
          `the database file was deleted or replaced while it was in use: restart the server (${path})`,
        )
      }
      // The first transaction creates the log.
      if (now !== undefined) this.#known.set(path, now)
    }
  }
}

function identityOf(stats: Stats | undefined): string | undefined {
  // Windows does not allow an open file to be deleted.
  return stats && `${stats.dev} ${stats.ino}`
}
