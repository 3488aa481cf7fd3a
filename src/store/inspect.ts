/**
 * Looks at a database that may be missing, damaged, older, newer or another program's, without changing anything. So it
 * does not use the code that creates and marks files.
 */
import { existsSync, statSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import type { AnyResource } from '../declare/index.ts'
import { Connection } from './connection.ts'
import { cell, type Database, OK, query, Unusable, type Work } from './database.ts'
import { type Dialect, sqliteDialect } from './dialect.ts'
import { Generations } from './generations.ts'
import { openPostgres } from './postgres-on-demand.ts'
import { databaseSettings, type GivenSettings } from './settings.ts'
import { APPLICATION_ID } from './sqlite.ts'
import { openReason } from './sqlite-errors.ts'
import { LoggedTraces } from './trace.ts'

/** The database exists and is not ours. */
export class Foreign extends Unusable {}

export async function inspectDatabase(given: string | GivenSettings): Promise<Database> {
  const settings = databaseSettings(given)
  const file = sqliteFile(settings.url)
  const database = file === undefined ? await openPostgres(settings) : lookInto(file)
  const write = () => Promise.reject(new Error('this database was opened to look at it'))
  return { ...database, write }
}

/** The path in sqlite:PATH. */
export function sqliteFile(url: string): string | undefined {
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined
}

function lookInto(path: string): Database {
  let connection: SQLite.Database | undefined
  try {
    // A read-only connection leaves the log's two files behind. A writable one removes them, but also moves the log's
    // content into the database.
    const log = `${path}-wal`
    const readonly = existsSync(log) && statSync(log).size > 0
    connection = new SQLite(path, { readonly, fileMustExist: true, timeout: 5000 })
    connection.pragma('query_only = ON')
    const id = connection.pragma('application_id', { simple: true })
    const count = Number(connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get())
    if (id !== APPLICATION_ID && (id !== 0 || count > 0)) {
      throw new Foreign(`${path} is the database of another program`)
    }
    const opened = new Connection(connection)
    const generations = new Generations()
    return {
      dialect: sqliteDialect,
      generations,
      traces: new LoggedTraces(),
      refresh: () => undefined,
      read: async (work) => opened.transaction(work),
      readAt: async (work) => opened.transaction(() => work(generations.now)),
      snapshot: async () => Promise.reject(new Error('one read at a time')),
      write: async () => Promise.reject(new Error('read only')),
      guardVersion: () => {},
      outdated: new Promise(() => {}),
      isReadOnly: async () => true,
      load: () => ({ waitingWrites: 0, connections: [], replicas: [] }),
      health: async () => ({ database: OK, writes: OK }),
      close: async () => void opened.database.close(),
    }
  } catch (error) {
    connection?.close()
    throw error instanceof Unusable ? error : new Unusable(openReason(error, path))
  }
}

/** The version of the tables, 0 if there are none; and tables with our names that another program created. */
export function* versionOf(
  dialect: Dialect,
  catalogue: readonly AnyResource[],
): Work<{ readonly version: number; readonly foreign: readonly string[] }> {
  const there = new Set((yield* query(dialect.tables)).map((row) => String(row['name'])))
  const ours = ['migration', 'account', 'token', 'session', ...catalogue.map(({ name }) => name)]
  if (!there.has('migration') || !there.has('account')) {
    return { version: 0, foreign: ours.filter((name) => there.has(name)) }
  }
  const [row] = yield* query('SELECT max(number) AS version FROM migration')
  return { version: Number(cell(row, 'version') ?? 0), foreign: [] }
}

/**
 * What SQLite finds wrong with its own file: the first message, and how many references are broken. `quick` trusts the
 * indexes, which takes a tenth of the time.
 */
export function* damageOf({ quick = false } = {}): Work<{
  readonly damage: string | undefined
  readonly dangling: number
}> {
  const [first] = yield* query(quick ? 'PRAGMA quick_check(1)' : 'PRAGMA integrity_check(1)')
  const said = String(Object.values(first!)[0])
  const dangling = yield* query('PRAGMA foreign_key_check')
  return { damage: said === 'ok' ? undefined : said.split('\n')[0], dangling: dangling.length }
}

/** Whether there is a staff account that can sign in. */
export function* hasStaff(): Work<boolean> {
  return (yield* query("SELECT id FROM account WHERE staff = 1 AND removed = 0 AND password <> '' LIMIT 1")).length > 0
}

export function* journalMode(): Work<string> {
  const [row] = yield* query('PRAGMA journal_mode')
  return String(cell(row, 'journal_mode'))
}

/** What tells a copy of a database from another one, and how far it is. */
export interface CopyFacts {
  readonly isStandby: boolean
  /** The id of the log, which no other database has. */
  readonly log: string
  /** The number of the newest change. */
  readonly latest: number
  /** How many writes there have been, also those that are not in the log. */
  readonly writes: number
  /** How old the newest transaction is that a standby has applied. */
  readonly seconds: number
}

export function* copyFacts(): Work<CopyFacts> {
  const [row] = yield* query(
    `SELECT pg_is_in_recovery()::int AS standby, (SELECT id FROM log) AS log,
       (SELECT COALESCE(max(seq), 0) FROM change) AS latest,
       (SELECT COALESCE(sum(number), 0)::bigint FROM generation) AS writes,
       COALESCE(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0)::bigint AS seconds`,
  )
  return {
    isStandby: cell(row, 'standby') === 1,
    log: String(cell(row, 'log')),
    latest: Number(cell(row, 'latest')),
    writes: Number(cell(row, 'writes')),
    seconds: Number(cell(row, 'seconds')),
  }
}

export interface PostgresFacts {
  readonly version: string
  readonly major: number
  readonly encoding: string
  readonly standby: boolean
  readonly writable: boolean
  /** Whether this user may create tables. */
  readonly mayCreate: boolean
  readonly connections: number
  readonly mostConnections: number
}

export function* postgresFacts(): Work<PostgresFacts> {
  const [row] = yield* query(
    `SELECT current_setting('server_version') AS version,
       current_setting('server_version_num')::int / 10000 AS major,
       current_setting('server_encoding') AS encoding,
       pg_is_in_recovery()::int AS standby,
       (NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off')::int AS writable,
       COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false)::int AS may_create,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most`,
  )
  return {
    version: String(cell(row, 'version')),
    major: Number(cell(row, 'major')),
    encoding: String(cell(row, 'encoding')),
    standby: cell(row, 'standby') === 1,
    writable: cell(row, 'writable') === 1,
    mayCreate: cell(row, 'may_create') === 1,
    connections: Number(cell(row, 'connections')),
    mostConnections: Number(cell(row, 'most')),
  }
}
