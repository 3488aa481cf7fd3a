/** Which server this database is a copy of, and how far the copy is. Each step is written with what it copies. */
import type { Row } from '../declare/index.ts'
import { PEOPLE_CHANGED } from './accounts.ts'
import { renewLogId } from './change-log.ts'
import { cell, query, touching, type Work } from './database.ts'
import { LOG_CHANGED } from './log-keeping.ts'
import { SERVICE_TABLES } from './service-tables.ts'

export interface FollowState {
  /** The address of the source. */
  readonly source: string
  /** The id of its log. */
  readonly log: string
  /** Copied up to this entry. */
  readonly seq: number
  /** The copy is exact once it has reached this entry. */
  readonly latest: number
  /** JSON that says how far the first copy is; empty if it is complete. */
  readonly copying: string
}

/** Another process has continued meanwhile. */
export class Continued extends Error {}

const SELECT = 'SELECT source, log, seq, latest, copying FROM follow'

/** Undefined if the database is no copy. */
export function* readFollowState(): Work<FollowState | undefined> {
  const [row] = yield* query(SELECT)
  return row && stateIn(row)
}

/** Whether the copy is exact as of an entry: not so during the first copy, nor until the changes since its beginning are in. */
export function isWholeCopy({ copying, seq, latest }: FollowState): boolean {
  return copying === '' && seq >= latest
}

/** Rows that name an account, which stays for them: the source has none of these rows. */
const NAMED_IN = SERVICE_TABLES.flatMap(({ name, columns }) =>
  columns
    .filter(({ references }) => references?.table === 'account')
    .map((column) => `SELECT ${column.name} FROM ${name} WHERE ${column.name} IS NOT NULL`),
)

/** The database becomes a copy. Accounts with a password, or with a token or another row of their own, stay. */
export function* beginFollowing(state: FollowState): Work<void> {
  yield* query('DELETE FROM follow')
  yield* touching(LOG_CHANGED, 'DELETE FROM change')
  yield* query('DELETE FROM kept_answer')
  yield* touching(PEOPLE_CHANGED, `DELETE FROM account WHERE password = '' AND id NOT IN (${NAMED_IN.join(' UNION ')})`)
  yield* query('DELETE FROM log')
  yield* query('INSERT INTO log (id) VALUES (?)', state.log)
  const { source, log, seq, latest, copying } = state
  yield* query(
    'INSERT INTO follow (source, log, seq, latest, copying) VALUES (?, ?, ?, ?, ?)',
    ...[source, log, seq, latest, copying],
  )
}

/** Throws `Continued` if the state is no longer the one before. */
export function* continueFollowing(before: FollowState, after: Partial<FollowState>): Work<void> {
  const { seq, latest, copying } = { ...before, ...after }
  const rows = yield* query(
    `UPDATE follow SET seq = ?, latest = ?, copying = ? WHERE source = ? AND log = ? AND seq = ? AND copying = ?
     RETURNING seq`,
    ...[seq, latest, copying, before.source, before.log, before.seq, before.copying],
  )
  if (rows.length === 0) throw new Continued()
}

/** The database is a master. `keepLog`: clients that followed the source can continue here. */
export function* endFollowing({ keepLog }: { readonly keepLog: boolean }): Work<void> {
  yield* query('DELETE FROM follow')
  if (!keepLog) yield* renewLogId()
}

function stateIn(row: Row): FollowState {
  return {
    source: String(cell(row, 'source')),
    log: String(cell(row, 'log')),
    seq: Number(cell(row, 'seq')),
    latest: Number(cell(row, 'latest')),
    copying: String(cell(row, 'copying')),
  }
}
