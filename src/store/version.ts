/**
 * The version of the tables and the fingerprint of the declarations they follow, checked in every write: a process that
 * would write other values, or to other columns, must not continue.
 */
import { Outdated } from './database.ts'

/** Both, as one text. */
export const VERSION = `SELECT COALESCE(max(number), 0) || ' ' ||
  COALESCE((SELECT fingerprint FROM declaration WHERE resource = ''), '') AS version FROM migration`

/** What VERSION returns while the tables are ours. */
export function expectedVersion(version: number, fingerprint: string): string {
  return `${version} ${fingerprint}`
}

export class VersionGuard {
  #expected: string | undefined
  readonly #outdated = Promise.withResolvers<Outdated>()
  /** Resolves when the tables have another version than ours. */
  readonly outdated = this.#outdated.promise

  /** The version of our tables; undefined while the database is being migrated. */
  get version(): string | undefined {
    return this.#expected
  }

  /** Whether there is a version to check. Not while the database is being migrated. */
  get isOn(): boolean {
    return this.#expected !== undefined
  }

  /** Undefined while it is about to change. */
  expect(version: string | undefined): void {
    this.#expected = version
  }

  /** Throws if the version that was read is not ours. */
  check(row: { readonly version?: unknown } | undefined): void {
    if (this.#expected === undefined || row?.version === this.#expected) return
    const [version, ours] = [numberIn(String(row?.version)), numberIn(this.#expected)]
    const error = new Outdated(
      version === ours
        ? 'another process has changed the tables for the catalogue of another Nymdex: start that one'
        : `another process has migrated the database to version ${version}, and this program knows ${ours}: start the newer Nymdex`,
    )
    this.#outdated.resolve(error)
    throw error
  }
}

function numberIn(version: string): string {
  return version.split(' ')[0]!
}
