/** Renames an account: the name is part of unique rules of records, and of what processes have cached. */
import { type AnyResource, keyStoredIn, type Row } from '../declare/index.ts'
import { NAMES_CHANGED, PEOPLE_CHANGED } from './accounts.ts'
import { isCopyOf, renewLogId } from './change-log.ts'
import { note, query, touching, type Work } from './database.ts'
import { quoted } from './dialect.ts'
import { readFollowState } from './follow-state.ts'
import { identityOf, valuesOf } from './pack.ts'
import type { Records } from './records.ts'
import { uniqueColumn } from './schema.ts'

const SPAN = 500

interface Renamed {
  readonly id: number
  readonly name: string
  /** The key by which names are compared. */
  readonly key: string
}

export function* renameAccount(records: Records, catalogue: readonly AnyResource[], account: Renamed): Work<void> {
  const { id, name, key } = account
  const copied = yield* readFollowState()
  if (copied) throw isCopyOf(copied.source)
  yield* touching(PEOPLE_CHANGED, 'UPDATE account SET name = ?, name_key = ? WHERE id = ?', name, key, id)
  yield* note(NAMES_CHANGED)
  // Records show names, and the log says nothing of this.
  yield* renewLogId()
  for (const resource of catalogue) {
    // Any record may show the name, as its owner or a voter.
    yield* note({ resource: resource.name, ids: 'all' })
    const owner = keyStoredIn(resource, 'owner')
    if (resource.unique.some((keys) => keys.some((key) => key === owner)))
      yield* renewUnique(records, resource, account)
  }
}

/** The unique columns of all records that the account owns. */
function* renewUnique(records: Records, resource: AnyResource, { id: owner, name }: Renamed): Work<void> {
  const table = quoted(resource.name)
  const columns = resource.unique.map((_, i) => `${uniqueColumn(i)} = ?`).join(', ')
  for (let last = 0; ; ) {
    const sql = `SELECT id FROM ${table} WHERE owner = ? AND id > ? ORDER BY id LIMIT ${SPAN}`
    const ids = (yield* query(sql, owner, last)).map((row) => Number(row['id']))
    const rows: readonly Row[] = yield* records.byIds({ resource }, ids)
    for (const row of rows) {
      const values = valuesOf(resource, row, name)
      const identities = resource.unique.map((keys) => identityOf(resource, keys, values))
      const id = Number(row['id'])
      yield* touching(
        { resource: resource.name, ids: [id] },
        `UPDATE ${table} SET ${columns} WHERE id = ?`,
        ...identities,
        id,
      )
    }
    if (ids.length < SPAN) return
    last = Math.max(...ids)
  }
}
