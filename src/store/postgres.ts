/**
 * PostgreSQL, through a pool. Reads see one snapshot and are retried on another connection when theirs breaks; a write
 * that conflicts with another is retried. Inside a request, every wait has a limit.
 */
import type { Row } from '../declare/index.ts'
import { logId } from './change-log.ts'
import {
  abandon,
  cell,
  type Database,
  type Footprint,
  type Health,
  type Load,
  Overloaded,
  type Snapshot,
  type Statement,
  throwInto,
  Unavailable,
  Unusable,
  type Work,
  withoutStatements,
} from './database.ts'
import { postgresDialect } from './dialect.ts'
import { Generations, type Moment, momentStatement, SUM_OF_GENERATIONS, sumOf } from './generations.ts'
import { inTime } from './in-time.ts'
import {
  type Ask,
  type AskClient,
  beginRead,
  endRead,
  giveBack,
  type Sent,
  sendBegin,
  watchedAsk,
} from './postgres-client.ts'
import {
  connectReason,
  endsWork,
  errorForWork,
  isAllBusy,
  isConflict,
  isLost,
  isStatementConflict,
  isTimeout,
  isUnknownName,
  translated,
} from './postgres-errors.ts'
import { PostgresPool } from './postgres-pool.ts'
import { Statements } from './postgres-statements.ts'
import { parserFor } from './postgres-values.ts'
import { PostgresWriter } from './postgres-writer.ts'
import { redactUrl, withoutSecrets } from './redact.ts'
import type { ReadAtMoment } from './replica.ts'
import type { Primary } from './replica-health.ts'
import { Replicas } from './replicas.ts'
import { currentRequest, withinSeconds } from './request.ts'
import { type Lane, SlowReads, secondsLeft } from './slow-reads.ts'
import { StatementWatch, type StatementWatching } from './statement-watch.ts'
import { TimeLimit } from './time-limit.ts'
import { LoggedTraces } from './trace.ts'
import { VersionGuard } from './version.ts'
import { isReadOnly, Watcher } from './watcher.ts'

export interface PostgresSettings {
  readonly url: string
  /**
   * The maximum number of connections of a process: one watches, one writes, the others read. Snapshots have their own.
   */
  readonly connections: number
  /** Whether statements are prepared under a name. A pooler in transaction mode may not allow it. */
  readonly namedStatements: boolean
  /** How long to wait for a connection. */
  readonly waitSeconds: number
  /** Standbys of the server, which answer reads too. */
  readonly replicas?: readonly string[]
  /** Called with one line when the server goes away and when it is back, and the same for its replicas. */
  readonly report?: ((line: string) => void) | undefined
  /** Set if statements are watched. */
  readonly watch?: StatementWatching | undefined
}

const TRIES = 5
const HEALTH_MS = 1000

export async function openPostgres(settings: PostgresSettings): Promise<Database> {
  return await new Postgres(settings).open()
}

class Postgres implements Database {
  readonly dialect = postgresDialect
  readonly generations = new Generations()
  readonly traces = new LoggedTraces()
  readonly #settings: PostgresSettings
  readonly #pool: PostgresPool
  readonly #slow: SlowReads
  readonly #watcher: Watcher
  readonly #statements: Statements
  readonly #ask: AskClient
  readonly #writer: PostgresWriter
  readonly #replicas: Replicas | undefined
  readonly #guard = new VersionGuard()
  /** How often a read is tried: each open connection may have been ended meanwhile. */
  readonly #most: number
  readonly outdated = this.#guard.outdated

  constructor(settings: PostgresSettings) {
    this.#settings = settings
    const { url, connections, waitSeconds, namedStatements, replicas = [], report = () => {}, watch } = settings
    const client = { connectionString: url, application_name: 'nymdex', types: { getTypeParser: parserFor } }
    const readers = Math.max(1, connections - 2)
    const waitMs = waitSeconds * 1000
    this.#pool = new PostgresPool({ client, readers, waitMs, report })
    this.#slow = new SlowReads({ readers, waitMs, hasReplicas: replicas.length > 0 })
    this.#statements = new Statements(namedStatements)
    this.#ask = watchedAsk(watch && new StatementWatch('postgresql', watch))
    this.#most = TRIES + readers
    this.#watcher = new Watcher({ ...client, connectionTimeoutMillis: waitMs }, this.generations, {
      statements: this.#statements,
      guard: this.#guard,
      pool: this.#pool,
    })
    const asking = { statements: this.#statements, ask: this.#ask, isWatched: watch !== undefined }
    if (replicas.length > 0) {
      const parts = { ...asking, client, connections: readers, primary: this.#asPrimary(), report }
      this.#replicas = new Replicas(replicas, parts)
    }
    this.#writer = new PostgresWriter({
      pool: this.#pool,
      ...asking,
      generations: this.generations,
      guard: this.#guard,
      traces: this.traces,
      refresh: () => this.#watcher.refresh(),
      failure: (error) => this.#failed(error),
    })
  }

  async open(): Promise<this> {
    try {
      ;(await this.#pool.acquire('reading')).release()
      return this
    } catch (error) {
      await this.#pool.close()
      const cause = error instanceof Unavailable ? error.cause : error
      const { url } = this.#settings
      throw new Unusable(`cannot reach PostgreSQL at ${redactUrl(url)}: ${withoutSecrets(connectReason(cause), url)}`)
    }
  }

  /** What replicas must agree with. */
  #asPrimary(): Primary {
    const told = () => ({ moment: this.generations.now, version: this.#guard.version })
    return {
      get told() {
        return told()
      },
      refresh: () => this.#watcher.refresh(),
      logId: () => this.read(logId),
    }
  }

  guardVersion = (version: string | undefined): void => {
    this.#guard.expect(version)
    if (version !== undefined) this.#replicas?.start()
  }

  /** Once for each request. */
  refresh = (): Promise<void> | undefined => {
    const context = currentRequest()
    if (context?.isFresh) return undefined
    return this.#watcher.refresh().then(() => {
      if (context) context.isFresh = true
    })
  }

  read = <T>(work: () => Work<T>, seconds?: number): Promise<T> =>
    this.#slow.run(seconds, (lane) =>
      this.#reading(lane, (ask) => this.#complete(ask, work(), { seconds: secondsLeft(lane) })),
    )

  readNow = <T>(work: (moment: Moment) => Work<T>): T | undefined => withoutStatements(work(this.generations.now))

  readAt = async <T>(work: (moment: Moment) => Work<T>, seconds?: number): Promise<T> => {
    await this.refresh()
    const moment = this.generations.now
    const steps = work(moment)
    const first = steps.next()
    // Everything was already known.
    if (first.done) return first.value
    let isBegun = true
    const complete: ReadAtMoment<T> = (ask, at, limit, early) => {
      // Tried again, or of another moment: the work starts from the beginning.
      if (!isBegun || at !== moment) return this.#complete(ask, work(at), { seconds: limit })
      isBegun = false
      return this.#complete(ask, steps, { first, seconds: limit, early })
    }
    try {
      return await this.#slow.run(seconds, async (lane) => {
        // Slow queries stay on the primary: they could not be tried again in time if a replica hangs.
        const replicas = lane.isSlow ? undefined : this.#replicas
        const answered = replicas && (await replicas.read(moment, secondsLeft(lane), complete))
        if (answered) return answered.value
        return await this.#reading(lane, async (ask) => {
          const sum = ask(this.#statements.of(SUM_OF_GENERATIONS))
          // The snapshot most likely shows the moment that we know, so the first statement need not wait for the sum.
          const early = isBegun ? ask(this.#statements.of(first.value)) : undefined
          early?.catch(() => {})
          const isSame = cell((await sum).rows[0], 'sum') === sumOf(moment)
          return await complete(ask, isSame ? moment : await this.#shownBy(ask, early), secondsLeft(lane), early)
        })
      })
    } finally {
      abandon(steps)
    }
  }

  /** The moment of a transaction, after what it was sent early: an error of that would be the reason for later ones. */
  async #shownBy(ask: Ask, early?: Sent): Promise<Moment> {
    await early
    return this.generations.see((await ask(this.#statements.of(momentStatement(this.generations, this.#guard)))).rows)
  }

  snapshot = async (): Promise<Snapshot> => {
    const client = await this.#pool.acquire('streaming').catch((error) => {
      throw isAllBusy(error.cause) ? new Overloaded('too many collections are being sent as a whole') : error
    })
    let failure: unknown
    const failed = (error: unknown, isSlow = false) => {
      failure = error
      return this.#failed(error, isSlow)
    }
    try {
      // Without names, because what is sent in pieces could not be tried again if a pooler has forgotten one.
      const asking: Ask = ({ name: _, ...statement }) => this.#ask(client, statement)
      sendBegin(asking, beginRead(undefined))
      return {
        moment: await this.#shownBy(asking),
        read: (work, seconds) =>
          withinSeconds(seconds, async () => {
            try {
              await asking({ text: `SET LOCAL statement_timeout = ${Math.ceil(seconds * 1000)}` })
              return await this.#complete(asking, work, { seconds })
            } catch (error) {
              throw failed(error, true)
            }
          }),
        close: () => void giveBack(client, failure),
      }
    } catch (error) {
      const translated = failed(error)
      await giveBack(client, failure)
      throw translated
    }
  }

  write = <T>(work: () => Work<T>, footprint?: Footprint): Promise<T> => {
    const context = currentRequest()
    return this.#writer.write(work, footprint).finally(() => {
      if (context) context.isFresh = false
    })
  }

  close = async (): Promise<void> => {
    this.#replicas?.close()
    await this.#watcher.close()
    await this.#pool.close()
  }

  isReadOnly = (): Promise<boolean> => this.read(isReadOnly)

  load = (): Load => ({
    waitingWrites: this.#writer.waiting,
    connections: this.#pool.connections,
    replicas: this.#replicas?.states ?? [],
  })

  health = async (): Promise<Health> => {
    const { away } = this.#pool
    if (away) return { database: away.message, writes: away.message }
    const late = 'PostgreSQL does not answer in time'
    return (await inTime(this.#watcher.health(), HEALTH_MS)) ?? { database: late, writes: late }
  }

  async #reading<T>(lane: Lane, task: (ask: Ask) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const client = await this.#pool.acquire('reading')
      try {
        const asking: Ask = (statement) => this.#ask(client, statement)
        sendBegin(asking, beginRead(secondsLeft(lane)))
        const done = await task(asking)
        endRead(client)
        return done
      } catch (error) {
        await giveBack(client, error)
        // Another process may have changed the tables: then this throws `Outdated`.
        if (isUnknownName(error)) await this.#watcher.refresh()
        if (tries >= this.#most || !(isConflict(error) || this.#isWorthAnotherTry(error)))
          throw this.#failed(error, lane.until !== undefined)
      }
    }
  }

  #isWorthAnotherTry(error: unknown): boolean {
    if (isStatementConflict(error)) this.#statements.unname()
    return isStatementConflict(error) || (isLost(error) && !isTimeout(error))
  }

  #failed(error: unknown, isSlow = false): unknown {
    return isLost(error) && !isSlow ? this.#pool.failed(error) : translated(error, { isSlow })
  }

  async #complete<T>(
    ask: Ask,
    steps: Work<T>,
    { first = steps.next(), seconds, early }: Completion<T> = {},
  ): Promise<T> {
    const limit = seconds === undefined ? undefined : new TimeLimit(seconds)
    let step = first
    let sent = early
    while (!step.done) {
      let rows: readonly Row[]
      try {
        const ms = limit?.next()
        if (ms !== undefined) await ask({ text: `SET LOCAL statement_timeout = ${ms}` })
        const asked = sent ?? ask(this.#statements.of(step.value))
        sent = undefined
        rows = (await asked).rows
      } catch (error) {
        step = throwInto(steps, errorForWork(error), { isOver: endsWork(error) })
        continue
      }
      step = steps.next(rows)
    }
    return step.value
  }
}

interface Completion<T> {
  readonly first?: IteratorResult<Statement, T> | undefined
  /** The limit for all statements together. */
  readonly seconds?: number | undefined
  /** The result of the first statement, if it was sent already. */
  readonly early?: Sent | undefined
}
