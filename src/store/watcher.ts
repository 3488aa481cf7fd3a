/**
 * Asks PostgreSQL what was committed, on its own connection. Requests that ask while an answer is on its way share the
 * next question, which is sent after all of them asked: a busy process asks once for many. NOTIFY would be cheaper, but
 * is asynchronous: a client that wrote through one process could get old data from another.
 */
import pg from 'pg'
import type { Row } from '../declare/index.ts'
import { cell, type Health, OK, query, type Statement, statementOf, type Work } from './database.ts'
import { messageOf } from './error-code.ts'
import { type Generations, momentStatement, SUM_OF_GENERATIONS, sumOf } from './generations.ts'
import { inTime } from './in-time.ts'
import { queryOn } from './postgres-client.ts'
import { isStatementConflict, isTimeout, READ_ONLY_REASON } from './postgres-errors.ts'
import type { PostgresPool } from './postgres-pool.ts'
import type { Statements } from './postgres-statements.ts'
import { VERSION, type VersionGuard } from './version.ts'

const SUM_AND_VERSION = statementOf(SUM_OF_GENERATIONS.sql.replace('FROM', `, (${VERSION}) AS version FROM`))
const TAKES_WRITES = statementOf(
  `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS refused`,
)

const CLOSE_MS = 2000

interface WatcherParts {
  readonly statements: Pick<Statements, 'of' | 'unname'>
  readonly guard: VersionGuard
  readonly pool: Pick<PostgresPool, 'away' | 'failed'>
}

export class Watcher {
  readonly #settings: pg.ClientConfig
  readonly #generations: Generations
  readonly #parts: WatcherParts
  #client: Promise<pg.Client> | undefined
  #asking: Promise<void> | undefined
  #next: Promise<void> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #health: Promise<Health> | undefined

  constructor(settings: pg.ClientConfig, generations: Generations, parts: WatcherParts) {
    this.#settings = settings
    this.#generations = generations
    this.#parts = parts
  }

  refresh(): Promise<void> {
    this.#next ??= this.#after(this.#asking, this.#limit())
    return this.#next
  }

  /** Concurrent callers share an answer, so anyone may ask as often as they like. */
  health(): Promise<Health> {
    this.#health ??= this.#askHealth().finally(() => {
      this.#health = undefined
    })
    return this.#health
  }

  async #askHealth(): Promise<Health> {
    const until = this.#limit()
    try {
      await this.#look(until)
      const [row] = await this.#ask(TAKES_WRITES, until)
      return { database: OK, writes: cell(row, 'refused') ? READ_ONLY_REASON : OK }
    } catch (error) {
      const message = messageOf(this.#parts.pool.failed(error))
      return { database: message, writes: message }
    }
  }

  /** Until when a question has to be answered, with all that it waits for. */
  #limit(): number {
    return performance.now() + (this.#settings.connectionTimeoutMillis ?? 0)
  }

  async #after(others: Promise<void> | undefined, until: number): Promise<void> {
    await others?.catch(() => {})
    // Requests that arrive in the same turn of the event loop share the question.
    await new Promise((turn) => setImmediate(turn))
    this.#asking = this.#next
    this.#next = undefined
    try {
      await this.#look(until)
    } catch (error) {
      throw this.#parts.pool.failed(error)
    }
  }

  async #look(until: number): Promise<void> {
    const { guard } = this.#parts
    const [row] = await this.#ask(guard.isOn ? SUM_AND_VERSION : SUM_OF_GENERATIONS, until)
    if (guard.isOn) guard.check(row)
    // Our own commits are known already.
    if (cell(row, 'sum') === sumOf(this.#generations.now)) return
    const generations = this.#generations
    generations.see(await this.#ask(momentStatement(generations, guard), until))
  }

  /** One question at a time. */
  #ask(statement: Statement, until: number): Promise<Row[]> {
    const asked = this.#last.then(() => this.#askAgain(statement, until))
    this.#last = asked.catch(() => {})
    return asked
  }

  /** A connection that broke while idle is replaced, and the question is asked once more. */
  async #askAgain(statement: Statement, until: number): Promise<Row[]> {
    const { pool, statements } = this.#parts
    if (pool.away) throw pool.away
    const isOld = this.#client !== undefined
    try {
      return await this.#askOn(await this.#connected(until), statement, until)
    } catch (error) {
      this.#letGo()
      if (isStatementConflict(error)) statements.unname()
      // If the server hangs, a retry would only double the wait.
      else if (!isOld || isTimeout(error) || pool.away) throw error
      return await this.#askOn(await this.#connected(until), statement, until)
    }
  }

  #connected(until: number): Promise<pg.Client> {
    if (this.#client) return this.#client
    const client = new pg.Client({ ...this.#settings, connectionTimeoutMillis: leftUntil(until) })
    const connected = client.connect().then(() => client)
    // By then another connection may have replaced it.
    const forget = () => {
      if (this.#client === connected) this.#client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    connected.catch(forget)
    this.#client = connected
    return connected
  }

  async #askOn(client: pg.Client, statement: Statement, until: number): Promise<Row[]> {
    // Requests share the question, so no single request's limit applies.
    return (await queryOn(client, this.#parts.statements.of(statement), leftUntil(until))).rows
  }

  #letGo(): void {
    this.#client?.then((client) => client.end()).catch(() => {})
    this.#client = undefined
  }

  /** A connection that hangs is not awaited. */
  async close(): Promise<void> {
    const ended = async () => {
      await this.#asking
      await (await this.#client)?.end()
    }
    await inTime(
      ended().catch(() => {}),
      CLOSE_MS,
    )
  }
}

/** In milliseconds. For the driver, 0 would be no limit. */
function leftUntil(until: number): number {
  return Math.max(1, Math.ceil(until - performance.now()))
}

/** Whether PostgreSQL refuses writes, asked in a transaction that only reads itself. */
export function* isReadOnly(): Work<boolean> {
  const [row] = yield* query(
    "SELECT (pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on')::int AS refused",
  )
  return cell(row, 'refused') === 1
}
