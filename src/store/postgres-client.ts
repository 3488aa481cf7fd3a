/** Queries PostgreSQL on one connection, with a time limit, and so that the connection stays usable. */
import pg from 'pg'
import type { Row } from '../declare/index.ts'
import { TooSlow, Unavailable } from './database.ts'
import { isLost } from './postgres-errors.ts'
import { millisecondsLeft } from './request.ts'

const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** A limit for several statements, on a server that only has limits for single ones. */
export class TimeLimit {
  readonly #until: number
  #set: number

  constructor(seconds: number) {
    this.#set = seconds * 1000
    this.#until = performance.now() + this.#set
  }

  /** The limit to set for the next statement; undefined if the current one is good enough. */
  next(): number | undefined {
    const left = this.#until - performance.now()
    if (left <= 0) throw new TooSlow()
    if (left > this.#set / 2) return undefined
    this.#set = left
    return Math.ceil(left)
  }
}

export type Ask = (statement: pg.QueryConfig) => Promise<pg.QueryResult<Row>>

/** Inside a request, a late answer is not awaited. */
export function ask(client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
  const ms = millisecondsLeft()
  if (ms === undefined) return client.query<Row>(statement)
  if (ms <= 0) return Promise.reject(new Unavailable('the request has waited for the database for too long'))
  return limited(client, statement, ms + GRACE_MS)
}

export function limited(client: pg.PoolClient, statement: pg.QueryConfig, ms: number): Promise<pg.QueryResult<Row>> {
  // The driver's types lack this setting.
  const timed: pg.QueryConfig & { query_timeout: number } = { ...statement, query_timeout: ms }
  return client.query<Row>(timed)
}

/** The rows of the last of several statements in one message, for which the driver returns a list. */
export function lastRows(result: pg.QueryResult<Row>): readonly Row[] {
  return [result].flat().at(-1)?.rows ?? []
}

/** The server itself ends a statement first, if it can, so that the connection stays usable. */
const GRACE_MS = 1000

/** A connection that broke, or still expects an answer, is not reused. */
export async function giveBack(client: pg.PoolClient, error: unknown): Promise<void> {
  if (isLost(error)) return client.release(true)
  await limited(client, { text: 'ROLLBACK' }, GRACE_MS).then(
    () => client.release(),
    () => client.release(true),
  )
}

const COMMIT_MS = 10_000

/** Everything is read, so the end of the transaction is not awaited. */
export function endRead(client: pg.PoolClient): void {
  limited(client, { text: 'COMMIT' }, COMMIT_MS).then(
    () => client.release(),
    () => client.release(true),
  )
}

export function beginRead(seconds: number | undefined): string {
  const wait = millisecondsLeft()
  const ms = seconds === undefined ? wait : Math.min(seconds * 1000, wait ?? Number.POSITIVE_INFINITY)
  return ms === undefined ? BEGIN_READ : `${BEGIN_READ}; SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(ms))}`
}

/** A process that hangs while it writes must not hold the lock forever. */
const LONGEST_IDLE_MS = 30_000

/** Each statement must see what was committed before the lock was given, whatever the default of the server. */
const BEGIN_WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED'

export function beginWrite(): string {
  const ms = millisecondsLeft()
  if (ms === undefined) return BEGIN_WRITE
  const idle = `SET LOCAL idle_in_transaction_session_timeout = ${LONGEST_IDLE_MS}`
  return `${BEGIN_WRITE}; SET LOCAL statement_timeout = ${Math.max(1, ms)}; ${idle}`
}

/** BIGINT comes as text by default; all of ours fit a number exactly. */
export function parserFor(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8) return Number
  return pg.types.getTypeParser(oid, format as 'text')
}
