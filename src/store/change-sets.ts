/** Sets of the log of changes, newest first. All entries of a set follow each other. */
import type { Cell } from '../declare/index.ts'
import {
  type Condition,
  conditionsOf,
  type EntryFilter,
  entryOf,
  type LoggedChange,
  NO_VOTES,
  SELECT_CHANGES as SELECT,
} from './change-log.ts'
import { query, type Work } from './database.ts'

export interface ChangeFilter extends EntryFilter {
  readonly hasVotes: boolean
}

/** Numbers of entries: from `first` on, and before `end`. */
export interface SeqRange {
  readonly first: number
  readonly end: number
}

export interface FoundSet {
  readonly set: number
  /** The newest entry of the set that was wanted. */
  readonly newest: number
  /** The first number after the set; undefined if it is the newest of the log, or the rest of it is very long. */
  readonly end: number | undefined
}

export interface ActionCount {
  readonly action: string
  readonly resource: string
  readonly count: number
}

/** How far the end of a set is looked for. */
const SPAN = 10_000

export class ChangeSets {
  /** The newest set with a wanted entry. The caller limits the range, because other entries are read too. */
  *newest(filter: ChangeFilter, range: SeqRange): Work<FoundSet | undefined> {
    const { sql, cells } = conditions(filter, range)
    const [row] = yield* query(
      `SELECT found.seq, found.changeset, (SELECT later.seq FROM change later
         WHERE later.seq > found.seq AND later.seq <= found.seq + ${SPAN} AND later.changeset > found.changeset
         ORDER BY later.seq LIMIT 1) AS following
       FROM (SELECT seq, changeset FROM change WHERE ${sql} ORDER BY seq DESC LIMIT 1) found`,
      ...cells,
    )
    if (!row) return undefined
    const end = row['following'] === null ? undefined : Number(row['following'])
    return { set: Number(row['changeset']), newest: Number(row['seq']), end }
  }

  /** The first wanted entries of a set. */
  *entries(set: number, filter: ChangeFilter, range: SeqRange, limit: number): Work<LoggedChange[]> {
    const { sql, cells } = conditions(filter, range)
    const rows = yield* query(`${SELECT} WHERE ${sql} AND changeset = ? ORDER BY seq LIMIT ?`, ...cells, set, limit)
    return rows.map(entryOf)
  }

  /** How often each action was done to each resource, in the order of the set. */
  *actions(set: number, { first, end }: SeqRange): Work<ActionCount[]> {
    const sql = `SELECT action, resource, count(*) AS count FROM change
      WHERE seq >= ? AND seq < ? AND changeset = ? GROUP BY action, resource ORDER BY min(seq)`
    return (yield* query(sql, first, end, set)).map((row) => ({
      action: String(row['action']),
      resource: String(row['resource']),
      count: Number(row['count']),
    }))
  }
}

function conditions(
  { hasVotes, ...filter }: ChangeFilter,
  { first, end }: SeqRange,
): { readonly sql: string; readonly cells: Cell[] } {
  const wanted: Condition[] = [['seq >= ?', first], ['seq < ?', end], ...conditionsOf(filter)]
  const votes = hasVotes ? [] : [NO_VOTES]
  return { sql: [...wanted.map(([sql]) => sql), ...votes].join(' AND '), cells: wanted.map(([, value]) => value) }
}
