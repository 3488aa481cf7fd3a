/**
 * The version guard: every write checks the version of the tables, because a process of another version must stop
 * writing.
 */
import { Outdated } from './database.ts'

export const VERSION = 'SELECT COALESCE(max(number), 0) AS version FROM migration'

export class VersionGuard {
  #expected: number | undefined
  readonly #outdated = Promise.withResolvers<Outdated>()
  /** Resolves when the tables have another version than ours. */
  readonly outdated = this.#outdated.promise

  /** Whether there is a version to check. Not while the database is being migrated. */
  get isOn(): boolean {
    return this.#expected !== undefined
  }

  /** Undefined while it is about to change. */
  expect(version: number | undefined): void {
    this.#expected = version
  }

  /** Throws if the version that was read is not ours. */
  check(row: { readonly version?: unknown } | undefined): void {
    const version = Number(row?.version)
    if (this.#expected === undefined || version === this.#expected) return
    const error = new Outdated(version, this.#expected)
    this.#outdated.resolve(error)
    throw error
  }
}
