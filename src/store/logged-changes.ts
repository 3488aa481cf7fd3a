/** Looks up entries of the log of changes: of one set, one record, or one account. */
import { entryOf, type LoggedChange, NO_VOTES, SELECT_CHANGES as SELECT } from './change-log.ts'
import { query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import type { Span } from './stretch.ts'

/** From a number of an entry on, without that entry. */
interface Later {
  readonly since: number
  readonly limit: number
}

interface AccountRange extends Later {
  readonly until: number
  /** A time: no entries before it. */
  readonly from: string
}

interface RecordSummary {
  readonly count: number
  /** Undefined if the log does not go back that far. */
  readonly created: string | undefined
  /** Undefined without entries. */
  readonly changed: string | undefined
}

export class LoggedChanges {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  *entry(seq: number): Work<LoggedChange | undefined> {
    const [row] = yield* query(`${SELECT} WHERE seq = ?`, seq)
    return row && entryOf(row)
  }

  /** The entries of a set, in the order of the log: they follow its first one without others between them. */
  *ofSet(set: number, limit: number): Work<LoggedChange[]> {
    const sql = `${SELECT} WHERE seq >= ? AND seq < ? AND changeset = ? ORDER BY seq`
    return (yield* query(sql, set, set + limit, set)).map(entryOf)
  }

  /** The entries of one record, newest first. */
  *ofRecord(resource: string, id: number, { limit, offset }: Span): Work<LoggedChange[]> {
    const sql = `${SELECT} WHERE resource = ? AND record = ? ORDER BY seq DESC LIMIT ? OFFSET ?`
    return (yield* query(sql, resource, id, limit, offset)).map(entryOf)
  }

  /** How many entries a record has, and when the first of them was made, if it created the record. */
  *summary(resource: string, id: number): Work<RecordSummary> {
    const where = 'FROM change WHERE resource = ? AND record = ?'
    const [row] = yield* query(
      `SELECT count(*) AS count, (SELECT at ${where} AND action = 'create' ORDER BY seq LIMIT 1) AS created,
       (SELECT at ${where} ORDER BY seq DESC LIMIT 1) AS changed ${where}`,
      ...[resource, id, resource, id, resource, id],
    )
    return {
      count: Number(row?.['count']),
      created: (row?.['created'] ?? undefined)?.toString(),
      changed: (row?.['changed'] ?? undefined)?.toString(),
    }
  }

  /** Entries of some records after a number, oldest first. */
  *ofRecords(
    resource: string,
    ids: readonly number[],
    { since, limit = Number.MAX_SAFE_INTEGER, hasVotes }: Partial<Later> & { since: number; hasVotes: boolean },
  ): Work<LoggedChange[]> {
    const wanted = `resource = ? AND ${this.#dialect.among('record')} AND seq > ?${hasVotes ? '' : ` AND ${NO_VOTES}`}`
    const sql = `${SELECT} WHERE ${wanted} ORDER BY seq LIMIT ?`
    return (yield* query(sql, resource, this.#dialect.ids(ids), since, limit)).map(entryOf)
  }

  /** Which of some records have entries after a number, up to another. */
  *changedIn(resource: string, ids: readonly number[], since: number, until: number): Work<Set<number>> {
    if (ids.length === 0 || until <= since) return new Set()
    const wanted = `resource = ? AND ${this.#dialect.among('record')} AND seq > ? AND seq <= ?`
    const sql = `SELECT DISTINCT record FROM change WHERE ${wanted}`
    const rows = yield* query(sql, resource, this.#dialect.ids(ids), since, until)
    return new Set(rows.map((row) => Number(row['record'])))
  }

  /** Entries of one account, newest first. The caller limits the range, because entries of others are read too. */
  *ofAccount(account: number, { since, until, from, limit }: AccountRange): Work<LoggedChange[]> {
    const sql = `${SELECT} WHERE seq > ? AND seq <= ? AND at >= ? AND account = ? ORDER BY seq DESC LIMIT ?`
    return (yield* query(sql, since, until, from, account, limit)).map(entryOf)
  }
}
