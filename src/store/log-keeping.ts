/** What happens to old entries of the log: their old values are blanked, or they are removed. */
import { query, touching, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { LOG } from './generations.ts'
import type { Touch } from './touched.ts'

/** The log itself has changed, and not only grown: what was computed from its entries is no longer right. */
export const LOG_CHANGED: Touch = { resource: LOG, ids: 'all' }

const VOTES: ReadonlySet<string> = new Set(['vote', 'unvote'])

/** An entry without its old values. */
export interface LogHead {
  readonly seq: number
  readonly set: number
  readonly at: string
  /** Whose vote on which record it is; undefined for any other entry. */
  readonly vote: string | undefined
}

export class LogKeeping {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** From now on, this connection leaves nothing of what it deletes in the file. */
  *overwriteDeleted(): Work<void> {
    if (this.#dialect.overwriteDeleted) yield* query(this.#dialect.overwriteDeleted)
  }

  /** `left` is what remains of the old values, as JSON. The number, the time and the action stay. */
  *blank(seq: number, left: string | undefined): Work<void> {
    const isHidden = (yield* query('SELECT seq FROM hidden WHERE seq = ?', seq)).length > 0
    const table = isHidden ? 'hidden' : 'change'
    yield* touching(LOG_CHANGED, `UPDATE ${table} SET old = ?, forgotten = 1 WHERE seq = ?`, left ?? null, seq)
  }

  /** In the order of the log, after a number. */
  *heads(after: number, limit: number): Work<LogHead[]> {
    const sql =
      'SELECT seq, changeset, at, action, resource, record, account FROM change WHERE seq > ? ORDER BY seq LIMIT ?'
    return (yield* query(sql, after, limit)).map((row) => ({
      seq: Number(row['seq']),
      set: Number(row['changeset']),
      at: String(row['at']),
      vote: VOTES.has(String(row['action'])) ? `${row['resource']} ${row['record']} ${row['account']}` : undefined,
    }))
  }

  *remove(seqs: readonly number[]): Work<void> {
    if (seqs.length === 0) return
    const [entries, ids] = [this.#dialect.among('seq'), this.#dialect.ids(seqs)]
    yield* touching(LOG_CHANGED, `DELETE FROM change WHERE ${entries}`, ids)
    yield* query(`DELETE FROM hidden WHERE ${entries}`, ids)
  }

  /** The ids of the records that the account owns, after an id. */
  *owned(resource: string, account: number, after: number, limit: number): Work<number[]> {
    const sql = `SELECT id FROM ${quoted(resource)} WHERE owner = ? AND id > ? ORDER BY id LIMIT ?`
    return (yield* query(sql, account, after, limit)).map((row) => Number(row['id']))
  }
}
