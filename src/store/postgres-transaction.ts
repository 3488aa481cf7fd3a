/** How a transaction that writes begins and ends on PostgreSQL, with one round trip for each. */
import type pg from 'pg'
import type { Row } from '../declare/index.ts'
import { END_OF_LOG, type EndOfLog, endOfLog } from './change-log.ts'
import { statementOf } from './database.ts'
import { type Moment, momentIn, READ_GENERATIONS } from './generations.ts'
import type { Lockstep } from './lockstep.ts'
import { type AskClient, beginWrite } from './postgres-client.ts'
import { ADVISORY_LOCK, ROW_LOCK } from './postgres-lock.ts'
import type { Statements } from './postgres-statements.ts'
import { VERSION, type VersionGuard } from './version.ts'

const NEWEST = 'SELECT at FROM change ORDER BY seq DESC LIMIT 1'
const STATE = `SELECT state.*, (${VERSION}) AS version, (${NEWEST}) AS newest FROM (${END_OF_LOG}) AS state`
/** They are prepared once on a connection: to plan them for each transaction would take longer than to run them. */
const LOCKS_AND_STATE = [ADVISORY_LOCK, ROW_LOCK, STATE, READ_GENERATIONS].map(statementOf)

/** What a transaction finds when it has the lock: nobody else can change it before the transaction ends. */
export interface Beginning {
  readonly end: EndOfLog
  /** The time of the newest entry of the log. */
  readonly newest: string | undefined
  /** The generations. */
  readonly rows: readonly Row[]
  readonly moment: Moment
}

interface Parts {
  readonly guard: VersionGuard
  readonly ask: AskClient
  readonly statements: Statements
}

/** In one round trip: the limits, the lock, and what there is, unless the tables are being changed. */
export async function begin(client: pg.PoolClient, { guard, ask, statements }: Parts): Promise<Beginning | undefined> {
  if (!guard.isOn) {
    await ask(client, { text: `${beginWrite()}; ${ADVISORY_LOCK}` })
    return undefined
  }
  const begun = ask(client, { text: beginWrite() })
  const asked = LOCKS_AND_STATE.map((statement) => ask(client, statements.of(statement)))
  const [state, generations] = (await inOrder([begun, ...asked])).slice(-2)
  guard.check(state?.rows[0])
  const rows = generations?.rows ?? []
  const newest = state?.rows[0]?.['newest']
  return { end: endOfLog(state?.rows[0]), newest: newest?.toString(), rows, moment: momentIn(rows) }
}

/** What still waits, and COMMIT, in one round trip. After a failed statement, COMMIT rolls back. */
export async function commit(askCommit: () => Promise<unknown>, lockstep: Lockstep): Promise<void> {
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
