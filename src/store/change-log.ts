/**
 * The log of changes: who changed which record when, and what it was before. A write adds its entries in its own
 * transaction. Writers take turns in all processes, so the numbers of the entries follow the order of the commits, and
 * a reader that sees a number sees every number before it.
 */
import { randomBytes } from 'node:crypto'
import { type Cell, DAY_MS, type Row } from '../declare/index.ts'
import { cell, note, query, Unavailable, type Work } from './database.ts'
import { insertLater } from './insert-rows.ts'
import type { Touched } from './touched.ts'

export const ACTIONS = ['create', 'change', 'remove', 'restore', 'vote', 'unvote'] as const
export type Action = (typeof ACTIONS)[number]

/** A change of one record, as a statement announces it. */
export interface Change {
  readonly action: Action
  readonly id: number
  /** The account, if it is not the author: an import brings votes of others. */
  readonly by?: number
  /** JSON: the members that changed, as they were. All of them if the record was removed; of a vote taken back, its place. */
  readonly old?: string | undefined
}

/** Who writes, and when. */
export interface Author {
  /** Undefined for the program itself, such as an import. */
  readonly account: number | undefined
  readonly at: string
}

/** Where the log ends, as SQL. */
export const END_OF_LOG = `SELECT COALESCE((SELECT max(seq) FROM change), 0) AS latest,
  (SELECT max(source) FROM follow) AS source`

export interface EndOfLog {
  /** The number of the newest entry. */
  readonly latest: number
  /** The server that this log is a copy of. */
  readonly source: string | undefined
}

export function endOfLog(row: Row | undefined): EndOfLog {
  return { latest: Number(cell(row, 'latest')), source: cell(row, 'source')?.toString() }
}

const COLUMNS = ['seq', 'changeset', 'at', 'account', 'action', 'resource', 'record', 'old']
export const SELECT_CHANGES = `SELECT ${COLUMNS.join(', ')}, forgotten FROM change`

/** Says that a record has changed; the entry is written at the end of the transaction. */
export function* noteChange(resource: string, change: Change): Work<void> {
  yield* note({ resource, ids: [], change })
}

/**
 * Adds what the transaction has changed to the log, and returns the newest number. All entries of a write are one set,
 * which is named by the number of its first entry.
 */
export function* logChanges(touched: Touched, end: EndOfLog): Work<EndOfLog> {
  const { changes, author, at, entries } = touched
  if (entries) {
    yield* insertLater(
      'change',
      entries.map(({ seq, set: changeset, at, account = null, action, resource, id: record, old = null }) => {
        return { seq, changeset, at, account, action, resource, record, old }
      }),
    )
    for (const { seq, forgotten } of entries)
      if (forgotten) yield* query('UPDATE change SET forgotten = 1 WHERE seq = ?', seq)
    return { ...end, latest: entries.at(-1)?.seq ?? end.latest }
  }
  if (changes.length === 0) return end
  const { latest, source } = end
  if (source !== undefined) throw isCopyOf(source)
  const { account: writer = null } = author ?? {}
  const changeset = latest + 1
  yield* insertLater(
    'change',
    changes.map(({ resource, change: { action, id: record, by: account = writer, old = null } }, i) => {
      return { seq: changeset + i, changeset, at, account, action, resource, record, old }
    }),
  )
  return { ...end, latest: latest + changes.length }
}

/** Only the source changes what a copy has. */
export function isCopyOf(source: string): Unavailable {
  return new Unavailable(`this database is a copy of ${source}: write there, or end the copy with nymdex promote`)
}

/** An entry of the log. */
export interface LoggedChange {
  readonly seq: number
  readonly set: number
  readonly at: string
  /** The account; undefined for the program itself. */
  readonly account: number | undefined
  readonly action: string
  readonly resource: string
  readonly id: number
  /** JSON, if the change has old values. */
  readonly old: string | undefined
  /** Whether old values were blanked: what the record was before is no longer known. */
  readonly forgotten: boolean
}

/** Which entries are wanted. */
export interface EntryFilter {
  readonly resource?: string | undefined
  readonly id?: number | undefined
  readonly account?: number | undefined
}

/** Entries after `since`, up to `until`; both are numbers of entries. */
export interface LogRange extends EntryFilter {
  readonly since: number
  readonly until: number
}

/** Votes say themselves what they change, so they are left out where members are looked for. */
export const NO_VOTES = "action NOT IN ('vote', 'unvote')"

export type Condition = readonly [sql: string, value: Cell]

export function conditionsOf({ resource, id, account }: EntryFilter): Condition[] {
  const conditions: Condition[] = []
  // Without an id, the range is read instead of an index of all entries of the resource.
  if (resource !== undefined) conditions.push([id === undefined ? "resource || '' = ?" : 'resource = ?', resource])
  if (id !== undefined) conditions.push(['record = ?', id])
  if (account !== undefined) conditions.push(['account = ?', account])
  return conditions
}

export interface LogBounds {
  /** The id of the log. */
  readonly log: string
  /** The numbers of the first and the last entry; without entries, 1 and 0. */
  readonly oldest: number
  readonly latest: number
}

/** SQLite reads the whole log for a minimum and a maximum in one SELECT. */
const BOUNDS = `SELECT (SELECT id FROM log) AS log,
  (SELECT min(seq) FROM change) AS oldest, (SELECT max(seq) FROM change) AS latest`

/** For what changes records without entries: who followed the log must read everything again. */
export function* renewLogId(): Work<void> {
  yield* query('DELETE FROM log')
  yield* query('INSERT INTO log (id) VALUES (?)', randomBytes(6).toString('hex'))
}

/** A restore, a change of the tables and a promoted copy begin another log. */
export function* logId(): Work<string> {
  const [row] = yield* query('SELECT id FROM log')
  return String(cell(row, 'id'))
}

/** Reads the log. */
export class ChangeLog {
  *bounds(): Work<LogBounds> {
    const [row] = yield* query(BOUNDS)
    return { log: String(cell(row, 'log')), oldest: Number(row?.['oldest'] ?? 1), latest: Number(row?.['latest'] ?? 0) }
  }

  /** The last entry of the set that this entry belongs to; `latest` is the newest of all. */
  *endOfSet(seq: number, latest: number): Work<number> {
    const [next] = yield* query('SELECT seq FROM change WHERE seq > ? AND changeset > ? ORDER BY seq LIMIT 1', seq, seq)
    return next ? Number(next['seq']) - 1 : latest
  }

  /** Which actions on which resources are in a range, which the caller limits. */
  *kinds(since: number, until: number): Work<{ readonly resource: string; readonly action: string }[]> {
    const rows = yield* query('SELECT DISTINCT resource, action FROM change WHERE seq > ? AND seq <= ?', since, until)
    return rows.map((row) => ({ resource: String(row['resource']), action: String(row['action']) }))
  }

  /** How often each action was done on each day after an entry, which the caller limits; days are counted from 1970. */
  *days(
    since: number,
  ): Work<{ readonly day: number; readonly action: string; readonly count: number; readonly newest: number }[]> {
    const rows = yield* query(
      `SELECT substr(at, 1, 10) AS day, action, count(*) AS count, max(seq) AS newest FROM change
       WHERE seq > ? GROUP BY substr(at, 1, 10), action`,
      since,
    )
    return rows.map((row) => ({
      day: Date.parse(String(row['day'])) / DAY_MS,
      action: String(row['action']),
      count: Number(row['count']),
      newest: Number(row['newest']),
    }))
  }

  /** In the order of the log. The caller limits the range, because entries that do not match are read too. */
  *entries({ since, until, resource, id, account }: LogRange, limit: number): Work<LoggedChange[]> {
    const conditions: Condition[] = [
      ['seq > ?', since],
      ['seq <= ?', until],
      ...conditionsOf({ resource, id, account }),
    ]
    const rows = yield* query(
      `${SELECT_CHANGES} WHERE ${conditions.map(([sql]) => sql).join(' AND ')} ORDER BY seq LIMIT ?`,
      ...conditions.map(([, value]) => value),
      limit,
    )
    return rows.map(entryOf)
  }
}

export function entryOf(row: Row): LoggedChange {
  return {
    seq: Number(row['seq']),
    set: Number(row['changeset']),
    at: String(row['at']),
    account: row['account'] === null ? undefined : Number(row['account']),
    action: String(row['action']),
    resource: String(row['resource']),
    id: Number(row['record']),
    old: row['old'] === null ? undefined : String(row['old']),
    forgotten: Number(row['forgotten']) === 1,
  }
}
