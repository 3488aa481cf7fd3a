/** The statements that read records: which columns, and what is in other tables. */
import { type AnyResource, type Field, fieldsOf } from '../declare/index.ts'
import { type Dialect, quoted } from './dialect.ts'
import { linkName, voteCount, voteName } from './schema.ts'
import { NO_VOTES, SHOWN } from './shown.ts'

/** Some fields of a resource, all by default: a view shows only a few. */
export interface Selection {
  readonly resource: AnyResource
  readonly only?: readonly string[]
  /** Only the stored JSON; see `isStoredShown`. */
  readonly shown?: true
  /** Fields to read together with the stored JSON. */
  readonly beside?: readonly string[]
}

/** The columns of a record, including what is in other tables, of rows named `t`. */
export function selectRecords(
  dialect: Dialect,
  { resource, only, shown, beside }: Selection,
  from: string,
  others: readonly string[] = [],
): string {
  if (shown) return selectShown(dialect, resource, from, beside)
  const fields = fieldsOf(resource).filter(([key]) => !only || only.includes(key))
  const columns = [
    't.id',
    't.owner',
    't.changed',
    ...others,
    ...fields.flatMap(([key, field]) => columnsOf(dialect, resource, key, field)),
  ]
  return `SELECT ${columns.join(', ')} FROM ${from} AS t`
}

function selectShown(dialect: Dialect, resource: AnyResource, from: string, beside: readonly string[] = []): string {
  const columns = fieldsOf(resource).flatMap(([key, field]) =>
    field.storage(key).in === 'votes' || beside.includes(key) ? columnsOf(dialect, resource, key, field) : [],
  )
  return `SELECT ${['t.id', 't.owner', 't.changed', `t.${SHOWN}`, ...columns].join(', ')} FROM ${from} AS t`
}

function columnsOf(dialect: Dialect, resource: AnyResource, key: string, field: Field): string[] {
  const storage = field.storage(key)
  const as = quoted(key)
  switch (storage.in) {
    case 'columns':
      return storage.columns.map(({ name }) => `t.${quoted(name)}`)
    case 'reference':
      return [`t.${as}`]
    case 'owner':
      return [`(SELECT name FROM account WHERE id = t.owner) AS ${as}`]
    case 'links':
      return [`${dialect.list('target', `${quoted(linkName(resource, key))} WHERE holder = t.id`, 'place')} AS ${as}`]
    case 'votes': {
      const votes = `${quoted(voteName(resource))} AS v JOIN account AS a ON a.id = v.account WHERE v.record = t.id`
      const list = dialect.list('a.name', votes, 'v.id DESC')
      // Most have none, and then nothing needs to be looked up.
      return [`CASE WHEN t.${quoted(voteCount(key))} = 0 THEN '${NO_VOTES}' ELSE ${list} END AS ${as}`]
    }
    case 'count':
      return [`(SELECT count(*) FROM ${quoted(storage.of)} WHERE ${quoted(storage.by)} = t.id) AS ${as}`]
    case 'nothing':
      return []
  }
}

/** Selections with the same name have the same columns. */
export function selectionName({ resource, only, shown, beside = [] }: Selection): string {
  if (shown) return [resource.name, 'shown', ...beside].join(' ')
  return only ? `${resource.name} (${only.join(' ')})` : resource.name
}
