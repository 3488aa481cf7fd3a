/**
 * One interface for both engines. Work on a database is written as a generator that yields statements and is handed
 * their rows: SQLite runs it in one go, so requests never mix inside a transaction, and PostgreSQL awaits each answer.
 */
import type { Cell, Row } from '../declare/index.ts'
import type { Dialect } from './dialect.ts'

export interface Statement {
  /** With `?` for each parameter, on both engines. */
  readonly sql: string
  readonly parameters: readonly Cell[]
  /** One of endlessly many: not worth to be kept prepared. */
  readonly rare?: boolean
}

/** A statement ran out of the time that it was given. */
export class TooSlow extends Error {}

/** A statement that fails ends the work; the work itself never catches. */
export type Work<T> = Generator<Statement, T, readonly Row[]>

export interface Database {
  readonly dialect: Dialect
  /** Runs the work on one snapshot; a statement that takes longer than `seconds` ends it. */
  read<T>(work: () => Work<T>, seconds?: number): Promise<T>
  /** Runs the work as one transaction; when the promise is fulfilled, it is on disk. */
  write<T>(work: () => Work<T>): Promise<T>
  close(): Promise<void>
}

export function changesSchema(sql: string): boolean {
  return /^(CREATE|ALTER|DROP) /.test(sql)
}

export function* query(sql: string, ...parameters: Cell[]): Work<readonly Row[]> {
  return yield { sql, parameters }
}

export function* rareQuery(sql: string, parameters: readonly Cell[]): Work<readonly Row[]> {
  return yield { sql, parameters, rare: true }
}

/** Part of a work whose doings are undone when it throws, so that the rest can go on. */
export function* undoable<T>(work: () => Work<T>): Work<T> {
  yield* query('SAVEPOINT part')
  try {
    const done = yield* work()
    yield* query('RELEASE SAVEPOINT part')
    return done
  } catch (error) {
    yield* query('ROLLBACK TO SAVEPOINT part')
    yield* query('RELEASE SAVEPOINT part')
    throw error
  }
}

/** A database that cannot be opened or used; the message is one clear line for the operator. */
export class Unusable extends Error {}

/** A write that breaks a unique rule of the table. */
export class Taken extends Error {
  readonly table: string
  readonly column: string
  constructor(table: string, column: string) {
    super(`${table}.${column} is taken`)
    this.table = table
    this.column = column
  }
}
