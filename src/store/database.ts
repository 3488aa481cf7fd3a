/**
 * One interface for both databases. Work is a generator that yields statements and gets their rows: SQLite runs it in
 * one go, so requests never mix inside a transaction, and PostgreSQL awaits each result.
 */
import type { Cell, Row } from '../declare/index.ts'
import type { Author, LoggedChange } from './change-log.ts'
import type { Dialect } from './dialect.ts'
import type { Generations, Moment } from './generations.ts'
import type { Touch } from './touched.ts'
import type { LoggedTraces } from './trace.ts'

export interface Statement {
  /** With `?` for each parameter, on both engines. */
  readonly sql: string
  readonly parameters: readonly Cell[]
  /** One of an unlimited number, which cannot all stay prepared. */
  readonly rare?: boolean
  /** It returns nothing that the work needs, so it may run a little later, with those of other writes. */
  readonly later?: true
  /** `sql` inserts one row; it is to insert all of these. */
  readonly inserts?: NewRows
  /** The record that it inserts; it returns the id. */
  readonly newRow?: NewRow
  /** Its rows depend on this resource alone, and the transaction has not changed it yet. */
  readonly dependsOn?: string
  /** The ids in its only parameter; the rows that it returns have an `id`. */
  readonly ids?: readonly number[]
  readonly touches?: Touch
  /** Who writes, for the log. */
  readonly author?: Author
  /** Entries of another log, which the transaction carries out: they take the place of its own. */
  readonly entries?: readonly LoggedChange[]
  /** Runs nothing, and gets the time of the write as a row. */
  readonly asksTime?: true
  /** What it touches is announced separately, later in the transaction. */
  readonly isTold?: true
}

export interface NewRows {
  readonly table: string
  /** All have the same columns. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** Columns to return after all; rows that break a unique rule are then left out. */
  readonly returning?: readonly string[]
  /** Rows with a key that is there are added to its sum. */
  readonly adds?: { readonly key: readonly string[]; readonly sum: string }
}

export interface NewRow {
  readonly table: string
  readonly row: Row
  /** A column with a unique rule, if there is one. */
  readonly unique: string | undefined
}

/**
 * The records that a write reads or changes, apart from those it creates, such as `polynym/7`. Writes that have none in
 * common may run at the same time.
 */
export type Footprint = readonly string[]

/** A statement exceeded its time limit. */
export class TooSlow extends Error {}

/**
 * If a statement fails, its error is thrown into the work at its `yield*`, so `try`, `catch` and `finally` work as
 * usual; `finally` also runs when the time of a read is over or the connection breaks. A broken unique rule is `Taken`
 * on both databases. A failed statement ends the transaction, as on PostgreSQL: a work can clean up or throw another
 * error, but it cannot run more statements or return. To continue after an error, run the part that may fail in
 * `undoable` and catch the error around it.
 */
export type Work<T> = Generator<Statement, T, readonly Row[]>

const ROLLBACK_PART = 'ROLLBACK TO SAVEPOINT part'

/**
 * For drivers: throws the error of a statement into the work. Returns the step with which the work rolls back to a
 * savepoint; throws if the work does not roll back. `isOver` means that the transaction itself has ended.
 */
export function throwInto<T>(
  steps: Work<T>,
  error: unknown,
  { isOver = false }: { readonly isOver?: boolean } = {},
): IteratorYieldResult<Statement> {
  for (;;) {
    const step = steps.throw(error)
    // The work has caught the error and returned, but what it did is lost.
    if (step.done) throw error
    if (!isOver && step.value.sql === ROLLBACK_PART) return step
  }
}

export interface Database {
  readonly dialect: Dialect
  readonly generations: Generations
  /** Which traces the entries of the log belong to that this process has written recently. */
  readonly traces: LoggedTraces
  /**
   * Learns what any process has committed so far. Undefined if there is nothing to wait for. Requests that are being
   * received (`isArriving`) and come together may share one look: whatever was acknowledged before is seen by it.
   */
  refresh(isArriving?: boolean): Promise<void> | undefined
  /** Runs the work on one snapshot, with a limit in seconds for all of it. */
  read<T>(work: () => Work<T>, seconds?: number): Promise<T>
  /** The same, and passes the moment of the snapshot to the work. May run the work again if others wrote meanwhile. */
  readAt<T>(work: (moment: Moment) => Work<T>, seconds?: number): Promise<T>
  /** The same synchronously; undefined if that needs rows that only arrive later, as on PostgreSQL. Call `refresh` first. */
  readNow?<T>(work: (moment: Moment) => Work<T>, seconds?: number): T | undefined
  /** One snapshot for several works, one after the other, so that many records can be read and sent piece by piece. */
  snapshot(): Promise<Snapshot>
  /**
   * Runs the work in a transaction; when the promise resolves, it is on disk. With a footprint, other writes may share
   * the transaction, and the work must not use `undoable`.
   */
  write<T>(work: () => Work<T>, footprint?: Footprint): Promise<T>
  /** From now on every write checks that the tables still have this version; undefined while it changes. See `Outdated`. */
  guardVersion(version: string | undefined): void
  /** Fulfilled when another process has migrated the database to a version that is not ours. */
  readonly outdated: Promise<Outdated>
  /** Whether it takes no writes now, such as a standby. */
  isReadOnly(): Promise<boolean>
  /** How busy it is, for metrics. */
  load(): Load
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

/** Ends a work that has begun, so that its `finally` blocks run. Does nothing if it has ended. */
export function abandon(steps: Work<unknown>): void {
  steps.return(undefined)
}

/** What the work returns if it needs no statement. */
export function withoutStatements<T>(steps: Work<T>): T | undefined {
  const first = steps.next()
  if (first.done) return first.value
  abandon(steps)
  return undefined
}

export function changesSchema(sql: string): boolean {
  return /^(CREATE|ALTER|DROP) /.test(sql)
}

/** One without parameters. */
export function statementOf(sql: string): Statement {
  return { sql, parameters: [] }
}

export function* query(sql: string, ...parameters: Cell[]): Work<readonly Row[]> {
  return yield { sql, parameters }
}

/** Reads rows by their ids; `sql` returns the id of each. Several writes that do the same may share the statement. */
export function* queryByIds(
  { ids: list }: Pick<Dialect, 'ids'>,
  sql: string,
  ids: readonly number[],
  dependsOn?: string,
): Work<readonly Row[]> {
  return yield { sql, parameters: [list(ids)], ids, ...(dependsOn === undefined ? {} : { dependsOn }) }
}

export function* rareQuery(sql: string, parameters: readonly Cell[]): Work<readonly Row[]> {
  return yield { sql, parameters, rare: true }
}

/** A cell of a row that always exists, such as that of a count. */
export function cell(row: Row | undefined, column: string): Cell {
  const found = row?.[column]
  if (found === undefined) throw new Error(`the database returned no "${column}"`)
  return found
}

/** Runs nothing; it only says what the transaction changes. */
export const NOTHING = ''

export function* note(touches: Touch): Work<void> {
  yield { sql: NOTHING, parameters: [], touches }
}

/** Says who writes, for the log. */
export function* writtenBy(author: Author): Work<void> {
  yield { sql: NOTHING, parameters: [], author }
}

/** The log has entries of another server, maybe without any record that they change. */
export const LOG_ADDED: Touch = { resource: 'change added', ids: 'all' }

/** The log gets these entries, with their numbers, and none for what the transaction changes itself. */
export function* logAs(entries: readonly LoggedChange[]): Work<void> {
  yield { sql: NOTHING, parameters: [], entries, touches: LOG_ADDED }
}

/** The time of this write, in milliseconds; the log has the same. */
export function* timeOfWrite(): Work<number> {
  const [row] = yield { sql: NOTHING, parameters: [], asksTime: true }
  return Number(cell(row, 'time'))
}

/** A statement whose result nobody needs. */
export function* execute(sql: string, parameters: readonly Cell[], touches?: Touch): Work<void> {
  yield { sql, parameters, later: true, ...(touches ? { touches } : {}) }
}

/** A statement that changes records. */
export function* touching(touches: Touch, sql: string, ...parameters: Cell[]): Work<readonly Row[]> {
  return yield { sql, parameters, touches }
}

/**
 * Runs a part of a work in a savepoint: if it throws, its changes are undone, and the work can catch the error and
 * continue.
 */
export function* undoable<T>(work: () => Work<T>): Work<T> {
  yield* query('SAVEPOINT part')
  // Its changes are announced when they are certain.
  const held: Touch[] = []
  try {
    const done = yield* holdingBack(work(), held)
    yield* query('RELEASE SAVEPOINT part')
    for (const touch of held) yield* note(touch)
    return done
  } catch (error) {
    yield* query(ROLLBACK_PART)
    yield* query('RELEASE SAVEPOINT part')
    throw error
  }
}

function* holdingBack<T>(steps: Work<T>, held: Touch[]): Work<T> {
  let step = steps.next()
  while (!step.done) {
    const { touches, ...statement } = step.value
    if (touches) held.push(touches)
    let rows: readonly Row[]
    try {
      rows = yield touches ? { ...statement, isTold: true } : statement
    } catch (error) {
      step = steps.throw(error)
      continue
    }
    step = steps.next(rows)
  }
  return step.value
}

/** A bug: a write changes what other processes have cached, and does not say so. Only tests check this. */
export class Untold extends Error {}

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

/** The database takes no writes, such as a standby. */
export class ReadOnly extends Unavailable {}

/** Another process has migrated the database: this program must no longer write to it. */
export class Outdated extends Unavailable {}

export const OK = 'ok'

export interface Load {
  /** Writes that wait for their transaction. */
  readonly waitingWrites: number
  /** Empty where there are none to share. */
  readonly connections: readonly Connections[]
  readonly replicas: readonly ReplicaState[]
}

export interface ReplicaState {
  /** Its address, without a password. */
  readonly name: string
  /** False while it is left out, because it fails or is behind. */
  readonly isUsed: boolean
}

interface Connections {
  readonly use: string
  readonly idle: number
  readonly used: number
  /** Requests that want one. */
  readonly waiting: number
}

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
