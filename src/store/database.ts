/**
 * One interface for both databases. Work is a generator that yields statements and gets their rows: SQLite runs it in
 * one go, so requests never mix inside a transaction, and PostgreSQL awaits each result.
 */
import type { Cell, Row } from '../declare/index.ts'
import type { Dialect } from './dialect.ts'
import type { Generations, Moment, Touch } from './generations.ts'

export interface Statement {
  /** With `?` for each parameter, on both engines. */
  readonly sql: string
  readonly parameters: readonly Cell[]
  /** One of an unlimited number, which cannot all stay prepared. */
  readonly rare?: boolean
  readonly touches?: Touch
}

/** A statement exceeded its time limit. */
export class TooSlow extends Error {}

/** A statement that fails ends the work; the work itself never catches. */
export type Work<T> = Generator<Statement, T, readonly Row[]>

export interface Database {
  readonly dialect: Dialect
  readonly generations: Generations
  /**
   * Learns what any process has committed so far. Called when a request arrives; requests that arrive together may
   * share it. Undefined if there is nothing to wait for.
   */
  refresh(): Promise<void> | undefined
  /** Runs the work on one snapshot, with a limit in seconds for all of it. */
  read<T>(work: () => Work<T>, seconds?: number): Promise<T>
  /** The same, and passes the moment of the snapshot to the work. May run the work again if others wrote meanwhile. */
  readAt<T>(work: (moment: Moment) => Work<T>, seconds?: number): Promise<T>
  /** The same synchronously, on databases that can. */
  readNow?<T>(work: (moment: Moment) => Work<T>, seconds?: number): T
  /** One snapshot for several works, one after the other, so that many records can be read and sent piece by piece. */
  snapshot(): Promise<Snapshot>
  /** Runs the work as one transaction; when the promise resolves, it is on disk. */
  write<T>(work: () => Work<T>): Promise<T>
  /**
   * From now on every write checks that the tables still have this version; undefined while it changes. See `Outdated`.
   */
  guardVersion(version: number | undefined): void
  /** Resolves when another process has migrated the database to another version. */
  readonly outdated: Promise<Outdated>
  /** What works, within a second, even while the database hangs. */
  health(): Promise<Health>
  close(): Promise<void>
}

/** How many may be open at once in a process: each holds a connection, and keeps the database from cleaning up. */
export const MOST_SNAPSHOTS = 2
export const MOST_WAITING_FOR_SNAPSHOTS = 4

/** Shows the database as it was when the snapshot was taken, whatever is written meanwhile. */
export interface Snapshot {
  readonly moment: Moment
  /** A limit in seconds for all of the work. */
  read<T>(work: Work<T>, seconds: number): Promise<T>
  /** Releases it; call it once, whatever has happened. */
  close(): void
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

/** Runs nothing; it only says what the transaction changes. */
export const NOTHING = ''

export function* note(touches: Touch): Work<void> {
  yield { sql: NOTHING, parameters: [], touches }
}

/** A statement that changes records. */
export function* touching(touches: Touch, sql: string, ...parameters: Cell[]): Work<readonly Row[]> {
  return yield { sql, parameters, touches }
}

/** Part of a work that is rolled back if it throws, so that the rest can continue. */
export function* undoable<T>(work: () => Work<T>): Work<T> {
  yield* query('SAVEPOINT part')
  // Its changes are announced when it is kept.
  const held: Touch[] = []
  try {
    const done = yield* holdingBack(work(), held)
    yield* query('RELEASE SAVEPOINT part')
    for (const touch of held) yield* note(touch)
    return done
  } catch (error) {
    yield* query('ROLLBACK TO SAVEPOINT part')
    yield* query('RELEASE SAVEPOINT part')
    throw error
  }
}

function* holdingBack<T>(steps: Work<T>, held: Touch[]): Work<T> {
  let step = steps.next()
  while (!step.done) {
    const { touches, ...statement } = step.value
    if (touches) held.push(touches)
    step = steps.next(yield statement)
  }
  return step.value
}

/** A database that cannot be opened or used; the message is one clear line for the operator. */
export class Unusable extends Error {}

/** The database cannot be used at the moment: it is away, locked, full or read-only. Clients may try again. */
export class Unavailable extends Unusable {
  /** It is unknown whether the write was carried out. */
  readonly mayBeWritten: boolean

  constructor(reason: string, { mayBeWritten = false, cause }: { mayBeWritten?: boolean; cause?: unknown } = {}) {
    super(reason, { cause })
    this.mayBeWritten = mayBeWritten
  }
}

/** The database works, but too many requests want to use it at once. Clients may try again. */
export class Overloaded extends Unavailable {}

/** Another process has migrated the database: this program must no longer write to it. */
export class Outdated extends Unavailable {
  constructor(version: number, ours: number) {
    super(
      `another process has migrated the database to version ${version}, and this program knows ${ours}: start the newer Nymdex`,
    )
  }
}

export const OK = 'ok'

/** Each part is `ok`, or one line that says what is wrong. */
export interface Health {
  readonly database: string
  readonly writes: string
}

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
