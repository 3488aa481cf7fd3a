/**
 * Group commit for SQLite. Writes that arrive together share one transaction. If one of them fails, the transaction is
 * rolled back and the group runs again, each write in its own savepoint, so that the failing one does not affect the
 * others. Savepoints cost a third of the time of a write, so groups begin without them. No client gets a response before
 * the COMMIT is on disk.
 */
import { NAMES_CHANGED } from './accounts.ts'
import { type EndOfLog, endOfLog, logChanges } from './change-log.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Connection } from './connection.ts'
import { Unavailable, type Work } from './database.ts'
import type { DatabaseFile } from './database-file.ts'
import { type Counted, countOn, type Generations, type Logged, type Moment } from './generations.ts'
import { currentRequest, inRequest, outsideRequest } from './request.ts'
import { isBusy, translated } from './sqlite-errors.ts'
import {
  BEGIN,
  CHECK_VERSION,
  COMMIT,
  READ_END,
  RELEASE,
  ROLLBACK,
  ROLLBACK_TO,
  SAVEPOINT,
} from './sqlite-transaction.ts'
import { Touched } from './touched.ts'
import type { LoggedTraces } from './trace.ts'
import type { VersionGuard } from './version.ts'
import type { Group, Settled, Task } from './write-group.ts'
import { MOST_WRITERS, refusalFor, spanOfWrite, tooManyWriters } from './write-queue.ts'

/** How many writes may share a COMMIT, and after how long the rest must wait for the next one. */
const MOST_TOGETHER = 256
const LONGEST_MS = 20
/** After this long in one turn of the event loop, reads get their turn; they see nothing of the open transaction. */
const TURN_MS = 1
const SETTLED_TOGETHER = 4
/** A group of this many writes or more ends in several turns. */
const LARGE = 8
/** How long a write outside a request waits for another process that writes, and how often it checks. */
const PATIENCE_MS = 5000
const LOOK_EVERY_MS = 1
/** After a write of a group has failed, groups have savepoints from the beginning for this long. */
const CAREFUL_MS = 1000
/** A problem that has not recurred for this long may be over. */
const TROUBLE_MS = 30_000

interface Parts {
  readonly file: DatabaseFile
  readonly guard: VersionGuard
  readonly traces: LoggedTraces
  readonly checkpoints: Checkpoints
}

export class GroupCommit {
  readonly #connection: Connection
  readonly #generations: Generations
  readonly #parts: Parts
  #trouble: { readonly reason: string; readonly at: number } | undefined
  readonly #waiting: Task[] = []
  #awake = false
  #busySince: number | undefined
  #carefulUntil = 0
  #unknown = 0
  /** How much had been written when the group began, and what was known of other processes. */
  #writesBefore = 0
  #knownBefore: Moment = new Map()
  #onIdle: (() => void) | undefined
  /** As of this transaction: where the log ended before it, and where it ends now. */
  #begun: EndOfLog | undefined
  #end: EndOfLog | undefined

  /** How many commits have failed: what was written then must be read. */
  get unknown(): number {
    return this.#unknown
  }

  get waiting(): number {
    return this.#waiting.length
  }

  constructor(connection: Connection, generations: Generations, parts: Parts) {
    this.#connection = connection
    this.#generations = generations
    this.#parts = parts
    // Waiting inside SQLite would also stop all readers.
    connection.database.pragma('busy_timeout = 0')
  }

  /** Why the last writes failed, unless that was long ago. */
  get trouble(): string | undefined {
    return this.#trouble && performance.now() - this.#trouble.at < TROUBLE_MS ? this.#trouble.reason : undefined
  }

  write<T>(work: () => Work<T>): Promise<T> {
    if (this.#waiting.length >= MOST_WRITERS) return Promise.reject(tooManyWriters())
    return new Promise<T>((done, failed) => {
      const context = currentRequest()
      this.#waiting.push({ work, context, ...spanOfWrite(context, { done: done as Task['done'], failed }) })
      this.#wake()
    })
  }

  /** Resolves when no write is waiting. */
  async idle(): Promise<void> {
    if (this.#awake) await new Promise<void>((idle) => (this.#onIdle = idle))
  }

  /** At the end of this turn of the event loop, so that it includes all writes of the turn. */
  #wake(): void {
    if (this.#awake) return
    this.#awake = true
    // Not as a part of the request that happens to be the first.
    outsideRequest(() => setImmediate(this.#next))
  }

  readonly #next = (): void => {
    const begun = this.#begin()
    if (begun === 'busy') return void setTimeout(this.#next, LOOK_EVERY_MS)
    if (begun === 'begun') this.#continue(this.#newGroup())
    else this.#rest()
  }

  #rest(): void {
    this.#awake = false
    if (this.#waiting.length > 0) this.#wake()
    else this.#onIdle?.()
  }

  #begin(): 'begun' | 'busy' | 'failed' {
    try {
      this.#parts.file.check()
      this.#connection.run(BEGIN)
      this.#busySince = undefined
      const { guard } = this.#parts
      if (guard.isOn) guard.check(this.#connection.run(CHECK_VERSION)[0])
      return 'begun'
    } catch (error) {
      if (this.#connection.database.inTransaction) this.#connection.run(ROLLBACK)
      this.#busySince ??= performance.now()
      if (isBusy(error) && this.#isWorthWaiting(this.#busySince)) return 'busy'
      this.#busySince = undefined
      const failure = this.#failure(error)
      for (const { failed } of this.#waiting.splice(0)) failed(failure)
      return 'failed'
    }
  }

  /** Another process writes: rejects writes that have waited too long; the others keep waiting. */
  #isWorthWaiting(since: number): boolean {
    const isOver = performance.now() - since >= PATIENCE_MS
    const locked = isOver ? this.#failure(LOCKED) : undefined
    this.#drop(({ context }) => (context ? refusalFor(context) && this.#failure(LOCKED) : locked))
    return this.#waiting.length > 0
  }

  #drop(refusalOf: (task: Task) => unknown): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const refusal = refusalOf(this.#waiting[i]!)
      if (refusal) this.#waiting.splice(i, 1)[0]!.failed(refusal)
    }
  }

  #failure(error: unknown): unknown {
    const failure = translated(error)
    if (failure instanceof Unavailable) this.#noteTrouble(failure)
    return failure
  }

  #noteTrouble({ message }: Unavailable): void {
    this.#trouble = { reason: message, at: performance.now() }
  }

  #newGroup(): Group {
    this.#drop(({ context }) => refusalFor(context))
    this.#trouble = undefined
    this.#begun = undefined
    this.#end = undefined
    this.#writesBefore = this.#connection.writes
    this.#knownBefore = this.#generations.now
    const started = performance.now()
    const isAlone = this.#waiting.length === 1
    return {
      most: isAlone ? 1 : MOST_TOGETHER,
      hasSavepoints: !isAlone && started < this.#carefulUntil,
      started,
      touched: new Touched(),
      settled: [],
    }
  }

  /** Runs the writes that wait, for one turn of the event loop, and commits when none is left or their time is over. */
  #continue(group: Group): void {
    const { most, started, touched, settled } = group
    const turn = performance.now()
    try {
      while (this.#waiting.length > 0 && settled.length < most) {
        const now = performance.now()
        if (now - started >= LONGEST_MS) break
        if (now - turn >= TURN_MS) return void setImmediate(() => this.#continue(group))
        const task = this.#waiting.shift()!
        const entry: Settled = { task, settle: () => {} }
        settled.push(entry)
        entry.settle = this.#attempt(entry, group)
      }
    } catch (error) {
      if (error === RUN_AGAIN) return void this.#runAgain(settled)
      return void this.#fail(settled, error)
    }
    this.#step(
      settled,
      () => this.#count(touched),
      (counted) =>
        this.#step(
          settled,
          () => this.#commit(counted),
          () => this.#committed(settled),
        ),
    )
  }

  /** The end of a large group takes milliseconds, so each of its steps has a turn of the event loop of its own. */
  #step<T>(settled: readonly Settled[], step: () => T, next: (value: T) => void): void {
    const run = () => {
      let value: T
      try {
        value = step()
      } catch (error) {
        return void this.#fail(settled, error)
      }
      next(value)
    }
    this.#inTurn(settled, run)
  }

  #inTurn({ length }: readonly Settled[], run: () => void): void {
    if (length < LARGE) run()
    else setImmediate(run)
  }

  #committed(settled: readonly Settled[]): void {
    for (const { task, logged } of settled) {
      task.span?.set({ 'nymdex.write.group_size': settled.length })
      const trace = task.context?.trace
      if (logged && trace) this.#parts.traces.note(logged.since, logged.latest, trace)
    }
    this.#inTurn(settled, () => this.#settle(settled, 0))
  }

  /** The transaction is rolled back, so no result of this group is valid. */
  #fail(settled: readonly Settled[], error: unknown): void {
    if (this.#connection.database.inTransaction) this.#connection.run(ROLLBACK)
    const failure = this.#failure(error)
    for (const { task } of settled) task.failed(failure)
    this.#rest()
  }

  /** A few responses in each turn of the event loop, so that readers do not wait for all of them. */
  #settle(settled: readonly Settled[], from: number): void {
    const to = from + SETTLED_TOGETHER
    for (const { settle } of settled.slice(from, to)) settle()
    if (to < settled.length) setImmediate(() => this.#settle(settled, to))
    else this.#rest()
  }

  /** With savepoints: one of the writes has failed, and what it wrote cannot be told from what the others wrote. */
  #runAgain(settled: readonly Settled[]): void {
    this.#connection.run(ROLLBACK)
    this.#carefulUntil = performance.now() + CAREFUL_MS
    this.#waiting.unshift(...settled.map(({ task }) => task))
    this.#rest()
  }

  /** Returns the function that settles the write once it is on disk. Throws if the whole transaction has ended. */
  #attempt(entry: Settled, { most, hasSavepoints, touched }: Group): () => void {
    const { work, context, done, failed } = entry.task
    const connection = this.#connection
    const mine = new Touched(context?.trace)
    const { writes } = connection
    if (hasSavepoints) connection.run(SAVEPOINT)
    try {
      const run = () => connection.execute(work, mine)
      const value = context ? inRequest(context, run) : run()
      const logged = this.#log(mine)
      if (hasSavepoints) connection.run(RELEASE)
      touched.join(mine)
      entry.logged = logged
      return () => done(value)
    } catch (error) {
      if (!connection.database.inTransaction) return this.#endAll(error, failed)
      if (hasSavepoints) {
        connection.run(ROLLBACK_TO)
        connection.run(RELEASE)
      } else if (most === 1) connection.run(ROLLBACK)
      else if (connection.writes > writes) throw RUN_AGAIN
      const failure = translated(error)
      if (failure instanceof Unavailable) this.#noteTrouble(failure)
      return () => failed(failure)
    }
  }

  /** Which entries it has added. */
  #log(touched: Touched): Logged | undefined {
    if (touched.changes.length === 0 && !touched.entries) return undefined
    this.#begun ??= endOfLog(this.#connection.run(READ_END)[0])
    const end = this.#end ?? this.#begun
    this.#end = this.#connection.execute(() => logChanges(touched, end))
    return { since: end.latest, latest: this.#end.latest }
  }

  /** SQLite itself has rolled back: a full disk, or an I/O error. */
  #endAll(error: unknown, failed: Task['failed']): never {
    failed(translated(error))
    throw error
  }

  /** The counters and generations at the end of a transaction, unless a write has ended it. */
  #count(touched: Touched): readonly Counted[] | undefined {
    return this.#connection.database.inTransaction ? this.#connection.execute(() => countOn(touched)) : undefined
  }

  #commit(all: readonly Counted[] | undefined): void {
    if (!all) return
    // What the group shows has the names of accounts that were known when it began.
    const isNamed = this.#generations.isCurrent(this.#knownBefore, [NAMES_CHANGED.resource])
    const counted = isNamed ? all : all.map((each) => ({ ...each, shown: [] }))
    this.#generations.expect(counted)
    try {
      this.#connection.run(COMMIT)
      const logged = this.#begun && this.#end && { since: this.#begun.latest, latest: this.#end.latest }
      this.#generations.settle(counted, true, logged)
      this.#parts.checkpoints.wrote(this.#connection.writes - this.#writesBefore)
    } catch (error) {
      this.#unknown++
      this.#generations.settle(counted, false)
      throw error
    }
  }
}

/** Thrown inside a group that must run again. */
const RUN_AGAIN = Symbol('run again')
const LOCKED = { code: 'SQLITE_BUSY' }
