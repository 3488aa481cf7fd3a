/**
 * The write lock of PostgreSQL: one writer at a time, across all processes, as on SQLite. A write reads many rows before
 * it changes some, and could otherwise see half of another's work, or deadlock with it.
 */
import pg from 'pg'
import { codeOf } from './error-code.ts'
import { parserFor } from './postgres-values.ts'

/** Held until the transaction ends. Works before there are tables. */
export const ADVISORY_LOCK = "SELECT pg_advisory_xact_lock(hashtext('nymdex writes'))"

/**
 * The same as the lock of a row that is never changed: some databases that speak PostgreSQL's protocol accept advisory
 * locks and do nothing.
 */
export const ROW_LOCK = 'SELECT number FROM migration WHERE number = (SELECT min(number) FROM migration) FOR UPDATE'

const LOCK_NOT_AVAILABLE = '55P03'
const WAIT_MS = 5000

/** What two connections find when both want the lock. */
export type Exclusion = 'excluded' | 'shared' | 'busy'

export async function tryExclusion(url: string): Promise<Exclusion> {
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: WAIT_MS,
    query_timeout: 2 * WAIT_MS,
    application_name: 'nymdex doctor',
    types: { getTypeParser: parserFor },
  }
  const [first, second] = [new pg.Client(settings), new pg.Client(settings)]
  try {
    for (const client of [first, second]) {
      client.on('error', () => {})
      await client.connect()
    }
    await first.query('BEGIN')
    if (!(await takes(first, `SET LOCAL lock_timeout = ${WAIT_MS}`))) return 'busy'
    await second.query('BEGIN')
    return (await takes(second, 'SET LOCAL lock_timeout = 1')) ? 'shared' : 'excluded'
  } finally {
    // Their transactions end with them.
    await Promise.all([first, second].map((client) => client.end().catch(() => {})))
  }
}

async function takes(client: pg.Client, limit: string): Promise<boolean> {
  try {
    await client.query(`${limit}; ${ROW_LOCK}`)
    return true
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}
