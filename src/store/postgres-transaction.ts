/** How a transaction that writes begins on PostgreSQL, with one round trip. */
import type { Row } from '../declare/index.ts'
import { END_OF_LOG, type EndOfLog, endOfLog } from './change-log.ts'
import { statementOf } from './database.ts'
import { type Moment, momentIn, READ_GENERATIONS } from './generations.ts'
import type { Send } from './lockstep.ts'
import { type LastIds, lastIdsIn, readLastIds } from './new-ids.ts'
import { beginWrite } from './postgres-client.ts'
import { ADVISORY_LOCK, ROW_LOCK } from './postgres-lock.ts'
import { VERSION, type VersionGuard } from './version.ts'

const NEWEST = 'SELECT at FROM change ORDER BY seq DESC LIMIT 1'
const STATE = `SELECT state.*, (${VERSION}) AS version, (${NEWEST}) AS newest FROM (${END_OF_LOG}) AS state`
/** They are prepared once on a connection: to plan them for each transaction would take longer than to run them. */
const LOCKS = [ADVISORY_LOCK, ROW_LOCK].map(statementOf)
const STATES = [STATE, READ_GENERATIONS].map(statementOf)

/** What a transaction finds when it has the lock: nobody else can change it before the transaction ends. */
export interface Beginning {
  readonly end: EndOfLog
  /** The time of the newest entry of the log. */
  readonly newest: string | undefined
  /** The generations. */
  readonly rows: readonly Row[]
  readonly moment: Moment
  /** The highest ids of the tables that were asked for. */
  readonly lastIds: LastIds
}

interface Parts {
  readonly guard: VersionGuard
  readonly send: Send
  /** The tables whose highest ids are wanted. */
  readonly tables: ReadonlySet<string>
}

/** In one round trip: the limits, the lock, and what there is, unless the tables are being changed. */
export async function begin({ guard, send, tables }: Parts): Promise<Beginning | undefined> {
  const locks = [...beginWrite(), ...LOCKS]
  if (!guard.isOn) {
    await send([...locks.slice(0, -1)])
    return undefined
  }
  const answers = await send([...locks, ...STATES, ...readLastIds(tables)])
  const [state = [], rows = [], ids = []] = answers.slice(locks.length)
  guard.check(state[0])
  const newest = state[0]?.['newest']?.toString()
  return { end: endOfLog(state[0]), newest, rows, moment: momentIn(rows), lastIds: lastIdsIn(ids) }
}
