/**
 * SQLite: one connection that writes and one that reads, both on the main thread, where work runs in one go and nothing
 * can come between; and threads for reads that turn out to be slow.
 */
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import type { Row } from '../declare/index.ts'
import { Checkpoints, MOST_PAGES } from './checkpoints.ts'
import { GroupCommit } from './commit.ts'
import { Connection } from './connection.ts'
import {
  abandon,
  type Database,
  type Health,
  MOST_SNAPSHOTS,
  MOST_WAITING_FOR_SNAPSHOTS,
  OK,
  TooSlow,
  Unusable,
  type Work,
} from './database.ts'
import { DatabaseFile } from './database-file.ts'
import { Deadline } from './deadline.ts'
import { sqliteDialect } from './dialect.ts'
import { messageOf } from './error-code.ts'
import { keepPrivate, makePrivate } from './files.ts'
import { Generations, logAfter, type Moment, READ_GENERATIONS, READ_GENERATIONS_AND_LOG } from './generations.ts'
import { makeFolder } from './make-folder.ts'
import { ReadingThreads } from './reading-threads.ts'
import { whilePaused } from './request.ts'
import { openReason, translated } from './sqlite-errors.ts'
import { StatementWatch, type StatementWatching } from './statement-watch.ts'
import { LoggedTraces } from './trace.ts'
import { VERSION, VersionGuard } from './version.ts'

/** "NYMX": tells our files from other programs'. */
export const APPLICATION_ID = 0x4e594d58

interface SqliteSettings {
  readonly threads: number
  readonly quickMs: number
  readonly waitSeconds: number
  readonly bulk: boolean
  readonly watch?: StatementWatching | undefined
}

/** Many records change most pages of the indexes again and again: 96 MiB of them stay in memory. */
const BULK = 'PRAGMA cache_size = -98304'

export function openSqlite(
  path: string,
  { threads, quickMs, waitSeconds, bulk, watch: watching }: SqliteSettings,
): Database {
  const statements = watching && new StatementWatch('sqlite', watching)
  const writer = new Connection(connect(path), { watch: statements })
  if (bulk) writer.database.exec(BULK)
  writer.database.pragma(`wal_autocheckpoint = ${MOST_PAGES}`)
  const checkpoints = new Checkpoints(path)
  const reader = new Connection(connect(path), { watch: statements })
  reader.database.pragma('query_only = ON')
  const file = new DatabaseFile(path)
  const deadline = new Deadline(reader.database)
  const generations = new Generations()
  const guard = new VersionGuard()
  const traces = new LoggedTraces()
  const commits = new GroupCommit(writer, generations, { file, guard, traces, checkpoints })
  const slow = new ReadingThreads(path, threads, generations, { watch: statements })
  const streams = new ReadingThreads(path, MOST_SNAPSHOTS, generations, {
    watch: statements,
    mostWaiting: MOST_WAITING_FOR_SNAPSHOTS,
  })
  const look = watch(reader, writer, { generations, guard, commits })
  let looked = false
  /** All requests that arrive in one turn of the event loop were sent before the first look of that turn. */
  const refresh = (isArriving = false): Promise<void> | undefined => {
    if (looked) return undefined
    try {
      look()
    } catch (error) {
      return Promise.reject(translated(error))
    }
    // Set in a timer or an immediate, it would last until the end of the next turn, in which others arrive.
    if (!isArriving) return undefined
    looked = true
    setImmediate(() => {
      looked = false
    })
    return undefined
  }
  const readOnMain = <T>(work: (moment: Moment) => Work<T>, ms: number | undefined): T => {
    const moment = generations.now
    const steps = work(moment)
    const step = steps.next()
    // Everything was already known.
    if (step.done) return step.value
    deadline.set(ms)
    try {
      return reader.inTransaction(() => {
        look()
        return generations.now === moment ? reader.complete(steps, step) : reader.execute(() => work(generations.now))
      })
    } finally {
      abandon(steps)
    }
  }
  const readAt = async <T>(work: (moment: Moment) => Work<T>, seconds?: number): Promise<T> => {
    const refreshing = refresh()
    if (refreshing) await refreshing
    if (seconds === undefined || threads === 0) return readOnMain(work, seconds && seconds * 1000)
    try {
      if (quickMs > 0) return readOnMain(work, quickMs)
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error
    }
    return await whilePaused(() => slow.read(work, seconds - quickMs / 1000))
  }
  return {
    dialect: sqliteDialect,
    generations,
    traces,
    refresh,
    async read(work, seconds) {
      if (seconds !== undefined) return await readAt(() => work(), seconds)
      deadline.set(undefined)
      return reader.transaction(work)
    },
    readAt,
    readNow(work, seconds) {
      const failed = refresh()
      if (failed) {
        failed.catch(() => {})
        throw new TooSlow()
      }
      return readOnMain(work, seconds && seconds * 1000)
    },
    snapshot: () => streams.snapshot(waitSeconds),
    write: (work) => commits.write(work),
    guardVersion: (version) => guard.expect(version),
    outdated: guard.outdated,
    isReadOnly: async () => false,
    load: () => ({ waitingWrites: commits.waiting, connections: [], replicas: [] }),
    async health() {
      return healthOf(reader, file, guard, commits)
    },
    async close() {
      await commits.idle()
      await Promise.all([slow.close(), streams.close(), checkpoints.close()])
      reader.database.close()
      learn(writer.database)
      writer.database.close()
    },
  }
}

function healthOf(reader: Connection, file: DatabaseFile, guard: VersionGuard, { trouble }: GroupCommit): Health {
  try {
    file.check()
    const [row] = reader.run({ sql: VERSION, parameters: [] })
    guard.check(row)
    return { database: OK, writes: trouble ?? OK }
  } catch (error) {
    const message = messageOf(translated(error))
    return { database: message, writes: message }
  }
}

interface Watched {
  readonly generations: Generations
  readonly guard: VersionGuard
  readonly commits: GroupCommit
}

/**
 * Learns what was committed. SQLite counts for each connection the commits of all others: if the reader's count has
 * changed and the writer's has not, only our own writer has committed, and what it wrote is known.
 */
function watch(reader: Connection, writer: Connection, { generations, guard, commits }: Watched): () => void {
  const countOf = ({ database }: Connection) => database.prepare('PRAGMA data_version').pluck()
  const [all, others] = [countOf(reader), countOf(writer)]
  let rows: SQLite.Statement<[], Row> | undefined
  let rowsAndLog: SQLite.Statement<[number, number], Row> | undefined
  let version: SQLite.Statement<[], Row> | undefined
  let seen: { readonly all: unknown; readonly others: unknown; readonly unknown: number } | undefined
  return () => {
    const latest = all.get()
    if (latest === seen?.all) return
    const found = { all: latest, others: others.get(), unknown: commits.unknown }
    const isOurs = guard.isOn && found.others === seen?.others && found.unknown === seen?.unknown
    if (!isOurs) {
      if (guard.isOn) {
        version ??= reader.database.prepare<[], Row>(VERSION)
        guard.check(version.get())
        rowsAndLog ??= reader.database.prepare<[number, number], Row>(READ_GENERATIONS_AND_LOG)
        generations.see(rowsAndLog.all(...logAfter(generations)))
      } else {
        rows ??= reader.database.prepare<[], Row>(READ_GENERATIONS)
        generations.see(rows.all())
      }
    }
    seen = found
  }
}

/** Collects statistics, so that of two conditions the more selective one is used. */
function learn(connection: SQLite.Database): void {
  try {
    connection.pragma('busy_timeout = 0')
    connection.pragma('optimize = 0x10002')
  } catch {
    // Another process is writing, or the disk is full: it can wait.
  }
}

function connect(path: string): SQLite.Database {
  let connection: SQLite.Database | undefined
  try {
    makeFolder(dirname(path))
    makePrivate(path)
    connection = new SQLite(path, { timeout: 5000 })
    claim(connection, path)
    keepPrivate(path)
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    return connection
  } catch (error) {
    connection?.close()
    throw error instanceof Unusable ? error : new Unusable(openReason(error, path))
  }
}

/** Marks a new file as ours, and refuses one that holds something else. */
function claim(connection: SQLite.Database, path: string): void {
  const id = connection.pragma('application_id', { simple: true })
  if (id === APPLICATION_ID) return
  const count = Number(connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get())
  if (id !== 0 || count > 0) throw new Unusable(`${path} is the database of another program`)
  connection.pragma(`application_id = ${APPLICATION_ID}`)
}
