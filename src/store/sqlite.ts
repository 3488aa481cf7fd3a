/** SQLite: one connection that writes, one that reads. Work runs in one go, so nothing else can come between. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import type { Row } from '../declare/index.ts'
import { changesSchema, type Database, type Statement, Taken, TooSlow, Unusable, type Work } from './database.ts'
import { sqliteDialect } from './dialect.ts'

/** "NYMX": tells our files from other programs'. */
export const APPLICATION_ID = 0x4e594d58

export function openSqlite(path: string): Database {
  const writer = connect(path)
  const reader = connect(path)
  reader.pragma('query_only = ON')
  const deadline = keepTime(reader)
  const write = transactions(writer, 'BEGIN IMMEDIATE')
  const read = transactions(reader, 'BEGIN')
  return {
    dialect: sqliteDialect,
    async read(work, seconds) {
      deadline.at = seconds === undefined ? undefined : performance.now() + seconds * 1000
      return read(work)
    },
    write: async (work) => write(work),
    async close() {
      reader.close()
      learn(writer)
      writer.close()
    },
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
    connection = new SQLite(path, { timeout: 5000 })
    claim(connection, path)
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

export function transactions(connection: SQLite.Database, begin: string): <T>(work: () => Work<T>) => T {
  const statements = new Map<string, SQLite.Statement>()
  const prepare = (sql: string): SQLite.Statement => {
    const known = statements.get(sql)
    if (known) return known
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const run = ({ sql, parameters, rare }: Statement): readonly Row[] => {
    // A prepared statement would outlive the schema it was made for.
    const statement = rare || changesSchema(sql) ? connection.prepare(sql) : prepare(sql)
    if (statement.reader) return statement.all(...parameters) as Row[]
    statement.run(...parameters)
    return []
  }
  return (work) => {
    prepare(begin).run()
    try {
      const steps = work()
      let step = steps.next()
      while (!step.done) step = steps.next(run(step.value))
      prepare('COMMIT').run()
      return step.value
    } catch (error) {
      if (connection.inTransaction) prepare('ROLLBACK').run()
      throw translated(error)
    }
  }
}

function translated(error: unknown): unknown {
  const { code, message = '' } = error as { code?: string; message?: string }
  const unique = code === 'SQLITE_CONSTRAINT_UNIQUE' && /failed: (\w+)\.(\w+)/.exec(message)
  return unique ? new Taken(unique[1]!, unique[2]!) : error
}
