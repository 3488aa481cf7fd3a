/** Votes: one for each account and record. Their number is stored with the record, so that lists can be ordered by it. */
import { type AnyResource, keyStoredIn, type Row } from '../declare/index.ts'
import type { Change } from './change-log.ts'
import { cell, execute, query, timeOfWrite, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { noteLikes, noteVotes } from './facet-counts.ts'
import { insertRows } from './insert-rows.ts'
import { HIDDEN } from './old-members.ts'
import { voteCount, voteName } from './schema.ts'
import { NO_VOTES } from './shown.ts'

export class Votes {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Whether it is a new vote. */
  *vote(resource: AnyResource, id: number, account: number): Work<boolean> {
    const rows = yield* query(
      `INSERT INTO ${quoted(voteName(resource))} (record, account) VALUES (?, ?) ON CONFLICT DO NOTHING
       RETURNING id, ${likesOf(resource)}`,
      id,
      account,
    )
    if (rows.length === 0) return false
    const before = Number(cell(rows[0], 'likes'))
    yield* this.#count(resource, id, { before, after: before + 1 }, { action: 'vote', id, by: account })
    yield* noteVotes(this.#dialect, resource, { given: [account] })
    return true
  }

  *unvote(resource: AnyResource, id: number, account: number): Work<void> {
    const rows = yield* query(
      `DELETE FROM ${quoted(voteName(resource))} WHERE record = ? AND account = ?
       RETURNING id, ${likesOf(resource)}`,
      id,
      account,
    )
    if (rows.length === 0) return
    const older = `SELECT count(*) AS count FROM ${quoted(voteName(resource))} WHERE record = ? AND id < ?`
    const [row] = yield* query(older, id, cell(rows[0], 'id'))
    const old = JSON.stringify({ [HIDDEN.place]: Number(cell(row, 'count')) })
    const before = Number(cell(rows[0], 'likes'))
    yield* this.#count(resource, id, { before, after: before - 1 }, { action: 'unvote', id, by: account, old })
    yield* noteVotes(this.#dialect, resource, { gone: [account] })
  }

  /** A vote that was taken back returns to its place, counted from the oldest. */
  *voteAgain(resource: AnyResource, id: number, account: number, place: number): Work<void> {
    const sql = `SELECT account FROM ${quoted(voteName(resource))} WHERE record = ? ORDER BY id`
    const voters = (yield* query(sql, id)).map((row) => Number(row['account']))
    const newer = voters.slice(place)
    for (const each of newer)
      yield* query(`DELETE FROM ${quoted(voteName(resource))} WHERE record = ? AND account = ?`, id, each)
    yield* insertVotes(resource, id, [account, ...newer])
    const likes = { before: voters.length, after: voters.length + 1 }
    yield* this.#count(resource, id, likes, { action: 'vote', id, by: account })
    yield* noteVotes(this.#dialect, resource, { given: [account] })
  }

  /** The votes of a record that was restored, oldest first. Its own entry in the log is enough. */
  *restore(resource: AnyResource, id: number, accounts: readonly number[]): Work<void> {
    if (accounts.length === 0) return
    yield* insertVotes(resource, id, accounts)
    yield* this.#count(resource, id, { before: 0, after: accounts.length })
    yield* noteVotes(this.#dialect, resource, { given: accounts })
  }

  /** The votes of a copied record, oldest first. */
  *replace(resource: AnyResource, id: number, accounts: readonly number[]): Work<void> {
    if (keyStoredIn(resource, 'votes') === undefined) return
    const table = quoted(voteName(resource))
    const rows = yield* query(`SELECT account FROM ${table} WHERE record = ? ORDER BY id`, id)
    const gone = rows.map(({ account }) => Number(account))
    if (String(gone) === String(accounts)) return
    yield* query(`DELETE FROM ${table} WHERE record = ?`, id)
    yield* insertVotes(resource, id, accounts)
    yield* this.#count(resource, id, { before: rows.length, after: accounts.length })
    yield* noteVotes(this.#dialect, resource, { given: accounts, gone })
  }

  /** Sets the stored number of votes. */
  *#count(resource: AnyResource, id: number, likes: Likes, change?: Change): Work<void> {
    const key = keyStoredIn(resource, 'votes')
    if (key === undefined) return
    const at = yield* timeOfWrite()
    const count = `(SELECT count(*) FROM ${quoted(voteName(resource))} WHERE record = ?)`
    yield* execute(
      `UPDATE ${quoted(resource.name)} SET ${quoted(voteCount(key))} = ${count}, changed = ? WHERE id = ?`,
      [id, at, id],
      { resource: resource.name, ids: [id], ...(change ? { change } : {}) },
    )
    yield* noteLikes(this.#dialect, resource, key, likes)
  }
}

/** How many votes a record had and has. */
interface Likes {
  readonly before: number
  readonly after: number
}

/** In a statement on the table of votes: the stored number of the record's votes, which is not yet counted again. */
function likesOf(resource: AnyResource): string {
  const key = keyStoredIn(resource, 'votes') ?? ''
  return `(SELECT t.${quoted(voteCount(key))} FROM ${quoted(resource.name)} AS t WHERE t.id = record) AS likes`
}

/** Their ids ascend, which is the order of the votes. */
function* insertVotes(resource: AnyResource, record: number, accounts: readonly number[]): Work<void> {
  yield* insertRows(
    voteName(resource),
    accounts.map((account) => ({ record, account })),
  )
}

/** The accounts that voted for a record, oldest vote first. */
export function* votersOf(resource: AnyResource, row: Row): Work<number[]> {
  const votes = keyStoredIn(resource, 'votes')
  if (votes === undefined || row[votes] === NO_VOTES) return []
  const sql = `SELECT account FROM ${quoted(voteName(resource))} WHERE record = ? ORDER BY id`
  return (yield* query(sql, cell(row, 'id'))).map(({ account }) => Number(account))
}

/** The same for many records; records without votes are not in the map. */
export function* votersOfMany(
  dialect: Dialect,
  resource: AnyResource,
  ids: readonly number[],
): Work<ReadonlyMap<number, number[]>> {
  const voters = new Map<number, number[]>()
  if (keyStoredIn(resource, 'votes') === undefined) return voters
  const rows = yield* query(
    `SELECT record, account FROM ${quoted(voteName(resource))} WHERE ${dialect.among('record')} ORDER BY id`,
    dialect.ids(ids),
  )
  for (const row of rows) {
    const record = Number(row['record'])
    const known = voters.get(record)
    if (known) known.push(Number(row['account']))
    else voters.set(record, [Number(row['account'])])
  }
  return voters
}
