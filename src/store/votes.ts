/** Votes: one for each account and record. Their number is stored with the record, so that lists can be ordered by it. */
import { type AnyResource, fieldsOf, keyStoredIn, type Row } from '../declare/index.ts'
import type { Change } from './change-log.ts'
import { cell, query, timeOfWrite, touching, type Work } from './database.ts'
import { quoted } from './dialect.ts'
import { voteCount, voteName } from './schema.ts'
import { NO_VOTES } from './shown.ts'

export class Votes {
  /** Whether it is a new vote. */
  *vote(resource: AnyResource, id: number, account: number): Work<boolean> {
    const rows = yield* query(
      `INSERT INTO ${quoted(voteName(resource))} (record, account) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id`,
      id,
      account,
    )
    if (rows.length > 0) yield* countVotes(resource, { action: 'vote', id, by: account })
    return rows.length > 0
  }

  *unvote(resource: AnyResource, id: number, account: number): Work<void> {
    const rows = yield* query(
      `DELETE FROM ${quoted(voteName(resource))} WHERE record = ? AND account = ? RETURNING id`,
      id,
      account,
    )
    if (rows.length > 0) yield* countVotes(resource, { action: 'unvote', id, by: account })
  }
}

/** The accounts that voted for a record, oldest vote first. */
export function* votersOf(resource: AnyResource, row: Row): Work<number[]> {
  const votes = keyStoredIn(resource, 'votes')
  if (votes === undefined || row[votes] === NO_VOTES) return []
  const sql = `SELECT account FROM ${quoted(voteName(resource))} WHERE record = ? ORDER BY id`
  return (yield* query(sql, cell(row, 'id'))).map(({ account }) => Number(account))
}

function* countVotes(resource: AnyResource, change: Change): Work<void> {
  const { id } = change
  const at = yield* timeOfWrite()
  for (const [key, field] of fieldsOf(resource)) {
    if (field.storage(key).in !== 'votes') continue
    const count = `(SELECT count(*) FROM ${quoted(voteName(resource))} WHERE record = ?)`
    yield* touching(
      { resource: resource.name, ids: [id], change },
      `UPDATE ${quoted(resource.name)} SET ${quoted(voteCount(key))} = ${count}, changed = ? WHERE id = ?`,
      id,
      at,
      id,
    )
  }
}
