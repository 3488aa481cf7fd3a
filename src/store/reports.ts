/** Reports: what people say is wrong with a record, for staff to look at. */
import type { Row } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'

export interface NewReport {
  readonly resource: string
  readonly record: number
  /** Undefined for a visitor who is not signed in. */
  readonly account: number | undefined
  readonly reason: string
  readonly note: string
  readonly at: string
}

export interface ReportRow {
  readonly id: number
  readonly resource: string
  readonly record: number
  readonly user: string | undefined
  readonly reason: string
  readonly note: string
  readonly at: string
  /** When staff dealt with it, and who. */
  readonly done: string | undefined
  readonly doneBy: string | undefined
}

const nameOf = (column: string) => `(SELECT name FROM account WHERE account.id = r.${column})`
const REPORT = `SELECT r.id, r.resource, r.record, r.reason, r.note, r.at, r.done, ${nameOf('account')} AS reporter,
  ${nameOf('done_by')} AS done_by_name FROM report AS r`

export class Reports {
  *insert({ resource, record, account, reason, note, at }: NewReport): Work<number> {
    const [row] = yield* query(
      'INSERT INTO report (resource, record, account, reason, note, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
      resource,
      record,
      account ?? null,
      reason,
      note,
      at,
    )
    return Number(cell(row, 'id'))
  }

  *byId(id: number): Work<ReportRow | undefined> {
    const [row] = yield* query(`${REPORT} WHERE r.id = ?`, id)
    return row && report(row)
  }

  /** Those that wait come oldest first; those that are done, newest first. */
  *page(isDone: boolean, limit: number, offset: number): Work<ReportRow[]> {
    const order = isDone ? 'DESC' : 'ASC'
    const sql = `${REPORT} WHERE ${stateSql('r.', isDone)} ORDER BY r.id ${order} LIMIT ? OFFSET ?`
    return (yield* query(sql, limit, offset)).map(report)
  }

  *count(isDone: boolean): Work<number> {
    const [row] = yield* query(`SELECT count(*) AS count FROM report WHERE ${stateSql('', isDone)}`)
    return Number(cell(row, 'count'))
  }

  *setDone(id: number, done: { readonly at: string; readonly by: number | undefined } | undefined): Work<void> {
    yield* query('UPDATE report SET done = ?, done_by = ? WHERE id = ?', done?.at ?? '', done?.by ?? null, id)
  }
}

/** The time is empty while a report waits. */
function stateSql(table: string, isDone: boolean): string {
  return isDone ? `${table}done > ''` : `${table}done = ''`
}

function report(row: Row): ReportRow {
  return {
    id: Number(row['id']),
    resource: String(row['resource']),
    record: Number(row['record']),
    user: row['reporter'] === null ? undefined : String(row['reporter']),
    reason: String(row['reason']),
    note: String(row['note']),
    at: String(row['at']),
    done: String(row['done']) || undefined,
    doneBy: row['done_by_name'] === null ? undefined : String(row['done_by_name']),
  }
}
