/** Queries PostgreSQL on one connection, with a time limit, and so that the connection stays usable. */
import pg from 'pg'
import type { Row } from '../declare/index.ts'
import { type Statement, statementOf, Unavailable } from './database.ts'
import { Batch } from './postgres-batch.ts'
import { isLost } from './postgres-errors.ts'
import { millisecondsLeft } from './request.ts'
import type { StatementWatch } from './statement-watch.ts'

const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
/** PostgreSQL starts further processes for searches, and compiles samples: both takes longer than it saves. */
const ALONE = '; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL jit = off'

export type Sent = Promise<pg.QueryResult<Row>>

export type Ask = (statement: pg.QueryConfig) => Sent

export type AskClient = typeof ask

/** The same as `ask`, and the watch hears of each statement. It is sent at once, so that statements keep their order. */
export function watchedAsk(watch: StatementWatch | undefined): AskClient {
  if (!watch) return ask
  return async (client, statement) => {
    const watched = watch.begin(statement.text)
    try {
      const result = await ask(client, statement)
      watched.end(lastRows(result).length)
      return result
    } catch (error) {
      watched.fail(error)
      throw error
    }
  }
}

/** Inside a request, a late answer is not awaited. */
function ask(client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
  sendTogether(client)
  const ms = millisecondsLeft()
  if (ms !== undefined && ms <= 0) return Promise.reject(tooLate())
  return queryOn(client, statement, ms === undefined ? undefined : ms + GRACE_MS)
}

/** The same for several statements, which leave as one. */
export function askTogether(
  client: pg.PoolClient,
  statements: readonly pg.QueryConfig[],
): Promise<readonly pg.QueryResult<Row>[]> {
  sendTogether(client)
  const ms = millisecondsLeft()
  if (ms !== undefined && ms <= 0) return Promise.reject(tooLate())
  const answers = new Promise<readonly pg.QueryResult<Row>[]>((done, failed) => {
    const batch = new Batch(statements, (error, results) => (error ? failed(error) : done(results)))
    client.query(Object.assign(batch, ms === undefined ? {} : { query_timeout: ms + GRACE_MS }))
  })
  return answers.catch(throwFromHere)
}

function tooLate(): Unavailable {
  return new Unavailable('the request has waited for the database for too long')
}

/** What a turn of the event loop sends leaves in one packet: each costs a system call, and wakes the server. */
function sendTogether({ connection: { stream } }: pg.PoolClient): void {
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** What the driver's types lack. */
interface Settings {
  name: string | undefined
  query_timeout: number | undefined
}

/** Without `ms`, it may take any time. */
export function queryOn(client: pg.ClientBase, { text, name, values }: pg.QueryConfig, ms?: number): Sent {
  const answer = new Promise<pg.QueryResult<Row>>((done, failed) => {
    const settle = (error: Error | undefined, result: pg.QueryResult<Row>) => (error ? failed(error) : done(result))
    // The driver would copy an object property by property, which takes longer than all else that it does.
    const asked = new pg.Query<Row>(text, values, settle)
    const settings: Settings = { name, query_timeout: ms }
    client.query(Object.assign(asked, settings))
  })
  return answer.catch(throwFromHere)
}

/** The stack of an error leads to the code that asked, as the driver does it for its own promises. */
function throwFromHere(error: Error): never {
  Error.captureStackTrace(error)
  throw error
}

/** Begins a transaction. If that fails, so does the statement that follows at once. */
export function sendBegin(ask: Ask, begin: string): void {
  ask({ text: begin }).catch(() => {})
}

/** The rows of the last of several statements in one message, for which the driver returns a list. */
function lastRows(result: pg.QueryResult<Row>): readonly Row[] {
  return [result].flat().at(-1)?.rows ?? []
}

/** The server itself ends a statement first, if it can, so that the connection stays usable. */
const GRACE_MS = 1000

/** A connection that broke, or still expects an answer, is not reused. */
export async function giveBack(client: pg.PoolClient, error: unknown): Promise<void> {
  if (isLost(error)) return client.release(true)
  await queryOn(client, { text: 'ROLLBACK' }, GRACE_MS).then(
    () => client.release(),
    () => client.release(true),
  )
}

const COMMIT_MS = 10_000

/** Everything is read, so the end of the transaction is not awaited. */
export function endRead(client: pg.PoolClient): void {
  queryOn(client, { text: 'COMMIT' }, COMMIT_MS).then(
    () => client.release(),
    () => client.release(true),
  )
}

/** With `seconds`, it may take long. */
export function beginRead(seconds: number | undefined): string {
  const wait = millisecondsLeft()
  const ms = seconds === undefined ? wait : Math.min(seconds * 1000, wait ?? Number.POSITIVE_INFINITY)
  const limit = ms === undefined ? '' : `; SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(ms))}`
  return `${BEGIN_READ}${limit}${seconds === undefined ? '' : ALONE}`
}

/** A process that hangs while it writes must not hold the lock forever. */
const LONGEST_IDLE_MS = 30_000

/** Each statement must see what was committed before the lock was given, whatever the default of the server. */
const BEGIN_WRITE: Statement = { ...statementOf('BEGIN ISOLATION LEVEL READ COMMITTED'), rare: true }
/** `rare`, because there is nothing to plan. */
export const COMMIT_WRITE: Statement = { ...statementOf('COMMIT'), rare: true }

/**
 * The limits of a transaction in a request. Writes find their rows by keys: a plan that PostgreSQL made when a table was
 * small, or while it had dead rows, would read all of it.
 */
const LIMITS = `SELECT set_config('statement_timeout', ?, true), set_config('enable_seqscan', 'off', true),
  set_config('idle_in_transaction_session_timeout', '${LONGEST_IDLE_MS}', true)`

/** How a transaction that writes begins. Inside a request, it has limits. */
export function beginWrite(): Statement[] {
  const ms = millisecondsLeft()
  return ms === undefined ? [BEGIN_WRITE] : [BEGIN_WRITE, { sql: LIMITS, parameters: [String(Math.max(1, ms))] }]
}
