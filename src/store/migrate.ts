/**
 * Brings a database to this program's version and catalogue at start, in one transaction: first the numbered steps, for
 * what declarations cannot say, then the tables follow the declarations.
 */
import type { AnyResource } from '../declare/index.ts'
import { type Database, query, Unavailable, Unusable, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { isBusy } from './sqlite-errors.ts'
import { STEPS, type Step } from './steps.ts'
import { fingerprintInLine, type SyncOptions, syncTables } from './sync.ts'
import { expectedVersion } from './version.ts'

export const NEWEST_VERSION = STEPS.at(-1)?.number ?? 1

interface MigrateOptions extends SyncOptions {
  readonly steps?: readonly Step[]
}

const READ_ONLY_AND_OTHER =
  'the database is read-only, or a standby, and does not have the tables of this Nymdex: start this version on the primary server first, or set DATABASE_URL to that'

export async function migrate(
  database: Database,
  catalogue: readonly AnyResource[],
  { steps = STEPS, ...options }: MigrateOptions = {},
): Promise<void> {
  const newest = steps.at(-1)?.number ?? 1
  database.guardVersion(undefined)
  // A process that has nothing to change waits for no writer.
  const current = await database.read(() => currentFingerprint(database.dialect, catalogue, newest, options))
  if (current === undefined && (await database.isReadOnly())) throw new Unusable(READ_ONLY_AND_OTHER)
  const fingerprint =
    current ??
    (await writePatiently(database, () => bringUp(database.dialect, catalogue, { steps, ...options }), options))
  database.guardVersion(expectedVersion(newest, fingerprint))
}

/** The fingerprint of the tables if nothing has to change; otherwise undefined. */
function* currentFingerprint(
  dialect: Dialect,
  catalogue: readonly AnyResource[],
  newest: number,
  options: SyncOptions,
): Work<string | undefined> {
  const fingerprint = yield* fingerprintInLine(dialect, catalogue, options)
  if (fingerprint === undefined) return undefined
  const [row] = yield* query('SELECT max(number) AS version FROM migration')
  return Number(row?.['version']) === newest ? fingerprint : undefined
}

/** How long a start waits for another process that changes the tables, or writes in one long transaction. */
const PATIENCE_MS = 5 * 60_000

/** Retries on SQLite, which gives up after some seconds; PostgreSQL waits for its lock by itself. */
async function writePatiently<T>(database: Database, work: () => Work<T>, { report }: SyncOptions): Promise<T> {
  const start = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return await database.write(work)
    } catch (error) {
      const isLocked = error instanceof Unavailable && isBusy(error.cause)
      if (!isLocked || performance.now() - start > PATIENCE_MS) throw error
      if (tries === 1)
        report?.('another process has locked the database: waiting up to 5 minutes before the tables are changed')
    }
  }
}

/** Part of a transaction. Returns the fingerprint of the tables. */
export function* bringUp(
  dialect: Dialect,
  catalogue: readonly AnyResource[],
  { steps = STEPS, ...options }: MigrateOptions = {},
): Work<string> {
  const newest = steps.at(-1)?.number ?? 1
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
}

function* nothing(): Work<void> {}

function* note(number: number, title: string): Work<void> {
  yield* query('INSERT INTO migration VALUES (?, ?, ?)', number, title, new Date().toISOString())
}
