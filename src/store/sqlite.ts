/** SQLite: one connection that writes, one that reads. Work runs in one go, so nothing else can come between. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import type { Row } from '../declare/index.ts'
import { GroupCommit } from './commit.ts'
import { Connection } from './connection.ts'
import { type Database, TooSlow, Unusable, type Work } from './database.ts'
import { sqliteDialect } from './dialect.ts'
import { keepPrivate, makePrivate } from './files.ts'
import { Generations, type Moment, READ_GENERATIONS } from './generations.ts'

/** "NYMX": tells our files from other programs'. */
export const APPLICATION_ID = 0x4e594d58

export function openSqlite(path: string): Database {
  const writer = new Connection(connect(path))
  const reader = new Connection(connect(path))
  reader.database.pragma('query_only = ON')
  const deadline = keepTime(reader.database)
  const generations = new Generations()
  const commits = new GroupCommit(writer, generations)
  const look = watch(reader, generations)
  let looked = false
  const waitFor = (seconds: number | undefined) => {
    deadline.at = seconds === undefined ? undefined : performance.now() + seconds * 1000
  }
  /** Once in a turn of the event loop: those who come in one turn were all there when it began. */
  const refresh = () => {
    if (looked) return undefined
    look()
    looked = true
    setImmediate(() => {
      looked = false
    })
    return undefined
  }
  const readNow = <T>(work: (moment: Moment) => Work<T>, seconds?: number): T => {
    refresh()
    const moment = generations.now
    const steps = work(moment)
    const step = steps.next()
    // All of it was known already.
    if (step.done) return step.value
    waitFor(seconds)
    return reader.inTransaction(() => {
      look()
      if (generations.now === moment) return reader.complete(steps, step)
      steps.return(undefined as never)
      return reader.execute(() => work(generations.now))
    })
  }
  return {
    dialect: sqliteDialect,
    generations,
    refresh,
    async read(work, seconds) {
      waitFor(seconds)
      return reader.transaction(work)
    },
    readAt: async (work, seconds) => readNow(work, seconds),
    readNow,
    write: (work) => commits.write(work),
    async close() {
      await commits.idle()
      reader.database.close()
      learn(writer.database)
      writer.database.close()
    },
  }
}

/** SQLite counts what other connections commit, our own writer among them; only then there is something to read. */
function watch({ database }: Connection, generations: Generations): () => void {
  const version = database.prepare('PRAGMA data_version').pluck()
  let rows: SQLite.Statement | undefined
  let seen: unknown
  return () => {
    const found = version.get()
    if (found === seen) return
    rows ??= database.prepare(READ_GENERATIONS)
    generations.see(rows.all() as Row[])
    seen = found
  }
}

/** SQLite asks for each row that a slow statement looks at; what it throws ends the statement. */
function keepTime(connection: SQLite.Database): { at: number | undefined } {
  const deadline: { at: number | undefined } = { at: undefined }
  let asked = 0
  connection.function('in_time', { deterministic: false }, () => {
    // The clock is looked at now and then: it costs more than the question.
    if (++asked % 256 === 0 && deadline.at !== undefined && performance.now() > deadline.at) throw new TooSlow()
    return 1
  })
  return deadline
}

/** Counts how many rows share a value, so that of two conditions the one that leaves fewer is used. */
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
    mkdirSync(dirname(path), { recursive: true })
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
    throw error instanceof Unusable ? error : new Unusable(reasonFor(error, path))
  }
}

/** Marks a new file as ours, and refuses one that holds something else. */
function claim(connection: SQLite.Database, path: string): void {
  const id = connection.pragma('application_id', { simple: true })
  if (id === APPLICATION_ID) return
  const { count } = connection.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number }
  if (id !== 0 || count > 0) throw new Unusable(`${path} is the database of another program`)
  connection.pragma(`application_id = ${APPLICATION_ID}`)
}

export function reasonFor(error: unknown, path: string): string {
  const code = (error as { code?: string }).code ?? ''
  if (code === 'SQLITE_NOTADB') return `${path} is not an SQLite database`
  if (code === 'SQLITE_CORRUPT') return `${path} is damaged`
  if (code.startsWith('SQLITE_READONLY')) return `${path} cannot be written to`
  if (code.startsWith('SQLITE_CANTOPEN')) return `${path} cannot be opened for writing`
  if (code.startsWith('SQLITE_BUSY')) return `${path} is locked by another program`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `${dirname(path)} cannot be written to`
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${dirname(path)} is not a folder`
  return `${path} cannot be opened: ${error instanceof Error ? error.message : error}`
}
