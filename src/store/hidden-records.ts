/** Hidden records: what the log told about a removed record, put aside until staff show the record again. */
import type { Row } from '../declare/index.ts'
import type { LoggedChange } from './change-log.ts'
import { cell, query, touching, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { insertRows } from './insert-rows.ts'
import { LOG_CHANGED } from './log-keeping.ts'

export interface HiddenRecord {
  readonly resource: string
  readonly id: number
  /** The set of changes that removed it. */
  readonly set: number
  readonly at: string
  readonly user: string | undefined
  /** Its members as JSON, if the log had them. */
  readonly old: string | undefined
}

/** Who hides, when, the set that removed the record, and the entry of the set that removed the record itself. */
interface Hiding {
  readonly set: number
  readonly account: number
  readonly at: string
  readonly head: number
}

const HEADS = `SELECT h.resource, h.record, h.changeset, h.at, h.old, (SELECT name FROM account WHERE id = h.account) AS hider
  FROM hidden AS h WHERE h.head = 1`

export class HiddenRecords {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Puts the old values of entries aside: readers of the log see that they are gone. */
  *putAside(entries: readonly LoggedChange[], { set, account, at, head }: Hiding): Work<void> {
    const told = entries.filter(({ seq, old }) => seq === head || old !== undefined)
    if (told.length === 0) return
    yield* insertRows(
      'hidden',
      told.map(({ seq, resource, id, old, forgotten }) => ({
        ...{ seq, changeset: set, resource, record: id, old: old ?? null, forgotten: Number(forgotten) },
        ...{ head: Number(seq === head), account, at },
      })),
    )
    yield* touching(
      LOG_CHANGED,
      `UPDATE change SET old = NULL, forgotten = 1 WHERE ${this.#dialect.among('seq')}`,
      this.#dialect.ids(told.map(({ seq }) => seq)),
    )
  }

  /** Puts everything back that was put aside with a set. */
  *putBack(set: number): Work<void> {
    const was = (column: string) => `(SELECT ${column} FROM hidden AS h WHERE h.seq = change.seq)`
    yield* touching(
      LOG_CHANGED,
      `UPDATE change SET old = ${was('old')}, forgotten = ${was('forgotten')}
       WHERE seq IN (SELECT seq FROM hidden WHERE changeset = ?)`,
      set,
    )
    yield* query('DELETE FROM hidden WHERE changeset = ?', set)
  }

  /** Whether the removal of the record in this set is hidden, by itself or together with another record. */
  *isHidden(resource: string, id: number, set: number): Work<boolean> {
    const sql = 'SELECT seq FROM hidden WHERE changeset = ? AND resource = ? AND record = ? LIMIT 1'
    return (yield* query(sql, set, resource, id)).length > 0
  }

  /** Those of these records that are hidden, by themselves or together with another record. */
  *among(resource: string, ids: readonly number[]): Work<number[]> {
    const sql = `SELECT DISTINCT record FROM hidden WHERE head IN (0, 1) AND resource = ? AND ${this.#dialect.among('record')}`
    return (yield* query(sql, resource, this.#dialect.ids(ids))).map((row) => Number(row['record']))
  }

  /** The entries with the values that are put aside. */
  *revealed(entries: readonly LoggedChange[]): Work<readonly LoggedChange[]> {
    const blanked = entries.flatMap(({ seq, forgotten }) => (forgotten ? seq : []))
    if (blanked.length === 0) return entries
    const sql = `SELECT seq, old FROM hidden WHERE ${this.#dialect.among('seq')}`
    const rows = yield* query(sql, this.#dialect.ids(blanked))
    const olds = new Map(rows.map((row) => [Number(row['seq']), row['old']?.toString()]))
    return entries.map((entry) => (olds.has(entry.seq) ? { ...entry, old: olds.get(entry.seq) } : entry))
  }

  /** When it was hidden, and its members as JSON, if the log had them. */
  *removed(resource: string, id: number): Work<{ readonly at: string; readonly old: string | null } | undefined> {
    const [row] = yield* query(
      'SELECT at, old FROM hidden WHERE head = 1 AND resource = ? AND record = ?',
      resource,
      id,
    )
    return row && { at: String(row['at']), old: row['old'] === null ? null : String(row['old']) }
  }

  /** Newest first. */
  *page(limit: number, offset: number): Work<HiddenRecord[]> {
    return (yield* query(`${HEADS} ORDER BY h.seq DESC LIMIT ? OFFSET ?`, limit, offset)).map(hidden)
  }

  *count(): Work<number> {
    const [row] = yield* query('SELECT count(*) AS count FROM hidden WHERE head = 1')
    return Number(cell(row, 'count'))
  }
}

function hidden(row: Row): HiddenRecord {
  return {
    resource: String(row['resource']),
    id: Number(row['record']),
    set: Number(row['changeset']),
    at: String(row['at']),
    user: row['hider'] === null ? undefined : String(row['hider']),
    old: row['old'] === null ? undefined : String(row['old']),
  }
}
