/**
 * Group commit for PostgreSQL. Writes that wait together and have no record in common share one transaction, and their
 * statements share round trips. If the group fails, each of its writes runs by itself, so that a failing write does not
 * affect the others. No client gets a response before the COMMIT is on disk.
 */
import type pg from 'pg'
import type { Row } from '../declare/index.ts'
import { END_OF_LOG, type EndOfLog, endOfLog, logChanges } from './change-log.ts'
import { type Footprint, type Statement, statementOf, Unavailable, type Work } from './database.ts'
import {
  type Counted,
  countOn,
  type Generations,
  type Logged,
  type Moment,
  momentIn,
  READ_GENERATIONS,
} from './generations.ts'
import { Lockstep, type Outcome } from './lockstep.ts'
import { type AskClient, beginWrite, giveBack } from './postgres-client.ts'
import { copyIn, isForCopy } from './postgres-copy.ts'
import { isConflict, isLost, isStatementConflict, isTimeout, isUnknownName } from './postgres-errors.ts'
import { ADVISORY_LOCK, ROW_LOCK } from './postgres-lock.ts'
import type { PostgresPool } from './postgres-pool.ts'
import type { Statements } from './postgres-statements.ts'
import { RememberedRows } from './remembered-rows.ts'
import { inRequest, millisecondsLeft } from './request.ts'
import { Touched } from './touched.ts'
import type { LoggedTraces, Trace } from './trace.ts'
import { VERSION, type VersionGuard } from './version.ts'
import { WriteQueue, type WriteTask } from './write-queue.ts'

const TRIES = 5

interface WriterParts {
  readonly pool: PostgresPool
  readonly statements: Statements
  readonly ask: AskClient
  readonly generations: Generations
  readonly guard: VersionGuard
  readonly traces: LoggedTraces
  /** Learns what others have committed; throws `Outdated` if another process has changed the tables. */
  readonly refresh: () => Promise<void>
  /** The error as the rest of the program knows it. */
  readonly failure: (error: unknown) => unknown
}

/** What a transaction finds when it has the lock: nobody else can change it before the transaction ends. */
interface Beginning {
  readonly end: EndOfLog
  readonly moment: Moment
}

/** A transaction that has the lock, or waits for it. */
interface Opened {
  readonly client: pg.PoolClient
  readonly beginning: Promise<Beginning | undefined>
}

const STATE = `SELECT state.*, (${VERSION}) AS version FROM (${END_OF_LOG}) AS state`
/** They are prepared once on a connection: to plan them for each transaction would take longer than to run them. */
const LOCKS_AND_STATE = [ADVISORY_LOCK, ROW_LOCK, STATE, READ_GENERATIONS].map(statementOf)

/** Called when the transaction has the lock: the writes that share it. */
type Begun = () => readonly Pick<WriteTask, 'work' | 'context'>[]

export class PostgresWriter {
  readonly #parts: WriterParts
  readonly #queue = new WriteQueue(
    () => this.#run(),
    () => this.#giveUpNext(),
  )
  readonly #remembered = new RememberedRows()
  /** The transaction of the next group. */
  #next: Opened | undefined

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  get waiting(): number {
    return this.#queue.length
  }

  write = <T>(work: () => Work<T>, footprint?: Footprint): Promise<T> => this.#queue.add(work, footprint)

  async #run(): Promise<void> {
    const next = this.#queue.next()
    const isGroup = next.every(({ footprint }) => footprint)
    const alone = isGroup ? await this.#together(next) : next
    // It was opened for a group, whose limits it has.
    if (alone.length > 0) await this.#giveUpNext()
    if (!isGroup) this.#queue.take(next)
    for (const task of alone) {
      const { inContext, done, failed } = task
      await inContext(() => this.#retried(() => [task])).then(([outcome]) => settle(outcome, done, failed), failed)
    }
  }

  /** Returns those that must run by themselves. */
  async #together(first: readonly WriteTask[]): Promise<readonly WriteTask[]> {
    let tasks: readonly WriteTask[] | undefined
    const begun = () => {
      // While we waited for the lock, others have come.
      if (!tasks) {
        tasks = this.#queue.next()
        if (tasks.some(({ footprint }) => !footprint)) tasks = []
        this.#queue.take(tasks)
        noteGroup(tasks)
      }
      return tasks
    }
    try {
      const outcomes = await inRequest(sharedContext(first), () => this.#retried(begun))
      return (tasks ?? []).filter(({ done, failed }, i) => !settle(outcomes[i], done, failed))
    } catch (error) {
      const all = tasks ?? first
      this.#queue.take(all)
      // The error of one of them, but of which?
      if (!(error instanceof Unavailable) && all.length > 1) return all
      for (const { failed } of all) failed(error)
      return []
    }
  }

  async #retried(begun: Begun): Promise<readonly Outcome[]> {
    for (let tries = 1; ; tries++) {
      const state = { isCommitting: false }
      try {
        return await this.#transaction(begun, state)
      } catch (error) {
        // After COMMIT was sent its outcome is unknown: a retry could write twice.
        if (state.isCommitting && isLost(error)) {
          throw new Unavailable('the connection to PostgreSQL broke during a commit', {
            mayBeWritten: true,
            cause: error,
          })
        }
        if (isUnknownName(error)) await this.#parts.refresh()
        if (tries === TRIES || !(isConflict(error) || this.#isWorthAnotherTry(error))) throw this.#parts.failure(error)
      }
    }
  }

  #isWorthAnotherTry(error: unknown): boolean {
    if (isStatementConflict(error)) return this.#parts.statements.unname()
    return isLost(error) && !isTimeout(error)
  }

  async #transaction(begun: Begun, state: { isCommitting: boolean }): Promise<readonly Outcome[]> {
    const { ask, generations, traces } = this.#parts
    const { client, beginning: begins } = this.#next ?? (await this.#open())
    this.#next = undefined
    let counted: readonly Counted[] = []
    let logged: Logged | undefined
    let done = false
    let failure: unknown
    try {
      const beginning = await begins
      const tasks = begun()
      const lockstep = new Lockstep(
        (statement) => this.#send(client, statement),
        beginning && this.#remembered.at(beginning.moment),
      )
      const touched = tasks.map(({ context }) => new Touched(context?.trace))
      const outcomes = await lockstep.run(
        tasks.map(({ work }) => work),
        touched,
      )
      const written = touched.filter((_, i) => 'value' in Object(outcomes[i]))
      const finished = await lockstep.runOne(() => finish(written, beginning))
      counted = finished.counted
      logged = finished.logged
      generations.expect(counted)
      state.isCommitting = true
      const committed = commit(() => ask(client, { text: 'COMMIT' }), lockstep)
      this.#openNext(client)
      await committed
      done = true
      for (const { since, latest, trace } of finished.traced) traces.note(since, latest, trace)
      return outcomes
    } catch (error) {
      failure = error
      throw error
    } finally {
      generations.settle(counted, done, logged)
      if (!done) {
        this.#next = undefined
        await giveBack(client, failure)
      } else if (!this.#next) client.release()
    }
  }

  async #open(): Promise<Opened> {
    const client = await this.#parts.pool.acquire('writing')
    return { client, beginning: this.#begin(client) }
  }

  /** If a group waits, its transaction begins in the same message as the COMMIT of this one, without waiting for it. */
  #openNext(client: pg.PoolClient): void {
    const waiting = this.#queue.next()
    if (waiting.length === 0 || waiting.some(({ footprint }) => !footprint)) return
    const beginning = inRequest(sharedContext(waiting), () => this.#begin(client))
    beginning.catch(() => {})
    this.#next = { client, beginning }
  }

  /** The group has given up meanwhile, or a write has to run by itself first. */
  async #giveUpNext(): Promise<void> {
    const next = this.#next
    if (!next) return
    this.#next = undefined
    const failure = await next.beginning.then(
      () => undefined,
      (error) => error,
    )
    await giveBack(next.client, failure)
  }

  /** In one round trip: the limits, the lock, and what there is, unless the tables are being changed. */
  async #begin(client: pg.PoolClient): Promise<Beginning | undefined> {
    const { guard, ask, statements } = this.#parts
    if (!guard.isOn) {
      await ask(client, { text: `${beginWrite()}; ${ADVISORY_LOCK}` })
      return undefined
    }
    const begun = ask(client, { text: beginWrite() })
    const asked = LOCKS_AND_STATE.map((statement) => ask(client, statements.of(statement)))
    const [state, generations] = (await inOrder([begun, ...asked])).slice(-2)
    guard.check(state?.rows[0])
    return { end: endOfLog(state?.rows[0]), moment: momentIn(generations?.rows ?? []) }
  }

  /** Requests have a time limit for each statement, and few rows. */
  async #send(client: pg.PoolClient, statement: Statement): Promise<readonly Row[]> {
    const { ask, statements } = this.#parts
    const { inserts } = statement
    if (inserts && isForCopy(statement) && millisecondsLeft() === undefined) {
      await copyIn(client, inserts)
      return []
    }
    return (await ask(client, statements.of(statement))).rows
  }
}

/** What still waits, and COMMIT, in one round trip. After a failed statement, COMMIT rolls back. */
async function commit(askCommit: () => Promise<unknown>, lockstep: Lockstep): Promise<void> {
  await inOrder<unknown>([...lockstep.flush(), askCommit()])
}

/** The results of statements that were sent one after another. The first error is the reason for those after it. */
async function inOrder<T>(asked: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(asked)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

interface Finished {
  readonly counted: Counted[]
  readonly logged: Logged | undefined
  /** What each write has logged that belongs to a trace. */
  readonly traced: readonly (Logged & { readonly trace: Trace })[]
}

/** The last steps of a transaction: the log, the generations and the rank index. */
function* finish(written: readonly Touched[], beginning: Beginning | undefined): Work<Finished> {
  const all = new Touched()
  const traced: (Logged & { readonly trace: Trace })[] = []
  let end = beginning?.end
  for (const touched of written) {
    const { trace } = touched
    const since = end?.latest
    if (end) end = yield* logChanges(touched, end)
    if (trace && end && since !== undefined) traced.push({ since, latest: end.latest, trace })
    all.join(touched)
  }
  const logged = beginning && end && { since: beginning.end.latest, latest: end.latest }
  return { counted: yield* countOn(all, beginning?.moment), logged, traced }
}

/** Returns whether it is settled. */
function settle(outcome: Outcome | undefined, done: WriteTask['done'], failed: WriteTask['failed']): boolean {
  if (outcome === undefined || outcome === 'alone') return false
  if ('error' in outcome) failed(outcome.error)
  else done(outcome.value)
  return true
}

/** Its statements are in the trace of one of them. */
function noteGroup(tasks: readonly WriteTask[]): void {
  const leader = tasks.find(({ span }) => span)?.span
  if (!leader) return
  const attributes = { 'nymdex.write.group_size': tasks.length, 'nymdex.write.statements_in': leader.id }
  for (const { span } of tasks) span?.set(attributes)
}

/** They wait for each other, so the one with the most time left decides. */
function sharedContext(tasks: readonly WriteTask[]) {
  const contexts = tasks.flatMap(({ context }) => context ?? [])
  const latest = (of: 'deadline' | 'queryDeadline') => Math.max(...contexts.map((context) => context[of]))
  const [deadline, queryDeadline] = [latest('deadline'), latest('queryDeadline')]
  const trace = tasks.find(({ span }) => span)?.span
  return { id: contexts[0]?.id ?? '', trace, deadline, queryDeadline, isGone: () => false, pause: () => {} }
}
