/** When records were created and changed: as they are written, and as far as the log knows. */
import { type AnyResource, TIMES } from '../declare/index.ts'
import type { Action } from './change-log.ts'
import { query, timeOfWrite, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'

export interface Times {
  /** In milliseconds; 0 if it is not known. */
  readonly created: number
  readonly changed: number
}

export const UNKNOWN_TIMES: Times = { created: 0, changed: 0 }

/** Of a record that is inserted. One that is restored was created when it was created first. */
export function* timesOf(resource: AnyResource, id: number | undefined, action?: Action): Work<Times> {
  const changed = yield* timeOfWrite()
  if (action !== 'restore' || id === undefined) return { created: changed, changed }
  const sql = "SELECT at FROM change WHERE resource = ? AND record = ? AND action = 'create' ORDER BY seq LIMIT 1"
  const [row] = yield* query(sql, resource.name, id)
  return { created: row ? Date.parse(String(row['at'])) : 0, changed }
}

/** Undefined if there is no such record. */
export function* timesNow({ name }: AnyResource, id: number): Work<Times | undefined> {
  const [row] = yield* query(`SELECT created, changed FROM ${quoted(name)} WHERE id = ?`, id)
  return row && { created: Number(row['created']), changed: Number(row['changed']) }
}

/** What the times of these records were after an entry of the log, by id; those of which nothing is known are left out. */
export function* timesAt(
  dialect: Dialect,
  { name }: AnyResource,
  ids: readonly number[],
  seq: number,
): Work<ReadonlyMap<number, Times>> {
  const entries = `FROM change WHERE resource = ? AND ${dialect.among('record')} AND seq <= ?`
  const rows = yield* query(
    `SELECT record, at, action FROM change WHERE seq IN
     (SELECT max(seq) ${entries} GROUP BY record UNION SELECT seq ${entries} AND action = 'create') ORDER BY seq`,
    ...[name, dialect.ids(ids), seq],
    ...[name, dialect.ids(ids), seq],
  )
  // The log may no longer have the creation.
  const there = yield* query(`SELECT id, created FROM ${quoted(name)} WHERE ${dialect.among('id')}`, dialect.ids(ids))
  const times = new Map<number, Times>()
  for (const row of there) {
    const created = Number(row['created'])
    times.set(Number(row['id']), { created, changed: created })
  }
  for (const row of rows) {
    const [id, changed] = [Number(row['record']), Date.parse(String(row['at']))]
    const created = row['action'] === 'create' ? changed : (times.get(id)?.created ?? 0)
    times.set(id, { created, changed })
  }
  return times
}

/** For records that are older than the columns. */
export function* fillTimes(dialect: Dialect, { name }: AnyResource): Work<void> {
  const table = quoted(name)
  const entries = `FROM change WHERE change.resource = '${name}' AND change.record = ${table}.id`
  const newest = (more: string) =>
    `COALESCE((SELECT ${dialect.milliseconds('change.at')} ${entries}${more} ORDER BY change.seq DESC LIMIT 1), 0)`
  const set = TIMES.map((time) => `${time} = ${newest(time === 'created' ? " AND change.action = 'create'" : '')}`)
  yield* query(`UPDATE ${table} SET ${set.join(', ')} WHERE EXISTS (SELECT 1 ${entries})`)
}
