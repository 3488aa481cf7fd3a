/**
 * Brings a database to this program's version and catalogue at start, in one transaction: first the numbered steps, for
 * what declarations cannot say, then the tables follow the declarations.
 */
import type { AnyResource } from '../declare/index.ts'
import { type Database, query, Unusable, type Work } from './database.ts'
import { STEPS, type Step } from './steps.ts'
import { type SyncOptions, syncTables } from './sync.ts'
import { expectedVersion } from './version.ts'

export const NEWEST_VERSION = STEPS.at(-1)?.number ?? 1

interface MigrateOptions extends SyncOptions {
  readonly steps?: readonly Step[]
}

export async function migrate(
  database: Database,
  catalogue: readonly AnyResource[],
  { steps = STEPS, ...options }: MigrateOptions = {},
): Promise<void> {
  const { dialect } = database
  const newest = steps.at(-1)?.number ?? 1
  database.guardVersion(undefined)
  const fingerprint = await database.write(function* () {
    if (dialect.lock) yield* query(dialect.lock)
    yield* query(
      `CREATE TABLE IF NOT EXISTS migration (number ${dialect.integer} PRIMARY KEY, title TEXT NOT NULL, at TEXT NOT NULL)`,
    )
    const [row] = yield* query('SELECT max(number) AS version FROM migration')
    const version = Number(row!['version'] ?? 0)
    if (version > newest) {
      throw new Unusable(
        `the database has version ${version}, and this program knows up to ${newest}: use a newer Nymdex`,
      )
    }
    if (version === 0) yield* note(1, 'The tables of the catalogue')
    for (const step of steps.filter(({ number }) => number > Math.max(version, 1))) {
      if (version > 0) yield* step.run?.(dialect) ?? nothing()
      yield* note(step.number, step.title)
    }
    return yield* syncTables(dialect, catalogue, options)
  })
  database.guardVersion(expectedVersion(newest, fingerprint))
}

function* nothing(): Work<void> {}

function* note(number: number, title: string): Work<void> {
  yield* query('INSERT INTO migration VALUES (?, ?, ?)', number, title, new Date().toISOString())
}
