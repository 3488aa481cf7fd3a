/**
 * Migrates a database to this program's version at start, in one transaction. An empty database gets the current tables
 * at once; the numbered steps are for databases of earlier versions.
 */
import type { AnyResource } from '../declare/index.ts'
import { type Database, query, Unusable, type Work } from './database.ts'
import { tables } from './schema.ts'
import { STEPS, type Step } from './steps.ts'

export const NEWEST_VERSION = STEPS.at(-1)?.number ?? 1

export async function migrate(
  database: Database,
  catalogue: readonly AnyResource[],
  steps: readonly Step[] = STEPS,
): Promise<void> {
  const { dialect } = database
  const newest = steps.at(-1)?.number ?? 1
  database.guardVersion(undefined)
  await database.write(function* () {
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
    if (version === 0) {
      for (const sql of tables(catalogue, dialect)) yield* query(sql)
      yield* note(1, 'The tables of the catalogue')
    }
    for (const step of steps.filter(({ number }) => number > Math.max(version, 1))) {
      if (version > 0) yield* step.run(dialect, catalogue)
      yield* note(step.number, step.title)
    }
  })
  database.guardVersion(newest)
}

function* note(number: number, title: string): Work<void> {
  yield* query('INSERT INTO migration VALUES (?, ?, ?)', number, title, new Date().toISOString())
}
