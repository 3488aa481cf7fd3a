/** Hidden records: what the log told about a removed record, put aside until staff show the record again. */
import type { Row } from '../declare/index.ts'
import type { LoggedChange } from './change-log.ts'
import { cell, query, touching, type Work } from './database.ts'
import { LOG_CHANGED } from './log-keeping.ts'

export interface HiddenRecord {
  readonly resource: string
  readonly id: number
  /** The set of changes that removed it. */
  readonly set: number
  readonly at: string
  readonly user: string | undefined
}

/** Who hides, when, and the set that removed the record; `isHead` for the entry that removed the record itself. */
interface Hiding {
  readonly set: number
  readonly account: number
  readonly at: string
  readonly isHead: boolean
}

const HEADS = `SELECT h.resource, h.record, h.changeset, h.at, (SELECT name FROM account WHERE id = h.account) AS hider
  FROM hidden AS h WHERE h.head = 1`

export class HiddenRecords {
  /** Puts the old values of an entry aside: readers of the log see that they are gone. */
  *putAside(entry: LoggedChange, { set, account, at, isHead }: Hiding): Work<void> {
    yield* query(
      `INSERT INTO hidden (seq, changeset, resource, record, old, forgotten, head, account, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      entry.seq,
      set,
      entry.resource,
      entry.id,
      entry.old ?? null,
      Number(entry.forgotten),
      Number(isHead),
      account,
      at,
    )
    yield* touching(LOG_CHANGED, 'UPDATE change SET old = NULL, forgotten = 1 WHERE seq = ?', entry.seq)
  }

  /** Puts everything back that was put aside with a set. */
  *putBack(set: number): Work<void> {
    for (const row of yield* query('SELECT seq, old, forgotten FROM hidden WHERE changeset = ? ORDER BY seq', set)) {
      const [seq, old, forgotten] = [cell(row, 'seq'), row['old'] ?? null, cell(row, 'forgotten')]
      yield* touching(LOG_CHANGED, 'UPDATE change SET old = ?, forgotten = ? WHERE seq = ?', old, forgotten, seq)
    }
    yield* query('DELETE FROM hidden WHERE changeset = ?', set)
  }

  *find(resource: string, id: number): Work<HiddenRecord | undefined> {
    const [row] = yield* query(`${HEADS} AND h.resource = ? AND h.record = ?`, resource, id)
    return row && hidden(row)
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
  }
}
