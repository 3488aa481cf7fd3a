/**
 * Fills a new SQLite file in one transaction. The file is worth nothing until it is complete, so there is no journal to
 * roll back from: the caller removes the file after a failure, and flushes it to disk before it is used.
 */
import SQLite from 'better-sqlite3'
import type { AnyResource } from '../declare/index.ts'
import { Connection } from './connection.ts'
import { Copies } from './copy.ts'
import { sqliteDialect } from './dialect.ts'
import { countOn } from './generations.ts'
import { createKeys, dropKeys, type Fill } from './load-keys.ts'
import { migrate } from './migrate.ts'
import { Rank } from './rank.ts'
import { databaseSettings } from './settings.ts'
import { openSqlite } from './sqlite.ts'
import { translated } from './sqlite-errors.ts'
import { Touched } from './touched.ts'

/** For rows, and for sorting them; in KiB. */
const CACHE = 64 * 1024
const ROWS_AT_ONCE = 16

export async function loadSqlite<T>(path: string, catalogue: readonly AnyResource[], fill: Fill<T>): Promise<T> {
  await openAndClose(path, catalogue)
  const filled = fillFile(path, catalogue, fill)
  // Like a server that stops: it collects statistics, and leaves a file in WAL mode.
  await openAndClose(path, catalogue)
  return filled
}

/** Creates the tables of a new file. */
async function openAndClose(path: string, catalogue: readonly AnyResource[]): Promise<void> {
  const database = openSqlite(path, databaseSettings(`sqlite:${path}`))
  try {
    await migrate(database, catalogue)
  } finally {
    await database.close()
  }
}

function fillFile<T>(path: string, catalogue: readonly AnyResource[], fill: Fill<T>): T {
  const database = new SQLite(path)
  try {
    database.pragma('journal_mode = OFF')
    database.pragma('synchronous = OFF')
    // All references are checked at the end.
    database.pragma('foreign_keys = OFF')
    database.pragma(`cache_size = -${CACHE}`)
    database.exec('BEGIN EXCLUSIVE')
    const connection = new Connection(database, { rowsAtOnce: ROWS_AT_ONCE })
    const touched = new Touched()
    const filled = connection.execute(function* () {
      const dropped = yield* dropKeys(sqliteDialect, catalogue)
      return yield* fill(new Copies(sqliteDialect, new Rank(sqliteDialect)), () => createKeys(dropped))
    }, touched)
    connection.execute(() => countOn(touched))
    database.exec('COMMIT')
    return filled
  } catch (error) {
    throw translated(error)
  } finally {
    database.close()
  }
}
