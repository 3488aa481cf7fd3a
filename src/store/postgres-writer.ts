/**
 * Group commit for PostgreSQL. Writes that wait together and have no record in common share one transaction, and their
 * statements share round trips. If the group fails, each of its writes runs by itself, so that a failing write does not
 * affect the others. No client gets a response before the COMMIT is on disk.
 */
import type pg from 'pg'
import { NAMES_CHANGED } from './accounts.ts'
import { type Footprint, Taken, Unavailable, type Work } from './database.ts'
import { finishWrites } from './finish-writes.ts'
import { type Counted, type Generations, type Logged, type Moment, sumOf } from './generations.ts'
import type { Outcome } from './lockstep.ts'
import { type LastIds, NewIds } from './new-ids.ts'
import { type AskClient, COMMIT_WRITE, giveBack } from './postgres-client.ts'
import { errorForWork, isConflict, isLost, isStatementConflict, isTimeout, isUnknownName } from './postgres-errors.ts'
import { noteGroup, Overtaken, PostgresGroup, settle, sharedContext } from './postgres-group.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { sendOn } from './postgres-send.ts'
import type { Statements } from './postgres-statements.ts'
import { type Beginning, begin } from './postgres-transaction.ts'
import { RememberedRows } from './remembered-rows.ts'
import { inRequest } from './request.ts'
import type { LoggedTraces } from './trace.ts'
import type { VersionGuard } from './version.ts'
import { WriteQueue, type WriteTask } from './write-queue.ts'

const TRIES = 5
/** After a record that exists was to be created, new ones wait for the answers to their INSERTs for this long. */
const CAREFUL_MS = 1000

interface WriterParts {
  readonly pool: PostgresPool
  readonly statements: Statements
  readonly ask: AskClient
  readonly isWatched: boolean
  readonly generations: Generations
  readonly guard: VersionGuard
  readonly traces: LoggedTraces
  /** Learns what others have committed; throws `Outdated` if another process has changed the tables. */
  readonly refresh: () => Promise<void>
  /** The error as the rest of the program knows it. */
  readonly failure: (error: unknown) => unknown
}

/** A transaction that has the lock, or waits for it. */
interface Opened {
  readonly client: pg.PoolClient
  readonly beginning: Promise<Beginning | undefined>
  /** The writes that run ahead in it. */
  readonly ahead: PostgresGroup | undefined
}

/** Writes that share a transaction: they are taken from the queue when it begins. */
interface Together {
  tasks: readonly WriteTask[] | undefined
  /** Other writes may have to run by themselves after it, so it leaves the lock to them. */
  readonly isAlone: boolean
  /** One of its records exists already, which the answers to its INSERTs tell. */
  isCareful?: boolean
}

export class PostgresWriter {
  readonly #parts: WriterParts
  readonly #queue = new WriteQueue({
    run: () => this.#run(),
    rest: () => this.#rest(),
    more: () => this.#joinSoon(),
  })
  readonly #remembered = new RememberedRows()
  /** The transaction of the next group, whose writes may run ahead. */
  #next: Opened | undefined
  /** The connection whose COMMIT is not answered yet: the next transaction may begin in it. */
  #committing: pg.PoolClient | undefined
  /** The group that waits for the lock: those that come may join it. */
  #joinable: PostgresGroup | undefined
  #isJoining = false
  /** Whether another process has written between the last two transactions of this one. */
  #hasRivals = false
  /** The tables that records are inserted into, and their highest ids, as far as they are known without the lock. */
  readonly #tables = new Set<string>()
  #lastIds: LastIds = new Map()
  #carefulUntil = 0

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  get waiting(): number {
    return this.#queue.length
  }

  write = <T>(work: () => Work<T>, footprint?: Footprint): Promise<T> => this.#queue.add(work, footprint)

  async #run(): Promise<void> {
    const next = this.#next?.ahead?.tasks ?? this.#queue.next()
    if (next.every(({ footprint }) => footprint)) return await this.#runGroup([...next])
    await this.#giveUpNext()
    this.#queue.take(next)
    for (const task of next) await this.#runAlone(task)
  }

  /** No write waits, but some may run ahead. */
  async #rest(): Promise<void> {
    while (this.#next?.ahead) await this.#runGroup([...this.#next.ahead.tasks])
    await this.#giveUpNext()
  }

  async #runGroup(first: readonly WriteTask[]): Promise<void> {
    const alone = await this.#together(first)
    // It has the lock.
    if (alone.length > 0) await this.#giveUpNext()
    for (const task of alone) await this.#runAlone(task)
  }

  async #runAlone(task: WriteTask): Promise<void> {
    const { inContext, done, failed } = task
    await inContext(() => this.#retried({ tasks: [task], isAlone: true })).then(
      ([outcome]) => settle(outcome, done, failed),
      failed,
    )
  }

  /** Returns those that must run by themselves. */
  async #together(first: readonly WriteTask[]): Promise<readonly WriteTask[]> {
    const together: Together = { tasks: undefined, isAlone: false }
    try {
      const outcomes = await inRequest(sharedContext(first), () => this.#retried(together))
      return (together.tasks ?? []).filter(({ done, failed }, i) => !settle(outcomes[i], done, failed))
    } catch (error) {
      const all = together.tasks ?? first
      this.#queue.take(all)
      // The error of one of them, but of which?
      if (!(error instanceof Unavailable) && all.length > 1) return all
      // Those that joined later may still have time.
      const late =
        error instanceof Unavailable && !error.mayBeWritten ? all.filter((task) => !first.includes(task)) : []
      this.#queue.putBack(late)
      for (const task of all) if (!late.includes(task)) task.failed(error)
      return []
    }
  }

  async #retried(together: Together): Promise<readonly Outcome[]> {
    for (let tries = 1; ; tries++) {
      const state = { isCommitting: false }
      try {
        return await this.#transaction(together, state)
      } catch (error) {
        // After COMMIT was sent its outcome is unknown: a retry could write twice.
        if (state.isCommitting && isLost(error)) {
          throw new Unavailable('the connection to PostgreSQL broke during a commit', {
            mayBeWritten: true,
            cause: error,
          })
        }
        if (isUnknownName(error)) await this.#parts.refresh()
        const isOver = tries === TRIES || !(isConflict(error) || this.#isWorthAnotherTry(error))
        if (!isOver) continue
        throw error instanceof Overtaken ? new Unavailable(error.message) : this.#parts.failure(error)
      }
    }
  }

  #isWorthAnotherTry(error: unknown): boolean {
    if (isStatementConflict(error)) this.#parts.statements.unname()
    return isStatementConflict(error) || error instanceof Overtaken || (isLost(error) && !isTimeout(error))
  }

  async #transaction(together: Together, state: { isCommitting: boolean }): Promise<readonly Outcome[]> {
    const { generations, traces } = this.#parts
    const { client, beginning: begins, ahead } = this.#next ?? (await this.#open(together))
    this.#next = undefined
    if (ahead) together.tasks = ahead.tasks
    let counted: readonly Counted[] = []
    let logged: Logged | undefined
    let done = false
    let failure: unknown
    let group = ahead
    try {
      const beginning = await this.#begun(begins)
      group ??= this.#groupOn(client, this.#tasksOf(together), {
        guess: beginning?.moment,
        ids: new NewIds(this.#mayKnowIds(together) ? beginning?.lastIds : undefined),
      })
      noteGroup(group.tasks)
      const { lockstep, touched, ids } = group
      // An error, too, may come from what is no longer true.
      const outcomes = await group.finish().finally(() => beginning && ahead?.check(beginning))
      const written = touched.filter((_, i) => 'value' in Object(outcomes[i]))
      const finished = await lockstep.runOne(() => finishWrites(written, beginning, ids))
      counted = finished.counted
      logged = finished.logged
      generations.expect(counted)
      this.#noteIds(together.isAlone ? undefined : ids.after)
      state.isCommitting = true
      const committed = lockstep.flush([COMMIT_WRITE])
      if (!together.isAlone) {
        this.#committing = client
        this.#openNext()
      }
      await committed
      done = true
      for (const { since, latest, trace } of finished.traced) traces.note(since, latest, trace)
      return outcomes
    } catch (error) {
      failure = error
      this.#noteIds(undefined)
      const taken = errorForWork(error)
      if (!(taken instanceof Taken)) throw error
      if (group?.ids.areTaken) {
        together.isCareful = true
        this.#carefulUntil = performance.now() + CAREFUL_MS
        throw new Overtaken('a record exists')
      }
      // The table has given an id that a person has used. Once its ids are read with the lock, it does not.
      if (taken.column !== 'pkey' || !group?.ids.isWanted(taken.table) || this.#tables.has(taken.table)) throw error
      this.#tables.add(taken.table)
      throw new Overtaken('an id is used')
    } finally {
      this.#committing = undefined
      generations.settle(counted, done, logged)
      if (!done) {
        group?.lockstep.abandon()
        this.#putBackNext()
        await giveBack(client, failure)
      } else if (!this.#next) client.release()
    }
  }

  /** Learns what the lock shows that others have written. */
  async #begun(begins: Opened['beginning']): Opened['beginning'] {
    const { generations } = this.#parts
    try {
      const beginning = await begins
      this.#hasRivals = beginning !== undefined && sumOf(beginning.moment) !== sumOf(generations.now)
      // Requests that only write do not ask for it.
      if (this.#hasRivals) this.#parts.refresh().catch(() => {})
      // Writes take the names of accounts from memory.
      if (beginning && !generations.isCurrent(beginning.moment, [NAMES_CHANGED.resource]))
        generations.see(beginning.rows)
      return beginning
    } finally {
      this.#joinable = undefined
    }
  }

  #tasksOf(together: Together): readonly WriteTask[] {
    together.tasks ??= this.#takeJoining([])
    return together.tasks
  }

  /** Those that may run together, and with these. */
  #takeJoining(others: readonly WriteTask[]): readonly WriteTask[] {
    const tasks = this.#queue.joining(others)
    this.#queue.take(tasks)
    return tasks
  }

  #groupOn(
    client: pg.PoolClient,
    tasks: readonly WriteTask[],
    known: { readonly guess: Moment | undefined; readonly ids: NewIds },
  ): PostgresGroup {
    const group = new PostgresGroup(sendOn(client, this.#parts), { remembered: this.#remembered, ...known })
    group.add(tasks)
    return group
  }

  #mayKnowIds({ isAlone, isCareful }: Together): boolean {
    return !(isAlone || isCareful || this.#isCareful)
  }

  get #isCareful(): boolean {
    return performance.now() < this.#carefulUntil
  }

  /** Undefined if a transaction may have given others. */
  #noteIds(after: LastIds = new Map()): void {
    for (const table of after.keys()) this.#tables.add(table)
    this.#lastIds = after
  }

  async #open({ tasks }: Together): Promise<Opened> {
    const client = await this.#parts.pool.acquire('writing')
    // A write that runs by itself, or once more, waits for the lock first.
    return this.#openWith(client, tasks || !this.#mayRunAhead ? [] : this.#takeJoining([]))
  }

  /** While others write, their times would often be later than those of writes that run ahead of the lock. */
  get #mayRunAhead(): boolean {
    return this.#parts.guard.isOn && !this.#hasRivals
  }

  #openWith(client: pg.PoolClient, tasks: readonly WriteTask[]): Opened {
    const beginning = begin({ guard: this.#parts.guard, send: sendOn(client, this.#parts), tables: this.#tables })
    const ids = new NewIds(this.#isCareful ? undefined : this.#lastIds)
    const guess = this.#parts.generations.now
    const ahead = tasks.length > 0 ? this.#groupOn(client, tasks, { guess, ids }) : undefined
    this.#joinable = ahead
    return { client, beginning, ahead }
  }

  /** If writes wait, their transaction begins while the COMMIT before it is on its way, without waiting for it. */
  #openNext(): void {
    const client = this.#committing
    const waiting = this.#queue.next()
    if (!client || this.#next || waiting.length === 0 || waiting.some(({ footprint }) => !footprint)) return
    const ahead = this.#mayRunAhead ? waiting : []
    this.#queue.take(ahead)
    this.#next = inRequest(sharedContext(waiting), () => this.#openWith(client, ahead))
    this.#next.beginning.catch(() => {})
  }

  /** In the next turn of the event loop, so that those that come together join together. */
  #joinSoon(): void {
    if (this.#isJoining || !(this.#joinable || this.#committing)) return
    this.#isJoining = true
    setImmediate(() => {
      this.#isJoining = false
      this.#openNext()
      const group = this.#joinable
      const tasks = group ? this.#takeJoining(group.tasks) : []
      if (tasks.length > 0) group?.add(tasks)
    })
  }

  /** Its connection is needed, or broken: its writes begin again later. */
  #putBackNext(): Opened | undefined {
    const next = this.#next
    if (!next) return undefined
    this.#next = undefined
    this.#joinable = undefined
    next.ahead?.lockstep.abandon()
    this.#queue.putBack(next.ahead?.tasks ?? [])
    return next
  }

  /** A write has to run by itself first. */
  async #giveUpNext(): Promise<void> {
    const next = this.#putBackNext()
    if (!next) return
    const failure = await next.beginning.then(
      () => undefined,
      (error) => error,
    )
    await giveBack(next.client, failure)
  }
}
