/** Votes: one for each account and record. Their number is stored with the record, so that lists can be ordered by it. */
import { type AnyResource, fieldsOf } from '../declare/index.ts'
import { query, touching, type Work } from './database.ts'
import { quoted } from './dialect.ts'
import { voteCount, voteName } from './schema.ts'

export class Votes {
  /** Whether it is a new vote. */
  *vote(resource: AnyResource, id: number, account: number): Work<boolean> {
    const rows = yield* query(
      `INSERT INTO ${quoted(voteName(resource))} (record, account) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id`,
      id,
      account,
    )
    if (rows.length > 0) yield* countVotes(resource, id)
    return rows.length > 0
  }

  *unvote(resource: AnyResource, id: number, account: number): Work<void> {
    const rows = yield* query(
      `DELETE FROM ${quoted(voteName(resource))} WHERE record = ? AND account = ? RETURNING id`,
      id,
      account,
    )
    if (rows.length > 0) yield* countVotes(resource, id)
  }

  /** Votes in the order they were given: the last one is the newest. */
  *insert(resource: AnyResource, id: number, accounts: readonly number[]): Work<void> {
    for (const account of accounts) {
      yield* query(`INSERT INTO ${quoted(voteName(resource))} (record, account) VALUES (?, ?)`, id, account)
    }
    yield* countVotes(resource, id)
  }
}

function* countVotes(resource: AnyResource, id: number): Work<void> {
  for (const [key, field] of fieldsOf(resource)) {
    if (field.storage(key).in !== 'votes') continue
    const count = `(SELECT count(*) FROM ${quoted(voteName(resource))} WHERE record = ?)`
    yield* touching(
      { resource: resource.name, ids: [id] },
      `UPDATE ${quoted(resource.name)} SET ${quoted(voteCount(key))} = ${count} WHERE id = ?`,
      id,
      id,
    )
  }
}
